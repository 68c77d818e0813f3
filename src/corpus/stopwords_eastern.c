/* Function words of Slavic languages and Finnish, as the tokeniser cuts them. */
#include "corpus/stopwords.h"

const ez_stop_list ez_stop_eastern[4] = {
    {"pl", "polish",
     "a aby ach acz aczkolwiek albo ale ależ ani aż bardziej bardzo bez bo bowiem by być był była było były będzie "
     "będą cali cała cały chce chociaż choć ci cię co cokolwiek coraz coś czasami czasem czego czemu czy czyli "
     "często dla dlaczego dlatego do dobrze dokąd dość dużo dwa dwaj dwie dzisiaj dziś gdy gdyby gdyż gdzie "
     "gdziekolwiek gdzieś go i ich ile im inna inne inny innych innym iż ja jak jakaś jakby jaki jakich jakie "
     "jakiś jako jakoś jeden jedna jednak jedno jego jej jemu jest jestem jesteśmy jeszcze jeśli jeżeli już ją "
     "każda każde każdy kiedy kilka kimś kto ktokolwiek ktoś która które którego której który których którym "
     "którzy ku lecz lub ma mają mam mamy mi mimo między mnie mną mogą moja moje może można mu musi my mój na nad "
     "nam nami nas nasz nasza nasze naszego nawet nic nich nie niech niego niej niemu nigdy nim nimi niż no o obok "
     "od około on ona one oni ono oraz oto po pod podczas pomimo ponad ponieważ poza prawie przecież przed przede "
     "przedtem przez przy raczej razie również sam sama się sobie sobą swoich swoje swój są ta tak taka taki "
     "takich takie także tam te tego tej temu ten teraz też to tobie tobą toteż tu tutaj twoja twoje twój ty tych "
     "tylko tym tymi u w wam wami was wasz we według wiele wielu więc więcej wszyscy wszystkich wszystkie wszystko "
     "wtedy wy z za zapewne zawsze ze znowu znów został została zostały żaden że żeby"},
    {"cs", "czech",
     "a aby aj ale ani ano asi aspoň ačkoli až bez bude budeme budete budeš budou budu by byl byla byli bylo byly "
     "být během co což cože další dnes do dokud dosud hned ho i jak jakmile jako jakož jaký je jeden jedna jedno "
     "jednou jeho jejich jejichž její jelikož jemu jen jenom jenž jestli jestliže ještě ji jich jimi jinak jiná "
     "jiné jiný již jsem jseš jsi jsme jsou jste já jí jím k kam každá každé každý kde kdo kdy kdyby když ke kolem "
     "kolik kterou která které kterého který kteří kvůli ledaže mají mezi mi mne mnoho mnou mně moc mohl mohou "
     "moje moji možná my má málo mám máme máš mého mít mě můj může na nad nade naproti naše naši ne nebo neboť "
     "nech nemají nemá není než nic nich nimi nám námi nás náš ním něco nějak nějaký někdo několik o od ode on ona "
     "oni ono ony pak po pod podle pokud potom pouze pořád pro prostě proti proto protože proč právě před přede "
     "přes přese přesto přestože při s se sebe sebou si sice skoro snad spolu svou své svých svým svůj ta tady tak "
     "takhle takový taky také takže tam tato te tedy ten tento teď ti to tobě toho tohoto tom tomto tomu toto "
     "trochu tu tuto tvá tvé tvůj ty tyto té této tím tímto u už v vaše ve vedle velmi vlastně vy vám vámi vás váš "
     "více však všechen všechno všichni vůbec z za zatímco zda zde ze znovu či že"},
    {"ru", "russian",
     "а без более больше будем будет будете будто буду будут бы был была были было быть в вам вами вас ваш ваша "
     "ваше ведь весь вот впрочем все всегда всего всей всем всеми всему всех всею всю вся всякий всё вы где да "
     "даже для до другие другой его ее ей ему если есть еще ещё её ж же за затем зачем здесь и из или им именно "
     "иметь ими иногда их к каждый как какая какие какой когда кого ком кому конечно которая которого которой "
     "которые который которых кроме кто куда ли либо лишь лучше между меня мне много могут может можно мой моя мы "
     "на над надо наконец нам нами нас наш наша наше не него нее ней некоторые нельзя несколько нет нею неё ни "
     "нибудь никогда ним ними них ничего но ну о об один одна однако одни одно он она они оно опять от отчего "
     "очень перед по под после потом потому почему почти при про раз разве с сам сама сами само самые самый свое "
     "своего своей своих свою своё себе себя сейчас со совсем стал стала стали так такая также такие такой там те "
     "тебе тебя тем теми теперь то тобой тогда того тоже той только том тому тот тою ту тут ты у уж уже хоть хотя "
     "чего чей чем через что чтоб чтобы чуть чья эта эти этим этими этих это этого этой этом этому этот эту я"},
    {"fi", "finnish",
     "aina ainakin ainoastaan alla alle asti edelleen edes ehkä ei eikä eilen eivät eli ellei elleivät emme en "
     "enemmän eniten ennen entä eräs et ette että haluaa he heidän heidät heihin heille heillä heiltä heissä "
     "heistä heitä hyvin hän häneen hänelle hänellä häneltä hänen hänessä hänestä hänet häntä ihan ilman itse "
     "itsensä ja jo johon joiden joihin joilla joille joilta joissa joista joita joka jokainen jokin joko joku "
     "jolla jolle jolloin jolta jonka jonkin jos joskus jossa josta jota jotain joten jotka jotkut jotta juuri "
     "jälkeen kai kaikki kaikkia kaikkien kaksi kanssa kautta keiden keihin keille keillä keitä keneen kenelle "
     "kenellä kenen kenet kenties kerran keskellä kesken ketkä ketä koko koska koskaan kuin kuinka kuitenkaan "
     "kuitenkin kuka kukaan kumpi kun kuten kyllä kylläkin liian lisäksi lukuun luona lähellä lähes me meidän "
     "meidät meihin meille meillä meiltä meissä meistä meitä melko mihin miksi mikä mikään mille milloin millä "
     "miltä minkä minne minua minulla minulle minulta minun minussa minusta minut minä missä mistä miten mitkä "
     "mitä mitään molemmat monet moni monta muiden muita mukaan mukana mutta muu muun muut myöhemmin myös ne "
     "niiden niihin niille niillä niiltä niin niinä niissä niistä niitä no noiden noita nuo nyt näiden näihin "
     "näille näillä näin näissä näistä näitä nämä ole olemme olen olet olette oli olimme olin olisi olisit "
     "olisivat olit olitte olivat olla olleet ollut oma on ovat pitkin pitää poikki saa saakka se sekä sen siellä "
     "sieltä siihen siinä siis siitä sille silloin sillä siltä sinne sinua sinulla sinulle sinun sinut sinä sitten "
     "sitä suoraan taas tai takana takia te teidän teidät teille teillä teitä tuo tuohon tuolla tuon tuossa tuosta "
     "tuota tuskin tähän tämä tämän tänne tässä tästä tätä täällä vaan vai vaikka vain varten vastaan vielä viime "
     "voi voidaan voivat vuoksi yhdessä yhä yksi yli ympäri"},
};
