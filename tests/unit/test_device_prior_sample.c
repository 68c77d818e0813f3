/* The prior sample: a device gives the counts and scores that the host gives, and has W as
 * it was afterwards. */
#include "base_rows.h"
#include "device_ways.h"

#include "train/priors/held_out.h"
#include "train/priors/prior_sample_on_host.h"

enum { TURNS = 2 };

/* What a fit reads, and the topics of the run after it. */
typedef struct result {
    ez_histograms docs[TURNS];
    uint64_t *met[TURNS], *own[TURNS], *rest[TURNS];
    int64_t score;
    uint64_t hash;
    bool on_device;
} result;

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static ez_prior_sample_docs describe(const ez_prior_sample *p, const ez_held_out *held)
{
    return (ez_prior_sample_docs){
        .tokens = p->sample,
        .rest = p->rest,
        .place = (const uint64_t *)p->place.data,
        .places = p->place.used / sizeof(uint64_t),
        .dropped = (const uint64_t *)p->dropped_place.data,
        .n_dropped = p->dropped_place.used / sizeof(uint64_t),
        .observed = held->observed,
        .scored_start = held->scored_start,
        .scored = held->scored,
    };
}

/* Scales alpha from turn to turn, as a fit does. */
static ez_priors scaled(const ez_settings *s, float *alpha, float by)
{
    ez_priors priors = {.alpha = alpha, .beta = s->priors.beta * by};
    for (uint32_t k = 0; k < s->topics; k++) {
        alpha[k] = s->priors.alpha[k] * (k % 2 ? by : 1 / by);
        priors.alpha_sum += (double)alpha[k];
    }
    return priors;
}

static void fit_and_score(ez_prior_sample_fit *fit, const ez_settings *settings, result *out)
{
    ezlda_context *context = check_context();
    float *alpha = calloc(settings->topics, sizeof *alpha);
    CHECK_OK(context, fit->ops->begin(fit, context));
    for (uint32_t turn = 0; turn < TURNS; turn++) {
        ez_priors priors = scaled(settings, alpha, turn ? 4 : 1);
        ez_prior_sample_counts counts = {&out->docs[turn], calloc(EZ_COUNT_CELLS, sizeof(uint64_t)),
                                         calloc(settings->topics, sizeof(uint64_t)),
                                         calloc(settings->topics, sizeof(uint64_t))};
        CHECK_OK(context, ez_histograms_init(counts.docs, context, settings->topics));
        CHECK_OK(context, fit->ops->sample(fit, context, &priors, turn * 3, 3));
        CHECK_OK(context, fit->ops->counts(fit, context, &counts));
        if (counts.docs->docs_more.used)
            qsort(counts.docs->docs_more.data, counts.docs->docs_more.used / 8, 8, by_value);
        out->met[turn] = counts.met;
        out->own[turn] = counts.own;
        out->rest[turn] = counts.rest;
    }
    ez_priors priors = scaled(settings, alpha, 2);
    CHECK_OK(context, fit->ops->score(fit, context, &priors, &out->score));
    CHECK_OK(context, fit->ops->end(fit, context));
    free(alpha);
}

/* Two iterations, then a fit, twice. */
static void train_and_fit(const ez_backend_ops *ops, ez_token_list *tokens,
                          const ez_settings *settings, result *out)
{
    ezlda_context *context = check_context();
    ez_backend *backend = NULL;
    ez_prior_sample sample = {0};
    ez_held_out held = {0};
    ez_prior_sample_fit *fit = NULL;
    ez_iteration done;
    uint16_t *topic = calloc(tokens->tokens + 1, sizeof *topic);
    *out = (result){0};
    CHECK_OK(context, ez_prior_sample_init(&sample, context, tokens, settings));
    CHECK_OK(context, ez_held_out_init(&held, context, &sample, settings->seed));
    ez_prior_sample_docs docs = describe(&sample, &held);
    CHECK_OK(context, ops->create(&backend, context, tokens, settings, NULL));
    CHECK_OK(context, ops->start(backend, context));
    for (uint32_t i = 1; i <= 4; i++) {
        CHECK_OK(context, ops->iterate(backend, context, i, &done));
        if (i % 2)
            continue;
        for (int turn = 0; i > 2 && turn < TURNS; turn++) {
            ez_histograms_free(&out->docs[turn]);
            free(out->met[turn]);
            free(out->own[turn]);
            free(out->rest[turn]);
        }
        if (!fit && ops->prior_sample)
            CHECK_OK(context, ops->prior_sample(backend, context, &docs, &fit));
        out->on_device = out->on_device || (fit && i == 2);
        if (!fit)
            CHECK_OK(context,
                     ez_prior_sample_on_host(&fit, context, backend, tokens, settings, &docs));
        fit_and_score(fit, settings, out);
    }
    CHECK_OK(context, ops->iterate(backend, context, 5, &done));
    CHECK_OK(context, ops->topics(backend, context, topic));
    out->hash = hash_topics(topic, tokens->tokens);
    fit->ops->free(fit);
    ops->free(backend);
    ez_held_out_free(&held);
    ez_prior_sample_free(&sample);
    free(topic);
}

static void free_result(result *r)
{
    for (int turn = 0; turn < TURNS; turn++) {
        ez_histograms_free(&r->docs[turn]);
        free(r->met[turn]);
        free(r->own[turn]);
        free(r->rest[turn]);
    }
}

static void check_equal(const result *got, const result *expected, uint32_t topics)
{
    for (int turn = 0; turn < TURNS; turn++) {
        const ez_histograms *g = &got->docs[turn], *e = &expected->docs[turn];
        CHECK(memcmp(g->docs, e->docs, (size_t)topics * EZ_HISTOGRAM_CELLS * sizeof *g->docs) == 0);
        CHECK_EQ(g->docs_more.used, e->docs_more.used);
        CHECK(g->docs_more.used == 0 ||
              memcmp(g->docs_more.data, e->docs_more.data, g->docs_more.used) == 0);
        CHECK(memcmp(got->met[turn], expected->met[turn], EZ_COUNT_CELLS * sizeof(uint64_t)) == 0);
        CHECK(memcmp(got->own[turn], expected->own[turn], topics * sizeof(uint64_t)) == 0);
        CHECK(memcmp(got->rest[turn], expected->rest[turn], topics * sizeof(uint64_t)) == 0);
    }
    CHECK_EQ(got->score, expected->score);
    CHECK_EQ(got->hash, expected->hash);
}

static void compare(ez_token_list *tokens, ez_settings *settings, bool device_can)
{
    result expected, got;
    settings->histograms = true;
    train_and_fit(&ez_reference_backend, tokens, settings, &expected);
    CHECK(expected.score < 0);
    for (int format = 0; format < 3; format++) {
        settings->w_format = (ezlda_w_format)format;
        train_and_fit(backend_under_test(), tokens, settings, &got);
        CHECK_EQ(got.on_device, device_can && backend_under_test()->prior_sample != NULL);
        check_equal(&got, &expected, settings->topics);
        free_result(&got);
    }
    free_result(&expected);
}

TEST(the_prior_sample_is_fitted_as_on_the_host)
{
    static const random_shape shapes[] = {
        {.seed = 3, .docs = 400, .words = 900, .mean_length = 30},
        {.seed = 4, .docs = 300, .words = 120, .mean_length = 90},
    };
    static const uint32_t topics[] = {2, 7, 60, 300, 1100};
    for (size_t s = 0; s < 2; s++)
        for (size_t i = 0; i < sizeof topics / sizeof *topics; i++) {
            if (brief() && topics[i] > 300 && s > 0)
                continue;
            ez_token_list *tokens = random_tokens(check_context(), &shapes[s]);
            ez_settings settings = make_settings(topics[i], 0.1f, i % 2, 0.01f);
            compare(tokens, &settings, true);
            ez_token_list_free(tokens);
        }
}

/* The host has to: W has counts that belong to no document. */
TEST(seeds_are_left_to_the_host)
{
    random_shape shape = {.seed = 5, .docs = 300, .words = 200, .mean_length = 20};
    ez_token_list *tokens = random_tokens(check_context(), &shape);
    ez_settings settings = make_settings(9, 0.1f, false, 0.01f);
    base_rows base = make_base(tokens->words, 9, 3, 2, 30);
    settings.base = &base.counts;
    compare(tokens, &settings, false);
    free_base(&base);
    ez_token_list_free(tokens);
}

TEST_MAIN()
