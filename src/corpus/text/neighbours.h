/* Counts pairs of neighbouring words of all documents, for the search for phrases. Memory stays
 * within bounds because a sketch first finds the pairs that may be frequent enough: the number of
 * those is at most the number of tokens divided by the least count. */
#ifndef EZ_NEIGHBOURS_H
#define EZ_NEIGHBOURS_H

#include "corpus/text/phrase_join.h"
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
    ez_pairs pairs;
    ez_buffer counts; /* ez_pair_count of each pair */
} ez_stripe;

typedef struct ez_neighbours {
    const ez_phrase_set *set; /* documents are joined by it first */
    const uint64_t *tokens;   /* tokens of each unit */
    uint64_t least;           /* pairs with fewer tokens need not be counted */
    bool phrases;             /* count only pairs that contain a phrase */
    ez_stripe stripes[EZ_STRIPES];
} ez_neighbours;

/* Set the members before `stripes`, zero the rest, and free it also on failure. `maps`: each
 * worker's words to terms. A pair that is not counted has fewer than `least` tokens. */
ezlda_status ez_neighbours_count(ez_neighbours *neighbours, const ez_text_job *job,
                                 uint32_t *const *maps);
/* Calls fn for every pair, in an order that differs between runs. */
typedef ezlda_status (*ez_pair_fn)(void *state, const ez_pair_count *pair);
ezlda_status ez_neighbours_each(const ez_neighbours *neighbours, ez_pair_fn fn, void *state);
void ez_neighbours_free(ez_neighbours *neighbours);

#endif
