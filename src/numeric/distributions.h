/* Distributions that errors are read from: Student's t and the beta distribution, by the incomplete
 * beta function. The same bits on every machine. */
#ifndef EZ_DISTRIBUTIONS_H
#define EZ_DISTRIBUTIONS_H

/* ln Gamma(x), x > 0. */
double ez_log_gamma(double x);
/* P(X <= x) of X ~ Beta(a, b), a and b above 0. */
double ez_beta_below(double x, double a, double b);
/* P(|T| >= |t|) of Student's t with `df` degrees of freedom, above 0. */
double ez_t_tails(double t, double df);
/* The t with P(|T| <= t) = level, 0 < level < 1. */
double ez_t_quantile(double level, double df);

#endif
