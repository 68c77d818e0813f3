/* The tokeniser: letters, numbers, case, lengths, and a fast path equal to the full rule. */
#include "word_list.h"

#include "corpus/input/utf8.h"

static const char *words(const char *text)
{
    ez_tokeniser tokeniser;
    ez_tokeniser_init(&tokeniser, false, false, true, 1);
    return words_of(&tokeniser, text, strlen(text));
}

TEST(words_are_runs_of_letters)
{
    CHECK_STR(words(""), "");
    CHECK_STR(words("  ...  "), "");
    CHECK_STR(words("The cat, the mat."), "the|cat|the|mat");
    CHECK_STR(words("don't l'homme l\xe2\x80\x99"
                    "eau well-known"),
              "don|t|l|homme|l|eau|well|known");
    CHECK_STR(words("covid19 x2y 1984"), "covid|x|y");
    CHECK_STR(words("abcdefghijklmnop-q"), "abcdefghijklmnop|q");
}

TEST(numbers_where_kept)
{
    ez_tokeniser tokeniser;
    ez_tokeniser_init(&tokeniser, false, true, true, 1);
    const char *text = "covid19 3.14 \xd9\xa3x"; /* an Arabic-Indic digit */
    CHECK_STR(words_of(&tokeniser, text, strlen(text)), "covid19|3|14|\xd9\xa3x");
}

TEST(underscores_join_only_between_letters)
{
    CHECK_STR(words("new_york __init__ a__b _x y_ snake_case_name"),
              "new_york|init|a|b|x|y|snake_case_name");
    ez_tokeniser tokeniser;
    ez_tokeniser_init(&tokeniser, false, false, false, 1);
    CHECK_STR(words_of(&tokeniser, "new_york", 8), "new|york");
}

TEST(case_is_folded_and_forms_are_normalised)
{
    CHECK_STR(words("\xc3\x89T\xc3\x89 \xd0\x9c\xd0\xb8\xd1\x80"),
              "\xc3\xa9t\xc3\xa9|\xd0\xbc\xd0\xb8\xd1\x80");
    CHECK_STR(words("e\xcc\x81t\xc3\xa9"), "\xc3\xa9t\xc3\xa9"); /* combining acute */
    CHECK_STR(words("\xef\xac\x81sh"), "fish");                  /* the ligature fi */
    CHECK_STR(words("\xef\xbc\xa1\xef\xbc\xa2"), "ab");          /* full-width letters */
    CHECK_STR(words("W\xc3\xb6rter\xc2\xad"
                    "buch"),
              "w\xc3\xb6rterbuch"); /* soft hyphen */
    CHECK_STR(words("x\xc2\xad y"), "x|y");
    CHECK_STR(words("\xcc\x81 \xcc\x81"
                    "a"),
              "a"); /* marks without a letter */
    CHECK_STR(words("\xe6\x97\xa5\xe6\x9c\xac\xe3\x80\x82\xe8\xaa\x9e"),
              "\xe6\x97\xa5\xe6\x9c\xac|\xe8\xaa\x9e");
}

TEST(case_is_kept_on_request)
{
    ez_tokeniser tokeniser;
    ez_tokeniser_init(&tokeniser, true, false, true, 1);
    const char *text = "The \xc3\x89t\xc3\xa9";
    CHECK_STR(words_of(&tokeniser, text, strlen(text)), "The|\xc3\x89t\xc3\xa9");
}

TEST(length_counts_characters)
{
    ez_tokeniser tokeniser;
    ez_tokeniser_init(&tokeniser, false, false, true, 3);
    const char *text = "ab abc \xc3\xa9\xc3\xa9 \xc3\xa9\xc3\xa9\xc3\xa9";
    CHECK_STR(words_of(&tokeniser, text, strlen(text)), "abc|\xc3\xa9\xc3\xa9\xc3\xa9");
}

TEST(overlong_runs_are_left_out)
{
    char text[2048];
    memset(text, 'a', sizeof text);
    text[255] = ' ';  /* 255 characters: the longest */
    text[512] = ' ';  /* 256: ignored */
    text[2046] = ' '; /* over 1,024 bytes */
    text[2047] = 'b';
    ez_tokeniser tokeniser;
    ez_tokeniser_init(&tokeniser, false, false, true, 1);
    const char *found = words_of(&tokeniser, text, sizeof text);
    CHECK_EQ(strlen(found), 255 + 2);
    CHECK_STR(found + 255, "|b");
}

/* Random text from pieces that meet in every way. */
static size_t random_text(char *text, size_t room, uint64_t *seed)
{
    static const char *const pieces[] = {"a",
                                         "B",
                                         "z",
                                         "Z",
                                         "hello",
                                         "_",
                                         "__",
                                         " ",
                                         "\n",
                                         ".",
                                         "'",
                                         "-",
                                         "7",
                                         "@",
                                         "[",
                                         "`",
                                         "{",
                                         "\x7f",
                                         "\xc3\xa9",
                                         "\xcc\x81",
                                         "\xc2\xad",
                                         "\xe2\x80\x8d",
                                         "\xd0\x96",
                                         "\xe6\x97\xa5",
                                         "\xef\xac\x81",
                                         "\xf0\x9f\x98\x80",
                                         "\xd9\xa3",
                                         "\xc2\xa0",
                                         "abcdefgh",
                                         "\xef\xbb\xbf",
                                         "l\xc2\xb7l",
                                         "\"",
                                         "\xd7\xa6",
                                         "\xe0\xb8\x81",
                                         "\xe3\x82\xab"};
    size_t used = 0;
    while (used < room - 16) {
        *seed = *seed * 6364136223846793005u + 1442695040888963407u;
        const char *piece = pieces[(*seed >> 33) % (sizeof pieces / sizeof *pieces)];
        memcpy(text + used, piece, strlen(piece));
        used += strlen(piece);
    }
    return used;
}

TEST(fast_path_equals_full_rule)
{
    uint64_t seed = 1;
    char text[300];
    for (int i = 0; i < 20000; i++) {
        ez_tokeniser fast, full;
        ez_tokeniser_init(&fast, i & 1, i & 2, i & 4, 1 + (uint32_t)i % 3);
        full = fast;
        full.plain_path = false;
        size_t n = random_text(text, 40 + (size_t)i % 260, &seed);
        char *expected = strdup(words_of(&full, text, n));
        CHECK_STR(words_of(&fast, text, n), expected);
        free(expected);
    }
}

TEST(every_ascii_byte_beside_letters)
{
    for (int c = 1; c < 128; c++) {
        char text[] = "abcxdef ghijklmnopq";
        text[3] = (char)c;
        text[11] = (char)c;
        for (int option = 0; option < 4; option++) {
            ez_tokeniser fast, full;
            ez_tokeniser_init(&fast, false, option & 1, option & 2, 1);
            full = fast;
            full.plain_path = false;
            char *expected = strdup(words_of(&full, text, strlen(text)));
            CHECK_STR(words_of(&fast, text, strlen(text)), expected);
            free(expected);
        }
    }
}

TEST(utf8_is_checked)
{
    static const char *const good[] = {"",
                                       "plain text of some length",
                                       "\xc2\x80",
                                       "\xdf\xbf",
                                       "\xe0\xa0\x80",
                                       "\xed\x9f\xbf",
                                       "\xee\x80\x80",
                                       "\xf0\x90\x80\x80",
                                       "\xf4\x8f\xbf\xbf"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        CHECK_EQ(ez_utf8_check(good[i], strlen(good[i])), strlen(good[i]));
    static const char *const bad[] = {"\x80",
                                      "\xc0\x80",
                                      "\xc1\xbf",
                                      "\xc2",
                                      "\xe0\x9f\xbf",
                                      "\xed\xa0\x80",
                                      "\xe2\x82",
                                      "\xf0\x8f\xbf\xbf",
                                      "\xf4\x90\x80\x80",
                                      "\xf5\x80\x80\x80",
                                      "\xff",
                                      "\xe2\x28\xa1"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char text[64];
        for (size_t before = 0; before < 20; before++) {
            memset(text, 'a', before);
            memcpy(text + before, bad[i], strlen(bad[i]));
            CHECK_EQ(ez_utf8_check(text, before + strlen(bad[i])), before);
        }
    }
    CHECK_EQ(ez_utf8_check("0123456\0abcdefgh", 16), 7);
    CHECK_EQ(ez_utf8_check("0123456789\0", 11), 10);
}

TEST(utf8_codes_go_both_ways)
{
    for (uint32_t code = 1; code < 0x110000; code++) {
        char text[4];
        size_t n = ez_utf8_encode(code, text), length;
        CHECK_EQ(ez_utf8_decode(text, &length), code);
        CHECK_EQ(length, n);
        if (code < 0xd800 || code > 0xdfff)
            CHECK_EQ(ez_utf8_check(text, n), n);
    }
}

TEST_MAIN()
