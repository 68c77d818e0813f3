/* Corpora in memory and as mapped files: building, saving, and what a builder refuses. */
#include "check.h"

#include "corpus/corpus_image.h"
#include "corpus/formats/readers.h"
#include "corpus_sample.h"

static void check_sample(const ezlda_corpus *corpus)
{
    ezlda_corpus_info info = {.size = sizeof info};
    ezlda_corpus_get_info(corpus, &info);
    CHECK_EQ(info.docs, 3);
    CHECK_EQ(info.empty_docs, 1);
    CHECK_EQ(info.words, 6);
    CHECK_EQ(info.pairs, 4);
    CHECK_EQ(info.tokens, 303 + (uint64_t)UINT32_MAX);
    CHECK_EQ(info.longest, UINT32_MAX);
    CHECK_EQ(info.fields, 2);
    CHECK_STR(ezlda_corpus_word(corpus, 0), "zéro");
    CHECK_STR(ezlda_corpus_word(corpus, 5), "five");
    CHECK(ezlda_corpus_word(corpus, 6) == NULL);
    CHECK_STR(ezlda_corpus_field(corpus, 1), "label");
    CHECK(ezlda_corpus_field(corpus, 2) == NULL);
    CHECK_STR(ezlda_corpus_field_value(corpus, 0, 0), "first");
    CHECK_STR(ezlda_corpus_field_value(corpus, 1, 0), "x");
    CHECK_STR(ezlda_corpus_field_value(corpus, 0, 1), "");
    CHECK_STR(ezlda_corpus_field_value(corpus, 0, 2), "third");
    CHECK_STR(ezlda_corpus_field_value(corpus, 1, 2), "");
    CHECK_STR(ezlda_corpus_field_value(corpus, 1, 3), "");
    uint32_t word[4], count[4];
    CHECK_EQ(ezlda_corpus_document(corpus, 0, word, count, 2), 3);
    CHECK(word[0] == 0 && word[1] == 2 && count[0] == 1 && count[1] == 300);
    CHECK_EQ(ezlda_corpus_document(corpus, 1, word, count, 4), 0);
    CHECK_EQ(ezlda_corpus_document(corpus, 2, word, count, 4), 1);
    CHECK(word[0] == 5 && count[0] == UINT32_MAX);
    CHECK_EQ(ezlda_corpus_document(corpus, 3, word, count, 4), 0);
    const uint64_t *tokens = ez_corpus_word_tokens(corpus);
    CHECK(tokens[0] == 1 && tokens[1] == 0 && tokens[2] == 300 &&
          tokens[5] == 2 + (uint64_t)UINT32_MAX);
}

TEST(built_saved_and_mapped)
{
    ezlda_context *context = check_context();
    ezlda_corpus *built = NULL, *mapped = NULL, *plain = NULL;
    const char *path = check_tmp("a.ezc"), *again = check_tmp("b.ezc");
    CHECK_OK(context, build_sample(&built, context, 1));
    check_sample(built);
    CHECK_OK(context, ezlda_corpus_save(context, built, path));
    CHECK_OK(context, ez_read_corpus_file(&mapped, context, path));
    if (!built || !mapped)
        return;
    check_sample(mapped);
    CHECK_OK(context, ezlda_corpus_save(context, mapped, again));
    unsigned char a[8192], b[8192];
    size_t n = read_file(path, a, sizeof a);
    CHECK_EQ(read_file(again, b, sizeof b), n);
    CHECK(!memcmp(a, b, n));
    ezlda_corpus_info info = {.size = sizeof info}, mapped_info = info;
    ezlda_corpus_get_info(built, &info);
    ezlda_corpus_get_info(mapped, &mapped_info);
    CHECK_EQ(info.bytes, n);
    CHECK_EQ(mapped_info.bytes, n);
    CHECK_EQ(info.hash, mapped_info.hash);
    CHECK_OK(context, build_sample(&plain, context, 0));
    ezlda_corpus_get_info(plain, &mapped_info);
    CHECK_EQ(info.hash, mapped_info.hash);
    ezlda_corpus_free(built);
    ezlda_corpus_free(mapped);
    ezlda_corpus_free(plain);
}

TEST(info_of_an_older_caller)
{
    ezlda_context *context = check_context();
    ezlda_corpus *corpus = NULL;
    CHECK_OK(context, build_sample(&corpus, context, 1));
    ezlda_corpus_info info = {.size = offsetof(ezlda_corpus_info, words), .words = 77, .hash = 78};
    ezlda_corpus_get_info(corpus, &info);
    CHECK_EQ(info.docs, 3);
    CHECK_EQ(info.words, 77);
    CHECK_EQ(info.hash, 78);
    ezlda_corpus_free(corpus);
}

TEST(an_empty_corpus)
{
    ezlda_context *context = check_context();
    ezlda_corpus *corpus = NULL, *mapped = NULL;
    const char *path = check_tmp("empty.ezc");
    uint64_t start = 0;
    CHECK_OK(context, ezlda_corpus_from_csr(&corpus, context, 0, 0, &start, NULL, NULL, NULL));
    CHECK_OK(context, ezlda_corpus_save(context, corpus, path));
    CHECK_OK(context, ez_read_corpus_file(&mapped, context, path));
    CHECK_EQ(ez_corpus_blocks(mapped), 0);
    CHECK_EQ(ez_corpus_pairs_before(mapped, 0), 0);
    ezlda_corpus_free(corpus);
    ezlda_corpus_free(mapped);
}

/* ---- blocks, threads ---- */

/* Row r of a made-up matrix: r % 7 words in falling order, some of them twice, some counts 0. */
static void make_matrix(uint64_t docs, uint32_t words, uint64_t *start, uint32_t *word,
                        uint32_t *count)
{
    start[0] = 0;
    for (uint64_t doc = 0; doc < docs; doc++) {
        uint64_t n = doc % 7 + (doc % 1000 == 999 ? 200 : 0);
        for (uint64_t i = 0; i < n; i++) {
            word[start[doc] + i] = (uint32_t)((words - 1 - i * 13 % words + doc) % words);
            count[start[doc] + i] = (uint32_t)(doc * 31 + i * 7) % 4;
        }
        start[doc + 1] = start[doc] + n;
    }
}

static uint64_t count_of(const uint64_t *start, const uint32_t *word, const uint32_t *count,
                         uint64_t doc, uint32_t v)
{
    uint64_t sum = 0;
    for (uint64_t i = start[doc]; i < start[doc + 1]; i++)
        sum += word[i] == v ? count[i] : 0;
    return sum;
}

enum { DOCS = 3000, VOCABULARY = 300 };
static uint64_t row_start[DOCS + 1];
static uint32_t row_word[DOCS * 8], row_count[DOCS * 8];

TEST(decoded_blocks_are_the_matrix)
{
    ezlda_context *context = check_context();
    ezlda_corpus *corpus = NULL;
    make_matrix(DOCS, VOCABULARY, row_start, row_word, row_count);
    CHECK_OK(context, ezlda_corpus_from_csr(&corpus, context, DOCS, VOCABULARY, row_start, row_word,
                                            row_count, NULL));
    if (!corpus)
        return;
    CHECK_STR(ezlda_corpus_word(corpus, 299), "299");
    CHECK_EQ(ez_corpus_blocks(corpus), (DOCS + 255) / 256);
    static uint32_t start[EZ_CORPUS_BLOCK + 1], word[EZ_CORPUS_BLOCK * 300],
        count[EZ_CORPUS_BLOCK * 300];
    uint64_t total[VOCABULARY] = {0}, bad = 0, doc = 0, tokens = 0;
    for (uint64_t block = 0; block < ez_corpus_blocks(corpus); block++) {
        CHECK_EQ(ez_corpus_tokens_before(corpus, block), tokens);
        uint32_t docs = ez_corpus_decode(corpus, block, start, word, count);
        CHECK_EQ(ez_corpus_pairs_before(corpus, block + 1) - ez_corpus_pairs_before(corpus, block),
                 start[docs]);
        for (uint32_t d = 0; d < docs; d++, doc++) {
            uint64_t found = 0, expected = 0;
            for (uint32_t i = start[d]; i < start[d + 1]; i++) {
                bad += count[i] != count_of(row_start, row_word, row_count, doc, word[i]) ||
                       count[i] == 0;
                bad += i > start[d] && word[i] <= word[i - 1];
                total[word[i]] += count[i];
                found += count[i];
            }
            for (uint64_t i = row_start[doc]; i < row_start[doc + 1]; i++)
                expected += row_count[i];
            bad += found != expected;
            tokens += found;
        }
    }
    CHECK_EQ(doc, DOCS);
    CHECK_EQ(bad, 0);
    CHECK(!memcmp(total, ez_corpus_word_tokens(corpus), sizeof total));
    ezlda_corpus_free(corpus);
}

TEST(the_same_for_any_number_of_threads)
{
    make_matrix(DOCS, VOCABULARY, row_start, row_word, row_count);
    uint64_t hash = 0, bytes = 0;
    for (int threads = 1; threads <= 64; threads = threads * 3 + 1) {
        ezlda_context *context = check_context();
        ezlda_context_set_threads(context, threads);
        ezlda_corpus *corpus = NULL;
        CHECK_OK(context, ezlda_corpus_from_csr(&corpus, context, DOCS, VOCABULARY, row_start,
                                                row_word, row_count, NULL));
        ezlda_corpus_info info = {.size = sizeof info};
        ezlda_corpus_get_info(corpus, &info);
        CHECK(threads == 1 || (info.hash == hash && info.bytes == bytes));
        hash = info.hash;
        bytes = info.bytes;
        ezlda_corpus_free(corpus);
    }
}

TEST(what_a_matrix_may_not_hold)
{
    ezlda_context *context = check_context();
    ezlda_corpus *corpus = NULL;
    CHECK_FAILS(context,
                ezlda_corpus_from_csr(&corpus, context, 1, 3, (uint64_t[]){0, 1}, (uint32_t[]){3},
                                      (uint32_t[]){1}, NULL),
                "row 0: expected word ids below 3, found 3");
    CHECK_FAILS(context,
                ezlda_corpus_from_csr(&corpus, context, 2, 3, (uint64_t[]){0, 2, 1},
                                      (uint32_t[]){0, 1}, (uint32_t[]){1, 1}, NULL),
                "row_start[1] is 2, expected at most the last one, 1");
    CHECK_FAILS(context,
                ezlda_corpus_from_csr(&corpus, context, 1, 3, (uint64_t[]){0, 2},
                                      (uint32_t[]){1, 1}, (uint32_t[]){UINT32_MAX, 1}, NULL),
                "row 0: the counts of a word add up to 4294967296");
    const char *words[] = {"a", "b\xff"};
    CHECK_FAILS(context,
                ezlda_corpus_from_csr(&corpus, context, 0, 2, (uint64_t[]){0}, NULL, NULL, words),
                "word 2 is not UTF-8");
    words[1] = NULL;
    CHECK_FAILS(context,
                ezlda_corpus_from_csr(&corpus, context, 0, 2, (uint64_t[]){0}, NULL, NULL, words),
                "words[1] is NULL");
    CHECK_FAILS(context, ezlda_corpus_from_csr(&corpus, context, 1, 3, NULL, NULL, NULL, NULL),
                "row_start");
    CHECK(corpus == NULL);
}

TEST(what_a_builder_refuses)
{
    ezlda_context *context = check_context();
    ezlda_corpus *corpus = NULL;
    ez_corpus_builder *builder;
    CHECK_OK(context, ez_corpus_builder_create(&builder, context, NULL, 0));
    CHECK_OK(context,
             ez_corpus_builder_add(builder, context, (uint32_t[]){6}, (uint32_t[]){1}, 1, NULL));
    CHECK_FAILS(context, ez_corpus_builder_finish(builder, &corpus, context, WORDS, 6), "below 6");
    CHECK_OK(context, ez_corpus_builder_create(&builder, context, FIELDS, 2));
    const char *values[] = {"ok", "not \xc3 ok"};
    CHECK_OK(context, ez_corpus_builder_add(builder, context, NULL, NULL, 0, values));
    ez_clear(context);
    CHECK_FAILS(context, ez_corpus_builder_finish(builder, &corpus, context, WORDS, 6),
                "in each document's label 1 is not UTF-8");
}

TEST(a_spool_spills_to_a_file)
{
    ezlda_context *context = check_context();
    ez_spool spool;
    ez_spool_init(&spool, 1000);
    size_t n = 3000000;
    for (size_t i = 0; i < n; i += 4) {
        uint32_t value = (uint32_t)i;
        CHECK_OK(context, ez_spool_append(&spool, context, &value, sizeof value));
    }
    CHECK(spool.fd >= 0);
    const void *bytes = NULL;
    CHECK_OK(context, ez_spool_seal(&spool, context, &bytes));
    CHECK_EQ(spool.used, n);
    const uint32_t *values = bytes;
    size_t bad = 0;
    for (size_t i = 0; i < n / 4; i++)
        bad += values[i] != i * 4;
    CHECK_EQ(bad, 0);
    ez_spool_free(&spool);
}

TEST_MAIN()
