/* The rules by which text was read: kept with corpora, applied to new text, refused if damaged. */
#include "text_case.h"

#include "corpus/text/rules/text_rules.h"

static ezlda_corpus *read_with(const ezlda_import_options *options, const char *name,
                               const char *text)
{
    ezlda_corpus *corpus = NULL;
    const char *path = write_text(name, text);
    CHECK_OK(check_context(), ezlda_corpus_read(&corpus, check_context(), &path, 1, options));
    return corpus;
}

/* Text with stop words of its own, a stemmer for rare words, and phrases. */
static ezlda_import_options many_rules(void)
{
    ezlda_import_options options;
    ezlda_import_options_init(&options);
    options.format = "text";
    options.stopwords = write_text("stop.txt", "und der");
    options.stemmer = "english";
    options.stem_below = 2;
    options.ngrams = 2;
    options.min_length = 3;
    options.keep_numbers = 1;
    return options;
}

static const char TEXT[] = "running cats\nrunning dogs und 1984\nder walking cat\n";

TEST(text_is_read_as_before)
{
    ezlda_import_options options = many_rules(), new_options;
    ezlda_corpus *corpus = read_with(&options, "old.txt", TEXT);
    CHECK(has_word(corpus, "running") && has_word(corpus, "walking") &&
          has_word(corpus, "running_dogs"));
    ezlda_import_options_init(&new_options);
    new_options.format = "text";
    new_options.like = ezlda_corpus_text_rules(corpus);
    CHECK(new_options.like);
    /* "running" is in one document here, and stays whole; "walking" is not. Stop words do not
     * separate neighbours. */
    ezlda_corpus *again = read_with(&new_options, "new.txt", "running und walks of 1984 it\n");
    CHECK(has_word(again, "running") && has_word(again, "walking") &&
          has_word(again, "running_walking"));
    CHECK(has_word(again, "1984") && !has_word(again, "und") && !has_word(again, "of"));
    CHECK(ez_text_rules_same(ezlda_corpus_text_rules(corpus), ezlda_corpus_text_rules(again)));
    ezlda_corpus_free(again);
    ezlda_corpus_free(corpus);
}

TEST(what_is_set_comes_before_the_rules)
{
    ezlda_import_options options = many_rules(), new_options;
    ezlda_corpus *corpus = read_with(&options, "old.txt", TEXT);
    ezlda_import_options_init(&new_options);
    new_options.format = "text";
    new_options.like = ezlda_corpus_text_rules(corpus);
    new_options.stopwords = "none";
    new_options.stemmer = "german";
    new_options.min_length = 4;
    ezlda_corpus *again = read_with(&new_options, "new.txt", "running der und katzen\n");
    CHECK(has_word(again, "katzen") && has_word(again, "running_katzen"));
    CHECK(!has_word(again, "und"));
    ezlda_corpus_free(again);
    new_options.stemmer = "none";
    new_options.min_length = 2;
    new_options.min_length_given = new_options.ngrams_given = 1;
    again = read_with(&new_options, "new.txt", "walking der it\n");
    CHECK(has_word(again, "walking") && has_word(again, "it") && has_word(again, "der"));
    CHECK(!has_word(again, "walking_der"));
    ezlda_corpus_free(again);
    ezlda_corpus_free(corpus);
}

TEST(rules_stay_with_a_corpus)
{
    ezlda_import_options options = many_rules(), plain;
    ezlda_corpus *corpus = read_with(&options, "old.txt", TEXT), *read = NULL, *train = NULL,
                 *test = NULL;
    const char *path = check_tmp("c.ezc");
    const ezlda_text_rules *rules = ezlda_corpus_text_rules(corpus);
    CHECK_OK(check_context(), ezlda_corpus_save(check_context(), corpus, path));
    ezlda_import_options_init(&plain);
    CHECK_OK(check_context(), ezlda_corpus_read(&read, check_context(), &path, 1, &plain));
    CHECK(ez_text_rules_same(rules, ezlda_corpus_text_rules(read)));
    ezlda_corpus_info a = {.size = sizeof a}, b = a;
    ezlda_corpus_get_info(corpus, &a);
    ezlda_corpus_get_info(read, &b);
    CHECK_EQ(a.bytes, b.bytes);
    FILE *file = fopen(path, "rb");
    CHECK(file && fseek(file, 0, SEEK_END) == 0 && (uint64_t)ftell(file) == a.bytes);
    if (file)
        fclose(file);
    CHECK_OK(check_context(), ezlda_corpus_split(&train, &test, check_context(), corpus, 0.3, 1));
    CHECK(ez_text_rules_same(rules, ezlda_corpus_text_rules(train)));
    CHECK(ez_text_rules_same(rules, ezlda_corpus_text_rules(test)));
    char text[200];
    ezlda_text_rules_describe(rules, text, sizeof text);
    CHECK_STR(text, "2 stop words removed, words of 3 letters and more, stemmer english of words "
                    "in fewer than 2 "
                    "documents, phrases of up to 2 words, numbers kept");
    ezlda_text_rules_describe(rules, text, 8);
    CHECK_STR(text, "2 stop ");
    ezlda_text_rules_describe(NULL, text, sizeof text);
    CHECK_STR(text, "");
    ezlda_corpus_free(train);
    ezlda_corpus_free(test);
    ezlda_corpus_free(read);
    ezlda_corpus_free(corpus);
}

TEST(joined_corpora_keep_rules_that_are_the_same)
{
    ezlda_import_options options = many_rules(), plain;
    const char *paths[3] = {check_tmp("a.ezc"), check_tmp("b.ezc"), check_tmp("c.ezc")};
    for (int i = 0; i < 3; i++) {
        options.keep_numbers = i < 2;
        ezlda_corpus *corpus = read_with(&options, "old.txt", TEXT);
        CHECK_OK(check_context(), ezlda_corpus_save(check_context(), corpus, paths[i]));
        ezlda_corpus_free(corpus);
    }
    ezlda_import_options_init(&plain);
    ezlda_corpus *joined = NULL;
    CHECK_OK(check_context(), ezlda_corpus_read(&joined, check_context(), paths, 2, &plain));
    CHECK(ezlda_corpus_text_rules(joined));
    ezlda_corpus_free(joined);
    CHECK_OK(check_context(), ezlda_corpus_read(&joined, check_context(), paths, 3, &plain));
    CHECK(!ezlda_corpus_text_rules(joined));
    ezlda_corpus_free(joined);
}

/* A buffer with rules of one stop word, one unstemmed word and the settings given. */
static ez_buffer rules_with(const ez_rule_settings *settings)
{
    ezlda_import_options options = many_rules();
    ez_strings stopwords = {0}, unstemmed = {0};
    ez_buffer buffer = {0};
    uint32_t id;
    bool added;
    CHECK_OK(check_context(), ez_strings_add(&stopwords, check_context(), "und", 3, &id, &added));
    CHECK_OK(check_context(), ez_strings_add(&unstemmed, check_context(), "cats", 4, &id, &added));
    CHECK_OK(check_context(), ez_text_rules_write(&buffer, check_context(), &options, &stopwords,
                                                  &unstemmed, settings));
    ez_strings_free(&stopwords);
    ez_strings_free(&unstemmed);
    return buffer;
}

static void set(ez_rule_settings *settings, const char *key, const char *value)
{
    CHECK_OK(check_context(), ez_rule_settings_set(settings, check_context(), key, value));
}

TEST(settings_are_sorted_by_key)
{
    ez_rule_settings settings = {0};
    CHECK(!ez_rule_settings_get(&settings, "unit"));
    set(&settings, "unit", "files");
    set(&settings, "text-field", "a=b");
    set(&settings, "text", "");
    set(&settings, "unit", "lines and more");
    set(&settings, "unit2", "x");
    set(&settings, "gone", "x");
    set(&settings, "gone", NULL);
    static const char expected[] = "text=\0text-field=a=b\0unit=lines and more\0unit2=x";
    CHECK_EQ(settings.text.used, sizeof expected);
    CHECK(memcmp(settings.text.data, expected, sizeof expected) == 0);
    CHECK_STR(ez_rule_settings_get(&settings, "unit"), "lines and more");
    CHECK_STR(ez_rule_settings_get(&settings, "text"), "");
    CHECK(!ez_rule_settings_get(&settings, "gone") && !ez_rule_settings_get(&settings, "uni"));
    ez_rule_settings_free(&settings);
}

TEST(rules_keep_settings)
{
    ez_rule_settings settings = {0}, other = {0}, none = {0};
    set(&settings, "unit", "files");
    set(&settings, "markup", "kept");
    set(&other, "markup", "kept");
    set(&other, "unit", "lines");
    ez_buffer a = rules_with(&settings), b = rules_with(&other), old = rules_with(&none);
    const ezlda_text_rules *rules = (const ezlda_text_rules *)a.data;
    CHECK(ez_text_rules_good(a.data, a.used) && ez_text_rules_good(b.data, b.used));
    CHECK_EQ(ez_text_rules_bytes(rules), a.used);
    CHECK_STR(ez_text_rules_setting(rules, "unit"), "files");
    CHECK_STR(ez_text_rules_setting(rules, "markup"), "kept");
    CHECK(!ez_text_rules_setting(rules, "und") && !ez_text_rules_setting(NULL, "unit"));
    CHECK(!ez_text_rules_same(rules, (const ezlda_text_rules *)b.data));
    set(&other, "unit", "files");
    ez_free(b.data);
    b = rules_with(&other);
    CHECK(ez_text_rules_same(rules, (const ezlda_text_rules *)b.data));
    CHECK_EQ(old.used, 64 + 4 + 5); /* as written before there were settings */
    CHECK(ez_text_rules_good(old.data, old.used));
    CHECK(!ez_text_rules_setting((const ezlda_text_rules *)old.data, "unit"));
    ez_free(a.data);
    ez_free(b.data);
    ez_free(old.data);
    ez_rule_settings_free(&settings);
    ez_rule_settings_free(&other);
}

TEST(bytes_that_are_no_settings)
{
    static const struct {
        char text[8];
        bool good;
    } cases[] = {{"a=1\0b=2", true},  {"b=2\0a=1", false}, {"a=1\0a=2", false},
                 {"a=1\0bb2", false}, {"=1\0=22", false},  {"A=1\0b=2", false},
                 {"a=1\0ab=", true},  {"a=\0\0b=2", false}};
    ez_rule_settings settings = {0};
    set(&settings, "a", "1");
    set(&settings, "b", "2");
    ez_buffer buffer = rules_with(&settings);
    CHECK_EQ(buffer.used, 64 + 4 + 5 + 8);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        memcpy(buffer.data + 64 + 9, cases[i].text, sizeof cases[i].text);
        CHECK(ez_text_rules_good(buffer.data, buffer.used) == cases[i].good);
    }
    ez_free(buffer.data);
    ez_rule_settings_free(&settings);
}

TEST(bytes_that_are_no_rules)
{
    const ez_rule_settings none = {0};
    ez_buffer buffer = rules_with(&none);
    CHECK_EQ(buffer.used, 64 + 4 + 5);
    CHECK(ez_text_rules_good(buffer.data, buffer.used));
    for (size_t n = 0; n < buffer.used; n++)
        CHECK(!ez_text_rules_good(buffer.data, n));
    static const struct {
        size_t at;
        unsigned char byte;
    } damage[] = {{4, 0},     {4, 6},  {12, 4},    {16, 2},   {20, 0},  {24, 8},
                  {32, 0xff}, {64, 0}, {64, 0xff}, {67, 'x'}, {72, 'x'}};
    for (size_t i = 0; i < sizeof damage / sizeof *damage; i++) {
        unsigned char before = buffer.data[damage[i].at];
        buffer.data[damage[i].at] = damage[i].byte;
        CHECK(!ez_text_rules_good(buffer.data, buffer.used));
        buffer.data[damage[i].at] = before;
    }
    memset(buffer.data + 32, 'x', 32); /* a name without an end */
    CHECK(!ez_text_rules_good(buffer.data, buffer.used));
    ez_free(buffer.data);
}

TEST_MAIN()
