/* Parses the lines of an input in parallel and hands the results over in order. While some threads
 * parse a batch of blocks, one reads the next batch. */
#ifndef EZ_LINE_PIPELINE_H
#define EZ_LINE_PIPELINE_H

#include "base/memory.h"
#include "corpus/input/input.h"

typedef struct ez_line_job {
    ez_input *input;
    void *user;
    size_t result_size; /* bytes of a result, which is zeroed once, then reused for other blocks */
    /* Called on any thread, with a context of its own. */
    ezlda_status (*parse)(void *user, ezlda_context *context, const ez_lines *lines, void *result);
    /* Called on the calling thread, in the order of the lines, while nothing is parsed. */
    ezlda_status (*add)(void *user, ezlda_context *context, const ez_lines *lines, void *result);
    void (*release)(void *result); /* frees the contents of a result */
} ez_line_job;

/* Runs the job over the rest of the input. If several blocks fail, the first one in the file is
 * reported. */
ezlda_status ez_run_lines(ezlda_context *context, const ez_line_job *job);

#endif
