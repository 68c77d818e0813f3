/* What an update changed: the topics that changed most, and --drift-log with all of them. */
#ifndef CLI_DRIFT_LOG_H
#define CLI_DRIFT_LOG_H

#include "ezlda.h"

/* Prints the topics whose words changed most, with their new first words. */
ezlda_status drift_print(ezlda_context *context, const ezlda_model *before,
                         const ezlda_model *after);
/* Writes the whole file, one JSON object per topic on a line. 0, or an exit status after one line.
 */
int drift_log_write(const char *path, ezlda_context *context, const ezlda_model *before,
                    const ezlda_model *after);

#endif
