/* What the parts of a corpus must know of the whole, counted over a range of its documents. */
#ifndef EZ_CORPUS_TOTALS_H
#define EZ_CORPUS_TOTALS_H

#include "corpus/corpus.h"

/* Integers: those of several ranges may be added (the longest: the largest of them). */
typedef struct ez_totals {
    uint64_t docs, tokens;
    uint64_t longest;        /* tokens of the longest document */
    uint32_t words;          /* of the corpus */
    uint64_t *frequency;     /* words: tokens, by the corpus' numbers */
    uint32_t *doc_frequency; /* words: documents that hold the word */
} ez_totals;

/* Of documents [first, last). Zero-initialise before; free also on failure. */
ezlda_status ez_corpus_totals(ez_totals *out, ezlda_context *context, const ezlda_corpus *corpus,
                              uint64_t first, uint64_t last);
void ez_totals_free(ez_totals *totals);

#endif
