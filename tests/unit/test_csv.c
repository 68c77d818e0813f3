/* Reading CSV and TSV: quotes, separators, columns by name, errors with their line. */
#include "text_case.h"

static ezlda_import_options csv_options(void)
{
    ezlda_import_options options = plain_options();
    options.format = "csv";
    return options;
}

TEST(quotes_newlines_and_separators)
{
    ezlda_import_options options = csv_options();
    ezlda_corpus *corpus;
    const char *path = write_text("a.csv", "id,text,label\r\n"
                                           "one,\"red, green\nblue \"\"red\"\"\",x\r\n"
                                           "\"two, too\",plain 5\" pipe,\"y\"\"z\"\n"
                                           "three,,\n"
                                           "\n"
                                           "four,\"\",w");
    CHECK_OK(check_context(), read_one(&corpus, path, &options));
    CHECK_EQ(info_of(corpus).docs, 4);
    CHECK_STR(document(corpus, 0), "red:2 blue:1 green:1");
    CHECK_STR(document(corpus, 1), "pipe:1 plain:1");
    CHECK_STR(document(corpus, 2), "");
    CHECK_STR(document(corpus, 3), "");
    CHECK_STR(field(corpus, "name", 1), "two, too");
    CHECK_STR(field(corpus, "label", 1), "y\"z");
    CHECK_STR(field(corpus, "label", 2), "");
    CHECK_STR(field(corpus, "label", 3), "w");
    ezlda_corpus_free(corpus);
}

TEST(fields_are_chosen_by_name)
{
    ezlda_import_options options = plain_options();
    ezlda_corpus *corpus;
    options.text_field = "Body text";
    options.name_field = "key";
    options.label_field = "group";
    options.keep_fields = "year,Body text";
    const char *path = write_text(
        "a.csv", "\xef\xbb\xbf\"Body text\",group,year,key\nred red,g,1999,k1\nblue,h,2001,k2\n");
    CHECK_OK(check_context(), read_one(&corpus, path, &options));
    CHECK_STR(field(corpus, "name", 0), "k1");
    CHECK_STR(field(corpus, "label", 1), "h");
    CHECK_STR(field(corpus, "year", 1), "2001");
    CHECK_STR(field(corpus, "Body text", 0), "red red");
    CHECK_EQ(info_of(corpus).fields, 4);
    ezlda_corpus_free(corpus);
}

TEST(text_of_several_columns)
{
    ezlda_import_options options = plain_options();
    ezlda_corpus *corpus;
    options.text_field = "Title,Abstract";
    options.keep_fields = "year,Title";
    options.keep_order = 1;
    const char *path = write_text(
        "a.csv", "Title,year,Abstract\nred,1999,\"blue \"\"x\"\"\"\n,2000,green\n,2001,\n");
    CHECK_OK(check_context(), read_one(&corpus, path, &options));
    CHECK_STR(document(corpus, 0), "blue:1 red:1 x:1");
    CHECK_STR(document(corpus, 1), "green:1");
    CHECK_STR(document(corpus, 2), "");
    CHECK_STR(field(corpus, "year", 1), "2000");
    CHECK_STR(field(corpus, "Title", 0), "red");
    CHECK_EQ(info_of(corpus).fields, 3);
    ezlda_corpus_free(corpus);
    options.text_field = "Title,Summary";
    CHECK_FAILS(check_context(), read_one(&corpus, path, &options),
                "no column \"Summary\"; the columns are: Title");
    options.text_field = "Title,";
    CHECK_FAILS(check_context(), read_one(&corpus, path, &options), "no column \"Title,\"");
}

/* If a column's name has a comma, the name is used before the list that it could also be. */
TEST(a_column_with_a_comma_in_its_name)
{
    ezlda_import_options options = plain_options();
    ezlda_corpus *corpus;
    const char *names[] = {"with", "noname"}; /* recognised by the header too */
    for (size_t i = 0; i < 2; i++) {
        options.text_field = "Title,Abstract";
        options.format = i ? NULL : "csv";
        const char *path =
            write_text(names[i], "Title,\"Title,Abstract\",Abstract\nred,blue,green\n");
        CHECK_OK(check_context(), read_one(&corpus, path, &options));
        CHECK_STR(document(corpus, 0), "blue:1");
        ezlda_corpus_free(corpus);
        path = write_text(names[i], "Title;x;Abstract\nred;blue;green\n");
        CHECK_OK(check_context(), read_one(&corpus, path, &options));
        CHECK_STR(document(corpus, 0), "green:1 red:1");
        ezlda_corpus_free(corpus);
        options.text_field = "Title,";
        path = write_text(names[i], "\"Title,\",x\nred,blue\n");
        CHECK_OK(check_context(), read_one(&corpus, path, &options));
        CHECK_STR(document(corpus, 0), "red:1");
        ezlda_corpus_free(corpus);
    }
}

TEST(one_column_keeps_empty_lines)
{
    ezlda_import_options options = csv_options();
    ezlda_corpus *corpus;
    CHECK_OK(check_context(),
             read_one(&corpus, write_text("a.csv", "text\nred\n\nblue\n"), &options));
    CHECK_EQ(info_of(corpus).docs, 3);
    CHECK_EQ(info_of(corpus).empty_docs, 1);
    CHECK_STR(field(corpus, "name", 2), "4"); /* the line */
    ezlda_corpus_free(corpus);
}

TEST(semicolons_and_tabs)
{
    ezlda_import_options options = plain_options();
    ezlda_corpus *corpus;
    CHECK_OK(
        check_context(),
        read_one(&corpus, write_text("a.csv", "id;text\n1;\"red; green\"\n2;a, b\n"), &options));
    CHECK_EQ(info_of(corpus).words, 4);
    ezlda_corpus_free(corpus);
    CHECK_OK(
        check_context(),
        read_one(&corpus, write_text("a.tsv", "id\ttext\n1\tred, green \"blue\"\n"), &options));
    CHECK_STR(document(corpus, 0), "blue:1 green:1 red:1");
    ezlda_corpus_free(corpus);
}

TEST(a_line_that_tells_the_separator)
{
    static const char *const texts[] = {"sep=;\r\nid;text\r\n1;\"red; green\"\r\n",
                                        "sep=|\nid|text\n1|red green\n",
                                        "\xef\xbb\xbfsep=,\nid,text\n1,red green\n"};
    ezlda_import_options options = plain_options();
    ezlda_corpus *corpus;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        CHECK_OK(check_context(), read_one(&corpus, write_text("a.csv", texts[i]), &options));
        CHECK_STR(document(corpus, 0), "green:1 red:1");
        ezlda_corpus_free(corpus);
    }
    CHECK_FAILS(check_context(),
                read_one(&corpus, write_text("a.csv", "sep=;\nid;text\n1;a\n2\n"), &options),
                "a.csv:4: ");
    CHECK_FAILS(check_context(),
                read_one(&corpus, write_text("a.csv", "sep=;\nid;texts\n"), &options),
                "a.csv:2: no column \"text\"");
    CHECK_FAILS(check_context(), read_one(&corpus, write_text("a.csv", "sep=;"), &options),
                "a.csv");
    CHECK_FAILS(check_context(), read_one(&corpus, write_text("a.csv", "sep=x\ntext\n"), &options),
                "a.csv:1: no column");
}

TEST(tables_are_recognised)
{
    ezlda_import_options options = plain_options();
    ezlda_corpus *corpus;
    hear_notes();
    CHECK_OK(check_context(),
             read_one(&corpus, write_text("noname", "id,text\n1,red\n"), &options));
    CHECK(strstr(notes, "read as csv") != NULL);
    ezlda_corpus_free(corpus);
    hear_notes();
    CHECK_OK(check_context(),
             read_one(&corpus, write_text("noname", "title\ttext\na\tred\n"), &options));
    CHECK(strstr(notes, "read as tsv") != NULL);
    ezlda_corpus_free(corpus);
}

TEST(what_is_wrong_is_told_with_its_line)
{
    ezlda_import_options options = csv_options();
    ezlda_corpus *corpus;
    ezlda_context *context = check_context();
    const char *open = write_text("open.csv", "id,text\n1,red\n2,\"blue\n3,green\n4,red\n");
    CHECK_FAILS(context, read_one(&corpus, open, &options),
                "open.csv:3: a quote that opens here is never closed");
    const char *more = write_text("more.csv", "id,text\n1,red\n2,blue,x\n");
    CHECK_FAILS(context, read_one(&corpus, more, &options), "more.csv:3: expected 2 fields");
    const char *less = write_text("less.csv", "id,text\n1,\"r\n\ned\"\n2\n");
    CHECK_FAILS(context, read_one(&corpus, less, &options),
                "less.csv:5: expected 2 fields as in the first line, found 1");
    const char *junk = write_text("junk.csv", "id,text\n1,\"red\"x\n");
    CHECK_FAILS(context, read_one(&corpus, junk, &options), "junk.csv:2: expected a separator");
    const char *missing = write_text("missing.csv", "id,body,\"a\"\"b\"\n1,red,x\n");
    CHECK_FAILS(context, read_one(&corpus, missing, &options),
                "no column \"text\"; the columns are: id, body, a\"b");
    options.keep_fields = "year";
    const char *kept = write_text("kept.csv", "id,text\n1,red\n");
    CHECK_FAILS(context, read_one(&corpus, kept, &options), "no column \"year\"");
    options.keep_fields = NULL;
    const char *header = write_text("header.csv", "id,\"text\n1,red\n");
    CHECK_FAILS(context, read_one(&corpus, header, &options),
                "header.csv:1: a quote that opens here");
    const char *alone = write_text("alone.csv", "id,text\n");
    CHECK_FAILS(context, read_one(&corpus, alone, &options), "no documents");
    const char *latin = write_bytes("latin.csv", "id,text\n1,red\n2,caf\xe9\n", 21);
    options.encoding = "utf-8";
    CHECK_FAILS(context, read_one(&corpus, latin, &options), "latin.csv:3: expected UTF-8");
}

/* Many records with quoted newlines over several blocks: cut rightly wherever a block ends. */
TEST(blocks_are_cut_at_records)
{
    enum { ROWS = 120000 };
    size_t room = (size_t)ROWS * 100, used = 0;
    char *text = malloc(room);
    used += (size_t)snprintf(text, room, "id,text,note\n");
    for (int i = 0; i < ROWS; i++)
        used += (size_t)snprintf(text + used, room - used, "%d,\"w%c, \"\"x\"\"\n\n%s\",%s\n", i,
                                 'a' + i % 26, i % 3 ? "y z" : "\"\"",
                                 i % 2 ? "5\" pipe" : "\"a,\nb\"");
    const char *path = write_bytes("big.csv", text, used);
    free(text);
    CHECK(used > (size_t)2 << 20);
    uint64_t hash = 0;
    for (int threads = 1; threads <= 8; threads = threads * 2 + (threads == 1)) {
        ezlda_import_options options = csv_options();
        ezlda_corpus *corpus;
        ezlda_context_set_threads(check_context(), threads);
        CHECK_OK(check_context(), read_one(&corpus, path, &options));
        CHECK_EQ(info_of(corpus).docs, ROWS);
        CHECK_STR(field(corpus, "name", ROWS - 1), "119999");
        CHECK_STR(document(corpus, 1), "x:1 y:1 z:1 wb:1");
        if (hash)
            CHECK_EQ(info_of(corpus).hash, hash);
        hash = info_of(corpus).hash;
        ezlda_corpus_free(corpus);
    }
}

TEST_MAIN()
