#include "train/priors.h"

#include "base/digamma.h"

#include <stdlib.h>

/* Steps of the fixed point at a time: the counts change before it would be reached. */
enum { EZ_PRIOR_STEPS = 5 };

static const double EZ_PRIOR_MIN = 1e-6, EZ_PRIOR_MAX = 100;

/* A Gamma prior on alpha keeps topics without a token in play: shape and 1/scale. */
static const double EZ_ALPHA_SHAPE = 1.001, EZ_ALPHA_RATE = 1;

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* Sum of digamma(count + a) - digamma(a) over what a histogram holds: cells [1, n). The difference at count c is the
 * sum of 1 / (a + j), j < c. */
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

ezlda_status ez_prior_fit_init(ez_prior_fit *fit, ezlda_context *context, const ez_token_list *tokens, uint32_t topics,
                               bool symmetric)
{
    fit->words = tokens->words;
    fit->symmetric = symmetric;
    for (uint64_t d = 0; d < tokens->docs; d++) {
        uint64_t length = tokens->doc_start[d + 1] - tokens->doc_start[d];
        if (length < EZ_LENGTH_CELLS)
            fit->lengths[length]++;
        else
            EZ_TRY(ez_buffer_append(&fit->longer, context, &length, sizeof length));
    }
    return ez_histograms_init(&fit->histograms, context, topics);
}

void ez_prior_fit_free(ez_prior_fit *fit)
{
    ez_histograms_free(&fit->histograms);
    ez_free(fit->longer.data);
}

static double clamp(double x)
{
    return x < EZ_PRIOR_MIN ? EZ_PRIOR_MIN : x > EZ_PRIOR_MAX ? EZ_PRIOR_MAX : x;
}

/* The documents' part of all topics. */
static double lengths_sum(const ez_prior_fit *fit, double alpha_sum)
{
    return cells_sum(fit->lengths, EZ_LENGTH_CELLS, alpha_sum) +
           listed_sum((const uint64_t *)fit->longer.data, fit->longer.used / sizeof(uint64_t), alpha_sum);
}

/* ... and of one topic, whose large counts are `more`. */
static double topic_sum(const ez_prior_fit *fit, uint32_t k, const uint64_t *more, size_t n, double alpha)
{
    return cells_sum(fit->histograms.docs + (size_t)k * EZ_HISTOGRAM_CELLS, EZ_HISTOGRAM_CELLS, alpha) +
           listed_sum(more, n, alpha);
}

static void step_alpha(const ez_prior_fit *fit, float *alpha)
{
    const uint64_t *more = (const uint64_t *)fit->histograms.docs_more.data;
    size_t all = fit->histograms.docs_more.used / sizeof *more, at = 0;
    double sum = 0, top = 0;
    uint32_t topics = fit->histograms.topics;
    for (uint32_t k = 0; k < topics; k++)
        sum += (double)alpha[k];
    double below = lengths_sum(fit, sum);
    for (uint32_t k = 0; k < topics; k++) {
        size_t first = at;
        while (at < all && more[at] >> 32 == k)
            at++;
        const uint64_t *own = at > first ? more + first : NULL; /* `more` is NULL where there are none at all */
        double part = (double)alpha[k] * topic_sum(fit, k, own, at - first, (double)alpha[k]);
        top += part;
        if (!fit->symmetric)
            alpha[k] = (float)clamp((part + EZ_ALPHA_SHAPE) / (below + EZ_ALPHA_RATE));
    }
    for (uint32_t k = 0; fit->symmetric && k < topics; k++)
        alpha[k] = (float)clamp((top + EZ_ALPHA_SHAPE) / topics / (below + EZ_ALPHA_RATE));
}

static float step_beta(const ez_prior_fit *fit, float beta)
{
    const ez_histograms *h = &fit->histograms;
    double b = (double)beta, all = b * fit->words, below = 0, from = ez_digamma(all);
    double top = cells_sum(h->words, EZ_HISTOGRAM_CELLS, b) +
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

ezlda_status ez_prior_fit_run(ez_prior_fit *fit, ezlda_context *context, ez_backend *backend, ez_settings *settings,
                              float *alpha)
{
    EZ_TRY(backend->ops->histograms(backend, context, &fit->histograms));
    sort_list(&fit->histograms.docs_more);
    sort_list(&fit->histograms.words_more);
    for (int i = 0; i < EZ_PRIOR_STEPS; i++) {
        step_alpha(fit, alpha);
        settings->beta = step_beta(fit, settings->beta);
    }
    settings->alpha_sum = 0;
    for (uint32_t k = 0; k < settings->topics; k++)
        settings->alpha_sum += (double)alpha[k];
    return backend->ops->priors(backend, context);
}
