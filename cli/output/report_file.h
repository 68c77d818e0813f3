/* Writes the page of a report, for `ezlda report` and `ezlda train --report`. */
#ifndef CLI_REPORT_FILE_H
#define CLI_REPORT_FILE_H

#include "ezlda.h"

#include <stdbool.h>

/* The last part of a path. */
const char *report_file_title(const char *path);
/* The day given by SOURCE_DATE_EPOCH, for files that can be reproduced; NULL if it is not set. */
const char *report_file_day(char room[16]);
/* Writes the page and, unless `quiet`, says where it is. */
ezlda_status report_file_write(ezlda_context *context, const ezlda_report *report, const char *path,
                               bool quiet);

#endif
