/* A score on documents that W does not contain: the documents of the prior sample, half of whose
 * tokens are predicted from the other half. Training LLPT rises while a model overfits; this score
 * does not. It is a sum of integers, the same on every device. */
#ifndef EZ_HELD_OUT_H
#define EZ_HELD_OUT_H

#include "train/priors/prior_sample.h"

typedef struct ez_held_out {
    ez_token_list *observed; /* half of the sample's tokens; NULL: there is no score */
    uint64_t *scored_start;  /* documents+1: places in `scored` */
    uint32_t *scored;        /* relabelled words of the other half, by document */
} ez_held_out;

/* Zero-initialise before; free also on failure. Without a sample there is no score. */
ezlda_status ez_held_out_init(ez_held_out *held, ezlda_context *context, const ez_prior_sample *p,
                              uint64_t seed);
void ez_held_out_free(ez_held_out *held);

/* Infers the observed half from a W without the sample (run->base) with these priors. *score is the
 * mean of log2 p(word | document) over the other half. */
ezlda_status ez_held_out_score(const ez_held_out *held, ezlda_context *context,
                               const ez_prior_sample_run *run, const ez_priors *priors,
                               double *score);

#endif
