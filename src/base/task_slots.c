/* Contexts of parallel tasks, and the first failure among them. */
#include "base/task_slots.h"

#include "base/memory.h"

ezlda_status ez_slots_create(ez_slots *slots, ezlda_context *context, size_t n)
{
    *slots = (ez_slots){0};
    EZ_TRY(ez_array_zero(&slots->slot, context, n, sizeof *slots->slot, "threads' messages"));
    slots->n = n;
    for (size_t i = 0; i < n; i++) {
        ezlda_status status = ezlda_context_create(&slots->slot[i].context);
        if (status != EZLDA_OK)
            return ez_fail(context, status, "not enough memory for threads' messages");
        ezlda_context_set_threads(slots->slot[i].context, 1);
    }
    return EZLDA_OK;
}

ezlda_status ez_slots_check(const ez_slots *slots, ezlda_context *context, size_t i)
{
    if (slots->slot[i].status == EZLDA_OK)
        return EZLDA_OK;
    return ez_fail(context, slots->slot[i].status, "%s",
                   ezlda_error_message(slots->slot[i].context));
}

void ez_slots_free(ez_slots *slots)
{
    for (size_t i = 0; slots->slot && i < slots->n; i++)
        ezlda_context_free(slots->slot[i].context);
    ez_free(slots->slot);
    *slots = (ez_slots){0};
}
