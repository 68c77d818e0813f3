/* How a warp or a block writes a sparse row of W, and adds to n, once the tokens of a word are
 * counted. */
#ifndef EZ_COUNT_ROWS_CUH
#define EZ_COUNT_ROWS_CUH

#include "backend/cuda/kernels/counts.cuh"

/* A warp writes the row of a word of n tokens, at most 32. k is the topic of the lane's token;
 * lanes without a token have numbers that differ from all others. Lanes of equal topics find each
 * other. */
__device__ __forceinline__ void ez_write_few(const ez_device_w &w, uint32_t v, uint32_t k,
                                             uint32_t n)
{
    uint32_t lane = ez_lane(), same = __match_any_sync(EZ_ALL, k);
    bool leads = lane < n && lane == (uint32_t)__ffs(same) - 1;
    uint32_t leaders = __ballot_sync(EZ_ALL, leads);
    if (leads) {
        w.sparse[w.start[v] - w.sparse_base + __popc(leaders & ez_lanes_before())] =
            ez_entry(k, __popc(same));
        atomicAdd(&w.topic_tokens[k], (unsigned long long)__popc(same));
    }
    if (lane == 0)
        ez_sparse_entries(w, v) = __popc(leaders);
}

/* Loads in flight per thread: topics may be on another device. */
enum { EZ_TOPICS_AHEAD = 4 };

/* Counts every step-th token of [i, end). */
template <typename C>
__device__ __forceinline__ void ez_add_stretch(const C &counts, const uint16_t *topic, uint32_t i,
                                               uint32_t end, uint32_t step)
{
    for (; i < end; i += EZ_TOPICS_AHEAD * step) {
        uint32_t k[EZ_TOPICS_AHEAD];
        for (uint32_t j = 0; j < EZ_TOPICS_AHEAD; j++)
            k[j] = i + j * step < end ? topic[i + j * step] : EZ_ALL;
        for (uint32_t j = 0; j < EZ_TOPICS_AHEAD; j++)
            if (k[j] != EZ_ALL)
                counts.add(k[j]);
    }
}

/* A warp writes the row of the counts. */
template <typename C>
__device__ __forceinline__ void ez_write_counted(const ez_device_w &w, const C &counts, uint32_t v)
{
    uint32_t *row = ez_sparse_row(w, v), entries = ez_write_row(counts, w.topics, row);
    if (ez_lane() == 0)
        ez_sparse_entries(w, v) = entries;
    __syncwarp();
    for (uint32_t j = ez_lane(); j < entries; j += 32)
        atomicAdd(&w.topic_tokens[ez_entry_topic(row[j])],
                  (unsigned long long)ez_entry_count(row[j]));
}

/* A block writes the row of the counts and clears them for the next word. */
template <typename C>
__device__ __forceinline__ void ez_write_by_block(const ez_device_w &w, const C &counts, uint32_t v)
{
    __syncthreads();
    if (threadIdx.x < 32)
        ez_write_counted(w, counts, v);
    __syncthreads();
    counts.clear(threadIdx.x, blockDim.x, w.topics);
}

/* A warp does the same. */
__device__ __forceinline__ void ez_write_by_warp(const ez_device_w &w,
                                                 const ez_packed_counts &counts, uint32_t v)
{
    __syncwarp();
    ez_write_counted(w, counts, v);
    __syncwarp();
    counts.clear(ez_lane(), 32, w.topics);
    __syncwarp();
}

#endif
