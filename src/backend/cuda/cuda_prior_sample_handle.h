/* The handle of the prior sample on the device, and what the files of cuda_prior_sample*.c offer
 * each other. */
#ifndef EZ_CUDA_PRIOR_SAMPLE_HANDLE_H
#define EZ_CUDA_PRIOR_SAMPLE_HANDLE_H

#include "backend/cuda/cuda_state.h"
#include "backend/cuda/kernels/prior_sample_state.h"
#include "backend/prior_sample_fit.h"

/* What is gathered from a shard: topics of the documents' tokens, then of dropped ones. */
typedef struct ez_prior_gathering {
    ez_cuda *cuda;
    ez_gather_state state;
    ez_kernel kernel;
    uint64_t places; /* without the dropped ones */
    uint16_t *topic; /* on the host */
} ez_prior_gathering;

typedef struct ez_cuda_prior_sample {
    ez_prior_sample_fit base;
    const ez_prior_sample_docs *docs;
    ez_cuda *cuda; /* the first shard */
    int shards;
    ez_prior_gathering *gathering; /* shards */
    ez_prior_sample_state state;
    ez_prior_sample_list documents, observed;
    uint64_t *removed; /* topics, on the host */
    uint64_t *cells;   /* pinned: K * EZ_HISTOGRAM_CELLS, words, own, n */
    size_t n_cells;
    uint64_t used; /* bytes of the array of D */
    unsigned counts_rows, weight_rows;
    bool is_removed;
    ez_kernel remove, rows, rates, start, records, docs_pass, draw, tally, score;
} ez_cuda_prior_sample;

/* cuda_prior_sample_arrays.c: chooses the kernels and opens all arrays. */
ezlda_status ez_cuda_prior_sample_arrays(ez_cuda_prior_sample *p, ezlda_context *context);

/* cuda_prior_sample_gather.c. first_token: as in cuda_prior_sample.h. */
ezlda_status ez_cuda_prior_sample_open_gathering(ez_cuda_prior_sample *p, ezlda_context *context,
                                                 ez_cuda **shard, const uint64_t *first_token);
/* Joins the documents' topics of all shards and ranks in *own, and counts in p->removed by topic
 * what is removed from n. */
ezlda_status ez_cuda_prior_sample_gather(ez_cuda_prior_sample *p, ezlda_context *context,
                                         ez_buffer *own);

#endif
