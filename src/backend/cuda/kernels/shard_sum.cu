/* Sums over shards on this machine: rows of W and n of other shards are added to those of the own
 * slice, then the slices and records of the other shards are copied. */
#include "backend/cuda/kernels/hashed_rows.cuh"

#include <stddef.h>

/* Dense rows: cells [first_cell, last_cell). */
__device__ __forceinline__ void sum_dense(const ez_device_w &w, const ez_shard_sums &shards,
                                          uint64_t first, uint64_t step)
{
    for (uint64_t i = shards.first_cell + first; i < shards.last_cell; i += step) {
        uint32_t sum = w.dense[i];
        for (uint32_t m = 0; m < shards.others; m++)
            sum += shards.other[m].dense[i];
        w.dense[i] = sum;
    }
}

/* Sparse rows of the words of the range, which are hash tables in the same place on every
 * shard; one warp per word. */
__device__ __forceinline__ void sum_sparse(const ez_device_range &range, const ez_device_w &w,
                                           const ez_shard_sums &shards, uint32_t first,
                                           uint32_t step)
{
    for (uint32_t v = range.first + first; v < range.last; v += step) {
        uint32_t begin = w.start[v] - w.sparse_base, slots = w.start[v + 1] - w.start[v];
        for (uint32_t m = 0; m < shards.others; m++)
            for (uint32_t i = ez_lane(); i < slots; i += 32) {
                uint32_t entry = shards.other[m].sparse[begin + i];
                if (ez_entry_count(entry) > 0)
                    ez_add_hashed(w.sparse + begin, slots, ez_entry_topic(entry),
                                  ez_entry_count(entry));
            }
    }
}

/* Adds the slice of other shards. n is summed too, unless rows are owned: then ez_copy_counts does.
 */
extern "C" __global__ void __launch_bounds__(256)
    ez_sum_shards(EZ_IN ez_device_range range, EZ_IN ez_device_w w, EZ_IN ez_shard_sums shards)
{
    uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    sum_dense(w, shards, thread, threads);
    sum_sparse(range, w, shards, thread / 32, threads / 32);
    for (uint32_t k = thread; w.hashed && k < w.topics; k += threads) {
        unsigned long long n = shards.others_before ? shards.summed_n[k] : w.topic_tokens[k];
        for (uint32_t m = 0; m < shards.others; m++)
            n += shards.other[m].n[k];
        shards.summed_n[k] = n;
    }
}

/* Copies elements [first, last) of an array of another shard. */
template <typename T>
__device__ __forceinline__ void copy(T *to, const T *from, uint64_t first, uint64_t last)
{
    for (uint64_t i = first + blockIdx.x * blockDim.x + threadIdx.x; i < last;
         i += gridDim.x * blockDim.x)
        to[i] = from[i];
}

/* Copies sparse rows that are lists of entries; one warp per word. Only the entries in use are
 * copied, with several loads in flight. */
__device__ __forceinline__ void copy_lists(const ez_device_w &w, const ez_shard_counts &o)
{
    enum { AHEAD = 4 };
    uint32_t warps = gridDim.x * blockDim.x / 32,
             first = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    for (uint32_t v = max(o.first_word, w.dense_words) + first; v < o.last_word; v += warps) {
        uint32_t begin = w.start[v] - w.sparse_base, n = o.entries[v - w.dense_words];
        for (uint32_t j = ez_lane(); j < n; j += AHEAD * 32) {
            uint32_t entry[AHEAD];
            for (uint32_t i = 0; i < AHEAD; i++)
                entry[i] = j + i * 32 < n ? o.sparse[begin + j + i * 32] : 0;
            for (uint32_t i = 0; i < AHEAD && j + i * 32 < n; i++)
                w.sparse[begin + j + i * 32] = entry[i];
        }
        if (ez_lane() == 0)
            ez_sparse_entries(w, v) = n;
    }
}

/* n, from what each shard has counted. */
__device__ __forceinline__ void add_up_n(const ez_device_w &w, const ez_shard_sums &shards)
{
    for (uint32_t k = blockIdx.x * blockDim.x + threadIdx.x; k < w.topics;
         k += gridDim.x * blockDim.x) {
        unsigned long long n = shards.summed_n[k];
        for (uint32_t m = 0; m < shards.others; m++)
            n += shards.other[m].n[k];
        w.topic_tokens[k] = n;
    }
}

/* Copies the other slices, which their shards have summed or counted, and n. Cells of dense rows
 * are copied four at a time. */
extern "C" __global__ void __launch_bounds__(256)
    ez_copy_counts(EZ_IN ez_device_w w, EZ_IN ez_shard_sums shards)
{
    for (uint32_t m = 0; m < shards.others; m++) {
        const ez_shard_counts &o = shards.other[m];
        copy((uint4 *)w.dense, (const uint4 *)o.dense, o.first_cell / 4, o.last_cell / 4);
        if (w.hashed)
            copy(w.sparse, o.sparse, o.first_entry, o.last_entry);
        else
            copy_lists(w, o);
    }
    if (!w.hashed)
        add_up_n(w, shards);
    else if (shards.others_before == 0)
        copy(w.topic_tokens, shards.summed_n, 0, w.topics);
}

/* A record is copied in quads of 16 bytes. The last quad of an ez_decide_record ends with the key,
 * which is made again for the documents of this shard. */
enum {
    RECORD_QUADS = sizeof(ez_word_record) / 16,
    ALL_QUADS = RECORD_QUADS + sizeof(ez_decide_record) / 16
};

__device__ __forceinline__ uint64_t record_key(const ez_word_records &records, uint32_t v)
{
    return ez_part_key(ez_word_key(records.iteration_key, v), records.doc_base);
}

/* Copies the records of the other slices. */
extern "C" __global__ void __launch_bounds__(256)
    ez_copy_records(EZ_IN ez_word_records records, EZ_IN ez_shard_sums shards)
{
    for (uint32_t m = 0; m < shards.others; m++) {
        const ez_shard_counts &o = shards.other[m];
        uint64_t last = (uint64_t)o.last_word * ALL_QUADS, i = (uint64_t)o.first_word * ALL_QUADS;
        for (i += blockIdx.x * blockDim.x + threadIdx.x; i < last; i += gridDim.x * blockDim.x) {
            uint32_t v = (uint32_t)(i / ALL_QUADS), quad = (uint32_t)(i % ALL_QUADS);
            if (quad < RECORD_QUADS) {
                ((uint4 *)&records.word[v])[quad] = ((const uint4 *)&o.record[v])[quad];
                continue;
            }
            uint4 it = ((const uint4 *)&o.decide_record[v])[quad - RECORD_QUADS];
            if (quad == ALL_QUADS - 1) {
                uint64_t key = record_key(records, v);
                it.z = (uint32_t)key;
                it.w = (uint32_t)(key >> 32);
            }
            ((uint4 *)&records.decide[v])[quad - RECORD_QUADS] = it;
        }
    }
}

static_assert(sizeof(ez_decide_record) == 64 && offsetof(ez_decide_record, word_key) == 56,
              "the key comes last");

/* Sets the keys of records that the driver copied from other devices. */
extern "C" __global__ void __launch_bounds__(256)
    ez_key_records(EZ_IN uint32_t words, EZ_IN ez_word_records records)
{
    for (uint32_t v = blockIdx.x * blockDim.x + threadIdx.x; v < words; v += gridDim.x * blockDim.x)
        records.decide[v].word_key = record_key(records, v);
}
