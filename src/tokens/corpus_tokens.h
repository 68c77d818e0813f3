/* From a corpus to the token list, of all documents or of a range. */
#ifndef EZ_CORPUS_TOKENS_H
#define EZ_CORPUS_TOKENS_H

#include "corpus/corpus.h"
#include "tokens/token_list.h"

/* Room to decode any block of a corpus. */
typedef struct ez_block_room {
    uint32_t row_start[EZ_CORPUS_BLOCK + 1];
    uint32_t *word, *count;
} ez_block_room;

ezlda_status ez_block_room_init(ez_block_room *room, ezlda_context *context,
                                const ezlda_corpus *corpus);
void ez_block_room_free(ez_block_room *room);

/* Blocks that documents [0, last) lie in. */
static inline uint64_t ez_blocks_through(uint64_t last)
{
    return last / EZ_CORPUS_BLOCK + (last % EZ_CORPUS_BLOCK != 0);
}

/* Tokens before a document, which may be the number of documents. */
uint64_t ez_corpus_tokens_before_doc(const ezlda_corpus *corpus, uint64_t doc, ez_block_room *room);

ezlda_status ez_corpus_tokens(ez_token_list **out, ezlda_context *context,
                              const ezlda_corpus *corpus);

/* Of documents [first_doc, last_doc). part: what all parts share (its first_doc is not read). */
ezlda_status ez_corpus_tokens_range(ez_token_list **out, ezlda_context *context,
                                    const ezlda_corpus *corpus, uint64_t first_doc,
                                    uint64_t last_doc, const ez_token_subset *subset);

#endif
