/* Reading bags of words in UCI's format: any order, duplicates, vocabularies, blocks and
 * threads. */
#include "check.h"

#include "reader_help.h"

TEST(documents_words_counts)
{
    CHECK_READS(ez_read_uci, "3\n4\n3\n1 1 2\n1 4 1\n3 2 5\n", "0:2 3:1||1:5|");
    CHECK_READS(ez_read_uci, "3   \n 4\t\r\n3 \r\n1 1 2\r\n\n1  4\t1 \n  3 2 5", "0:2 3:1||1:5|");
    CHECK_READS(ez_read_uci, "2\n4\n0\n", "||");
    CHECK_READS(ez_read_uci, "0\n0\n0\n", "");
    CHECK_READS(ez_read_uci, "1\n2\n2\n1 1 0\n1 2 4294967295\n", "1:4294967295|");
}

TEST(any_order_and_duplicates)
{
    CHECK_READS(ez_read_uci, "1\n9\n4\n1 9 1\n1 2 1\n1 9 3\n1 1 1\n", "0:1 1:1 8:4|");
    CHECK_READS(ez_read_uci, "4\n3\n5\n3 1 1\n1 2 2\n3 3 3\n1 2 4\n2 1 1\n", "1:6|0:1|0:1 2:3||");
    CHECK_READS(ez_read_uci, "4\n3\n3\n2 2 1\n2 1 1\n1 1 1\n", "0:1|0:1 1:1|||");
}

TEST(messages_name_line_and_both_numbers)
{
    CHECK_REFUSES(ez_read_uci, "",
                  "input:1: expected the number of documents, found the end of the file");
    CHECK_REFUSES(ez_read_uci, "3\n",
                  "input:2: expected the number of words, found the end of the file");
    CHECK_REFUSES(ez_read_uci, "3\nx\n",
                  "input:2: expected the number of words alone on its line, found 'x'");
    CHECK_REFUSES(ez_read_uci, "3 4 5\n",
                  "input:1: expected the number of documents alone on its line, found '4'");
    CHECK_REFUSES(ez_read_uci, "-3\n4\n5\n",
                  "input:1: expected the number of documents alone on its line, found '-3'");
    CHECK_REFUSES(ez_read_uci, "99999999999\n4\n0\n",
                  "input:1: 99999999999 documents, at most 4294967295");
    CHECK_REFUSES(ez_read_uci, "1\n999999999\n0\n", "input:2: 999999999 words, at most 268435456");
    CHECK_REFUSES(ez_read_uci, "2\n2\n2\n1 1 1\n",
                  "input:3: expected 2 triples as the header says, found only 1");
    CHECK_REFUSES(ez_read_uci, "2\n2\n1\n1 1 1\n\n2 2 1\n",
                  "input:6: expected 1 triples as the header says (line 3), found more");
    CHECK_REFUSES(ez_read_uci, "2\n2\n1\n3 1 1\n",
                  "input:4: expected a document number from 1 to 2 (header, line 1), found '3'");
    CHECK_REFUSES(ez_read_uci, "2\n2\n1\n0 1 1\n",
                  "input:4: expected a document number from 1 to 2 (header, line 1), found '0'");
    CHECK_REFUSES(ez_read_uci, "2\n2\n1\n1 3 1\n",
                  "input:4: expected a word number from 1 to 2 (header, line 2), found '3'");
    CHECK_REFUSES(ez_read_uci, "2\n2\n2\n1 1 1\n1 0 1\n",
                  "input:5: expected a word number from 1 to 2 (header, line 2), found '0'");
    CHECK_REFUSES(ez_read_uci, "2\n2\n1\n1 1\n",
                  "input:4: expected a count (a whole number from 0 to 4294967295), found "
                  "the end of the line");
    CHECK_REFUSES(ez_read_uci, "2\n2\n1\n1 1 -1\n", "found '-1'");
    CHECK_REFUSES(ez_read_uci, "2\n2\n1\n1 1 1.5\n", "found '1.5'");
    CHECK_REFUSES(ez_read_uci, "2\n2\n1\n1 1 nan\n", "found 'nan'");
    CHECK_REFUSES(ez_read_uci, "2\n2\n1\n1 1 4294967296\n", "found '4294967296'");
    CHECK_REFUSES(ez_read_uci, "2\n2\n1\n1 1 99999999999999999999999999\n", "found '999999999");
    CHECK_REFUSES(ez_read_uci, "2\n2\n1\n1 1 1 1\n",
                  "input:4: expected the end of the line, found '1'");
    CHECK_REFUSES(ez_read_uci, "2\n2\n1\n1 x\x01\xff 1\n", "found 'x?\?'");
    CHECK_REFUSES(ez_read_uci, "1\n2\n2\n1 1 4294967295\n1 1 1\n",
                  "input: document 1: the counts of a word add up to 4294967296, over 4294967295");
}

/* ---- vocabularies ---- */

static void check_words(const char *vocab_name, const char *vocab_text, const char *named,
                        const char *expected)
{
    ezlda_corpus *corpus = NULL;
    const char *path = put_file("docword.x.txt", "1\n3\n1\n1 3 1\n");
    const char *vocab = put_file(vocab_name, vocab_text);
    CHECK_OK(check_context(), read_path(ez_read_uci, &corpus, path, named ? vocab : NULL));
    char text[200] = "";
    for (uint32_t i = 0; i < words_of(corpus); i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s|",
                 ezlda_corpus_word(corpus, i));
    CHECK_STR(text, expected);
    ezlda_corpus_free(corpus);
    unlink(vocab);
}

TEST(words_from_beside_or_named)
{
    check_words("vocab.x.txt", "a\nb\nc\n", NULL, "a|b|c|");
    check_words("docword.x.vocab", "a\r\nb b\r\nç", NULL, "a|b b|ç|");
    check_words("docword.x.txt.vocab", "a\nb\nc\n\n\n", NULL, "a|b|c|");
    check_words("docword.x.dict", "2\tc\t9\n0\ta\t1\n1\tb\t4\n", NULL, "a|b|c|");
    check_words("docword.x.dict", "17\n0\ta\t1\n1\tb\t4\n2\tc\t5\n", NULL, "a|b|c|");
    check_words("docword.x.dict", "\x80\x04pickle", NULL, "0|1|2|");
    check_words("vocab.txt", "a\nb\nc\n", NULL, "a|b|c|");
    check_words("other", "17\n18\n19\n", "named", "17|18|19|");
    check_words("unrelated", "a\n", NULL, "0|1|2|");
}

static void check_bad_words(const char *text, const char *message)
{
    ezlda_corpus *corpus = NULL;
    const char *path = put_file("docword.x.txt", "1\n3\n1\n1 3 1\n");
    const char *vocab = put_file("words", text);
    CHECK_FAILS(check_context(), read_path(ez_read_uci, &corpus, path, vocab), message);
}

TEST(vocabularies_that_do_not_fit)
{
    check_bad_words("a\nb\n", "words: expected 3 words as ");
    check_bad_words("a\nb\n", "docword.x.txt says, found 2");
    check_bad_words("a\nb\nc\nd\n", "docword.x.txt says, found 4");
    check_bad_words("a\n\nc\n", "words:2: expected a word, found an empty line");
    check_bad_words("a\n\xff\nc\n", "words:2: expected a word in UTF-8, found other bytes");
    check_bad_words("", "words: expected a vocabulary, found an empty file");
    check_bad_words("\x80\x04", "Python pickle");
    check_bad_words("0\ta\t1\n1\tb\t1\n1\tc\t1\n",
                    "words:3: expected each of the numbers 0 to 2 once, found 1 again");
    check_bad_words("0\ta\t1\n1\tb\t1\n3\tc\t1\n",
                    "words:3: expected each of the numbers 0 to 2 once, found 3");
    check_bad_words("0\ta\t1\n1\tb\nx\n",
                    "words:2: expected number<TAB>word<TAB>frequency, found '1'");
    ezlda_corpus *corpus = NULL;
    const char *path = put_file("docword.x.txt", "1\n3\n1\n1 3 1\n");
    CHECK_FAILS(check_context(), read_path(ez_read_uci, &corpus, path, check_tmp("missing")),
                "missing: cannot open");
}

/* ---- large enough for many blocks ---- */

enum { DOCS = 60000, STEP = 7 };

/* Every seventh document is empty; `swap`: two far lines change places; `wrong`: a line is spoilt.
 */
static const char *write_large(const char *name, int swap, int wrong)
{
    const char *path = check_tmp(name);
    FILE *file = fopen(path, "w");
    if (!file)
        return path;
    uint64_t triples = 0;
    for (int pass = 0; pass < 2; pass++) {
        if (pass)
            fprintf(file, "%d\n1000\n%llu\n", DOCS, (unsigned long long)triples);
        for (unsigned doc = 1; doc <= DOCS; doc++)
            for (unsigned i = 0; doc % STEP && i < 5 + doc % 11; i++) {
                triples += !pass;
                unsigned shown = swap && doc == 50000 ? 3 : swap && doc == 3 ? 50000 : doc;
                if (pass)
                    fprintf(file, wrong && doc >= DOCS / 2 && i == 4 ? "%u x%u %u\n" : "%u %u %u\n",
                            shown, (doc * 31 + i * (doc % 2 ? 37 : 991)) % 1000 + 1, i % 3 + 1);
            }
    }
    fclose(file);
    return path;
}

/* Document and word sums that do not depend on how the corpus was made. */
static uint64_t fold(const ezlda_corpus *corpus)
{
    uint64_t sum = 0;
    for (uint64_t doc = 0; doc < DOCS; doc++) {
        uint32_t word[64], count[64];
        size_t n = ezlda_corpus_document(corpus, doc, word, count, 64);
        for (size_t i = 0; i < n; i++)
            sum += (doc + 1) * (word[i] + 7919u) * count[i];
    }
    return sum;
}

static uint64_t expected_fold(void)
{
    uint64_t sum = 0;
    for (uint64_t doc = 1; doc <= DOCS; doc++)
        for (uint64_t i = 0; doc % STEP && i < 5 + doc % 11; i++)
            sum += doc * ((doc * 31 + i * (doc % 2 ? 37 : 991)) % 1000 + 7919) * (i % 3 + 1);
    return sum;
}

TEST(many_blocks_and_threads_give_one_result)
{
    ezlda_context *context = check_context();
    const char *path = write_large("large", 0, 0);
    uint64_t hash = 0, expected = expected_fold();
    static const int threads[] = {1, 2, 3, 8, 64};
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        ezlda_context_set_threads(context, threads[i]);
        ezlda_corpus *corpus = NULL;
        CHECK_OK(context, read_path(ez_read_uci, &corpus, path, NULL));
        CHECK(fold(corpus) == expected);
        CHECK(i == 0 || hash_of(corpus) == hash);
        hash = hash_of(corpus);
        ezlda_corpus_free(corpus);
    }
}

TEST(far_documents_out_of_order)
{
    ezlda_context *context = check_context();
    ezlda_corpus *plain = NULL, *swapped = NULL;
    ezlda_context_set_threads(context, 3);
    CHECK_OK(context, read_path(ez_read_uci, &plain, write_large("plain", 0, 0), NULL));
    CHECK_OK(context, read_path(ez_read_uci, &swapped, write_large("swapped", 1, 0), NULL));
    uint32_t a[64], b[64], c[64], d[64];
    for (int i = 0; i < 3; i++) { /* documents 3 and 50000 have changed places, 4 has not */
        uint64_t left = i == 0 ? 2 : i == 1 ? 49999 : 3, right = i == 0 ? 49999 : i == 1 ? 2 : 3;
        size_t n = ezlda_corpus_document(plain, left, a, b, 64);
        CHECK_EQ(ezlda_corpus_document(swapped, right, c, d, 64), n);
        CHECK(n && !memcmp(a, c, n * 4) && !memcmp(b, d, n * 4));
    }
    ezlda_corpus_free(plain);
    ezlda_corpus_free(swapped);
}

/* A line of spaces, longer than a block, separates two blocks that are each in order. */
TEST(blocks_out_of_order)
{
    enum { BLANKS = 700000 };
    static char text[BLANKS + 100];
    size_t n = (size_t)snprintf(text, sizeof text, "3\n2\n4\n2 1 1\n3 2 1\n");
    memset(text + n, ' ', BLANKS);
    snprintf(text + n + BLANKS, sizeof text - n - BLANKS, "\n1 1 1\n2 2 5\n");
    CHECK_READS(ez_read_uci, text, "0:1|0:1 1:5|1:1|");
    snprintf(text + n + BLANKS, sizeof text - n - BLANKS, "\n3 2 1\n3 1 5\n");
    CHECK_READS(ez_read_uci, text, "|0:1|0:5 1:2|");
}

TEST(the_first_error_in_the_file_is_reported)
{
    ezlda_context *context = check_context();
    const char *path = write_large("wrong", 0, 1);
    char first[300] = "";
    for (int threads = 1; threads <= 9; threads += 4) {
        ezlda_context_set_threads(context, threads);
        ezlda_corpus *corpus = NULL;
        CHECK_FAILS(context, read_path(ez_read_uci, &corpus, path, NULL),
                    "expected a word number from 1 to 1000");
        CHECK(threads == 1 || !strcmp(first, ezlda_error_message(context)));
        snprintf(first, sizeof first, "%s", ezlda_error_message(context));
    }
}

TEST(a_jump_over_many_documents)
{
    ezlda_corpus *corpus = NULL;
    CHECK_OK(check_context(),
             read_text(ez_read_uci, &corpus, "3000000\n2\n2\n1 1 1\n2999999 2 1\n"));
    ezlda_corpus_info info = {.size = sizeof info};
    ezlda_corpus_get_info(corpus, &info);
    CHECK_EQ(info.docs, 3000000);
    CHECK_EQ(info.empty_docs, 2999998);
    uint32_t word, count;
    CHECK_EQ(ezlda_corpus_document(corpus, 2999998, &word, &count, 1), 1);
    CHECK_EQ(word, 1);
    ezlda_corpus_free(corpus);
}

TEST(a_header_alone_asks_for_little)
{
    CHECK_REFUSES(ez_read_uci, "4000000000\n1\n0\n",
                  "input:1: 4000000000 documents and 0 triples so far: at most 16777216 documents "
                  "may have none");
    CHECK_REFUSES(ez_read_uci, "4000000000\n1\n9000000000\n4000000000 1 1\n",
                  "documents may have none");
    CHECK_REFUSES(ez_read_uci, "4000000000\n1\n2\n4000000000 1 1\n1 1 1\n",
                  "documents may have none");
    CHECK_REFUSES(
        ez_read_uci, "2\n200000000\n2\n2 1 1\n1 1 1\n",
        "input:2: 200000000 words and 2 triples so far: at most 16777216 words may have none");
}

TEST_MAIN()
