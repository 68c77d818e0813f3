/* Counts pairs of neighbouring words, for the search for phrases. Pairs of all words are counted in
 * two passes: memory stays within bounds because a sketch first finds the pairs that may be
 * frequent enough, and their number is at most the number of tokens divided by the least count.
 * Pairs with a phrase are few; they are counted while the phrases are (phrase_use.c). */
#ifndef EZ_NEIGHBOURS_H
#define EZ_NEIGHBOURS_H

#include "corpus/text/phrases/phrase_join.h"
#include "corpus/text/text_pipeline.h"

#include <omp.h>

typedef struct ez_pair_count {
    uint64_t key; /* ez_pair_key */
    uint64_t tokens, docs;
} ez_pair_count;

/* Threads lock the stripe of a pair only, so that they seldom wait for each other. */
enum { EZ_STRIPES = 64 };
typedef struct ez_stripe {
    omp_lock_t lock;
    ez_pair_table pairs;
    ez_buffer counts; /* ez_pair_count of each pair */
} ez_stripe;

typedef struct ez_neighbours {
    uint32_t terms;         /* units from this number on are phrases */
    const uint64_t *tokens; /* by term */
    uint64_t least;         /* pairs and terms with fewer tokens need not be counted */
    ez_stripe stripes[EZ_STRIPES];
} ez_neighbours;

void ez_neighbours_init(ez_neighbours *neighbours, uint32_t terms, const uint64_t *tokens,
                        uint64_t least);
/* Counts the pairs of terms of all documents. `maps`: each worker's words to terms. A pair that is
 * not counted has fewer than `least` tokens. */
ezlda_status ez_neighbours_count(ez_neighbours *neighbours, const ez_text_job *job,
                                 uint32_t *const *maps);
/* Counts the pairs with a phrase of a document that is joined already; keys: memory of the thread.
 */
ezlda_status ez_neighbours_of_phrases(ez_neighbours *neighbours, ezlda_context *context,
                                      const uint32_t *units, size_t n, ez_buffer *keys);
/* Calls fn for every pair, in an order that differs between runs. */
typedef ezlda_status (*ez_pair_fn)(void *state, const ez_pair_count *pair);
ezlda_status ez_neighbours_each(const ez_neighbours *neighbours, ez_pair_fn fn, void *state);
void ez_neighbours_free(ez_neighbours *neighbours);

#endif
