/* The digamma function of positive numbers, accurate to about 1e-14. The recurrence psi(x) =
 * psi(x+1) - 1/x raises x to 10, then the asymptotic series applies. The result has the same bits
 * on every machine. */
#ifndef EZ_DIGAMMA_H
#define EZ_DIGAMMA_H

#include "numeric/portable_math.h"

static inline double ez_digamma(double x)
{
    double sum = 0;
    while (x < 10) {
        sum -= 1 / x;
        x += 1;
    }
    double y = 1 / (x * x);
    double tail = 1.0 / 240 - y * (1.0 / 132 - y * (691.0 / 32760));
    double series = y * (1.0 / 12 - y * (1.0 / 120 - y * (1.0 / 252 - y * tail)));
    return sum + ez_portable_log(x) - 0.5 / x - series;
}

#endif
