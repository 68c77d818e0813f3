/* The options of training: a command that trains has some or all of them. */
#ifndef CLI_TRAIN_SETTINGS_H
#define CLI_TRAIN_SETTINGS_H

#include "cli.h"
#include "options/seeds_option.h"

typedef struct train_settings {
    cli_common common;
    ezlda_import_options import;
    ezlda_train_options train;
    ezlda_study study; /* train.study leads here */
    const char *output, *alpha, *log, *summary, *seeds, *init, *every, *patience;
    double converged;        /* 0: not asked for */
    double patience_seconds; /* of writing the model */
} train_settings;

/* Tables of options whose targets lie in a train_settings. */
extern const cli_option train_output_options[], train_model_options[], train_prior_options[],
    train_seed_options[], train_continue_options[], train_speed_options[], train_report_options[],
    train_checkpoint_options[], train_memory_options[];

void train_defaults(void *target);

/* What options name besides the corpus: a model to continue from, priors, seeds. */
typedef struct train_inputs {
    ezlda_model *init;
    double *alpha;
    seed_list seeds;
    char *scratch; /* the model's folder */
} train_inputs;

/* Reads them and sets what they decide. 0, or an exit status after one line; to be closed in any
 * case. */
int train_inputs_open(train_inputs *inputs, const cli_call *call, train_settings *settings,
                      ezlda_context *context);
void train_inputs_close(train_inputs *inputs);

/* A remark where the default alpha is worth more than the tokens of a document. */
void train_advise_alpha(const train_settings *settings, const ezlda_corpus *corpus);

#endif
