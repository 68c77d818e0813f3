/* Distances between topics, as pyLDAvis places them. */
#ifndef EZ_TOPIC_DISTANCE_H
#define EZ_TOPIC_DISTANCE_H

#include "model/topic_index.h"

/* Jensen-Shannon divergence of p(word | topic) between all topics, in nats: topics x topics. */
ezlda_status ez_topic_divergence(const ezlda_model *model, ezlda_context *context, double *out);

#endif
