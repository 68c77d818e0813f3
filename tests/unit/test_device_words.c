/* A device against the reference on corpora made for the boundaries of its kernels: frequencies of
 * words, regions, chunks, ties, priors. */
#include "check.h"

#include "device_ways.h"

/* ---- words ---- */

TEST(words_of_every_frequency)
{
    static const corpus_shape shape = {"200x90 700x8 1x40 3000",
                                       "31x2 32x2 33x2 34 239 240x2 241x2 4096 4097 9000 1x5 2x5",
                                       .others = 3, .unused = 4};
    static const uint32_t topics[] = {33, 240, 9000};
    for (int i = 0; i < 3; i++) {
        ez_settings settings = make_settings(topics[i], 0.1f, i % 2, 0.01f);
        check_shape("words", &shape, &settings, i == 2 ? MANY : TWO | MANY_SPARSE | THREE_SPARSE);
    }
}

/* As many tokens of a word in one topic as an entry holds, one more, and many more; beside words of
 * fewer tokens. */
TEST(words_of_65535_tokens_and_more)
{
    static const struct {
        const char *docs;
        uint32_t words, topics;
    } cases[] = {{"255x514", 2, 20},
                 {"256x512", 2, 20},
                 {"250x600 40x9 1x3", 2, 5},
                 {"250x300 40x9 1x3", 1, 5000}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ez_token_list *tokens = one_word_documents(check_context(), cases[i].docs, cases[i].words);
        ez_settings settings = make_settings(cases[i].topics, 0.01f, false, 0.01f);
        settings.start = EZLDA_START_KEYWORD;
        check_ways("long words", tokens, settings, MANY_SPARSE);
        ez_token_list_free(tokens);
    }
    ez_settings settings = make_settings(5, 0.1f, false, 0.01f);
    check_shape("long words", &(corpus_shape){"500x150", "65536 5000 33 20", .others = 5},
                &settings, MANY_SPARSE);
}

TEST(words_in_regions)
{
    static const corpus_shape shape = {"60x60 300x12 2500", "63 64 65 127 128 129 1000 5000", 20,
                                       2};
    static const uint32_t regions[] = {1, 2, 64, 100};
    ez_token_list *tokens = crafted_tokens(check_context(), &shape);
    ez_settings settings = make_settings(30, 0.1f, false, 0.01f);
    for (uint32_t turn = 0; turn < 3 * 3 * 4; turn += brief() ? 1 + turn % 4 : 1) {
        settings.estimator = turn % 2 ? EZLDA_ESCA : EZLDA_LEAVE_ONE_OUT;
        settings.sampler = turn % 5 == 0 ? EZLDA_MANY_BRANCH : EZLDA_TWO_BRANCH;
        settings.w_format = (ezlda_w_format)(turn % 3);
        settings.balance = (ezlda_balance)(turn / 3 % 3);
        settings.region = regions[turn / 9];
        check_way("regions", tokens, &settings);
    }
    ez_token_list_free(tokens);
}

/* ---- chunks ---- */

static void note_chunks(ezlda_note_level level, const char *text, void *user)
{
    (void)level;
    static const char words[] = "passes through it in ";
    const char *at = strstr(text, words);
    if (at)
        *(uint32_t *)user = (uint32_t)strtoul(at + strlen(words), NULL, 10);
}

/* A limit of device memory that splits the corpus into at least `least` chunks; 0 if there is none.
 */
static uint64_t memory_of_chunks(ez_token_list *tokens, ez_settings settings, uint32_t least)
{
    ezlda_context *context = check_context();
    const ez_backend_ops *ops = backend_under_test();
    uint32_t chunks = 0;
    uint64_t limit = 0;
    ezlda_status status = EZLDA_OK;
    ezlda_context_set_notes(context, note_chunks, &chunks);
    while (status == EZLDA_OK && chunks < least) {
        ez_backend *backend = NULL;
        settings.device_memory = limit -= limit / 16;
        status = ops->create(&backend, context, tokens, &settings, NULL);
        ez_device_memory memory = {0};
        if (limit == 0 && backend) {
            ops->memory(backend, &memory);
            limit = memory.bytes;
        }
        ops->free(backend);
    }
    ezlda_context_set_notes(context, NULL, NULL);
    return chunks >= least ? limit : 0;
}

/* A corpus that passes through the device in chunks: documents of all kinds, and one that is so
 * long that a chunk beside it is empty. */
TEST(chunks)
{
    static const corpus_shape mixed = {"1x30 9000 40x150 0x3 5000 300x10 2500x2 1025x2",
                                       "31 33 240 241 5000 1x6", .others = 20, .unused = 2};
    static const corpus_shape uneven = {"1x20000 9000", "300x2", .others = 9};
    static const corpus_shape even = {"60x800", .others = 2};
    static const struct {
        const corpus_shape *shape;
        uint32_t topics, chunks;
        unsigned ways;
    } cases[] = {
        {&mixed, 20, 2, TWO | MANY | MANY_DENSE | MANY_SPARSE | THREE},
        {&uneven, 12, 8, TWO},
        {&mixed, 1100, 3, TWO | MANY_SPARSE},
        {&mixed, 8500, 2, MANY},
        {&even, 6, 64, TWO | MANY},
    };
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

/* ---- ties and priors ---- */

/* Documents that are all the same; from the keyword start, one topic with everything. */
TEST(ties)
{
    static const uint32_t topics[] = {8, 9, 20, 65, 1100};
    for (int i = 0; i < 5; i++)
        for (int start = EZLDA_START_KEYWORD; start <= EZLDA_START_RANDOM; start++) {
            ez_token_list *tokens = equal_documents(check_context(), "12x40 24x3", 12);
            ez_settings settings = make_settings(topics[i], 0.5f, false, 0.5f);
            settings.start = (ezlda_start)start;
            check_ways("ties", tokens, settings, topics[i] < 100 ? ALL : MANY | MANY_SPARSE);
            ez_token_list_free(tokens);
        }
}

TEST(priors_at_their_limits)
{
    static const corpus_shape shape = {"1x60 7x60 100x3 2100", .others = 25};
    static const float limits[] = {1e-6f, 0.01f, 100};
    for (int i = 0; i < 9; i++) {
        ez_settings settings = make_settings(i % 2 ? 12 : 100, limits[i % 3], false, limits[i / 3]);
        check_shape("priors", &shape, &settings, TWO | MANY | MANY_SPARSE | THREE);
        settings = make_settings(i % 2 ? 12 : 100, 0.1f, true, limits[i / 3]);
        check_shape("uneven priors", &shape, &settings, MANY_DENSE | 1 << i % WAYS);
    }
}

/* Alpha so small that its integers are coarse: the margin of floating bounds must cover that, or
 * nothing is decided. */
TEST(alpha_that_bounds_must_allow_for)
{
    static const float alphas[] = {1e-10f, 3e-10f, 1e-9f, 3e-9f};
    for (int i = 0; i < 4; i++) {
        ez_settings settings = make_settings(i % 2 ? 12 : 5, alphas[i], false, 0.01f);
        check_shape("tiny alpha", &(corpus_shape){"1x4000 2x200 30x3", .others = 9}, &settings,
                    MANY | MANY_SPARSE | THREE);
    }
}

/* Weights of four bits, as if documents were very long: draws fall on every boundary of their
 * lines. */
TEST(coarse_weights)
{
    static const corpus_shape shape = {"1x1500 2x100 40x20 500x3 2500", "400x2", .others = 40};
    static const struct {
        uint32_t topics;
        float alpha, beta;
    } cases[] = {{3, 1e-4f, 0.5f},   {3, 0.3f, 0.01f},    {12, 1e-4f, 100},     {12, 0.3f, 0.5f},
                 {40, 1e-3f, 0.01f}, {40, 1e-4f, 100},    {1100, 1e-3f, 0.01f}, {1100, 1e-4f, 100},
                 {8500, 1e-4f, 100}, {8500, 1e-3f, 0.01f}};
    for (int i = 0; i < 10; i++) {
        ez_settings settings =
            make_settings(cases[i].topics, cases[i].alpha, i % 4 == 3, cases[i].beta);
        settings.priors.alpha_sum = 0x1p44;
        check_shape("coarse weights", &shape, &settings,
                    i < 8 ? TWO | MANY | MANY_SPARSE | THREE : MANY);
    }
}

/* A bound in floating point that is off in its last bits decides one token of some millions
 * wrongly. Documents of one token leave nothing else open. */
TEST(bounds_hold_over_millions_of_draws)
{
    bool exact = strcmp(device_under_test(), "cpu") == 0;
    ez_settings settings = make_settings(12, 0.1f, false, 0.01f);
    corpus_shape shape = {exact || brief() ? "1x50000" : "1x6000000", .others = 9};
    check_shape("many draws", &shape, &settings, MANY_SPARSE);
}

/* So long that a device may try now and then whether early decisions pay: nothing but time depends
 * on that. */
TEST(many_iterations)
{
    enum { MANY_ITERATIONS = 75 };
    ez_token_list *tokens =
        crafted_tokens(check_context(), &(corpus_shape){"1x9 30x30", .others = 40});
    ez_settings settings = make_settings(20, 0.1f, false, 0.01f);
    outcome got = train(backend_under_test(), tokens, &settings, 1, MANY_ITERATIONS);
    outcome expected = train(&ez_reference_backend, tokens, &settings, 1, MANY_ITERATIONS);
    check_same(&got, &expected, &settings, "many iterations");
    ez_token_list_free(tokens);
}

TEST_MAIN()
