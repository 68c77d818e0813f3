/* The agreement of all ranks on whether sums between them use NCCL. */
#ifndef EZ_NCCL_AGREE_H
#define EZ_NCCL_AGREE_H

#include "backend/cuda/driver/nccl.h"

/* All ranks call it and get the same answer: NCCL is used if each of them has it, in the same
 * version, and a GPU of its own (`device`). A note reports it, or why not. */
ezlda_status ez_nccl_agree(bool *use, ezlda_context *context, ezlda_group *group,
                           const ez_device *device);

#endif
