/* Reading bags of words in LDA-C's format. */
#include "check.h"

#include "reader_help.h"

TEST(documents)
{
    CHECK_READS(ez_read_ldac, "2 0:1 3:2\n0\n1 1:4294967295\n", "0:1 3:2||1:4294967295|");
    CHECK_READS(ez_read_ldac, "2 3:2 0:1 \r\n0 \r\n2 1:1 1:2", "0:1 3:2||1:3|");
    CHECK_READS(ez_read_ldac, "2 7:0 1:1\n", "1:1|");
}

TEST(words)
{
    ezlda_corpus *corpus = NULL;
    const char *path = put_file("ap.dat", "1 2:1\n1 0:1\n");
    CHECK_OK(check_context(), read_path(ez_read_ldac, &corpus, path, NULL));
    CHECK_EQ(words_of(corpus), 3);
    CHECK_STR(ezlda_corpus_word(corpus, 2), "2");
    ezlda_corpus_free(corpus);
    put_file("ap.vocab", "i\nnew\npercent\nnever\n");
    CHECK_OK(check_context(), read_path(ez_read_ldac, &corpus, path, NULL));
    CHECK_EQ(words_of(corpus), 4);
    CHECK_STR(ezlda_corpus_word(corpus, 2), "percent");
    ezlda_corpus_free(corpus);
    put_file("ap.vocab", "i\nnew\n");
    CHECK_FAILS(check_context(), read_path(ez_read_ldac, &corpus, path, NULL),
                "ap.dat:1: expected word:count with a word number below 2, found '2:1'");
}

TEST(refusals)
{
    CHECK_REFUSES(ez_read_ldac, "", "input: expected one document per line, found an empty file");
    CHECK_REFUSES(ez_read_ldac, "1 0:1\n\n1 0:1\n",
                  "input:2: expected the number of terms of a document, found the end");
    CHECK_REFUSES(ez_read_ldac, "1 0:1\nx\n",
                  "input:2: expected the number of terms of a document, found 'x'");
    CHECK_REFUSES(ez_read_ldac, "1 0:1 1:1\n",
                  "input:1: expected 1 terms as the line says, found 2");
    CHECK_REFUSES(ez_read_ldac, "3 0:1 1:1\n",
                  "input:1: expected 3 terms as the line says, found 2");
    CHECK_REFUSES(ez_read_ldac, "1 0\n",
                  "input:1: expected word:count with a word number below 268435456, found '0'");
    CHECK_REFUSES(ez_read_ldac, "1 -1:1\n", "found '-1:1'");
    CHECK_REFUSES(ez_read_ldac, "1 999999999:1\n", "found '999999999:1'");
    CHECK_REFUSES(ez_read_ldac, "1 0:\n",
                  "input:1: expected a count (a whole number from 0 to 4294967295) after '0:', "
                  "found the end of the line");
    CHECK_REFUSES(ez_read_ldac, "1 0:1.0\n", "after '0:', found '1.0'");
    CHECK_REFUSES(ez_read_ldac, "1 0:-1\n", "after '0:', found '-1'");
    CHECK_REFUSES(ez_read_ldac, "1 0:1:1\n", "after '0:', found '1:1'");
    CHECK_REFUSES(ez_read_ldac, "1 0:1#\n", "expected a space after a count, found '#'");
    CHECK_REFUSES(ez_read_ldac, "2 0:4294967295 0:1\n",
                  "input: line 1: the counts of a word add up to 4294967296");
    CHECK_REFUSES(ez_read_ldac, "1:1 0:1\n",
                  "input:1: expected the number of terms of a document, found '1:1'");
}

static const char *write_large(unsigned docs)
{
    const char *path = check_tmp("large");
    FILE *file = fopen(path, "w");
    for (unsigned doc = 0; file && doc < docs; doc++) {
        fprintf(file, "%u", doc % 13);
        for (unsigned i = 0; i < doc % 13; i++)
            fprintf(file, " %u:%u", (doc * 7 + (13 - i) * 101) % 5000, i % 4 + 1);
        fputc('\n', file);
    }
    if (file)
        fclose(file);
    return path;
}

TEST(threads_do_not_matter)
{
    ezlda_context *context = check_context();
    const char *path = write_large(50000);
    uint64_t hash = 0;
    for (int threads = 1; threads <= 64; threads = threads * 2 + 1) {
        ezlda_context_set_threads(context, threads);
        ezlda_corpus *corpus = NULL;
        CHECK_OK(context, read_path(ez_read_ldac, &corpus, path, NULL));
        CHECK(threads == 1 || hash == hash_of(corpus));
        hash = hash_of(corpus);
        ezlda_corpus_free(corpus);
    }
}

TEST(a_large_number_alone_asks_for_little)
{
    CHECK_REFUSES(ez_read_ldac, "1 0:1\n1 200000000:1\n",
                  "input: a word with the number 200000000 in so short a file: at most 16777216 "
                  "words may be in no "
                  "document");
}

TEST_MAIN()
