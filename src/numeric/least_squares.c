/* The Cholesky factor of a positive semidefinite matrix, and solutions by it. */
#include "numeric/least_squares.h"

#include <math.h>
#include <string.h>

size_t ez_cholesky(double *a, size_t n, bool *depends)
{
    size_t rank = 0;
    for (size_t j = 0; j < n; j++) {
        double whole = a[j * n + j], rest = whole;
        for (size_t k = 0; k < j; k++)
            rest -= a[j * n + k] * a[j * n + k];
        depends[j] = !(rest > 1e-9 * whole);
        rank += !depends[j];
        double root = depends[j] ? 0 : sqrt(rest);
        for (size_t k = 0; depends[j] && k < j; k++)
            a[j * n + k] = 0;
        a[j * n + j] = root;
        for (size_t i = j + 1; i < n; i++) {
            double sum = a[i * n + j];
            for (size_t k = 0; k < j; k++)
                sum -= a[i * n + k] * a[j * n + k];
            a[i * n + j] = depends[j] ? 0 : sum / root;
        }
    }
    return rank;
}

void ez_cholesky_solve(const double *factor, size_t n, const bool *depends, double *b)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < i; k++)
            b[i] -= factor[i * n + k] * b[k];
        b[i] = depends[i] ? 0 : b[i] / factor[i * n + i];
    }
    for (size_t i = n; i-- > 0;) {
        for (size_t k = i + 1; k < n; k++)
            b[i] -= factor[k * n + i] * b[k];
        b[i] = depends[i] ? 0 : b[i] / factor[i * n + i];
    }
}

void ez_cholesky_inverse(const double *factor, size_t n, const bool *depends, double *inverse)
{
    memset(inverse, 0, n * n * sizeof *inverse);
    for (size_t j = 0; j < n; j++) {
        inverse[j * n + j] = !depends[j];
        ez_cholesky_solve(factor, n, depends, inverse + j * n);
    }
}
