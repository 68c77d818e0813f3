/* The steps of an iteration of one shard, for cuda_backend.c itself and for shards/cuda_shards.c,
 * which interleaves those of several shards. */
#ifndef EZ_CUDA_BACKEND_H
#define EZ_CUDA_BACKEND_H

#include "backend/cuda/cuda_state.h"

/* Makes the backend of one shard on device role->device_number. */
ezlda_status ez_cuda_create_shard(ez_cuda **out, ezlda_context *context, ez_token_list *tokens,
                                  const ez_settings *settings, const ez_cuda_role *role);

/* Launches a pass. Its launches do not depend on each other and may run at the same time, after all
 * that was started before, unless in_order is set. */
ezlda_status ez_cuda_run_pass(ez_cuda *c, ezlda_context *context, const ez_pass *pass,
                              const ez_device_state *state, bool in_order);

/* Whether the records of all words are prepared for this iteration; 0 stands for a score. */
bool ez_cuda_has_records(const ez_cuda *c, uint32_t iteration);
/* Prepares the records of the own slice of words, unless they are there already. */
ezlda_status ez_cuda_prepare(ez_cuda *c, ezlda_context *context, uint32_t iteration);
/* Draws or scores all tokens, once the records of all slices are there. */
ezlda_status ez_cuda_sample(ez_cuda *c, ezlda_context *context);
/* Counts W and n of the own tokens; with owned rows, W of the frequent words only. */
ezlda_status ez_cuda_count(ez_cuda *c, ezlda_context *context);

/* Tallies of the iteration: requested, then waited for. The wait does not include what is started
 * between the two, so the device prepares the next iteration while the host continues. */
ezlda_status ez_cuda_request_tallies(ez_cuda *c, ezlda_context *context);
ezlda_status ez_cuda_wait_tallies(ez_cuda *c, ezlda_context *context, ez_iteration *done);
ezlda_status ez_cuda_read_score(ez_cuda *c, ezlda_context *context, int64_t *sum);

/* Notes how long the iteration took: early decisions are switched off if they do not pay. */
void ez_cuda_note_time(ez_cuda *c, uint32_t iteration, double seconds);

#endif
