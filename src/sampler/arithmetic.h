/* The arithmetic contract: random numbers and weights. Compiled by cc and by nvcc;
 * docs/arithmetic.md has the proofs.
 *
 * Only integers decide a topic, so sums do not depend on order, SIMD width or device. Floats appear
 * only when weights are made, and each operation is a single correctly rounded IEEE one: compile
 * without contraction. */
#ifndef EZ_ARITHMETIC_H
#define EZ_ARITHMETIC_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#ifdef __CUDACC__
#define EZ_INLINE static __host__ __device__ __forceinline__
#else
#define EZ_INLINE static inline
#endif

enum {
    EZ_TOP = 8,             /* topics of a word that have a branch of their own: K1 .. K8 */
    EZ_ALPHA_BITS = 14,     /* fractional bits of the alpha part */
    EZ_WEIGHT_BITS_MAX = 30 /* B: the largest weight of a row lies in [2^(B-1), 2^B] */
};

/* High half of the 128-bit product: x in [0, t) from a 64-bit draw u; monotone in t. */
EZ_INLINE uint64_t ez_mulhi(uint64_t u, uint64_t t)
{
#ifdef __CUDA_ARCH__
    return __umul64hi(u, t);
#else
    return (uint64_t)(((unsigned __int128)u * t) >> 64);
#endif
}

/* A bijection of 64 bits with full avalanche. */
EZ_INLINE uint64_t ez_mix(uint64_t x)
{
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93u;
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93u;
    x ^= x >> 32;
    return x;
}

/* Draws are keyed by seed, iteration and token alone. A token is named by its word (relabelled),
 * its document and its occurrence among the document's tokens of that word, so a draw does not
 * depend on how tokens are stored or divided among devices. */
EZ_INLINE uint64_t ez_iteration_key(uint64_t seed, uint32_t iteration)
{
    return ez_mix(ez_mix(seed + 0x9e3779b97f4a7c15u) + iteration);
}

/* The terms that a word, and a token of it, add to keys. */
EZ_INLINE uint64_t ez_word_share(uint32_t word)
{
    return word * 0x9e3779b97f4a7c15u;
}

EZ_INLINE uint64_t ez_token_share(uint64_t doc, uint32_t occurrence)
{
    return doc * 0xbf58476d1ce4e5b9u + occurrence * 0x94d049bb133111ebu;
}

EZ_INLINE uint64_t ez_word_key(uint64_t iteration_key, uint32_t word)
{
    return ez_mix(iteration_key + ez_word_share(word));
}

EZ_INLINE uint64_t ez_draw(uint64_t word_key, uint64_t doc, uint32_t occurrence)
{
    return ez_mix(word_key + ez_token_share(doc, occurrence));
}

/* The word key for documents that are numbered from first_doc. */
EZ_INLINE uint64_t ez_part_key(uint64_t word_key, uint64_t first_doc)
{
    return word_key + ez_token_share(first_doc, 0);
}

/* B for a corpus: 30, or less if the longest document needs that for every sum to stay below 2^63.
 * T <= 2^(B+14) * (length + alpha sum) + rounding, see docs/arithmetic.md. */
EZ_INLINE int ez_weight_bits(uint64_t longest, double alpha_sum)
{
    uint64_t bound = longest + (uint64_t)alpha_sum + 3;
    int bits = 0;
    while (bits < 64 && (bound >> bits) != 0)
        bits++;
    int room = 63 - EZ_ALPHA_BITS - bits;
    return room < EZ_WEIGHT_BITS_MAX ? room : EZ_WEIGHT_BITS_MAX;
}

/* r[k], computed once per topic. */
EZ_INLINE float ez_topic_rate(uint64_t topic_tokens, uint32_t words, float beta)
{
    double vb = (double)words * (double)beta;
    return (float)(1.0 / ((double)topic_tokens + vb));
}

/* f: the float weight of a count; rows are ordered by f (ties: the smaller topic first). */
EZ_INLINE float ez_float_weight(uint32_t count, float beta, float rate)
{
    float c = (float)count + beta;
    return c * rate;
}

/* Exponent e of a positive normal float, as frexp gives it: f in [2^(e-1), 2^e). */
EZ_INLINE int ez_exponent(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return (int)(bits >> 23 & 255) - 126;
}

/* 2^n as a float, -126 <= n <= 127. */
EZ_INLINE float ez_power_of_two(int n)
{
    uint32_t bits = (uint32_t)(n + 127) << 23;
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

/* Round to nearest, ties to even, of 0 <= f < 2^62. The rounding mode is the default one. */
EZ_INLINE uint64_t ez_round(float f)
{
#ifdef __CUDA_ARCH__
    return __float2ull_rn(f);
#else
    return (uint64_t)llrintf(f);
#endif
}

/* w: the integer weight, scale = 2^(B-e). */
EZ_INLINE uint32_t ez_weight(float f, float scale)
{
    return (uint32_t)ez_round(f * scale);
}

/* alpha with its 14 fractional bits, computed once per topic (exact: a power of two). */
EZ_INLINE float ez_alpha_scaled(float alpha)
{
    return alpha * (float)(1 << EZ_ALPHA_BITS);
}

/* q: the alpha part of a weight. */
EZ_INLINE uint64_t ez_alpha_weight(uint32_t weight, float alpha_scaled)
{
    return ez_round((float)weight * alpha_scaled);
}

/* A topic that is uniform in [0, K), from a draw. */
EZ_INLINE uint32_t ez_uniform_topic(uint64_t u, uint32_t topics)
{
    return (uint32_t)ez_mulhi(u, topics);
}

#endif
