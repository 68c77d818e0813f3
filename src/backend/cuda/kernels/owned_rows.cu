/* Owned rows: a shard counts the rows of W in its slice from the topics of all shards on this
 * machine. T is sorted by word, so the topics of a word are consecutive in the T of each shard. */
#include "backend/cuda/kernels/count_rows.cuh"

extern __shared__ uint32_t shared[];

/* 32 bits per topic, on chip. */
struct plain_counts {
    uint32_t *count;

    __device__ __forceinline__ void add(uint32_t k) const
    {
        atomicAdd(&count[k], 1);
    }
};

/* A block counts the tokens that all shards have of a word. Each shard gets some of its warps. */
template <typename C>
__device__ __forceinline__ void add_word(const ez_device_tokens &tokens,
                                         const ez_shard_sums &shards, const C &counts, uint32_t v)
{
    uint32_t warps = blockDim.x / 32, each = max(warps / (shards.others + 1), 1u),
             thread = threadIdx.x % (each * 32);
    for (uint32_t m = threadIdx.x / (each * 32); m <= shards.others; m += warps / each) {
        const uint32_t *start = m ? shards.other[m - 1].word_start : tokens.word_start;
        const uint16_t *topic = m ? shards.other[m - 1].topic : tokens.topic;
        ez_add_stretch(counts, topic, start[v] + thread, start[v + 1], each * 32);
    }
}

/* Dense rows; one block per word. */
extern "C" __global__ void ez_owned_dense(EZ_IN ez_device_range range,
                                          EZ_IN ez_device_tokens tokens, EZ_IN ez_device_w w,
                                          EZ_IN ez_shard_sums shards)
{
    for (uint32_t turn = 0;; turn++) {
        uint32_t v = ez_block_next(range.next, range.dealt, turn) + range.first;
        if (v >= range.last)
            return;
        for (uint32_t k = threadIdx.x; k < w.topics; k += blockDim.x)
            shared[k] = 0;
        __syncthreads();
        add_word(tokens, shards, plain_counts{shared}, v);
        __syncthreads();
        uint32_t *row = ez_dense_row(w, v);
        for (uint32_t k = threadIdx.x; k < w.topics; k += blockDim.x) {
            uint32_t n = shared[k];
            row[k] = n;
            if (n)
                atomicAdd(&w.topic_tokens[k], (unsigned long long)n);
        }
    }
}

/* Sparse rows of words with at most EZ_ENTRY_MAX tokens; one block per word. */
extern "C" __global__ void __launch_bounds__(256)
    ez_owned_sparse(EZ_IN ez_device_range range, EZ_IN ez_device_tokens tokens, EZ_IN ez_device_w w,
                    EZ_IN ez_shard_sums shards)
{
    uint32_t pairs = w.topics / 2 + 1;
    ez_packed_counts counts = {shared, shared + pairs};
    for (uint32_t i = threadIdx.x; i < pairs + ez_seen_words(w.topics); i += blockDim.x)
        shared[i] = 0;
    for (uint32_t turn = 0;; turn++) {
        uint32_t v = ez_block_next(range.next, range.dealt, turn) + range.first;
        if (v >= range.last)
            return;
        add_word(tokens, shards, counts, v);
        ez_write_by_block(w, counts, v);
    }
}

/* The tokens that all shards have of a word, for a warp: one lane per shard knows where they are.
 */
struct warp_tokens {
    const uint32_t *start;
    const uint16_t *topic;
    unsigned long long origin; /* address of token 0 of all, if all were in this shard's T */
    uint32_t through, n;       /* tokens up to and with this shard; tokens of all shards */

    __device__ __forceinline__ void open(const ez_device_tokens &own, const ez_shard_sums &shards)
    {
        bool other = ez_lane() > 0 && ez_lane() <= shards.others;
        start = other ? shards.other[ez_lane() - 1].word_start : own.word_start;
        topic = other ? shards.other[ez_lane() - 1].topic : own.topic;
    }
    __device__ __forceinline__ void find_word(const ez_shard_sums &shards, uint32_t v)
    {
        uint32_t begin = start[v], size = ez_lane() <= shards.others ? start[v + 1] - begin : 0;
        through = ez_group_scan(size, ez_lane(), 32);
        n = __shfl_sync(EZ_ALL, through, 31);
        origin = (unsigned long long)(topic + begin) - (through - size) * sizeof *topic;
    }
    /* The topic of token i; EZ_ALL if there is none. All lanes of the warp call it. */
    __device__ __forceinline__ uint32_t at(const ez_shard_sums &shards, uint32_t i) const
    {
        uint32_t from = 0;
        for (uint32_t m = 0; m < shards.others; m++)
            from += i >= __shfl_sync(EZ_ALL, through, m);
        unsigned long long mine = __shfl_sync(EZ_ALL, origin, from);
        return i < n ? ((const uint16_t *)mine)[i] : EZ_ALL;
    }
};

/* Sparse rows of words with at most 32 tokens; one warp per word, one lane per token. */
extern "C" __global__ void __launch_bounds__(256)
    ez_owned_by_lanes(EZ_IN ez_device_range range, EZ_IN ez_device_tokens tokens,
                      EZ_IN ez_device_w w, EZ_IN ez_shard_sums shards)
{
    uint32_t warps = gridDim.x * blockDim.x / 32,
             first = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    warp_tokens mine;
    mine.open(tokens, shards);
    for (uint32_t v = range.first + first; v < range.last; v += warps) {
        mine.find_word(shards, v);
        uint32_t k = mine.at(shards, ez_lane());
        ez_write_few(w, v, ez_lane() < mine.n ? k : EZ_ALL - ez_lane(), mine.n);
    }
}

/* Sparse rows of words with at most EZ_WARP_COUNT_TOKENS; one warp per word, counts on chip. */
extern "C" __global__ void __launch_bounds__(256)
    ez_owned_by_warp(EZ_IN ez_device_range range, EZ_IN ez_device_tokens tokens,
                     EZ_IN ez_device_w w, EZ_IN ez_shard_sums shards)
{
    uint32_t warps = gridDim.x * blockDim.x / 32,
             first = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    ez_packed_counts counts = ez_warp_counts(w.topics, shared);
    warp_tokens mine;
    mine.open(tokens, shards);
    for (uint32_t v = range.first + first; v < range.last; v += warps) {
        mine.find_word(shards, v);
        for (uint32_t i = ez_lane(); i - ez_lane() < mine.n; i += EZ_TOPICS_AHEAD * 32) {
            uint32_t k[EZ_TOPICS_AHEAD];
            for (uint32_t j = 0; j < EZ_TOPICS_AHEAD; j++)
                k[j] = mine.at(shards, i + j * 32);
            for (uint32_t j = 0; j < EZ_TOPICS_AHEAD; j++)
                if (k[j] != EZ_ALL)
                    counts.add(k[j]);
        }
        ez_write_by_warp(w, counts, v);
    }
}
