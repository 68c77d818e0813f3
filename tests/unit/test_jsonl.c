/* Reading JSON Lines: fields, nested fields, escapes, errors with their line. */
#include "text_case.h"

static ezlda_import_options json_options(void)
{
    ezlda_import_options options = plain_options();
    options.format = "jsonl";
    return options;
}

TEST(fields_of_objects)
{
    ezlda_import_options options = json_options();
    ezlda_corpus *corpus;
    options.keep_fields = "year,ok";
    const char *path = write_text(
        "a.jsonl",
        "{\"id\": \"d1\", \"text\": \"red green red\", \"label\": \"x\", \"year\": 1999}\n"
        "\n"
        "  { \"text\" : \"blue\" , \"name\":\"n2\", \"more\": {\"text\": [1, {}, []]} } \r\n"
        "{\"text\":null,\"year\":-1.5e+10,\"ok\":true}\n"
        "{}");
    hear_notes();
    CHECK_OK(check_context(), read_one(&corpus, path, &options));
    CHECK_EQ(info_of(corpus).docs, 4);
    CHECK_STR(document(corpus, 0), "red:2 green:1");
    CHECK_STR(document(corpus, 1), "blue:1");
    CHECK_STR(document(corpus, 2), "");
    CHECK_STR(field(corpus, "name", 0), "d1");
    CHECK_STR(field(corpus, "name", 1), "n2");
    CHECK_STR(field(corpus, "name", 2), "4");
    CHECK_STR(field(corpus, "label", 0), "x");
    CHECK_STR(field(corpus, "year", 2), "-1.5e+10");
    CHECK_STR(field(corpus, "ok", 2), "true");
    CHECK(strstr(notes, "1 of 4 records have no field \"text\"") != NULL);
    ezlda_corpus_free(corpus);
}

TEST(escapes)
{
    ezlda_import_options options = json_options();
    ezlda_corpus *corpus;
    options.keep_fields = "k";
    const char *path = write_text(
        "a.jsonl", "{\"te\\u0078t\": \"caf\\u00e9\\nred\\t\\\"blue\\\"\\/\\\\\\b\\f\\r\", "
                   "\"k\": \"\\ud83d\\ude00\\u20AC\"}\n");
    CHECK_OK(check_context(), read_one(&corpus, path, &options));
    CHECK_STR(document(corpus, 0), "blue:1 caf\xc3\xa9:1 red:1");
    CHECK_STR(field(corpus, "k", 0), "\xf0\x9f\x98\x80\xe2\x82\xac");
    ezlda_corpus_free(corpus);
}

static void refused(const char *line, const char *why)
{
    ezlda_import_options options = json_options();
    ezlda_corpus *corpus;
    char text[4096];
    snprintf(text, sizeof text, "{\"text\":\"red\"}\n%s\n", line);
    CHECK_FAILS(check_context(), read_one(&corpus, write_text("bad.jsonl", text), &options), why);
    CHECK(strstr(ezlda_error_message(check_context()), "bad.jsonl:2: ") != NULL);
}

TEST(invalid_json_is_refused_with_its_line)
{
    refused("[1]", "an object in braces");
    refused("{\"text\":\"red\"", "\",\" or \"}\"");
    refused("{\"text\":\"red", "a closing quote");
    refused("{\"text\":\"r\ted\"}", "a closing quote");
    refused("{\"text\" \"red\"}", "\":\"");
    refused("{text:1}", "a string");
    refused("{\"a\":1,}", "a string");
    refused("{\"a\":01}", "\",\" or \"}\"");
    refused("{\"a\":1.}", "a digit");
    refused("{\"a\":-}", "a digit");
    refused("{\"a\":1e}", "a digit");
    refused("{\"a\":.5}", "a value");
    refused("{\"a\":NaN}", "a value");
    refused("{\"a\":nul}", "a value");
    refused("{\"a\":[1 2]}", "\",\" or \"]\"");
    refused("{\"a\":[1,]}", "a value");
    refused("{\"a\":1} x", "the end of the line");
    refused("{\"a\":\"\\x\"}", "a known escape");
    refused("{\"a\":\"\\u12g4\"}", "four hexadecimal digits");
    refused("{\"a\":\"\\ud800x\"}", "a low surrogate");
    refused("{\"a\":\"\\udc00\"}", "a high surrogate");
    refused("{\"a\":\"\\u0000\"}", "NUL");
    refused("{\"text\":[{\"a\":\"red\"}]}", "text, a number or a list");
    refused("{", "a string");
    refused("\\", "an object");
    char deep[2000] = "{\"a\":";
    memset(deep + 5, '[', 1500);
    deep[1505] = '\0';
    refused(deep, "512 levels");
}

TEST(field_that_is_nowhere)
{
    ezlda_import_options options = json_options();
    ezlda_corpus *corpus;
    const char *path = write_text("a.jsonl", "{\"body\":\"red\"}\n{\"body\":\"blue\"}\n");
    CHECK_FAILS(check_context(), read_one(&corpus, path, &options),
                "no record has a field \"text\"");
    options.text_field = "body";
    options.name_field = "key";
    CHECK_FAILS(check_context(), read_one(&corpus, path, &options),
                "no record has a field \"key\"");
}

TEST(text_of_several_fields)
{
    ezlda_import_options options = json_options();
    ezlda_corpus *corpus;
    const char *path = write_text(
        "a.jsonl", "{\"a\":\"red\",\"b\":\"blue\",\"c\":1}\n{\"b\":\"red\"}\n{\"a\":\"\"}\n"
                   "{\"c\":\"x\"}\n{\"a\":\"in\\u0066\",\"b\":7}\n");
    options.text_field = "a,b";
    hear_notes();
    CHECK_OK(check_context(), read_one(&corpus, path, &options));
    CHECK(strstr(notes, "2 of 5 records have no field \"a\": their text is without it") != NULL);
    CHECK(strstr(notes, "2 of 5 records have no field \"b\"") != NULL);
    CHECK(strstr(notes, "a,b") == NULL);
    CHECK_EQ(info_of(corpus).docs, 5);
    CHECK_EQ(info_of(corpus).empty_docs, 2);
    CHECK_STR(document(corpus, 0), "red:1 blue:1");
    CHECK_STR(document(corpus, 1), "red:1");
    CHECK_STR(document(corpus, 4), "inf:1");
    ezlda_corpus_free(corpus);
    options.text_field = "a,b,d";
    CHECK_FAILS(check_context(), read_one(&corpus, path, &options), "no record has a field \"d\"");
    options.text_field = "a,,b";
    CHECK_FAILS(check_context(), read_one(&corpus, path, &options),
                "no record has a field \"a,,b\"");
    path = write_text("b.jsonl", "{\"a,b\":\"red\",\"a\":\"blue\"}\n{\"a,b\":\"green\"}\n");
    options.text_field = "a,b";
    hear_notes();
    CHECK_OK(check_context(), read_one(&corpus, path, &options));
    CHECK_STR(document(corpus, 0), "red:1");
    CHECK_STR(document(corpus, 1), "green:1");
    CHECK(strstr(notes, "no field") == NULL);
    ezlda_corpus_free(corpus);
}

/* The language is guessed from all parts, and words do not run together where they meet. */
TEST(stop_words_of_several_fields)
{
    ezlda_import_options options = json_options();
    ezlda_corpus *corpus;
    options.stopwords = "auto";
    options.text_field = "a,b";
    options.ngrams = 2;
    hear_notes();
    const char *path =
        write_text("a.jsonl", "{\"a\":\"old lamp\",\"b\":\"the ship and the sea of the north\"}\n"
                              "{\"b\":\"and it was the best of all of the ships at sea\"}\n");
    CHECK_OK(check_context(), read_one(&corpus, path, &options));
    CHECK(strstr(notes, "stop words: english") != NULL);
    CHECK(strstr(document(corpus, 0), "lamp_ship:1") != NULL);
    CHECK(strstr(document(corpus, 0), "the") == NULL);
    ezlda_corpus_free(corpus);
}

TEST(recognised)
{
    ezlda_import_options options = plain_options();
    ezlda_corpus *corpus;
    hear_notes();
    CHECK_OK(check_context(),
             read_one(&corpus, write_text("noname", "\n{\"text\":\"red\"}\n"), &options));
    CHECK(strstr(notes, "read as jsonl") != NULL);
    ezlda_corpus_free(corpus);
    CHECK_OK(check_context(),
             read_one(&corpus, write_text("arr", "[\n {\"text\":\"red\"}]\n"), &options));
    CHECK(strstr(notes, "read as json (a JSON array of objects)") != NULL);
    ezlda_corpus_free(corpus);
    CHECK_FAILS(check_context(),
                read_one(&corpus, write_text("one.json", "{\n \"text\":\"red\"\n}\n"), &options),
                "found one object over several lines");
}

/* The word of the only document of a record, read with a text field. */
static void check_nested(const char *record, const char *text_field, const char *expected)
{
    ezlda_import_options options = json_options();
    ezlda_corpus *corpus = NULL;
    options.text_field = text_field;
    CHECK_OK(check_context(), read_one(&corpus, write_text("n.jsonl", record), &options));
    if (corpus)
        CHECK_STR(document(corpus, 0), expected);
    ezlda_corpus_free(corpus);
}

TEST(nested_fields)
{
    const char *record = "{\"a\": {\"b\": [{\"c\": \"red\", \"d\": {\"e\": \"far\"}}, {\"c\": "
                         "\"blue\"}, {\"c\": 5}],"
                         " \"x\": \"no\"}, \"a.b\": \"dotted\", \"l\": [\"one\", null, [\"two\"], "
                         "\"one\"], \"z\": []}\n";
    check_nested(record, "a.b[0].c", "red:1");
    check_nested(record, "a.b[1].c", "blue:1");
    check_nested(record, "a.b.c", "blue:1 red:1");
    check_nested(record, "a.b[0].d.e", "far:1");
    check_nested(record, "a.b.c,a.x", "blue:1 no:1 red:1");
    check_nested(record, "l", "one:2 two:1");
    check_nested(record, "l[3]", "one:1");
    check_nested(record, "l,a.b[1].c,l[0],a.b.c", "one:3 blue:2 red:1 two:1");
    ezlda_import_options options = json_options();
    ezlda_corpus *corpus;
    options.text_field = "a.q";
    CHECK_FAILS(check_context(), read_one(&corpus, write_text("n.jsonl", record), &options),
                "no record has a field \"a.q\"; the fields are: a.b.c, a.b.d.e, a.x, a.b, l");
}

TEST(arrays_of_objects)
{
    ezlda_import_options options = json_options();
    ezlda_corpus *corpus;
    options.format = "json";
    CHECK_OK(check_context(),
             read_one(&corpus,
                      write_text("a.json",
                                 "\xef\xbb\xbf [ {\"id\": \"x\",\n \"text\": \"red, ]} \\\"{[\"},"
                                 "\n{\"text\": \"blue\"}\n,{}]\n\n"),
                      &options));
    CHECK_EQ(info_of(corpus).docs, 3);
    CHECK_STR(document(corpus, 0), "red:1");
    CHECK_STR(field(corpus, "name", 0), "x");
    CHECK_STR(field(corpus, "name", 1), "3");
    ezlda_corpus_free(corpus);
    static const struct {
        const char *text, *why;
    } bad[] = {
        {"[{\"text\":\"a\"},\n{\"text\":\"a\"", ":2: not valid JSON: expected \",\" or \"}\""},
        {"[{\"text\":\"a\"},\n", ":1: not valid JSON: expected \"]\""},
        {"[{\"text\":\"a\"}", "\"]\""},
        {"[{\"text\":\"a\"} {}]", "\",\" or \"]\""},
        {"[{\"text\":\"a\"}]\n x", ":2: not valid JSON: expected the end"},
        {"[{\"text\":\"a\"}, 5]", "an object in braces"},
        {"[]", "no documents"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK_FAILS(check_context(), read_one(&corpus, write_text("b.json", bad[i].text), &options),
                    bad[i].why);
}

/* Records on both sides of the ends of blocks. */
TEST(long_arrays)
{
    enum { RECORDS = 40000 };
    size_t room = (size_t)RECORDS * 80, used = 1;
    char *text = malloc(room);
    ezlda_import_options options = json_options();
    ezlda_corpus *corpus = NULL;
    options.format = "json";
    text[0] = '[';
    for (int i = 0; i < RECORDS; i++)
        used += (size_t)snprintf(text + used, room - used,
                                 "{\"text\": [\"w%d\", \"a, ] } b\"],\n \"id\": %d}%s", i % 7, i,
                                 i + 1 < RECORDS ? " ,\n" : "\n]");
    CHECK_OK(check_context(), read_one(&corpus, write_bytes("long.json", text, used), &options));
    if (corpus) {
        CHECK_EQ(info_of(corpus).docs, RECORDS);
        CHECK_EQ(info_of(corpus).tokens, 3 * RECORDS);
        CHECK_STR(field(corpus, "name", RECORDS - 1), "39999");
    }
    ezlda_corpus_free(corpus);
    free(text);
}

/* An error late in the first block and one early in the second: the first is reported, though it is
 * found later. */
TEST(first_fault_in_input_order)
{
    enum { LINES = 80000, LATE = 45000, EARLY = 55000 };
    size_t room = (size_t)LINES * 64, used = 0;
    char *text = malloc(room);
    for (int i = 1; i <= LINES; i++)
        used += (size_t)snprintf(text + used, room - used, "{\"text\":\"%s%08d\"%s\n",
                                 i > EARLY ? "\xff" : "w", i, i == LATE ? "" : "}");
    const char *path = write_bytes("late.jsonl", text, used);
    free(text);
    for (int round = 0; round < 10; round++) {
        ezlda_import_options options = json_options();
        ezlda_corpus *corpus;
        ezlda_context_set_threads(check_context(), 4);
        CHECK_FAILS(check_context(), read_one(&corpus, path, &options),
                    "late.jsonl:45000: not valid");
    }
}

TEST_MAIN()
