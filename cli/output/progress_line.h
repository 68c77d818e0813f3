/* Progress of a run on standard error: one live line on a terminal, plain lines elsewhere. */
#ifndef CLI_PROGRESS_LINE_H
#define CLI_PROGRESS_LINE_H

#include "ezlda.h"

#include <stdbool.h>

typedef struct progress_line {
    const char *label; /* printed before the iteration; NULL: none */
    bool quiet;
    bool may_end_early; /* the run may converge before its last iteration */
    bool live;          /* standard error is a terminal that can redraw a line */
    bool coloured;      /* it also shows colours, and NO_COLOR is not set */
    bool drawn;         /* a live line is on the terminal */
    double started;     /* wall clock, seconds */
    double last_shown;
    double last_call;
    double per_iteration; /* wall seconds per iteration, a running mean */
    double llpt;          /* last score; NaN before the first */
} progress_line;

void progress_begin(progress_line *line, bool quiet);
/* Shows an iteration if enough time has passed since the last. */
void progress_show(progress_line *line, const ezlda_progress *progress);
/* Erases the live line: before other text, and at the end. */
void progress_clear(progress_line *line);

#endif
