/* Kernels that count W and n from the topics in T, after every iteration. Which kernel counts a row
 * depends on its format and on how many tokens the word has. */
#include "backend/cuda/kernels/count_rows.cuh"
#include "backend/cuda/kernels/hashed_rows.cuh"

extern __shared__ uint32_t shared[];

/* Dense rows, one task per block. A word of one task is counted on chip and written once; the tasks
 * of a split word add to its row. */
extern "C" __global__ void ez_count_dense(EZ_IN ez_device_range range,
                                          EZ_IN ez_device_tokens tokens, EZ_IN ez_device_w w)
{
    for (uint32_t turn = 0;; turn++) {
        uint32_t taken = ez_block_next(range.next, range.dealt, turn) + range.first;
        if (taken >= range.last)
            return;
        ez_device_task task = tokens.task[taken];
        for (uint32_t k = threadIdx.x; k < w.topics; k += blockDim.x)
            shared[k] = 0;
        __syncthreads();
        for (uint32_t i = threadIdx.x; i < task.tokens; i += blockDim.x)
            atomicAdd(&shared[tokens.topic[task.begin + i]], 1);
        __syncthreads();
        uint32_t *row = ez_dense_row(w, task.word);
        for (uint32_t k = threadIdx.x; k < w.topics; k += blockDim.x) {
            uint32_t n = shared[k];
            if (!task.split)
                row[k] = n;
            else if (n)
                atomicAdd(&row[k], n);
            if (n)
                atomicAdd(&w.topic_tokens[k], (unsigned long long)n);
        }
    }
}

/* The same without counts on chip, for a K that does not fit there: all tasks are marked as split,
 * and every token adds to its row. */
extern "C" __global__ void ez_count_dense_in_memory(EZ_IN ez_device_range range,
                                                    EZ_IN ez_device_tokens tokens,
                                                    EZ_IN ez_device_w w)
{
    for (uint32_t turn = 0;; turn++) {
        uint32_t taken = ez_block_next(range.next, range.dealt, turn) + range.first;
        if (taken >= range.last)
            return;
        ez_device_task task = tokens.task[taken];
        uint32_t *row = ez_dense_row(w, task.word);
        for (uint32_t i = threadIdx.x; i < task.tokens; i += blockDim.x) {
            uint32_t k = tokens.topic[task.begin + i];
            atomicAdd(&row[k], 1);
            atomicAdd(&w.topic_tokens[k], 1ull);
        }
    }
}

/* Before counting: n, the rows of split words and the counters start from zero. */
extern "C" __global__ void ez_clear(EZ_IN ez_device_range range, EZ_IN ez_device_tokens tokens,
                                    EZ_IN ez_device_w w, EZ_IN ez_work work)
{
    for (uint32_t k = blockIdx.x * blockDim.x + threadIdx.x; k < w.topics;
         k += gridDim.x * blockDim.x)
        w.topic_tokens[k] = 0;
    for (uint32_t i = range.first + blockIdx.x; i < range.last; i += gridDim.x) {
        ez_device_task task = tokens.task[i];
        if (!task.split || task.begin != tokens.word_start[task.word])
            continue;
        uint32_t *row = ez_dense_row(w, task.word);
        for (uint32_t k = threadIdx.x; k < w.topics; k += blockDim.x)
            row[k] = 0;
    }
    if (blockIdx.x == 0 && threadIdx.x < EZ_COUNTERS)
        work.counters[threadIdx.x] = 0;
}

/* Sparse rows of words with at most 32 tokens, one warp per word, one lane per token. */
extern "C" __global__ void __launch_bounds__(256)
    ez_count_by_lanes(EZ_IN ez_device_range range, EZ_IN ez_device_tokens tokens,
                      EZ_IN ez_device_w w)
{
    uint32_t warps = gridDim.x * blockDim.x / 32,
             first = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    for (uint32_t v = range.first + first; v < range.last; v += warps) {
        uint32_t begin = tokens.word_start[v], n = tokens.word_start[v + 1] - begin,
                 lane = ez_lane();
        uint32_t k = lane < n ? tokens.topic[begin + lane] : EZ_ALL - lane;
        ez_write_few(w, v, k, n);
    }
}

/* Sparse rows of words with at most EZ_WARP_COUNT_TOKENS, one warp per word, counts on chip. */
extern "C" __global__ void __launch_bounds__(256)
    ez_count_by_warp(EZ_IN ez_device_range range, EZ_IN ez_device_tokens tokens,
                     EZ_IN ez_device_w w)
{
    uint32_t warps = gridDim.x * blockDim.x / 32,
             first = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    ez_packed_counts counts = ez_warp_counts(w.topics, shared);
    for (uint32_t v = range.first + first; v < range.last; v += warps) {
        ez_add_stretch(counts, tokens.topic, tokens.word_start[v] + ez_lane(),
                       tokens.word_start[v + 1], 32);
        ez_write_by_warp(w, counts, v);
    }
}

/* Sparse rows of words with more tokens, one block per word. */
template <typename C>
__device__ __forceinline__ void count_sparse(const ez_device_range &range,
                                             const ez_device_tokens &tokens, const ez_device_w &w,
                                             const C &counts)
{
    for (uint32_t turn = 0;; turn++) {
        uint32_t v = ez_block_next(range.next, range.dealt, turn) + range.first;
        if (v >= range.last)
            return;
        ez_add_stretch(counts, tokens.topic, tokens.word_start[v] + threadIdx.x,
                       tokens.word_start[v + 1], blockDim.x);
        ez_write_by_block(w, counts, v);
    }
}

extern "C" __global__ void __launch_bounds__(256)
    ez_count_sparse(EZ_IN ez_device_range range, EZ_IN ez_device_tokens tokens, EZ_IN ez_device_w w)
{
    uint32_t pairs = w.topics / 2 + 1;
    for (uint32_t i = threadIdx.x; i < pairs + ez_seen_words(w.topics); i += blockDim.x)
        shared[i] = 0;
    count_sparse(range, tokens, w, ez_packed_counts{shared, shared + pairs});
}

/* The same with counts in the block's scratch, for words with more than EZ_ENTRY_MAX tokens. */
extern "C" __global__ void __launch_bounds__(256)
    ez_count_sparse_in_memory(EZ_IN ez_device_range range, EZ_IN ez_device_tokens tokens,
                              EZ_IN ez_device_w w, EZ_IN ez_work work)
{
    uint32_t size = w.topics + 1 + ez_seen_words(w.topics),
             *mine = work.scratch + (size_t)blockIdx.x * size;
    for (uint32_t i = threadIdx.x; i < size; i += blockDim.x)
        mine[i] = 0;
    count_sparse(range, tokens, w, ez_wide_counts{mine, mine + w.topics + 1});
}

/* Sparse rows of a corpus in several chunks or shards: a row is a hash table, zeroed before, with a
 * slot for each token of its word. One warp per word of at most EZ_ENTRY_MAX tokens. n is counted
 * on chip if it fits. */
extern "C" __global__ void __launch_bounds__(256)
    ez_count_hashed(EZ_IN ez_device_range range, EZ_IN ez_device_tokens tokens, EZ_IN ez_device_w w)
{
    uint32_t warps = gridDim.x * blockDim.x / 32,
             first = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    uint32_t on_chip = w.topics <= EZ_CHIP_SUMS ? w.topics : 0;
    for (uint32_t k = threadIdx.x; k < on_chip; k += blockDim.x)
        shared[k] = 0;
    __syncthreads();
    for (uint32_t v = range.first + first; v < range.last; v += warps) {
        uint32_t slots = w.start[v + 1] - w.start[v], *row = ez_sparse_row(w, v);
        for (uint32_t i = tokens.word_start[v] + ez_lane(); i < tokens.word_start[v + 1]; i += 32) {
            uint32_t k = tokens.topic[i];
            ez_add_hashed(row, slots, k, 1);
            if (on_chip)
                atomicAdd(&shared[k], 1);
            else
                atomicAdd(&w.topic_tokens[k], 1ull);
        }
    }
    __syncthreads();
    for (uint32_t k = threadIdx.x; k < on_chip; k += blockDim.x)
        if (shared[k])
            atomicAdd(&w.topic_tokens[k], (unsigned long long)shared[k]);
}

/* A warp adds a base count to a sparse row that is a list of entries. */
__device__ __forceinline__ void add_listed(const ez_device_w &w, uint32_t v, uint32_t k,
                                           uint32_t count)
{
    uint32_t *row = ez_sparse_row(w, v), *entries = &ez_sparse_entries(w, v);
    uint32_t n = __ldcg(entries), found = EZ_ALL;
    for (uint32_t j = ez_lane(); j < n; j += 32)
        if (ez_entry_topic(__ldcg(&row[j])) == k)
            found = j;
    uint32_t finders = __ballot_sync(EZ_ALL, found != EZ_ALL);
    if (finders)
        found = __shfl_sync(EZ_ALL, found, __ffs(finders) - 1);
    __syncwarp();
    if (ez_lane() == 0 && found != EZ_ALL)
        row[found] += count;
    if (ez_lane() == 0 && found == EZ_ALL) {
        row[n] = ez_entry(k, count);
        *entries = n + 1;
    }
    __syncwarp();
}

/* Adds the base counts, once all tokens are counted; one warp per word. No count of a sparse row is
 * above EZ_ENTRY_MAX after that. */
extern "C" __global__ void __launch_bounds__(256)
    ez_add_base(EZ_IN ez_device_w w, EZ_IN ez_base_rows base)
{
    uint32_t warps = gridDim.x * blockDim.x / 32,
             first = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    for (uint32_t i = first; i < base.words; i += warps) {
        uint32_t v = base.word[i];
        for (uint32_t j = base.start[i]; j < base.start[i + 1]; j++) {
            uint32_t k = ez_entry_topic(base.entry[j]), count = ez_entry_count(base.entry[j]);
            if (v >= w.dense_words && !w.hashed)
                add_listed(w, v, k, count);
            if (ez_lane() != 0)
                continue;
            if (v < w.dense_words)
                ez_dense_row(w, v)[k] += count;
            else if (w.hashed)
                ez_add_hashed(ez_sparse_row(w, v), w.start[v + 1] - w.start[v], k, count);
            atomicAdd(&w.topic_tokens[k], (unsigned long long)count);
        }
    }
}
