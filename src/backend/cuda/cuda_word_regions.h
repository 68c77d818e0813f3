/* Word regions: T cut into tasks for the words pass, several for a frequent word. */
#ifndef EZ_CUDA_WORD_REGIONS_H
#define EZ_CUDA_WORD_REGIONS_H

#include "backend/cuda/cuda_state.h"

/* The most tokens of a region. */
uint64_t ez_cuda_region_tokens(const ez_cuda *c);

/* Cuts the words before `last` into tasks, the most frequent words first, and returns how many. If
 * `out` is NULL, tasks are only counted. */
uint32_t ez_cuda_cut_tasks(const ez_cuda *c, const uint32_t *word_start, uint32_t last,
                           ez_device_task *out);
ezlda_status ez_cuda_upload_tasks(ez_cuda *c, ezlda_context *context, ez_chunk *chunk,
                                  const uint32_t *word_start);

#endif
