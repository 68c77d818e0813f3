/* Evaluation as in ezlda.h, with the scores of single documents. */
#ifndef EZ_EVALUATE_H
#define EZ_EVALUATE_H

#include "base/memory.h"
#include "eval/coherence.h"
#include "eval/perplexity.h"

/* Like ezlda_evaluate, which returns scores also if it was stopped. `docs` receives one
 * ez_doc_score per document that completion scores, in order, or is NULL. Which documents and
 * tokens are scored depends on the words that the model knows, not on its topics. */
ezlda_status ez_evaluate(ezlda_scores **out, ezlda_context *context, const ezlda_model *model,
                         const ezlda_corpus *corpus, const ezlda_eval_options *options,
                         ez_buffer *docs);

/* The quality of a topic; NULL if coherence was not measured or the number is out of range. */
const ez_topic_quality *ez_scores_quality(const ezlda_scores *scores, uint32_t topic);

#endif
