/* The options of training. Each command that trains (train, sweep, plan) has some or all of them;
 * its settings begin with a train_settings. */
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
    const char *report; /* --report of train */
    int live;           /* --live of train */
    uint32_t live_port;
    uint32_t samples;  /* --samples of train; 0: none are kept */
    int choose_topics; /* the number of topics may be chosen by the corpus */
    double converged;  /* --until-converged; 0: not given */
    int fixed_priors;
    double patience_seconds; /* for writing the model */
} train_settings;

/* Tables whose targets lie in a train_settings. These decide the model: */
extern const cli_option train_topics_options[], train_model_options[], train_prior_options[],
    train_seed_options[], train_continue_options[];
/* These do not: */
extern const cli_option train_output_options[], train_keep_options[], train_sample_options[],
    train_speed_options[], train_study_options[], train_memory_options[], train_score_options[],
    train_report_options[], train_live_options[], train_checkpoint_options[];
extern const char train_study_title[];

void train_defaults(void *target);

/* Sets what follows from options that are not given, or from --fixed-priors. 0, or an exit status
 * after one line. */
int train_finish_options(const cli_call *call, train_settings *settings);

/* Checks --checkpoint, --every, --resume and --patience. 0, or an exit status after one line. */
int train_check_checkpoint(const cli_call *call, train_settings *settings);

/* What options name besides the corpus: a model to continue from, priors, seed words. */
typedef struct train_inputs {
    ezlda_model *init;
    double *alpha;
    seed_list seeds;
    char *scratch; /* the model's folder */
} train_inputs;

/* Checks the options, reads these inputs and sets settings->train accordingly. 0, or an exit status
 * after one line; to be closed in any case. */
int train_inputs_open(train_inputs *inputs, const cli_call *call, train_settings *settings,
                      ezlda_context *context);
void train_inputs_close(train_inputs *inputs);

/* Prints a note if the default alpha outweighs the tokens of a typical document. */
void train_advise_alpha(const train_settings *settings, const ezlda_corpus *corpus);

#endif
