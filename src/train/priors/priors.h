/* Priors fitted to the counts (Minka's fixed point, from integer histograms) and to documents left
 * out of them. */
#ifndef EZ_PRIORS_H
#define EZ_PRIORS_H

#include "train/priors/prior_sample.h"

enum { EZ_LENGTH_CELLS = 4096 };

/* How often each length occurs. */
typedef struct ez_lengths {
    uint64_t cell[EZ_LENGTH_CELLS]; /* documents with so many tokens */
    ez_buffer longer;               /* uint64_t: lengths from EZ_LENGTH_CELLS on */
} ez_lengths;

typedef struct ez_prior_fit {
    ez_histograms histograms;
    ez_lengths lengths, left_out_lengths; /* of all documents, and of the sample */
    ez_prior_sample left_out;
    double *shape; /* topics: alpha over its sum, as the counts have it */
    uint32_t words;
    bool symmetric;
} ez_prior_fit;

/* Zero-initialise before; free also on failure. */
ezlda_status ez_prior_fit_init(ez_prior_fit *fit, ezlda_context *context, ez_token_list *tokens,
                               const ez_settings *settings, bool symmetric);
/* Fits new priors, for the caller (alpha is the array that priors->alpha points to) and for the
 * backend. number:
 * 1 for the first fit of a training. Documents left out take longer than the counts do: they are
 * asked at fits 1, 2, 3, 4, 6, 8, 12, ..., and nothing changes between. Where there are too few
 * documents for a sample, each fit is to the counts. */
ezlda_status ez_prior_fit_run(ez_prior_fit *fit, ezlda_context *context, ez_backend *backend,
                              const ez_settings *settings, ez_priors *priors, float *alpha,
                              uint32_t number);
/* The priors that a model keeps, for documents to come: as above, but beta, too, is the one for
 * documents left out. Topics learnt with it are worse: it is so small that words hardly leave a
 * topic. Some documents must be left out. */
ezlda_status ez_prior_fit_close(ez_prior_fit *fit, ezlda_context *context, ez_backend *backend,
                                const ez_settings *settings, ez_priors *priors, float *alpha);
void ez_prior_fit_free(ez_prior_fit *fit);

#endif
