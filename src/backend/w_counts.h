/* Rows of W as sparse rows on the host, in the order that the caller asked for. */
#ifndef EZ_W_COUNTS_H
#define EZ_W_COUNTS_H

#include "base/memory.h"

typedef struct ez_w_counts {
    uint32_t rows;
    uint64_t *start;        /* rows+1 */
    uint16_t *topic;        /* ascending in a row */
    uint32_t *count;        /* not 0 */
    uint64_t *topic_tokens; /* topics: n */
} ez_w_counts;

static inline void ez_w_counts_free(ez_w_counts *counts)
{
    ez_free(counts->start);
    ez_free(counts->topic);
    ez_free(counts->count);
    ez_free(counts->topic_tokens);
    *counts = (ez_w_counts){0};
}

#endif
