/* The line m1 | ... | m8 | S'' | Q'' of one token, written out plainly. Every faster implementation
 * must agree with it. */
#ifndef EZ_LINE_H
#define EZ_LINE_H

#include "sampler/d_row.h"
#include "sampler/three_branch.h"

/* A word in one iteration: the weights of all K topics, their alpha parts, the record. */
typedef struct ez_word_weights {
    uint32_t topics;
    uint32_t *w;     /* topics */
    uint64_t *q;     /* topics */
    uint8_t *is_top; /* topics: whether the topic is one of K1 .. K8 */
    ez_word_record record;
} ez_word_weights;

/* Weights from a row of counts. f is scratch of `topics` floats. */
void ez_weigh_word(ez_word_weights *weights, const uint32_t *count, const float *rate,
                   const float *alpha, float beta, int weight_bits, float *f);

/* One token's line. own: the token's previous topic for leave-one-out, or -1. */
typedef struct ez_line {
    uint32_t top_count[EZ_TOP]; /* C1 .. C8 */
    uint64_t top_alpha[EZ_TOP]; /* q[K1] .. q[K8] */
    uint64_t top, s, total;     /* m1 + ... + m8, S'', T */
} ez_line;

/* row: entries of D, padded to a multiple of EZ_ROW_STEP. */
void ez_make_line(ez_line *line, const ez_word_weights *weights, const uint32_t *row,
                  size_t entries, int64_t own);

/* The topic at x = mulhi(u, T). */
uint32_t ez_find_on_line(const ez_line *line, const ez_word_weights *weights, const uint32_t *row,
                         size_t entries, int64_t own, uint64_t u);

#endif
