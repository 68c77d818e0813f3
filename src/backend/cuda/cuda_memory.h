/* Sizes of all arrays on the device, and in how many chunks the corpus passes through it. */
#ifndef EZ_CUDA_MEMORY_H
#define EZ_CUDA_MEMORY_H

#include "backend/cuda/cuda_state.h"

/* Sets sizes and chunks for the memory that is free. Fails, before anything is allocated, if that
 * is not enough. `order`: the documents in the device's order. */
ezlda_status ez_cuda_plan_memory(ez_cuda *c, ezlda_context *context, const ez_device_doc *order);

/* Groups that the row of D of a document of this length may need. */
uint64_t ez_cuda_row_room(const ez_cuda *c, uint64_t length);

/* Allocates everything except the corpus, and uploads priors and rows of W. */
ezlda_status ez_cuda_allocate(ez_cuda *c, ezlda_context *context);

ezlda_status ez_cuda_upload_priors(ez_cuda *c, ezlda_context *context);

#endif
