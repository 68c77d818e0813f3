/* Merged topics: the counts of a model in which some topics have gone into others. */
#ifndef EZ_MERGE_TOPICS_H
#define EZ_MERGE_TOPICS_H

#include "model/model_layout.h"

/* Makes an image of the model in which topic k has become into[k], and every other section is as it
 * is. Counts are added; K stays, and topics that have gone have no token and the smallest alpha. */
ezlda_status ez_merge_topics(ez_container **out, ezlda_context *context, const ezlda_model *model,
                             const uint32_t *into);

#endif
