/* The topics with which a run continues from a model: those of its tokens, or inferred ones. */
#ifndef EZ_INIT_TOPICS_H
#define EZ_INIT_TOPICS_H

#include "backend/backend.h"

/* Sets the topics of all tokens of the list, in document order. first_token: the tokens of the
 * corpus before them. If the topics are the model's own, the run continues as if it had not
 * stopped. update: the model is updated, so words that these documents lack stay in it. */
ezlda_status ez_init_topics(uint16_t *topic, ezlda_context *context, const ezlda_corpus *corpus,
                            const ez_token_list *tokens, uint64_t first_token,
                            const ezlda_train_options *options, bool update);

#endif
