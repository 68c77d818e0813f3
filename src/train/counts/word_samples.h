/* W summed over samples: iterations at the end of a run, some apart. The words of a model's topics
 * are estimated from this sum (model/phi.h). */
#ifndef EZ_WORD_SAMPLES_H
#define EZ_WORD_SAMPLES_H

#include "backend/backend.h"
#include "model/model.h"

/* Iterations from one sample to the next, and the shortest run that has several. */
enum { EZ_SAMPLES_APART = 10, EZ_SAMPLES_FROM = 100 };

typedef struct ez_word_samples {
    uint32_t wanted;    /* samples of the run; at most 1: the last iteration alone */
    uint32_t taken;     /* samples in the sum */
    ez_count_rows rows; /* the sum, rows as in the corpus; without rows if `taken` is 0 */
} ez_word_samples;

/* Iterations that the samples of a run take from the first to the last. */
static inline uint32_t ez_samples_span(const ez_word_samples *s)
{
    return s->wanted > 1 ? (s->wanted - 1) * EZ_SAMPLES_APART : 0;
}

/* How many samples a run has. options: the number asked for. iterations: the most that the run may
 * make. The sums of a word must fit 32 bits, and all of them what the arithmetic allows; frequency:
 * the tokens of the most frequent word. */
uint32_t ez_samples_wanted(uint32_t asked, uint32_t iterations, uint64_t tokens,
                           uint64_t frequency);

/* Whether this iteration is one of the samples of a run that ends after iteration `end`. */
bool ez_samples_due(const ez_word_samples *s, uint32_t iteration, uint32_t end);

/* Adds W as the backend has it, without the counts of seeds. */
ezlda_status ez_samples_add(ez_word_samples *s, ezlda_context *context, ez_backend *backend,
                            const ez_token_list *tokens, const ez_base_counts *base);

/* Forgets the samples. */
void ez_samples_clear(ez_word_samples *s);

#endif
