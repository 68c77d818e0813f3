/* The prior sample, documents removed from W to fit priors on: which documents it has, that their
 * tokens are not in the counts, and that the fitted beta predicts them best. */
#include "device_ways.h"

#include <math.h>

#include "train/priors/beta_fit.h"
#include "train/priors/prior_sample.h"
#include "train/priors/prior_sample_on_host.h"
#include "train/priors/priors.h"
#include "train/priors/rest_rows.h"

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
    ez_prior_sample sample;
    ez_prior_sample_docs docs;
    ez_rest_rows rest;
} meeting;

static void meet(meeting *m)
{
    ezlda_context *context = check_context();
    *m = (meeting){.tokens = random_tokens(context, &many_words)};
    m->settings = make_settings(TOPICS, 0.1f, true, 0.01f);
    m->topic = calloc(m->tokens->tokens, sizeof *m->topic);
    m->backend = trained(m->tokens, &m->settings, m->topic);
    CHECK_OK(context, ez_prior_sample_init(&m->sample, context, m->tokens, &m->settings));
    m->docs = (ez_prior_sample_docs){
        .tokens = m->sample.sample,
        .rest = m->sample.rest,
        .place = (const uint64_t *)m->sample.place.data,
        .places = m->sample.place.used / sizeof(uint64_t),
        .dropped = (const uint64_t *)m->sample.dropped_place.data,
        .n_dropped = m->sample.dropped_place.used / sizeof(uint64_t),
    };
    CHECK_OK(context,
             ez_rest_rows_make(&m->rest, context, m->backend, m->tokens, &m->settings, &m->docs));
}

static void part(meeting *m)
{
    free(m->topic);
    ez_rest_rows_free(&m->rest);
    ez_prior_sample_free(&m->sample);
    m->backend->ops->free(m->backend);
    ez_token_list_free(m->tokens);
}

TEST(the_sample_meets_the_counts_of_the_others_alone)
{
    meeting m;
    meet(&m);
    ez_token_list *tokens = m.tokens;
    const uint16_t *topic = m.topic;
    ez_prior_sample sample = m.sample;
    uint64_t tokens_of[TOPICS] = {0};
    uint8_t *occurs = calloc(tokens->words, 1);
    CHECK(sample.sample->docs > 20 && sample.sample->docs < 60);
    uint32_t *expected = calloc((size_t)tokens->words * TOPICS, sizeof *expected), dropped = 0;
    for (uint64_t i = 0; i < tokens->tokens; i++) {
        expected[(size_t)tokens->word[i] * TOPICS + topic[i]] += sample.rest[tokens->word[i]] > 0;
        tokens_of[topic[i]] += sample.rest[tokens->word[i]] > 0;
    }
    for (size_t i = 0; i < sample.sample->tokens; i++) {
        uint64_t at = ((const uint64_t *)sample.place.data)[i];
        CHECK_EQ(sample.sample->original[sample.sample->word[i]], tokens->word[at]);
        expected[(size_t)tokens->word[at] * TOPICS + topic[at]]--;
        tokens_of[topic[at]]--;
        occurs[sample.sample->word[i]] = 1;
    }
    for (uint32_t r = 0; r < tokens->words; r++) {
        const ez_base_counts *base = &m.rest.base.counts;
        uint32_t *row = expected + (size_t)sample.sample->original[r] * TOPICS;
        if (!occurs[r])
            CHECK_EQ(base->start[r], base->start[r + 1]);
        for (uint64_t i = base->start[r]; i < base->start[r + 1]; i++) {
            CHECK_EQ(base->count[i], row[base->topic[i]]);
            row[base->topic[i]] = 0;
        }
        for (uint32_t k = 0; k < TOPICS && occurs[r]; k++)
            CHECK_EQ(row[k], 0u);
        dropped += sample.rest[r] == 0;
    }
    CHECK(memcmp(tokens_of, m.rest.topic_tokens, sizeof tokens_of) == 0);
    CHECK(dropped > 10);
    free(expected);
    free(occurs);
    part(&m);
}

/* Bits that the sample's tokens take, given their topics, with phi of the others' counts. Words
 * that no other document has are in the topics as the others are: their part of phi's lower line is
 * that of all tokens, once more. */
static double bits(const meeting *m, const ez_prior_sample_counts *counts, double beta)
{
    double upper = 0, lower = 0, V = m->tokens->words, dropped = (double)m->sample.dropped;
    for (uint32_t i = 0; i < EZ_COUNT_CELLS; i++)
        upper += (double)counts->met[i] * log2(ez_cell_count(i) + beta);
    for (uint32_t k = 0; k < TOPICS; k++)
        lower += (double)counts->own[k] * log2((double)counts->rest[k] + V * beta);
    return lower * (1 + dropped / (double)m->sample.sample->tokens) - upper - dropped * log2(beta);
}

TEST(beta_predicts_the_sample_best)
{
    ezlda_context *context = check_context();
    meeting m;
    meet(&m);
    ez_prior_sample_fit *fit;
    ez_histograms histograms;
    uint64_t met[EZ_COUNT_CELLS], own[TOPICS], rest[TOPICS];
    ez_prior_sample_counts counts = {&histograms, met, own, rest};
    ez_beta_sizes sizes = {TOPICS, m.tokens->words, m.sample.sample->tokens, m.sample.dropped};
    CHECK_OK(context, ez_histograms_init(&histograms, context, TOPICS));
    CHECK_OK(context,
             ez_prior_sample_on_host(&fit, context, m.backend, m.tokens, &m.settings, &m.docs));
    CHECK_OK(context, fit->ops->begin(fit, context));
    CHECK_OK(context, fit->ops->sample(fit, context, &m.settings.priors, 0, 3));
    CHECK_OK(context, fit->ops->counts(fit, context, &counts));
    CHECK(m.sample.dropped > 10);
    static const float first[] = {1e-4f, 0.01f, 10};
    for (size_t i = 0; i < sizeof first / sizeof *first; i++) {
        double one = (double)ez_beta_fit(&counts, &sizes, 1, first[i]),
               beta = (double)ez_beta_fit(&counts, &sizes, 400, first[i]),
               best = bits(&m, &counts, beta);
        CHECK(best < bits(&m, &counts, beta * 1.02));
        CHECK(best < bits(&m, &counts, beta / 1.02));
        CHECK(bits(&m, &counts, one) < bits(&m, &counts, (double)first[i]));
    }
    fit->ops->free(fit);
    ez_histograms_free(&histograms);
    part(&m);
}

TEST(cells_hold_counts_with_the_same_leading_bits)
{
    static const uint32_t count[] = {0, 1, 1023, 1024, 1025, 1026, 2047, 2048, 70000, UINT32_MAX};
    for (size_t i = 0; i < sizeof count / sizeof *count; i++) {
        uint32_t cell = ez_count_cell(count[i]), least = ez_cell_count(cell);
        CHECK(cell < EZ_COUNT_CELLS);
        CHECK_EQ(ez_count_cell(least), cell);
        CHECK(least <= count[i] && count[i] - least <= count[i] / 512);
        CHECK(count[i] >= EZ_CELL_EXACT || least == count[i]);
    }
    CHECK_EQ(ez_count_cell(UINT32_MAX), (uint32_t)EZ_COUNT_CELLS - 1);
}

TEST(few_documents_have_no_sample)
{
    ezlda_context *context = check_context();
    random_shape shape = many_words;
    for (int i = 0; i < 2; i++) {
        shape.docs = i ? 256 : 255;
        ez_token_list *tokens = random_tokens(context, &shape);
        ez_settings settings = make_settings(TOPICS, 0.1f, false, 0.01f);
        ez_prior_sample sample = {0};
        CHECK_OK(context, ez_prior_sample_init(&sample, context, tokens, &settings));
        CHECK(i ? sample.sample != NULL : sample.sample == NULL);
        ez_prior_sample_free(&sample);
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
