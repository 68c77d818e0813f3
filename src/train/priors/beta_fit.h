/* Fits beta to the prior sample: the beta with which the counts of the other documents
 * predict their tokens best, given their present topics. */
#ifndef EZ_BETA_FIT_H
#define EZ_BETA_FIT_H

#include "backend/prior_sample_fit.h"

/* What does not change from fit to fit. */
typedef struct ez_beta_sizes {
    uint32_t topics, words;
    uint64_t tokens;  /* tokens of the documents, without dropped ones */
    uint64_t dropped; /* tokens of words that only the documents have */
} ez_beta_sizes;

/* Makes steps from `beta`. */
float ez_beta_fit(const ez_prior_sample_counts *counts, const ez_beta_sizes *sizes, int steps,
                  float beta);

#endif
