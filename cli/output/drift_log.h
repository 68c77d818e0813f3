/* --drift-log: what an update changed, one JSON object per topic on a line. */
#ifndef CLI_DRIFT_LOG_H
#define CLI_DRIFT_LOG_H

#include "ezlda.h"

/* Writes the whole file. 0, or an exit status after one line. */
int drift_log_write(const char *path, ezlda_context *context, const ezlda_model *before,
                    const ezlda_model *after);

#endif
