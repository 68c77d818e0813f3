/* ezlda_evaluate of the public header, with the documents' own scores. */
#ifndef EZ_EVALUATE_H
#define EZ_EVALUATE_H

#include "base/memory.h"
#include "eval/coherence.h"
#include "eval/perplexity.h"

/* As ezlda_evaluate, which gives scores where it was stopped, too; `docs` gets an ez_doc_score of
 * each document that completion scores, in their order, or is NULL. Which documents these are, and
 * their tokens, depends on the words that the model knows and not on its topics. */
ezlda_status ez_evaluate(ezlda_scores **out, ezlda_context *context, const ezlda_model *model,
                         const ezlda_corpus *corpus, const ezlda_eval_options *options,
                         ez_buffer *docs);

/* What was measured of a topic's first words; NULL: coherence was not, or the number is out of
 * range. */
const ez_topic_quality *ez_scores_quality(const ezlda_scores *scores, uint32_t topic);

#endif
