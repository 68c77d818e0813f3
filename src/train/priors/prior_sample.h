/* The prior sample: documents that are removed from W for a while, to find the priors that suit
 * documents that W was not trained on. Documents that W was trained on look simpler than they are:
 * their rare words keep the topics that they once got. */
#ifndef EZ_PRIOR_SAMPLE_H
#define EZ_PRIOR_SAMPLE_H

#include "backend/backend.h"

typedef struct ez_prior_sample {
    ez_token_list *tokens; /* those of the run */
    ez_buffer place; /* uint64_t: the sample's tokens of this rank, as places among all tokens of
                        this rank */
    ez_buffer dropped_place; /* the same of dropped tokens */
    uint64_t *rest;          /* words: tokens in all other documents */
    uint64_t dropped;        /* tokens of words that only the sample has, in all ranks */
    /* The sample's documents of all ranks. Words are numbered as in the run's list; tokens of words
     * that only the sample has are dropped. NULL if there are too few documents. */
    ez_token_list *sample;
} ez_prior_sample;

/* Zero-initialise before; free also on failure. */
ezlda_status ez_prior_sample_init(ez_prior_sample *p, ezlda_context *context, ez_token_list *tokens,
                                  const ez_settings *settings);
void ez_prior_sample_free(ez_prior_sample *p);

#endif
