/* The counts that a model keeps, from documents in chunks. */
#ifndef EZ_COUNT_CHUNKS_H
#define EZ_COUNT_CHUNKS_H

#include "model/model.h"
#include "train/out_of_core.h"

/* Like ez_count_model. Data that grows with the documents is in scratch files in parts->scratch. */
ezlda_status ez_count_chunks(ez_model_parts *parts, ezlda_context *context,
                             ez_out_of_core *documents, const uint16_t *topic);

#endif
