/* A sample of documents that are taken out of W for a while, to find the priors that suit documents
 * which W has not learnt from. Those that it has learnt from look simpler than they are: their rare
 * words keep the topics that they once got. */
#ifndef EZ_PRIOR_SAMPLE_H
#define EZ_PRIOR_SAMPLE_H

#include "backend/backend.h"
#include "infer/model_base.h"

typedef struct ez_prior_sample {
    ez_token_list *tokens; /* the training's */
    ez_buffer place;  /* uint64_t: the sample's tokens that are there, by their places among all of
                         this member */
    uint64_t *rest;   /* words: tokens in all other documents */
    uint64_t dropped; /* tokens of words that the sample alone has, of all members */
    /* Of all members of a group. Words are numbered as relabelled in the training's list; those of
     * the sample alone are dropped. NULL where there are too few documents. */
    ez_token_list *sample;
} ez_prior_sample;

/* Zero-initialise before; free also on failure. */
ezlda_status ez_prior_sample_init(ez_prior_sample *left, ezlda_context *context,
                                  ez_token_list *tokens, const ez_settings *settings);
void ez_prior_sample_free(ez_prior_sample *left);

/* The sample meets W without it. */
typedef struct ez_prior_sample_run {
    ez_settings settings;
    ez_model_base base;
    uint16_t *start;
    ez_backend *backend; /* on the CPU; its topics are drawn from the words' counts */
} ez_prior_sample_run;

/* Uses the counts of the run's backend, and these priors. Zero-initialise before; close also on
 * failure. */
ezlda_status ez_prior_sample_open(ez_prior_sample_run *run, const ez_prior_sample *left,
                                  ezlda_context *context, ez_backend *backend,
                                  const ez_settings *settings, const ez_priors *priors);
/* Steps towards the beta with which the counts of the other documents predict the sample's tokens
 * best, given their topics as they are now; words that only the sample has are among them. */
ezlda_status ez_prior_sample_beta(const ez_prior_sample_run *run, const ez_prior_sample *left,
                                  ezlda_context *context, int steps, float *beta);
void ez_prior_sample_close(ez_prior_sample_run *run);

#endif
