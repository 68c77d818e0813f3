/* ezlda train: a corpus in, a model out. */
#include "cli.h"
#include "interrupts.h"
#include "options/train_settings.h"
#include "output/output_path.h"
#include "output/progress_line.h"
#include "output/save_model.h"
#include "output/train_log.h"
#include "output/train_report.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const cli_part train_parts[] = {
    {"Model", train_output_options, 0},
    {"Training", train_model_options, 0},
    {"Priors", train_prior_options, 0},
    {"Seed words", train_seed_options, 0},
    {"Continuing", train_continue_options, 0},
    {"Speed (the model does not depend on these)", train_speed_options, 0},
    {"Larger than memory", train_memory_options, 0},
    {"Reports", train_report_options, 0},
    {"Checkpoints", train_checkpoint_options, 0},
    {"Reading raw corpora", cli_import_options, offsetof(train_settings, import)},
    {"Filters of words", cli_filter_options, offsetof(train_settings, import)},
    {"General", cli_common_options, 0},
    {0}};

/* ---- training ---- */

typedef struct train_watch {
    progress_line line;
    train_log *log;
} train_watch;

static int after_iteration(const ezlda_progress *progress, void *user)
{
    train_watch *watch = user;
    progress_show(&watch->line, progress);
    train_log_put(watch->log, progress);
    if (interrupts_signal() == SIGTERM || interrupts_signal() == SIGHUP)
        return EZLDA_PROGRESS_LEAVE;
    return interrupts_asked() ? EZLDA_PROGRESS_STOP : EZLDA_PROGRESS_GO_ON;
}

static void note_beside_line(const char *text, void *user)
{
    progress_clear(&((train_watch *)user)->line);
    cli_note(text, NULL);
}

/* --quiet leaves out remarks, but not that checkpoints fail: a training of days would lose them
 * unheard. */
static void note_failure(const char *text, void *user)
{
    static const char *const failures[] = {
        "no checkpoint:", "no checkpoint yet:", "no checkpoint after ", "passed over:"};
    (void)user;
    for (size_t i = 0; i < sizeof failures / sizeof *failures; i++)
        if (strncmp(text, failures[i], strlen(failures[i])) == 0)
            cli_note(text, NULL);
}

static int check_outputs(const cli_call *call, const train_settings *settings)
{
    const char *paths[] = {settings->output, settings->log, settings->summary};
    const char *names[] = {"--output", "--log", "--summary"};
    for (int i = 0; i < 3; i++) {
        int status = output_check(call, names[i], paths[i]);
        if (status)
            return status;
    }
    return 0;
}

static int save_outcome(const train_settings *settings, const ezlda_model *model,
                        ezlda_context *context)
{
    int exit_status = save_model(model, context, settings->output, settings->patience_seconds);
    if (exit_status)
        return exit_status;
    exit_status =
        settings->summary ? report_summary(settings->summary, model, &settings->train) : 0;
    if (!settings->common.quiet && cli_closing() == stdout)
        report_closing(settings->output, model, context);
    return exit_status;
}

static int train_on(train_settings *settings, const ezlda_corpus *corpus, ezlda_context *context,
                    train_log *log)
{
    train_watch watch = {.log = log};
    settings->train.progress = after_iteration;
    settings->train.user = &watch;
    if (ezlda_group_member(settings->train.group) == 0)
        ezlda_context_set_notes(context, settings->common.quiet ? note_failure : note_beside_line,
                                &watch);
    interrupts_catch();
    progress_begin(&watch.line, settings->common.quiet);
    ezlda_model *model = NULL;
    ezlda_status status = ezlda_train(&model, context, corpus, &settings->train);
    progress_clear(&watch.line);
    if (status == EZLDA_ERROR_STOPPED) {
        if (ezlda_group_member(settings->train.group) == 0)
            (void)cli_fail("%s (--resume)", ezlda_error_message(context));
        return 128 + (interrupts_signal() ? interrupts_signal()
                                          : SIGTERM); /* the signal of another rank */
    }
    if (status != EZLDA_OK)
        return cli_fail_library(context, status);
    if (!model) /* another rank has it */
        return 0;
    ezlda_model_info info = {.size = sizeof info};
    ezlda_model_get_info(model, &info);
    if (info.stopped[0] && !settings->common.quiet)
        fprintf(stderr, "%s\n", info.stopped);
    int exit_status = save_outcome(settings, model, context);
    ezlda_model_free(model);
    return exit_status;
}

static int train_logged(train_settings *settings, const ezlda_corpus *corpus,
                        ezlda_context *context)
{
    train_log log;
    int exit_status = train_log_open(&log, settings->log, settings->train.resume);
    if (exit_status)
        return exit_status;
    exit_status = train_on(settings, corpus, context, &log);
    int log_status = train_log_close(&log);
    return exit_status ? exit_status : log_status;
}

static int train_corpus(cli_call *call, train_settings *settings, ezlda_context *context)
{
    ezlda_corpus *corpus = NULL;
    int exit_status;
    ezlda_status status = EZLDA_OK;
    if (!settings->train.out_of_core)
        status = ezlda_context_open_device(context, settings->train.device);
    if (status == EZLDA_OK)
        status = cli_read_corpus(&corpus, context, call, &settings->import);
    if (status == EZLDA_OK) {
        if (!settings->common.quiet)
            cli_print_corpus(call->operands[0], corpus);
        fflush(stdout);
        train_advise_alpha(settings, corpus);
        exit_status = train_logged(settings, corpus, context);
    } else {
        exit_status = cli_fail_library(context, status);
    }
    ezlda_corpus_free(corpus);
    return exit_status;
}

static int run_rank(cli_call *call, ezlda_context *context)
{
    train_settings *settings = call->settings;
    train_inputs inputs;
    int exit_status =
        ezlda_group_member(settings->train.group) > 0 ? 0 : check_outputs(call, settings);
    if (exit_status)
        return exit_status;
    exit_status = train_inputs_open(&inputs, call, settings, context);
    if (!exit_status)
        exit_status = train_corpus(call, settings, context);
    train_inputs_close(&inputs);
    return exit_status;
}

/* Of an MPI job, rank 0 speaks and writes; a rank that fails ends the job. */
static int run_train(cli_call *call, ezlda_context *context)
{
    train_settings *settings = call->settings;
    ezlda_group *group;
    ezlda_status status = ezlda_group_open(&group, context, NULL);
    if (status != EZLDA_OK)
        return cli_fail_library(context, status);
    interrupts_begin(); /* libraries that MPI brings along take signals for themselves */
    settings->train.group = group;
    cli_name_rank(ezlda_group_member(group), ezlda_group_members(group));
    if (ezlda_group_member(group) > 0) {
        settings->common.quiet = 1;
        settings->log = settings->summary = NULL;
        ezlda_context_set_notes(context, NULL, NULL);
    } else if (group && !settings->common.quiet) {
        fprintf(stderr, "%d ranks, %s\n", ezlda_group_members(group), ezlda_group_library(group));
    }
    int exit_status = run_rank(call, context);
    if (exit_status == CLI_FAILURE || exit_status == CLI_USAGE)
        ezlda_group_fail(group);
    ezlda_group_close(group);
    return exit_status;
}

const cli_command cmd_train = {
    .name = "train",
    .operands = "CORPUS... -k K -o MODEL",
    .summary = "train a model",
    .description =
        "Trains a topic model on a corpus: a corpus file made by import, or any input that import "
        "reads, with the same options. The model depends on the corpus and on the options under "
        "Model; device, threads and sampler change only the time it takes.\n\n"
        "On a terminal a line shows the progress; elsewhere a line is printed for each score, or "
        "every ten seconds. An interrupt (Ctrl-C, SIGTERM, or SIGHUP of a terminal that was "
        "closed) ends the training after the current iteration, and the model so far is written "
        "with exit status 0; a second Ctrl-C or SIGTERM ends the program at once. With "
        "--checkpoint, SIGTERM and SIGHUP write a checkpoint and no model, and the exit status is "
        "143 or 129. What nohup started does not heed SIGHUP.",
    .examples = "ezlda train kos.ezc -k 100 -o kos.ezm\n"
                "ezlda train docword.kos.txt.gz -k 100 -i 500 --alpha 0.1 --seed 7 -o kos.ezm\n"
                "ezlda train news.ezc -k 200 -i 2000 --until-converged 0.005 --optimize-interval "
                "10 -o news.ezm\n"
                "ezlda train news-grown.ezc --init news.ezm -i 50 -o news2.ezm\n"
                "ezlda train big.ezc -k 5000 --eval-every 0 --quiet --summary run.json -o big.ezm",
    .parts = train_parts,
    .settings_size = sizeof(train_settings),
    .defaults = train_defaults,
    .run = run_train,
    .min_operands = 1,
    .max_operands = (size_t)-1,
    .operand_name = "corpus",
};
