/* Topic counts of one document or word, kept on chip or in scratch, and how a warp writes them as a
 * row of D or of W. */
#ifndef EZ_COUNTS_CUH
#define EZ_COUNTS_CUH

#include "backend/cuda/kernels/warp.cuh"

/* 32-bit words with one bit per topic: whether it has a count. Topic K, which has none, may be
 * looked up. */
__host__ __device__ __forceinline__ uint32_t ez_seen_words(uint32_t topics)
{
    return topics / 32 + 1;
}

/* 16 bits per topic in shared memory: no count is above EZ_ENTRY_MAX. */
struct ez_packed_counts {
    enum { LONG = 0 };
    uint32_t *pair; /* topics/2 + 1 */
    uint32_t *seen;

    __device__ __forceinline__ void add(uint32_t k) const
    {
        uint32_t shift = (k & 1) * 16;
        if ((atomicAdd(&pair[k >> 1], 1u << shift) >> shift & 0xffff) == 0)
            atomicOr(&seen[k >> 5], 1u << (k & 31));
    }
    __device__ __forceinline__ uint32_t at(uint32_t k) const
    {
        return ((const uint16_t *)pair)[k];
    }
    __device__ __forceinline__ void clear(uint32_t first, uint32_t step, uint32_t topics) const
    {
        for (uint32_t group = first; group < ez_seen_words(topics); group += step) {
            for (uint32_t left = seen[group]; left; left &= left - 1)
                pair[(group * 32 + __ffs(left) - 1) >> 1] = 0;
            seen[group] = 0;
        }
    }
};

/* 32 bits per topic in the block's scratch. */
struct ez_wide_counts {
    enum { LONG = 1 };
    uint32_t *count; /* topics + 1 */
    uint32_t *seen;

    __device__ __forceinline__ void add(uint32_t k) const
    {
        if (atomicAdd(&count[k], 1) == 0)
            atomicOr(&seen[k >> 5], 1u << (k & 31));
    }
    __device__ __forceinline__ uint32_t at(uint32_t k) const
    {
        return __ldcg(&count[k]);
    }
    __device__ __forceinline__ void clear(uint32_t first, uint32_t step, uint32_t topics) const
    {
        for (uint32_t group = first; group < ez_seen_words(topics); group += step) {
            for (uint32_t left = __ldcg(&seen[group]); left; left &= left - 1)
                count[group * 32 + __ffs(left) - 1] = 0;
            seen[group] = 0;
        }
    }
};

/* A hash table in shared memory, for a K too large for one count per topic. A slot is an entry
 * (topic, count); 0 is empty. At most EZ_HASH_TOKENS tokens are added. */
struct ez_hash_counts {
    enum { LONG = 0 };
    uint32_t *slot; /* EZ_HASH_SLOTS */
    uint32_t *seen;

    __device__ __forceinline__ static uint32_t first_slot(uint32_t k)
    {
        return k * 0x9e3779b1u >> (32 - EZ_HASH_BITS);
    }
    __device__ __forceinline__ void add(uint32_t k) const
    {
        for (uint32_t h = first_slot(k);; h = (h + 1) % EZ_HASH_SLOTS) {
            uint32_t found = slot[h]; /* race: a topic stays, and the exchange checks 0 again */
            if (found == 0)
                found = atomicCAS(&slot[h], 0u, ez_entry(k, 1));
            if (found == 0) {
                atomicOr(&seen[k >> 5], 1u << (k & 31));
                return;
            }
            if (ez_entry_topic(found) == k) {
                atomicAdd(&slot[h], 1);
                return;
            }
        }
    }
    __device__ __forceinline__ uint32_t at(uint32_t k) const
    {
        if (!(seen[k >> 5] >> (k & 31) & 1))
            return 0;
        uint32_t h = first_slot(k);
        while (ez_entry_topic(slot[h]) != k || slot[h] == 0)
            h = (h + 1) % EZ_HASH_SLOTS;
        return ez_entry_count(slot[h]);
    }
    __device__ __forceinline__ void clear(uint32_t first, uint32_t step, uint32_t topics) const
    {
        for (uint32_t h = first; h < EZ_HASH_SLOTS; h += step)
            slot[h] = 0;
        for (uint32_t group = first; group < ez_seen_words(topics); group += step)
            seen[group] = 0;
    }
};

/* Entries that a count needs in a row. */
template <typename C> __device__ __forceinline__ uint32_t ez_entries_of(uint32_t count)
{
    return C::LONG ? (count + EZ_ENTRY_MAX - 1) / EZ_ENTRY_MAX : 1;
}

/* A count that does not fit into a narrow entry: its topic, the lane of its entry
 * (sampler/d_row.h), and the count. */
__device__ __forceinline__ uint32_t ez_escape(uint32_t topic, uint32_t entry, uint32_t count)
{
    return topic << 19 | entry / EZ_LANE_WIDTH % EZ_LANES << 16 | count;
}

/* A warp writes a narrow row and returns its groups and escapes. K is at most EZ_NARROW_TOPICS. */
template <typename C>
__device__ uint32_t ez_write_narrow_row(const C &counts, uint32_t topics, uint16_t *row)
{
    uint32_t group = ez_lane(), mine = group * 32 < topics ? counts.seen[group] : 0, escapes = 0;
    uint32_t size = __popc(mine), through = ez_group_scan(size, ez_lane(), 32),
             first = through - size, at = first;
    uint32_t n = __shfl_sync(EZ_ALL, through, 31), padded = (n + 15) / 16 * 16, pad = EZ_ALL;
    for (uint32_t bits = mine; bits; bits &= bits - 1, at++) {
        uint32_t k = group * 32 + __ffs(bits) - 1, count = counts.at(k);
        escapes += count >= EZ_NARROW_MAX;
        pad = at + 16 == padded ? k << EZ_NARROW_BITS : pad;
        row[at] = (uint16_t)(k << EZ_NARROW_BITS | min(count, (uint32_t)EZ_NARROW_MAX));
    }
    pad = __shfl_sync(EZ_ALL, pad, __ffs(__ballot_sync(EZ_ALL, pad != EZ_ALL)) - 1);
    if (n + ez_lane() < padded)
        row[n + ez_lane()] = (uint16_t)pad;
    if (!__any_sync(EZ_ALL, escapes > 0))
        return padded / 8;
    uint32_t escapes_through = ez_group_scan(escapes, ez_lane(), 32);
    uint32_t *escaped = (uint32_t *)(row + padded) + escapes_through - escapes;
    at = first;
    for (uint32_t bits = mine; bits; bits &= bits - 1, at++) {
        uint32_t k = group * 32 + __ffs(bits) - 1, count = counts.at(k);
        if (count >= EZ_NARROW_MAX)
            *escaped++ = ez_escape(k, at, count);
    }
    return padded / 8 | __shfl_sync(EZ_ALL, escapes_through, 31) << EZ_ESCAPES_SHIFT;
}

/* A warp writes a wide row, topics ascending, and returns its entries. */
template <typename C>
__device__ uint32_t ez_write_row(const C &counts, uint32_t topics, uint32_t *row)
{
    uint32_t n = 0;
    for (uint32_t base = 0; base < ez_seen_words(topics); base += 32) {
        uint32_t group = base + ez_lane(), size = 0;
        uint32_t mine = group < ez_seen_words(topics)
                            ? C::LONG ? __ldcg(&counts.seen[group]) : counts.seen[group]
                            : 0;
        if (!__any_sync(EZ_ALL, mine != 0))
            continue;
        if (C::LONG)
            for (uint32_t bits = mine; bits; bits &= bits - 1)
                size += ez_entries_of<C>(counts.at(group * 32 + __ffs(bits) - 1));
        else
            size = __popc(mine);
        uint32_t through = ez_group_scan(size, ez_lane(), 32), at = n + through - size;
        for (uint32_t bits = mine; bits; bits &= bits - 1) {
            uint32_t k = group * 32 + __ffs(bits) - 1, count = counts.at(k);
            if (C::LONG)
                for (; count > EZ_ENTRY_MAX; count -= EZ_ENTRY_MAX)
                    row[at++] = ez_entry(k, EZ_ENTRY_MAX);
            row[at++] = ez_entry(k, count);
        }
        n += __shfl_sync(EZ_ALL, through, 31);
    }
    return n;
}

/* The warp's share, `size` words, of the block's shared memory, cleared. */
__device__ __forceinline__ uint32_t *ez_warp_share(uint32_t *shared, uint32_t size)
{
    uint32_t *mine = shared + threadIdx.x / 32 * size;
    for (uint32_t i = ez_lane(); i < size; i += 32)
        mine[i] = 0;
    __syncwarp();
    return mine;
}

/* Counts of all topics in the warp's share of shared memory. */
__device__ __forceinline__ ez_packed_counts ez_warp_counts(uint32_t topics, uint32_t *shared)
{
    uint32_t pairs = topics / 2 + 1, *mine = ez_warp_share(shared, pairs + ez_seen_words(topics));
    return {mine, mine + pairs};
}

#endif
