/* Makes tails of histograms and sums over them. Sums run over ascending counts in one order, so
 * they have the same bits on any number of threads. */
#include "train/priors/count_tails.h"

#include "numeric/digamma.h"

#include <stdlib.h>
#include <string.h>

/* With fewer cells than this, threads cost more than they save. */
enum { PARALLEL_CELLS = 1 << 14 };

ezlda_status ez_count_tails_init(ez_count_tails *tails, ezlda_context *context, uint32_t topics)
{
    *tails = (ez_count_tails){.topics = topics};
    EZ_TRY(ez_array(&tails->above, context, ez_product(topics, EZ_HISTOGRAM_CELLS),
                    sizeof *tails->above, "histograms"));
    EZ_TRY(ez_array(&tails->cells, context, topics, sizeof *tails->cells, "histograms"));
    return ez_array(&tails->more, context, (size_t)topics + 1, sizeof *tails->more, "histograms");
}

void ez_count_tails_free(ez_count_tails *tails)
{
    ez_free(tails->above);
    ez_free(tails->cells);
    ez_free(tails->more);
}

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* Where each topic's part of the sorted list begins. */
static void find_lists(ez_count_tails *tails, const ez_histograms *h)
{
    const uint64_t *more = (const uint64_t *)(const void *)h->docs_more.data;
    size_t n = h->docs_more.used / sizeof *more, at = 0;
    for (uint32_t k = 0; k < tails->topics; k++) {
        tails->more[k] = at;
        while (at < n && more[at] >> 32 == k)
            at++;
    }
    tails->more[tails->topics] = at;
}

/* Threads for work on `cells` cells. */
static int threads_for(const ezlda_context *context, uint64_t cells)
{
    return cells < PARALLEL_CELLS ? 1 : ez_threads(context);
}

void ez_count_tails_make(ez_count_tails *tails, ezlda_context *context, ez_histograms *h)
{
    enum { CELLS = EZ_HISTOGRAM_CELLS };
    if (h->docs_more.used)
        qsort(h->docs_more.data, h->docs_more.used / sizeof(uint64_t), sizeof(uint64_t), by_value);
    find_lists(tails, h);
#pragma omp parallel for schedule(static) \
    num_threads(threads_for(context, (uint64_t)tails->topics *CELLS))
    for (uint32_t k = 0; k < tails->topics; k++) {
        const uint64_t *cell = h->docs + (size_t)k * CELLS;
        double *above = tails->above + (size_t)k * CELLS;
        uint64_t left = 0;
        tails->cells[k] = 0;
        for (int c = CELLS - 1; c > 0; c--) {
            left += cell[c];
            above[c - 1] = (double)left;
            if (left > 0 && tails->cells[k] == 0)
                tails->cells[k] = (uint32_t)c;
        }
    }
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

void ez_count_tails_sum(const ez_count_tails *tails, ezlda_context *context, const ez_histograms *h,
                        const float *alpha, double *sum)
{
    const uint64_t *more = (const uint64_t *)(const void *)h->docs_more.data;
#pragma omp parallel for schedule(dynamic, 64) \
    num_threads(threads_for(context, (uint64_t)tails->topics *EZ_HISTOGRAM_CELLS))
    for (uint32_t k = 0; k < tails->topics; k++) {
        const double *above = tails->above + (size_t)k * EZ_HISTOGRAM_CELLS;
        double a = (double)alpha[k], cells = 0;
        for (uint32_t j = 0; j < tails->cells[k]; j++)
            cells += above[j] / (a + j);
        size_t n = tails->more[k + 1] - tails->more[k];
        sum[k] = cells + (n > 0 ? ez_listed_sum(more + tails->more[k], n, a) : 0);
    }
}
