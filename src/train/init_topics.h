/* Topics to continue from a model with: those of its tokens, or inferred ones. */
#ifndef EZ_INIT_TOPICS_H
#define EZ_INIT_TOPICS_H

#include "backend/backend.h"

/* topic: of all tokens of the list, in document order; first_token: the corpus' tokens before them.
 * Where they are the model's own, training goes on as if it had not stopped. */
ezlda_status ez_init_topics(uint16_t *topic, ezlda_context *context, const ezlda_corpus *corpus,
                            const ez_token_list *tokens, uint64_t first_token,
                            const ezlda_train_options *options);

#endif
