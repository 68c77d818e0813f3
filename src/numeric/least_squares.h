/* Least squares by the Cholesky factor of a matrix of products, column by column: a column that
 * depends on earlier ones is found and has no coefficient. */
#ifndef EZ_LEAST_SQUARES_H
#define EZ_LEAST_SQUARES_H

#include <stdbool.h>
#include <stddef.h>

/* Factors the symmetric matrix A (n x n; only its lower triangle is read) in place as L L'.
 * depends[j]: column j is, up to a share of 1e-9 of its square, a combination of columns before it;
 * its row and column of L are 0. Returns how many columns are independent. */
size_t ez_cholesky(double *a, size_t n, bool *depends);

/* Solves A x = b in place, from the factor; 0 for columns that depend on others. */
void ez_cholesky_solve(const double *factor, size_t n, const bool *depends, double *b);

/* The inverse of A (n x n), from the factor; 0 in rows and columns that depend on others. */
void ez_cholesky_inverse(const double *factor, size_t n, const bool *depends, double *inverse);

#endif
