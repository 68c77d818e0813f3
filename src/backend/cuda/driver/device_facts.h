/* What a CUDA device is and whether this build runs on it, as far as that can be known without
 * opening it. */
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
    char kernels[24]; /* which of this build's: "sm_90" */
    bool usable;
    char reason[512]; /* why not: one sentence */
} ez_device_facts;

/* Devices that the driver shows, at least 1; else a failure that says why there is none. */
ezlda_status ez_device_count(int *count, ezlda_context *context);

/* Fails where there is no such device; one that the build or the driver does not serve is not
 * usable. */
ezlda_status ez_device_get_facts(ez_device_facts *facts, ezlda_context *context, int number);

/* The same, and fails where it is not usable. */
ezlda_status ez_device_require(ez_device_facts *facts, ezlda_context *context, int number);

/* The first usable device. Fails where there is none, with the reason of the first device. */
ezlda_status ez_device_first_usable(ez_device_facts *facts, ezlda_context *context);

#endif
