/* The logarithm of the gamma function between a prior and a count, in fixed point: losses of
 * likelihood are sums of these, and integers add up to the same sum in any order. */
#ifndef EZ_LOG_GAMMA_H
#define EZ_LOG_GAMMA_H

#include "base/context.h"

enum { EZ_GAMMA_BITS = 20, EZ_GAMMA_TABLE = 1 << 16 };

/* ln gamma(x + prior) - ln gamma(prior) for counts x, times 2^EZ_GAMMA_BITS, rounded. */
typedef struct ez_log_gamma {
    double prior, at_prior; /* ln gamma(prior) */
    int64_t *table;         /* x below EZ_GAMMA_TABLE */
} ez_log_gamma;

/* Zero-initialise before; free also after an error. prior > 0. */
ezlda_status ez_log_gamma_init(ez_log_gamma *gamma, ezlda_context *context, double prior);
void ez_log_gamma_free(ez_log_gamma *gamma);

/* The value of a count that is not in the table. */
int64_t ez_log_gamma_far(const ez_log_gamma *gamma, uint64_t x);

static inline int64_t ez_log_gamma_of(const ez_log_gamma *gamma, uint64_t x)
{
    return x < EZ_GAMMA_TABLE ? gamma->table[x] : ez_log_gamma_far(gamma, x);
}

/* ln gamma(x), x > 0, the same bits on every machine; about 14 digits. */
double ez_portable_log_gamma(double x);

#endif
