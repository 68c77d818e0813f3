/* The kernels that the backend launches, by number, and how to find one on a device. */
#ifndef EZ_CUDA_KERNEL_TABLE_H
#define EZ_CUDA_KERNEL_TABLE_H

#include "backend/cuda/cuda_state.h"

typedef enum ez_kernel_id {
    /* kernels/inverted_index.cu */
    EZ_KERNEL_LAY_WORDS,
    EZ_KERNEL_TALLY_RANGES,
    EZ_KERNEL_TOTAL_RANGES,
    EZ_KERNEL_PLACE_RANGES,
    EZ_KERNEL_PLACE_TOKENS,
    EZ_KERNEL_TOPICS_BY_DOCUMENT,
    EZ_KERNEL_TOPICS_BY_WORD,
    /* kernels/start.cu */
    EZ_KERNEL_RARITY,
    EZ_KERNEL_START,
    /* kernels/rates.cu */
    EZ_KERNEL_RATES,
    EZ_KERNEL_ORDER_ZEROS,
    EZ_KERNEL_SUM_ZEROS,
    /* kernels/prepare.cu */
    EZ_KERNEL_PREPARE_IN_REGISTERS,
    EZ_KERNEL_PREPARE_DENSE,
    EZ_KERNEL_PREPARE_DENSE_BY_BLOCK,
    EZ_KERNEL_PREPARE_SPARSE,
    EZ_KERNEL_PREPARE_SPARSE_BY_BLOCK,
    /* kernels/documents.cu */
    EZ_KERNEL_DOCUMENTS_BY_WARP,
    EZ_KERNEL_DOCUMENTS_BY_HASH,
    EZ_KERNEL_DOCUMENTS_BY_BLOCK,
    EZ_KERNEL_DOCUMENTS_IN_MEMORY,
    /* kernels/words.cu, words_by_warp.cu, words_patched.cu */
    EZ_KERNEL_WORDS_NARROW,
    EZ_KERNEL_WORDS,
    EZ_KERNEL_WORDS_WIDE,
    EZ_KERNEL_WORDS_IN_MEMORY,
    EZ_KERNEL_WORDS_BY_WARP_NARROW,
    EZ_KERNEL_WORDS_BY_WARP,
    EZ_KERNEL_WORDS_PATCHED,
    /* kernels/count.cu */
    EZ_KERNEL_CLEAR,
    EZ_KERNEL_COUNT_DENSE,
    EZ_KERNEL_COUNT_DENSE_IN_MEMORY,
    EZ_KERNEL_COUNT_SPARSE,
    EZ_KERNEL_COUNT_SPARSE_IN_MEMORY,
    EZ_KERNEL_COUNT_BY_WARP,
    EZ_KERNEL_COUNT_BY_LANES,
    EZ_KERNEL_COUNT_HASHED,
    EZ_KERNEL_ADD_BASE,
    /* kernels/owned_rows.cu */
    EZ_KERNEL_OWNED_DENSE,
    EZ_KERNEL_OWNED_SPARSE,
    EZ_KERNEL_OWNED_BY_WARP,
    EZ_KERNEL_OWNED_BY_LANES,
    /* kernels/histogram.cu */
    EZ_KERNEL_HISTOGRAM_DOCS,
    EZ_KERNEL_HISTOGRAM_WORDS,
    /* kernels/shard_sum.cu */
    EZ_KERNEL_SUM_SHARDS,
    EZ_KERNEL_COPY_COUNTS,
    EZ_KERNEL_COPY_RECORDS,
    EZ_KERNEL_KEY_RECORDS,
    /* kernels/rank_lists.cu */
    EZ_KERNEL_COUNT_LISTS,
    EZ_KERNEL_PLACE_LISTS,
    EZ_KERNEL_WRITE_LISTS,
    EZ_KERNEL_SUM_LISTS,
    /* kernels/prior_sample_words.cu, prior_sample_docs.cu */
    EZ_KERNEL_PRIOR_SAMPLE_GATHER,
    EZ_KERNEL_PRIOR_SAMPLE_REMOVE,
    EZ_KERNEL_PRIOR_SAMPLE_ROWS,
    EZ_KERNEL_PRIOR_SAMPLE_RATES,
    EZ_KERNEL_PRIOR_SAMPLE_START,
    EZ_KERNEL_PRIOR_SAMPLE_RECORDS,
    EZ_KERNEL_PRIOR_SAMPLE_DOCS,
    EZ_KERNEL_PRIOR_SAMPLE_DRAW,
    EZ_KERNEL_PRIOR_SAMPLE_TALLY,
    EZ_KERNEL_PRIOR_SAMPLE_SCORE,
    EZ_KERNEL_IDS
} ez_kernel_id;

/* Blocks per multiprocessor of kernels whose counts or tables are in scratch: each has its own. */
enum { EZ_SCRATCH_BLOCKS = 4 };

/* Finds a kernel on the device; `shared`: bytes of dynamic shared memory. Its grid (kernel->blocks)
 * is as many blocks as run at once, or as have scratch. */
ezlda_status ez_cuda_find_kernel(ez_cuda *c, ezlda_context *context, ez_kernel *kernel,
                                 ez_kernel_id id, size_t shared);

#endif
