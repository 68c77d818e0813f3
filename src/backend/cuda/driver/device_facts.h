/* Facts about a CUDA device that are known without opening it: name, capability, memory, and
 * whether this build can use it. */
#ifndef EZ_DEVICE_FACTS_H
#define EZ_DEVICE_FACTS_H

#include "backend/cuda/driver/device.h"

#include <stdbool.h>

typedef struct ez_device_facts {
    CUdevice device;
    int number;
    char name[128];
    int capability; /* 90: 9.0 */
    int processors; /* multiprocessors */
    uint64_t memory_bytes;
    char kernels[24]; /* the kernels that it would run: "sm_90" */
    bool usable;
    char reason[512]; /* why it is not usable: one sentence */
} ez_device_facts;

/* How many devices the driver sees, at least 1. Fails if there is none, and says why. */
ezlda_status ez_device_count(int *count, ezlda_context *context);

/* Fails if there is no such device. A device that the build or the driver does not support is not
 * usable. */
ezlda_status ez_device_get_facts(ez_device_facts *facts, ezlda_context *context, int number);

/* The same, and fails if the device is not usable. */
ezlda_status ez_device_require(ez_device_facts *facts, ezlda_context *context, int number);

/* The first usable device. Fails if there is none, with the reason of the first device. */
ezlda_status ez_device_first_usable(ez_device_facts *facts, ezlda_context *context);

#endif
