/* Compares a device with the reference under many settings, for tests with crafted corpora: topics,
 * score and moves are equal, and decisions are those that exact bounds allow. */
#ifndef DEVICE_WAYS_H
#define DEVICE_WAYS_H

#include "backend_outcome.h"
#include "crafted_tokens.h"

enum { TOPICS_MAX = 65536 };
static float prior_alpha[TOPICS_MAX];

/* Priors; uneven: alpha differs widely from topic to topic. */
static inline ez_settings make_settings(uint32_t topics, float alpha, bool uneven, float beta)
{
    ez_settings settings = {.topics = topics,
                            .seed = 11,
                            .priors.alpha = prior_alpha,
                            .priors.beta = beta,
                            .start = EZLDA_START_RANDOM};
    for (uint32_t k = 0; k < topics; k++) {
        prior_alpha[k] = alpha * (!uneven ? 1 : k % 5 == 0 ? 300 : k % 3 == 0 ? 0.001f : 1);
        settings.priors.alpha_sum += (double)prior_alpha[k];
    }
    return settings;
}

/* Draws most tokens to the last topic. */
static inline void favour_last(ez_settings *settings)
{
    prior_alpha[settings->topics - 1] = 100;
    settings->priors.alpha_sum += 100;
}

/* Settings that must not change the result. */
typedef struct way {
    ezlda_sampler sampler;
    int g;
    ezlda_w_format w_format;
    ezlda_balance balance;
    uint32_t region;
} way;

static const way ways[] = {
    {EZLDA_TWO_BRANCH, 0, EZLDA_W_HYBRID, EZLDA_BALANCE_SPLIT, 0},
    {EZLDA_TWO_BRANCH, 0, EZLDA_W_DENSE, EZLDA_BALANCE_NONE, 0},
    {EZLDA_TWO_BRANCH, 0, EZLDA_W_SPARSE, EZLDA_BALANCE_SPLIT, 64},
    {EZLDA_MANY_BRANCH, 0, EZLDA_W_HYBRID, EZLDA_BALANCE_SPLIT, 0},
    {EZLDA_MANY_BRANCH, 3, EZLDA_W_DENSE, EZLDA_BALANCE_NONE, 0},
    {EZLDA_MANY_BRANCH, 8, EZLDA_W_SPARSE, EZLDA_BALANCE_DYNAMIC, 0},
    {EZLDA_MANY_BRANCH, 1, EZLDA_W_DENSE, EZLDA_BALANCE_SPLIT, 1},
    {EZLDA_THREE_BRANCH, 1, EZLDA_W_HYBRID, EZLDA_BALANCE_SPLIT, 64},
    {EZLDA_THREE_BRANCH, 8, EZLDA_W_SPARSE, EZLDA_BALANCE_SPLIT, 33},
};
enum { WAYS = sizeof ways / sizeof *ways, ITERATIONS = 2 };

/* Sets of ways, one bit per way. With two branches every token needs its row; with many, most
 * tokens are decided early. */
enum {
    TWO = 1 << 0,
    TWO_DENSE = 1 << 1,
    MANY = 1 << 3,
    MANY_DENSE = 1 << 4,
    MANY_SPARSE = 1 << 5,
    THREE = 1 << 7,
    THREE_SPARSE = 1 << 8,
    ALL = (1 << WAYS) - 1
};

static inline void apply_way(ez_settings *settings, const way *w)
{
    settings->sampler = w->sampler;
    settings->g = w->g;
    settings->w_format = w->w_format;
    settings->balance = w->balance;
    settings->region = w->region;
}

static inline void check_same(const outcome *got, const outcome *expected, const ez_settings *s,
                              const char *what)
{
    if (got->hash != expected->hash || got->score != expected->score ||
        got->moved != expected->moved)
        CHECK_FAIL("%s: K %u, alpha %g, beta %g, estimator %d, sampler %d, g %d, format %d, "
                   "balance %d, region %u: "
                   "hash %llx, expected %llx; score %lld, expected %lld; %llu moved, expected %llu",
                   what, s->topics, (double)s->priors.alpha[0], (double)s->priors.beta,
                   (int)s->estimator, (int)s->sampler, s->g, (int)s->w_format, (int)s->balance,
                   s->region, (unsigned long long)got->hash, (unsigned long long)expected->hash,
                   (long long)got->score, (long long)expected->score,
                   (unsigned long long)got->moved, (unsigned long long)expected->moved);
}

/* Whether the margin of a GPU's bounds is too small to show. */
static inline bool bounds_are_close(const ez_settings *s, const ez_token_list *tokens)
{
    float least = s->priors.alpha[0];
    for (uint32_t k = 1; k < s->topics; k++)
        least = s->priors.alpha[k] < least ? s->priors.alpha[k] : least;
    return ldexp((double)least,
                 EZ_ALPHA_BITS + ez_weight_bits(tokens->longest, s->priors.alpha_sum)) > 0x1p22;
}

/* The device runs first, so that it gets the corpus before anything indexes it. */
static inline void check_way(const char *what, ez_token_list *tokens, const ez_settings *settings)
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

/* Both estimators (in brief runs: the simpler one only sometimes); `which`: a bit for each way. */
static inline void check_ways(const char *what, ez_token_list *tokens, ez_settings settings,
                              unsigned which)
{
    static int turn;
    for (int estimator = EZLDA_LEAVE_ONE_OUT; estimator <= EZLDA_ESCA; estimator++)
        for (int i = 0; i < WAYS; i++)
            if (which >> i & 1 &&
                (!brief() || estimator == EZLDA_LEAVE_ONE_OUT || turn++ % 4 == 0)) {
                apply_way(&settings, &ways[i]);
                settings.estimator = (ezlda_estimator)estimator;
                check_way(what, tokens, &settings);
            }
}

/* A corpus by its shape. */
static inline void check_shape(const char *what, const corpus_shape *shape,
                               const ez_settings *settings, unsigned which)
{
    ez_token_list *tokens = crafted_tokens(check_context(), shape);
    check_ways(what, tokens, *settings, which);
    ez_token_list_free(tokens);
}

/* Rows of D that the iterations see. */
static inline row_facts facts_of(ez_token_list *tokens, const ez_settings *settings)
{
    ezlda_context *context = check_context();
    ez_backend *backend = NULL;
    ez_iteration done;
    row_facts facts = {0};
    uint16_t *topic = calloc(tokens->tokens + 1, sizeof *topic);
    CHECK_OK(context, ez_reference_backend.create(&backend, context, tokens, settings, NULL));
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

#endif
