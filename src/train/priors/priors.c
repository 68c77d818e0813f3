/* Minka's fixed point for alpha and beta: steps on histograms of the counts, and on the prior
 * sample. */
#include "train/priors/priors.h"

#include "numeric/digamma.h"

#include <math.h>
#include <stdlib.h>

/* Steps of the fixed point per fit: the counts change before it would be reached. */
enum { EZ_PRIOR_STEPS = 5 };

/* The fit to the sample: turns, iterations per turn, and steps of alpha and of beta per turn. */
enum { EZ_SAMPLE_TURNS = 3, EZ_SAMPLE_ITERATIONS = 10, EZ_SAMPLE_STEPS = 20 };

static const double EZ_PRIOR_MIN = 1e-6, EZ_PRIOR_MAX = 100;

/* A Gamma prior on alpha keeps topics without a token usable: shape and 1/scale. */
static const double EZ_ALPHA_SHAPE = 1.001, EZ_ALPHA_RATE = 1;

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* The sum of digamma(count + a) - digamma(a) over the counts of a histogram, cells [1, n). The
 * difference at count c is the sum of 1 / (a + j), j < c. */
static double cells_sum(const uint64_t *cell, int n, double a)
{
    uint64_t above = 0;
    double sum = 0;
    for (int c = 1; c < n; c++)
        above += cell[c];
    for (int j = 0; above > 0 && j + 1 < n; j++) {
        sum += (double)above / (a + j);
        above -= cell[j + 1];
    }
    return sum;
}

static double listed_sum(const uint64_t *count, size_t n, double a)
{
    double sum = 0, from = ez_digamma(a);
    for (size_t i = 0; i < n; i++)
        sum += ez_digamma((double)(count[i] & UINT32_MAX) + a) - from;
    return sum;
}

typedef struct measuring {
    ez_lengths *lengths;
    ezlda_context *context;
} measuring;

static ezlda_status count_lengths(ez_token_list *tokens, uint64_t before, void *user)
{
    const measuring *m = user;
    (void)before;
    for (uint64_t d = 0; d < tokens->docs; d++) {
        uint64_t length = tokens->doc_start[d + 1] - tokens->doc_start[d];
        if (length < EZ_LENGTH_CELLS)
            m->lengths->cell[length]++;
        else
            EZ_TRY(ez_buffer_append(&m->lengths->longer, m->context, &length, sizeof length));
    }
    return EZLDA_OK;
}

ezlda_status ez_prior_fit_init(ez_prior_fit *fit, ezlda_context *context, ez_token_list *tokens,
                               const ez_settings *settings, const ez_prior_plan *plan)
{
    fit->words = tokens->words;
    fit->plan = *plan;
    measuring all = {&fit->lengths, context}, sample = {&fit->sample_lengths, context};
    EZ_TRY(ez_each_list(tokens, settings->source, context, count_lengths, &all));
    EZ_TRY(ez_group_sum64(settings->group, context, fit->lengths.cell, EZ_LENGTH_CELLS));
    EZ_TRY(ez_group_join(settings->group, context, &fit->lengths.longer));
    EZ_TRY(ez_prior_sample_init(&fit->sample, context, tokens, settings));
    if (fit->sample.sample)
        EZ_TRY(count_lengths(fit->sample.sample, 0, &sample));
    if (plan->score)
        EZ_TRY(ez_held_out_init(&fit->held_out, context, &fit->sample, settings->seed));
    EZ_TRY(ez_array(&fit->shape, context, settings->topics, sizeof *fit->shape, "the priors"));
    return ez_histograms_init(&fit->histograms, context, settings->topics);
}

void ez_prior_fit_free(ez_prior_fit *fit)
{
    ez_histograms_free(&fit->histograms);
    ez_prior_sample_free(&fit->sample);
    ez_held_out_free(&fit->held_out);
    ez_free(fit->shape);
    ez_free(fit->lengths.longer.data);
    ez_free(fit->sample_lengths.longer.data);
}

static double clamp(double x)
{
    return x < EZ_PRIOR_MIN ? EZ_PRIOR_MIN : x > EZ_PRIOR_MAX ? EZ_PRIOR_MAX : x;
}

/* The denominator of a step of alpha: the sum over the lengths of documents. */
static double lengths_sum(const ez_lengths *lengths, double alpha_sum)
{
    return cells_sum(lengths->cell, EZ_LENGTH_CELLS, alpha_sum) +
           listed_sum((const uint64_t *)lengths->longer.data,
                      lengths->longer.used / sizeof(uint64_t), alpha_sum);
}

/* The numerator of a step of alpha: the sum over the counts of one topic. Its large counts begin at
 * *at in their list, which moves on to those of the next topic. */
static double topic_sum(const ez_histograms *h, uint32_t k, size_t *at, double alpha)
{
    const uint64_t *more = (const uint64_t *)h->docs_more.data;
    size_t all = h->docs_more.used / sizeof *more, first = *at;
    while (*at < all && more[*at] >> 32 == k)
        ++*at;
    const uint64_t *own =
        *at > first ? more + first : NULL; /* `more` is NULL if there are none at all */
    return cells_sum(h->docs + (size_t)k * EZ_HISTOGRAM_CELLS, EZ_HISTOGRAM_CELLS, alpha) +
           listed_sum(own, *at - first, alpha);
}

static double sum_of(const float *alpha, uint32_t topics)
{
    double sum = 0;
    for (uint32_t k = 0; k < topics; k++)
        sum += (double)alpha[k];
    return sum;
}

static void step_alpha(const ez_prior_fit *fit, float *alpha)
{
    uint32_t topics = fit->histograms.topics;
    double top = 0, below = lengths_sum(&fit->lengths, sum_of(alpha, topics));
    size_t at = 0;
    for (uint32_t k = 0; k < topics; k++) {
        double part = (double)alpha[k] * topic_sum(&fit->histograms, k, &at, (double)alpha[k]);
        top += part;
        if (!fit->plan.symmetric)
            alpha[k] = (float)clamp((part + EZ_ALPHA_SHAPE) / (below + EZ_ALPHA_RATE));
    }
    for (uint32_t k = 0; fit->plan.symmetric && k < topics; k++)
        alpha[k] = (float)clamp((top + EZ_ALPHA_SHAPE) / topics / (below + EZ_ALPHA_RATE));
}

/* The two parts of alpha: one in the shape that the counts have, and one that is the same for every
 * topic. */
typedef struct blend {
    double shaped, even;
} blend;

static void blend_alpha(const ez_prior_fit *fit, const blend *sums, float *alpha)
{
    uint32_t topics = fit->histograms.topics;
    for (uint32_t k = 0; k < topics; k++)
        alpha[k] = (float)clamp(sums->shaped * fit->shape[k] + sums->even / topics);
}

/* One step of the two sums, fitted to the topics of the sample's documents: Minka's bound is a
 * product of powers of the alphas, to which each part contributes its share. */
static void step_blend(const ez_prior_fit *fit, blend *sums, float *alpha)
{
    uint32_t topics = fit->histograms.topics;
    double shaped = 0, even = 0, below = lengths_sum(&fit->sample_lengths, sum_of(alpha, topics));
    size_t at = 0;
    for (uint32_t k = 0; k < topics; k++) {
        double sum = topic_sum(&fit->histograms, k, &at, (double)alpha[k]);
        shaped += fit->shape[k] * sum;
        even += sum / topics;
    }
    sums->shaped *= shaped / below;
    sums->even *= even / below;
    blend_alpha(fit, sums, alpha);
}

static float step_beta(const ez_prior_fit *fit, float beta)
{
    const ez_histograms *h = &fit->histograms;
    double b = (double)beta, all = b * fit->words, below = 0, from = ez_digamma(all);
    double top =
        cells_sum(h->words, EZ_HISTOGRAM_CELLS, b) +
        listed_sum((const uint64_t *)h->words_more.data, h->words_more.used / sizeof(uint64_t), b);
    for (uint32_t k = 0; k < h->topics; k++)
        below += ez_digamma((double)h->topic_tokens[k] + all) - from;
    return below > 0 ? (float)clamp(b * top / (fit->words * below)) : beta;
}

static void sort_list(ez_buffer *list)
{
    if (list->used)
        qsort(list->data, list->used / sizeof(uint64_t), sizeof(uint64_t), by_value);
}

static ezlda_status get_histograms(ez_prior_fit *fit, ezlda_context *context, ez_backend *backend,
                                   ezlda_group *group)
{
    EZ_TRY(backend->ops->histograms(backend, context, &fit->histograms));
    EZ_TRY(ez_histograms_sum_ranks(&fit->histograms, context, group));
    sort_list(&fit->histograms.docs_more);
    sort_list(&fit->histograms.words_more);
    return EZLDA_OK;
}

/* Fits alpha and beta to the sample: its topics, the two sums and beta in turns. */
static ezlda_status take_turns(ez_prior_fit *fit, ezlda_context *context,
                               const ez_prior_sample_run *run, blend *sums, float *alpha,
                               float *beta)
{
    ez_iteration done;
    uint32_t iteration = 0, topics = run->settings.topics;
    for (int turn = 0; turn < EZ_SAMPLE_TURNS; turn++) {
        for (int i = 0; i < EZ_SAMPLE_ITERATIONS; i++)
            EZ_TRY(run->backend->ops->iterate(run->backend, context, ++iteration, &done));
        EZ_TRY(get_histograms(fit, context, run->backend, NULL));
        for (int i = 0; i < EZ_SAMPLE_STEPS && fit->plan.alpha; i++)
            step_blend(fit, sums, alpha);
        if (fit->plan.beta)
            EZ_TRY(ez_prior_sample_beta(run, &fit->sample, context, EZ_SAMPLE_STEPS, beta));
        *beta = (float)clamp((double)*beta);
        ez_priors own = {alpha, sum_of(alpha, topics), *beta};
        EZ_TRY(run->backend->ops->priors(run->backend, context, &own));
    }
    return EZLDA_OK;
}

/* Begins with one half of alpha in the shape of the counts, and the other half even. */
static void begin_blend(ez_prior_fit *fit, ez_priors *priors, blend *sums, float *alpha)
{
    uint32_t topics = fit->histograms.topics;
    *sums = (blend){priors->alpha_sum / 2, priors->alpha_sum / 2};
    for (uint32_t k = 0; k < topics; k++)
        fit->shape[k] = (double)alpha[k] / priors->alpha_sum;
    blend_alpha(fit, sums, alpha);
    priors->alpha_sum = sum_of(alpha, topics);
}

/* Uses the sample: fits the priors to it, and scores it. */
static ezlda_status use_sample(ez_prior_fit *fit, ezlda_context *context, ez_backend *backend,
                               const ez_settings *settings, ez_priors *priors, float *alpha,
                               float *beta, double *score)
{
    ez_prior_sample_run run = {0};
    blend sums = {0};
    ezlda_status status;
    if (fit->plan.alpha)
        begin_blend(fit, priors, &sums, alpha);
    EZ_TRY_GOTO(ez_prior_sample_open(&run, &fit->sample, context, backend, settings, priors));
    if (ez_prior_plan_fits(&fit->plan))
        EZ_TRY_GOTO(take_turns(fit, context, &run, &sums, alpha, beta));
    if (fit->held_out.observed) {
        ez_priors fitted = {alpha, sum_of(alpha, settings->topics), *beta};
        EZ_TRY_GOTO(ez_held_out_score(&fit->held_out, context, &run, &fitted, score));
    }
done:
    ez_prior_sample_close(&run);
    return status;
}

/* 1, 2, 3, 4, 6, 8, 12, ... */
static bool is_sample_due(uint32_t number)
{
    while (number > 0 && number % 2 == 0)
        number /= 2;
    return number == 1 || number == 3;
}

/* *beta: the one fitted to the sample, if there is one; else the one fitted to the counts. */
static ezlda_status fit_both(ez_prior_fit *fit, ezlda_context *context, ez_backend *backend,
                             const ez_settings *settings, ez_priors *priors, float *alpha,
                             float *beta, double *score)
{
    *score = NAN;
    if (ez_prior_plan_fits(&fit->plan))
        EZ_TRY(get_histograms(fit, context, backend, settings->group));
    for (int i = 0; i < EZ_PRIOR_STEPS; i++) {
        if (fit->plan.alpha)
            step_alpha(fit, alpha);
        if (fit->plan.beta)
            priors->beta = step_beta(fit, priors->beta);
    }
    priors->alpha_sum = sum_of(alpha, settings->topics);
    *beta = priors->beta;
    if (fit->sample.sample)
        EZ_TRY(use_sample(fit, context, backend, settings, priors, alpha, beta, score));
    priors->alpha_sum = sum_of(alpha, settings->topics);
    return EZLDA_OK;
}

ezlda_status ez_prior_fit_run(ez_prior_fit *fit, ezlda_context *context, ez_backend *backend,
                              const ez_settings *settings, ez_priors *priors, float *alpha,
                              uint32_t number, double *score)
{
    float for_new; /* documents: the run continues with the beta of the counts */
    *score = NAN;
    if (fit->sample.sample && !is_sample_due(number))
        return EZLDA_OK;
    EZ_TRY(fit_both(fit, context, backend, settings, priors, alpha, &for_new, score));
    return backend->ops->priors(backend, context, priors);
}

ezlda_status ez_prior_fit_close(ez_prior_fit *fit, ezlda_context *context, ez_backend *backend,
                                const ez_settings *settings, ez_priors *priors, float *alpha)
{
    float for_new;
    double score;
    EZ_TRY(fit_both(fit, context, backend, settings, priors, alpha, &for_new, &score));
    priors->beta = for_new;
    return backend->ops->priors(backend, context, priors);
}
