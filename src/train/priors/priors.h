/* Fits the priors to the counts (Minka's fixed point, from integer histograms), and to a sample of
 * documents that is removed from them (prior_sample.h). */
#ifndef EZ_PRIORS_H
#define EZ_PRIORS_H

#include "train/priors/beta_fit.h"
#include "train/priors/count_tails.h"
#include "train/priors/held_out.h"

enum { EZ_LENGTH_CELLS = 4096 };

/* How often each length occurs. */
typedef struct ez_lengths {
    uint64_t cell[EZ_LENGTH_CELLS]; /* how many documents have that many tokens */
    ez_buffer longer;               /* uint64_t: lengths from EZ_LENGTH_CELLS on */
} ez_lengths;

/* What a fit does. Priors that the caller has given stay as they are. */
typedef struct ez_prior_plan {
    bool alpha, beta; /* fit them */
    bool symmetric;   /* the fitted alpha is the same for all topics */
    bool score;       /* compute the held-out score, if there is a sample */
} ez_prior_plan;

static inline bool ez_prior_plan_fits(const ez_prior_plan *plan)
{
    return plan->alpha || plan->beta;
}

/* Whether there is anything to do. */
static inline bool ez_prior_plan_checks(const ez_prior_plan *plan)
{
    return ez_prior_plan_fits(plan) || plan->score;
}

typedef struct ez_prior_fit {
    ez_prior_plan plan;
    ez_histograms histograms;           /* histograms of all documents, then of the sample */
    ez_count_tails tails;               /* tails of these histograms */
    double *sums;                       /* topics: sums over the tails */
    ez_lengths lengths, sample_lengths; /* lengths of all documents, and of the sample */
    ez_prior_sample sample;
    ez_held_out held_out;
    ez_prior_sample_docs docs;       /* the sample, as its fit reads it */
    ez_prior_sample_fit *sample_fit; /* opened at the first fit */
    ez_prior_sample_counts counts;   /* counts of the sample */
    double *shape;                   /* topics: alpha divided by its sum, as fitted to the counts */
    uint32_t words;
} ez_prior_fit;

/* Zero-initialise before; free also on failure. */
ezlda_status ez_prior_fit_init(ez_prior_fit *fit, ezlda_context *context, ez_token_list *tokens,
                               const ez_settings *settings, const ez_prior_plan *plan);
/* Fits new priors, for the caller (alpha is the array that priors->alpha points to) and for the
 * backend. number: 1 for the first fit of a run. The sample takes longer than the counts, so the
 * priors change at fits 1, 2, 3, 4, 6, 8, 12, ... only. If there are too few documents for a
 * sample, every fit changes them, from the counts alone. *score: the held-out score with the new
 * priors; NAN if none was computed. */
ezlda_status ez_prior_fit_run(ez_prior_fit *fit, ezlda_context *context, ez_backend *backend,
                              const ez_settings *settings, ez_priors *priors, float *alpha,
                              uint32_t number, double *score);
/* Fits the priors that a model keeps, for documents to come: as above, but beta, too, is fitted to
 * the sample. A run does not use that beta, because it is so small that words hardly leave a topic.
 * There must be a sample. */
ezlda_status ez_prior_fit_close(ez_prior_fit *fit, ezlda_context *context, ez_backend *backend,
                                const ez_settings *settings, ez_priors *priors, float *alpha);
/* Call it before the backend is freed. */
void ez_prior_fit_free(ez_prior_fit *fit);

#endif
