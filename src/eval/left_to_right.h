/* The left-to-right estimator of a document's probability (Wallach, Murray, Salakhutdinov, Mimno
 * 2009, algorithm 3):
 *
 *     for each position n
 *         for each particle
 *             sample the topics of the positions before n again, each given all others before n
 *             p[n] += p(w[n] | topics before n)
 *             sample the topic of position n
 *     log p(w) = sum over n of log(p[n] / particles)
 *
 * Particles are independent, so each runs to its end before the next. A weight is a sum over the
 * topics of the word's row of W, and the part that beta adds is kept up to date, so that one draw
 * costs the word's topics and not K. */
#ifndef EZ_LEFT_TO_RIGHT_H
#define EZ_LEFT_TO_RIGHT_H

#include "eval/topic_weights.h"

typedef struct ez_left_to_right {
    const ez_topic_weights *weights;
    uint32_t particles;
    uint32_t resample; /* positions sampled again before each one: all of them, or this many drawn
                          at random */
    double *smooth;    /* topics: running sums of alpha[k] * rate[k] */
} ez_left_to_right;

/* Zero-initialise `out`; ez_left_to_right_free afterwards, also after an error. The weights must
 * outlive it. */
ezlda_status ez_left_to_right_make(ez_left_to_right *out, ezlda_context *context,
                                   const ez_topic_weights *weights, uint32_t particles,
                                   uint32_t resample);
void ez_left_to_right_free(ez_left_to_right *estimator);

/* The arrays of one thread. */
typedef struct ez_ltr_room ez_ltr_room;

ezlda_status ez_ltr_room_create(ez_ltr_room **out, ezlda_context *context,
                                const ez_left_to_right *estimator);
void ez_ltr_room_free(ez_ltr_room *room); /* accepts NULL */

/* The natural logarithm of the probability of n_tokens tokens. The document's n distinct words are
 * given by the model's numbers, its tokens, in order, by their positions in `word`. Draws are keyed
 * by `key`, particle, position and step: the result depends on nothing else. */
ezlda_status ez_ltr_score(ez_ltr_room *room, ezlda_context *context, uint64_t key,
                          const uint32_t *word, size_t n, const uint32_t *token, size_t n_tokens,
                          double *log_probability);

#endif
