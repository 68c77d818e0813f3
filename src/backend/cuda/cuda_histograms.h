/* Histograms of the counts in D and W, from which priors are fitted. */
#ifndef EZ_CUDA_HISTOGRAMS_H
#define EZ_CUDA_HISTOGRAMS_H

#include "backend/cuda/cuda_state.h"

ezlda_status ez_cuda_histograms(ez_backend *backend, ezlda_context *context, ez_histograms *out);

/* The most counts that have no cell and are listed instead. */
uint64_t ez_cuda_histogram_room(const ez_cuda *c);

#endif
