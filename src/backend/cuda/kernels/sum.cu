/* W and n of other members, added to the own. */
#include "backend/cuda/kernels/hashed_rows.cuh"

/* Dense rows: cells [first_cell, last_cell). */
__device__ __forceinline__ void sum_dense(const ez_device_state &s, uint64_t first, uint64_t step)
{
    for (uint64_t i = s.first_cell + first; i < s.last_cell; i += step) {
        uint32_t sum = s.w_dense[i];
        for (uint32_t m = 0; m < s.others; m++)
            sum += s.other[m].dense[i];
        s.w_dense[i] = sum;
    }
}

/* Sparse rows of words [first_word, last_word), which are hash tables and lie alike everywhere; a warp a word. */
__device__ __forceinline__ void sum_sparse(const ez_device_state &s, uint32_t first, uint32_t step)
{
    for (uint32_t v = s.first_word + first; v < s.last_word; v += step) {
        uint32_t begin = s.w_start[v] - s.sparse_base, slots = s.w_start[v + 1] - s.w_start[v];
        for (uint32_t m = 0; m < s.others; m++)
            for (uint32_t i = ez_lane(); i < slots; i += 32) {
                uint32_t entry = s.other[m].sparse[begin + i];
                if (ez_entry_count(entry) > 0)
                    ez_add_hashed(s.w_sparse + begin, slots, ez_entry_topic(entry), ez_entry_count(entry));
            }
    }
}

extern "C" __global__ void __launch_bounds__(256) ez_sum_members(ez_device_state s)
{
    uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    sum_dense(s, thread, threads);
    sum_sparse(s, thread / 32, threads / 32);
    for (uint32_t k = thread; k < s.topics; k += threads)
        for (uint32_t m = 0; m < s.others; m++)
            s.summed_n[k] += s.other[m].n[k];
}

/* Records that other members have prepared, keyed by the documents here. */
extern "C" __global__ void __launch_bounds__(256) ez_key_records(ez_device_state s)
{
    for (uint32_t v = blockIdx.x * blockDim.x + threadIdx.x; v < s.words; v += gridDim.x * blockDim.x)
        s.decide_record[v].word_key = ez_part_key(ez_word_key(s.iteration_key, v), s.doc_base);
}

/* Sparse rows from lists of entries, whose beginnings are in added_start; a warp a word. */
extern "C" __global__ void __launch_bounds__(256) ez_sum_lists(ez_device_state s)
{
    uint32_t warps = gridDim.x * blockDim.x / 32, first = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    for (uint32_t i = first; i < s.words - s.dense_words; i += warps) {
        uint32_t v = s.dense_words + i, slots = s.w_start[v + 1] - s.w_start[v];
        uint32_t *row = s.w_sparse + (s.w_start[v] - s.sparse_base);
        for (uint32_t j = s.added_start[i] + ez_lane(); j < s.added_start[i + 1]; j += 32)
            ez_add_hashed(row, slots, ez_entry_topic(s.added[j]), ez_entry_count(s.added[j]));
    }
}
