/* Owned rows: a shard counts the rows of W of its slice from the topics of all shards. */
#ifndef EZ_CUDA_OWNED_ROWS_H
#define EZ_CUDA_OWNED_ROWS_H

#include "backend/cuda/cuda_state.h"

/* The first word whose row is owned, if rows are. */
uint32_t ez_cuda_first_owned_word(const ez_cuda *c);

/* The first owned word of a slice; slices + 1 of them. */
uint32_t ez_cuda_owned_word(const ez_cuda *c, int slice);

/* Whether this shard can own rows. All shards of a process do, or none. */
bool ez_cuda_may_own_rows(const ez_cuda *c);
ezlda_status ez_cuda_agree_on_owned_rows(ez_cuda **shard, int shards, ezlda_context *context);

/* Elements of shards.added that owned rows need. */
uint64_t ez_cuda_owned_room(const ez_cuda *c);

/* Counts the owned rows of shard m, once all shards have drawn their topics. */
ezlda_status ez_cuda_count_owned_rows(ez_cuda **shard, int shards, ezlda_context *context, int m);

/* Sums n for shard m, once all shards have counted theirs, if devices do not reach each other. */
ezlda_status ez_cuda_sum_owned_n(ez_cuda **shard, int shards, ezlda_context *context, int m);

#endif
