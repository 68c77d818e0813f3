/* A device against the reference on corpora made for the boundaries of its kernels: lengths of documents and rows,
 * counts, frequencies of words, ties, priors. Equal topics, score and moves; decisions as exact bounds allow. */
#include "check.h"

#include "backend_outcome.h"
#include "crafted_tokens.h"

enum { TOPICS_MAX = 65536 };

/* Priors; uneven: alpha differs widely from topic to topic. */
static ez_settings make_settings(uint32_t topics, float alpha, bool uneven, float beta)
{
    static float alphas[TOPICS_MAX];
    ez_settings settings = {.topics = topics, .seed = 11, .alpha = alphas, .beta = beta, .start = EZLDA_START_RANDOM};
    for (uint32_t k = 0; k < topics; k++) {
        alphas[k] = alpha * (!uneven ? 1 : k % 5 == 0 ? 300 : k % 3 == 0 ? 0.001f : 1);
        settings.alpha_sum += (double)alphas[k];
    }
    return settings;
}

/* Ways to run that must not matter. */
typedef struct way {
    ezlda_sampler sampler;
    int g;
    ezlda_w_format w_format;
    ezlda_balance balance;
    uint32_t region;
} way;

static const way ways[] = {
    {EZLDA_TWO_BRANCH, 0, EZLDA_W_HYBRID, EZLDA_BALANCE_SPLIT, 0},
    {EZLDA_MANY_BRANCH, 8, EZLDA_W_SPARSE, EZLDA_BALANCE_DYNAMIC, 0},
    {EZLDA_MANY_BRANCH, 3, EZLDA_W_DENSE, EZLDA_BALANCE_NONE, 0},
    {EZLDA_THREE_BRANCH, 1, EZLDA_W_HYBRID, EZLDA_BALANCE_SPLIT, 64},
    {EZLDA_MANY_BRANCH, 0, EZLDA_W_HYBRID, EZLDA_BALANCE_SPLIT, 0},
    {EZLDA_TWO_BRANCH, 0, EZLDA_W_DENSE, EZLDA_BALANCE_NONE, 0},
    {EZLDA_THREE_BRANCH, 8, EZLDA_W_SPARSE, EZLDA_BALANCE_SPLIT, 33},
    {EZLDA_MANY_BRANCH, 1, EZLDA_W_DENSE, EZLDA_BALANCE_SPLIT, 1},
    {EZLDA_TWO_BRANCH, 0, EZLDA_W_SPARSE, EZLDA_BALANCE_SPLIT, 64},
};
enum { WAYS = sizeof ways / sizeof *ways, ITERATIONS = 2 };

static void take_way(ez_settings *settings, const way *w)
{
    settings->sampler = w->sampler;
    settings->g = w->g;
    settings->w_format = w->w_format;
    settings->balance = w->balance;
    settings->region = w->region;
}

static void check_same(const outcome *got, const outcome *expected, const ez_settings *s, const char *what)
{
    if (got->hash != expected->hash || got->score != expected->score || got->moved != expected->moved)
        CHECK_FAIL("%s: K %u, alpha %g, beta %g, estimator %d, sampler %d, g %d, format %d, balance %d, region %u: "
                   "hash %llx, expected %llx; score %lld, expected %lld; %llu moved, expected %llu",
                   what, s->topics, (double)s->alpha[0], (double)s->beta, (int)s->estimator, (int)s->sampler, s->g,
                   (int)s->w_format, (int)s->balance, s->region, (unsigned long long)got->hash,
                   (unsigned long long)expected->hash, (long long)got->score, (long long)expected->score,
                   (unsigned long long)got->moved, (unsigned long long)expected->moved);
}

/* Whether the margin of a GPU's bounds is too small to show. */
static bool bounds_are_close(const ez_settings *s, const ez_token_list *tokens)
{
    float least = s->alpha[0];
    for (uint32_t k = 1; k < s->topics; k++)
        least = s->alpha[k] < least ? s->alpha[k] : least;
    return ldexp((double)least, EZ_ALPHA_BITS + ez_weight_bits(tokens->longest, s->alpha_sum)) > 0x1p22;
}

/* The device goes first: it sees the corpus before anything indexes it. */
static void check_way(const char *what, ez_token_list *tokens, const ez_settings *settings)
{
    outcome got[SETS], expected;
    uint64_t drawn = ITERATIONS * tokens->tokens;
    for (int set = 0; set < SETS; set++) {
        setenv("EZLDA_SIMD", instruction_sets[set], 1);
        if (runs_here(instruction_sets[set]))
            got[set] = train(backend_under_test(), tokens, settings, 1, ITERATIONS);
    }
    unsetenv("EZLDA_SIMD");
    expected = train(&ez_reference_backend, tokens, settings, 1, ITERATIONS);
    for (int set = 0; set < SETS; set++) {
        if (!runs_here(instruction_sets[set]))
            continue;
        check_same(&got[set], &expected, settings, what);
        if (settings->g > 0 && bounds_are_close(settings, tokens))
            check_decisions(&got[set], &expected, drawn);
        else
            CHECK(got[set].undecided >= expected.undecided && got[set].undecided <= drawn);
    }
}

/* Both estimators; `which`: a bit for each way. */
static void check_ways(const char *what, ez_token_list *tokens, ez_settings settings, unsigned which)
{
    for (int estimator = EZLDA_LEAVE_ONE_OUT; estimator <= EZLDA_ESCA; estimator++)
        for (int i = 0; i < WAYS; i++)
            if (which >> i & 1) {
                take_way(&settings, &ways[i]);
                settings.estimator = (ezlda_estimator)estimator;
                check_way(what, tokens, &settings);
            }
}

/* A corpus by its shape. */
static void check_shape(const char *what, const corpus_shape *shape, const ez_settings *settings, unsigned which)
{
    ez_token_list *tokens = crafted_tokens(check_context(), shape);
    check_ways(what, tokens, *settings, which);
    ez_token_list_free(tokens);
}

/* Rows of D that the iterations see. */
static row_facts facts_of(ez_token_list *tokens, const ez_settings *settings)
{
    ezlda_context *context = check_context();
    ez_backend *backend = NULL;
    ez_iteration done;
    row_facts facts = {0};
    uint16_t *topic = calloc(tokens->tokens + 1, sizeof *topic);
    CHECK_OK(context, ez_reference_backend.create(&backend, context, tokens, settings));
    CHECK_OK(context, ez_reference_backend.start(backend, context));
    for (uint32_t i = 1; i <= ITERATIONS; i++) {
        CHECK_OK(context, ez_reference_backend.topics(backend, context, topic));
        note_rows(&facts, tokens, topic, settings->topics);
        CHECK_OK(context, ez_reference_backend.iterate(backend, context, i, &done));
    }
    ez_reference_backend.free(backend);
    free(topic);
    return facts;
}

enum { ALL = (1 << WAYS) - 1, TWO = 1 << 0, MANY = 1 << 4, SPARSE = 1 << 1, REGIONS = 1 << 3 };

/* ---- documents --------------------------------------------------------------------------------------------------- */

TEST(documents_of_every_length)
{
    static const struct {
        corpus_shape shape;
        uint32_t topics;
    } cases[] = {
        {{.docs = {{3, 5},
                   {127, 1},
                   {128, 1},
                   {129, 1},
                   {256, 1},
                   {257, 1},
                   {512, 1},
                   {513, 1},
                   {1024, 1},
                   {1025, 1},
                   {2047, 1},
                   {2048, 1},
                   {2049, 1},
                   {4096, 1},
                   {4097, 1},
                   {8192, 1},
                   {8193, 1}},
          .others = 60},
         20},
        {{.docs = {{3, 5}, {128, 1}, {129, 1}, {1024, 1}, {1025, 1}, {2047, 1}, {2048, 1}, {2049, 1}}, .others = 60},
         1025},
        {{.docs = {{3, 5}, {128, 1}, {129, 1}, {639, 1}, {640, 1}, {641, 1}, {2048, 1}, {2049, 1}}, .others = 30},
         8500},
    };
    for (int i = 0; i < 3; i++)
        for (int start = EZLDA_START_KEYWORD; start <= EZLDA_START_RANDOM; start++) {
            ez_settings settings = make_settings(cases[i].topics, 0.1f, start == EZLDA_START_RANDOM, 0.01f);
            settings.start = (ezlda_start)start;
            check_shape("lengths", &cases[i].shape, &settings, i < 2 ? TWO | MANY | REGIONS : MANY);
        }
}

TEST(documents_without_tokens)
{
    static const corpus_shape shapes[] = {
        {.docs = {{0, 3}, {1, 1}}, .others = 2},
        {.docs = {{1, 1}, {0, 9}}, .others = 1},
        {.docs = {{0, 5}, {40, 1}, {0, 20}}, .others = 9},
        {.docs = {{7, 1}, {0, 1}, {5, 1}, {0, 1}, {300, 1}, {0, 1}}, .others = 30},
        {.docs = {{0, 40}, {3, 1}, {0, 40}, {1, 1}}, .others = 3},
    };
    ez_settings settings = make_settings(12, 0.1f, false, 0.01f);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        check_shape("empty documents", &shapes[i], &settings, ALL);
}

/* As many documents as a warp takes at once, and one more or less. */
TEST(any_number_of_documents)
{
    ez_settings settings = make_settings(12, 0.1f, false, 0.01f);
    for (uint32_t docs = 1; docs <= 34; docs += docs == 9 ? 6 : docs == 17 ? 15 : 1)
        for (uint32_t length = 1; length <= 9; length += 8)
            check_shape("documents", &(corpus_shape){.docs = {{length, docs}}, .others = 5}, &settings, TWO | MANY);
}

/* Occurrences of a word beyond a warp's tokens, and beyond a block's. */
TEST(documents_of_one_word)
{
    static const corpus_shape shape = {
        .docs = {{1, 2},
                 {2, 2},
                 {31, 1},
                 {32, 2},
                 {33, 1},
                 {63, 1},
                 {64, 2},
                 {65, 1},
                 {127, 1},
                 {128, 2},
                 {129, 1},
                 {160, 2},
                 {600, 1},
                 {1000, 2},
                 {1030, 1},
                 {5000, 2}},
    };
    for (uint32_t words = 1; words <= 3; words += 2)
        for (int start = EZLDA_START_KEYWORD; start <= EZLDA_START_RANDOM; start++) {
            ez_settings settings = make_settings(words == 1 ? 12 : 1100, 0.1f, false, 0.01f);
            ez_token_list *tokens = one_word_documents(check_context(), &shape, words);
            settings.start = (ezlda_start)start;
            check_ways("one word", tokens, settings, TWO | MANY | REGIONS);
            ez_token_list_free(tokens);
        }
}

/* Counts of exactly one entry, one token more, and more than two: every document lies in one topic. */
TEST(counts_of_65535_and_more)
{
    static const corpus_shape shape = {.docs = {{9, 1}, {65535, 1}, {131071, 1}, {0, 1}, {65536, 1}}};
    for (uint32_t topics = 2; topics <= 12; topics += 10) {
        ez_settings settings = make_settings(topics, 0.01f, false, 0.01f);
        settings.start = EZLDA_START_KEYWORD;
        ez_token_list *tokens = one_word_documents(check_context(), &shape, 5);
        check_ways("large counts", tokens, settings, topics == 2 ? MANY : TWO);
        row_facts facts = facts_of(tokens, &settings);
        CHECK(facts.largest == 131071);
        ez_token_list_free(tokens);
    }
}

/* Several entries of a topic that is none of the word's best: a long document in two topics has a word that other
 * topics would rather have. */
TEST(large_counts_outside_the_top_topics)
{
    ezlda_context *context = check_context();
    enum { LONG = 140000, RARE = 300, DOCS = 40, EACH = 30, ALL_TOKENS = LONG + RARE + DOCS * EACH };
    uint64_t *start = NULL;
    uint32_t *word = NULL;
    CHECK_OK(context, ez_array(&start, context, DOCS + 2, sizeof *start, "starts"));
    CHECK_OK(context, ez_array(&word, context, ALL_TOKENS, sizeof *word, "words"));
    for (uint32_t d = 0; d <= DOCS + 1; d++)
        start[d] = d == 0 ? 0 : LONG + RARE + (d - 1) * EACH;
    for (uint32_t i = 0; i < ALL_TOKENS; i++)
        word[i] = i < LONG ? 0 : i < LONG + RARE ? 1 : 1 + i % 3;
    ez_token_list *tokens = list_tokens(context, DOCS + 1, 4, start, word);
    ez_settings settings = make_settings(16, 0.01f, false, 10);
    settings.start = EZLDA_START_KEYWORD;
    check_ways("large counts", tokens, settings, TWO | MANY);
    row_facts facts = facts_of(tokens, &settings);
    CHECK(facts.largest > 65535);
    ez_token_list_free(tokens);
}

/* ---- rows of D --------------------------------------------------------------------------------------------------- */

/* Rows of one entry to some hundreds, in the narrow format and in the wide one. */
TEST(rows_of_every_length)
{
    for (uint32_t topics = 1024; topics <= 1025; topics++) {
        ez_settings settings = make_settings(topics, 0.1f, false, 0.01f);
        row_facts facts = {0};
        for (uint32_t first = 1; first <= 61; first += 20) {
            corpus_shape shape = {.others = 40};
            for (uint32_t i = 0; i < 20; i++)
                shape.docs[i] = (doc_shape){first + i, 3};
            shape.docs[20] = (doc_shape){first * 30, 1};
            ez_token_list *tokens = crafted_tokens(check_context(), &shape);
            check_ways("rows", tokens, settings, TWO | MANY);
            row_facts some = facts_of(tokens, &settings);
            for (uint32_t n = 0; n < FACT_ENTRIES; n++)
                facts.entries[n] |= some.entries[n];
            ez_token_list_free(tokens);
        }
        for (uint32_t n = 1; n <= 70; n++)
            CHECK(facts.entries[n]);
    }
}

/* Every topic in one document: rows that end with a sector, and one entry on either side. */
TEST(rows_of_all_topics)
{
    static const uint32_t topics[] = {2,  3,  4,  5,  8,  9,  12, 13, 15, 16,  17,
                                      31, 32, 33, 48, 49, 64, 65, 96, 97, 128, 129};
    static const corpus_shape shape = {.docs = {{900, 3}, {2048, 1}, {2100, 1}, {20, 10}}, .others = 30};
    for (size_t i = 0; i < sizeof topics / sizeof *topics; i++) {
        ez_settings settings = make_settings(topics[i], 0.1f, i % 2, 0.01f);
        ez_token_list *tokens = crafted_tokens(check_context(), &shape);
        check_ways("all topics", tokens, settings, TWO | (i % 3 == 0 ? MANY : 0));
        row_facts facts = facts_of(tokens, &settings);
        CHECK(facts.entries[topics[i]]);
        ez_token_list_free(tokens);
    }
}

/* Counts around the largest that a narrow entry holds: one in a row, some, and so many that they fill sectors. */
TEST(counts_around_63)
{
    static const struct {
        corpus_shape shape;
        uint32_t topics, full;
    } cases[] = {
        {{.docs = {{62, 3}, {63, 3}, {64, 3}, {65, 1}, {126, 1}}, .others = 12}, 30, 1},
        {{.docs = {{126, 4}, {189, 4}, {200, 8}}, .others = 12}, 3, 3},
        {{.docs = {{1200, 1}, {1240, 2}, {1260, 2}, {1290, 2}}, .others = 60}, 20, 9},
        {{.docs = {{2046, 1}, {2047, 2}, {2048, 2}, {2049, 1}, {30, 9}}, .others = 60}, 31, 17},
        {{.docs = {{1100, 3}, {1800, 2}}, .others = 60}, 17, 9},
    };
    row_facts all = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ez_settings settings = make_settings(cases[i].topics, 0.1f, false, i % 2 ? 1 : 0.01f);
        settings.start = i == 0 ? EZLDA_START_KEYWORD : EZLDA_START_RANDOM;
        ez_token_list *tokens = crafted_tokens(check_context(), &cases[i].shape);
        check_ways("full counts", tokens, settings, TWO | MANY | SPARSE | REGIONS);
        row_facts facts = facts_of(tokens, &settings);
        CHECK(facts.full >= cases[i].full);
        for (uint32_t n = 62; n <= 64; n++)
            all.count[n] |= facts.count[n];
        ez_token_list_free(tokens);
    }
    CHECK(all.count[62] && all.count[63] && all.count[64]);
}

/* ---- topics ------------------------------------------------------------------------------------------------------ */

TEST(any_number_of_topics)
{
    static const uint32_t topics[] = {2, 3, 7, 8, 9, 10, 31, 32, 33, 1024, 1025, 4096, 4097, 8192, 8193};
    static const corpus_shape shape = {
        .docs = {{30, 12}, {100, 2}, {1, 9}, {700, 1}}, .words = {{250, 1}, {1, 5}}, .others = 9, .unused = 2};
    for (size_t i = 0; i < sizeof topics / sizeof *topics; i++) {
        ez_settings settings = make_settings(topics[i], 0.1f, i % 2 == 0, 0.01f);
        check_shape("topics", &shape, &settings, topics[i] < 1000 ? ALL : topics[i] < 5000 ? TWO | SPARSE : SPARSE);
    }
}

/* A topic's sixteenth bit is taken above 32,768, its last number is 65,535. Sparse rows cost the square of K here, in an
 * order of the topics: they are few. */
TEST(as_many_topics_as_there_can_be)
{
    static const uint32_t topics[] = {32767, 32768, 32769, 65535, 65536};
    static const corpus_shape shape = {.docs = {{30, 3}, {700, 1}, {1, 3}}, .words = {{250, 1}, {40, 1}}, .others = 2};
    for (size_t i = 0; i < sizeof topics / sizeof *topics; i++) {
        ez_settings settings = make_settings(topics[i], 0.001f, i % 2 == 0, 0.01f);
        check_shape("topics", &shape, &settings, topics[i] == 32769 ? MANY : 1 << 2);
    }
}

/* ---- words ------------------------------------------------------------------------------------------------------- */

TEST(words_of_every_frequency)
{
    static const corpus_shape shape = {
        .docs = {{200, 90}, {700, 8}, {1, 40}, {3000, 1}},
        .words = {{31, 2},
                  {32, 2},
                  {33, 2},
                  {34, 1},
                  {239, 1},
                  {240, 2},
                  {241, 2},
                  {4096, 1},
                  {4097, 1},
                  {9000, 1},
                  {1, 5},
                  {2, 5}},
        .others = 3,
        .unused = 4,
    };
    static const uint32_t topics[] = {33, 240, 9000};
    for (int i = 0; i < 3; i++) {
        ez_settings settings = make_settings(topics[i], 0.1f, i % 2, 0.01f);
        check_shape("words", &shape, &settings, i == 2 ? MANY : TWO | SPARSE | 1 << 6);
    }
}

/* More tokens of a word in one topic than an entry holds. */
TEST(words_of_65536_tokens_and_more)
{
    static const corpus_shape shape = {.docs = {{250, 600}, {40, 9}, {1, 3}}};
    for (uint32_t topics = 5; topics <= 5000; topics += 4995) {
        ez_token_list *tokens = one_word_documents(check_context(), &shape, 2);
        ez_settings settings = make_settings(topics, 0.1f, false, 0.01f);
        settings.start = EZLDA_START_KEYWORD;
        check_ways("long words", tokens, settings, topics == 5 ? TWO | SPARSE : SPARSE);
        ez_token_list_free(tokens);
    }
}

TEST(words_in_regions)
{
    static const corpus_shape shape = {
        .docs = {{60, 60}, {300, 12}, {2500, 1}},
        .words = {{63, 1}, {64, 1}, {65, 1}, {127, 1}, {128, 1}, {129, 1}, {1000, 1}, {5000, 1}},
        .others = 20,
        .unused = 2,
    };
    static const uint32_t regions[] = {1, 2, 64, 100};
    ez_token_list *tokens = crafted_tokens(check_context(), &shape);
    ez_settings settings = make_settings(30, 0.1f, false, 0.01f);
    for (uint32_t turn = 0; turn < 3 * 3 * 4; turn += 1 + turn % 2) {
        settings.estimator = turn % 2 ? EZLDA_ESCA : EZLDA_LEAVE_ONE_OUT;
        settings.sampler = turn % 5 == 0 ? EZLDA_MANY_BRANCH : EZLDA_TWO_BRANCH;
        settings.w_format = (ezlda_w_format)(turn % 3);
        settings.balance = (ezlda_balance)(turn / 3 % 3);
        settings.region = regions[turn / 9];
        check_way("regions", tokens, &settings);
    }
    ez_token_list_free(tokens);
}

/* ---- chunks ------------------------------------------------------------------------------------------------------ */

static void note_chunks(const char *text, void *user)
{
    const char *at = strstr(text, "passes through it in ");
    if (at)
        *(uint32_t *)user = (uint32_t)strtoul(at + strlen("passes through it in "), NULL, 10);
}

/* A limit of device memory that makes at least so many chunks of the corpus; 0 where there is none. */
static uint64_t memory_of_chunks(ez_token_list *tokens, ez_settings settings, uint32_t least)
{
    ezlda_context *context = check_context();
    const ez_backend_ops *ops = backend_under_test();
    uint32_t chunks = 0;
    uint64_t limit = 1 << 30, bytes, peak;
    ezlda_context_set_notes(context, note_chunks, &chunks);
    for (bool done = false; !done;) {
        ez_backend *backend = NULL;
        settings.device_memory = limit;
        done = ops->create(&backend, context, tokens, &settings) != EZLDA_OK || chunks >= least;
        if (backend && limit == 1 << 30)
            ops->memory(backend, &limit, &peak);
        ops->free(backend);
        if (!done)
            limit -= limit / 16;
    }
    bytes = chunks >= least ? limit : 0;
    ezlda_context_set_notes(context, NULL, NULL);
    return bytes;
}

/* A corpus that passes through the device in parts: documents of all kinds; one so long that a part beside it is empty. */
TEST(chunks)
{
    static const corpus_shape mixed = {
        .docs = {{1, 30}, {9000, 1}, {40, 150}, {0, 3}, {5000, 1}, {300, 10}, {2500, 2}, {1025, 2}},
        .words = {{31, 1}, {33, 1}, {240, 1}, {241, 1}, {5000, 1}, {1, 6}},
        .others = 20,
        .unused = 2,
    };
    static const corpus_shape uneven = {.docs = {{1, 20000}, {9000, 1}}, .words = {{300, 2}}, .others = 9};
    static const struct {
        const corpus_shape *shape;
        uint32_t topics, chunks;
        unsigned ways;
    } cases[] = {{&mixed, 20, 2, ALL}, {&uneven, 12, 8, TWO}, {&mixed, 1100, 3, TWO | SPARSE}, {&mixed, 8500, 2, MANY}};
    bool chunked = strncmp(device_under_test(), "cuda", 4) == 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ez_token_list *tokens = crafted_tokens(check_context(), cases[i].shape);
        ez_settings settings = make_settings(cases[i].topics, 0.1f, i % 2, 0.01f);
        settings.start = i % 2 ? EZLDA_START_RANDOM : EZLDA_START_KEYWORD;
        settings.device_memory = chunked ? memory_of_chunks(tokens, settings, cases[i].chunks) : 0;
        CHECK(!chunked || settings.device_memory > 0);
        check_ways("chunks", tokens, settings, cases[i].ways);
        ez_token_list_free(tokens);
    }
}

/* ---- ties and priors --------------------------------------------------------------------------------------------- */

/* Documents that are all the same; from the keyword start, one topic with everything. */
TEST(ties)
{
    static const uint32_t topics[] = {8, 9, 20, 65, 1100};
    for (int i = 0; i < 5; i++)
        for (int start = EZLDA_START_KEYWORD; start <= EZLDA_START_RANDOM; start++) {
            corpus_shape shape = {.docs = {{12, 40}, {24, 3}}};
            ez_token_list *tokens = equal_documents(check_context(), &shape, 12);
            ez_settings settings = make_settings(topics[i], 0.5f, false, 0.5f);
            settings.start = (ezlda_start)start;
            check_ways("ties", tokens, settings, topics[i] < 100 ? ALL : MANY | SPARSE);
            ez_token_list_free(tokens);
        }
}

TEST(priors_at_their_limits)
{
    static const corpus_shape shape = {.docs = {{1, 60}, {7, 60}, {100, 3}, {2100, 1}}, .others = 25};
    static const float limits[] = {1e-6f, 0.01f, 100};
    for (int i = 0; i < 9; i++) {
        ez_settings settings = make_settings(i % 2 ? 12 : 100, limits[i % 3], false, limits[i / 3]);
        check_shape("priors", &shape, &settings, TWO | MANY | SPARSE | REGIONS);
        settings = make_settings(i % 2 ? 12 : 100, 0.1f, true, limits[i / 3]);
        check_shape("uneven priors", &shape, &settings, 1 << 2 | 1 << i % WAYS);
    }
}

/* Alpha so small that its integers are coarse: the margin of floating bounds must cover that, or nothing is decided. */
TEST(alpha_that_bounds_must_allow_for)
{
    static const corpus_shape shape = {.docs = {{1, 4000}, {2, 200}, {30, 3}}, .others = 9};
    static const float alphas[] = {1e-10f, 3e-10f, 1e-9f, 3e-9f};
    for (int i = 0; i < 4; i++) {
        ez_settings settings = make_settings(i % 2 ? 12 : 5, alphas[i], false, 0.01f);
        check_shape("tiny alpha", &shape, &settings, MANY | SPARSE | REGIONS);
    }
}

/* Weights of four bits, as if documents were very long: draws fall on every boundary of their lines. */
TEST(coarse_weights)
{
    static const corpus_shape shape = {
        .docs = {{1, 300}, {2, 100}, {40, 20}, {500, 3}, {2500, 1}}, .words = {{400, 2}}, .others = 40};
    static const uint32_t topics[] = {3, 12, 40, 1100, 9000};
    static const float alphas[] = {1e-3f, 0.3f};
    for (int i = 0; i < 10; i++) {
        ez_settings settings = make_settings(topics[i / 2], alphas[i % 2], i % 4 == 3, i % 3 ? 0.01f : 0.5f);
        settings.alpha_sum = 0x1p44;
        check_shape("coarse weights", &shape, &settings, topics[i / 2] < 9000 ? TWO | MANY | SPARSE | REGIONS : MANY);
    }
}

TEST_MAIN()
