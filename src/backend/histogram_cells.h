/* Shared with kernels: counts below this have a cell of their own in a histogram; larger ones are
 * listed. */
#ifndef EZ_HISTOGRAM_CELLS_H
#define EZ_HISTOGRAM_CELLS_H

enum { EZ_HISTOGRAM_CELLS = 64 };

#endif
