/* Cuts a corpus into ranges of consecutive documents with similar numbers of tokens: the shards of
 * ranks, or the chunks of one rank. */
#ifndef EZ_CORPUS_CUT_H
#define EZ_CORPUS_CUT_H

#include "corpus/corpus.h"

/* Cuts between documents so that the largest and the smallest number of tokens of a range differ by
 * little. Range p is documents [first_doc[p], first_doc[p + 1]); first_doc has ranges+1 entries.
 * Ranges may be empty, if there are few documents or very long ones. Reads only the blocks that are
 * cut. */
ezlda_status ez_corpus_cut(const ezlda_corpus *corpus, ezlda_context *context, uint32_t ranges,
                           uint64_t *first_doc);

/* The same for documents [first, last). first_token (NULL, or ranges+1 entries) gets the tokens
 * before each range. */
ezlda_status ez_corpus_cut_range(const ezlda_corpus *corpus, ezlda_context *context, uint64_t first,
                                 uint64_t last, uint32_t ranges, uint64_t *first_doc,
                                 uint64_t *first_token);

#endif
