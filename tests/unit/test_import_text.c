/* Importing plain text, MALLET lines and folders: rows, numbers of words, filters, stems. */
#include "text_case.h"

#include "corpus/text/text_pipeline.h"

#include <sys/stat.h>

#define DATA CHECK_SOURCE_DIR "/tests/data/"

TEST(lines_keep_their_rows)
{
    ezlda_import_options options = plain_options();
    ezlda_corpus *corpus;
    const char *path =
        write_text("a.txt", "\xef\xbb\xbfRed green\r\n\r\n12 !\nred\n\nlast blue red");
    CHECK_OK(check_context(), read_one(&corpus, path, &options));
    CHECK_EQ(info_of(corpus).docs, 6);
    CHECK_EQ(info_of(corpus).empty_docs, 3);
    CHECK_EQ(info_of(corpus).words, 4);
    CHECK_STR(document(corpus, 0), "red:1 green:1");
    CHECK_STR(document(corpus, 1), "");
    CHECK_STR(document(corpus, 5), "red:1 blue:1 last:1");
    CHECK_STR(field(corpus, "name", 5), "6");
    CHECK_STR(field(corpus, "label", 5), NULL);
    ezlda_corpus_free(corpus);
}

TEST(words_are_numbered_by_frequency_then_bytes)
{
    ezlda_import_options options = plain_options();
    ezlda_corpus *corpus;
    CHECK_OK(check_context(),
             read_one(&corpus, write_text("a.txt", "d c b a\nb c d\nd\n"), &options));
    const char *expected[] = {"d", "b", "c", "a"};
    for (uint32_t i = 0; i < 4; i++)
        CHECK_STR(ezlda_corpus_word(corpus, i), expected[i]);
    ezlda_corpus_free(corpus);
}

TEST(same_documents_in_every_format)
{
    static const char *const paths[] = {DATA "table.csv", DATA "records.jsonl"};
    uint64_t hash = 0;
    for (size_t i = 0; i < 2; i++) {
        ezlda_import_options options = plain_options();
        ezlda_corpus *corpus;
        options.keep_fields = "year";
        CHECK_OK(check_context(), read_one(&corpus, paths[i], &options));
        CHECK_STR(document(corpus, 0), "the:2 at:1 left:1 noon:1 ship:1 swan:1");
        CHECK_STR(field(corpus, "name", 2), "a3");
        CHECK_STR(field(corpus, "label", 1), "land");
        CHECK_STR(field(corpus, "year", 2), "1903");
        if (hash)
            CHECK_EQ(info_of(corpus).hash, hash);
        hash = info_of(corpus).hash;
        ezlda_corpus_free(corpus);
    }
}

TEST(mallet_lines)
{
    ezlda_import_options options = plain_options();
    ezlda_corpus *corpus;
    hear_notes();
    CHECK_OK(check_context(), read_one(&corpus, DATA "lines.mallet", &options));
    CHECK(strstr(notes, "read as mallet") != NULL);
    CHECK_STR(document(corpus, 2), "ship:3");
    CHECK_STR(field(corpus, "label", 1), "land");
    ezlda_corpus_free(corpus);
    options.format = "mallet";
    const char *path = write_text(
        "m.txt", "n1 X red blue\nn2,Y,green, red\nn3\tmy label\ttwo words\nn4\n\n  n5 Z  red\n");
    CHECK_OK(check_context(), read_one(&corpus, path, &options));
    CHECK_EQ(info_of(corpus).docs, 6);
    CHECK_STR(field(corpus, "name", 0), "n1");
    CHECK_STR(document(corpus, 0), "red:1 blue:1");
    CHECK_STR(field(corpus, "label", 1), "Y");
    CHECK_STR(document(corpus, 1), "red:1 green:1");
    CHECK_STR(field(corpus, "label", 2), "my label");
    CHECK_STR(field(corpus, "name", 3), "n4");
    CHECK_STR(field(corpus, "name", 4), "5");
    ezlda_corpus_free(corpus);
}

static void make_folder(void)
{
    mkdir(check_tmp("docs"), 0777);
    mkdir(check_tmp("docs/b"), 0777);
    mkdir(check_tmp("docs/b/c"), 0777);
    mkdir(check_tmp("docs/.hidden"), 0777);
    write_text("docs/z.txt", "red\nblue red");
    write_text("docs/b/x.txt", "green");
    write_text("docs/b/c/y.txt", "\xef\xbb\xbfred");
    write_text("docs/b-.txt", "");
    write_text("docs/.hidden/no.txt", "never");
}

TEST(directory_of_files)
{
    ezlda_import_options options = plain_options();
    ezlda_corpus *corpus;
    make_folder();
    CHECK_OK(check_context(), read_one(&corpus, check_tmp("docs"), &options));
    CHECK_EQ(info_of(corpus).docs, 4);
    static const char *const names[] = {"b-.txt", "b/c/y.txt", "b/x.txt", "z.txt"},
                             *const labels[] = {"", "c", "b", ""};
    for (uint64_t i = 0; i < 4; i++) {
        CHECK_STR(field(corpus, "name", i), names[i]);
        CHECK_STR(field(corpus, "label", i), labels[i]);
    }
    CHECK_STR(document(corpus, 3), "red:2 blue:1");
    ezlda_corpus_free(corpus);
    write_bytes("docs/b/x.txt", "ok\nno\xff", 6);
    options.encoding = "utf-8";
    CHECK_FAILS(check_context(), read_one(&corpus, check_tmp("docs"), &options),
                "docs/b/x.txt:2: expected UTF-8");
    options.format = "text";
    CHECK_FAILS(check_context(), read_one(&corpus, check_tmp("docs"), &options),
                "found a directory");
    options.format = "dir";
    CHECK_FAILS(check_context(), read_one(&corpus, check_tmp("docs/z.txt"), &options),
                "expected a directory");
    mkdir(check_tmp("none"), 0777);
    CHECK_FAILS(check_context(), read_one(&corpus, check_tmp("none"), &options), "no documents");
}

TEST(several_inputs_are_one_corpus_in_order)
{
    ezlda_import_options options = plain_options();
    ezlda_corpus *corpus;
    const char *paths[] = {write_text("a.txt", "red\n\n"), write_text("e.txt", ""),
                           write_text("b.txt", "blue red")};
    options.unit = "lines";
    CHECK_OK(check_context(), ezlda_corpus_read(&corpus, check_context(), paths, 3, &options));
    CHECK_EQ(info_of(corpus).docs, 3);
    CHECK_STR(document(corpus, 2), "red:1 blue:1");
    char name[600];
    snprintf(name, sizeof name, "%s:1", paths[2]);
    CHECK_STR(field(corpus, "name", 2), name);
    ezlda_corpus_free(corpus);
}

TEST(standard_input)
{
    ezlda_import_options options = plain_options();
    ezlda_corpus *corpus;
    CHECK(freopen(DATA "table.csv", "r", stdin) != NULL);
    CHECK_OK(check_context(), read_one(&corpus, "-", &options));
    CHECK_EQ(info_of(corpus).docs, 3);
    ezlda_corpus_free(corpus);
    CHECK(freopen(write_text("x", "red\n\xff"), "r", stdin) != NULL);
    options.encoding = "utf-8";
    CHECK_FAILS(check_context(), read_one(&corpus, "-", &options),
                "standard input:2: expected UTF-8");
    const char *twice[] = {"-", "-"};
    CHECK_FAILS(check_context(), ezlda_corpus_read(&corpus, check_context(), twice, 2, &options),
                "only once");
}

TEST(filters)
{
    ezlda_import_options options = plain_options();
    ezlda_corpus *corpus;
    const char *path = write_text("a.txt", "all two once\nall two\nall many many many\nall\n");
    options.min_docs = 2;
    CHECK_OK(check_context(), read_one(&corpus, path, &options));
    CHECK_STR(document(corpus, 0), "all:1 two:1");
    CHECK_STR(document(corpus, 2), "all:1");
    ezlda_corpus_free(corpus);
    options.min_docs = 1;
    options.max_docs_share = 0.5;
    CHECK_OK(check_context(), read_one(&corpus, path, &options));
    CHECK_EQ(info_of(corpus).docs, 4);
    CHECK_STR(document(corpus, 0), "two:1 once:1");
    CHECK_STR(document(corpus, 3), "");
    ezlda_corpus_free(corpus);
    options.max_docs_share = 1;
    options.max_vocab = 2;
    CHECK_OK(check_context(), read_one(&corpus, path, &options));
    CHECK_EQ(info_of(corpus).words, 2);
    CHECK_STR(document(corpus, 2), "all:1 many:3");
    ezlda_corpus_free(corpus);
    options.min_docs = 5;
    CHECK_FAILS(check_context(), read_one(&corpus, path, &options),
                "no words are left (4 documents, 4 distinct words");
}

TEST(stems)
{
    ezlda_import_options options = plain_options();
    ezlda_corpus *corpus;
    options.stemmer = "english";
    const char *path =
        write_text("a.txt", "networks network\nnetwork trained\ntraining networks\n");
    CHECK_OK(check_context(), read_one(&corpus, path, &options));
    CHECK_EQ(info_of(corpus).words, 2);
    CHECK_STR(document(corpus, 0), "network:2");
    CHECK_STR(document(corpus, 2), "network:1 trained:1"); /* as frequent as training, shorter */
    ezlda_corpus_free(corpus);
    options.min_docs = 3; /* network and networks: documents are counted once */
    CHECK_OK(check_context(), read_one(&corpus, path, &options));
    CHECK_EQ(info_of(corpus).words, 1);
    ezlda_corpus_free(corpus);
    options.min_docs = 4;
    CHECK_FAILS(check_context(), read_one(&corpus, path, &options), "no words are left");
}

TEST(stems_of_rare_words_only)
{
    ezlda_import_options options = plain_options();
    ezlda_corpus *corpus;
    options.stemmer = "english";
    options.stem_below = 2;
    const char *path = write_text("a.txt", "cats cat\ncats cat\ncatting dogs\n");
    CHECK_OK(check_context(), read_one(&corpus, path, &options));
    CHECK_STR(document(corpus, 0), "cat:1 cats:1"); /* in two documents: left whole */
    CHECK_STR(document(corpus, 2), "cat:1 dogs:1"); /* the rare one joins the word its stem is */
    ezlda_corpus_free(corpus);
}

TEST(phrases)
{
    ezlda_import_options options = plain_options();
    ezlda_corpus *corpus;
    options.ngrams = 3;
    options.stopwords = "en";
    const char *path = write_text("a.txt", "state of the art methods\nstate art\nnew_york art\n");
    CHECK_OK(check_context(), read_one(&corpus, path, &options));
    CHECK_STR(document(corpus, 0),
              "art:1 state:1 state_art:1 art_methods:1 methods:1 state_art_methods:1");
    CHECK_STR(document(corpus, 2), "art:1 new:1 new_york:1 new_york_art:1 york:1 york_art:1");
    ezlda_corpus_free(corpus);
    options.min_docs = 2;
    CHECK_OK(check_context(), read_one(&corpus, path, &options));
    CHECK_EQ(info_of(corpus).words, 3);
    CHECK_STR(document(corpus, 0), "art:1 state:1 state_art:1");
    ezlda_corpus_free(corpus);
    options.min_docs = 1;
    options.stemmer = "english";
    CHECK_OK(check_context(), read_one(&corpus, path, &options));
    CHECK_STR(document(corpus, 0),
              "art:1 state:1 state_art:1 art_methods:1 methods:1 state_art_methods:1");
    ezlda_corpus_free(corpus);
}

TEST(bad_text_is_refused_with_its_line)
{
    ezlda_import_options options = plain_options();
    ezlda_corpus *corpus;
    ezlda_context *context = check_context();
    CHECK_FAILS(context, read_one(&corpus, write_text("e.txt", ""), &options),
                "e.txt: no documents");
    CHECK_FAILS(context, read_one(&corpus, write_text("b.txt", "\xef\xbb\xbf"), &options),
                "b.txt: no documents");
    CHECK_FAILS(context, read_one(&corpus, write_text("n.txt", "12\n\n"), &options),
                "no words are left (2 documents, 0");
    CHECK_FAILS(context, read_one(&corpus, write_bytes("z.txt", "one\nt\0o\n", 8), &options),
                "z.txt:2: expected text, found a NUL");
    options.encoding = "utf-8";
    CHECK_FAILS(context,
                read_one(&corpus, write_bytes("u.txt", "one\ntwo\nth\xe9\n", 12), &options),
                "u.txt:3: expected UTF-8");
    CHECK_FAILS(context, read_one(&corpus, write_bytes("z.txt", "one\nt\0o\n", 8), &options),
                "z.txt:2: expected text, found a NUL");
    CHECK_FAILS(context, read_one(&corpus, check_tmp("missing.txt"), &options), "missing.txt");
    CHECK(!corpus);
}

static void refused(ezlda_import_options options, const char *why)
{
    ezlda_corpus *corpus;
    CHECK_FAILS(check_context(), read_one(&corpus, DATA "lines.txt", &options), why);
}

#define REFUSED(change, why)                            \
    do {                                                \
        ezlda_import_options options = plain_options(); \
        change;                                         \
        refused(options, why);                          \
    } while (0)

TEST(wrong_options_are_refused)
{
    REFUSED(options.max_docs_share = -0.5, "more than 0 and at most 1");
    REFUSED(options.max_docs_share = 1.5, "more than 0 and at most 1");
    REFUSED(options.max_docs_share = NAN, "more than 0 and at most 1");
    REFUSED(options.ngrams = 0, "1 to 5");
    REFUSED(options.ngrams = 6, "1 to 5");
    REFUSED(options.stemmer = "klingon", "no stemmer for \"klingon\"");
    REFUSED(options.stem_below = 3, "no stemmer was named");
    REFUSED(options.stopwords = "xx", "\"xx\" is neither a language");
    REFUSED(options.stopwords = "/no/such/list.txt", "/no/such/list.txt");
    REFUSED(options.format = "docx", "unknown format \"docx\"");
    REFUSED(options.text_field = "body", "has no named fields");
    REFUSED(options.vocab = "v.txt", "takes no vocabulary");
    REFUSED((options.format = "csv", options.keep_fields = "a,a"), "kept already");
    REFUSED((options.format = "csv", options.keep_fields = "a,,b"), "an empty one");
    REFUSED((options.format = "csv", options.label_field = "a", options.keep_fields = "label"),
            "the labels of its documents as \"label\"");
    REFUSED((options.format = "csv", options.name_field = "a", options.keep_fields = "name"),
            "use that column for them (name field)");
    REFUSED(options.size = 4, "ezlda_import_options_init");
    ezlda_corpus *corpus;
    CHECK_FAILS(check_context(), ezlda_corpus_read(&corpus, check_context(), NULL, 0, NULL),
                "no input");
}

/* Text of many blocks: words with a skewed frequency, long and short lines, some beyond ASCII. */
static const char *many_lines(size_t bytes, const char *name)
{
    char *text = malloc(bytes + 64);
    size_t used = 0;
    uint64_t seed = 7;
    while (used < bytes) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        uint64_t r = seed >> 33, id = r % 5000 * (r >> 14 & 1023) / 1024;
        used += (size_t)snprintf(text + used, 64, "%s%c%c%c%s", r % 7 ? "w" : "\xc3\xa9W",
                                 (char)('a' + id % 26), (char)('a' + id / 26 % 26),
                                 (char)('a' + id / 676), r % 41 ? " " : "\n");
    }
    const char *path = write_bytes(name, text, used);
    free(text);
    return path;
}

TEST(threads_do_not_change_the_corpus)
{
    const char *path = many_lines((size_t)5 << 20, "many.txt");
    for (int option = 0; option < 3; option++) {
        uint64_t hash = 0;
        ezlda_import_options options = plain_options();
        options.stemmer = option == 1 ? "english" : NULL;
        options.ngrams = option == 2 ? 2 : 1;
        options.min_docs = option == 2 ? 3 : 1;
        options.max_vocab = option == 1 ? 1000 : 0;
        for (int threads = 1; threads <= 8; threads += threads < 3 ? 1 : 5) {
            ezlda_corpus *corpus;
            ezlda_context_set_threads(check_context(), threads);
            CHECK_OK(check_context(), read_one(&corpus, path, &options));
            if (hash)
                CHECK_EQ(info_of(corpus).hash, hash);
            hash = info_of(corpus).hash;
            ezlda_corpus_free(corpus);
        }
    }
}

/* Documents that do not fit in memory go to a file and come back the same. */
TEST(spilled_tokens_are_the_same)
{
    const char *path = many_lines((size_t)3 << 20, "many.txt");
    uint64_t hash[2] = {0, 0};
    for (int i = 0; i < 2; i++) {
        ezlda_import_options options = plain_options();
        ez_field_plan plan;
        ez_text_source source;
        ezlda_corpus *corpus = NULL;
        ezlda_context *context = check_context();
        CHECK_OK(context, ez_field_plan_init(&plan, context, &options));
        CHECK_OK(context,
                 ez_text_source_init(&source, context, &ez_text_reader, &plan, &path, 1, NULL));
        CHECK_OK(context,
                 ez_text_corpus(&corpus, context, &source, &options, i ? 100000 : (size_t)1 << 30));
        hash[i] = info_of(corpus).hash;
        ezlda_corpus_free(corpus);
        ez_text_source_free(&source);
        ez_field_plan_free(&plan);
    }
    CHECK_EQ(hash[0], hash[1]);
}

/* A line longer than a block. */
TEST(long_lines)
{
    size_t n = (size_t)3 << 20;
    char *text = malloc(n + 8);
    for (size_t i = 0; i < n; i++)
        text[i] = i % 8 == 7 ? ' ' : 'a';
    memcpy(text + n, "\nend\n", 5);
    const char *path = write_bytes("long.txt", text, n + 5);
    free(text);
    ezlda_import_options options = plain_options();
    ezlda_corpus *corpus;
    CHECK_OK(check_context(), read_one(&corpus, path, &options));
    CHECK_EQ(info_of(corpus).docs, 2);
    CHECK_EQ(info_of(corpus).tokens, n / 8 + 1);
    CHECK_STR(document(corpus, 1), "end:1");
    ezlda_corpus_free(corpus);
}

TEST_MAIN()
