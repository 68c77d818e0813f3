/* Fits the prior sample on the device, where the counts are (backend/prior_sample_fit.h). */
#ifndef EZ_CUDA_PRIOR_SAMPLE_H
#define EZ_CUDA_PRIOR_SAMPLE_H

#include "backend/cuda/cuda_state.h"
#include "backend/prior_sample_fit.h"

/* first_token: tokens of this rank before each shard. The first shard, which like every other has
 * all of W, does the work. *out stays NULL if the host has to: if a shard passes through its device
 * in chunks, if there are seed words, if a document is too long for a row of D with one entry per
 * topic, or if the memory does not suffice. */
ezlda_status ez_cuda_prior_sample_open(ez_cuda **shard, int shards, const uint64_t *first_token,
                                       ezlda_context *context, const ez_prior_sample_docs *docs,
                                       ez_prior_sample_fit **out);

#endif
