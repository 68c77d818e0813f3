/* conditional.h - the state that the study of conditionals samples (conditional.c), its tokens and
 * its counts, and the fit of its priors (conditional_priors.c). Nothing here is part of the
 * library or follows its arithmetic: the study uses floating point and draws of its own. */
#ifndef BENCH_CONDITIONAL_H
#define BENCH_CONDITIONAL_H

#include "uci.h"

typedef struct entry {
    uint32_t topic, count;
} entry;

/* Tokens are ordered by word, then by document; place[] lists them by document. */
typedef struct state {
    uint32_t docs, words, topics;
    uint64_t tokens, seed;
    uint64_t *word_start, *doc_start, *place;
    uint32_t *doc, *topic, *word; /* by place */
    uint32_t *W;                  /* words x topics */
    uint64_t *n;
    uint64_t *row_start; /* rows of D, rebuilt from the topics by make_rows */
    entry *row;
    uint32_t *row_length;
    double *alpha, beta;
} state;

/* A draw in [0, 1) by iteration and token. */
static inline double uniform(const state *s, uint64_t iteration, uint64_t token)
{
    uint64_t at = s->seed * 0x9E3779B97F4A7C15u + iteration * 0xD1B54A32D192ED03u;
    at = bench_random(&at) + token * 0x8CB92BA72F3D8DD7u;
    return (double)(bench_random(&at) >> 11) * 0x1p-53;
}

/* One iteration of collapsed Gibbs sampling, document by document; W and n are kept up to date. */
void iterate_gibbs(state *s, uint64_t iteration);

/* Five of Minka's fixed-point steps of every alpha[k] and of beta, from the counts. */
void fit_priors(state *s);

#endif
