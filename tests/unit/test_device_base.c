/* What the rows of W hold besides the tokens' counts, topics given to start from, priors that
 * change, histograms: a device gives what the reference gives. EZLDA_TEST_DEVICE names it. */
#include "base_rows.h"
#include "device_ways.h"

/* All ways of the device against the reference. */
static void check_all_ways(const char *what, ez_token_list *tokens, const ez_settings *settings)
{
    const ez_backend_ops *ops = backend_under_test();
    for (int estimator = 0; estimator < 2; estimator++) {
        ez_settings plain = *settings;
        plain.estimator = (ezlda_estimator)estimator;
        outcome expected = train(&ez_reference_backend, tokens, &plain, 1, ITERATIONS);
        for (int i = 0; i < WAYS; i += brief() ? 4 : 1) {
            ez_settings s = plain;
            apply_way(&s, &ways[i]);
            outcome got = train(ops, tokens, &s, 1 + i % 3, ITERATIONS);
            check_same(&got, &expected, &s, what);
        }
    }
}

static const random_shape small = {.seed = 3, .docs = 60, .words = 90, .mean_length = 40};
static const random_shape skewed = {
    .seed = 4, .docs = 30, .words = 12, .mean_length = 60, .long_document = 1500};

TEST(seeds_are_added_to_the_rows)
{
    const random_shape *shapes[] = {&small, &skewed};
    uint32_t topics[] = {7, 60, 300};
    for (int i = 0; i < 6; i++) {
        ez_token_list *tokens = random_tokens(check_context(), shapes[i % 2]);
        base_rows base = make_base(tokens->words, topics[i / 2], 4, 3, 40);
        ez_settings settings = make_settings(topics[i / 2], 0.1f, i % 3 == 0, 0.01f);
        settings.base = &base.counts;
        check_all_ways("seeds", tokens, &settings);
        free_base(&base);
        ez_token_list_free(tokens);
    }
}

TEST(fixed_rows_stay)
{
    const random_shape *shapes[] = {&small, &skewed};
    uint32_t topics[] = {7, 60, 1100};
    for (int i = 0; i < 6; i++) {
        ez_token_list *tokens = random_tokens(check_context(), shapes[i % 2]);
        base_rows base = make_base(tokens->words, topics[i / 2], 1, i < 3 ? 5 : 40, 9);
        ez_settings settings = make_settings(topics[i / 2], 0.1f, i % 3 == 0, 0.01f);
        settings.base = &base.counts;
        settings.fixed = true;
        check_all_ways("fixed", tokens, &settings);
        free_base(&base);
        ez_token_list_free(tokens);
    }
}

/* Counts that an entry does not hold. */
TEST(fixed_rows_of_large_counts)
{
    ez_token_list *drawn = random_tokens(check_context(), &small);
    uint64_t *frequency = calloc(drawn->words, sizeof *frequency);
    for (uint32_t v = 0; v < drawn->words; v++)
        frequency[v] = 200000 - v * (uint64_t)2000;
    ez_token_list *tokens = part_of_tokens(drawn, 0, drawn->docs, frequency);
    base_rows base = make_base(tokens->words, 60, 1, 1, 1);
    for (uint32_t v = 0; v < tokens->words; v++)
        base.count[base.start[v]] = (uint32_t)frequency[v];
    ez_settings settings = make_settings(60, 0.1f, false, 0.01f);
    settings.base = &base.counts;
    settings.fixed = true;
    check_all_ways("large counts", tokens, &settings);
    free(frequency);
    free_base(&base);
    ez_token_list_free(drawn);
    ez_token_list_free(tokens);
}

static uint16_t *sampled(const ez_token_list *tokens, const ez_settings *settings, uint16_t *out)
{
    ezlda_context *context = check_context();
    const ez_backend_ops *ops = backend_under_test();
    ez_backend *backend = NULL;
    ez_iteration done;
    CHECK_OK(context, ops->create(&backend, context, (ez_token_list *)tokens, settings, NULL));
    CHECK_OK(context, ops->start(backend, context));
    for (uint32_t i = 1; i <= 3; i++)
        CHECK_OK(context, ops->iterate(backend, context, i, &done));
    CHECK_OK(context, ops->topics(backend, context, out));
    ops->free(backend);
    return out + tokens->tokens;
}

/* Documents in two parts, words ordered by frequencies that are not theirs, give what they give
 * together. */
TEST(parts_are_sampled_as_the_whole)
{
    enum { TOPICS = 20 };
    ez_token_list *drawn = random_tokens(check_context(), &small);
    uint64_t *frequency = calloc(drawn->words, sizeof *frequency), half = drawn->docs / 3;
    for (uint32_t v = 0; v < drawn->words; v++)
        frequency[v] = ez_mix(v) % 50;
    ez_token_list *whole = part_of_tokens(drawn, 0, drawn->docs, frequency);
    ez_token_list *one = part_of_tokens(drawn, 0, half, frequency),
                  *two = part_of_tokens(drawn, half, drawn->docs, frequency);
    base_rows base = make_base(whole->words, TOPICS, 1, 4, 9);
    uint16_t *given = calloc(whole->tokens, sizeof *given),
             *expected = calloc(whole->tokens, sizeof *expected),
             *got = calloc(whole->tokens, sizeof *got);
    for (uint64_t i = 0; i < whole->tokens; i++)
        given[i] = (uint16_t)(ez_mix(i) % TOPICS);
    ez_settings settings = make_settings(TOPICS, 0.1f, false, 0.01f);
    settings.base = &base.counts;
    settings.fixed = true;
    settings.start_topics = given;
    sampled(whole, &settings, expected);
    uint16_t *rest = sampled(one, &settings, got);
    settings.start_topics = given + one->tokens;
    sampled(two, &settings, rest);
    CHECK(memcmp(got, expected, whole->tokens * sizeof *got) == 0);
    CHECK(memcmp(given, expected, whole->tokens * sizeof *got) != 0);
    free(frequency);
    free(given);
    free(expected);
    free(got);
    free_base(&base);
    ez_token_list_free(drawn);
    ez_token_list_free(whole);
    ez_token_list_free(one);
    ez_token_list_free(two);
}

/* Places in sparse rows have 32 bits on a GPU. */
TEST(sparse_rows_beyond_32_bits_are_refused)
{
    ezlda_context *context = check_context();
    const ez_backend_ops *ops = backend_under_test();
    if (strcmp(ops->name, "cuda") != 0)
        return;
    const random_shape shape = {.seed = 5, .docs = 10, .words = 70000, .mean_length = 20};
    ez_token_list *drawn = random_tokens(context, &shape);
    uint64_t *frequency = calloc(drawn->words, sizeof *frequency);
    for (uint32_t v = 0; v < drawn->words; v++)
        frequency[v] = 65000;
    ez_token_list *tokens = part_of_tokens(drawn, 0, drawn->docs, frequency);
    ez_settings settings = make_settings(20, 0.1f, false, 0.01f);
    settings.w_format = EZLDA_W_SPARSE;
    ez_backend *backend = NULL;
    CHECK_FAILS(context, ops->create(&backend, context, tokens, &settings, NULL),
                "sparse rows of W have 4550000000 entries and cuda takes at most 4294967295");
    free(frequency);
    ez_token_list_free(drawn);
    ez_token_list_free(tokens);
}

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static void check_lists(ez_buffer *a, ez_buffer *b, const char *what)
{
    if (a->used != b->used) {
        CHECK_FAIL("%s: %zu large counts, expected %zu", what, a->used / 8, b->used / 8);
        return;
    }
    if (a->used == 0)
        return;
    qsort(a->data, a->used / 8, 8, by_value);
    qsort(b->data, b->used / 8, 8, by_value);
    CHECK(memcmp(a->data, b->data, a->used) == 0);
}

/* Histograms after two iterations, then other priors and two more: the topics' hash. */
static uint64_t fit(const ez_backend_ops *ops, ez_token_list *tokens, ez_settings *settings,
                    ez_histograms *out)
{
    ezlda_context *context = check_context();
    ez_backend *backend = NULL;
    ez_iteration done;
    uint16_t *topic = calloc(tokens->tokens + 1, sizeof *topic);
    CHECK_OK(context, ops->create(&backend, context, tokens, settings, NULL));
    CHECK_OK(context, ops->start(backend, context));
    for (uint32_t i = 1; i <= 2; i++)
        CHECK_OK(context, ops->iterate(backend, context, i, &done));
    CHECK_OK(context, ez_histograms_init(out, context, settings->topics));
    CHECK_OK(context, ops->histograms(backend, context, out));
    double sum = settings->priors.alpha_sum;
    for (uint32_t k = 0; k < settings->topics; k++)
        prior_alpha[k] *= k % 2 ? 30 : 0.5f;
    settings->priors.alpha_sum = 0;
    for (uint32_t k = 0; k < settings->topics; k++)
        settings->priors.alpha_sum += (double)prior_alpha[k];
    settings->priors.beta *= 3;
    CHECK_OK(context, ops->priors(backend, context, &settings->priors));
    for (uint32_t i = 3; i <= 4; i++)
        CHECK_OK(context, ops->iterate(backend, context, i, &done));
    CHECK_OK(context, ops->topics(backend, context, topic));
    uint64_t hash = hash_topics(topic, tokens->tokens);
    for (uint32_t k = 0; k < settings->topics; k++)
        prior_alpha[k] /= k % 2 ? 30 : 0.5f;
    settings->priors.alpha_sum = sum;
    settings->priors.beta /= 3;
    ops->free(backend);
    free(topic);
    return hash;
}

TEST(histograms_and_changing_priors)
{
    const random_shape *shapes[] = {&small, &skewed};
    uint32_t topics[] = {3, 60, 1100, 5};
    for (int i = 0; i < 4; i++) {
        random_shape shape = *shapes[i % 2];
        shape.long_document = i == 3 ? 140000 : shape.long_document;
        ez_token_list *tokens = random_tokens(check_context(), &shape);
        ez_settings settings = make_settings(topics[i], 0.1f, false, 0.01f);
        base_rows base = make_base(tokens->words, topics[i], 3, 2, 30);
        settings.base = i % 2 ? &base.counts : NULL;
        settings.histograms = true;
        ez_histograms expected, got;
        uint64_t hash = fit(&ez_reference_backend, tokens, &settings, &expected);
        for (int format = 0; format < 3; format++) {
            settings.w_format = (ezlda_w_format)format;
            CHECK_EQ(fit(backend_under_test(), tokens, &settings, &got), hash);
            CHECK(memcmp(got.docs, expected.docs,
                         (size_t)topics[i] * EZ_HISTOGRAM_CELLS * sizeof *got.docs) == 0);
            CHECK(memcmp(got.words, expected.words, EZ_COUNT_CELLS * sizeof *got.words) == 0);
            CHECK(memcmp(got.topic_tokens, expected.topic_tokens,
                         topics[i] * sizeof *got.topic_tokens) == 0);
            check_lists(&got.docs_more, &expected.docs_more, "documents");
            ez_histograms_free(&got);
        }
        ez_histograms_free(&expected);
        free_base(&base);
        ez_token_list_free(tokens);
    }
}

TEST_MAIN()
