/* Which words stay: by documents, by rank. */
#ifndef EZ_VOCABULARY_FILTER_H
#define EZ_VOCABULARY_FILTER_H

#include "base/context.h"

#include <stdbool.h>

typedef struct ez_candidate {
    uint64_t tokens;
    const char *word;
    uint32_t id; /* the caller's */
} ez_candidate;

/* Whether min_docs and max_docs_share let a word of so many documents stay. */
static inline bool ez_docs_pass(const ezlda_import_options *options, uint64_t docs,
                                uint64_t all_docs)
{
    return docs >= options->min_docs && (double)docs <= options->max_docs_share * (double)all_docs;
}

/* Sorts by falling tokens, ties by bytes; returns how many stay under max_vocab (0: all). */
uint32_t ez_rank_candidates(ez_candidate *candidates, uint32_t n, uint32_t max_vocab);

#endif
