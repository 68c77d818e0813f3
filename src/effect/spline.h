/* B-splines as columns of a regression, like bs() of R: of degree 3 with knots at quantiles,
 * without the first of the basis functions, which the intercept replaces. */
#ifndef EZ_SPLINE_H
#define EZ_SPLINE_H

#include "base/memory.h"

enum { EZ_SPLINE_DEGREE = 3, EZ_SPLINE_COLUMNS = 50 };

typedef struct ez_spline {
    uint32_t columns; /* df */
    int degree;       /* 3, or fewer columns */
    double knot[EZ_SPLINE_COLUMNS + 2 * EZ_SPLINE_DEGREE + 2];
} ez_spline;

/* df 0: 10, or one less than the different values if these are fewer. x: n values, NAN ignored. */
ezlda_status ez_spline_fit(ez_spline *spline, ezlda_context *context, const double *x, uint64_t n,
                           uint32_t df);
/* The columns that are not 0 at x, which is moved between the outer knots: writes at most degree +
 * 1 and returns their number. */
uint32_t ez_spline_at(const ez_spline *spline, double x, uint32_t *column, double *value);

#endif
