/* From the topics of all tokens to the counts that a model keeps: W and D as sparse rows, n, the
 * hash. */
#ifndef EZ_COUNT_ROWS_H
#define EZ_COUNT_ROWS_H

#include "model/model.h"
#include "tokens/token_list.h"

/* Fills doc_rows, doc_start and topics_hash of the parts (which must know topics). topic: in
 * document order. */
ezlda_status ez_count_model(ez_model_parts *parts, ezlda_context *context,
                            const ez_token_list *tokens, const uint16_t *topic);
/* Fills topic_tokens and word_rows. A backend that is at hand has them already (`counts`). */
ezlda_status ez_count_model_words(ez_model_parts *parts, ezlda_context *context,
                                  ez_token_list *tokens, const uint16_t *topic);
/* The relabelled word of each word of the corpus. */
ezlda_status ez_word_labels(uint32_t **label, ezlda_context *context, const ez_token_list *tokens);
/* Makes the rows of W alone. Row r is that of relabelled word label[r], or r if label is NULL. */
ezlda_status ez_count_word_rows(ez_count_rows *rows, ezlda_context *context, ez_token_list *tokens,
                                uint32_t topics, const uint16_t *topic, const uint32_t *label);

#endif
