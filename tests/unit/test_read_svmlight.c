/* Reading bags of words in SVMlight's format. */
#include "check.h"

#include "reader_help.h"

TEST(documents_and_labels)
{
    ezlda_corpus *corpus = NULL;
    CHECK_OK(check_context(),
             read_text(ez_read_svmlight, &corpus,
                       "# made by hand\n+1 1:2 4:1.0 # first\n\n-1\n2,3\t2:5e0\t1:1\n0 3:0"));
    CHECK_STR(show(corpus), "0:2 3:1||0:1 1:5||");
    CHECK_EQ(words_of(corpus), 4);
    CHECK_STR(ezlda_corpus_field(corpus, 0), "label");
    static const char *const labels[] = {"+1", "-1", "2,3", "0"};
    for (uint64_t doc = 0; doc < 4; doc++)
        CHECK_STR(ezlda_corpus_field_value(corpus, 0, doc), labels[doc]);
    ezlda_corpus_free(corpus);
}

TEST(words_from_zero_where_zero_is_met)
{
    CHECK_READS(ez_read_svmlight, "1 1:1 5:2\n1 0:1 3:1\n1 2:1\n", "1:1 5:2|0:1 3:1|2:1|");
    CHECK_READS(ez_read_svmlight, "0\t0:3 1:1\n1\t2:1\n", "0:3 1:1|2:1|");
}

TEST(zero_in_a_later_block)
{
    ezlda_context *context = check_context();
    const char *path = check_tmp("large");
    FILE *file = fopen(path, "w");
    enum { DOCS = 200000 };
    for (unsigned doc = 0; file && doc < DOCS; doc++)
        fprintf(file, "%u %u:1 %u:2\n", doc % 10, doc == DOCS - 5 ? 0 : doc % 900 + 1,
                1000 + doc % 7);
    if (file)
        fclose(file);
    uint64_t hash = 0;
    for (int threads = 1; threads < 10; threads += 4) {
        ezlda_context_set_threads(context, threads);
        ezlda_corpus *corpus = NULL;
        CHECK_OK(context, read_path(ez_read_svmlight, &corpus, path, NULL));
        uint32_t word[4], count[4];
        CHECK_EQ(ezlda_corpus_document(corpus, 0, word, count, 4), 2);
        CHECK(word[0] == 1 && word[1] == 1000 && count[1] == 2);
        CHECK_EQ(ezlda_corpus_document(corpus, DOCS - 5, word, count, 4), 2);
        CHECK_EQ(word[0], 0);
        CHECK_STR(ezlda_corpus_field_value(corpus, 0, 7), "7");
        CHECK_EQ(words_of(corpus), 1007);
        CHECK(threads == 1 || hash_of(corpus) == hash);
        hash = hash_of(corpus);
        ezlda_corpus_free(corpus);
    }
}

TEST(words_from_a_vocabulary)
{
    ezlda_corpus *corpus = NULL;
    const char *path = put_file("x.svm", "1 1:1 2:1\n"), *vocab = put_file("words", "a\nb\nc\n");
    CHECK_OK(check_context(), read_path(ez_read_svmlight, &corpus, path, vocab));
    CHECK_STR(show(corpus), "0:1 1:1|");
    CHECK_EQ(words_of(corpus), 3);
    ezlda_corpus_free(corpus);
    path = put_file("x.svm", "1 1:1 4:1\n");
    CHECK_FAILS(check_context(), read_path(ez_read_svmlight, &corpus, path, vocab),
                "x.svm:1: expected word:count with a word number below 4, found '4:1'");
    path = put_file("x.svm", "1 3:1\n1 0:1\n");
    CHECK_FAILS(check_context(), read_path(ez_read_svmlight, &corpus, path, vocab),
                "x.svm:1: expected word:count with a "
                "word number below 3, found '3:1'");
}

TEST(refusals)
{
    CHECK_REFUSES(ez_read_svmlight, "",
                  "input: expected one document per line, found an empty file");
    CHECK_REFUSES(ez_read_svmlight, "# nothing\n",
                  "input: expected one document per line, found an empty file");
    CHECK_REFUSES(ez_read_svmlight, "1:1 2:1\n",
                  "input:1: expected a label, then word:count pairs, found '1:1'");
    CHECK_REFUSES(ez_read_svmlight, "1 qid:3 1:1\n",
                  "input:1: expected word:count with a word number below 268435457, "
                  "found 'qid:3'");
    CHECK_REFUSES(ez_read_svmlight, "1 1:0.5\n",
                  "input:1: expected a count (a whole number from 0 to 4294967295) after "
                  "'1:', found '0.5'");
    CHECK_REFUSES(ez_read_svmlight, "1 1:1\n1 1:nan\n", "input:2: expected a count");
    CHECK_REFUSES(ez_read_svmlight, "1 1:-1\n", "found '-1'");
    CHECK_REFUSES(ez_read_svmlight, "1 1:inf\n", "found 'inf'");
    CHECK_REFUSES(ez_read_svmlight, "\xff 1:1\n",
                  "input:1: expected a label in UTF-8, found other bytes");
}

TEST_MAIN()
