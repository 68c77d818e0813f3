/* Removes the prior sample from W, and makes the records of its words from the rest. */
#include "backend/cuda/kernels/prior_sample.cuh"

/* Copies the topics of tokens. */
extern "C" __global__ void __launch_bounds__(256) ez_prior_sample_gather(EZ_IN ez_gather_state s)
{
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < s.n; i += gridDim.x * blockDim.x)
        s.out[i] = s.topic[s.place[s.token[i]]] & s.mask;
}

/* Subtracts the documents' tokens from dense rows of W, or adds them again. */
extern "C" __global__ void __launch_bounds__(256)
    ez_prior_sample_remove(EZ_IN ez_prior_sample_state s)
{
    uint32_t step = s.put_back ? 1u : EZ_ALL, warps = gridDim.x * blockDim.x / 32;
    for (uint32_t i = (blockIdx.x * blockDim.x + threadIdx.x) / 32; i < s.words.n; i += warps) {
        if (!ez_rest_is_dense(s, i))
            continue;
        uint32_t *row = ez_rest_dense(s, i);
        for (uint32_t j = s.words.own_start[i] + ez_lane(); j < s.words.own_start[i + 1]; j += 32)
            atomicAdd(&row[s.own_topic[s.words.own_token[j]]], step);
    }
}

/* Writes the counts of a word as entries, topics ascending, and clears them. Each warp of the block
 * has a stretch of topics. Returns the entries. */
__device__ __forceinline__ uint32_t write_entries(const ez_prior_sample_state &s, uint32_t i,
                                                  uint32_t *count)
{
    enum { WARPS = EZ_PRIOR_SAMPLE_WORD_THREADS / 32 };
    __shared__ uint32_t stretch[WARPS];
    uint32_t warp = threadIdx.x / 32, each = ((s.topics + 31) / 32 + WARPS - 1) / WARPS * 32;
    uint32_t first = min(warp * each, s.topics), last = min(first + each, s.topics), n = 0;
    ez_topic_rank *rank = s.words.rank ? s.words.rank + (size_t)i * s.words.groups : NULL;
    for (uint32_t base = first; base < last; base += 32) {
        uint32_t k = base + ez_lane();
        n += __popc(__ballot_sync(EZ_ALL, k < last && __ldcg(&count[min(k, last - 1)]) > 0));
    }
    if (ez_lane() == 0)
        stretch[warp] = n;
    __syncthreads();
    uint32_t all = 0, at = s.words.row_start[i];
    for (uint32_t w = 0; w < WARPS; w++) {
        at += w < warp ? stretch[w] : 0;
        all += stretch[w];
    }
    for (uint32_t base = first; base < last; base += 32) {
        uint32_t k = base + ez_lane(), mine = k < last ? __ldcg(&count[k]) : 0;
        uint32_t set = __ballot_sync(EZ_ALL, mine > 0);
        if (mine > 0) {
            s.words.row_topic[at + __popc(set & ez_lanes_before())] = (uint16_t)k;
            s.words.row_count[at + __popc(set & ez_lanes_before())] = mine;
            count[k] = 0;
        }
        if (rank && ez_lane() == 0)
            rank[base / 32] = {set, at};
        at += __popc(set);
    }
    __syncthreads();
    return all;
}

/* Copies sparse rows of W without the documents' tokens; one block per word. */
extern "C" __global__ void __launch_bounds__(EZ_PRIOR_SAMPLE_WORD_THREADS)
    ez_prior_sample_rows(EZ_IN ez_prior_sample_state s)
{
    uint32_t *count = s.counts + (size_t)blockIdx.x * s.topics;
    for (uint32_t i = blockIdx.x; i < s.words.n; i += gridDim.x) {
        uint32_t v = s.words.run[i];
        if (v < s.w.dense_words)
            continue;
        const uint32_t *row = ez_sparse_row(s.w, v);
        for (uint32_t j = threadIdx.x; j < ez_sparse_entries(s.w, v); j += blockDim.x)
            if (ez_entry_count(row[j]) > 0)
                atomicAdd(&count[ez_entry_topic(row[j])], ez_entry_count(row[j]));
        for (uint32_t j = s.words.own_start[i] + threadIdx.x; j < s.words.own_start[i + 1];
             j += blockDim.x)
            atomicAdd(&count[s.own_topic[s.words.own_token[j]]], EZ_ALL);
        __syncthreads();
        uint32_t n = write_entries(s, i, count);
        if (threadIdx.x == 0)
            s.words.entries[i] = n;
    }
}

/* n without the documents, and the rates. */
extern "C" __global__ void __launch_bounds__(256)
    ez_prior_sample_rates(EZ_IN ez_prior_sample_state s)
{
    for (uint32_t k = blockIdx.x * blockDim.x + threadIdx.x; k < s.topics;
         k += gridDim.x * blockDim.x) {
        s.topic_tokens[k] = s.w.topic_tokens[k] - s.removed[k];
        s.rate[k] = ez_topic_rate(s.topic_tokens[k], s.all_words, s.beta);
    }
}

/* The topic at x on a word's counts by ascending topic; all lanes of a warp call it. */
__device__ uint32_t topic_at(const ez_prior_sample_state &s, uint32_t i, uint64_t x)
{
    bool dense = ez_rest_is_dense(s, i);
    const uint32_t *row = dense ? ez_rest_dense(s, i) : s.words.row_count + s.words.row_start[i];
    uint32_t n = dense ? s.topics : s.words.entries[i], hit = 0, base = 0;
    for (; !hit && base < n; base += 32) {
        uint32_t j = base + ez_lane(), through = ez_group_scan(j < n ? row[j] : 0u, ez_lane(), 32);
        hit = __ballot_sync(EZ_ALL, through > x);
        x -= hit ? 0 : __shfl_sync(EZ_ALL, through, 31);
    }
    uint32_t j = base - 32 + __ffs(hit) - 1;
    return dense ? j : s.words.row_topic[s.words.row_start[i] + j];
}

/* First topics: at mulhi(u, tokens of the word) on the word's counts. One warp per token. */
extern "C" __global__ void __launch_bounds__(256)
    ez_prior_sample_start(EZ_IN ez_prior_sample_state s)
{
    uint32_t warps = gridDim.x * blockDim.x / 32;
    for (uint32_t t = (blockIdx.x * blockDim.x + threadIdx.x) / 32; t < s.list.tokens; t += warps) {
        uint32_t i = s.list.word[t];
        uint64_t u =
            ez_draw(ez_word_key(s.key, s.words.label[i]), s.list.doc[t], s.list.occurrence[t]);
        uint32_t topic = topic_at(s, i, ez_mulhi(u, s.words.total[i]));
        if (ez_lane() == 0)
            s.list.topic[t] = (uint16_t)topic;
    }
}

/* ---- records ---- */

/* Larger first, then the smaller topic. Weights are positive, so their bits are in order. */
__device__ __forceinline__ unsigned long long rank_of(float f, uint32_t k)
{
    return (unsigned long long)__float_as_uint(f) << 32 | (EZ_ALL - k);
}

__device__ __forceinline__ float weight_of(unsigned long long rank)
{
    return __uint_as_float((uint32_t)(rank >> 32));
}

__device__ __forceinline__ uint32_t topic_of(unsigned long long rank)
{
    return EZ_ALL - (uint32_t)rank;
}

__device__ unsigned long long block_max(unsigned long long x)
{
    __shared__ unsigned long long shared[32];
    for (int step = 16; step > 0; step >>= 1) {
        unsigned long long other = __shfl_xor_sync(EZ_ALL, x, step);
        x = other > x ? other : x;
    }
    __syncthreads();
    if (ez_lane() == 0)
        shared[threadIdx.x / 32] = x;
    __syncthreads();
    for (uint32_t i = 0; i < blockDim.x / 32; i++)
        x = shared[i] > x ? shared[i] : x;
    return x;
}

/* The best of this thread's topics after `last`; 0: none. */
__device__ __forceinline__ unsigned long long best_after(const ez_prior_sample_state &s,
                                                         const uint32_t *count,
                                                         unsigned long long last)
{
    unsigned long long best = 0;
    for (uint32_t k = threadIdx.x; k < s.topics; k += blockDim.x) {
        unsigned long long it = rank_of(ez_float_weight(__ldcg(&count[k]), s.beta, s.rate[k]), k);
        if (it < last && it > best)
            best = it;
    }
    return best;
}

__device__ __forceinline__ bool is_top(const uint16_t *top, uint32_t k)
{
    bool found = false;
    for (int b = 0; b < EZ_TOP; b++)
        found = found || top[b] == k;
    return found;
}

/* Sums Q'' by steps of topics, one warp per step. */
__device__ __forceinline__ void sum_steps(const ez_prior_sample_state &s, const uint32_t *count,
                                          const ez_word_record *record, unsigned long long *sum)
{
    for (uint32_t step = threadIdx.x / 32; step < s.words.steps; step += blockDim.x / 32) {
        unsigned long long q = 0;
        for (uint32_t j = ez_lane(); j < EZ_PRIOR_SAMPLE_STEP; j += 32) {
            uint32_t k = step * EZ_PRIOR_SAMPLE_STEP + j;
            if (k >= s.topics || is_top(record->topic, k))
                continue;
            float f = ez_float_weight(__ldcg(&count[k]), s.beta, s.rate[k]);
            q += ez_rest_alpha(s, ez_weight(f, record->scale), k);
        }
        q = ez_warp_sum(q);
        if (ez_lane() == 0)
            sum[step] = q;
    }
}

/* The record of a word from its counts of all topics. */
__device__ void make_record(const ez_prior_sample_state &s, uint32_t i, const uint32_t *count)
{
    __shared__ ez_word_record record;
    __shared__ unsigned long long step_sum[EZ_PRIOR_SAMPLE_STEPS_MAX];
    unsigned long long mine = best_after(s, count, ~0ull);
    float scale = 0;
    for (int b = 0; b <= EZ_TOP; b++) {
        unsigned long long winner = block_max(mine);
        if (b == 0)
            scale = ez_power_of_two(s.weight_bits - ez_exponent(weight_of(winner)));
        if (threadIdx.x == 0) {
            record.weight[b] = winner ? ez_weight(weight_of(winner), scale) : 0;
            if (b < EZ_TOP)
                record.topic[b] = (uint16_t)(winner ? topic_of(winner) : s.topics);
            record.scale = scale;
        }
        if (winner && winner == mine)
            mine = best_after(s, count, winner);
    }
    __syncthreads();
    sum_steps(s, count, &record, step_sum);
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned long long through = 0;
        for (uint32_t step = 0; step < s.words.steps; step++) {
            through += step_sum[step];
            s.words.q_through[(size_t)i * s.words.steps + step] = through;
        }
        record.q_rest = through;
        s.words.record[i] = record;
    }
    __syncthreads();
}

/* One block per word. A copied row is laid out by topic first. */
extern "C" __global__ void __launch_bounds__(EZ_PRIOR_SAMPLE_WORD_THREADS)
    ez_prior_sample_records(EZ_IN ez_prior_sample_state s)
{
    uint32_t *count = s.counts + (size_t)blockIdx.x * s.topics;
    for (uint32_t i = blockIdx.x; i < s.words.n; i += gridDim.x) {
        if (ez_rest_is_dense(s, i)) {
            make_record(s, i, ez_rest_dense(s, i));
            continue;
        }
        uint32_t first = s.words.row_start[i], last = first + s.words.entries[i];
        for (uint32_t j = first + threadIdx.x; j < last; j += blockDim.x)
            count[s.words.row_topic[j]] = s.words.row_count[j];
        __syncthreads();
        make_record(s, i, count);
        for (uint32_t j = first + threadIdx.x; j < last; j += blockDim.x)
            count[s.words.row_topic[j]] = 0;
        __syncthreads();
    }
}
