/* Places knots and evaluates B-splines by de Boor's recurrence. */
#include "effect/spline.h"

#include <math.h>
#include <stdlib.h>

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void place_knots(ez_spline *spline, const double *sorted, uint64_t n, uint32_t df)
{
    int degree = df < EZ_SPLINE_DEGREE ? (int)df : EZ_SPLINE_DEGREE;
    uint32_t inner = df - (uint32_t)degree, at = 0;
    spline->columns = df;
    spline->degree = degree;
    for (int i = 0; i <= degree; i++)
        spline->knot[at++] = sorted[0];
    for (uint32_t i = 1; i <= inner; i++) {
        double place = (double)(n - 1) * i / (inner + 1);
        uint64_t low = (uint64_t)place;
        double high = low + 1 < n ? sorted[low + 1] : sorted[low];
        spline->knot[at++] = sorted[low] + (place - (double)low) * (high - sorted[low]);
    }
    for (int i = 0; i <= degree; i++)
        spline->knot[at++] = sorted[n - 1];
}

ezlda_status ez_spline_fit(ez_spline *spline, ezlda_context *context, const double *x, uint64_t n,
                           uint32_t df)
{
    double *sorted = NULL;
    uint64_t given = 0, distinct = 1;
    EZ_TRY(ez_array(&sorted, context, n, sizeof *sorted, "the values of a spline"));
    for (uint64_t i = 0; i < n; i++)
        if (!isnan(x[i]))
            sorted[given++] = x[i];
    qsort(sorted, given, sizeof *sorted, by_value);
    for (uint64_t i = 1; i < given; i++)
        distinct += sorted[i] > sorted[i - 1];
    if (!df)
        df = distinct > 10 ? 10 : distinct > 1 ? (uint32_t)distinct - 1 : 1;
    ezlda_status status = given < 2 || distinct < 2
                              ? ez_fail(context, EZLDA_ERROR_ARGUMENT,
                                        "a spline needs at least two different values, found %llu",
                                        (unsigned long long)(given ? distinct : 0))
                              : EZLDA_OK;
    if (status == EZLDA_OK)
        place_knots(spline, sorted, given, df);
    ez_free(sorted);
    return status;
}

uint32_t ez_spline_at(const ez_spline *spline, double x, uint32_t *column, double *value)
{
    const double *t = spline->knot;
    int p = spline->degree, last = (int)spline->columns; /* the last basis function's number */
    double basis[EZ_SPLINE_DEGREE + 1] = {1};
    x = x < t[p] ? t[p] : x > t[last + 1] ? t[last + 1] : x;
    int i = p;
    while (i < last && x >= t[i + 1])
        i++;
    while (i > p && t[i + 1] <= t[i]) /* knots that coincide, at the end of the line */
        i--;
    for (int j = 1; j <= p; j++) {
        double saved = 0;
        for (int r = 0; r < j; r++) {
            double right = t[i + r + 1] - x, left = x - t[i + 1 - j + r];
            double part = right + left > 0 ? basis[r] / (right + left) : 0;
            basis[r] = saved + right * part;
            saved = left * part;
        }
        basis[j] = saved;
    }
    uint32_t n = 0;
    for (int j = 0; j <= p; j++)
        if (i - p + j > 0 && (basis[j] > 0 || basis[j] < 0)) {
            column[n] = (uint32_t)(i - p + j - 1);
            value[n++] = basis[j];
        }
    return n;
}
