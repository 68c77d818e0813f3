/* log2 of an integer in fixed point, the same on every device: LLPT is a sum of integers, so it has
 * one value. */
#ifndef EZ_LOG2_FIXED_H
#define EZ_LOG2_FIXED_H

#include "sampler/arithmetic.h"

enum { EZ_LOG2_BITS = 20 }; /* fractional bits: 2^35 tokens of 2^6 each fit in 63 bits */

/* log2(x) * 2^20 rounded down, x > 0. Only correctly rounded + - * / are used; error below 2e-6 of
 * a bit. */
EZ_INLINE int64_t ez_log2_fixed_double(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    int exponent = (int)(bits >> 52 & 2047) - 1023;
    bits = (bits & 0xfffffffffffffu) | (uint64_t)1023 << 52;
    double m;
    memcpy(&m, &bits, sizeof m);
    const double root = 1.4142135623730951;
    double s = (m - root) / (m + root), s2 = s * s;
    double p = 1.0 / 13;
    p = p * s2;
    p = p + 1.0 / 11;
    p = p * s2;
    p = p + 1.0 / 9;
    p = p * s2;
    p = p + 1.0 / 7;
    p = p * s2;
    p = p + 1.0 / 5;
    p = p * s2;
    p = p + 1.0 / 3;
    p = p * s2;
    p = p + 1.0;
    p = p * s;
    p = p * 2.8853900817779268; /* 2 / ln 2 */
    p = p + 0.5;                /* log2 of the root */
    p = p * (double)(1 << EZ_LOG2_BITS);
    return ((int64_t)exponent << EZ_LOG2_BITS) + (int64_t)(p + 1.0) - 1;
}

/* The same for any x from 2^-200 on, such as a probability: an exact power of two makes its
 * exponent positive. */
EZ_INLINE int64_t ez_log2_fixed_share(double x)
{
    return ez_log2_fixed_double(x * 0x1p200) - ((int64_t)200 << EZ_LOG2_BITS);
}

EZ_INLINE int64_t ez_log2_fixed(uint64_t x)
{
    return ez_log2_fixed_double((double)x);
}

#endif
