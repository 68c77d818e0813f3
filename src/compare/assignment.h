/* The optimal assignment for a rectangular table of values, by shortest augmenting paths (Jonker
 * and Volgenant 1987; Crouse 2016 for tables with more columns than rows). */
#ifndef EZ_ASSIGNMENT_H
#define EZ_ASSIGNMENT_H

#include "base/context.h"

/* Values are at most this, so that no sum along a path can overflow. */
#define EZ_VALUE_MOST ((uint32_t)1 << 30)

/* Gives each row a column of its own so that the sum of values[row * cols + column] is as large as
 * possible; rows <= cols. All arithmetic is in integers, one row after the other, so the result is
 * the same on every machine. If several columns are equally good, a row gets a free one before an
 * occupied one, then the one with the smallest number. */
ezlda_status ez_assign(ezlda_context *context, const uint32_t *values, uint32_t rows, uint32_t cols,
                       uint32_t *col_of_row);

#endif
