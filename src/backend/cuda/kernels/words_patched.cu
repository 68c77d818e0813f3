/* The words pass for words with few tokens at large K: no table of K weights is made. Weights of
 * count 0 are read from device memory; the topics that have tokens of the word, and its top topics,
 * are patches on chip. One block per word. */
#include "backend/cuda/kernels/word_tokens.cuh"

enum { PATCHES = EZ_PATCHED_TOKENS + EZ_TOP };

/* The patches of a word, in topic order. */
struct patch_list {
    uint32_t n;
    uint32_t weight[PATCHES];         /* top topics hold marks */
    unsigned long long zero[PATCHES]; /* alpha parts of count 0 through the topic */
    long long shift[PATCHES];         /* how much the patches change that sum */
    uint16_t topic[PATCHES];
    uint16_t raw_topic[PATCHES];
    uint32_t raw_weight[PATCHES];
};

/* The weights of a word, as ez_word_table offers them. */
struct patched_table {
    const ez_device_priors &priors;
    const uint8_t *slot; /* topics + 1: 0, or 1 + the topic's patch */
    const patch_list *patch;
    const uint32_t *zero;                   /* topics + 1: weights of count 0 */
    const unsigned long long *zero_through; /* blocks of EZ_ZERO_STEP topics */
    uint32_t topics;

    __device__ __forceinline__ uint32_t at(uint32_t k) const
    {
        uint32_t i = slot[k];
        return i ? patch->weight[i - 1] : __ldg(&zero[k]);
    }
    __device__ __forceinline__ uint64_t zero_q(uint32_t k) const
    {
        return ez_alpha_weight(__ldg(&zero[k]), ez_alpha_of(priors, k));
    }
    /* Alpha parts of count 0 through topic k. */
    __device__ uint64_t zero_to(uint32_t k) const
    {
        uint32_t block = k / EZ_ZERO_STEP;
        uint64_t sum = block > 0 ? zero_through[block - 1] : 0;
        for (uint32_t j = block * EZ_ZERO_STEP; j <= k; j++)
            sum += zero_q(j);
        return sum;
    }
    /* The topic at y on the Q'' part if every count is 0. */
    __device__ uint32_t find_zero(uint64_t y) const
    {
        uint32_t lo = 0, hi = (topics - 1) / EZ_ZERO_STEP;
        while (lo < hi) {
            uint32_t middle = (lo + hi) / 2;
            if (zero_through[middle] > y)
                hi = middle;
            else
                lo = middle + 1;
        }
        y -= lo > 0 ? zero_through[lo - 1] : 0;
        uint32_t k = lo * EZ_ZERO_STEP;
        for (uint64_t q; k + 1 < topics && y >= (q = zero_q(k)); k++)
            y -= q;
        return k;
    }
    /* The topic at y on the Q'' part. */
    __device__ uint32_t find_q(uint64_t y) const
    {
        uint32_t lo = 0, hi = patch->n;
        while (lo < hi) {
            uint32_t middle = (lo + hi) / 2;
            if (patch->zero[middle] + (uint64_t)patch->shift[middle] > y)
                hi = middle;
            else
                lo = middle + 1;
        }
        uint64_t shift = lo > 0 ? (uint64_t)patch->shift[lo - 1] : 0;
        if (lo < patch->n) {
            uint32_t k = patch->topic[lo];
            if (y - shift >= patch->zero[lo] - zero_q(k))
                return k;
        }
        return find_zero(y - shift);
    }
};

/* Collects the word's entries and its top topics, unordered. slot[k] becomes 1 for topics of
 * entries. */
__device__ __forceinline__ void collect_patches(const ez_device_state &s, patch_list *p,
                                                uint8_t *slot, const ez_word_record &record,
                                                uint32_t v)
{
    const uint32_t *row = ez_sparse_row(s.w, v);
    uint32_t n = ez_sparse_entries(s.w, v);
    if (threadIdx.x == 0)
        p->n = 0;
    __syncthreads();
    for (uint32_t j = threadIdx.x; j < n; j += blockDim.x) {
        uint32_t k = ez_entry_topic(row[j]), count = ez_entry_count(row[j]);
        if (count == 0)
            continue;
        uint32_t i = atomicAdd(&p->n, 1);
        p->raw_topic[i] = (uint16_t)k;
        p->raw_weight[i] =
            ez_weight(ez_float_weight(count, s.priors.beta, s.rates.rate[k]), record.scale);
        slot[k] = 1;
    }
    __syncthreads();
    uint32_t branch = threadIdx.x;
    if (branch < EZ_TOP && record.weight[branch] != 0 && slot[record.topic[branch]] == 0) {
        uint32_t i = atomicAdd(&p->n, 1);
        p->raw_topic[i] = record.topic[branch];
    }
    __syncthreads();
}

/* Orders the patches by topic, fills in slot[k] and sums what the patches change. */
__device__ __forceinline__ void order_patches(const ez_device_state &s, patch_list *p,
                                              uint8_t *slot, const ez_word_record &record,
                                              const patched_table &table)
{
    uint32_t n = p->n;
    for (uint32_t i = threadIdx.x; i < n; i += blockDim.x) {
        uint32_t k = p->raw_topic[i], rank = 0, weight = p->raw_weight[i];
        for (uint32_t j = 0; j < n; j++)
            rank += p->raw_topic[j] < k;
        for (uint32_t b = 0; b < EZ_TOP; b++)
            if (record.topic[b] == k && record.weight[b] != 0)
                weight = ez_mark(b);
        uint64_t q = weight & EZ_MARK ? 0 : ez_alpha_weight(weight, ez_alpha_of(s.priors, k));
        p->topic[rank] = (uint16_t)k;
        p->weight[rank] = weight;
        p->zero[rank] = table.zero_to(k);
        p->shift[rank] = (long long)(q - table.zero_q(k));
        slot[k] = (uint8_t)(rank + 1);
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        long long before = 0;
        for (uint32_t base = 0; base < n; base += 32) {
            uint32_t i = base + ez_lane();
            long long through = ez_group_scan(i < n ? p->shift[i] : 0ll, ez_lane(), 32) + before;
            if (i < n)
                p->shift[i] = through;
            before = __shfl_sync(EZ_ALL, through, 31);
        }
    }
    __syncthreads();
}

extern __shared__ uint4 on_chip[];

/* The words of the range, each with at most EZ_PATCHED_TOKENS tokens. Shared memory: rooms,
 * then slots. */
extern "C" __global__ void __launch_bounds__(EZ_PATCHED_WARPS * 32)
    ez_words_patched(EZ_IN ez_device_state s)
{
    __shared__ ez_word_head head;
    __shared__ patch_list patch;
    __shared__ uint32_t next_place;
    ez_warp_room *room = (ez_warp_room *)on_chip;
    uint8_t *slot = (uint8_t *)(room + EZ_PATCHED_WARPS);
    ez_word_tallies sum = {0, 0};
    for (uint32_t k = threadIdx.x; k <= s.w.topics; k += blockDim.x)
        slot[k] = 0;
    for (uint32_t turn = 0;; turn++) {
        uint32_t v = ez_block_next(s.range.next, s.range.dealt, turn) + s.range.first;
        if (v >= s.range.last)
            break;
        uint32_t begin = s.tokens.word_start[v], n = s.tokens.word_start[v + 1] - begin;
        if (n == 0 || !ez_any_wanted(s, begin, n))
            continue;
        if (threadIdx.x == 0)
            next_place = 0;
        ez_word_open<ez_by_block>(s, &head, v);
        size_t zeros = (size_t)ez_zero_slot(s.priors, head.record.scale);
        patched_table table = {s.priors,
                               slot,
                               &patch,
                               s.rates.zeros.weight + zeros * s.rates.zeros.stride,
                               s.rates.zeros.through +
                                   zeros * ((s.w.topics + EZ_ZERO_STEP - 1) / EZ_ZERO_STEP),
                               s.w.topics};
        collect_patches(s, &patch, slot, head.record, v);
        order_patches(s, &patch, slot, head.record, table);
        ez_draw_places<ez_wide_rows, true>(s, table, &head, &room[threadIdx.x / 32], begin, n,
                                           ez_shared_places{&next_place}, &sum);
        __syncthreads();
        for (uint32_t i = threadIdx.x; i < patch.n; i += blockDim.x)
            slot[patch.topic[i]] = 0;
    }
    ez_add_tallies(s, sum);
}
