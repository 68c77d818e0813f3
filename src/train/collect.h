/* From the topics of all tokens to the counts that a model keeps: W and D as sparse rows, n, the hash. */
#ifndef EZ_COLLECT_H
#define EZ_COLLECT_H

#include "backend/token_list.h"
#include "model/model.h"

/* Fills topic_tokens, word_rows, doc_rows, doc_start and topics_hash of the parts (which must know topics). topic: in
 * document order. */
ezlda_status ez_collect_counts(ez_model_parts *parts, ezlda_context *context, ez_token_list *tokens,
                               const uint16_t *topic);

#endif
