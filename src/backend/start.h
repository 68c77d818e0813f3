/* The topics before the first iteration: one definition for all backends. */
#ifndef EZ_START_H
#define EZ_START_H

#include "backend/backend.h"
#include "sampler/start_pieces.h"

/* A document starts in one topic for every piece of its tokens. If the whole corpus has fewer than
 * EZ_START_FEW documents per topic, pieces are short: topics that begin as one or two documents
 * each would stay so. This does not apply to ESCA, which hardly moves words from where they start,
 * so they would stay scattered. */
enum { EZ_START_FEW = 4 };

static inline uint32_t ez_start_piece(const ez_token_list *tokens, const ez_settings *settings)
{
    bool few = tokens->all_docs / settings->topics < EZ_START_FEW;
    return few && settings->estimator == EZLDA_LEAVE_ONE_OUT ? EZ_START_SHORT : EZ_START_PIECE;
}

/* Scratch memory of one thread, for the longest document. */
typedef struct ez_start_scratch {
    uint32_t *keyword;
    ez_salient *salient;
} ez_start_scratch;

ezlda_status ez_start_scratch_init(ez_start_scratch *scratch, ezlda_context *context,
                                   const ez_token_list *tokens);
void ez_start_scratch_free(ez_start_scratch *scratch);

/* Sets the topics of a document's tokens, in document order.
 * Random: uniform, drawn with iteration key 0. Keyword: the document's most salient words name its
 * topics, and a word names the same topic in every document; a document longer than a piece has
 * several topics and deals its tokens out among them. So rows of D are short from the first
 * iteration, and documents about the same thing begin together. */
void ez_start_document(const ez_token_list *tokens, const ez_settings *settings, uint64_t doc,
                       uint16_t *topic, ez_start_scratch *scratch);

#endif
