/* From a corpus to the token list. */
#ifndef EZ_CORPUS_TOKENS_H
#define EZ_CORPUS_TOKENS_H

#include "backend/token_list.h"
#include "corpus/corpus.h"

/* Room to decode any block of a corpus. */
typedef struct ez_block_room {
    uint32_t row_start[EZ_CORPUS_BLOCK + 1];
    uint32_t *word, *count;
} ez_block_room;

ezlda_status ez_block_room_init(ez_block_room *room, ezlda_context *context, const ezlda_corpus *corpus);
void ez_block_room_free(ez_block_room *room);

ezlda_status ez_corpus_tokens(ez_token_list **out, ezlda_context *context, const ezlda_corpus *corpus);

#endif
