/* Makes tails of histograms and sums over them. Sums run over ascending counts in one order, so
 * they have the same bits on any number of threads. */
#include "train/priors/count_tails.h"

#include "numeric/digamma.h"

#include <stdlib.h>
#include <string.h>

/* With fewer cells than this, threads cost more than they save. A large count costs as much as some
 * cells. */
enum { PARALLEL_CELLS = 1 << 13, CELLS_PER_COUNT = 8 };

ezlda_status ez_count_tails_init(ez_count_tails *tails, ezlda_context *context, uint32_t topics)
{
    *tails = (ez_count_tails){.topics = topics};
    EZ_TRY(ez_array(&tails->above, context, ez_product(topics, EZ_HISTOGRAM_CELLS),
                    sizeof *tails->above, "histograms"));
    EZ_TRY(ez_array(&tails->cells, context, topics, sizeof *tails->cells, "histograms"));
    EZ_TRY(ez_array(&tails->large_n, context, topics, sizeof *tails->large_n, "histograms"));
    return ez_array(&tails->large_start, context, (size_t)topics + 1, sizeof *tails->large_start,
                    "histograms");
}

void ez_count_tails_free(ez_count_tails *tails)
{
    ez_free(tails->above);
    ez_free(tails->cells);
    ez_free(tails->large_start);
    ez_free(tails->large_n);
    ez_free(tails->large);
}

static int by_count(const void *a, const void *b)
{
    const ez_repeated_count *x = a, *y = b;
    return x->count < y->count ? -1 : x->count > y->count;
}

/* Threads for this much work. */
static int threads_for(const ez_count_tails *tails, const ezlda_context *context)
{
    uint64_t cells = (uint64_t)tails->topics * EZ_HISTOGRAM_CELLS +
                     tails->large_start[tails->topics] * CELLS_PER_COUNT;
    return cells < PARALLEL_CELLS ? 1 : ez_threads(context);
}

/* Deals the list of large counts out to their topics. */
static ezlda_status deal_list(ez_count_tails *tails, ezlda_context *context, const ez_histograms *h)
{
    const uint64_t *more = (const uint64_t *)(const void *)h->docs_more.data;
    size_t n = h->docs_more.used / sizeof *more, *start = tails->large_start;
    if (n > tails->room || !tails->large) {
        ez_free(tails->large);
        tails->large = NULL;
        tails->room = 0;
        EZ_TRY(ez_array(&tails->large, context, n, sizeof *tails->large, "histograms"));
        tails->room = n;
    }
    memset(start, 0, ((size_t)tails->topics + 1) * sizeof *start);
    memset(tails->large_n, 0, tails->topics * sizeof *tails->large_n);
    for (size_t i = 0; i < n; i++)
        start[(more[i] >> 32) + 1]++;
    for (uint32_t k = 0; k < tails->topics; k++)
        start[k + 1] += start[k];
    for (size_t i = 0; i < n; i++) {
        uint32_t k = (uint32_t)(more[i] >> 32);
        tails->large[start[k] + tails->large_n[k]++] = (ez_repeated_count){(uint32_t)more[i], 1};
    }
    return EZLDA_OK;
}

/* Sorts the large counts of a topic, and joins equal ones. */
static void sort_large(ez_count_tails *tails, uint32_t k)
{
    ez_repeated_count *large = tails->large + tails->large_start[k];
    uint32_t n = tails->large_n[k], kept = 0;
    if (n == 0)
        return;
    qsort(large, n, sizeof *large, by_count);
    for (uint32_t i = 1; i < n; i++)
        if (large[i].count == large[kept].count)
            large[kept].times++;
        else
            large[++kept] = large[i];
    tails->large_n[k] = kept + 1;
}

static void make_tail(ez_count_tails *tails, const ez_histograms *h, uint32_t k)
{
    const uint64_t *cell = h->docs + (size_t)k * EZ_HISTOGRAM_CELLS;
    double *above = tails->above + (size_t)k * EZ_HISTOGRAM_CELLS;
    uint64_t left = 0;
    tails->cells[k] = 0;
    for (uint32_t c = EZ_HISTOGRAM_CELLS - 1; c > 0; c--) {
        left += cell[c];
        above[c - 1] = (double)left;
        if (left > 0 && tails->cells[k] == 0)
            tails->cells[k] = c;
    }
}

ezlda_status ez_count_tails_make(ez_count_tails *tails, ezlda_context *context,
                                 const ez_histograms *h)
{
    EZ_TRY(deal_list(tails, context, h));
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads_for(tails, context))
    for (uint32_t k = 0; k < tails->topics; k++) {
        make_tail(tails, h, k);
        sort_large(tails, k);
    }
    return EZLDA_OK;
}

double ez_listed_sum(const uint64_t *count, size_t n, double a)
{
    double sum = 0, from = ez_digamma(a);
    for (size_t i = 0; i < n; i++)
        sum += ez_digamma((double)(count[i] & UINT32_MAX) + a) - from;
    return sum;
}

double ez_cells_sum(const uint64_t *cell, int n, double a)
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

static double topic_sum(const ez_count_tails *tails, uint32_t k, double a)
{
    const double *above = tails->above + (size_t)k * EZ_HISTOGRAM_CELLS;
    const ez_repeated_count *large = tails->large + tails->large_start[k];
    double sum = 0, from = tails->large_n[k] ? ez_digamma(a) : 0;
    for (uint32_t j = 0; j < tails->cells[k]; j++)
        sum += above[j] / (a + j);
    for (uint32_t i = 0; i < tails->large_n[k]; i++)
        sum += large[i].times * (ez_digamma(large[i].count + a) - from);
    return sum;
}

void ez_count_tails_sum(const ez_count_tails *tails, ezlda_context *context, const float *alpha,
                        double *sum)
{
#pragma omp parallel for schedule(dynamic, 16) num_threads(threads_for(tails, context))
    for (uint32_t k = 0; k < tails->topics; k++)
        sum[k] = topic_sum(tails, k, (double)alpha[k]);
}
