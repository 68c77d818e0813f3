/* --log: one line per iteration, each a JSON object. */
#ifndef CLI_TRAIN_LOG_H
#define CLI_TRAIN_LOG_H

#include "ezlda.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct train_log {
    const char *path;
    FILE *file;      /* NULL: no log was asked for */
    bool resume;     /* keep the lines of iterations that are not run again */
    bool has_lines;  /* the file has lines of another run; they stay until this run has one */
    int failed_with; /* errno of the first call that failed */
} train_log;

/* With resume, keeps the lines of iterations that are not run again. Opens nothing if path is NULL.
 * 0, or an exit status after one line. */
int train_log_open(train_log *log, const char *path, bool resume);

/* Writes one line, without delay. */
void train_log_put(train_log *log, const ezlda_progress *progress);

/* 0, or an exit status after one line if something could not be written. */
int train_log_close(train_log *log);

#endif
