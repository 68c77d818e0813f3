/* A device against the reference on corpora made for the boundaries of its kernels: lengths of
 * documents, rows of D, counts, numbers of topics. */
#include "check.h"

#include "backend/start.h"
#include "device_ways.h"

/* ---- documents ---- */

TEST(documents_of_every_length)
{
    static const struct {
        corpus_shape shape;
        uint32_t topics;
        ezlda_start start;
        unsigned ways;
    } cases[] = {
        {{"3x5 127 128 129 256 257 1024 1025 2047 2048 2049", .others = 60},
         20,
         EZLDA_START_RANDOM,
         TWO | MANY | THREE},
        {{"3x5 255 256 257 512 513 4097 8192 8193", .others = 60}, 3, EZLDA_START_KEYWORD, MANY},
        {{"3x5 128 129 1024 1025 2047 2048 2049", .others = 60},
         1025,
         EZLDA_START_RANDOM,
         TWO | MANY},
        {{"3x5 128 129 639 640 641 2048 2049", .others = 20}, 8500, EZLDA_START_RANDOM, MANY},
        {{"3x5 15 16 17 32 33 511 512 513 8192 8193", .others = 60}, 90, EZLDA_START_KEYWORD, MANY},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ez_settings settings = make_settings(cases[i].topics, 0.1f, i % 2, 0.01f);
        settings.start = cases[i].start;
        check_shape("lengths", &cases[i].shape, &settings, cases[i].ways);
    }
}

TEST(documents_without_tokens)
{
    static const corpus_shape shapes[] = {
        {"0x3 1", .others = 2},         {"1 0x9", .others = 1},
        {"0x5 40 0x20", .others = 9},   {"7 0 5 0 300 0", .others = 30},
        {"0x40 3 0x40 1", .others = 3},
    };
    ez_settings settings = make_settings(12, 0.1f, false, 0.01f);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        check_shape("empty documents", &shapes[i], &settings, ALL);
}

/* As many documents as a warp handles at once, and one more or less; some handled alone before
 * them.
 */
TEST(any_number_of_documents)
{
    static const char *const docs[] = {"1",   "1x2",     "9x7",       "1x8",      "9x8",
                                       "9x9", "1x16",    "1x17",      "9x32",     "1x33",
                                       "257", "257 9x8", "300x2 9x9", "600x9 9x7"};
    ez_settings settings = make_settings(12, 0.1f, false, 0.01f);
    for (size_t i = 0; i < sizeof docs / sizeof *docs; i++)
        check_shape("documents", &(corpus_shape){docs[i], .others = 5}, &settings, TWO | MANY);
}

/* Occurrences of a word beyond a warp's tokens, and beyond a block's. */
TEST(documents_of_one_word)
{
    static const char docs[] =
        "1x2 2x2 31 32x2 33 63 64x2 65 127 128x2 129 160x2 600 1000x2 1030 5000x2";
    for (uint32_t words = 1; words <= 3; words += 2)
        for (int start = EZLDA_START_KEYWORD; start <= EZLDA_START_RANDOM; start++) {
            ez_settings settings = make_settings(words == 1 ? 12 : 1100, 0.1f, false, 0.01f);
            ez_token_list *tokens = one_word_documents(check_context(), docs, words);
            settings.start = (ezlda_start)start;
            check_ways("one word", tokens, settings,
                       start == EZLDA_START_KEYWORD ? TWO : MANY | THREE);
            ez_token_list_free(tokens);
        }
}

/* Counts of exactly one entry, one token more, and more than two: every document lies in one topic.
 */
TEST(counts_of_65535_and_more)
{
    static const char *const docs[] = {"9 65535 131071 0 65536", "65535 9 65536"};
    for (int i = 0; i < 2; i++) {
        ez_settings settings = make_settings(i == 0 ? 2 : 12, 0.01f, false, 0.01f);
        settings.start = EZLDA_START_KEYWORD;
        ez_token_list *tokens = one_word_documents(check_context(), docs[i], 5);
        check_ways("large counts", tokens, settings, i == 0 ? MANY : TWO);
        CHECK_EQ(facts_of(tokens, &settings).largest, i == 0 ? 131071 : 65536);
        ez_token_list_free(tokens);
    }
}

/* A long document of two words, the second of them in all other documents too. */
static ez_token_list *long_and_short(ezlda_context *context)
{
    enum {
        LONG = 140000,
        RARE = 300,
        DOCS = 40,
        EACH = 30,
        ALL_TOKENS = LONG + RARE + DOCS * EACH
    };
    uint64_t *start = NULL;
    uint32_t *word = NULL;
    CHECK_OK(context, ez_array(&start, context, DOCS + 2, sizeof *start, "starts"));
    CHECK_OK(context, ez_array(&word, context, ALL_TOKENS, sizeof *word, "words"));
    for (uint32_t d = 0; d <= DOCS + 1; d++)
        start[d] = d == 0 ? 0 : LONG + RARE + (d - 1) * EACH;
    for (uint32_t i = 0; i < ALL_TOKENS; i++)
        word[i] = i < LONG ? 0 : i < LONG + RARE ? 1 : 1 + i % 3;
    return list_tokens(context, DOCS + 1, 4, start, word);
}

/* Several entries of a topic that is not among the word's top topics: beta is so large that others
 * weigh more. */
TEST(large_counts_outside_the_top_topics)
{
    ez_token_list *tokens = long_and_short(check_context());
    ez_settings settings = make_settings(16, 0.01f, false, 10);
    settings.start = EZLDA_START_KEYWORD;
    check_ways("large counts", tokens, settings, TWO | MANY);
    CHECK(facts_of(tokens, &settings).largest > 65535);
    ez_token_list_free(tokens);
}

/* ---- rows of D ---- */

/* Rows of one entry to some hundreds, in the narrow format and in the wide one. */
TEST(rows_of_every_length)
{
    for (uint32_t topics = 1024; topics <= 1025; topics++) {
        ez_settings settings = make_settings(topics, 0.1f, false, 0.01f);
        char docs[1000] = "200 400 1000";
        for (uint32_t n = 1; n <= 75; n++)
            snprintf(docs + strlen(docs), sizeof docs - strlen(docs), " %ux3", n);
        ez_token_list *tokens =
            crafted_tokens(check_context(), &(corpus_shape){docs, .others = 40});
        check_ways("rows", tokens, settings, TWO | MANY);
        row_facts facts = facts_of(tokens, &settings);
        for (uint32_t n = 1; n <= 70; n++)
            CHECK(facts.entries[n]);
        ez_token_list_free(tokens);
    }
}

/* Every topic in one document: rows that end with a sector, and one entry on either side. */
TEST(rows_of_all_topics)
{
    static const uint32_t topics[] = {2,  3,  4,  5,  8,  9,  12, 13, 15, 16,  17,
                                      31, 32, 33, 48, 49, 64, 65, 96, 97, 128, 129};
    for (size_t i = 0; i < sizeof topics / sizeof *topics; i++) {
        ez_settings settings = make_settings(topics[i], 0.1f, i % 2, 0.01f);
        ez_token_list *tokens =
            crafted_tokens(check_context(), &(corpus_shape){"900x3 2048 2100 20x10", .others = 30});
        check_ways("all topics", tokens, settings, TWO | (i % 3 == 0 ? MANY : 0));
        CHECK(facts_of(tokens, &settings).entries[topics[i]]);
        ez_token_list_free(tokens);
    }
}

/* Counts around the largest that a narrow entry holds: one in a row, some, and enough to
 * fill sectors. */
TEST(counts_around_63)
{
    static const struct {
        corpus_shape shape;
        uint32_t topics, full;
    } cases[] = {
        {{"62x3 63x3 64x3 65 126", .others = 12}, 30, 1},
        {{"126x4 189x4 200x8", .others = 12}, 3, 3},
        {{"1200 1240x2 1260x2 1290x2", .others = 60}, 20, 9},
        {{"2046 2047x2 2048x2 2049 30x9", .others = 60}, 31, 17},
        {{"1100x3 1800x2", .others = 60}, 17, 9},
    };
    row_facts all = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ez_settings settings = make_settings(cases[i].topics, 0.1f, false, i % 2 ? 1 : 0.01f);
        settings.start = i == 0 ? EZLDA_START_KEYWORD : EZLDA_START_RANDOM;
        ez_token_list *tokens = crafted_tokens(check_context(), &cases[i].shape);
        tokens->all_docs =
            (uint64_t)EZ_START_FEW * settings.topics; /* keywords: a document in one topic */
        check_ways("full counts", tokens, settings, TWO | MANY | MANY_SPARSE | THREE);
        row_facts facts = facts_of(tokens, &settings);
        CHECK(facts.full >= cases[i].full);
        for (uint32_t n = 62; n <= 64; n++)
            all.count[n] |= facts.count[n];
        ez_token_list_free(tokens);
    }
    CHECK(all.count[62] && all.count[63] && all.count[64]);
}

/* ---- topics ---- */

TEST(any_number_of_topics)
{
    static const uint32_t topics[] = {2,  3,    7,    8,    9,    10,   31,  32,
                                      33, 1024, 1025, 4096, 4097, 8192, 8193};
    static const corpus_shape shape = {"30x12 100x2 1x9 700", "250 1x5", 9, 2};
    for (size_t i = 0; i < sizeof topics / sizeof *topics; i++) {
        uint32_t k = topics[i];
        ez_settings settings = make_settings(k, 0.01f, i % 2 == 0, 0.01f);
        if (k > 100)
            favour_last(&settings);
        check_shape("topics", &shape, &settings,
                    k < 1000   ? ALL
                    : k < 5000 ? TWO | MANY_SPARSE
                               : MANY_SPARSE);
    }
}

/* Above 32,768 topics the sixteenth bit of a topic is used; the last topic is 65,535. Sparse rows
 * of W cost the square of K here, because topics without a count are ordered: there are few. */
TEST(as_many_topics_as_there_can_be)
{
    static const uint32_t topics[] = {32767, 32768, 32769, 65535, 65536};
    static const corpus_shape shape = {"30x3 700 1x3", "250 40", .others = 2};
    for (size_t i = 0; i < sizeof topics / sizeof *topics; i++) {
        ez_settings settings = make_settings(topics[i], 0.001f, false, 0.01f);
        favour_last(&settings);
        check_shape("topics", &shape, &settings, topics[i] == 32769 ? MANY : MANY_DENSE);
    }
}

TEST_MAIN()
