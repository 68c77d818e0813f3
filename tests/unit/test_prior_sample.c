/* The prior sample, documents removed from W to fit priors on: which documents it has, that their
 * tokens are not in the counts, and that the fitted beta predicts them best. */
#include "device_ways.h"

#include <math.h>

#include "train/priors/prior_sample.h"
#include "train/priors/priors.h"

enum { TOPICS = 20 };

/* Most words are rare, and some are in one document alone. */
static const random_shape many_words = {.seed = 5, .docs = 600, .words = 4000, .mean_length = 25};

static ez_backend *trained(ez_token_list *tokens, const ez_settings *settings, uint16_t *topic)
{
    ezlda_context *context = check_context();
    ez_backend *backend = NULL;
    ez_iteration done;
    CHECK_OK(context, ez_cpu_backend.create(&backend, context, tokens, settings, NULL));
    CHECK_OK(context, backend->ops->start(backend, context));
    for (uint32_t i = 1; i <= 3; i++)
        CHECK_OK(context, backend->ops->iterate(backend, context, i, &done));
    CHECK_OK(context, backend->ops->topics(backend, context, topic));
    return backend;
}

/* A run whose sample is compared with the counts of the other documents. */
typedef struct meeting {
    ez_token_list *tokens;
    ez_settings settings;
    uint16_t *topic;
    ez_backend *backend;
    ez_prior_sample left;
    ez_prior_sample_run run;
} meeting;

static void meet(meeting *m)
{
    ezlda_context *context = check_context();
    *m = (meeting){.tokens = random_tokens(context, &many_words)};
    m->settings = make_settings(TOPICS, 0.1f, true, 0.01f);
    m->topic = calloc(m->tokens->tokens, sizeof *m->topic);
    m->backend = trained(m->tokens, &m->settings, m->topic);
    CHECK_OK(context, ez_prior_sample_init(&m->left, context, m->tokens, &m->settings));
    CHECK_OK(context, ez_prior_sample_open(&m->run, &m->left, context, m->backend, &m->settings,
                                           &m->settings.priors));
}

static void part(meeting *m)
{
    free(m->topic);
    ez_prior_sample_close(&m->run);
    ez_prior_sample_free(&m->left);
    m->backend->ops->free(m->backend);
    ez_token_list_free(m->tokens);
}

TEST(the_sample_meets_the_counts_of_the_others_alone)
{
    meeting m;
    meet(&m);
    ez_token_list *tokens = m.tokens;
    const uint16_t *topic = m.topic;
    ez_prior_sample left = m.left;
    ez_prior_sample_run run = m.run;
    CHECK(left.sample->docs > 20 && left.sample->docs < 60);
    uint32_t *expected = calloc((size_t)tokens->words * TOPICS, sizeof *expected), dropped = 0;
    for (uint64_t i = 0; i < tokens->tokens; i++)
        expected[(size_t)tokens->word[i] * TOPICS + topic[i]] += left.rest[tokens->word[i]] > 0;
    for (size_t i = 0; i < left.sample->tokens; i++) {
        uint64_t at = ((const uint64_t *)left.place.data)[i];
        CHECK_EQ(left.sample->original[left.sample->word[i]], tokens->word[at]);
        expected[(size_t)tokens->word[at] * TOPICS + topic[at]]--;
    }
    for (uint32_t r = 0; r < tokens->words; r++) {
        const ez_base_counts *base = &run.base.counts;
        uint32_t *row = expected + (size_t)left.sample->original[r] * TOPICS;
        for (uint64_t i = base->start[r]; i < base->start[r + 1]; i++) {
            CHECK_EQ(base->count[i], row[base->topic[i]]);
            row[base->topic[i]] = 0;
        }
        for (uint32_t k = 0; k < TOPICS; k++)
            CHECK_EQ(row[k], 0u);
        dropped += left.rest[r] == 0;
    }
    CHECK(dropped > 10);
    free(expected);
    part(&m);
}

/* Bits that the sample's tokens take, given their topics, with phi of the others' counts. Words
 * that no other document has are in the topics as the others are: their part of phi's lower line is
 * that of all tokens, once more. */
static double bits(const ez_prior_sample *left, const ez_prior_sample_run *run,
                   const uint16_t *topic, double beta)
{
    const ez_token_list *sample = left->sample;
    const ez_base_counts *base = &run->base.counts;
    double tokens[TOPICS] = {0}, upper = 0, lower = 0, V = left->tokens->words;
    for (uint64_t i = 0; i < base->start[left->tokens->words]; i++)
        tokens[base->topic[i]] += base->count[i];
    for (uint64_t i = 0; i < sample->tokens; i++) {
        double count = 0;
        for (uint64_t j = base->start[sample->word[i]]; j < base->start[sample->word[i] + 1]; j++)
            count = base->topic[j] == topic[i] ? base->count[j] : count;
        upper += log2(count + beta);
        lower += log2(tokens[topic[i]] + V * beta);
    }
    double dropped = (double)left->dropped;
    return lower * (1 + dropped / (double)sample->tokens) - upper - dropped * log2(beta);
}

TEST(beta_predicts_the_sample_best)
{
    ezlda_context *context = check_context();
    meeting m;
    meet(&m);
    CHECK_OK(context, m.run.backend->ops->topics(m.run.backend, context, m.topic));
    CHECK(m.left.dropped > 10);
    static const float first[] = {1e-4f, 0.01f, 10};
    for (size_t i = 0; i < sizeof first / sizeof *first; i++) {
        float beta = first[i], one = first[i];
        CHECK_OK(context, ez_prior_sample_beta(&m.run, &m.left, context, 1, &one));
        CHECK_OK(context, ez_prior_sample_beta(&m.run, &m.left, context, 400, &beta));
        double best = bits(&m.left, &m.run, m.topic, (double)beta);
        CHECK(best < bits(&m.left, &m.run, m.topic, (double)beta * 1.02));
        CHECK(best < bits(&m.left, &m.run, m.topic, (double)beta / 1.02));
        CHECK(bits(&m.left, &m.run, m.topic, (double)one) <
              bits(&m.left, &m.run, m.topic, (double)first[i]));
    }
    part(&m);
}

TEST(few_documents_are_not_left_out)
{
    ezlda_context *context = check_context();
    random_shape shape = many_words;
    for (int i = 0; i < 2; i++) {
        shape.docs = i ? 256 : 255;
        ez_token_list *tokens = random_tokens(context, &shape);
        ez_settings settings = make_settings(TOPICS, 0.1f, false, 0.01f);
        ez_prior_sample left = {0};
        CHECK_OK(context, ez_prior_sample_init(&left, context, tokens, &settings));
        CHECK(i ? left.sample != NULL : left.sample == NULL);
        ez_prior_sample_free(&left);
        ez_token_list_free(tokens);
    }
}

/* What the fits of these tests do. */
static const ez_prior_plan both_priors = {.alpha = true, .beta = true};

/* A fit either changes the priors or leaves everything as it is. */
TEST(fits_become_rare)
{
    ezlda_context *context = check_context();
    ez_token_list *tokens = random_tokens(context, &many_words);
    ez_settings settings = make_settings(TOPICS, 0.1f, false, 0.01f);
    settings.histograms = true;
    uint16_t *topic = calloc(tokens->tokens, sizeof *topic);
    ez_priors priors = settings.priors;
    ez_backend *backend = trained(tokens, &settings, topic);
    ez_prior_fit *fit = calloc(1, sizeof *fit);
    CHECK_OK(context, ez_prior_fit_init(fit, context, tokens, &settings, &both_priors));
    for (uint32_t number = 1; number <= 8; number++) {
        double sum = priors.alpha_sum, beta = (double)priors.beta, score;
        CHECK_OK(context, ez_prior_fit_run(fit, context, backend, &settings, &priors, prior_alpha,
                                           number, &score));
        bool is_same = priors.alpha_sum == sum && (double)priors.beta == beta;
        CHECK_EQ(is_same, number == 5 || number == 7);
    }
    ez_prior_fit_free(fit);
    free(fit);
    free(topic);
    backend->ops->free(backend);
    ez_token_list_free(tokens);
}

/* From one state: alpha is the same, beta is that of the sample and not that of the counts. */
TEST(a_model_keeps_another_beta)
{
    ezlda_context *context = check_context();
    ez_token_list *tokens = random_tokens(context, &many_words);
    double sum[2], score;
    float beta[2];
    for (int closing = 0; closing < 2; closing++) {
        ez_settings settings = make_settings(TOPICS, 0.1f, false, 0.01f);
        settings.histograms = true;
        uint16_t *topic = calloc(tokens->tokens, sizeof *topic);
        ez_priors priors = settings.priors;
        ez_backend *backend = trained(tokens, &settings, topic);
        ez_prior_fit *fit = calloc(1, sizeof *fit);
        CHECK_OK(context, ez_prior_fit_init(fit, context, tokens, &settings, &both_priors));
        if (closing)
            CHECK_OK(context,
                     ez_prior_fit_close(fit, context, backend, &settings, &priors, prior_alpha));
        else
            CHECK_OK(context, ez_prior_fit_run(fit, context, backend, &settings, &priors,
                                               prior_alpha, 1, &score));
        sum[closing] = priors.alpha_sum;
        beta[closing] = priors.beta;
        ez_prior_fit_free(fit);
        free(fit);
        free(topic);
        backend->ops->free(backend);
    }
    CHECK(sum[0] == sum[1]);
    CHECK(fabs(log((double)beta[0] / (double)beta[1])) > 0.05);
    ez_token_list_free(tokens);
}

TEST_MAIN()
