/* Three-branch and many-branch decisions on the device: a token gets its topic early if the bounds
 * of its line agree on one of the word's top topics.
 *
 * The bounds are floats, widened by a margin that is larger than all their rounding errors. So a
 * decision is always the one of the exact integers (sampler/three_branch.h), and a token inside the
 * margin stays open (docs/arithmetic.md). */
#ifndef EZ_THREE_BRANCH_CUH
#define EZ_THREE_BRANCH_CUH

#include "backend/cuda/kernels/warp.cuh"

/* A token of a document. */
struct ez_doc_token {
    uint32_t word, old, occurrence;
};

/* What a decision needs of the document. */
struct ez_doc_view {
    uint32_t number, length;
};

__device__ __forceinline__ void ez_load_packed(const ez_device_state &s, uint32_t v, uint4 *raw)
{
    const uint4 *line = (const uint4 *)&s.records.decide[v];
#pragma unroll
    for (int i = 0; i < 4; i++)
        raw[i] = __ldg(line + i);
}

/* The same record from loose arrays, one load per field. */
__device__ __forceinline__ void ez_load_loose(const ez_device_state &s, uint32_t v, uint4 *raw)
{
    uint32_t field[EZ_LOOSE_FIELDS], *word = (uint32_t *)raw;
#pragma unroll
    for (int i = 0; i < EZ_LOOSE_FIELDS; i++)
        field[i] = __ldg(&s.records.loose[(size_t)i * s.w.words + v]);
#pragma unroll
    for (int i = 0; i < EZ_TOP / 2; i++)
        word[i] = field[2 * i] | field[2 * i + 1] << 16;
#pragma unroll
    for (int i = EZ_LOOSE_WEIGHT; i < EZ_LOOSE_FIELDS; i++)
        word[EZ_TOP / 2 + i - EZ_LOOSE_WEIGHT] = field[i];
}

/* Returns the topic, or EZ_MARK | the old topic if the token stays open. PLAIN: g is EZ_TOP, many
 * branches, the same alpha for all topics, packed records. */
template <bool PLAIN, typename C>
__device__ __forceinline__ uint32_t ez_decide_token(const ez_device_state &s, const C &counts,
                                                    const ez_doc_view &doc,
                                                    const ez_doc_token &token)
{
    uint4 raw[4];
    if (!PLAIN && s.records.loose)
        ez_load_loose(s, token.word, raw);
    else
        ez_load_packed(s, token.word, raw);
    uint32_t topics[4] = {raw[0].x, raw[0].y, raw[0].z, raw[0].w};
    uint32_t weights[EZ_TOP + 1] = {raw[1].x, raw[1].y, raw[1].z, raw[1].w, raw[2].x,
                                    raw[2].y, raw[2].z, raw[2].w, raw[3].x};
    float end[EZ_TOP], known = 0, bound = __uint_as_float(weights[EZ_TOP]);
    uint32_t rest = doc.length - s.rules.leave_one_out;
#pragma unroll
    for (int i = 0; i < EZ_TOP; i++) {
        uint32_t k = topics[i / 2] >> (i & 1) * 16 & 0xffff, count = 0;
        float weight = __uint_as_float(weights[i]);
        if (PLAIN || i < s.rules.g) {
            count = counts.at(k);
            count -= s.rules.leave_one_out && k == token.old;
        }
        if (!PLAIN && i == s.rules.g)
            bound = weight;
        rest -= count;
        known = __fmaf_rn(weight,
                          __fadd_rn(__uint2float_rn(count),
                                    PLAIN ? s.priors.alpha_one : __ldg(&s.priors.alpha[k])),
                          known);
        end[i] = known;
    }
    uint64_t key = (uint64_t)raw[3].w << 32 | raw[3].z,
             u = ez_draw(key, doc.number, token.occurrence);
    float low = known + __uint_as_float(raw[3].y),
          high = __fmaf_rn(bound, __uint2float_rn(rest), low);
    float at = __uint2float_rn((uint32_t)(u >> 32)) * 0x1p-32f;
    float x_low = at * low * (1 - s.priors.margin),
          x_high = __fmaf_rn(at, 1 + s.priors.margin, 0x1p-31f) * high;
    int limit = PLAIN ? EZ_TOP : s.rules.three_branch ? 1 : s.rules.g;
    uint32_t out = EZ_MARK | token.old;
#pragma unroll
    for (int i = EZ_TOP - 1; i >= 0; i--)
        if ((PLAIN || i < limit) && x_high < end[i] && (i == 0 || x_low >= end[i - 1]))
            out = topics[i / 2] >> (i & 1) * 16 & 0xffff;
    return out;
}

#endif
