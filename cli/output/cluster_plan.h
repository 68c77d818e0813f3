/* ezlda plan for several GPUs and machines, and for corpora that are described instead of read. */
#ifndef CLI_CLUSTER_PLAN_H
#define CLI_CLUSTER_PLAN_H

#include "cli.h"
#include "options/cluster_options.h"

#include <stdbool.h>

/* Makes the forecast and prints it. */
int cluster_run(cli_call *call, ezlda_context *context, const cluster_settings *settings,
                const ezlda_import_options *import, const ezlda_train_options *options,
                double seconds, bool json);

/* Seconds as text, in the unit that fits. */
const char *plan_seconds(double seconds, char buffer[32]);

#endif
