/* The model's parts of a group's ranks, put together. */
#ifndef EZ_JOIN_RANKS_H
#define EZ_JOIN_RANKS_H

#include "cluster/group.h"
#include "model/model.h"

/* parts: counts of this member's documents, in the order of the ranks; at member 0 they become
 * those of all. *topic: likewise the topics of the tokens; it is freed where it is replaced. */
ezlda_status ez_join_ranks(ez_model_parts *parts, ezlda_context *context, ezlda_group *group,
                           uint16_t **topic);

#endif
