/* Classical multidimensional scaling (principal coordinates) of a matrix of distances. */
#ifndef EZ_PRINCIPAL_AXES_H
#define EZ_PRINCIPAL_AXES_H

#include "base/context.h"

/* The first two coordinates of n points from their distances (n x n, symmetric; overwritten). An
 * axis without extent is all 0. Each axis points so that its coordinate with the largest absolute
 * value is positive. */
ezlda_status ez_principal_axes(ezlda_context *context, double *distance, size_t n, double *x,
                               double *y);

#endif
