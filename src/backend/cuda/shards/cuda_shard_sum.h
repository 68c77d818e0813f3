/* Sums over shards: W, n and the records of words. */
#ifndef EZ_CUDA_SHARD_SUM_H
#define EZ_CUDA_SHARD_SUM_H

#include "backend/cuda/cuda_state.h"

/* Opens the kernels and events that sums need, and closes them. */
ezlda_status ez_cuda_open_sums(ez_cuda *c, ezlda_context *context);
void ez_cuda_close_sums(ez_cuda *c);

/* Sums W and n over the shards of this process, then over the ranks of `group` if it has several.
 */
ezlda_status ez_cuda_sum_shards(ez_cuda **shard, int shards, ezlda_context *context,
                                ezlda_group *group);

/* Gives every shard of this process the records of all words; each has prepared those of its
 * slice. */
ezlda_status ez_cuda_share_records(ez_cuda **shard, int shards, ezlda_context *context);

/* A shard as the kernels of another shard see it. */
ez_shard_counts ez_cuda_shard_view(const ez_cuda *c);

/* Copies n elements from the device of another shard. */
ezlda_status ez_cuda_copy_from(ez_cuda *c, ezlda_context *context, void *to, const ez_cuda *other,
                               const void *from, size_t n, size_t size);

#endif
