/* The incomplete beta function by its continued fraction, and what follows from it. */
#include "numeric/distributions.h"

#include "numeric/portable_math.h"

/* Stirling's series from 10 on; below, Gamma(x) = Gamma(x + 1) / x. */
double ez_log_gamma(double x)
{
    double product = 1;
    while (x < 10) {
        product *= x;
        x += 1;
    }
    double y = 1 / (x * x);
    double series =
        (1.0 / 12 - y * (1.0 / 360 - y * (1.0 / 1260 - y * (1.0 / 1680 - y / 1188)))) / x;
    return (x - 0.5) * ez_portable_log(x) - x + 0.91893853320467274 + series -
           ez_portable_log(product);
}

static double keep_from_zero(double x)
{
    return fabs(x) < 1e-300 ? 1e-300 : x;
}

/* The continued fraction of the incomplete beta function (modified Lentz), which converges in about
 * sqrt(max(a, b)) steps if x < (a + 1) / (a + b + 2). */
static double beta_fraction(double x, double a, double b)
{
    double c = 1, d = 1 / keep_from_zero(1 - (a + b) * x / (a + 1)), sum = d;
    for (int m = 1; m < 10000; m++) {
        double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        d = 1 / keep_from_zero(1 + even * d);
        c = keep_from_zero(1 + even / c);
        sum *= c * d;
        d = 1 / keep_from_zero(1 + odd * d);
        c = keep_from_zero(1 + odd / c);
        sum *= c * d;
        if (fabs(c * d - 1) < 1e-15)
            break;
    }
    return sum;
}

double ez_beta_below(double x, double a, double b)
{
    if (!(x > 0))
        return 0;
    if (x >= 1)
        return 1;
    double power = ez_log_gamma(a + b) - ez_log_gamma(a) - ez_log_gamma(b) +
                   a * ez_portable_log(x) + b * ez_portable_log(1 - x);
    double front = power < -690 ? 0 : ez_portable_exp(power);
    if (x < (a + 1) / (a + b + 2))
        return front * beta_fraction(x, a, b) / a;
    return 1 - front * beta_fraction(1 - x, b, a) / b;
}

/* Beyond a million degrees of freedom logarithms of gamma functions cancel, and nothing changes. */
double ez_t_tails(double t, double df)
{
    df = df < 1e6 ? df : 1e6;
    return ez_beta_below(df / (df + t * t), df / 2, 0.5);
}

double ez_t_quantile(double level, double df)
{
    double low = 0, high = 1;
    while (ez_t_tails(high, df) > 1 - level && high < 1e12)
        high *= 2;
    for (int i = 0; i < 200 && high - low > 1e-13 * high; i++) {
        double middle = (low + high) / 2;
        *(ez_t_tails(middle, df) > 1 - level ? &low : &high) = middle;
    }
    return (low + high) / 2;
}
