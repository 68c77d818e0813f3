/* The counts that a model keeps, gathered from documents in parts. */
#ifndef EZ_COLLECT_PARTS_H
#define EZ_COLLECT_PARTS_H

#include "model/model.h"
#include "train/out_of_core.h"

/* As ez_collect_counts. What grows with the documents goes to scratch files in parts->scratch. */
ezlda_status ez_collect_parts(ez_model_parts *parts, ezlda_context *context, ez_out_of_core *documents,
                              const uint16_t *topic);

/* Adds rows to as many others. */
ezlda_status ez_add_rows(ez_count_rows *sum, ezlda_context *context, const ez_count_rows *more);

#endif
