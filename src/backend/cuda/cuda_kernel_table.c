/* One row per kernel: its image and name, the threads of a block, whether its counts are in
 * scratch, which limits its grid, and its parameters. */
#include "backend/cuda/cuda_kernel_table.h"

#include "backend/cuda/cuda_kernel_choice.h"
#include "backend/cuda/kernels/prior_sample_state.h"

#include <stddef.h>

/* What a kernel takes: members of the state, or the whole state. */
enum {
    WHOLE,
    RANGE,
    TOKENS,
    W,
    WORDS,
    TOPICS,
    PRIORS,
    RATES,
    RECORDS,
    D,
    WORK,
    BASE,
    HISTOGRAMS,
    SHARDS,
};

static const size_t offset_of[] = {
    [RANGE] = offsetof(ez_device_state, range),
    [TOKENS] = offsetof(ez_device_state, tokens),
    [W] = offsetof(ez_device_state, w),
    [WORDS] = offsetof(ez_device_state, w.words),
    [TOPICS] = offsetof(ez_device_state, w.topics),
    [PRIORS] = offsetof(ez_device_state, priors),
    [RATES] = offsetof(ez_device_state, rates),
    [RECORDS] = offsetof(ez_device_state, records),
    [D] = offsetof(ez_device_state, d),
    [WORK] = offsetof(ez_device_state, work),
    [BASE] = offsetof(ez_device_state, base),
    [HISTOGRAMS] = offsetof(ez_device_state, histograms),
    [SHARDS] = offsetof(ez_device_state, shards),
};

typedef struct kernel_row {
    int image;
    const char *name;
    unsigned threads;             /* 0: ez_cuda_count_threads */
    bool in_memory;               /* counts or tables are in scratch, not on chip */
    int parameter[EZ_PARAMETERS]; /* in the order of its signature */
} kernel_row;

static const kernel_row rows[EZ_KERNEL_IDS] = {
    [EZ_KERNEL_LAY_WORDS] = {EZ_IMAGE_INVERTED_INDEX, "ez_lay_words", 256, false, {WHOLE}},
    [EZ_KERNEL_TALLY_RANGES] = {EZ_IMAGE_INVERTED_INDEX, "ez_tally_ranges", 64, false, {WHOLE}},
    [EZ_KERNEL_TOTAL_RANGES] = {EZ_IMAGE_INVERTED_INDEX, "ez_total_ranges", 256, false, {WHOLE}},
    [EZ_KERNEL_PLACE_RANGES] = {EZ_IMAGE_INVERTED_INDEX, "ez_place_ranges", 256, false, {WHOLE}},
    [EZ_KERNEL_PLACE_TOKENS] = {EZ_IMAGE_INVERTED_INDEX, "ez_place_tokens", 64, false, {WHOLE}},
    [EZ_KERNEL_TOPICS_BY_DOCUMENT] =
        {EZ_IMAGE_INVERTED_INDEX, "ez_topics_by_document", 256, false, {WHOLE}},
    [EZ_KERNEL_TOPICS_BY_WORD] =
        {EZ_IMAGE_INVERTED_INDEX, "ez_topics_by_word", 256, false, {WHOLE}},
    [EZ_KERNEL_RARITY] = {EZ_IMAGE_START, "ez_rarity", 256, false, {WHOLE}},
    [EZ_KERNEL_START] = {EZ_IMAGE_START, "ez_start", 128, false, {WHOLE}},
    [EZ_KERNEL_RATES] = {EZ_IMAGE_RATES, "ez_rates", 256, false, {W, PRIORS, RATES, WORK}},
    [EZ_KERNEL_ORDER_ZEROS] =
        {EZ_IMAGE_RATES, "ez_order_zeros", 256, false, {TOPICS, PRIORS, RATES}},
    [EZ_KERNEL_SUM_ZEROS] = {EZ_IMAGE_RATES, "ez_sum_zeros", 1024, false, {TOPICS, PRIORS, RATES}},
    [EZ_KERNEL_PREPARE_IN_REGISTERS] = {EZ_IMAGE_PREPARE,
                                        "ez_prepare_in_registers",
                                        256,
                                        false,
                                        {RANGE, W, PRIORS, RATES, RECORDS}},
    [EZ_KERNEL_PREPARE_DENSE] =
        {EZ_IMAGE_PREPARE, "ez_prepare_dense", 256, false, {RANGE, W, PRIORS, RATES, RECORDS}},
    [EZ_KERNEL_PREPARE_DENSE_BY_BLOCK] = {EZ_IMAGE_PREPARE,
                                          "ez_prepare_dense_by_block",
                                          1024,
                                          false,
                                          {RANGE, W, PRIORS, RATES, RECORDS}},
    [EZ_KERNEL_PREPARE_SPARSE] =
        {EZ_IMAGE_PREPARE, "ez_prepare_sparse", 256, false, {RANGE, W, PRIORS, RATES, RECORDS}},
    [EZ_KERNEL_PREPARE_SPARSE_BY_BLOCK] = {EZ_IMAGE_PREPARE,
                                           "ez_prepare_sparse_by_block",
                                           1024,
                                           false,
                                           {RANGE, W, PRIORS, RATES, RECORDS}},
    [EZ_KERNEL_DOCUMENTS_BY_WARP] =
        {EZ_IMAGE_DOCUMENTS, "ez_documents_by_warp", EZ_DOCUMENT_WARPS * 32, false, {WHOLE}},
    [EZ_KERNEL_DOCUMENTS_BY_HASH] =
        {EZ_IMAGE_DOCUMENTS, "ez_documents_by_hash", EZ_DOCUMENT_WARPS * 32, false, {WHOLE}},
    [EZ_KERNEL_DOCUMENTS_BY_BLOCK] =
        {EZ_IMAGE_DOCUMENTS, "ez_documents_by_block", 256, false, {WHOLE}},
    [EZ_KERNEL_DOCUMENTS_IN_MEMORY] =
        {EZ_IMAGE_DOCUMENTS, "ez_documents_in_memory", 256, true, {WHOLE}},
    [EZ_KERNEL_WORDS_NARROW] =
        {EZ_IMAGE_WORDS, "ez_words_narrow", EZ_WORD_WARPS * 32, false, {WHOLE}},
    [EZ_KERNEL_WORDS] = {EZ_IMAGE_WORDS, "ez_words", EZ_WORD_WARPS * 32, false, {WHOLE}},
    [EZ_KERNEL_WORDS_WIDE] = {EZ_IMAGE_WORDS, "ez_words_wide", EZ_WIDE_WARPS * 32, false, {WHOLE}},
    [EZ_KERNEL_WORDS_IN_MEMORY] =
        {EZ_IMAGE_WORDS, "ez_words_in_memory", EZ_WORD_WARPS * 32, true, {WHOLE}},
    [EZ_KERNEL_WORDS_BY_WARP_NARROW] = {EZ_IMAGE_WORDS_BY_WARP,
                                        "ez_words_by_warp_narrow",
                                        EZ_WARP_WORD_WARPS * 32,
                                        false,
                                        {WHOLE}},
    [EZ_KERNEL_WORDS_BY_WARP] =
        {EZ_IMAGE_WORDS_BY_WARP, "ez_words_by_warp", EZ_WARP_WORD_WARPS * 32, false, {WHOLE}},
    [EZ_KERNEL_WORDS_PATCHED] =
        {EZ_IMAGE_WORDS_PATCHED, "ez_words_patched", EZ_PATCHED_WARPS * 32, false, {WHOLE}},
    [EZ_KERNEL_CLEAR] = {EZ_IMAGE_COUNT, "ez_clear", 256, false, {RANGE, TOKENS, W, WORK}},
    [EZ_KERNEL_COUNT_DENSE] = {EZ_IMAGE_COUNT, "ez_count_dense", 0, false, {RANGE, TOKENS, W}},
    [EZ_KERNEL_COUNT_DENSE_IN_MEMORY] =
        {EZ_IMAGE_COUNT, "ez_count_dense_in_memory", 0, true, {RANGE, TOKENS, W}},
    [EZ_KERNEL_COUNT_SPARSE] = {EZ_IMAGE_COUNT, "ez_count_sparse", 256, false, {RANGE, TOKENS, W}},
    [EZ_KERNEL_COUNT_SPARSE_IN_MEMORY] =
        {EZ_IMAGE_COUNT, "ez_count_sparse_in_memory", 256, true, {RANGE, TOKENS, W, WORK}},
    [EZ_KERNEL_COUNT_BY_WARP] =
        {EZ_IMAGE_COUNT, "ez_count_by_warp", EZ_WARP_COUNT_WARPS * 32, false, {RANGE, TOKENS, W}},
    [EZ_KERNEL_COUNT_BY_LANES] =
        {EZ_IMAGE_COUNT, "ez_count_by_lanes", 256, false, {RANGE, TOKENS, W}},
    [EZ_KERNEL_COUNT_HASHED] = {EZ_IMAGE_COUNT, "ez_count_hashed", 256, false, {RANGE, TOKENS, W}},
    [EZ_KERNEL_ADD_BASE] = {EZ_IMAGE_COUNT, "ez_add_base", 256, false, {W, BASE}},
    [EZ_KERNEL_OWNED_DENSE] =
        {EZ_IMAGE_OWNED_ROWS, "ez_owned_dense", 0, false, {RANGE, TOKENS, W, SHARDS}},
    [EZ_KERNEL_OWNED_SPARSE] =
        {EZ_IMAGE_OWNED_ROWS, "ez_owned_sparse", 256, false, {RANGE, TOKENS, W, SHARDS}},
    [EZ_KERNEL_OWNED_BY_WARP] = {EZ_IMAGE_OWNED_ROWS,
                                 "ez_owned_by_warp",
                                 EZ_WARP_COUNT_WARPS * 32,
                                 false,
                                 {RANGE, TOKENS, W, SHARDS}},
    [EZ_KERNEL_OWNED_BY_LANES] =
        {EZ_IMAGE_OWNED_ROWS, "ez_owned_by_lanes", 256, false, {RANGE, TOKENS, W, SHARDS}},
    [EZ_KERNEL_HISTOGRAM_DOCS] =
        {EZ_IMAGE_HISTOGRAM, "ez_histogram_docs", 256, false, {TOKENS, D, HISTOGRAMS}},
    [EZ_KERNEL_HISTOGRAM_WORDS] =
        {EZ_IMAGE_HISTOGRAM, "ez_histogram_words", 256, false, {W, HISTOGRAMS}},
    [EZ_KERNEL_SUM_SHARDS] = {EZ_IMAGE_SHARD_SUM, "ez_sum_shards", 256, false, {RANGE, W, SHARDS}},
    [EZ_KERNEL_COPY_COUNTS] = {EZ_IMAGE_SHARD_SUM, "ez_copy_counts", 256, false, {W, SHARDS}},
    [EZ_KERNEL_COPY_RECORDS] =
        {EZ_IMAGE_SHARD_SUM, "ez_copy_records", 256, false, {RECORDS, SHARDS}},
    [EZ_KERNEL_KEY_RECORDS] = {EZ_IMAGE_SHARD_SUM, "ez_key_records", 256, false, {WORDS, RECORDS}},
    [EZ_KERNEL_COUNT_LISTS] =
        {EZ_IMAGE_RANK_LISTS, "ez_count_lists", 256, false, {RANGE, W, SHARDS}},
    [EZ_KERNEL_PLACE_LISTS] = {EZ_IMAGE_RANK_LISTS, "ez_place_lists", 1024, false, {RANGE, SHARDS}},
    [EZ_KERNEL_WRITE_LISTS] =
        {EZ_IMAGE_RANK_LISTS, "ez_write_lists", 256, false, {RANGE, W, SHARDS}},
    [EZ_KERNEL_SUM_LISTS] = {EZ_IMAGE_RANK_LISTS, "ez_sum_lists", 256, false, {RANGE, W, SHARDS}},
    [EZ_KERNEL_PRIOR_SAMPLE_GATHER] =
        {EZ_IMAGE_PRIOR_SAMPLE_WORDS, "ez_prior_sample_gather", 256, false, {WHOLE}},
    [EZ_KERNEL_PRIOR_SAMPLE_REMOVE] =
        {EZ_IMAGE_PRIOR_SAMPLE_WORDS, "ez_prior_sample_remove", 256, false, {WHOLE}},
    [EZ_KERNEL_PRIOR_SAMPLE_ROWS] = {EZ_IMAGE_PRIOR_SAMPLE_WORDS,
                                     "ez_prior_sample_rows",
                                     EZ_PRIOR_SAMPLE_WORD_THREADS,
                                     false,
                                     {WHOLE}},
    [EZ_KERNEL_PRIOR_SAMPLE_RATES] =
        {EZ_IMAGE_PRIOR_SAMPLE_WORDS, "ez_prior_sample_rates", 256, false, {WHOLE}},
    [EZ_KERNEL_PRIOR_SAMPLE_START] = {EZ_IMAGE_PRIOR_SAMPLE_WORDS,
                                      "ez_prior_sample_start",
                                      EZ_PRIOR_SAMPLE_DOC_THREADS,
                                      false,
                                      {WHOLE}},
    [EZ_KERNEL_PRIOR_SAMPLE_RECORDS] = {EZ_IMAGE_PRIOR_SAMPLE_WORDS,
                                        "ez_prior_sample_records",
                                        EZ_PRIOR_SAMPLE_WORD_THREADS,
                                        false,
                                        {WHOLE}},
    [EZ_KERNEL_PRIOR_SAMPLE_DOCS] = {EZ_IMAGE_PRIOR_SAMPLE_DOCS,
                                     "ez_prior_sample_docs",
                                     EZ_PRIOR_SAMPLE_DOC_THREADS,
                                     false,
                                     {WHOLE}},
    [EZ_KERNEL_PRIOR_SAMPLE_DRAW] = {EZ_IMAGE_PRIOR_SAMPLE_DOCS,
                                     "ez_prior_sample_draw",
                                     EZ_PRIOR_SAMPLE_DOC_THREADS,
                                     false,
                                     {WHOLE}},
    [EZ_KERNEL_PRIOR_SAMPLE_TALLY] = {EZ_IMAGE_PRIOR_SAMPLE_DOCS,
                                      "ez_prior_sample_tally",
                                      EZ_PRIOR_SAMPLE_DOC_THREADS,
                                      false,
                                      {WHOLE}},
    [EZ_KERNEL_PRIOR_SAMPLE_SCORE] = {EZ_IMAGE_PRIOR_SAMPLE_DOCS,
                                      "ez_prior_sample_score",
                                      EZ_PRIOR_SAMPLE_DOC_THREADS,
                                      false,
                                      {WHOLE}},
};

ezlda_status ez_cuda_find_kernel(ez_cuda *c, ezlda_context *context, ez_kernel *kernel,
                                 ez_kernel_id id, size_t shared)
{
    const kernel_row *row = &rows[id];
    unsigned threads = row->threads ? row->threads : ez_cuda_count_threads(c);
    unsigned with_scratch = (unsigned)c->device.processors * EZ_SCRATCH_BLOCKS;
    EZ_TRY(ez_device_kernel(&c->device, context, kernel, row->image, row->name, threads,
                            (unsigned)shared));
    for (int i = 0; i < EZ_PARAMETERS && row->parameter[i]; i++) {
        kernel->offset[i] = offset_of[row->parameter[i]];
        kernel->parameters = i + 1;
    }
    if (row->in_memory && kernel->blocks > with_scratch)
        kernel->blocks = with_scratch;
    return EZLDA_OK;
}
