/* Merged topics: the counts of a model in which some topics have gone into others. */
#ifndef EZ_MERGE_TOPICS_H
#define EZ_MERGE_TOPICS_H

#include "model/model_layout.h"

/* Makes an image of the model in which topic k has become into[k], and every other section is as it
 * is. Counts are added; K stays, and topics that have gone have no token and the smallest alpha. */
ezlda_status ez_merge_topics(ez_container **out, ezlda_context *context, const ezlda_model *model,
                             const uint32_t *into);

/* Makes a model with fewer topics: topic k becomes into[k], one of 0 to topics-1, each of which
 * some topic becomes. Alpha is added too. Edits and scores of the run stay behind. The hash of the
 * topics is 0 if the model does not keep those of its tokens. */
ezlda_status ez_model_coarser(ezlda_model **out, ezlda_context *context, const ezlda_model *model,
                              const uint32_t *into, uint32_t topics);

#endif
