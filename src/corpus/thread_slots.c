#include "corpus/thread_slots.h"

ezlda_status ez_slots_create(ez_slots *slots, ezlda_context *context, size_t n)
{
    *slots = (ez_slots){0};
    EZ_TRY(ez_array_zero(&slots->contexts, context, n, sizeof *slots->contexts, "threads' messages"));
    slots->n = n;
    EZ_TRY(ez_array_zero(&slots->status, context, n, sizeof *slots->status, "threads' messages"));
    for (size_t i = 0; i < n; i++) {
        ezlda_status status = ezlda_context_create(&slots->contexts[i]);
        if (status != EZLDA_OK)
            return ez_fail(context, status, "not enough memory for threads' messages");
        ezlda_context_set_threads(slots->contexts[i], 1);
    }
    return EZLDA_OK;
}

ezlda_status ez_slots_check(const ez_slots *slots, ezlda_context *context, size_t i)
{
    if (slots->status[i] == EZLDA_OK)
        return EZLDA_OK;
    return ez_fail(context, slots->status[i], "%s", ezlda_error_message(slots->contexts[i]));
}

void ez_slots_free(ez_slots *slots)
{
    for (size_t i = 0; slots->contexts && i < slots->n; i++)
        ezlda_context_free(slots->contexts[i]);
    ez_free(slots->contexts);
    ez_free(slots->status);
    *slots = (ez_slots){0};
}
