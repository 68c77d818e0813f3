/* The words pass for words with few tokens at small K: one warp per word, with a table of its own.
 * Warps do not wait for each other. Most of a sparse row's table are weights of count 0, which are
 * copied from device memory. Warps are at different places of the code at any time, and all of it
 * must fit into the instruction cache: loops of few turns are not unrolled, here and in the
 * included files. */
#include "backend/cuda/kernels/word_tokens.cuh"

/* Topics per sum of alpha parts. */
enum { STEP = EZ_ZERO_STEP };

extern __shared__ uint4 on_chip[];

/* Which of the word's top topics this is, or EZ_TOP. */
__device__ __forceinline__ uint32_t branch_of(const ez_word_record &record, uint32_t k)
{
    uint32_t branch = EZ_TOP;
#pragma unroll
    for (uint32_t i = 0; i < EZ_TOP; i++)
        if (record.topic[i] == k && record.weight[i] != 0)
            branch = i;
    return branch;
}

/* Replaces a topic's weight of count 0 by its weight or its mark, and corrects the sum of its
 * block. Sums are modulo 2^64, so a subtraction may come before the addition. */
__device__ __forceinline__ void replace(const ez_device_state &s, const ez_word_table<STEP> &t,
                                        uint32_t zero, uint32_t k, uint32_t weight)
{
    uint64_t out = ez_alpha_weight(zero, ez_alpha_of(s.priors, k));
    uint64_t in = weight & EZ_MARK ? 0 : ez_alpha_weight(weight, ez_alpha_of(s.priors, k));
    t.weight[k] = weight;
    atomicAdd(&t.q_through[k / STEP], (unsigned long long)(in - out));
}

/* A sparse row: the weights of count 0, then the row's entries and the top topics over them. */
__device__ __forceinline__ void sparse_table(const ez_device_state &s, const ez_word_table<STEP> &t,
                                             const ez_word_head *head, uint32_t v)
{
    const ez_word_record &record = head->record;
    size_t slot = (size_t)ez_zero_slot(s.priors, record.scale);
    const uint32_t *zero = s.rates.zeros.weight + slot * s.rates.zeros.stride;
    const unsigned long long *zero_through = s.rates.zeros.through + slot * t.blocks;
    for (uint32_t i = ez_lane(); i < ez_table_quads(s.w.topics); i += 32)
        ((uint4 *)t.weight)[i] = ((const uint4 *)zero)[i];
#pragma unroll 1
    for (uint32_t i = ez_lane(); i < t.blocks; i += 32)
        t.q_through[i] = zero_through[i] - (i > 0 ? zero_through[i - 1] : 0);
    __syncwarp();
    const uint32_t *row = ez_sparse_row(s.w, v);
#pragma unroll 1
    for (uint32_t j = ez_lane(), n = ez_sparse_entries(s.w, v); j < n; j += 32) {
        uint32_t k = ez_entry_topic(row[j]), count = ez_entry_count(row[j]);
        if (count > 0 && branch_of(record, k) == EZ_TOP)
            replace(
                s, t, zero[k], k,
                ez_weight(ez_float_weight(count, s.priors.beta, s.rates.rate[k]), record.scale));
    }
    if (ez_lane() < EZ_TOP && record.weight[ez_lane()] != 0)
        replace(s, t, zero[record.topic[ez_lane()]], record.topic[ez_lane()], ez_mark(ez_lane()));
}

/* A lane sums a block of topics. Lanes begin at different topics, to avoid bank conflicts. */
__device__ __forceinline__ uint64_t block_sum(const ez_word_table<STEP> &t, uint32_t block)
{
    uint64_t sum = 0;
#pragma unroll 4
    for (uint32_t j = 0; j < STEP; j++) {
        uint32_t k = block * STEP + (j + ez_lane()) % STEP;
        sum += k < t.topics ? t.q_of(k) : 0;
    }
    return sum;
}

__device__ __forceinline__ void dense_table(const ez_device_state &s, const ez_word_table<STEP> &t,
                                            const ez_word_head *head, uint32_t v)
{
    const uint32_t *row = ez_dense_row(s.w, v);
    for (uint32_t k = ez_lane(); k < 4 * ez_table_quads(s.w.topics);
         k += 32) /* 0 past the last topic */
        t.weight[k] =
            ez_weight(ez_float_weight(row[k], s.priors.beta, s.rates.rate[k]), head->record.scale);
    __syncwarp();
    if (ez_lane() < EZ_TOP && head->record.weight[ez_lane()] != 0)
        t.weight[head->record.topic[ez_lane()]] = ez_mark(ez_lane());
    __syncwarp();
    for (uint32_t block = ez_lane(); block < t.blocks; block += 32)
        t.q_through[block] = block_sum(t, block);
}

__device__ __forceinline__ void make_table(const ez_device_state &s, const ez_word_table<STEP> &t,
                                           const ez_word_head *head, uint32_t v)
{
    if (v < s.w.dense_words)
        dense_table(s, t, head, v);
    else
        sparse_table(s, t, head, v);
    __syncwarp();
    unsigned long long before = 0;
#pragma unroll 1
    for (uint32_t first = 0; first < t.blocks; first += 32) {
        uint32_t block = first + ez_lane();
        unsigned long long q =
            ez_group_scan(block < t.blocks ? t.q_through[block] : 0ull, ez_lane(), 32);
        if (block < t.blocks)
            t.q_through[block] = before + q;
        before += __shfl_sync(EZ_ALL, q, 31);
    }
    __syncwarp();
}

__device__ __forceinline__ bool any_wanted(const ez_device_state &s, uint32_t begin, uint32_t n)
{
    bool any = !s.rules.decide;
#pragma unroll 1
    for (uint32_t i = ez_lane(); i < n && !any; i += 32)
        any = ez_is_open(s.tokens, begin + i);
    return __any_sync(EZ_ALL, any);
}

/* The words of the range. Shared memory of a warp: head, room, sums of alpha parts, table.
 */
template <typename F> __device__ __forceinline__ void words_by_warp(const ez_device_state &s)
{
    uint32_t warp = threadIdx.x / 32, warps = blockDim.x / 32,
             blocks = ez_table_blocks<STEP>(s.w.topics);
    ez_word_tallies sum = {0, 0};
    char *mine = (char *)on_chip + warp * ez_warp_word_bytes(s.w.topics);
    ez_word_head *head = (ez_word_head *)mine;
    ez_warp_room *room = (ez_warp_room *)(mine + EZ_HEAD_ROOM);
    unsigned long long *q_through = (unsigned long long *)(room + 1);
    uint32_t *weight = (uint32_t *)(q_through + (blocks + 1) / 2 * 2);
    ez_word_table<STEP> table = {s.priors, weight, q_through, s.w.topics, blocks};
    for (uint32_t turn = 0;; turn++) {
        uint32_t taken = s.range.dealt ? (blockIdx.x + turn * gridDim.x) * warps + warp
                                       : ez_warp_next(s.range.next);
        uint32_t v = s.range.first + taken;
        if (v >= s.range.last)
            break;
        uint32_t begin = s.tokens.word_start[v], n = s.tokens.word_start[v + 1] - begin;
        if (n == 0 || !any_wanted(s, begin, n))
            continue;
        ez_word_open<ez_by_warp>(s, head, v);
        make_table(s, table, head, v);
        ez_draw_places<F, true>(s, table, head, room, begin, n, ez_own_places{0}, &sum);
        __syncwarp();
    }
    ez_add_tallies(s, sum);
}

extern "C" __global__ void __launch_bounds__(EZ_WARP_WORD_WARPS * 32, 32 / EZ_WARP_WORD_WARPS)
    ez_words_by_warp_narrow(EZ_IN ez_device_state s)
{
    words_by_warp<ez_narrow_rows>(s);
}

extern "C" __global__ void __launch_bounds__(EZ_WARP_WORD_WARPS * 32, 32 / EZ_WARP_WORD_WARPS)
    ez_words_by_warp(EZ_IN ez_device_state s)
{
    words_by_warp<ez_wide_rows>(s);
}
