/* --log: a JSON object a line for each iteration. */
#ifndef CLI_TRAIN_LOG_H
#define CLI_TRAIN_LOG_H

#include "ezlda.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct train_log {
    const char *path;
    FILE *file;      /* NULL: none was asked for */
    bool resume;     /* lines of the iterations that are not done again stay */
    bool has_lines;  /* of an earlier training, or one that is at work: they are left until this one
                        has a line */
    int failed_with; /* errno of the first call that failed */
} train_log;

/* resume: lines of the iterations that are not done again stay. 0, or an exit status after one
 * line. */
int train_log_open(train_log *log, const char *path, bool resume);

/* A line, written at once. */
void train_log_put(train_log *log, const ezlda_progress *progress);

/* 0, or an exit status after one line where something could not be written. */
int train_log_close(train_log *log);

#endif
