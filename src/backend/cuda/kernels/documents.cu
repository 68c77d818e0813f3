/* The documents pass: the topics of a document are read through the inverted index and counted,
 * tokens are decided early if their bounds agree, and the row of D is written if a token stays
 * open. One warp per document if its counts fit on chip, otherwise one block. */
#include "backend/cuda/kernels/counts.cuh"
#include "backend/cuda/kernels/runs.cuh"
#include "backend/cuda/kernels/three_branch.cuh"

/* next: a topic, or EZ_MARK | the old topic of a token that stays open. */
__device__ __forceinline__ void store_topic(const ez_device_state &s, uint32_t place, uint32_t next)
{
    if (s.tokens.open) {
        s.tokens.open[place] = next >> 31;
        s.tokens.topic[place] = (uint16_t)next;
    } else {
        s.tokens.topic[place] = (uint16_t)(next >> 16 | next);
    }
}

struct doc_tally {
    uint32_t open, moved;
};

/* A document: its number on the device, its first token, its length and its number in the corpus.
 */
struct doc_place {
    uint32_t doc, begin, length, number;
};

/* Early decisions for a strip, the tokens [base, base + 32) of a document. Each lane has the word,
 * place and topic of its token. */
template <bool PLAIN, typename C>
__device__ __forceinline__ void decide_strip(const ez_device_state &s, const C &counts,
                                             const doc_place &doc, uint32_t base, uint32_t word,
                                             uint32_t place, uint32_t old, doc_tally *tally)
{
    uint32_t i = base + ez_lane(), next = 0;
    bool live = i < doc.length;
    ez_doc_token token = {word, old, ez_occurrence(s.tokens.word + doc.begin, i, word)};
    if (live) {
        next = ez_decide_token<PLAIN>(s, counts, {doc.number, doc.length}, token);
        /* A topic that stays need not be written, but the open mark of the last iteration must go.
         */
        if (next != old || s.tokens.open)
            store_topic(s, place, next);
    }
    tally->open += __popc(__ballot_sync(EZ_ALL, live && (next & EZ_MARK)));
    tally->moved += __popc(__ballot_sync(EZ_ALL, live && !(next & EZ_MARK) && next != old));
}

/* A window: several strips of a document, so that their loads are in flight together. */
enum { STRIPS = 4, WINDOW = STRIPS * 32 };

struct window {
    uint32_t place[STRIPS], topic[STRIPS];
};

__device__ __forceinline__ window load_window(const ez_device_state &s, const doc_place &doc,
                                              uint32_t base)
{
    window win;
#pragma unroll
    for (int c = 0; c < STRIPS; c++) {
        uint32_t i = base + c * 32 + ez_lane();
        win.place[c] = i < doc.length ? s.tokens.place[doc.begin + i] : 0;
    }
#pragma unroll
    for (int c = 0; c < STRIPS; c++) {
        bool live = base + c * 32 < doc.length;
        win.topic[c] = live ? s.tokens.topic[win.place[c]] : 0; /* race: past the end, unused */
    }
    return win;
}

template <typename C>
__device__ __forceinline__ void count_window(const C &counts, const doc_place &doc, uint32_t base,
                                             const window &win)
{
#pragma unroll
    for (int c = 0; c < STRIPS; c++)
        if (base + c * 32 + ez_lane() < doc.length)
            counts.add(win.topic[c]);
}

template <bool PLAIN, typename C>
__device__ __forceinline__ void decide_window(const ez_device_state &s, const C &counts,
                                              const doc_place &doc, uint32_t base,
                                              const window &win, doc_tally *tally)
{
    uint32_t word[STRIPS];
#pragma unroll
    for (int c = 0; c < STRIPS; c++) {
        uint32_t i = base + c * 32 + ez_lane();
        word[c] = i < doc.length ? s.tokens.word[doc.begin + i] : EZ_ALL;
    }
#pragma unroll
    for (int c = 0; c < STRIPS; c++)
        if (base + c * 32 < doc.length)
            decide_strip<PLAIN>(s, counts, doc, base + c * 32, word[c], win.place[c], win.topic[c],
                                tally);
}

/* A warp writes the row of D. */
template <typename C>
__device__ __forceinline__ void store_row(const ez_device_state &s, const C &counts,
                                          const doc_place &doc)
{
    uint32_t *row = s.d.rows + (size_t)s.tokens.doc_of[doc.doc].row * EZ_LANE_WIDTH, groups;
    bool shared = doc.length > s.d.lane_tokens;
    if (!C::LONG && s.d.narrow && !shared) {
        groups = ez_write_narrow_row(counts, s.w.topics, (uint16_t *)row);
    } else {
        uint32_t n = ez_write_row(counts, s.w.topics, row), padded = (n + 7) / 8 * 8;
        __syncwarp();
        if (n + ez_lane() < padded)
            row[n + ez_lane()] = ez_entry(ez_entry_topic(__ldcg(&row[padded - 8])), 0);
        groups = padded / EZ_LANE_WIDTH;
    }
    if (ez_lane() == 0)
        s.tokens.doc_of[doc.doc].groups = groups | (shared ? EZ_ROW_SHARED : 0);
}

/* A warp works on a document. The tokens of one that fits into a window are loaded once. */
template <bool PLAIN, typename C>
__device__ __forceinline__ doc_tally warp_document(const ez_device_state &s, const C &counts,
                                                   const doc_place &doc)
{
    doc_tally tally = {s.rules.decide ? 0 : doc.length, 0};
    window win = load_window(s, doc, 0);
    count_window(counts, doc, 0, win);
    for (uint32_t base = WINDOW; base < doc.length; base += WINDOW) {
        win = load_window(s, doc, base);
        count_window(counts, doc, base, win);
    }
    __syncwarp();
    if (s.rules.decide)
        for (uint32_t base = 0; base < doc.length; base += WINDOW) {
            if (doc.length > WINDOW)
                win = load_window(s, doc, base);
            decide_window<PLAIN>(s, counts, doc, base, win, &tally);
        }
    __syncwarp();
    if (tally.open > 0)
        store_row(s, counts, doc);
    __syncwarp();
    counts.clear(ez_lane(), 32, s.w.topics);
    __syncwarp();
    return tally;
}

/* Short documents that a warp takes from the counter at once. */
enum { SHORT_DOCS = 8 };

template <bool PLAIN, typename C>
__device__ __forceinline__ void documents_by_warp(const ez_device_state &s, const C &counts)
{
    doc_tally sum = {0, 0};
    for (;;) {
        uint32_t turn = ez_warp_next(s.range.next), singles = s.range.single_docs;
        uint32_t first =
            s.range.first + (turn < singles ? turn : singles + (turn - singles) * SHORT_DOCS);
        if (first >= s.range.last)
            break;
        uint32_t n = turn < singles ? 1 : min(s.range.last - first, (uint32_t)SHORT_DOCS),
                 begin = 0, number = 0;
        if (ez_lane() <= n) {
            uint4 it = *(const uint4 *)&s.tokens.doc_of[first + ez_lane()];
            begin = it.x;
            number = it.w;
        }
        for (uint32_t i = 0; i < n; i++) {
            doc_place doc = {first + i, __shfl_sync(EZ_ALL, begin, i), 0,
                             __shfl_sync(EZ_ALL, number, i)};
            doc.length = __shfl_sync(EZ_ALL, begin, i + 1) - doc.begin;
            doc_tally mine = warp_document<PLAIN>(s, counts, doc);
            sum.open += mine.open;
            sum.moved += mine.moved;
        }
    }
    if (ez_lane() == 0) {
        atomicAdd(&s.work.tally[EZ_TALLY_OPEN], (unsigned long long)sum.open);
        atomicAdd(&s.work.tally[EZ_TALLY_MOVED], (unsigned long long)sum.moved);
    }
}

/* The usual settings, for which ez_decide_token is compiled separately. */
__device__ __forceinline__ bool plain(const ez_device_state &s)
{
    return s.rules.g == EZ_TOP && !s.rules.three_branch && s.priors.alpha_one > 0 &&
           !s.records.loose;
}

extern __shared__ uint32_t shared[];

/* One warp per document of at most EZ_ENTRY_MAX tokens. Shared memory of a warp: counts, then bits.
 */
extern "C" __global__ void __launch_bounds__(EZ_DOCUMENT_WARPS * 32, 8)
    ez_documents_by_warp(EZ_IN ez_device_state s)
{
    ez_packed_counts counts = ez_warp_counts(s.w.topics, shared);
    if (plain(s))
        documents_by_warp<true>(s, counts);
    else
        documents_by_warp<false>(s, counts);
}

/* One warp per document of at most EZ_HASH_TOKENS tokens, if K is large. */
extern "C" __global__ void __launch_bounds__(EZ_DOCUMENT_WARPS * 32)
    ez_documents_by_hash(EZ_IN ez_device_state s)
{
    uint32_t *mine = ez_warp_share(shared, EZ_HASH_SLOTS + ez_seen_words(s.w.topics));
    ez_hash_counts counts = {mine, mine + EZ_HASH_SLOTS};
    if (plain(s))
        documents_by_warp<true>(s, counts);
    else
        documents_by_warp<false>(s, counts);
}

__device__ __forceinline__ doc_place find_document(const ez_device_doc *doc_of, uint32_t doc)
{
    uint4 it = *(const uint4 *)&doc_of[doc];
    return {doc, it.x, doc_of[doc + 1].begin - it.x, it.w};
}

template <typename C>
__device__ __forceinline__ void documents_by_block(const ez_device_state &s, const C &counts)
{
    __shared__ uint32_t still;
    uint32_t moved = 0, total = 0;
    for (uint32_t turn = 0;; turn++) {
        uint32_t i = ez_block_next(s.range.next, 0, turn) + s.range.first;
        if (i >= s.range.last)
            break;
        doc_place doc = find_document(s.tokens.doc_of, i);
        doc_tally mine = {0, 0};
        if (threadIdx.x == 0)
            still = 0;
        uint32_t base = threadIdx.x / 32 * WINDOW, step = blockDim.x / 32 * WINDOW;
        for (uint32_t at = base; at < doc.length; at += step)
            count_window(counts, doc, at, load_window(s, doc, at));
        __syncthreads();
        if (!s.rules.decide)
            mine.open = threadIdx.x == 0 ? doc.length : 0;
        for (uint32_t at = base; at < doc.length && s.rules.decide; at += step)
            decide_window<false>(s, counts, doc, at, load_window(s, doc, at), &mine);
        moved += mine.moved;
        if (ez_lane() == 0 && mine.open)
            atomicAdd(&still, mine.open);
        __syncthreads();
        if (still > 0 && threadIdx.x < 32)
            store_row(s, counts, doc);
        total += threadIdx.x == 0 ? still : 0;
        __syncthreads();
        counts.clear(threadIdx.x, blockDim.x, s.w.topics);
    }
    if (threadIdx.x == 0)
        atomicAdd(&s.work.tally[EZ_TALLY_OPEN], (unsigned long long)total);
    if (ez_lane() == 0)
        atomicAdd(&s.work.tally[EZ_TALLY_MOVED], (unsigned long long)moved);
}

/* One block per document of at most EZ_ENTRY_MAX tokens. */
extern "C" __global__ void __launch_bounds__(256) ez_documents_by_block(EZ_IN ez_device_state s)
{
    uint32_t pairs = s.w.topics / 2 + 1;
    for (uint32_t i = threadIdx.x; i < pairs + ez_seen_words(s.w.topics); i += blockDim.x)
        shared[i] = 0;
    documents_by_block(s, ez_packed_counts{shared, shared + pairs});
}

/* One block per document of any length: counts and bits in the block's scratch. */
extern "C" __global__ void __launch_bounds__(256) ez_documents_in_memory(EZ_IN ez_device_state s)
{
    uint32_t size = s.w.topics + 1 + ez_seen_words(s.w.topics),
             *mine = s.work.scratch + (size_t)blockIdx.x * size;
    for (uint32_t i = threadIdx.x; i < size; i += blockDim.x)
        mine[i] = 0;
    documents_by_block(s, ez_wide_counts{mine, mine + s.w.topics + 1});
}
