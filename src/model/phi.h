/* The words of topics. A model keeps W of the last iteration and, if the run was long enough, W
 * summed over several samples: iterations at its end, some apart. Their mean is a better estimate
 * of p(word | topic) than one sample. Everything that is about words of topics reads ez_phi: top
 * words, inference, scores, comparisons, exports of probabilities. W is what continues a run, and
 * what counts the tokens of this corpus. */
#ifndef EZ_PHI_H
#define EZ_PHI_H

#include "model/model_rows.h"

/* p(word v | topic k) = (rows[v][k] + beta) / (topic_tokens[k] + V * beta). */
typedef struct ez_phi {
    ez_rows rows;                 /* W, or its sum over the samples */
    const uint64_t *topic_tokens; /* topics: the sums of the rows by topic */
    const uint64_t *word_tokens;  /* words: the sums of the rows */
    double beta;                  /* `samples` times the model's */
    uint32_t samples;             /* at least 1 */
} ez_phi;

/* The denominator of p(word | topic). */
static inline double ez_phi_total(const ez_phi *phi, uint32_t topic)
{
    return (double)phi->topic_tokens[topic] + (double)phi->rows.rows * phi->beta;
}

#endif
