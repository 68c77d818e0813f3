/* A corpus in contiguous ranges. */
#ifndef EZ_CORPUS_CUT_H
#define EZ_CORPUS_CUT_H

#include "corpus/corpus.h"

/* Cuts between documents so that the largest and the smallest number of tokens of a range differ by
 * little: range p is documents [first_doc[p], first_doc[p + 1]), first_doc having ranges+1 entries.
 * Parts may be empty, where documents are fewer or longer than ranges. Reads only the blocks that
 * are cut. */
ezlda_status ez_corpus_cut(const ezlda_corpus *corpus, ezlda_context *context, uint32_t ranges,
                           uint64_t *first_doc);

/* Of documents [first, last); first_token, NULL or ranges+1 entries, gets the tokens before each
 * range. */
ezlda_status ez_corpus_cut_range(const ezlda_corpus *corpus, ezlda_context *context, uint64_t first,
                                 uint64_t last, uint32_t ranges, uint64_t *first_doc,
                                 uint64_t *first_token);

#endif
