/* Stop words of languages of eastern Asia and Africa, as the tokeniser splits them. Written by
 * scripts/stopword_lists.py, which names its sources; do not edit. */
#include "corpus/text/stopwords/stopwords.h"

const ez_stop_list ez_stop_pacific[8] = {
    {"zh", "chinese", "zho cmn mandarin",
     "一 一切 一旦 七 三 上 下 不 不仅 不会 不单 不可 不得 不管 不能 不要 不论 不过 与 与其 且 "
     "个别 中 临 为 为了 乃 乃至 么 之 之前 之后 之後 之所以 "
     "九 也 也是 了 二 于 于是 五 些 亦 仍 从 从此 从而 他 他们 以 以上 以下 以前 以及 以后 以外 "
     "以後 以来 们 任何 会 但 但是 何 你 便 倘若 像 儿 "
     "全部 八 六 共 关于 其 其他 其余 其它 内 再 几 凡 凭 分别 则 初 别 到 区 即使 即便 却 又 及 "
     "另 另外 只 只要 可 可以 可是 可能 各 各个 各种 "
     "各自 同 后 向 吗 吧 呢 和 咱 哇 哟 哪 哪怕 啥 啦 嗡 嘛 四 因 因为 因而 在 地 基于 多 多少 大 "
     "大家 她 她们 如何 如果 它 它们 对 对于 将 小 "
     "尔 就 就是 尽管 左右 已 并 并且 当 当然 彼此 往 很 得 必须 怎 总之 您 我 我们 或 或是 或者 "
     "所 所以 所有 才 把 按照 据 故 无论 既 时 是 更 曾 "
     "最 有 有关 有时 有的 朝 本 本身 来 某 某些 根据 此 此次 每 每个 每天 每年 比 沿 然后 然而 "
     "甚至 用 由 由于 的 的话 直到 着 经 经过 者 而 而且 "
     "而是 能 能够 自 自从 自己 自身 至 致 若 虽 虽则 虽然 被 要 要么 许多 论 该 诸 谁 起 趁 距 跟 "
     "较 过 还 还是 这 这么 这些 这样 这次 这里 连 "
     "连同 逐步 通过 那 那些 那样 那里 都 针对 除非 随后 首先"},
    {"ja", "japanese", "",
     "あっ あり ある い いう いずれ いつ いる および おり か かつて から が ここ こちら この これ "
     "さ さらに し しか しかし しよう す する ず せ せる そう "
     "そこ そして その それ た たい ただし たら たり だ だけ だっ つつ て で でき できる です と "
     "どの な ない なお なかっ ながら なく なっ など なら なり "
     "なる なん に にて ね の のみ は ば へ べき ほとんど ほど ます また まで も や よ よう より "
     "らしい られ られる る れ れる を ん 何 彼 彼女 私"},
    {"ko", "korean", "",
     "가 각 과 그 그러나 그리고 나 누구 다른 동안 들 때문에 또 로 를 몇 및 아니 어떤 에 에서 여기 "
     "와 우리 으로 을 의 이 이상 저희 제 좀 하 하나"},
    {"th", "thai", "",
     "กระทั่ง กระนั้น กระผม กล่าว กล่าวคือ กว่า กัน กับ ก็ ก็คือ ก็ดี ก่อน กําลัง ขณะที่ ของ "
     "ขึ้น ข้า ข้าพเจ้า คง ครับ ควร คือ ค่ะ จง จน จนกระทั่ง จนถึง จะ จาก จากนั้น จึง ฉะนั้น "
     "ฉัน ซึ่ง ซึ่งกันและกัน ดัง ดังกล่าว ดั่ง ด้วย ตนเอง ตั้ง ตั้งแต่ ตาม ต่อ ต่าง ต้อง ถึง "
     "ถึงแม้ ถึงแม้ว่า ถูก ถ้า ถ้าหาก ทั้ง ทั้งนี้ ทั้งหมด ทั้งหลาย ที่ ที่สุด ทุก ทํา ทําให้ "
     "นอก นอกจาก นอกจากนั้น นอกจากนี้ นะ นั่น นั่นเอง นั้น นี่ นี้ น่า น่าจะ นํา บน บัดนี้ บาง "
     "พบ พร้อมกับ พวกเขา พึง ภายหลัง ภายใต้ ภายใน มัน มา มาก มี ยัง ยังคง ย่อม รวม รวมถึง "
     "รวมทั้ง ระหว่าง รับ ลง ว่า สามารถ สุด สู่ ส่ง สําหรับ หนึ่ง หรือ หลัง หลังจาก หลาย หาก "
     "อยู่ อย่าง อย่างเช่น ออก อะไร อัน อาจ อาจจะ อีก อื่น เกี่ยวกับ เขา เข้า เคย เฉพาะ เช่น "
     "เช่นนี้ เช่นเดียวกับ เดียว เดียวกัน เธอ เนื่องจาก เป็น เป็นต้น เพราะ เพราะฉะนั้น "
     "เพราะว่า เพื่อ เมื่อ เรา เลย เหล่านั้น เหล่านี้ เห็น เอง แก่ แต่ แต่ว่า แม้ แม้ว่า "
     "แม้แต่ แรก และ แล้ว แห่ง โดย ใคร ใน ให้ ได้ ได้แก่ ไป ไม่ ไม่ว่า ไว้"},
    {"vi", "vietnamese", "",
     "ai alô amen ba biết bán bèn béng bấy bằng bển bệt bị bỏ bỗng bớ bởi cao cho choa chính "
     "chúng chăng chưa chậc chỉ chỉn chớ chợt chủn chứ càng các còn có cùng cũng cả cần của cứ "
     "do duy dào dù dưới dạ dẫu giữa gì gần gặp hay hoặc hãy hơn hết họ hỏi khá khác không kể "
     "luôn là làm lên lại lấy lớn muốn mà mình mất mọi mỗi một mới mợ nay ngay nghe nghen "
     "nghỉm ngoải ngươi ngồi nhiều nhé nhìn như nhưng nhất nhận nhỉ nhỏ những nào này nên nó "
     "nói nấy nếu nọ nớ nữa oái pho phè phóc phót phải phắt phỏng phốc phụt phứt qua quá ra "
     "riệt rày ráo rén rích rất rằng rồi rứa sang sao suýt sì sất sắp sẽ tanh theo thoạt thuần "
     "thà thêm thì thím thôi thường thấy thẩy thậm thật thế thếch thỏm thốc thộc thửa toà toẹt "
     "trong trên trước trển trỏng tuy tênh tìm tôi tại tắp tọt tột tớ tới từ từng tự veo và "
     "vài vào vâng vì vẫn vậy về với vụt vừa xoét xoẳn xoẹt xuể xuống xệp à ái áng úi ăn đang "
     "đâu đây đã đó đưa được đến đều để ơ ơi ư ạ ấy ắt ồ ổng ớ ờ ở ủa ừ ử"},
    {"id", "indonesian", "ms malay malaysian",
     "ada adalah adapun agak agaknya agar akan akankah akhirnya aku akulah amat amatlah anda "
     "andalah antar antara antaranya apa apaan apabila apakah apalagi apatah artinya asal atas "
     "atau ataukah ataupun awalnya bagai bagaikan bagaimana bagaimanakah bagaimanapun bagi "
     "bahkan bahwa bahwasanya bakal banyak baru beberapa begini beginian beginikah beginilah "
     "begitu begitukah begitulah begitupun belakangan beliau belum belumlah benarkah berada "
     "berapa berapakah berapalah berapapun berbagai bermacam bersama berturut besar betul "
     "betulkah biasa biasanya bila bilakah bisa bisakah boleh bolehkah bolehlah buat bukan "
     "bukankah bukanlah bukannya bung caranya cukup cuma dahulu dalam dan dapat dari daripada "
     "demi demikian demikianlah dengan di dia dialah diantara diantaranya digunakan "
     "dikatakannya diri dirinya disini disinilah dong dua empat enggak enggaknya entah "
     "entahlah guna hampir hanya hanyalah harus haruslah harusnya hendak hendaklah hendaknya "
     "hingga ia ialah ibarat ingat ingin inginkah inginkan ini inikah inilah itu itukah itulah "
     "jadilah jangan jangankan janganlah jelasnya jika jikalau juga justru kala kalau kalaulah "
     "kalaupun kalian kami kamilah kamu kamulah kan kapan kapankah kapanpun karena karenanya "
     "katanya ke kedua keduanya kembali kemudian kenapa kepada kepadanya keseluruhan "
     "keseluruhannya ketika kini kinilah kira kiranya kita kitalah kok kurang lagi lagian lah "
     "lain lainnya lalu lamanya lebih lewat lima macam maka makanya makin malah malahan mampu "
     "mampukah mana manakala manalagi masih masihkah masing mau maupun melainkan melalui "
     "memang membuat memiliki mengapa mengenai menggunakan menjadi menurut mereka merekalah "
     "merupakan meski meskipun minta misal misalnya mulai mungkin mungkinkah nah namun nanti "
     "nantinya nyaris oleh olehnya pada padahal padanya paling para pastilah per percuma perlu "
     "pernah pertama pula pun punya rasanya rata rupanya saatnya saja sajalah saling sama "
     "sambil sampai sangat sangatlah satu saya sayalah se sebab sebabnya sebagai sebagaimana "
     "sebagainya sebaliknya sebanyak sebegini sebegitu sebelum sebelumnya sebenarnya seberapa "
     "sebesar sebetulnya sebisanya sebuah sebut secara sedang sedangkan sedemikian sedikit "
     "sedikitnya segala segalanya segera seharusnya sehingga sejak sejauh sejenak sejumlah "
     "sekali sekalian sekaligus sekalipun seketika sekiranya sekitar sekitarnya sela selain "
     "selaku selalu selama selamanya seluruh seluruhnya semakin semasa semasih semaunya "
     "sementara sempat semua semuanya sendiri sendirinya seolah seorang sepantasnya "
     "sepantasnyalah seperti sepertinya sering seringnya serta sesaat sesegera sesekali "
     "seseorang sesuatu sesuatunya sesudah sesudahnya setelah setengah seterusnya setiap "
     "setidaknya seusai sewaktu siapa siapakah siapapun sini sinilah suatu sudah sudahkah "
     "sudahlah supaya tadi tadinya tak tampaknya tanpa tanya tapi telah tentang tentu tentulah "
     "tentunya terhadap terhadapnya terjadinya terlalu terlebih ternyata tersebut tersebutlah "
     "tertentu terus terutama tetap tetapi tiap tidak tidakkah tidaklah tiga tutur ucap ujar "
     "umumnya untuk usah usai waduh wah wahai walau walaupun wong yaitu yakni yang"},
    {"tl", "tagalog", "fil filipino",
     "akin aking ako alin am amin aming ang ano anumang apat at atin ating ay bababa bago "
     "bakit bawat bilang dahil dalawa dapat din dito doon gagawin gayunman ginagawa ginawa "
     "ginawang gumawa gusto habang hanggang hindi huwag iba ibaba ibabaw ibig ikaw ilagay "
     "ilalim ilan inyong isa isang itaas ito iyo iyon iyong ka kahit kailangan kailanman kami "
     "kanila kanilang kanino kanya kanyang kapag kapwa karamihan katiyakan katulad kaya kaysa "
     "ko kong kulang kumuha kung laban lahat lamang likod lima maaari maaaring maging mahusay "
     "makita marami marapat masyado may mayroon mga minsan mismo mula muli na nabanggit naging "
     "nagkaroon nais nakita namin napaka narito nasaan ng ngayon ni nila nilang nito niya "
     "niyang noon o pa paano pababa paggawa pagitan pagkakaroon pagkatapos palabas pamamagitan "
     "panahon pangalawa para paraan pareho pataas pero pumunta pumupunta sa saan sabi sabihin "
     "sarili sila sino siya tatlo tayo tulad tungkol una walang"},
    {"yo", "yoruba", "",
     "a an bá bí bẹ̀rẹ̀ fún fẹ́ gbogbo inú jù jẹ jẹ́ kan kì kí kò láti lè lọ mi mo máa mọ̀ ni "
     "náà ní nígbà nítorí nǹkan o padà pé púpọ̀ pẹ̀lú rẹ̀ sì sí sínú ti tí wà wá wọn wọ́n yìí "
     "àti àwọn é í òun ó ń ńlá ṣ ṣe ṣé ṣùgbọ́n ẹmọ́ ọjọ́ ọ̀pọ̀lọpọ̀"},
};
