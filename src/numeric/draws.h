/* Random numbers from counters: uniform, normal, gamma. A stream is named by a seed, a kind and a
 * number, and its draws depend on nothing else, so work that draws may be spread over any threads.
 * All have the same bits on every machine. */
#ifndef EZ_DRAWS_H
#define EZ_DRAWS_H

#include "numeric/portable_math.h"

#include <stdint.h>

static inline uint64_t ez_mix64(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return x ^ x >> 31;
}

/* The key of stream i of a kind. */
static inline uint64_t ez_stream_key(uint64_t seed, uint64_t kind, uint64_t i)
{
    return ez_mix64(ez_mix64(ez_mix64(seed + 0x9e3779b97f4a7c15) ^ kind) + i * 0x9e3779b97f4a7c15);
}

/* Draw number i of a stream. */
static inline uint64_t ez_stream_draw(uint64_t key, uint64_t i)
{
    return ez_mix64(key + (i + 1) * 0x9e3779b97f4a7c15);
}

/* A draw as a number between 0 and 1, neither of which it is. */
static inline double ez_unit(uint64_t u)
{
    return ((double)(u >> 11) + 0.5) * 0x1p-53;
}

/* Marsaglia's polar method, which needs only log and sqrt. *i counts the draws. */
static inline double ez_normal(uint64_t key, uint64_t *i)
{
    for (;;) {
        double x = 2 * ez_unit(ez_stream_draw(key, (*i)++)) - 1,
               y = 2 * ez_unit(ez_stream_draw(key, (*i)++)) - 1;
        double s = x * x + y * y;
        if (s < 1 && s > 0)
            return x * sqrt(-2 * ez_portable_log(s) / s);
    }
}

/* A gamma variable of this shape (above 0) and scale 1, by the method of Marsaglia and Tsang; below
 * 1e-26 it is 0. */
static inline double ez_gamma(uint64_t key, uint64_t *i, double shape)
{
    double factor = 1;
    if (shape < 1) { /* Gamma(a) = Gamma(a + 1) * U^(1/a) */
        double power = ez_unit(ez_stream_draw(key, (*i)++));
        power = ez_portable_log(power) / shape;
        if (power < -60)
            return 0;
        factor = ez_portable_exp(power);
        shape += 1;
    }
    double d = shape - 1.0 / 3, c = 1 / sqrt(9 * d);
    for (;;) {
        double x = ez_normal(key, i), v = 1 + c * x;
        if (v <= 0)
            continue;
        v = v * v * v;
        double u = ez_unit(ez_stream_draw(key, (*i)++)), x2 = x * x;
        if (u < 1 - 0.0331 * x2 * x2 ||
            ez_portable_log(u) < 0.5 * x2 + d * (1 - v + ez_portable_log(v)))
            return factor * d * v;
    }
}

#endif
