/* T and the inverted index, made before the first iteration, and topics copied between T and
 * document order. Tokens are sorted by word: documents are split into ranges, one warp per range,
 * and a range has a cursor for every word, so the tokens of a word come out in document order. */
#include "backend/cuda/kernels/index_state.h"
#include "backend/cuda/kernels/warp.cuh"

/* Copies the words from the corpus' document order to the device's; one warp per document. */
extern "C" __global__ void ez_lay_words(EZ_IN ez_index_state x)
{
    uint32_t warps = gridDim.x * blockDim.x / 32;
    for (uint32_t d = (blockIdx.x * blockDim.x + threadIdx.x) / 32; d < x.docs; d += warps) {
        uint32_t begin = x.doc_of[d].begin, length = x.doc_of[d + 1].begin - begin,
                 from = x.start[x.doc_of[d].number];
        for (uint32_t i = ez_lane(); i < length; i += 32)
            x.word[begin + i] = x.corpus_word[from + i];
    }
}

/* Step 1: counts the tokens of each range and word. */
extern "C" __global__ void ez_tally_ranges(EZ_IN ez_index_state x)
{
    uint32_t r = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (r >= x.ranges)
        return;
    uint32_t *tally = x.cursor + (size_t)r * x.words, end = x.doc_of[x.range_doc[r + 1]].begin;
    for (uint32_t i = x.doc_of[x.range_doc[r]].begin + ez_lane(); i < end; i += 32)
        atomicAdd(&tally[x.word[i]], 1);
}

/* Step 2: sums these counts by word. */
extern "C" __global__ void ez_total_ranges(EZ_IN ez_index_state x)
{
    for (uint32_t v = blockIdx.x * blockDim.x + threadIdx.x; v < x.words;
         v += gridDim.x * blockDim.x) {
        uint32_t sum = 0;
        for (uint32_t r = 0; r < x.ranges; r++)
            sum += x.cursor[(size_t)r * x.words + v];
        x.word_start[v] = sum;
    }
}

/* Step 3: turns the counts of ranges into places in T, with word_start filled in by the host. */
extern "C" __global__ void ez_place_ranges(EZ_IN ez_index_state x)
{
    for (uint32_t v = blockIdx.x * blockDim.x + threadIdx.x; v < x.words;
         v += gridDim.x * blockDim.x) {
        uint32_t at = x.word_start[v];
        for (uint32_t r = 0; r < x.ranges; r++) {
            uint32_t *cell = &x.cursor[(size_t)r * x.words + v], n = *cell;
            *cell = at;
            at += n;
        }
    }
}

/* Step 4: writes T and counts the documents of each word. Lanes of equal words get places in order.
 */
extern "C" __global__ void ez_place_tokens(EZ_IN ez_index_state x)
{
    uint32_t r = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = ez_lane();
    if (r >= x.ranges)
        return;
    uint32_t *cursor = x.cursor + (size_t)r * x.words;
    for (uint32_t d = x.range_doc[r]; d < x.range_doc[r + 1]; d++) {
        uint32_t begin = x.doc_of[d].begin, end = x.doc_of[d + 1].begin;
        for (uint32_t base = begin; base < end; base += 32) {
            uint32_t i = base + lane, v = i < end ? x.word[i] : EZ_ALL - lane;
            uint32_t same = __match_any_sync(EZ_ALL, v), leader = __ffs(same) - 1, at = 0;
            if (i < end && lane == leader) {
                at = atomicAdd(&cursor[v], __popc(same));
                if (i == begin || x.word[i - 1] != v)
                    atomicAdd(&x.doc_frequency[v], 1);
            }
            at = __shfl_sync(EZ_ALL, at, leader) + __popc(same & ez_lanes_before());
            if (i < end) {
                x.place[i] = at;
                x.doc[at] = d;
            }
            __syncwarp();
        }
    }
}

/* Copies topics from T to the device's document order. */
extern "C" __global__ void ez_topics_by_document(EZ_IN ez_index_state x)
{
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < x.tokens;
         i += gridDim.x * blockDim.x)
        x.doc_topic[i] = x.topic[x.place[i]];
}

/* Copies topics from the device's document order to T. */
extern "C" __global__ void ez_topics_by_word(EZ_IN ez_index_state x)
{
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < x.tokens;
         i += gridDim.x * blockDim.x)
        x.topic[x.place[i]] = x.doc_topic[i];
}
