/* A document's row of D: packed (topic, count) entries and the order in which S'' walks them. Part
 * of the arithmetic contract. Compiled by cc and by nvcc. */
#ifndef EZ_D_ROW_H
#define EZ_D_ROW_H

#include "sampler/arithmetic.h"

/* Rows of D: (topic << 16 | count), topics ascending, padded with zeros to a multiple of
 * EZ_ROW_STEP; a count above 65,535 takes several entries. S'' is walked in lanes: entry j lies in
 * lane (j / 4) % 8, lane 0 first, ascending j inside a lane, so that eight lanes of a GPU (or two
 * vectors of a CPU) find it with one short scan. */
enum { EZ_ROW_STEP = 16, EZ_LANES = 8, EZ_LANE_WIDTH = 4, EZ_ENTRY_MAX = 65535 };

/* Histograms of the counts in D and W: counts below this have a cell of their own, larger ones are
 * listed. */
enum { EZ_HISTOGRAM_CELLS = 64 };

/* The most entries that n tokens over `topics` topics can take, without padding. */
EZ_INLINE uint64_t ez_entries_most(uint64_t n, uint32_t topics)
{
    return (n < topics ? n : topics) + n / EZ_ENTRY_MAX;
}

EZ_INLINE uint32_t ez_entry(uint32_t topic, uint32_t count)
{
    return topic << 16 | count;
}

EZ_INLINE uint32_t ez_entry_topic(uint32_t entry)
{
    return entry >> 16;
}

EZ_INLINE uint32_t ez_entry_count(uint32_t entry)
{
    return entry & 0xffff;
}

#endif
