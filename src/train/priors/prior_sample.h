/* The prior sample: documents that are removed from W for a while, to find the priors that suit
 * documents that W was not trained on. Documents that W was trained on look simpler than they are:
 * their rare words keep the topics that they once got. */
#ifndef EZ_PRIOR_SAMPLE_H
#define EZ_PRIOR_SAMPLE_H

#include "backend/backend.h"
#include "infer/model_base.h"

typedef struct ez_prior_sample {
    ez_token_list *tokens; /* those of the run */
    ez_buffer place;  /* uint64_t: the sample's tokens of this rank, as places among all tokens of
                         this rank */
    uint64_t *rest;   /* words: tokens in all other documents */
    uint64_t dropped; /* tokens of words that only the sample has, in all ranks */
    /* The sample's documents of all ranks. Words are numbered as in the run's list; tokens of words
     * that only the sample has are dropped. NULL if there are too few documents. */
    ez_token_list *sample;
} ez_prior_sample;

/* Zero-initialise before; free also on failure. */
ezlda_status ez_prior_sample_init(ez_prior_sample *p, ezlda_context *context, ez_token_list *tokens,
                                  const ez_settings *settings);
void ez_prior_sample_free(ez_prior_sample *p);

/* The sample, fitted to a W that does not contain it. */
typedef struct ez_prior_sample_run {
    ez_settings settings;
    ez_model_base base;
    uint16_t *start;
    ez_backend *backend; /* on the CPU; its topics are drawn from the words' counts */
} ez_prior_sample_run;

/* Uses the counts of the run's backend, and these priors. Zero-initialise before; close also on
 * failure. */
ezlda_status ez_prior_sample_open(ez_prior_sample_run *run, const ez_prior_sample *p,
                                  ezlda_context *context, ez_backend *backend,
                                  const ez_settings *settings, const ez_priors *priors);
/* Makes steps towards the beta with which the counts of the other documents predict the sample's
 * tokens best, given their current topics. Words that only the sample has count, too. */
ezlda_status ez_prior_sample_beta(const ez_prior_sample_run *run, const ez_prior_sample *p,
                                  ezlda_context *context, int steps, float *beta);
void ez_prior_sample_close(ez_prior_sample_run *run);

#endif
