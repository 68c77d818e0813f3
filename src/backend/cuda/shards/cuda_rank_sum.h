/* Sums of W and n over the ranks of an MPI job. */
#ifndef EZ_CUDA_RANK_SUM_H
#define EZ_CUDA_RANK_SUM_H

#include "backend/cuda/cuda_state.h"

/* Sums over all ranks what the shards of this process have summed already. */
ezlda_status ez_cuda_sum_ranks(ez_cuda **shard, int shards, ezlda_context *context,
                               ezlda_group *group);
void ez_cuda_close_rank_sum(ez_cuda *c);

/* The most elements that the lists of all ranks need. */
uint64_t ez_cuda_messages_room(const ez_cuda *c);

#endif
