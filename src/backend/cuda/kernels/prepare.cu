/* The prepare pass: the records of all words. A warp, or a block if the row of W is long, finds the
 * top topics of a word in rounds: every thread offers the best of its topics, and the winner's
 * thread looks for its next one. */
#include "backend/cuda/kernels/warp.cuh"

struct best {
    float f;
    uint32_t topic;
};

__device__ __forceinline__ bool comes_before(best a, best b)
{
    return a.f > b.f || (a.f == b.f && a.topic < b.topic);
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

/* The threads that work on a word: a warp, or a block. */
struct by_warp {
    __device__ __forceinline__ static uint32_t first(void)
    {
        return ez_lane();
    }
    __device__ __forceinline__ static uint32_t step(void)
    {
        return 32;
    }
    __device__ __forceinline__ static best top(best x)
    {
        return warp_best(x);
    }
    __device__ __forceinline__ static unsigned long long sum(unsigned long long x)
    {
        return ez_warp_sum(x);
    }
    __device__ __forceinline__ static bool any(bool x)
    {
        return __any_sync(EZ_ALL, x);
    }
};

struct by_block {
    __device__ __forceinline__ static uint32_t first(void)
    {
        return threadIdx.x;
    }
    __device__ __forceinline__ static uint32_t step(void)
    {
        return blockDim.x;
    }
    __device__ static best top(best x)
    {
        __shared__ best shared[32];
        x = warp_best(x);
        __syncthreads();
        if (ez_lane() == 0)
            shared[threadIdx.x / 32] = x;
        __syncthreads();
        best none = {-1, EZ_ALL};
        return warp_best(ez_lane() < blockDim.x / 32 ? shared[ez_lane()] : none);
    }
    __device__ static unsigned long long sum(unsigned long long x)
    {
        __shared__ unsigned long long shared[32];
        x = ez_warp_sum(x);
        __syncthreads();
        if (ez_lane() == 0)
            shared[threadIdx.x / 32] = x;
        __syncthreads();
        return ez_warp_sum(ez_lane() < blockDim.x / 32 ? shared[ez_lane()] : 0ull);
    }
    __device__ static bool any(bool x)
    {
        return __syncthreads_or(x);
    }
};

/* What the kernels of this pass read and write, besides the range of their words. */
struct parts {
    const ez_device_w &w;
    const ez_device_priors &priors;
    const ez_device_rates &rates;
    const ez_word_records &records;
};

/* Rows of W: n topics with their counts. */
struct dense_row {
    const uint32_t *count;
    uint32_t n;
    __device__ __forceinline__ best at(const parts &s, uint32_t i) const
    {
        return {ez_float_weight(count[i], s.priors.beta, s.rates.rate[i]), i};
    }
};

/* A sparse row. If counts may be above EZ_ENTRY_MAX (`repeats`), a topic has several entries, and
 * the first one stands for all. */
struct sparse_row {
    const uint32_t *entry;
    uint32_t n;
    bool repeats;
    __device__ __forceinline__ best at(const parts &s, uint32_t i) const
    {
        uint32_t k = ez_entry_topic(entry[i]), count = ez_entry_count(entry[i]);
        if (count == 0)
            return {-1, s.w.topics};
        if (repeats) {
            if (i > 0 && ez_entry_topic(entry[i - 1]) == k)
                return {-1, s.w.topics};
            for (uint32_t j = i + 1; j < n && ez_entry_topic(entry[j]) == k; j++)
                count += ez_entry_count(entry[j]);
        }
        return {ez_float_weight(count, s.priors.beta, s.rates.rate[k]), k};
    }
    __device__ __forceinline__ bool has(uint32_t k, uint32_t first, uint32_t step) const
    {
        bool found = false;
        for (uint32_t i = first; i < n; i += step)
            found = found || (ez_entry_topic(entry[i]) == k && ez_entry_count(entry[i]) > 0);
        return found;
    }
};

/* The best of this thread's topics that comes after `last` in the row's order. */
template <typename G, typename R>
__device__ __forceinline__ best best_after(const parts &s, const R &row, best last)
{
    best mine = {-1, s.w.topics};
    for (uint32_t i = G::first(); i < row.n; i += G::step()) {
        best it = row.at(s, i);
        if (comes_before(last, it) && comes_before(it, mine))
            mine = it;
    }
    return mine;
}

/* The next topic, from `at` on in zeros.order, that has no token of the word; its f is -1 if there
 * is none. */
template <typename G>
__device__ __forceinline__ best next_zero(const parts &s, const sparse_row &row, uint32_t *at)
{
    for (; *at < s.w.topics; ++*at) {
        uint32_t k = s.rates.zeros.order[*at];
        if (!G::any(row.has(k, G::first(), G::step())))
            return {ez_float_weight(0, s.priors.beta, s.rates.rate[k]), k};
    }
    return {-1, s.w.topics};
}

template <typename G>
__device__ __forceinline__ best next_zero(const parts &s, const dense_row &, uint32_t *)
{
    return {-1, s.w.topics};
}

/* Writes top topic i into the records. */
__device__ __forceinline__ void set_slot(const parts &s, uint32_t v, int i, best b, float scale)
{
    bool there = b.f >= 0;
    uint32_t weight = there ? ez_weight(b.f, scale) : 0;
    uint16_t topic = (uint16_t)(there ? b.topic : s.w.topics);
    s.records.word[v].weight[i] = weight;
    s.records.decide[v].weight[i] = __uint2float_rn(weight);
    if (i < EZ_TOP)
        s.records.word[v].topic[i] = s.records.decide[v].topic[i] = topic;
    if (s.records.loose) {
        s.records.loose[(size_t)(EZ_LOOSE_WEIGHT + i) * s.w.words + v] =
            __float_as_uint(__uint2float_rn(weight));
        if (i < EZ_TOP)
            s.records.loose[(size_t)i * s.w.words + v] = topic;
    }
}

/* Writes the rest of the records. */
__device__ __forceinline__ void set_rest(const parts &s, uint32_t v, float scale,
                                         unsigned long long q_rest)
{
    s.records.word[v].scale = scale;
    s.records.word[v].q_rest = q_rest;
    s.records.decide[v].q_rest = __ull2float_rn(q_rest) * (1.0f / (1 << EZ_ALPHA_BITS));
    s.records.decide[v].word_key =
        ez_part_key(ez_word_key(s.records.iteration_key, v), s.records.doc_base);
    if (s.records.loose) {
        s.records.loose[(size_t)EZ_LOOSE_Q * s.w.words + v] =
            __float_as_uint(s.records.decide[v].q_rest);
        s.records.loose[(size_t)EZ_LOOSE_KEY * s.w.words + v] =
            (uint32_t)s.records.decide[v].word_key;
        s.records.loose[(size_t)(EZ_LOOSE_KEY + 1) * s.w.words + v] =
            (uint32_t)(s.records.decide[v].word_key >> 32);
    }
}

/* The sum of all alpha parts of a word. For a sparse row it is the tabulated sum of count 0,
 * corrected for the topics that have tokens. */
template <typename G>
__device__ __forceinline__ unsigned long long alpha_parts(const parts &s, const dense_row &row,
                                                          float scale)
{
    unsigned long long sum = 0;
    for (uint32_t k = G::first(); k < row.n; k += G::step())
        sum += ez_alpha_weight(ez_weight(row.at(s, k).f, scale), s.priors.alpha_scaled[k]);
    return G::sum(sum);
}

template <typename G>
__device__ __forceinline__ unsigned long long alpha_parts(const parts &s, const sparse_row &row,
                                                          float scale)
{
    unsigned long long sum = 0;
    for (uint32_t i = G::first(); i < row.n; i += G::step()) {
        best it = row.at(s, i);
        if (it.f < 0)
            continue;
        float zero = ez_float_weight(0, s.priors.beta, s.rates.rate[it.topic]);
        sum += ez_alpha_weight(ez_weight(it.f, scale), s.priors.alpha_scaled[it.topic]) -
               ez_alpha_weight(ez_weight(zero, scale), s.priors.alpha_scaled[it.topic]);
    }
    return G::sum(sum) + s.rates.zeros.q[ez_zero_slot(s.priors, scale)];
}

template <typename G, typename R>
__device__ __forceinline__ void prepare_word(const parts &s, uint32_t v, const R &row)
{
    uint32_t zeros = 0;
    best ahead = {3.4e38f, 0}, mine = best_after<G>(s, row, ahead),
         zero = next_zero<G>(s, row, &zeros);
    float scale = 0;
    unsigned long long top_alpha = 0;
    for (int i = 0; i <= EZ_TOP; i++) {
        best winner = G::top(mine);
        bool empty = comes_before(zero, winner);
        winner = empty ? zero : winner;
        if (i == 0)
            scale = ez_power_of_two(s.priors.weight_bits - ez_exponent(winner.f));
        if (G::first() == 0)
            set_slot(s, v, i, winner, scale);
        if (winner.f < 0)
            continue;
        if (i < EZ_TOP)
            top_alpha +=
                ez_alpha_weight(ez_weight(winner.f, scale), s.priors.alpha_scaled[winner.topic]);
        if (empty) {
            zeros++;
            zero = next_zero<G>(s, row, &zeros);
        } else if (winner.topic == mine.topic) {
            mine = best_after<G>(s, row, winner);
        }
    }
    unsigned long long rest = alpha_parts<G>(s, row, scale) - top_alpha;
    if (G::first() == 0)
        set_rest(s, v, scale, rest);
}

__device__ __forceinline__ dense_row dense_row_of(const parts &s, uint32_t v)
{
    return {ez_dense_row(s.w, v), s.w.topics};
}

__device__ __forceinline__ sparse_row sparse_row_of(const parts &s, uint32_t v)
{
    uint32_t begin = s.w.start[v], tokens = s.w.start[v + 1] - begin;
    return {s.w.sparse + (begin - s.w.sparse_base), ez_sparse_entries(s.w, v),
            tokens > EZ_ENTRY_MAX};
}

/* A dense row whose weights a warp keeps in registers. K is at most EZ_REGISTER_TOPICS. */
__device__ __forceinline__ void prepare_in_registers(const parts &s, uint32_t v)
{
    enum { EACH = EZ_REGISTER_TOPICS / 32 };
    const uint32_t *row = ez_dense_row(s.w, v);
    float f[EACH], scale = 0;
    unsigned long long top_alpha = 0, all_alpha = 0;
#pragma unroll
    for (uint32_t i = 0; i < EACH; i++) {
        uint32_t k = i * 32 + ez_lane();
        f[i] = k < s.w.topics ? ez_float_weight(row[k], s.priors.beta, s.rates.rate[k]) : -1;
    }
    for (int slot = 0; slot <= EZ_TOP; slot++) {
        best mine = {-1, s.w.topics};
#pragma unroll
        for (uint32_t i = 0; i < EACH; i++)
            if (f[i] > mine.f)
                mine = {f[i], i * 32 + ez_lane()};
        best winner = warp_best(mine);
        if (slot == 0) {
            scale = ez_power_of_two(s.priors.weight_bits - ez_exponent(winner.f));
#pragma unroll
            for (uint32_t i = 0; i < EACH; i++)
                if (f[i] >= 0)
                    all_alpha += ez_alpha_weight(ez_weight(f[i], scale),
                                                 s.priors.alpha_scaled[i * 32 + ez_lane()]);
        }
        if (ez_lane() == 0)
            set_slot(s, v, slot, winner, scale);
        if (winner.f < 0)
            continue;
        if (slot < EZ_TOP)
            top_alpha +=
                ez_alpha_weight(ez_weight(winner.f, scale), s.priors.alpha_scaled[winner.topic]);
#pragma unroll
        for (uint32_t i = 0; i < EACH; i++)
            if (winner.topic == i * 32 + ez_lane())
                f[i] = -1;
    }
    unsigned long long rest = ez_warp_sum(all_alpha) - top_alpha;
    if (ez_lane() == 0)
        set_rest(s, v, scale, rest);
}

__device__ __forceinline__ bool occurs(const ez_device_w &w, uint32_t v)
{
    return w.start[v] < w.start[v + 1];
}

/* Each kernel prepares the words of its range. */
extern "C" __global__ void __launch_bounds__(256)
    ez_prepare_in_registers(EZ_IN ez_device_range range, EZ_IN ez_device_w w,
                            EZ_IN ez_device_priors priors, EZ_IN ez_device_rates rates,
                            EZ_IN ez_word_records records)
{
    parts s = {w, priors, rates, records};
    uint32_t warps = gridDim.x * blockDim.x / 32,
             first = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    for (uint32_t v = range.first + first; v < range.last; v += warps)
        if (occurs(s.w, v))
            prepare_in_registers(s, v);
}

extern "C" __global__ void __launch_bounds__(256)
    ez_prepare_dense(EZ_IN ez_device_range range, EZ_IN ez_device_w w,
                     EZ_IN ez_device_priors priors, EZ_IN ez_device_rates rates,
                     EZ_IN ez_word_records records)
{
    parts s = {w, priors, rates, records};
    uint32_t warps = gridDim.x * blockDim.x / 32,
             first = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    for (uint32_t v = range.first + first; v < range.last; v += warps)
        if (occurs(s.w, v))
            prepare_word<by_warp>(s, v, dense_row_of(s, v));
}

extern "C" __global__ void __launch_bounds__(1024)
    ez_prepare_dense_by_block(EZ_IN ez_device_range range, EZ_IN ez_device_w w,
                              EZ_IN ez_device_priors priors, EZ_IN ez_device_rates rates,
                              EZ_IN ez_word_records records)
{
    parts s = {w, priors, rates, records};
    for (uint32_t v = range.first + blockIdx.x; v < range.last; v += gridDim.x)
        if (occurs(s.w, v))
            prepare_word<by_block>(s, v, dense_row_of(s, v));
}

extern "C" __global__ void __launch_bounds__(256)
    ez_prepare_sparse(EZ_IN ez_device_range range, EZ_IN ez_device_w w,
                      EZ_IN ez_device_priors priors, EZ_IN ez_device_rates rates,
                      EZ_IN ez_word_records records)
{
    parts s = {w, priors, rates, records};
    uint32_t warps = gridDim.x * blockDim.x / 32,
             first = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    for (uint32_t v = range.first + first; v < range.last; v += warps)
        if (occurs(s.w, v))
            prepare_word<by_warp>(s, v, sparse_row_of(s, v));
}

extern "C" __global__ void __launch_bounds__(1024)
    ez_prepare_sparse_by_block(EZ_IN ez_device_range range, EZ_IN ez_device_w w,
                               EZ_IN ez_device_priors priors, EZ_IN ez_device_rates rates,
                               EZ_IN ez_word_records records)
{
    parts s = {w, priors, rates, records};
    for (uint32_t v = range.first + blockIdx.x; v < range.last; v += gridDim.x)
        if (occurs(s.w, v))
            prepare_word<by_block>(s, v, sparse_row_of(s, v));
}
