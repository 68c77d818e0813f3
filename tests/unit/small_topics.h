/* Four topics over six words, small enough to sum over every way to give a document's tokens
 * topics. */
#ifndef SMALL_TOPICS_H
#define SMALL_TOPICS_H

#include "check.h" /* first: defines _GNU_SOURCE */

#include "eval/topic_weights.h"

enum { SMALL_TOPICS = 4, SMALL_WORDS = 6 };

static const double small_beta = 0.05;
static const double small_alpha[SMALL_TOPICS] = {0.5, 0.1, 0.3, 0.2};
/* Words of one topic, of several, and of none. */
static const uint8_t small_counts[SMALL_WORDS][SMALL_TOPICS] = {
    {30, 0, 2, 0}, {20, 9, 0, 0}, {0, 40, 0, 0}, {0, 3, 15, 5}, {0, 0, 25, 0}, {0, 0, 0, 0}};

typedef struct small_topics {
    uint64_t start[SMALL_WORDS + 1];
    uint16_t topic[SMALL_WORDS * SMALL_TOPICS];
    uint8_t count[SMALL_WORDS * SMALL_TOPICS];
    ez_rows rows;
    double rate[SMALL_TOPICS], alpha_part[SMALL_WORDS];
    double phi[SMALL_WORDS][SMALL_TOPICS];
    double alpha_sum;
    ez_topic_weights weights;
} small_topics;

static void small_rows(small_topics *s)
{
    uint64_t at = 0;
    for (int w = 0; w < SMALL_WORDS; w++) {
        for (uint16_t k = 0; k < SMALL_TOPICS; k++)
            if (small_counts[w][k]) {
                s->topic[at] = k;
                s->count[at++] = small_counts[w][k];
            }
        s->start[w + 1] = at;
    }
    s->rows = (ez_rows){SMALL_WORDS, at, s->start, s->topic, s->count, NULL, 0};
}

/* phi and the weights, each the plain way. */
__attribute__((unused)) static void small_make(small_topics *s)
{
    memset(s, 0, sizeof *s);
    small_rows(s);
    double smooth = 0;
    for (int k = 0; k < SMALL_TOPICS; k++) {
        double n = 0;
        for (int w = 0; w < SMALL_WORDS; w++)
            n += small_counts[w][k];
        s->rate[k] = 1 / (n + SMALL_WORDS * small_beta);
        s->alpha_sum += small_alpha[k];
        smooth += small_beta * small_alpha[k] * s->rate[k];
        for (int w = 0; w < SMALL_WORDS; w++) {
            s->phi[w][k] = (small_counts[w][k] + small_beta) / (n + SMALL_WORDS * small_beta);
            s->alpha_part[w] += small_alpha[k] * s->phi[w][k];
        }
    }
    s->weights = (ez_topic_weights){.rows = &s->rows,
                                    .topics = SMALL_TOPICS,
                                    .words = SMALL_WORDS,
                                    .beta = small_beta,
                                    .alpha_sum = s->alpha_sum,
                                    .alpha = small_alpha,
                                    .rate = s->rate,
                                    .alpha_part = s->alpha_part,
                                    .smooth = smooth};
}

#endif
