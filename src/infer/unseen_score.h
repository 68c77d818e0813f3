/* The score of tokens whose words have no token in the model. */
#ifndef EZ_UNSEEN_SCORE_H
#define EZ_UNSEEN_SCORE_H

#include "backend/backend.h"
#include "infer/known_docs.h"

/* Adds log2 p(word | document) of these tokens, in fixed point (log2_fixed.h). topic: the topics of
 * the tokens that were sampled, in document order. */
ezlda_status ez_unseen_score(int64_t *score, ezlda_context *context, const ezlda_model *model,
                             const ez_priors *priors, const ez_token_list *tokens,
                             const uint16_t *topic, const ez_other_tokens *other);

#endif
