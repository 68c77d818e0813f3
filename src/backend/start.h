/* The topics before the first iteration, one definition for all backends. */
#ifndef EZ_START_H
#define EZ_START_H

#include "backend/backend.h"

/* A document starts in one topic for every so many tokens of its length. */
enum { EZ_START_PIECE = 256 };

/* Scratch of one thread, sized for the longest document. */
typedef struct ez_start_scratch {
    uint32_t *keyword;
    ez_salient *salient;
} ez_start_scratch;

ezlda_status ez_start_scratch_init(ez_start_scratch *scratch, ezlda_context *context, const ez_token_list *tokens);
void ez_start_scratch_free(ez_start_scratch *scratch);

/* Topics of a document's tokens, in document order.
 * Random: uniform, drawn with iteration key 0. Keyword: the document's most salient words name its topics, a word the
 * same topic in every document; a document longer than a piece has several and deals its tokens out among them.
 * Rows of D are short from the first iteration, and documents about the same thing begin together. */
void ez_start_document(const ez_token_list *tokens, const ez_settings *settings, uint64_t doc, uint16_t *topic,
                       ez_start_scratch *scratch);

#endif
