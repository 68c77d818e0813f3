/* The optimal assignment of a rectangular table of values, by shortest augmenting paths (Jonker and
 * Volgenant 1987; Crouse 2016 for tables with more columns than rows). */
#ifndef EZ_ASSIGNMENT_H
#define EZ_ASSIGNMENT_H

#include "base/context.h"

/* Values are at most this, so that no sum along a path can overflow. */
#define EZ_VALUE_MOST ((uint32_t)1 << 30)

/* Gives each row a column of its own so that the sum of values[row * cols + column] is as large as
 * can be; rows <= cols. All is done in integers, one row after the other: the outcome is the same
 * on every machine. A row that is indifferent takes the column of the smaller number, and a free
 * one before one that would have to be freed. */
ezlda_status ez_assign(ezlda_context *context, const uint32_t *values, uint32_t rows, uint32_t cols,
                       uint32_t *col_of_row);

#endif
