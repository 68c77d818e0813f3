/* How a plan's words are counted. */
#ifndef EZ_FORECAST_WORDS_H
#define EZ_FORECAST_WORDS_H

#include "base/context.h"

/* Sets the plan's topics, dense_words and sparse_tokens. */
ezlda_status ez_plan_count_words(ezlda_plan *plan, ezlda_context *context,
                                 const ezlda_corpus *corpus, uint32_t topics);

#endif
