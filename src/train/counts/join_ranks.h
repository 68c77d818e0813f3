/* Joins the counts of all ranks at the root. */
#ifndef EZ_JOIN_RANKS_H
#define EZ_JOIN_RANKS_H

#include "cluster/group.h"
#include "model/model.h"

/* parts: the counts of this rank's documents; at the root they become those of all documents, in
 * the order of the ranks. *topic: the topics of the tokens, likewise; freed if it is replaced. */
ezlda_status ez_join_ranks(ez_model_parts *parts, ezlda_context *context, ezlda_group *group,
                           uint16_t **topic);

#endif
