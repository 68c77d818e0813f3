/* Inference for other rooms of the library: the topics of the tokens that a model knows, in whole
 * batches. */
#ifndef EZ_INFER_TOPICS_H
#define EZ_INFER_TOPICS_H

#include "model/word_map.h"
#include "tokens/token_list.h"

/* A batch of documents (tokens of words that have tokens in the model, the first document's number
 * in first_doc) with the topics of the tokens after the last iteration, in document order. */
typedef void (*ez_batch_fn)(const ez_token_list *batch, const uint16_t *topic, void *user);

/* Documents [first, last) of a corpus. */
typedef struct ez_doc_range {
    uint64_t first, last;
} ez_doc_range;

/* Whole blocks of the corpus are inferred, so `take` also sees documents just outside the range. */
ezlda_status ez_infer_topics(const ezlda_model *model, ezlda_context *context,
                             const ezlda_corpus *corpus, ez_doc_range range,
                             const ezlda_infer_options *options, ez_batch_fn take, void *user);

#endif
