/* A word's record: its eight best topics, their weights and the sum of everything else. Part of the
 * arithmetic contract; three_branch.h decides topics with it, d_row.h has the other side, the
 * document's row. Compiled by cc and by nvcc. */
#ifndef EZ_WORD_RECORD_H
#define EZ_WORD_RECORD_H

#include "sampler/arithmetic.h"

/* One cache line. K below nine leaves slots empty: topic K (whose counts are always 0), weight 0.
 */
typedef struct ez_word_record {
    uint16_t topic[EZ_TOP];      /* K1 .. K8 */
    uint32_t weight[EZ_TOP + 1]; /* a1 .. a9 */
    float scale;                 /* 2^(B-e) of the row */
    uint64_t q_rest;             /* Q'' */
} ez_word_record;

#endif
