/* Rows of W and n for the caller (backend/w_counts.h). */
#ifndef EZ_CUDA_COUNTS_H
#define EZ_CUDA_COUNTS_H

#include "backend/cuda/cuda_state.h"

/* The operation `counts`, from a shard that has all of W, as every shard has between iterations. */
ezlda_status ez_cuda_counts(ez_cuda *c, ezlda_context *context, const uint32_t *word, uint32_t rows,
                            ez_w_counts *out);

#endif
