/* Cells of a histogram of counts of any size: counts of W, to which beta is fitted. Part of the
 * arithmetic contract. Compiled by cc and by nvcc. */
#ifndef EZ_COUNT_CELLS_H
#define EZ_COUNT_CELLS_H

#include "sampler/arithmetic.h"

/* Counts below EZ_CELL_EXACT have a cell of their own. Larger ones share cells with counts that
 * have the same ten leading bits. */
enum {
    EZ_CELL_BITS = 10,
    EZ_CELL_EXACT = 1 << EZ_CELL_BITS,
    EZ_CELL_HALF = EZ_CELL_EXACT / 2,
    EZ_COUNT_CELLS = EZ_CELL_EXACT + (32 - EZ_CELL_BITS) * EZ_CELL_HALF
};

EZ_INLINE uint32_t ez_count_cell(uint32_t count)
{
    uint32_t shift = 0;
    while (count >> shift >= EZ_CELL_EXACT)
        shift++;
    return shift * EZ_CELL_HALF + (count >> shift);
}

/* The smallest count of a cell. */
EZ_INLINE uint32_t ez_cell_count(uint32_t cell)
{
    if (cell < EZ_CELL_EXACT)
        return cell;
    uint32_t shift = (cell - EZ_CELL_HALF) / EZ_CELL_HALF;
    return (cell - shift * EZ_CELL_HALF) << shift;
}

#endif
