/* The options of training: a command that trains has some or all of them. */
#ifndef CLI_TRAIN_SETTINGS_H
#define CLI_TRAIN_SETTINGS_H

#include "cli.h"

typedef struct train_settings {
    cli_common common;
    ezlda_import_options import;
    ezlda_train_options train;
    const char *output, *alpha, *log, *summary, *seeds, *init;
    double converged; /* 0: not asked for */
} train_settings;

/* Tables of options whose targets lie in a train_settings. */
extern const cli_option train_output_options[], train_model_options[], train_prior_options[], train_speed_options[],
    train_report_options[];

void train_defaults(void *target);

#endif
