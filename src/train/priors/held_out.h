/* The two halves of the prior sample's tokens: the topics of one half are inferred from a W without
 * the sample, and predict the other half. Training LLPT rises while a model overfits; this score
 * does not. backend/prior_sample_fit.h computes it. */
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

#endif
