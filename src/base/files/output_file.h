/* Writes a file completely or not at all: under a temporary name beside the target, then fsync and
 * rename. An existing target that is not a regular file (a pipe, a terminal, /dev/stdout) is
 * written to directly. */
#ifndef EZ_OUTPUT_FILE_H
#define EZ_OUTPUT_FILE_H

#include "base/context.h"

#include <stdbool.h>

typedef struct ez_output ez_output;

/* Creates the temporary file (mode 0666 less the umask). path must not be a directory. */
ezlda_status ez_output_open(ez_output **out, ezlda_context *context, const char *path);
ezlda_status ez_output_write(ez_output *output, ezlda_context *context, const void *bytes,
                             size_t n);
uint64_t ez_output_position(const ez_output *output); /* bytes written so far */
/* Commits (flush, fsync, rename) and frees, also after an error, when the temporary file is
 * removed. */
ezlda_status ez_output_commit(ez_output *output, ezlda_context *context);
/* Removes the temporary file and frees; accepts NULL. */
void ez_output_abandon(ez_output *output);
/* Whether `name` is the name of a temporary file whose process ended without removing it; *length:
 * how many of its bytes are the name of the target. Call it only if no other output of this process
 * has the same target. */
bool ez_output_left_behind(const char *name, size_t *length);

#endif
