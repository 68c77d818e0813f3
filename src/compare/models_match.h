/* Topics of two models matched one to one, as in ezlda.h, and the stability of topics over several
 * models. */
#ifndef EZ_MODELS_MATCH_H
#define EZ_MODELS_MATCH_H

#include "base/context.h"

/* How well topics reappear in other models, for example with other seeds: the mean similarity of
 * matched topics over all pairs of n >= 2 models. 1: the same topics in all of them. */
ezlda_status ez_topic_stability(double *out, ezlda_context *context,
                                const ezlda_model *const *models, size_t n);

#endif
