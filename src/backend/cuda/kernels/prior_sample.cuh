/* Words and rows of D of the prior sample: counts, weights, entries. */
#ifndef EZ_PRIOR_SAMPLE_CUH
#define EZ_PRIOR_SAMPLE_CUH

#include "backend/cuda/kernels/prior_sample_state.h"
#include "backend/cuda/kernels/warp.cuh"

/* Running sum over the threads of a block, at most 32 warps; *total is the sum of all. */
__device__ __forceinline__ uint32_t ez_block_scan(uint32_t x, uint32_t *total)
{
    __shared__ uint32_t warp_total[32];
    uint32_t warp = threadIdx.x / 32, warps = blockDim.x / 32;
    uint32_t through = ez_group_scan(x, ez_lane(), 32), before = 0;
    __syncthreads();
    if (ez_lane() == 31)
        warp_total[warp] = through;
    __syncthreads();
    *total = 0;
    for (uint32_t i = 0; i < warps; i++) {
        before += i < warp ? warp_total[i] : 0;
        *total += warp_total[i];
    }
    return before + through;
}

/* The row of W of word i, as it is without the documents. */
__device__ __forceinline__ bool ez_rest_is_dense(const ez_prior_sample_state &s, uint32_t i)
{
    return s.words.run[i] < s.w.dense_words;
}

__device__ __forceinline__ uint32_t *ez_rest_dense(const ez_prior_sample_state &s, uint32_t i)
{
    return ez_dense_row(s.w, s.words.run[i]);
}

/* The count of a topic in a copied row. */
__device__ __forceinline__ uint32_t ez_rest_sparse_count(const ez_prior_sample_state &s, uint32_t i,
                                                         uint32_t k)
{
    if (s.words.rank) {
        ez_topic_rank r = s.words.rank[(size_t)i * s.words.groups + k / 32];
        uint32_t below = r.set & ((1u << (k & 31)) - 1);
        return r.set >> (k & 31) & 1 ? s.words.row_count[r.before + __popc(below)] : 0;
    }
    uint32_t lo = s.words.row_start[i], end = lo + s.words.entries[i], hi = end;
    while (lo < hi) {
        uint32_t middle = lo + (hi - lo) / 2;
        if (s.words.row_topic[middle] < k)
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo < end && s.words.row_topic[lo] == k ? s.words.row_count[lo] : 0;
}

__device__ __forceinline__ uint32_t ez_rest_count(const ez_prior_sample_state &s, uint32_t i,
                                                  uint32_t k)
{
    return ez_rest_is_dense(s, i) ? ez_rest_dense(s, i)[k] : ez_rest_sparse_count(s, i, k);
}

/* The weight of a topic; scale is that of the word's record. */
__device__ __forceinline__ uint32_t ez_rest_weight(const ez_prior_sample_state &s, uint32_t i,
                                                   uint32_t k, float scale)
{
    return ez_weight(ez_float_weight(ez_rest_count(s, i, k), s.beta, s.rate[k]), scale);
}

__device__ __forceinline__ uint64_t ez_rest_alpha(const ez_prior_sample_state &s, uint32_t weight,
                                                  uint32_t k)
{
    return ez_alpha_weight(weight, ez_alpha_scaled(s.alpha[k]));
}

/* The counts of the topics of a document: a row of K in memory, and a bit per topic on chip. */
struct ez_doc_counts {
    uint32_t *count, *seen;

    __device__ __forceinline__ void add(uint32_t k) const
    {
        if (atomicAdd(&count[k], 1u) == 0)
            atomicOr(&seen[k >> 5], 1u << (k & 31));
    }
};

/* Where entry j of a row of n entries lies if the entries are in the order of S'': by lane, then
 * ascending (sampler/d_row.h). */
__device__ __forceinline__ uint32_t ez_entry_turn(uint32_t j, uint32_t n)
{
    enum { STRIDE = EZ_LANES * EZ_LANE_WIDTH };
    uint32_t full = n / STRIDE, rest = n % STRIDE, lane = j / EZ_LANE_WIDTH % EZ_LANES;
    uint32_t before = lane * full * EZ_LANE_WIDTH + min(rest, lane * EZ_LANE_WIDTH);
    return before + j / STRIDE * EZ_LANE_WIDTH + j % EZ_LANE_WIDTH;
}

/* Calls visit(k, count, j, n) for the j-th of the n topics that were added, ascending, and clears
 * the counts. All threads of the block call it; a thread visits a stretch of topics. */
template <typename V>
__device__ __forceinline__ void ez_visit_counts(const ez_doc_counts &counts, uint32_t topics,
                                                const V &visit)
{
    uint32_t words = (topics + 31) / 32, each = (words + blockDim.x - 1) / blockDim.x;
    uint32_t first = min(threadIdx.x * each, words), last = min(first + each, words), mine = 0, n;
    __syncthreads();
    for (uint32_t g = first; g < last; g++)
        mine += __popc(counts.seen[g]);
    uint32_t j = ez_block_scan(mine, &n) - mine;
    for (uint32_t g = first; g < last; g++) {
        for (uint32_t bits = counts.seen[g]; bits; bits &= bits - 1, j++) {
            uint32_t k = g * 32 + __ffs(bits) - 1;
            visit(k, __ldcg(&counts.count[k]), j, n);
            counts.count[k] = 0;
        }
        counts.seen[g] = 0;
    }
    __syncthreads();
}

#endif
