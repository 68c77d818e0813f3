/* Topics of two models matched one to one: ezlda_model_match of the public header, and what is
 * built on it. */
#ifndef EZ_MODELS_MATCH_H
#define EZ_MODELS_MATCH_H

#include "base/context.h"

/* How much of the topics comes back in other models, as between seeds: the mean similarity of the
 * topics that are matched, over all pairs of n >= 2 models. 1: the same topics in all of them. */
ezlda_status ez_topic_stability(double *out, ezlda_context *context,
                                const ezlda_model *const *models, size_t n);

#endif
