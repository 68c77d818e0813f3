/* A word in the words pass: its record and the table of its weights, one per topic, both on chip.
 */
#ifndef EZ_WORD_VIEW_CUH
#define EZ_WORD_VIEW_CUH

#include "backend/cuda/kernels/warp.cuh"

/* The record of the word that a block or warp works on, and what follows from it. */
struct ez_word_head {
    ez_word_record record;
    unsigned long long top_alpha[EZ_TOP]; /* q[K1] .. q[K8] */
    unsigned long long q_all;             /* sum of all alpha parts: Q'' and top_alpha */
    uint64_t word_key;
    uint32_t word_begin;
};

static_assert(sizeof(ez_word_head) <= EZ_HEAD_ROOM, "the host reserves it");

/* The threads that work on a word together: a warp, or a block. */
struct ez_by_warp {
    __device__ __forceinline__ static uint32_t thread(void)
    {
        return ez_lane();
    }
    __device__ __forceinline__ static void sync(void)
    {
        __syncwarp();
    }
};

struct ez_by_block {
    __device__ __forceinline__ static uint32_t thread(void)
    {
        return threadIdx.x;
    }
    __device__ __forceinline__ static void sync(void)
    {
        __syncthreads();
    }
};

/* Loads the head of word v. */
template <typename G>
__device__ __forceinline__ void ez_word_open(const ez_device_state &s, ez_word_head *head,
                                             uint32_t v)
{
    uint32_t thread = G::thread();
    if (thread < sizeof head->record / 4)
        ((uint32_t *)&head->record)[thread] = ((const uint32_t *)&s.records.word[v])[thread];
    G::sync();
    if (thread < EZ_TOP)
        head->top_alpha[thread] = ez_alpha_weight(
            head->record.weight[thread], ez_alpha_of(s.priors, head->record.topic[thread]));
    G::sync();
    if (thread == 0) {
        head->q_all = head->record.q_rest;
        for (int i = 0; i < EZ_TOP; i++)
            head->q_all += head->top_alpha[i];
        head->word_key = ez_part_key(ez_word_key(s.records.iteration_key, v), s.records.doc_base);
        head->word_begin = s.tokens.word_start[v];
    }
    G::sync();
}

/* In the table a top topic has a mark with its branch instead of its weight. */
__device__ __forceinline__ uint32_t ez_mark(uint32_t branch)
{
    return EZ_MARK | branch << 1;
}

__device__ __forceinline__ uint32_t ez_marked_branch(uint32_t weight)
{
    return weight >> 1 & (EZ_TOP - 1);
}

/* The weights of all topics, on chip or in the block's scratch; top topics have marks. Alpha parts
 * outside the top are summed every STEP topics. */
template <int STEP> struct ez_word_table {
    const ez_device_priors &priors;
    uint32_t *weight; /* topics + 1, padded with zeros to whole quads */
    unsigned long long *q_through;
    uint32_t topics, blocks;

    __device__ __forceinline__ uint32_t at(uint32_t k) const
    {
        return weight[k];
    }
    __device__ __forceinline__ uint64_t q_of(uint32_t k) const
    {
        uint32_t w = weight[k];
        return w & EZ_MARK ? 0 : ez_alpha_weight(w, ez_alpha_of(priors, k));
    }
    /* The topic at y on the Q'' part. */
    __device__ uint32_t find_q(uint64_t y) const
    {
        uint32_t lo = 0, hi = blocks - 1;
        while (lo < hi) {
            uint32_t middle = (lo + hi) / 2;
            if (q_through[middle] > y)
                hi = middle;
            else
                lo = middle + 1;
        }
        y -= lo > 0 ? q_through[lo - 1] : 0;
        uint32_t k = lo * STEP;
        for (uint64_t q; k + 1 < topics && y >= (q = q_of(k)); k++)
            y -= q;
        return k;
    }
};

/* Quads and blocks of a table. */
__host__ __device__ __forceinline__ uint32_t ez_table_quads(uint32_t topics)
{
    return topics / 4 + 1;
}

template <int STEP> __device__ __forceinline__ uint32_t ez_table_blocks(uint32_t topics)
{
    return (topics + STEP - 1) / STEP;
}

/* Adds the counts of a sparse row to the table, which is all zero. */
__device__ __forceinline__ void ez_scatter_counts(const ez_device_w &w, uint32_t *table, uint32_t v)
{
    const uint32_t *row = ez_sparse_row(w, v);
    uint32_t n = ez_sparse_entries(w, v);
    for (uint32_t j = threadIdx.x; j < n; j += blockDim.x)
        atomicAdd(&table[ez_entry_topic(row[j])], ez_entry_count(row[j]));
}

/* A block makes the table of word v. */
template <int STEP>
__device__ void ez_table_make(const ez_device_state &s, const ez_word_table<STEP> &t,
                              const ez_word_head *head, uint32_t v)
{
    __shared__ unsigned long long warp_total[32];
    uint4 *quad = (uint4 *)t.weight;
    uint32_t quads = ez_table_quads(s.w.topics), lane = ez_lane(), warps = blockDim.x / 32;
    bool sparse = v >= s.w.dense_words;
    if (sparse) {
        for (uint32_t i = threadIdx.x; i < quads; i += blockDim.x)
            quad[i] = make_uint4(0, 0, 0, 0);
        __syncthreads();
        ez_scatter_counts(s.w, t.weight, v);
        __syncthreads();
    }
    const uint4 *counts = sparse ? quad : (const uint4 *)ez_dense_row(s.w, v);
    float scale = head->record.scale;
    for (uint32_t i = threadIdx.x; i < quads; i += blockDim.x) {
        uint4 c = counts[i];
        float4 r = ((const float4 *)s.rates.rate)[i]; /* 0 past the last topic */
        quad[i] = make_uint4(ez_weight(ez_float_weight(c.x, s.priors.beta, r.x), scale),
                             ez_weight(ez_float_weight(c.y, s.priors.beta, r.y), scale),
                             ez_weight(ez_float_weight(c.z, s.priors.beta, r.z), scale),
                             ez_weight(ez_float_weight(c.w, s.priors.beta, r.w), scale));
    }
    __syncthreads();
    if (threadIdx.x < EZ_TOP && head->record.weight[threadIdx.x] != 0)
        t.weight[head->record.topic[threadIdx.x]] = ez_mark(threadIdx.x);
    __syncthreads();
    unsigned long long before = 0;
    for (uint32_t first = 0; first < quads; first += blockDim.x) {
        uint32_t i = first + threadIdx.x;
        unsigned long long q = 0;
        for (uint32_t k = 4 * i; k < 4 * i + 4 && k < s.w.topics; k++)
            q += t.q_of(k);
        q = ez_group_scan(q, lane, 32);
        if (lane == 31)
            warp_total[threadIdx.x / 32] = q;
        __syncthreads();
        unsigned long long through =
            ez_group_scan(lane < warps ? warp_total[lane] : 0ull, lane, 32);
        uint32_t warp = threadIdx.x / 32;
        unsigned long long below = __shfl_sync(EZ_ALL, through, warp > 0 ? warp - 1 : 0);
        if (i % (STEP / 4) == STEP / 4 - 1 || i == quads - 1)
            if (i / (STEP / 4) < t.blocks)
                t.q_through[i / (STEP / 4)] = before + (warp > 0 ? below : 0) + q;
        before += __shfl_sync(EZ_ALL, through, 31);
        __syncthreads();
    }
}

#endif
