/* Bags of words through ezlda_corpus_read: recognised, joined, filtered. */
#include "text_case.h"

#include "corpus/formats/recognise.h"

static ez_format recognised(const char *path, const char *head)
{
    return ez_recognise(path, head, strlen(head), NULL, true);
}

TEST(formats_by_content)
{
    CHECK_EQ(recognised("-", "%%MatrixMarket matrix coordinate real general\n"), EZ_FORMAT_MM);
    CHECK_EQ(recognised("-", "EZLDACRP12345"), EZ_FORMAT_EZC);
    CHECK_EQ(recognised("-", "2  \n3 \n2\n1 1 5\n2 3 1\n"), EZ_FORMAT_UCI);
    CHECK_EQ(recognised("-", "2\n3\n2\nfour\n"), EZ_FORMAT_TEXT);
    CHECK_EQ(recognised("-", "2 0:1 5:2\n0\n1 7:1\n"), EZ_FORMAT_LDAC);
    CHECK_EQ(recognised("-", "1 1:0.5 5:2\n-1 7:1 # x\n"), EZ_FORMAT_SVMLIGHT);
    CHECK_EQ(recognised("-", "+1 1:2\n1 3:1 4:1\n"), EZ_FORMAT_SVMLIGHT);
    CHECK_EQ(recognised("-", "1 12:30 at the station\n"), EZ_FORMAT_TEXT);
    CHECK_EQ(recognised("-", "{\"text\":\"x\"}\n"), EZ_FORMAT_JSONL);
    CHECK_EQ(recognised("-", "{see below}, said he\n"), EZ_FORMAT_TEXT);
    CHECK_EQ(recognised("-", "\xef\xbb\xbfid,\"text\",label\n1,x,y\n"), EZ_FORMAT_CSV);
    CHECK_EQ(recognised("-", "id\ttext\n1\tx\n"), EZ_FORMAT_TSV);
    CHECK_EQ(recognised("-", "a\tb\tsome text\nc\td\tmore\n"), EZ_FORMAT_MALLET);
    CHECK_EQ(recognised("-", "a name\tb\tsome text\n"), EZ_FORMAT_TEXT);
    CHECK_EQ(recognised("-", "a\tb\n"), EZ_FORMAT_TEXT);
    CHECK_EQ(recognised("-", "some text, and a comma\n"), EZ_FORMAT_TEXT);
}

TEST(formats_by_name)
{
    CHECK_EQ(recognised("x/a.csv.gz", "a,b\n"), EZ_FORMAT_CSV);
    CHECK_EQ(recognised("a.tsv.zst", "a,b\n"), EZ_FORMAT_TSV);
    CHECK_EQ(recognised("a.ndjson.xz", "x"), EZ_FORMAT_JSONL);
    CHECK_EQ(recognised("d/docword.kos.txt.gz", "x"), EZ_FORMAT_UCI);
    CHECK_EQ(recognised("a.libsvm", "x"), EZ_FORMAT_SVMLIGHT);
    CHECK_EQ(recognised("csv", "x"), EZ_FORMAT_TEXT);
    CHECK_EQ(recognised(".csv", "x"), EZ_FORMAT_TEXT);
    for (int i = 0; i < EZ_FORMATS; i++)
        CHECK_EQ(ez_format_named(ez_format_name((ez_format)i)), i);
    CHECK_EQ(ez_format_named("other"), EZ_FORMATS);
}

static bool clash(const char *a, const char *a_head, const char *b, const char *b_head)
{
    return ez_formats_clash(a, recognised(a, a_head), b, recognised(b, b_head), b_head,
                            strlen(b_head));
}

TEST(inputs_of_two_formats)
{
    static const char text[] = "some words\n", csv[] = "id,text\n1,x\n",
                      json[] = "{\"text\":\"x\"}\n", uci[] = "2\n3\n2\n1 1 5\n", ldac[] = "1 0:2\n",
                      state[] = "EZLDACRP";
    CHECK(clash("de.txt", text, "fr.csv", csv));
    CHECK(clash("de.txt", text, "fr.csv", text)); /* by its name */
    CHECK(clash("de.txt.gz", text, "d/fr.jsonl.gz", json));
    CHECK(clash("a.csv", csv, "b.tsv", text));
    CHECK(clash("fr.csv", csv, "de.txt", text));
    CHECK(clash("fr.jsonl", json, "de.txt", text));
    CHECK(clash("de.txt", text, "fr.json", json));
    CHECK(clash("de.txt", text, "fr", csv));
    CHECK(clash("de.txt", text, "c.txt", state)); /* by its mark */
    CHECK(clash("-", text, "b.csv", csv));
    CHECK(clash("a.svm", ldac, "b.ldac", ldac));
    CHECK(clash("a.dat", uci, "b.bow", ldac));
}

TEST(inputs_that_may_be_of_one_format)
{
    static const char text[] = "some words\n", csv[] = "id,text\n1,x\n",
                      json[] = "{\"text\":\"x\"}\n", uci[] = "2\n3\n2\n1 1 5\n", ldac[] = "1 0:2\n",
                      tabs[] = "a\tb\tc\n";
    CHECK(!clash("a.txt", text, "b.txt", uci)); /* a text that begins with numbers */
    CHECK(!clash("a.txt", text, "b.txt.xz", json));
    CHECK(!clash("a.log", text, "b.txt", tabs));
    CHECK(!clash("part-1", text, "part-2", ldac));
    CHECK(!clash("d.x/part-1", text, "d.y/part-2", csv));
    CHECK(!clash("a.md", text, "b.md.gz", json));
    CHECK(!clash("a.csv", csv, "b.txt", csv));
    CHECK(!clash("a.csv", csv, "b.dat", text)); /* the reader says what is wrong with it */
    CHECK(!clash("a.svm", "1 1:2\n", "b.dat", ldac));
    CHECK(!clash("a.mallet", tabs, "b.txt", text));
    CHECK(!clash("a.txt", text, "b.csv", ""));
    CHECK(!clash("docword.a.txt", uci, "docword.b.txt", uci));
}

static ezlda_status read_two(ezlda_corpus **corpus, const char *a, const char *b,
                             const ezlda_import_options *options)
{
    const char *paths[] = {a, b};
    *corpus = NULL;
    return ezlda_corpus_read(corpus, check_context(), paths, 2, options);
}

/* A corpus file made of lines of text. */
static const char *corpus_file(const char *name, const char *text)
{
    ezlda_import_options options = plain_options();
    ezlda_corpus *corpus;
    CHECK_OK(check_context(), read_one(&corpus, write_text("made.txt", text), &options));
    const char *path = check_tmp(name);
    CHECK_OK(check_context(), ezlda_corpus_save(check_context(), corpus, path));
    ezlda_corpus_free(corpus);
    return path;
}

TEST(bags_with_shared_numbers_are_joined)
{
    ezlda_import_options options;
    ezlda_import_options_init(&options);
    options.vocab = write_text("words.txt", "red\ngreen\nblue\n");
    const char *a = write_text("a.ldac", "2 0:1 1:2\n0\n"), *b = write_text("b.ldac", "1 2:5\n");
    ezlda_corpus *corpus;
    CHECK_OK(check_context(), read_two(&corpus, a, b, &options));
    CHECK_EQ(info_of(corpus).docs, 3);
    CHECK_STR(document(corpus, 0), "red:1 green:2");
    CHECK_STR(document(corpus, 1), "");
    CHECK_STR(document(corpus, 2), "blue:5");
    ezlda_corpus_free(corpus);
}

TEST(bags_with_different_words_are_refused)
{
    ezlda_import_options options;
    ezlda_import_options_init(&options);
    const char *a = write_text("docword.a.txt", "1\n2\n1\n1 1 1\n"),
               *b = write_text("docword.b.txt", "1\n2\n1\n1 2 1\n");
    write_text("vocab.a.txt", "red\ngreen\n");
    write_text("vocab.b.txt", "green\nred\n");
    ezlda_corpus *corpus;
    CHECK_FAILS(check_context(), read_two(&corpus, a, b, &options), "vocabulary differs");
    CHECK(!corpus);
}

TEST(corpus_files_are_joined_by_their_words)
{
    ezlda_import_options options;
    ezlda_import_options_init(&options);
    const char *a = corpus_file("a.ezc", "red red green\n\n"),
               *b = corpus_file("b.ezc", "blue blue blue green green red\n");
    ezlda_corpus *corpus;
    CHECK_OK(check_context(), read_two(&corpus, a, b, &options));
    CHECK_EQ(info_of(corpus).docs, 3);
    CHECK_EQ(info_of(corpus).words, 3);
    CHECK_STR(document(corpus, 0), "red:2 green:1");
    CHECK_STR(document(corpus, 2), "red:1 green:2 blue:3");
    CHECK_STR(field(corpus, "name", 1), "2");
    ezlda_corpus_free(corpus);
}

TEST(bags_are_left_alone_by_default)
{
    ezlda_import_options options;
    ezlda_import_options_init(&options);
    ezlda_corpus *corpus;
    CHECK_OK(check_context(),
             read_one(&corpus, corpus_file("a.ezc", "the the x\nthe\n"), &options));
    CHECK_STR(document(corpus, 0), "the:2 x:1");
    ezlda_corpus_free(corpus);
}

TEST(bags_are_filtered_on_request)
{
    const char *path = corpus_file("a.ezc", "the the once two\nthe two two\nthe\nthe\n");
    ezlda_import_options options;
    ezlda_corpus *corpus;
    ezlda_import_options_init(&options);
    options.min_docs = 2;
    options.stopwords = "en";
    options.max_docs_share = 0.9;
    CHECK_FAILS(check_context(), read_one(&corpus, path, &options),
                "no words are left"); /* "two" is in the list */
    options.stopwords = NULL;
    CHECK_OK(check_context(), read_one(&corpus, path, &options));
    CHECK_EQ(info_of(corpus).docs, 4);
    CHECK_STR(document(corpus, 0), "two:1");
    CHECK_STR(document(corpus, 1), "two:2");
    CHECK_STR(document(corpus, 3), "");
    CHECK_STR(field(corpus, "name", 3), "4");
    ezlda_corpus_free(corpus);
    ezlda_import_options_init(&options);
    options.max_vocab = 1;
    CHECK_OK(check_context(), read_one(&corpus, path, &options));
    CHECK_STR(document(corpus, 0), "the:2");
    ezlda_corpus_free(corpus);
}

TEST(options_of_text_are_refused)
{
    const char *path = corpus_file("a.ezc", "red\n");
    ezlda_import_options options;
    ezlda_corpus *corpus;
    ezlda_import_options_init(&options);
    options.stemmer = "english";
    CHECK_FAILS(check_context(), read_one(&corpus, path, &options), "no text to stem");
    ezlda_import_options_init(&options);
    options.min_length = 4;
    CHECK_FAILS(check_context(), read_one(&corpus, path, &options), "no text to cut");
    ezlda_import_options_init(&options);
    options.name_field = "id";
    CHECK_FAILS(check_context(), read_one(&corpus, path, &options), "no named fields");
}

TEST_MAIN()
