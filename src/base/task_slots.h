/* A context for each of several parallel tasks, so that the first failure in order is reported, not
 * the first in time: the message does not depend on the number of threads. */
#ifndef EZ_TASK_SLOTS_H
#define EZ_TASK_SLOTS_H

#include "base/context.h"

#include <stddef.h>

typedef struct ez_slot {
    ezlda_context *context;
    ezlda_status status;
} ez_slot;

typedef struct ez_slots {
    ez_slot *slot;
    size_t n;
} ez_slots;

ezlda_status ez_slots_create(ez_slots *slots, ezlda_context *context, size_t n);
/* Returns the status of slot i and passes its message on to the context. */
ezlda_status ez_slots_check(const ez_slots *slots, ezlda_context *context, size_t i);
void ez_slots_free(ez_slots *slots);

#endif
