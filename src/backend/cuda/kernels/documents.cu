/* The documents pass: a document's topics gathered through the inverted index and counted on chip, its row of D
 * written, tokens decided where the bounds agree. A warp a document where K fits on chip, a block a document
 * otherwise. */
#include "backend/cuda/kernels/warp.cuh"

/* A document's counts by topic: 16 bits a topic in shared memory. */
struct packed_counts {
    uint32_t *pair; /* topics/2 */
    __device__ __forceinline__ uint32_t add(uint32_t k) const
    {
        uint32_t shift = (k & 1) * 16;
        return atomicAdd(&pair[k >> 1], 1u << shift) >> shift & 0xffff;
    }
    __device__ __forceinline__ uint32_t at(uint32_t k) const
    {
        return pair[k >> 1] >> (k & 1) * 16 & 0xffff;
    }
    __device__ __forceinline__ void clear(uint32_t k) const
    {
        pair[k >> 1] = 0;
    }
};

/* ... or 32 bits a topic in the block's part of device memory. */
struct wide_counts {
    uint32_t *count;
    __device__ __forceinline__ uint32_t add(uint32_t k) const
    {
        return atomicAdd(&count[k], 1);
    }
    __device__ __forceinline__ uint32_t at(uint32_t k) const
    {
        return __ldcg(&count[k]);
    }
    __device__ __forceinline__ void clear(uint32_t k) const
    {
        count[k] = 0;
    }
};

/* Decides one token; returns its topic, or EZ_MARK | its old one. */
template <typename C> __device__ __forceinline__ uint32_t decide(const ez_device_state &s, const C &counts, uint32_t v,
                                                                 uint32_t old, uint64_t u, uint32_t length)
{
    const ez_word_record *record = &s.record[v];
    const uint4 *line = (const uint4 *)record;
    uint4 raw[4] = {line[0], line[1], line[2], line[3]};
    uint32_t topics[4] = {raw[0].x, raw[0].y, raw[0].z, raw[0].w};
    uint32_t weight[EZ_TOP + 1] = {raw[1].x, raw[1].y, raw[1].z, raw[1].w, raw[2].x,
                                   raw[2].y, raw[2].z, raw[2].w, raw[3].x};
    uint64_t q_rest = (uint64_t)raw[3].w << 32 | raw[3].z, end[EZ_TOP], known = 0, rest = length - s.leave_one_out;
    uint32_t bound = weight[EZ_TOP];
#pragma unroll
    for (int i = 0; i < EZ_TOP; i++) {
        uint32_t k = topics[i / 2] >> (i & 1) * 16 & 0xffff, count = 0;
        if (i < s.g && weight[i] != 0) {
            count = counts.at(k);
            count -= s.leave_one_out && k == old && count > 0;
        }
        bound = i == s.g ? weight[i] : bound;
        rest -= count;
        known += ez_branch(weight[i], count, ez_alpha_weight(weight[i], s.alpha_scaled[k]));
        end[i] = known;
    }
    uint64_t low = known + q_rest, high = low + ((uint64_t)bound * rest << EZ_ALPHA_BITS);
    uint64_t x_low = ez_mulhi(u, low), x_high = ez_mulhi(u, high);
    int limit = s.three_branch ? 1 : s.g;
    uint32_t out = EZ_MARK | old;
#pragma unroll
    for (int i = EZ_TOP - 1; i >= 0; i--)
        if (i < limit && x_high < end[i] && (i == 0 || x_low >= end[i - 1]))
            out = topics[i / 2] >> (i & 1) * 16 & 0xffff;
    return out;
}

__device__ __forceinline__ void store_topic(const ez_device_state &s, uint32_t place, uint32_t next)
{
    if (s.open) {
        s.open[place] = next >> 31;
        s.topic[place] = (uint16_t)next;
    } else {
        s.topic[place] = (uint16_t)(next >> 16 | next);
    }
}

/* How many tokens of this one's word come before it in its document; equal words lie together. */
__device__ __forceinline__ uint32_t occurrence_in(const uint32_t *word, uint32_t i, uint32_t v)
{
    uint32_t previous = __shfl_up_sync(EZ_ALL, v, 1), carry = 0;
    if (ez_lane() == 0) {
        previous = i > 0 ? word[i - 1] : ~v;
        for (uint32_t j = i; j > 0 && word[j - 1] == v; j--)
            carry++;
    }
    carry = __shfl_sync(EZ_ALL, carry, 0);
    return ez_run_position(v != previous, carry);
}

struct doc_tally {
    uint32_t open, moved;
};

/* Early decisions for 32 tokens of a document, the first being `base`. */
template <typename C>
__device__ __forceinline__ void decide_chunk(const ez_device_state &s, const C &counts, uint32_t doc, uint32_t begin,
                                             uint32_t length, uint32_t base, uint32_t place, uint32_t old,
                                             doc_tally *tally)
{
    uint32_t i = base + ez_lane(), v = i < length ? s.word[begin + i] : 0xffffffffu, next = 0;
    uint32_t occurrence = occurrence_in(s.word + begin, i, v);
    if (i < length) {
        next = decide(s, counts, v, old, ez_draw(ez_word_key(s.iteration_key, v), doc, occurrence), length);
        /* A topic that stays need not be written, but a flag of the last iteration must go. */
        if (next != old || s.open)
            store_topic(s, place, next);
    }
    tally->open += __popc(__ballot_sync(EZ_ALL, i < length && (next & EZ_MARK)));
    tally->moved += __popc(__ballot_sync(EZ_ALL, i < length && !(next & EZ_MARK) && next != old));
}

/* ... for all tokens, `step` at a time, this warp beginning at `first`. */
template <typename C> __device__ void decide_tokens(const ez_device_state &s, const C &counts, uint32_t doc,
                                                    uint32_t begin, uint32_t length, uint32_t first, uint32_t step,
                                                    doc_tally *tally)
{
    for (uint32_t base = first; base < length; base += step) {
        uint32_t i = base + ez_lane(), place = i < length ? s.place[begin + i] : 0;
        decide_chunk(s, counts, doc, begin, length, base, place, i < length ? s.topic[place] : 0, tally);
    }
}

/* Entries that a count takes in a row. */
__device__ __forceinline__ uint32_t entries_of(uint32_t count)
{
    return (count + EZ_ENTRY_MAX - 1) / EZ_ENTRY_MAX;
}

__device__ __forceinline__ void write_entries(uint32_t *out, uint32_t topic, uint32_t count)
{
    for (; count > EZ_ENTRY_MAX; count -= EZ_ENTRY_MAX)
        *out++ = ez_entry(topic, EZ_ENTRY_MAX);
    *out = ez_entry(topic, count);
}

/* One warp writes the row from the counts and the bits of the topics that have any; returns its groups. */
template <typename C> __device__ uint32_t write_row(const ez_device_state &s, const C &counts, const uint32_t *seen,
                                                    uint32_t *row)
{
    uint32_t n = 0;
    for (uint32_t base = 0; base < (s.topics + 31) / 32; base += 32) {
        uint32_t group = base + ez_lane(), mine = group < (s.topics + 31) / 32 ? seen[group] : 0, size = 0;
        if (!__ballot_sync(EZ_ALL, mine != 0))
            continue;
        for (uint32_t bits = mine; bits; bits &= bits - 1)
            size += entries_of(counts.at(group * 32 + __ffs(bits) - 1));
        uint32_t through = ez_group_scan(size, ez_lane(), 32), at = n + through - size;
        for (uint32_t bits = mine; bits; bits &= bits - 1) {
            uint32_t k = group * 32 + __ffs(bits) - 1, count = counts.at(k);
            write_entries(row + at, k, count);
            at += entries_of(count);
        }
        n += __shfl_sync(EZ_ALL, through, 31);
    }
    uint32_t groups = (n + EZ_LANE_WIDTH - 1) / EZ_LANE_WIDTH;
    if (n + ez_lane() < groups * EZ_LANE_WIDTH)
        row[n + ez_lane()] = 0;
    return groups;
}

extern __shared__ uint32_t shared[];

/* A document of up to so many tokens a lane keeps its places and topics in registers: gathered once, all loads in
 * flight. */
enum { SHORT = 4 };

template <typename C> __device__ __forceinline__ void count_topic(const C &counts, uint32_t *seen, uint32_t k)
{
    if (counts.add(k) == 0)
        atomicOr(&seen[k >> 5], 1u << (k & 31));
}

__device__ void short_document(const ez_device_state &s, const packed_counts &counts, uint32_t *seen, uint32_t doc,
                               uint32_t begin, uint32_t length, doc_tally *tally)
{
    uint32_t place[SHORT], topic[SHORT];
#pragma unroll
    for (int c = 0; c < SHORT; c++)
        place[c] = c * 32 + ez_lane() < length ? s.place[begin + c * 32 + ez_lane()] : 0;
#pragma unroll
    for (int c = 0; c < SHORT; c++)
        topic[c] = c * 32 + ez_lane() < length ? s.topic[place[c]] : 0;
#pragma unroll
    for (int c = 0; c < SHORT; c++)
        if (c * 32 + ez_lane() < length)
            count_topic(counts, seen, topic[c]);
    __syncwarp();
    if (!s.decide)
        return;
#pragma unroll
    for (int c = 0; c < SHORT; c++)
        if (c * 32 < length)
            decide_chunk(s, counts, doc, begin, length, c * 32, place[c], topic[c], tally);
}

__device__ void long_document(const ez_device_state &s, const packed_counts &counts, uint32_t *seen, uint32_t doc,
                              uint32_t begin, uint32_t length, doc_tally *tally)
{
    for (uint32_t i = ez_lane(); i < length; i += 32)
        count_topic(counts, seen, s.topic[s.place[begin + i]]);
    __syncwarp();
    if (s.decide)
        decide_tokens(s, counts, doc, begin, length, 0, 32, tally);
}

/* A warp a document; no document may be longer than EZ_ENTRY_MAX. Shared memory of a warp: counts, then bits. */
extern "C" __global__ void __launch_bounds__(128, 8) ez_documents_by_warp(ez_device_state s)
{
    uint32_t pairs = (s.topics + 2) / 2, bits = (s.topics + 31) / 32;
    doc_tally sum = {0, 0};
    packed_counts counts = {shared + threadIdx.x / 32 * (pairs + bits)};
    uint32_t *seen = counts.pair + pairs;
    for (uint32_t i = ez_lane(); i < pairs + bits; i += 32)
        counts.pair[i] = 0;
    __syncwarp();
    for (uint32_t doc; (doc = ez_warp_next(&s.next[EZ_NEXT_DOCUMENT])) < s.docs;) {
        uint32_t begin = s.doc_start[doc], length = s.doc_start[doc + 1] - begin;
        doc_tally mine = {s.decide ? 0 : length, 0};
        if (length <= SHORT * 32)
            short_document(s, counts, seen, doc, begin, length, &mine);
        else
            long_document(s, counts, seen, doc, begin, length, &mine);
        __syncwarp();
        if (mine.open > 0) {
            uint32_t groups = write_row(s, counts, seen, s.row + (size_t)s.row_room[doc] * EZ_LANE_WIDTH);
            if (ez_lane() == 0)
                s.row_of[doc] = {s.row_room[doc], groups};
        }
        sum.open += mine.open;
        sum.moved += mine.moved;
        __syncwarp();
        for (uint32_t group = ez_lane(); group < bits; group += 32) {
            for (uint32_t left = seen[group]; left; left &= left - 1)
                counts.clear(group * 32 + __ffs(left) - 1);
            seen[group] = 0;
        }
        __syncwarp();
    }
    if (ez_lane() == 0) {
        atomicAdd(&s.tally[EZ_TALLY_OPEN], (unsigned long long)sum.open);
        atomicAdd(&s.tally[EZ_TALLY_MOVED], (unsigned long long)sum.moved);
    }
}

/* A block a document: counts and bits in the block's scratch, any K, any length. */
extern "C" __global__ void __launch_bounds__(256) ez_documents_by_block(ez_device_state s)
{
    __shared__ uint32_t taken, still, groups;
    uint32_t bits = (s.topics + 31) / 32, moved = 0, total = 0;
    wide_counts counts = {s.scratch + (size_t)blockIdx.x * (s.topics + 1 + bits)};
    uint32_t *seen = counts.count + s.topics + 1;
    for (uint32_t i = threadIdx.x; i < s.topics + 1 + bits; i += blockDim.x)
        counts.count[i] = 0;
    for (;;) {
        __syncthreads();
        if (threadIdx.x == 0) {
            taken = atomicAdd(&s.next[EZ_NEXT_DOCUMENT], 1);
            still = 0;
        }
        __syncthreads();
        uint32_t doc = taken;
        if (doc >= s.docs)
            break;
        uint32_t begin = s.doc_start[doc], length = s.doc_start[doc + 1] - begin;
        doc_tally mine = {0, 0};
        for (uint32_t i = threadIdx.x; i < length; i += blockDim.x)
            count_topic(counts, seen, s.topic[s.place[begin + i]]);
        __syncthreads();
        if (s.decide)
            decide_tokens(s, counts, doc, begin, length, threadIdx.x / 32 * 32, blockDim.x, &mine);
        else if (threadIdx.x == 0)
            mine.open = length;
        moved += mine.moved;
        if (ez_lane() == 0 && mine.open)
            atomicAdd(&still, mine.open);
        __syncthreads();
        if (still > 0 && threadIdx.x < 32) {
            uint32_t n = write_row(s, counts, seen, s.row + (size_t)s.row_room[doc] * EZ_LANE_WIDTH);
            if (threadIdx.x == 0)
                groups = n;
        }
        __syncthreads();
        if (threadIdx.x == 0 && still > 0)
            s.row_of[doc] = {s.row_room[doc], groups};
        total += threadIdx.x == 0 ? still : 0;
        for (uint32_t group = threadIdx.x; group < bits; group += blockDim.x) {
            for (uint32_t left = __ldcg(&seen[group]); left; left &= left - 1)
                counts.clear(group * 32 + __ffs(left) - 1);
            seen[group] = 0;
        }
    }
    if (threadIdx.x == 0)
        atomicAdd(&s.tally[EZ_TALLY_OPEN], (unsigned long long)total);
    if (ez_lane() == 0)
        atomicAdd(&s.tally[EZ_TALLY_MOVED], (unsigned long long)moved);
}
