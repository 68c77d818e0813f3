/* How close the samplers are to the exact posterior, on corpora drawn from the prior: collapsed
 * Gibbs sampling passes the test, and the library's synchronous samplers differ from it by the
 * figures that docs/arithmetic.md states. */
#include "check.h"

#include "backend_outcome.h"
#include "simulated_prior.h"

enum { BURN_IN = 40, APART = 10 };

static const sim_shape small = {8, 10, 20, 2, 0.5, 0.2}, larger = {32, 40, 20, 2, 0.5, 0.2};

static ez_token_list *tokens_of(const simulation *s)
{
    ezlda_context *context = check_context();
    uint64_t *start = NULL;
    uint32_t *word = NULL;
    ez_token_list *list = NULL;
    CHECK_OK(context, ez_array(&start, context, s->shape.docs + 1, sizeof *start, "starts"));
    CHECK_OK(context, ez_array(&word, context, s->tokens, sizeof *word, "words"));
    for (uint32_t d = 0; d <= s->shape.docs; d++)
        start[d] = (uint64_t)d * s->shape.length;
    memcpy(word, s->word, s->tokens * sizeof *word);
    CHECK_OK(context,
             ez_token_list_create(&list, context, s->shape.docs, s->shape.words, start, word));
    CHECK_OK(context, ez_token_list_index(list, context));
    return list;
}

/* The library's sampler, started from the topics of a simulation. */
typedef struct chain {
    ez_token_list *tokens;
    ez_settings settings;
    ez_backend *backend;
    float alpha[SIM_TOPICS];
    uint16_t start[SIM_TOKENS];
    uint32_t iteration;
} chain;

static void chain_open(chain *c, const ez_backend_ops *ops, const simulation *s,
                       ezlda_estimator estimator, uint64_t seed)
{
    ezlda_context *context = check_context();
    ezlda_context_set_threads(context, 1);
    *c = (chain){.tokens = tokens_of(s)};
    for (uint32_t k = 0; k < s->shape.topics; k++)
        c->alpha[k] = (float)s->shape.alpha;
    memcpy(c->start, s->topic, sizeof c->start);
    c->settings = (ez_settings){.topics = s->shape.topics,
                                .seed = seed,
                                .priors = {.alpha = c->alpha,
                                           .alpha_sum = s->shape.alpha * s->shape.topics,
                                           .beta = (float)s->shape.beta},
                                .estimator = estimator,
                                .start_topics = c->start};
    CHECK_OK(context, ops->create(&c->backend, context, c->tokens, &c->settings, NULL));
    CHECK_OK(context, ops->start(c->backend, context));
}

static void chain_run(chain *c, simulation *s, uint32_t iterations)
{
    ezlda_context *context = check_context();
    const ez_backend_ops *ops = c->backend->ops;
    ez_iteration done;
    while (iterations-- > 0)
        CHECK_OK(context, ops->iterate(c->backend, context, ++c->iteration, &done));
    CHECK_OK(context, ops->topics(c->backend, context, s->topic));
    sim_count(s);
}

static void chain_close(chain *c)
{
    c->backend->ops->free(c->backend);
    ez_token_list_free(c->tokens);
}

/* The estimator that simulations run, or collapsed Gibbs sampling. */
enum { GIBBS = -1 };

static void simulate(calibration *all, const sim_shape *shape, int estimator, uint64_t seed)
{
    static simulation s;
    double truth[FIGURES], sample[FIGURES][SIM_SAMPLES], now[FIGURES];
    chain c;
    sim_draw(&s, shape, seed);
    sim_figures(&s, truth);
    if (estimator != GIBBS)
        chain_open(&c, &ez_cpu_backend, &s, (ezlda_estimator)estimator, seed);
    for (uint32_t i = 0; i < SIM_SAMPLES; i++) {
        uint32_t steps = i ? APART : BURN_IN;
        if (estimator != GIBBS)
            chain_run(&c, &s, steps);
        while (estimator == GIBBS && steps-- > 0)
            sim_gibbs(&s);
        sim_figures(&s, now);
        for (int j = 0; j < FIGURES; j++)
            sample[j][i] = now[j];
    }
    for (int j = 0; j < FIGURES; j++)
        calibration_add(&all[j], truth[j], sample[j], sim_uniform(&s));
    if (estimator != GIBBS)
        chain_close(&c);
}

static void calibrate(calibration *all, const sim_shape *shape, int estimator, uint32_t simulations)
{
    memset(all, 0, FIGURES * sizeof *all);
    for (uint32_t i = 0; i < simulations; i++)
        simulate(all, shape, estimator, i);
}

/* The CPU's figures are those of every device that draws the same topics. */
static bool figures_wanted(void)
{
    return strcmp(device_under_test(), "cpu") == 0 && !brief();
}

/* Scores have deviation 1 if a sampler is exact; chi-squares have mean SIM_SAMPLES and deviation
 * sqrt(2 * SIM_SAMPLES). */
static bool passes(const calibration *c)
{
    return fabs(calibration_score(c)) < 4 &&
           calibration_chi_square(c) < SIM_SAMPLES + 5 * sqrt(2.0 * SIM_SAMPLES);
}

TEST(the_exact_sampler_passes)
{
    calibration all[FIGURES];
    for (int turn = 0; figures_wanted() && turn < 2; turn++) {
        calibrate(all, turn ? &larger : &small, GIBBS, turn ? 100 : 1000);
        for (int i = 0; i < FIGURES; i++)
            if (!passes(&all[i]))
                CHECK_FAIL("%s: %+.1f standard errors, chi-square %.1f", figure_names[i],
                           calibration_score(&all[i]), calibration_chi_square(&all[i]));
    }
}

/* What the page states: by how much the mean of a figure differs from the exact one, and the
 * deviation within a chain in shares of that of the exact sampler. */
typedef struct stated {
    double docs, words, spread;
} stated;

/* Deterministic; the tolerance only lets the statement be round. */
static void check_stated(const sim_shape *shape, int estimator, uint32_t n, const stated *expected)
{
    calibration exact[FIGURES], all[FIGURES];
    calibrate(exact, shape, GIBBS, n);
    calibrate(all, shape, estimator, n);
    CHECK(!passes(&all[FIGURE_DOCS]));
    CHECK_NEAR(all[FIGURE_DOCS].shift / n, expected->docs, 0.005);
    CHECK_NEAR(all[FIGURE_WORDS].shift / n, expected->words, 0.005);
    CHECK_NEAR(sqrt(all[FIGURE_DOCS].within / exact[FIGURE_DOCS].within), expected->spread, 0.05);
}

TEST(leave_one_out_differs_as_stated)
{
    if (figures_wanted()) {
        check_stated(&small, EZLDA_LEAVE_ONE_OUT, 1000, &(stated){0.046, -0.05, 0.85});
        check_stated(&larger, EZLDA_LEAVE_ONE_OUT, 100, &(stated){0.006, -0.007, 0.75});
    }
}

TEST(esca_differs_as_stated)
{
    if (figures_wanted()) {
        check_stated(&small, EZLDA_ESCA, 1000, &(stated){0.012, 0.002, 0.8});
        check_stated(&larger, EZLDA_ESCA, 100, &(stated){-0.012, 0.021, 0.72});
    }
}

static uint64_t hash_of_chain(const ez_backend_ops *ops, const sim_shape *shape, int estimator,
                              uint64_t seed)
{
    static simulation s;
    chain c;
    sim_draw(&s, shape, seed);
    chain_open(&c, ops, &s, (ezlda_estimator)estimator, seed);
    chain_run(&c, &s, brief() ? 3 : BURN_IN);
    chain_close(&c);
    return hash_topics(s.topic, s.tokens);
}

/* The figures hold for every backend, because all draw the same topics. */
TEST(every_backend_draws_these_topics)
{
    for (int turn = 0; turn < (brief() ? 4 : 20); turn++) {
        const sim_shape *shape = turn / 2 % 2 ? &larger : &small;
        uint64_t expected =
            hash_of_chain(&ez_reference_backend, shape, turn % 2, (uint64_t)turn / 2);
        for (int set = 0; set < SETS; set++) {
            if (!runs_here(instruction_sets[set]))
                continue;
            setenv("EZLDA_SIMD", instruction_sets[set], 1);
            uint64_t got = hash_of_chain(backend_under_test(), shape, turn % 2, (uint64_t)turn / 2);
            CHECK_EQ(got, expected);
        }
    }
    unsetenv("EZLDA_SIMD");
}

TEST_MAIN()
