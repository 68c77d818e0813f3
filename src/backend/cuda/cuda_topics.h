/* The topics of all tokens before the first iteration and after the last. */
#ifndef EZ_CUDA_TOPICS_H
#define EZ_CUDA_TOPICS_H

#include "backend/cuda/cuda_state.h"

/* Draws the topics that the run starts from. */
ezlda_status ez_cuda_start_topics(ez_cuda *c, ezlda_context *context);

/* Reads the topics in the corpus' document order. */
ezlda_status ez_cuda_read_topics(ez_cuda *c, ezlda_context *context, uint16_t *out);

/* Finds tokens of a corpus in one chunk: turns ascending places in its document order into places
 * in the device's document order. */
ezlda_status ez_cuda_find_tokens(ez_cuda *c, ezlda_context *context, const uint64_t *place,
                                 uint64_t n, uint32_t *token);

#endif
