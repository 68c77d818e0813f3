/* Draws the topics of the prior sample, tallies what the fit reads, and scores the
 * half that was not observed. */
#include "backend/cuda/kernels/prior_sample.cuh"
#include "sampler/count_cells.h"
#include "sampler/log2_fixed.h"

extern __shared__ uint32_t shared[];

/* ---- the draw ---- */

/* The line of a token. */
struct rest_line {
    uint64_t end[EZ_TOP]; /* ends of the branches */
    uint64_t s, total;
};

/* The branch of a topic, or EZ_TOP. */
__device__ __forceinline__ int branch_of(const ez_word_record &record, uint32_t k)
{
    int branch = EZ_TOP;
#pragma unroll
    for (int b = EZ_TOP - 1; b >= 0; b--)
        branch = record.topic[b] == k ? b : branch;
    return branch;
}

/* An entry's count without the token itself. */
__device__ __forceinline__ uint32_t count_without(uint32_t entry, uint32_t own)
{
    return ez_entry_count(entry) - (ez_entry_topic(entry) == own);
}

__device__ __forceinline__ void make_line(const ez_prior_sample_state &s,
                                          const ez_word_record &record, uint32_t i,
                                          const uint32_t *row, uint32_t n, uint32_t own,
                                          rest_line *line)
{
    uint32_t top[EZ_TOP] = {0};
    uint64_t sum = 0, end = 0;
#pragma unroll 4
    for (uint32_t j = 0; j < n; j++) {
        uint32_t k = ez_entry_topic(row[j]), count = count_without(row[j], own);
        uint32_t weight = ez_rest_weight(s, i, k, record.scale);
        int branch = branch_of(record, k);
        sum += branch == EZ_TOP ? (uint64_t)count * weight : 0;
#pragma unroll
        for (int b = 0; b < EZ_TOP; b++)
            top[b] = branch == b ? count : top[b];
    }
#pragma unroll
    for (int b = 0; b < EZ_TOP; b++) {
        uint32_t k = record.topic[b];
        uint64_t alpha = k < s.topics ? ez_rest_alpha(s, record.weight[b], k) : 0;
        end += ez_branch(record.weight[b], top[b], alpha);
        line->end[b] = end;
    }
    line->s = sum;
    line->total = end + (sum << EZ_ALPHA_BITS) + record.q_rest;
}

/* The topic at y on S''. */
__device__ __forceinline__ uint32_t find_in_s(const ez_prior_sample_state &s,
                                              const ez_word_record &record, uint32_t i,
                                              const uint32_t *row, uint32_t n, uint32_t own,
                                              uint64_t y)
{
    for (uint32_t j = 0; j < n; j++) {
        uint32_t k = ez_entry_topic(row[j]);
        if (branch_of(record, k) < EZ_TOP)
            continue;
        uint64_t term =
            (uint64_t)count_without(row[j], own) * ez_rest_weight(s, i, k, record.scale);
        if (y < term)
            return k;
        y -= term;
    }
    return s.topics;
}

/* The topic at y on Q'' of word i; all lanes of the warp call it with the same arguments. */
__device__ __forceinline__ uint32_t find_in_q(const ez_prior_sample_state &s, uint32_t i,
                                              uint64_t y)
{
    enum { EACH = EZ_PRIOR_SAMPLE_STEP / 32 };
    const unsigned long long *through = s.words.q_through + (size_t)i * s.words.steps;
    const ez_word_record record = s.words.record[i];
    uint32_t step = 0, hit = 0;
    for (; !hit && step < s.words.steps; step += 32) {
        uint32_t at = step + ez_lane();
        hit = __ballot_sync(EZ_ALL, at < s.words.steps && through[min(at, s.words.steps - 1)] > y);
        if (hit) {
            step += __ffs(hit) - 1;
            break;
        }
    }
    y -= step > 0 ? through[step - 1] : 0;
    uint64_t q[EACH], mine = 0;
    for (int j = 0; j < EACH; j++) {
        uint32_t k = step * EZ_PRIOR_SAMPLE_STEP + ez_lane() * EACH + j;
        bool counts = k < s.topics && branch_of(record, k) == EZ_TOP;
        q[j] = counts ? ez_rest_alpha(s, ez_rest_weight(s, i, k, record.scale), k) : 0;
        mine += q[j];
    }
    uint64_t end = ez_group_scan(mine, ez_lane(), 32);
    uint32_t lane = __ffs(__ballot_sync(EZ_ALL, end > y)) - 1, found = s.topics;
    y -= end - mine;
    for (int j = EACH - 1; j >= 0; j--) {
        uint64_t before = 0;
        for (int b = 0; b < j; b++)
            before += q[b];
        if (y >= before && y < before + q[j])
            found = step * EZ_PRIOR_SAMPLE_STEP + ez_lane() * EACH + j;
    }
    return __shfl_sync(EZ_ALL, found, lane);
}

/* Draws the token at place t, if it is `there`; all lanes of a warp call it. */
__device__ __forceinline__ void draw(const ez_prior_sample_state &s, uint32_t t, bool there)
{
    uint32_t i = 0, topic = s.topics;
    uint64_t y = 0;
    bool in_q = false;
    if (there) {
        rest_line line;
        uint32_t d = s.list.doc[t], n = s.list.entries[d], own = s.list.topic[t];
        const uint32_t *row = s.list.row + s.list.start[d];
        i = s.list.word[t];
        const ez_word_record record = s.words.record[i];
        make_line(s, record, i, row, n, own, &line);
        uint64_t u = ez_draw(ez_word_key(s.key, s.words.label[i]), d, s.list.occurrence[t]);
        uint64_t x = ez_mulhi(u, line.total);
        uint64_t top = line.end[EZ_TOP - 1], q = top + (line.s << EZ_ALPHA_BITS);
#pragma unroll
        for (int b = EZ_TOP - 1; b >= 0; b--)
            topic = x < line.end[b] ? record.topic[b] : topic;
        if (x >= top && x < q)
            topic = find_in_s(s, record, i, row, n, own, (x - top) >> EZ_ALPHA_BITS);
        in_q = x >= q;
        y = x - q;
    }
    for (uint32_t left = __ballot_sync(EZ_ALL, in_q); left; left &= left - 1) {
        int lane = __ffs(left) - 1;
        uint32_t found = find_in_q(s, __shfl_sync(EZ_ALL, i, lane), __shfl_sync(EZ_ALL, y, lane));
        topic = (int)ez_lane() == lane ? found : topic;
    }
    if (!there)
        return;
    s.list.topic[t] = (uint16_t)topic;
    if (s.keep)
        s.keep[t] = (uint16_t)topic;
}

/* One lane per token. Rows stay as they are until all tokens of the iteration are drawn. */
extern "C" __global__ void __launch_bounds__(EZ_PRIOR_SAMPLE_DOC_THREADS)
    ez_prior_sample_draw(EZ_IN ez_prior_sample_state s)
{
    uint32_t step = gridDim.x * blockDim.x, first = blockIdx.x * blockDim.x + threadIdx.x;
    for (uint32_t base = first / 32 * 32; base < s.list.tokens; base += step)
        draw(s, base + ez_lane(), base + ez_lane() < s.list.tokens);
}

/* ---- documents ---- */

struct write_row {
    uint32_t *row, *entries;
    __device__ __forceinline__ void operator()(uint32_t k, uint32_t count, uint32_t j,
                                               uint32_t n) const
    {
        row[ez_entry_turn(j, n)] = ez_entry(k, count);
        if (j == 0)
            *entries = n;
    }
};

struct tally_row {
    const ez_prior_sample_state *s;
    __device__ __forceinline__ void operator()(uint32_t k, uint32_t count, uint32_t, uint32_t) const
    {
        const ez_histogram_arrays &h = s->histograms;
        atomicAdd(&s->own[k], (unsigned long long)count);
        if (count < EZ_HISTOGRAM_CELLS)
            atomicAdd(&h.docs[(size_t)k * EZ_HISTOGRAM_CELLS + count], 1ull);
        else
            h.more[atomicAdd(&h.words[EZ_COUNT_CELLS], 1ull)] = (unsigned long long)k << 32 | count;
    }
};

__device__ __forceinline__ void add_tokens(const ez_prior_sample_state &s,
                                           const ez_doc_counts &counts, uint32_t d)
{
    for (uint32_t t = s.list.start[d] + threadIdx.x; t < s.list.start[d + 1]; t += blockDim.x)
        counts.add(s.list.topic[t]);
}

/* The block's counts, cleared. */
__device__ __forceinline__ ez_doc_counts block_counts(const ez_prior_sample_state &s)
{
    for (uint32_t g = threadIdx.x; g < (s.topics + 31) / 32; g += blockDim.x)
        shared[g] = 0;
    __syncthreads();
    return {s.counts + (size_t)blockIdx.x * s.topics, shared};
}

/* Makes the rows of D, one block per document. */
extern "C" __global__ void __launch_bounds__(EZ_PRIOR_SAMPLE_DOC_THREADS)
    ez_prior_sample_docs(EZ_IN ez_prior_sample_state s)
{
    ez_doc_counts counts = block_counts(s);
    for (uint32_t d = blockIdx.x; d < s.list.docs; d += gridDim.x) {
        add_tokens(s, counts, d);
        ez_visit_counts(counts, s.topics,
                        write_row{s.list.row + s.list.start[d], &s.list.entries[d]});
    }
}

/* Tallies the counts of D, and those that the tokens meet in W. */
extern "C" __global__ void __launch_bounds__(EZ_PRIOR_SAMPLE_DOC_THREADS)
    ez_prior_sample_tally(EZ_IN ez_prior_sample_state s)
{
    ez_doc_counts counts = block_counts(s);
    for (uint32_t d = blockIdx.x; d < s.list.docs; d += gridDim.x) {
        add_tokens(s, counts, d);
        ez_visit_counts(counts, s.topics, tally_row{&s});
        for (uint32_t t = s.list.start[d] + threadIdx.x; t < s.list.start[d + 1]; t += blockDim.x) {
            uint32_t met = ez_rest_count(s, s.list.word[t], s.list.topic[t]);
            atomicAdd(&s.histograms.words[ez_count_cell(met)], 1ull);
        }
    }
}

/* ---- the score: train/priors/prior_sample_on_host.c defines the order of operations ---- */

/* Fills weight[k] with theta of document d times the rate of topic k. Clears the counts. */
__device__ __forceinline__ void weigh_topics(const ez_prior_sample_state &s, uint32_t d,
                                             uint32_t *count, double *weight)
{
    uint32_t first = s.list.start[d], last = s.list.start[d + 1];
    double all = (double)(last - first) + s.alpha_sum;
    for (uint32_t sample = 0; sample < s.samples; sample++)
        for (uint32_t t = first + threadIdx.x; t < last; t += blockDim.x)
            atomicAdd(&count[s.sample[(size_t)sample * s.list.tokens + t]], 1u);
    __syncthreads();
    for (uint32_t k = threadIdx.x; k < s.topics; k += blockDim.x) {
        double theta = (double)s.alpha[k], part = 1.0 / s.samples;
        for (uint32_t left = __ldcg(&count[k]); left; left--)
            theta += part;
        double rate = 1 / ((double)s.topic_tokens[k] + (double)s.beta * (double)s.all_words);
        weight[k] = theta / all * rate;
        count[k] = 0;
    }
    __syncthreads();
}

__device__ __forceinline__ int64_t score_word(const ez_prior_sample_state &s, uint32_t i,
                                              const double *weight, double p)
{
    if (ez_rest_is_dense(s, i)) {
        const uint32_t *row = ez_rest_dense(s, i);
        for (uint32_t k = 0; k < s.topics; k++)
            p += weight[k] * (double)row[k]; /* a count of 0 adds 0 */
    } else {
        uint32_t first = s.words.row_start[i], last = first + s.words.entries[i];
        for (uint32_t j = first; j < last; j++)
            p += weight[s.words.row_topic[j]] * (double)s.words.row_count[j];
    }
    return ez_log2_fixed_share(p);
}

extern "C" __global__ void __launch_bounds__(EZ_PRIOR_SAMPLE_DOC_THREADS)
    ez_prior_sample_score(EZ_IN ez_prior_sample_state s)
{
    __shared__ double even;
    uint32_t *count = s.counts + (size_t)blockIdx.x * s.topics;
    double *weight = s.weight + (size_t)blockIdx.x * s.topics;
    for (uint32_t d = blockIdx.x; d < s.list.docs; d += gridDim.x) {
        weigh_topics(s, d, count, weight);
        if (threadIdx.x == 0) {
            double sum = 0;
#pragma unroll 8
            for (uint32_t k = 0; k < s.topics; k++)
                sum += weight[k];
            even = sum * (double)s.beta;
        }
        __syncthreads();
        long long sum = 0;
        for (uint32_t j = s.scored_start[d] + threadIdx.x; j < s.scored_start[d + 1];
             j += blockDim.x)
            sum += score_word(s, s.scored[j], weight, even);
        sum = ez_warp_sum(sum);
        if (ez_lane() == 0 && sum != 0)
            atomicAdd((unsigned long long *)s.score_sum, (unsigned long long)sum);
        __syncthreads();
    }
}
