/* The topics before the first iteration, as backend/start.h defines them; one warp per document. */
#include "backend/cuda/kernels/index_state.h"
#include "backend/cuda/kernels/runs.cuh"
#include "sampler/log2_fixed.h"
#include "sampler/start_pieces.h"

enum { WARPS = 4 };

/* How rare each word is. */
extern "C" __global__ void ez_rarity(EZ_IN ez_index_state x)
{
    long long docs = ez_log2_fixed(x.all_docs);
    for (uint32_t v = blockIdx.x * blockDim.x + threadIdx.x; v < x.words;
         v += gridDim.x * blockDim.x)
        x.rarity[v] = x.doc_frequency[v] ? docs - ez_log2_fixed(x.doc_frequency[v]) : 0;
}

struct salient {
    long long salience;
    uint32_t word; /* EZ_ALL: none */
};

__device__ __forceinline__ bool comes_before(salient a, salient b)
{
    return a.word != EZ_ALL && (b.word == EZ_ALL || a.salience > b.salience ||
                                (a.salience == b.salience && a.word < b.word));
}

__device__ __forceinline__ salient warp_best(salient x)
{
    for (int step = 16; step > 0; step >>= 1) {
        salient other = {__shfl_xor_sync(EZ_ALL, x.salience, step),
                         __shfl_xor_sync(EZ_ALL, x.word, step)};
        if (comes_before(other, x))
            x = other;
    }
    return x;
}

/* The most salient word of the document after `last`; of all words if last.word is EZ_ALL. */
__device__ salient next_salient(const ez_index_state &x, const uint32_t *word, uint32_t length,
                                salient last)
{
    salient mine = {0, EZ_ALL};
    for (uint32_t base = 0; base < length; base += 32) {
        uint32_t i = base + ez_lane(), v = i < length ? word[i] : EZ_ALL;
        uint32_t count = ez_occurrence(word, i, v) + 1;
        if (i < length && (i + 1 == length || word[i + 1] != v)) {
            salient it = {(long long)count * x.rarity[v], v};
            if ((last.word == EZ_ALL || comes_before(last, it)) && comes_before(it, mine))
                mine = it;
        }
    }
    return warp_best(mine);
}

/* Draws the topics of documents [first_doc, docs). */
extern "C" __global__ void __launch_bounds__(WARPS * 32) ez_start(EZ_IN ez_index_state x)
{
    __shared__ uint32_t keyword[WARPS][EZ_START_PIECES];
    uint32_t warps = gridDim.x * WARPS, *mine = keyword[threadIdx.x / 32];
    for (uint32_t d = x.first_doc + blockIdx.x * WARPS + threadIdx.x / 32; d < x.docs; d += warps) {
        uint32_t begin = x.doc_of[d].begin, length = x.doc_of[d + 1].begin - begin, pieces = 0;
        const uint32_t *word = x.word + begin;
        salient last = {0, EZ_ALL};
        for (uint32_t want = x.piece ? ez_start_pieces(length, x.piece) : 0; pieces < want;
             pieces++) {
            last = next_salient(x, word, length, last);
            if (last.word == EZ_ALL)
                break;
            if (ez_lane() == 0)
                mine[pieces] = last.word;
        }
        __syncwarp();
        for (uint32_t base = 0; base < length; base += 32) {
            uint32_t i = base + ez_lane(), v = i < length ? word[i] : EZ_ALL;
            uint32_t occurrence = ez_occurrence(word, i, v);
            if (i < length) {
                uint64_t u =
                    ez_draw(ez_word_key(x.key, v), x.doc_base + x.doc_of[d].number, occurrence);
                if (pieces > 0)
                    u = ez_word_key(x.key, mine[ez_mulhi(u, pieces)]);
                x.topic[x.place[begin + i]] = (uint16_t)ez_uniform_topic(u, x.topics);
            }
        }
        __syncwarp();
    }
}
