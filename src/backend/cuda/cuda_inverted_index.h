/* The corpus on the device: documents in order of length, T and the inverted index. */
#ifndef EZ_CUDA_INVERTED_INDEX_H
#define EZ_CUDA_INVERTED_INDEX_H

#include "backend/cuda/cuda_state.h"

/* Orders the documents by falling length: number, and length in `begin`. */
ezlda_status ez_cuda_order_documents(ez_cuda *c, ezlda_context *context, ez_device_doc *order);

/* Uploads the documents of all chunks and sorts their tokens into T. */
ezlda_status ez_cuda_index(ez_cuda *c, ezlda_context *context, const ez_device_doc *order);

#endif
