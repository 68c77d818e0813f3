/* Whether ranks use NCCL. */
#ifndef EZ_NCCL_AGREE_H
#define EZ_NCCL_AGREE_H

#include "backend/cuda/driver/nccl.h"

/* All ranks call it and come to the same answer: they do where each of them has NCCL, in one
 * version, and a GPU of its own (`device`). A note says so, or why not. */
ezlda_status ez_nccl_agree(bool *use, ezlda_context *context, ezlda_group *group,
                           const ez_device *device);

#endif
