/* Stirling's series above 16, and the recurrence below it. */
#include "tree/log_gamma.h"

#include "base/memory.h"
#include "numeric/portable_math.h"

#include <math.h>

double ez_portable_log_gamma(double x)
{
    enum { SERIES_FROM = 16 };
    static const double half_log_two_pi = 0.91893853320467274178;
    double product = 1; /* at most 16 factors below 32 */
    while (x < SERIES_FROM) {
        product *= x;
        x += 1;
    }
    double r = 1 / x, r2 = r * r;
    double series =
        r * (1.0 / 12 - r2 * (1.0 / 360 - r2 * (1.0 / 1260 - r2 * (1.0 / 1680 - r2 / 1188))));
    return (x - 0.5) * ez_portable_log(x) - x + half_log_two_pi + series - ez_portable_log(product);
}

int64_t ez_log_gamma_far(const ez_log_gamma *gamma, uint64_t x)
{
    double value = ez_portable_log_gamma((double)x + gamma->prior) - gamma->at_prior;
    return (int64_t)floor(value * (1 << EZ_GAMMA_BITS) + 0.5);
}

ezlda_status ez_log_gamma_init(ez_log_gamma *gamma, ezlda_context *context, double prior)
{
    gamma->prior = prior;
    gamma->at_prior = ez_portable_log_gamma(prior);
    EZ_TRY(ez_array(&gamma->table, context, EZ_GAMMA_TABLE, sizeof *gamma->table,
                    "logarithms of the gamma function"));
#pragma omp parallel for schedule(static) num_threads(ez_threads(context))
    for (uint32_t x = 0; x < EZ_GAMMA_TABLE; x++)
        gamma->table[x] = x ? ez_log_gamma_far(gamma, x) : 0;
    return EZLDA_OK;
}

void ez_log_gamma_free(ez_log_gamma *gamma)
{
    ez_free(gamma->table);
    gamma->table = NULL;
}
