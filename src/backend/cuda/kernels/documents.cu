/* The documents pass: a document's topics gathered through the inverted index and counted on chip, its row of D
 * written, tokens decided where the bounds agree. A warp a document where its counts fit on chip, a block a document
 * otherwise. */
#include "backend/cuda/kernels/counts.cuh"
#include "backend/cuda/kernels/decide.cuh"
#include "backend/cuda/kernels/runs.cuh"

__device__ __forceinline__ void store_topic(const ez_device_state &s, uint32_t place, uint32_t next)
{
    if (s.open) {
        s.open[place] = next >> 31;
        s.topic[place] = (uint16_t)next;
    } else {
        s.topic[place] = (uint16_t)(next >> 16 | next);
    }
}

struct doc_tally {
    uint32_t open, moved;
};

struct doc_place {
    uint32_t doc, begin, length, number;
};

/* Early decisions for 32 tokens of a document, the first being `base`. */
template <bool PLAIN, typename C>
__device__ __forceinline__ void decide_chunk(const ez_device_state &s, const C &counts, const doc_place &doc,
                                             uint32_t base, uint32_t place, uint32_t old, doc_tally *tally)
{
    uint32_t i = base + ez_lane(), next = 0;
    bool live = i < doc.length;
    ez_doc_token token = {live ? s.word[doc.begin + i] : 0, old, 0};
    token.occurrence = ez_occurrence(s.word + doc.begin, i, live ? token.word : EZ_ALL);
    if (live) {
        next = ez_decide_token<PLAIN>(s, counts, {doc.number, doc.length}, token);
        /* A topic that stays need not be written, but a flag of the last iteration must go. */
        if (next != old || s.open)
            store_topic(s, place, next);
    }
    tally->open += __popc(__ballot_sync(EZ_ALL, live && (next & EZ_MARK)));
    tally->moved += __popc(__ballot_sync(EZ_ALL, live && !(next & EZ_MARK) && next != old));
}

/* ... for all tokens, `step` at a time, this warp beginning at `first`. */
template <bool PLAIN, typename C>
__device__ __forceinline__ void decide_tokens(const ez_device_state &s, const C &counts, const doc_place &doc,
                                              uint32_t first, uint32_t step, doc_tally *tally)
{
    for (uint32_t base = first; base < doc.length; base += step) {
        uint32_t i = base + ez_lane(), place = i < doc.length ? s.place[doc.begin + i] : 0;
        decide_chunk<PLAIN>(s, counts, doc, base, place, i < doc.length ? s.topic[place] : 0, tally);
    }
}

/* One warp writes the row of D. */
template <typename C>
__device__ __forceinline__ void store_row(const ez_device_state &s, const C &counts, const doc_place &doc)
{
    uint32_t *row = s.row + (size_t)s.doc_of[doc.doc].row * EZ_LANE_WIDTH, groups;
    bool shared = doc.length > s.lane_tokens;
    if (!C::LONG && s.narrow && !shared) {
        groups = ez_write_narrow_row(counts, s.topics, (uint16_t *)row);
    } else {
        uint32_t n = ez_write_row(counts, s.topics, row), padded = (n + 7) / 8 * 8;
        if (n + ez_lane() < padded)
            row[n + ez_lane()] = 0;
        groups = padded / EZ_LANE_WIDTH;
    }
    if (ez_lane() == 0)
        s.doc_of[doc.doc].groups = groups | (shared ? EZ_ROW_SHARED : 0);
}

/* A document of up to so many tokens a lane keeps its places and topics in registers: gathered once, all loads in
 * flight. */
enum { SHORT = 4 };

template <bool PLAIN, typename C> __device__ __forceinline__ void short_document(const ez_device_state &s, const C &counts,
                                                                                 const doc_place &doc, doc_tally *tally)
{
    uint32_t place[SHORT], topic[SHORT];
#pragma unroll
    for (int c = 0; c < SHORT; c++)
        place[c] = c * 32 + ez_lane() < doc.length ? s.place[doc.begin + c * 32 + ez_lane()] : 0;
#pragma unroll
    for (int c = 0; c < SHORT; c++)
        topic[c] = c * 32 + ez_lane() < doc.length ? s.topic[place[c]] : 0;
#pragma unroll
    for (int c = 0; c < SHORT; c++)
        if (c * 32 + ez_lane() < doc.length)
            counts.add(topic[c]);
    __syncwarp();
    if (!s.decide)
        return;
#pragma unroll
    for (int c = 0; c < SHORT; c++)
        if (c * 32 < doc.length)
            decide_chunk<PLAIN>(s, counts, doc, c * 32, place[c], topic[c], tally);
}

template <bool PLAIN, typename C> __device__ __forceinline__ void long_document(const ez_device_state &s, const C &counts,
                                                                                const doc_place &doc, doc_tally *tally)
{
    for (uint32_t i = ez_lane(); i < doc.length; i += 32)
        counts.add(s.topic[s.place[doc.begin + i]]);
    __syncwarp();
    if (s.decide)
        decide_tokens<PLAIN>(s, counts, doc, 0, 32, tally);
}

__device__ __forceinline__ doc_place find_document(const ez_device_state &s, uint32_t doc)
{
    uint4 it = *(const uint4 *)&s.doc_of[doc];
    return {doc, it.x, s.doc_of[doc + 1].begin - it.x, it.w};
}

template <bool PLAIN, typename C> __device__ __forceinline__ void documents_by_warp(const ez_device_state &s,
                                                                                    const C &counts)
{
    doc_tally sum = {0, 0};
    for (uint32_t i; (i = ez_warp_next(&s.next[EZ_NEXT_DOCUMENT]) + s.first_doc) < s.last_doc;) {
        doc_place doc = find_document(s, i);
        doc_tally mine = {s.decide ? 0 : doc.length, 0};
        if (doc.length <= SHORT * 32)
            short_document<PLAIN>(s, counts, doc, &mine);
        else
            long_document<PLAIN>(s, counts, doc, &mine);
        __syncwarp();
        if (mine.open > 0)
            store_row(s, counts, doc);
        sum.open += mine.open;
        sum.moved += mine.moved;
        __syncwarp();
        counts.clear(ez_lane(), 32, s.topics);
        __syncwarp();
    }
    if (ez_lane() == 0) {
        atomicAdd(&s.tally[EZ_TALLY_OPEN], (unsigned long long)sum.open);
        atomicAdd(&s.tally[EZ_TALLY_MOVED], (unsigned long long)sum.moved);
    }
}

__device__ __forceinline__ bool plain(const ez_device_state &s)
{
    return s.g == EZ_TOP && !s.three_branch && s.alpha_one > 0;
}

extern __shared__ uint32_t shared[];

/* A warp a document of at most EZ_ENTRY_MAX tokens. Shared memory of a warp: counts, then bits. */
extern "C" __global__ void __launch_bounds__(128, 8) ez_documents_by_warp(ez_device_state s)
{
    uint32_t pairs = s.topics / 2 + 1, size = pairs + ez_seen_words(s.topics);
    uint32_t *mine = shared + threadIdx.x / 32 * size;
    for (uint32_t i = ez_lane(); i < size; i += 32)
        mine[i] = 0;
    __syncwarp();
    if (plain(s))
        documents_by_warp<true>(s, ez_packed_counts{mine, mine + pairs});
    else
        documents_by_warp<false>(s, ez_packed_counts{mine, mine + pairs});
}

/* ... of at most EZ_HASH_TOKENS, where K is large. */
extern "C" __global__ void __launch_bounds__(128) ez_documents_by_hash(ez_device_state s)
{
    uint32_t size = EZ_HASH_SLOTS + ez_seen_words(s.topics), *mine = shared + threadIdx.x / 32 * size;
    for (uint32_t i = ez_lane(); i < size; i += 32)
        mine[i] = 0;
    __syncwarp();
    if (plain(s))
        documents_by_warp<true>(s, ez_hash_counts{mine, mine + EZ_HASH_SLOTS});
    else
        documents_by_warp<false>(s, ez_hash_counts{mine, mine + EZ_HASH_SLOTS});
}

template <typename C> __device__ __forceinline__ void documents_by_block(const ez_device_state &s, const C &counts)
{
    __shared__ uint32_t still;
    uint32_t moved = 0, total = 0;
    for (uint32_t turn = 0;; turn++) {
        uint32_t i = ez_block_next(&s.next[EZ_NEXT_LONG_DOCUMENT], 0, turn) + s.first_doc;
        if (i >= s.last_doc)
            break;
        doc_place doc = find_document(s, i);
        doc_tally mine = {0, 0};
        if (threadIdx.x == 0)
            still = 0;
        for (uint32_t at = threadIdx.x; at < doc.length; at += blockDim.x)
            counts.add(s.topic[s.place[doc.begin + at]]);
        __syncthreads();
        if (s.decide)
            decide_tokens<false>(s, counts, doc, threadIdx.x / 32 * 32, blockDim.x, &mine);
        else if (threadIdx.x == 0)
            mine.open = doc.length;
        moved += mine.moved;
        if (ez_lane() == 0 && mine.open)
            atomicAdd(&still, mine.open);
        __syncthreads();
        if (still > 0 && threadIdx.x < 32)
            store_row(s, counts, doc);
        total += threadIdx.x == 0 ? still : 0;
        __syncthreads();
        counts.clear(threadIdx.x, blockDim.x, s.topics);
    }
    if (threadIdx.x == 0)
        atomicAdd(&s.tally[EZ_TALLY_OPEN], (unsigned long long)total);
    if (ez_lane() == 0)
        atomicAdd(&s.tally[EZ_TALLY_MOVED], (unsigned long long)moved);
}

/* A block a document of at most EZ_ENTRY_MAX tokens. */
extern "C" __global__ void __launch_bounds__(256) ez_documents_by_block(ez_device_state s)
{
    uint32_t pairs = s.topics / 2 + 1;
    for (uint32_t i = threadIdx.x; i < pairs + ez_seen_words(s.topics); i += blockDim.x)
        shared[i] = 0;
    documents_by_block(s, ez_packed_counts{shared, shared + pairs});
}

/* ... of any length: counts and bits in the block's scratch. */
extern "C" __global__ void __launch_bounds__(256) ez_documents_in_memory(ez_device_state s)
{
    uint32_t size = s.topics + 1 + ez_seen_words(s.topics), *mine = s.scratch + (size_t)blockIdx.x * size;
    for (uint32_t i = threadIdx.x; i < size; i += blockDim.x)
        mine[i] = 0;
    documents_by_block(s, ez_wide_counts{mine, mine + s.topics + 1});
}
