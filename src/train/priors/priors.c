/* Minka's fixed point for alpha and beta: steps on histograms of the counts, and on the prior
 * sample. */
#include "train/priors/priors.h"

#include "numeric/digamma.h"
#include "sampler/log2_fixed.h"
#include "train/priors/prior_sample_on_host.h"

#include <math.h>

/* Steps of the fixed point per fit: the counts change before it would be reached. */
enum { EZ_PRIOR_STEPS = 5 };

/* The fit to the sample: turns, iterations per turn, and steps of alpha and of beta per turn. */
enum { EZ_SAMPLE_TURNS = 3, EZ_SAMPLE_ITERATIONS = 10, EZ_SAMPLE_STEPS = 20 };

static const double EZ_PRIOR_MIN = 1e-6, EZ_PRIOR_MAX = 100;

/* A Gamma prior on alpha keeps topics without a token usable: shape and 1/scale. */
static const double EZ_ALPHA_SHAPE = 1.001, EZ_ALPHA_RATE = 1;

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

/* Describes the sample as the backend leaves it out. */
static void describe_sample(ez_prior_fit *fit)
{
    const ez_prior_sample *p = &fit->sample;
    fit->docs = (ez_prior_sample_docs){
        .tokens = p->sample,
        .rest = p->rest,
        .place = (const uint64_t *)(const void *)p->place.data,
        .places = p->place.used / sizeof(uint64_t),
        .dropped = (const uint64_t *)(const void *)p->dropped_place.data,
        .n_dropped = p->dropped_place.used / sizeof(uint64_t),
        .observed = fit->held_out.observed,
        .scored_start = fit->held_out.scored_start,
        .scored = fit->held_out.scored,
    };
}

static ezlda_status allocate(ez_prior_fit *fit, ezlda_context *context, uint32_t topics)
{
    static const char what[] = "the priors";
    ez_prior_sample_counts *counts = &fit->counts;
    counts->docs = &fit->histograms;
    EZ_TRY(ez_array(&fit->shape, context, topics, sizeof *fit->shape, what));
    EZ_TRY(ez_array(&fit->sums, context, topics, sizeof *fit->sums, what));
    EZ_TRY(ez_array(&counts->met, context, EZ_COUNT_CELLS, sizeof *counts->met, what));
    EZ_TRY(ez_array(&counts->own, context, topics, sizeof *counts->own, what));
    EZ_TRY(ez_array(&counts->rest, context, topics, sizeof *counts->rest, what));
    EZ_TRY(ez_count_tails_init(&fit->tails, context, topics));
    return ez_histograms_init(&fit->histograms, context, topics);
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
    describe_sample(fit);
    return allocate(fit, context, settings->topics);
}

void ez_prior_fit_free(ez_prior_fit *fit)
{
    if (fit->sample_fit)
        fit->sample_fit->ops->free(fit->sample_fit);
    ez_histograms_free(&fit->histograms);
    ez_count_tails_free(&fit->tails);
    ez_prior_sample_free(&fit->sample);
    ez_held_out_free(&fit->held_out);
    ez_free(fit->sums);
    ez_free(fit->shape);
    ez_free(fit->counts.met);
    ez_free(fit->counts.own);
    ez_free(fit->counts.rest);
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
    const ez_buffer *longer = &lengths->longer;
    double sum = ez_cells_sum(lengths->cell, EZ_LENGTH_CELLS, alpha_sum);
    return longer->used ? sum + ez_listed_sum((const uint64_t *)(const void *)longer->data,
                                              longer->used / sizeof(uint64_t), alpha_sum)
                        : sum;
}

static double sum_of(const float *alpha, uint32_t topics)
{
    double sum = 0;
    for (uint32_t k = 0; k < topics; k++)
        sum += (double)alpha[k];
    return sum;
}

static void step_alpha(const ez_prior_fit *fit, ezlda_context *context, float *alpha)
{
    uint32_t topics = fit->histograms.topics;
    double top = 0, below = lengths_sum(&fit->lengths, sum_of(alpha, topics));
    ez_count_tails_sum(&fit->tails, context, alpha, fit->sums);
    for (uint32_t k = 0; k < topics; k++) {
        double part = (double)alpha[k] * fit->sums[k];
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
static void step_blend(const ez_prior_fit *fit, ezlda_context *context, blend *sums, float *alpha)
{
    uint32_t topics = fit->histograms.topics;
    double shaped = 0, even = 0, below = lengths_sum(&fit->sample_lengths, sum_of(alpha, topics));
    ez_count_tails_sum(&fit->tails, context, alpha, fit->sums);
    for (uint32_t k = 0; k < topics; k++) {
        shaped += fit->shape[k] * fit->sums[k];
        even += fit->sums[k] / topics;
    }
    sums->shaped *= shaped / below;
    sums->even *= even / below;
    blend_alpha(fit, sums, alpha);
}

/* The sum of digamma(count + b) - digamma(b) over the counts of W. */
static double words_sum(const ez_histograms *h, double b)
{
    double sum = 0, through = 0, from = ez_digamma(b);
    for (uint32_t i = 1; i < EZ_COUNT_CELLS; i++) {
        if (i < EZ_HISTOGRAM_CELLS)
            through += 1 / (b + (i - 1));
        if (h->words[i] > 0)
            sum += (double)h->words[i] * (i < EZ_HISTOGRAM_CELLS
                                              ? through
                                              : ez_digamma((double)ez_cell_count(i) + b) - from);
    }
    return sum;
}

static float step_beta(const ez_prior_fit *fit, float beta)
{
    const ez_histograms *h = &fit->histograms;
    double b = (double)beta, all = b * fit->words, below = 0, from = ez_digamma(all);
    double top = words_sum(h, b);
    for (uint32_t k = 0; k < h->topics; k++)
        below += ez_digamma((double)h->topic_tokens[k] + all) - from;
    return below > 0 ? (float)clamp(b * top / (fit->words * below)) : beta;
}

static ezlda_status get_histograms(ez_prior_fit *fit, ezlda_context *context, ez_backend *backend,
                                   ezlda_group *group)
{
    EZ_TRY(backend->ops->histograms(backend, context, &fit->histograms));
    EZ_TRY(ez_histograms_sum_ranks(&fit->histograms, context, group));
    return ez_count_tails_make(&fit->tails, context, &fit->histograms);
}

/* Fits alpha and beta to the sample: its topics, the two sums and beta in turns. */
static ezlda_status take_turns(ez_prior_fit *fit, ezlda_context *context, blend *sums, float *alpha,
                               float *beta)
{
    ez_prior_sample_fit *sample = fit->sample_fit;
    uint32_t topics = fit->histograms.topics;
    ez_beta_sizes sizes = {topics, fit->words, fit->sample.sample->tokens, fit->sample.dropped};
    for (uint32_t turn = 0; turn < EZ_SAMPLE_TURNS; turn++) {
        ez_priors priors = {alpha, sum_of(alpha, topics), *beta};
        EZ_TRY(sample->ops->sample(sample, context, &priors, turn * EZ_SAMPLE_ITERATIONS,
                                   EZ_SAMPLE_ITERATIONS));
        EZ_TRY(sample->ops->counts(sample, context, &fit->counts));
        EZ_TRY(ez_count_tails_make(&fit->tails, context, &fit->histograms));
        for (int i = 0; i < EZ_SAMPLE_STEPS && fit->plan.alpha; i++)
            step_blend(fit, context, sums, alpha);
        if (fit->plan.beta)
            *beta = ez_beta_fit(&fit->counts, &sizes, EZ_SAMPLE_STEPS, *beta);
        *beta = (float)clamp((double)*beta);
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

/* The held-out score with these priors. */
static ezlda_status score_sample(ez_prior_fit *fit, ezlda_context *context, const ez_priors *priors,
                                 double *score)
{
    int64_t sum;
    EZ_TRY(fit->sample_fit->ops->score(fit->sample_fit, context, priors, &sum));
    *score = (double)sum / (double)(1 << EZ_LOG2_BITS) /
             (double)fit->held_out.scored_start[fit->held_out.observed->docs];
    return EZLDA_OK;
}

/* Opens the prior sample on the backend if it can, else on the host. */
static ezlda_status open_sample_fit(ez_prior_fit *fit, ezlda_context *context, ez_backend *backend,
                                    const ez_settings *settings)
{
    if (!fit->sample_fit && backend->ops->prior_sample)
        EZ_TRY(backend->ops->prior_sample(backend, context, &fit->docs, &fit->sample_fit));
    return fit->sample_fit ? EZLDA_OK
                           : ez_prior_sample_on_host(&fit->sample_fit, context, backend,
                                                     fit->sample.tokens, settings, &fit->docs);
}

/* Uses the sample: fits the priors to it, and scores it. */
static ezlda_status use_sample(ez_prior_fit *fit, ezlda_context *context, ez_backend *backend,
                               const ez_settings *settings, ez_priors *priors, float *alpha,
                               float *beta, double *score)
{
    blend sums = {0};
    if (fit->plan.alpha)
        begin_blend(fit, priors, &sums, alpha);
    EZ_TRY(open_sample_fit(fit, context, backend, settings));
    EZ_TRY(fit->sample_fit->ops->begin(fit->sample_fit, context));
    if (ez_prior_plan_fits(&fit->plan))
        EZ_TRY(take_turns(fit, context, &sums, alpha, beta));
    if (fit->held_out.observed) {
        ez_priors fitted = {alpha, sum_of(alpha, settings->topics), *beta};
        EZ_TRY(score_sample(fit, context, &fitted, score));
    }
    return fit->sample_fit->ops->end(fit->sample_fit, context);
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
            step_alpha(fit, context, alpha);
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
