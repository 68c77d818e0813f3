/* Words of scripts and languages that need rules of their own. */
#include "word_list.h"

#include "corpus/input/utf8.h"

static const char *list(const ez_tokeniser *tokeniser, const char *text)
{
    return words_of(tokeniser, text, strlen(text));
}

static const char *words_with(const char *text, ez_casing casing, bool keep_case)
{
    ez_tokeniser tokeniser;
    ez_tokeniser_init(&tokeniser, keep_case, false, true, 1);
    tokeniser.casing = casing;
    return list(&tokeniser, text);
}

static const char *words(const char *text)
{
    return words_with(text, EZ_CASE_LOWER, false);
}

TEST(german_keeps_sharp_s)
{
    CHECK_STR(words("größte GRÖẞTE Straße STRASSE Maße Masse"),
              "größte|größte|straße|strasse|maße|masse");
    CHECK_STR(words_with("größte GRÖẞTE Straße", EZ_CASE_FOLDED, false), "grösste|grösste|strasse");
}

TEST(greek_sigma_by_its_place)
{
    CHECK_STR(words("ΛΟΓΟΣ λόγος σοφόσ ΣΟΦΌΣ σ' ΟΔΟΣ_ΟΔΟΣ"), "λογος|λόγος|σοφός|σοφός|σ|οδος_οδος");
    CHECK_STR(words_with("ΛΟΓΟΣ", EZ_CASE_LOWER, true), "ΛΟΓΟΣ");
}

TEST(turkish_i)
{
    CHECK_STR(words_with("ISPARTA ıspanak İstanbul istanbul DIŞ diş BİR", EZ_CASE_TURKIC, false),
              "ısparta|ıspanak|istanbul|istanbul|dış|diş|bir");
    /* Elsewhere I is the capital of i; a dotted capital has no second dot. */
    CHECK_STR(words("ISPARTA İstanbul I\xcc\x87zmir i\xcc\x87zmir IBM"),
              "isparta|istanbul|izmir|izmir|ibm");
    /* An Arabic point before the dot, which is dropped. */
    CHECK_STR(words("\xc4\xb0\xd8\x98zmir \xc4\xb0\xcc\x87zmir"), "izmir|izmir");
    CHECK_STR(words_with("ISPARTA İstanbul", EZ_CASE_TURKIC, true), "ISPARTA|İstanbul");
}

static bool dotless(const char *text)
{
    ez_dotless_count count = {0};
    ez_dotless_feed(&count, text, strlen(text));
    return ez_dotless_found(&count);
}

TEST(turkish_is_found_by_its_letters)
{
    CHECK(dotless("Kapının ardında sıcak bir ışık vardı, kız kardeşi onu bekliyordu."));
    CHECK(dotless("İSTANBUL İL İDARESİ BİLDİRİSİ")); /* capitals only */
    CHECK(
        !dotless("Erdoğan, Yıldırım and Kılıç met in Istanbul to discuss the new bridge; they are "
                 "said to disagree in principle about its financing, which is still uncertain, "
                 "and it is likely that nothing will be decided in this first meeting."));
    CHECK(!dotless("ı"));
    CHECK(!dotless("plain English without it"));
}

TEST(arabic_without_points_and_tatweel)
{
    CHECK_STR(words("كِتَابٌ كتاب كتـــاب"), "كتاب|كتاب|كتاب");
    CHECK_STR(words("أحمد آمن مسؤول"), "أحمد|آمن|مسؤول"); /* hamza and madda stay */
    CHECK_STR(words("ا\xd9\x94حمد"), "أحمد");             /* alef and a combining hamza */
    CHECK_STR(words("هذا؛ نص، عربي؟"), "هذا|نص|عربي");
    CHECK_STR(words_with("كِتَاب كتـــاب", EZ_CASE_FOLDED, false), "كِتَاب|كتـــاب");
}

TEST(persian_words_with_a_non_joiner_are_one)
{
    CHECK_STR(words("می\xe2\x80\x8cخواهم کتاب\xe2\x80\x8cها"), "میخواهم|کتابها");
}

TEST(hindi_keeps_marks_and_viramas)
{
    CHECK_STR(words("हिन्दी में क्षेत्र। दिल्ली"), "हिन्दी|में|क्षेत्र|दिल्ली");
    CHECK_STR(words("क्\xe2\x80\x8dष क्\xe2\x80\x8cष"), "क्ष|क्ष"); /* joiner, non-joiner */
}

TEST(vietnamese_is_composed)
{
    CHECK_STR(words("Việt Nam Vie\xcc\xa3\xcc\x82t Vie\xcc\x82\xcc\xa3t Đường"),
              "việt|nam|việt|việt|đường");
}

TEST(korean_by_spaces)
{
    CHECK_STR(words("한국어의 단어는, 띄어쓰기로 나눈다."), "한국어의|단어는|띄어쓰기로|나눈다");
    CHECK_STR(words("\xe1\x84\x92\xe1\x85\xa1\xe1\x86\xab"), "한"); /* conjoining jamo */
    CHECK_STR(words("韓國의"), "韓國|의");
}

TEST(hebrew_without_points_with_gershayim)
{
    CHECK_STR(words("שָׁלוֹם שלום בֵּית־סֵפֶר"), "שלום|שלום|בית|ספר");
    CHECK_STR(words("צה\"ל צה״ל ארה\"ב"), "צה״ל|צה״ל|ארה״ב");
    CHECK_STR(words("ה\"הארץ\" אמר \"לא\""), "ה|הארץ|אמר|לא"); /* quotation marks */
    CHECK_STR(words("ג'ירפה צ׳ק ה'ידיעה'"), "ג׳ירפה|צ׳ק|ה|ידיעה");
}

TEST(ukrainian_apostrophe)
{
    CHECK_STR(words("об'єкт об’єкт обʼєкт 'слово'"), "обʼєкт|обʼєкт|обʼєкт|слово");
    CHECK_STR(words_with("об'єкт", EZ_CASE_FOLDED, false), "об|єкт");
}

TEST(catalan_dot)
{
    CHECK_STR(words("col·lecció COL·LECCIÓ co\xc5\x80lecció a·b"),
              "col·lecció|col·lecció|col·lecció|a|b");
}

TEST(unspaced_scripts_are_runs_of_their_own)
{
    CHECK_STR(words("使用Python编程 abcไทยdef 東京タワー"),
              "使用|python|编程|abc|ไทย|def|東京タワー");
    CHECK_STR(words("二〇〇八年"), "二〇〇八年");
    ez_tokeniser tokeniser;
    ez_tokeniser_init(&tokeniser, false, false, true, 1);
    tokeniser.runs = false;
    CHECK_STR(list(&tokeniser, "使用Python编程"), "使用python编程");
}

TEST(a_han_character_counts_as_two)
{
    ez_tokeniser tokeniser;
    ez_tokeniser_init(&tokeniser, false, false, true, 2);
    CHECK_STR(list(&tokeniser, "水 a の ab のは"), "水|ab|のは");
    tokeniser.min_length = 4;
    CHECK_STR(list(&tokeniser, "水 中国 abc abcd"), "中国|abcd");
    tokeniser.casing = EZ_CASE_FOLDED;
    CHECK_STR(list(&tokeniser, "水 中国 abc abcd"), "abcd");
}

TEST(pieces_between_whitespace_stay_as_they_are)
{
    ez_tokeniser tokeniser;
    ez_tokeniser_init(&tokeniser, false, false, true, 1);
    tokeniser.pieces = true;
    CHECK_STR(list(&tokeniser, " New_York\t! 3,14\n\nGRÖẞTE\xe3\x80\x80機械\xc2\xa0学習 don't "),
              "New_York|!|3,14|GRÖẞTE|機械|学習|don't");
    CHECK_STR(list(&tokeniser, " \n\t"), "");
    tokeniser.min_length = 2;
    CHECK_STR(list(&tokeniser, "a é éé 水"), "éé");
    tokeniser.units = true;
    CHECK_STR(list(&tokeniser, " New York\x1f\x1f\xe3\x80\x80é é \x1f \x1fx\x1f!!"),
              "New York|é é|!!");
}

/* A normalised word is normalised again to itself, with any letter in it. */
TEST(normalised_words_stay)
{
    ez_tokeniser tokeniser;
    ez_tokeniser_init(&tokeniser, false, true, true, 1);
    for (uint32_t code = 0x80; code < 0x30000; code++) {
        char text[16] = "a", once[EZ_WORD_BYTES + 1], twice[EZ_WORD_BYTES + 1];
        if (code >= 0xd800 && code <= 0xdfff)
            continue;
        size_t n = 1 + ez_utf8_encode(code, text + 1);
        text[n++] = 'b';
        n = ez_normalise_word(&tokeniser, text, n, once);
        size_t again = ez_normalise_word(&tokeniser, once, n, twice);
        if (again != n || memcmp(once, twice, n) != 0)
            CHECK_FAIL("U+%04X: %s becomes %s", (unsigned)code, once, twice);
    }
}

TEST_MAIN()
