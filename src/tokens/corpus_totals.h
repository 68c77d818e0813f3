/* What a shard or chunk must know of the whole corpus, counted over a range of documents: ranks add
 * up the totals of their ranges. */
#ifndef EZ_CORPUS_TOTALS_H
#define EZ_CORPUS_TOTALS_H

#include "corpus/corpus.h"

/* The totals of several ranges may be added; `longest` is the largest of theirs. */
typedef struct ez_totals {
    uint64_t docs, tokens;
    uint64_t longest;        /* tokens of the longest document */
    uint32_t words;          /* in the vocabulary of the corpus */
    uint64_t *frequency;     /* words: tokens, by the corpus' numbers */
    uint32_t *doc_frequency; /* words: documents that hold the word */
} ez_totals;

/* Counts documents [first, last). Zero-initialise before; free also on failure. */
ezlda_status ez_corpus_totals(ez_totals *out, ezlda_context *context, const ezlda_corpus *corpus,
                              uint64_t first, uint64_t last);
void ez_totals_free(ez_totals *totals);

#endif
