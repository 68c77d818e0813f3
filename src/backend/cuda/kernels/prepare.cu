/* The prepare pass: rates of the topics, a record for each word. One group of threads (a warp, or a block where K is
 * large) a word; each thread keeps its best topic, and the winner of a round looks for its next one. */
#include "backend/cuda/kernels/warp.cuh"

extern "C" __global__ void ez_rates(ez_device_state s)
{
    uint32_t k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k < s.topics)
        s.rate[k] = ez_topic_rate(s.topic_tokens[k], s.words, s.beta);
}

struct best {
    float f;
    uint32_t topic;
};

__device__ __forceinline__ bool comes_before(best a, best b)
{
    return a.f > b.f || (a.f == b.f && a.topic < b.topic);
}

__device__ __forceinline__ float weight_at(const ez_device_state &s, const uint32_t *row, uint32_t k)
{
    return ez_float_weight(row[k], s.beta, s.rate[k]);
}

/* The best of this thread's topics that comes after `last` in the row's order. */
__device__ best best_after(const ez_device_state &s, const uint32_t *row, best last, uint32_t first, uint32_t step)
{
    best mine = {-1, s.topics};
    for (uint32_t k = first; k < s.topics; k += step) {
        best it = {weight_at(s, row, k), k};
        if (comes_before(last, it) && comes_before(it, mine))
            mine = it;
    }
    return mine;
}

__device__ __forceinline__ best warp_best(best x)
{
    for (int step = 16; step > 0; step >>= 1) {
        best other = {__shfl_xor_sync(EZ_ALL, x.f, step), __shfl_xor_sync(EZ_ALL, x.topic, step)};
        if (comes_before(other, x))
            x = other;
    }
    return x;
}

/* Of a whole block: every thread gets it. */
__device__ best block_best(best x, best *shared)
{
    x = warp_best(x);
    __syncthreads();
    if (ez_lane() == 0)
        shared[threadIdx.x / 32] = x;
    __syncthreads();
    uint32_t warps = blockDim.x / 32;
    best none = {-1, 0xffffffffu};
    return warp_best(ez_lane() < warps ? shared[ez_lane()] : none);
}

/* Writes slot i of the record. */
__device__ __forceinline__ void set_slot(const ez_device_state &s, ez_word_record *record, int i, best b, float scale)
{
    bool there = b.f >= 0;
    record->weight[i] = there ? ez_weight(b.f, scale) : 0;
    if (i < EZ_TOP)
        record->topic[i] = (uint16_t)(there ? b.topic : s.topics);
}

template <bool BLOCK> __device__ void prepare_word(const ez_device_state &s, uint32_t v, best *shared,
                                                   unsigned long long *sums)
{
    const uint32_t *row = s.w + (size_t)v * s.topics;
    uint32_t first = BLOCK ? threadIdx.x : ez_lane(), step = BLOCK ? blockDim.x : 32;
    best ahead = {3.4e38f, 0}, mine = best_after(s, row, ahead, first, step);
    ez_word_record *record = &s.record[v];
    float scale = 0;
    unsigned long long top_alpha = 0;
    for (int i = 0; i <= EZ_TOP; i++) {
        best winner = BLOCK ? block_best(mine, shared) : warp_best(mine);
        if (i == 0)
            scale = ez_power_of_two(s.weight_bits - ez_exponent(winner.f));
        if (first == 0)
            set_slot(s, record, i, winner, scale);
        if (winner.f < 0)
            continue;
        if (i < EZ_TOP)
            top_alpha += ez_alpha_weight(ez_weight(winner.f, scale), s.alpha_scaled[winner.topic]);
        if (winner.topic == mine.topic)
            mine = best_after(s, row, winner, first, step);
    }
    unsigned long long sum = 0;
    for (uint32_t k = first; k < s.topics; k += step)
        sum += ez_alpha_weight(ez_weight(weight_at(s, row, k), scale), s.alpha_scaled[k]);
    sum = ez_warp_sum(sum);
    if (BLOCK) {
        __syncthreads();
        if (ez_lane() == 0)
            sums[threadIdx.x / 32] = sum;
        __syncthreads();
        sum = ez_warp_sum(ez_lane() < blockDim.x / 32 ? sums[ez_lane()] : 0ull);
        __syncthreads();
    }
    if (first == 0) {
        record->scale = scale;
        record->q_rest = sum - top_alpha;
    }
}

extern "C" __global__ void __launch_bounds__(256) ez_prepare_by_warp(ez_device_state s)
{
    uint32_t warps = gridDim.x * blockDim.x / 32;
    for (uint32_t v = (blockIdx.x * blockDim.x + threadIdx.x) / 32; v < s.words; v += warps)
        if (s.word_start[v] < s.word_start[v + 1])
            prepare_word<false>(s, v, NULL, NULL);
}

extern "C" __global__ void __launch_bounds__(1024) ez_prepare_by_block(ez_device_state s)
{
    __shared__ best shared[32];
    __shared__ unsigned long long sums[32];
    for (uint32_t v = blockIdx.x; v < s.words; v += gridDim.x)
        if (s.word_start[v] < s.word_start[v + 1])
            prepare_word<true>(s, v, shared, sums);
}
