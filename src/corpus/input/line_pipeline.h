/* Lines parsed in parallel and taken in order. While some threads parse a batch of blocks, one
 * reads the next. */
#ifndef EZ_LINE_PIPELINE_H
#define EZ_LINE_PIPELINE_H

#include "base/memory.h"
#include "corpus/input/input.h"

typedef struct ez_line_job {
    ez_input *input;
    void *user;
    size_t result_size; /* of one result: zeroed once, then used again from block to block */
    /* By any thread, with a context of its own. */
    ezlda_status (*parse)(void *user, ezlda_context *context, const ez_lines *lines, void *result);
    /* By one thread, in the order of the lines, while nothing is parsed. */
    ezlda_status (*take)(void *user, ezlda_context *context, const ez_lines *lines, void *result);
    void (*release)(void *result); /* frees what a result holds */
} ez_line_job;

/* Runs the job over the rest of the input. The failure that is reported is the first in the file.
 */
ezlda_status ez_run_lines(ezlda_context *context, const ez_line_job *job);

/* A context of its own for each piece of parallel work, so that the failure that is reported is the
 * first in order, not the first in time: the same message for any number of threads. */
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
