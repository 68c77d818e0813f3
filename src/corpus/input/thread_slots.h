/* A context of its own for each piece of parallel work, so that the failure that is reported is the
 * first in order, not the first in time: the same message for any number of threads. */
#ifndef EZ_THREAD_SLOTS_H
#define EZ_THREAD_SLOTS_H

#include "base/memory.h"

typedef struct ez_slot {
    ezlda_context *context;
    ezlda_status status;
} ez_slot;

typedef struct ez_slots {
    ez_slot *slot;
    size_t n;
} ez_slots;

ezlda_status ez_slots_create(ez_slots *slots, ezlda_context *context, size_t n);
/* The status of slot i, its message passed on to the context. */
ezlda_status ez_slots_check(const ez_slots *slots, ezlda_context *context, size_t i);
void ez_slots_free(ez_slots *slots);

#endif
