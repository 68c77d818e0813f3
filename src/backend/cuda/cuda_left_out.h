/* Documents left out of W, where the counts are: on the device (backend/left_out.h). */
#ifndef EZ_CUDA_LEFT_OUT_H
#define EZ_CUDA_LEFT_OUT_H

#include "backend/cuda/cuda_state.h"
#include "backend/left_out.h"

/* first_token: tokens of this rank before each shard. The first shard, which like every other has
 * all of W, does the work. *out stays NULL if the host has to: if a shard passes through its device
 * in chunks, if there are seed words, if a document is too long for a row of D with one entry per
 * topic, or if the memory does not suffice. */
ezlda_status ez_cuda_leave_out(ez_cuda **shard, int shards, const uint64_t *first_token,
                               ezlda_context *context, const ez_left_out_docs *docs,
                               ez_left_out **out);

#endif
