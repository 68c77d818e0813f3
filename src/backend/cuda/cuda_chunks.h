/* Chunk streaming: chunks pass through the device one after another, while copies of the next and
 * the last one run beside the kernels. */
#ifndef EZ_CUDA_CHUNKS_H
#define EZ_CUDA_CHUNKS_H

#include "backend/cuda/cuda_state.h"

enum { EZ_CHUNK_TOPICS = 1, EZ_CHUNK_TOKENS = 2 };

/* Opens the rooms that chunks are uploaded to. */
ezlda_status ez_cuda_open_rooms(ez_cuda *c, ezlda_context *context);

/* Calls `work` for every chunk while it is on the device; its state names the arrays. `in`: what is
 * uploaded before (topics, or topics and tokens). If `back` is set, the topics are read back. A
 * single chunk stays on the device and is not moved. */
typedef ezlda_status (*ez_chunk_fn)(ez_cuda *c, ezlda_context *context, const ez_chunk *chunk,
                                    const ez_device_state *state);
ezlda_status ez_cuda_each_chunk(ez_cuda *c, ezlda_context *context, int in, bool back,
                                ez_chunk_fn work);

#endif
