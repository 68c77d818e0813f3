/* Expands a corpus, or a range of its documents, into a token list. */
#ifndef EZ_CORPUS_TOKENS_H
#define EZ_CORPUS_TOKENS_H

#include "corpus/corpus.h"
#include "tokens/token_list.h"

/* Memory to decode any block of a corpus into. */
typedef struct ez_block_room {
    uint32_t row_start[EZ_CORPUS_BLOCK + 1];
    uint32_t *word, *count;
} ez_block_room;

ezlda_status ez_block_room_init(ez_block_room *room, ezlda_context *context,
                                const ezlda_corpus *corpus);
void ez_block_room_free(ez_block_room *room);

/* The number of blocks that hold documents [0, last). */
static inline uint64_t ez_blocks_through(uint64_t last)
{
    return last / EZ_CORPUS_BLOCK + (last % EZ_CORPUS_BLOCK != 0);
}

/* The tokens before a document; doc may be the number of documents. */
uint64_t ez_corpus_tokens_before_doc(const ezlda_corpus *corpus, uint64_t doc, ez_block_room *room);

ezlda_status ez_corpus_tokens(ez_token_list **out, ezlda_context *context,
                              const ezlda_corpus *corpus);

/* The token list of documents [first_doc, last_doc). subset: what it knows of the whole corpus (its
 * first_doc is not read). */
ezlda_status ez_corpus_tokens_range(ez_token_list **out, ezlda_context *context,
                                    const ezlda_corpus *corpus, uint64_t first_doc,
                                    uint64_t last_doc, const ez_token_subset *subset);

#endif
