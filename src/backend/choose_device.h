/* From the name of a device to a backend. The name is parsed once, by the public call that
 * receives it, into an ez_device_choice. */
#ifndef EZ_CHOOSE_DEVICE_H
#define EZ_CHOOSE_DEVICE_H

#include "backend/backend.h"

typedef enum ez_device_kind {
    EZ_DEVICE_AUTO,         /* the first GPU with enough memory, else the CPU */
    EZ_DEVICE_CUDA,         /* the first GPU that this build serves */
    EZ_DEVICE_CUDA_NUMBERS, /* the GPUs that are named */
    EZ_DEVICE_CUDA_ALL,
    EZ_DEVICE_CPU,
    EZ_DEVICE_REFERENCE
} ez_device_kind;

typedef struct ez_device_choice {
    ez_device_kind kind;
    ez_gpus named; /* with EZ_DEVICE_CUDA_NUMBERS, else none */
    bool dealt;    /* an "auto" that became one GPU of several ranks (ez_device_deal) */
} ez_device_choice;

/* Parses auto, cuda, cuda:N, cuda:N,N,..., cuda:all, cpu or reference; NULL is auto. */
ezlda_status ez_device_parse(ez_device_choice *out, ezlda_context *context, const char *device);

/* The device of process `index` among the processes of a machine: auto and cuda become one of the
 * GPUs that can be used, in turn. Changes nothing if there is none, or if the choice is another
 * one. */
void ez_device_deal(ez_device_choice *choice, int index);

/* Begins to open the (first) GPU of a choice in a thread of its own (device_ahead.h), unless one
 * is being opened already. An explicit choice fails if there is no driver. */
ezlda_status ez_device_begin(ezlda_context *context, const ez_device_choice *choice);

/* Finds the backend of a choice and its GPUs. An explicit choice never falls back: if this build
 * or this machine does not have the device, that is an error, found here as far as that is cheap.
 * "auto" gives the first GPU that this build serves, else the CPU. */
ezlda_status ez_backend_find(const ez_backend_ops **out, ez_gpus *gpus, ezlda_context *context,
                             const ez_device_choice *choice);

/* Creates the backend of a choice. "auto" prints a note of what it uses and why: it tries the GPUs
 * in order, then the CPU. A GPU that turns out to have less memory than it reported is tried again
 * with less of it, if it was chosen by "auto". */
ezlda_status ez_backend_open(ez_backend **out, ezlda_context *context,
                             const ez_device_choice *choice, ez_token_list *tokens,
                             const ez_settings *settings);

#endif
