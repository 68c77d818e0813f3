/* Histograms of counts in the form that Minka's fixed point reads: for each topic, how many counts
 * exceed 0, 1, 2, ... A step of alpha then costs one division per number. */
#ifndef EZ_COUNT_TAILS_H
#define EZ_COUNT_TAILS_H

#include "backend/histograms.h"

/* A count, and how often it occurs. */
typedef struct ez_repeated_count {
    uint32_t count, times;
} ez_repeated_count;

typedef struct ez_count_tails {
    uint32_t topics;
    double *above;   /* topics * EZ_HISTOGRAM_CELLS: counts above 0, 1, ... */
    uint32_t *cells; /* topics: how many of these are not 0 */
    /* Counts from EZ_HISTOGRAM_CELLS on, by topic, ascending, each once. */
    size_t *large_start; /* topics+1: places in `large` */
    uint32_t *large_n;   /* topics: how many of the places are in use */
    ez_repeated_count *large;
    size_t room;
} ez_count_tails;

/* Zero-initialise before; free also on failure. */
ezlda_status ez_count_tails_init(ez_count_tails *tails, ezlda_context *context, uint32_t topics);
ezlda_status ez_count_tails_make(ez_count_tails *tails, ezlda_context *context,
                                 const ez_histograms *h);
void ez_count_tails_free(ez_count_tails *tails);

/* sum[k] becomes the sum of digamma(count + alpha[k]) - digamma(alpha[k]) over the counts of topic
 * k: below EZ_HISTOGRAM_CELLS as the sum of 1 / (alpha[k] + j), j below the count. */
void ez_count_tails_sum(const ez_count_tails *tails, ezlda_context *context, const float *alpha,
                        double *sum);

/* The same for one histogram, cells [1, n), or a list of counts in their lower 32 bits. */
double ez_cells_sum(const uint64_t *cell, int n, double a);
double ez_listed_sum(const uint64_t *count, size_t n, double a);

#endif
