/* Progress of a training on standard error: one live line on a terminal, plain lines elsewhere. */
#ifndef CLI_PROGRESS_LINE_H
#define CLI_PROGRESS_LINE_H

#include "ezlda.h"

#include <stdbool.h>

typedef struct progress_line {
    const char *label; /* stands before the iteration; NULL: none */
    bool quiet;
    bool live;      /* standard error is a terminal */
    bool drawn;     /* a live line stands there */
    double started; /* wall clock, seconds */
    double last_shown;
    double last_call;
    double per_iteration; /* wall seconds an iteration, a running mean */
    double llpt;          /* last score; NaN before the first */
} progress_line;

void progress_begin(progress_line *line, bool quiet);
/* Shows an iteration where it is time to. */
void progress_show(progress_line *line, const ezlda_progress *progress);
/* Wipes the live line: before other text, and at the end. */
void progress_clear(progress_line *line);

#endif
