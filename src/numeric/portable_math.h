/* Logarithm and exponential made of basic operations, each correctly rounded by IEEE 754 (and
 * without contraction). They give the same bits on every machine, which libm does not promise, and
 * are accurate to about 1e-15. */
#ifndef EZ_PORTABLE_MATH_H
#define EZ_PORTABLE_MATH_H

#include <math.h>

#define EZ_LN2_HIGH 0x1.62e42feep-1 /* low bits are 0, so that k * EZ_LN2_HIGH is exact */
#define EZ_LN2_LOW 0x1.a39ef35793c76p-33

/* x > 0. log m = 2 atanh((m-1)/(m+1)), m in [sqrt(1/2), sqrt(2)). */
static inline double ez_portable_log(double x)
{
    int e;
    double m = frexp(x, &e);
    if (m < 0.70710678118654752) {
        m *= 2;
        e--;
    }
    double s = (m - 1) / (m + 1), s2 = s * s, sum = 0;
#pragma GCC unroll 12 /* so that 1 / k are constants */
    for (int k = 23; k >= 1; k -= 2)
        sum = sum * s2 + 1.0 / k;
    return e * EZ_LN2_HIGH + (2 * s * sum + e * EZ_LN2_LOW);
}

/* |x| < 700. */
static inline double ez_portable_exp(double x)
{
    double k = floor(x / 0.69314718055994531 + 0.5);
    double r = x - k * EZ_LN2_HIGH - k * EZ_LN2_LOW, sum = 1;
    for (int i = 18; i >= 1; i--)
        sum = 1 + sum * r / i;
    return ldexp(sum, (int)k);
}

#endif
