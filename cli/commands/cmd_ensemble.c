/* ezlda ensemble: trains models with several seeds and makes their consensus. */
#include "cli.h"
#include "interrupts.h"
#include "options/alpha_option.h"
#include "options/list_options.h"
#include "options/train_settings.h"
#include "output/ensemble_report.h"
#include "output/output_path.h"
#include "output/progress_line.h"
#include "output/save_model.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct ensemble_settings {
    train_settings train; /* first, for the option tables of training */
    const char *members;
    uint32_t seeds;
    double threshold;
    list_settings list;
} ensemble_settings;

#define SETTING(field) .target = offsetof(ensemble_settings, field)

static const cli_option ensemble_options[] = {
    {.name = "topics",
     .letter = 'k',
     .type = CLI_U32,
     .argument = "K",
     SETTING(train.train.topics),
     .least = 2,
     .most = 65536,
     .required = true,
     .help = "number of topics, 2 to 65536"},
    {.name = "output",
     .letter = 'o',
     .type = CLI_TEXT,
     .argument = "MODEL",
     SETTING(train.output),
     .required = true,
     .help = "model file of the consensus"},
    {.name = "seeds",
     .type = CLI_U32,
     .argument = "N",
     SETTING(seeds),
     .least = 2,
     .most = 1000,
     .help = "models to train, with N seeds from --seed on"},
    {.name = "members",
     .type = CLI_TEXT,
     .argument = "FOLDER",
     SETTING(members),
     .help = "keep these models in a folder, as seed1.ezm and so on; the same command finds them "
             "again, also after an interrupt, and --seeds may grow"},
    {.name = "threshold",
     .type = CLI_REAL,
     .argument = "S",
     SETTING(threshold),
     .most = 1,
     .help = "a model has a topic of the consensus if its own is at least this similar to that of "
             "the other models"},
    {0}};

static const cli_section ensemble_sections[] = {
    {"Ensemble", ensemble_options, 0},
    {"", list_options, offsetof(ensemble_settings, list)},
    {"Models", train_model_options, 0},
    {"", train_prior_options, 0},
    {"", train_score_options, 0},
    {"Speed (the models do not depend on these)", train_speed_options, 0},
    {train_study_title, train_study_options, 0},
    {"Reading raw corpora", cli_import_options,
     offsetof(ensemble_settings, train) + offsetof(train_settings, import)},
    {"Word filters", cli_filter_options,
     offsetof(ensemble_settings, train) + offsetof(train_settings, import)},
    {"General", cli_common_options, 0},
    {0}};

static void ensemble_defaults(void *target)
{
    ensemble_settings *settings = target;
    ezlda_ensemble_options options;
    ezlda_ensemble_options_init(&options);
    train_defaults(&settings->train);
    settings->seeds = options.seeds;
    settings->threshold = options.threshold;
}

/* ---- progress ---- */

typedef struct ensemble_watch {
    progress_line line;
    char label[64];
    size_t number; /* the member that the line shows */
} ensemble_watch;

static int show_progress(const ezlda_ensemble_progress *progress, void *user)
{
    ensemble_watch *watch = user;
    if (watch->number != progress->number) {
        watch->number = progress->number;
        snprintf(watch->label, sizeof watch->label, "%zu of %zu: seed %" PRIu64, progress->number,
                 progress->members, progress->seed);
        progress_begin(&watch->line, watch->line.quiet);
        watch->line.label = watch->label;
    }
    if (progress->training) {
        progress_show(&watch->line, progress->training);
        return interrupts_asked();
    }
    progress_clear(&watch->line);
    if (!watch->line.quiet)
        fprintf(stderr, "%s: %s\n", watch->label, progress->found ? "trained before" : "done");
    return interrupts_asked();
}

/* ---- running ---- */

static int write_consensus(const ensemble_settings *settings, ezlda_context *context,
                           const ezlda_model *model)
{
    int exit_status =
        save_model(model, context, settings->train.output, settings->train.patience_seconds);
    if (exit_status)
        return exit_status;
    ezlda_status status = EZLDA_OK;
    if (settings->list.json)
        status = ensemble_json(model, context);
    else if (settings->list.tsv || !settings->train.common.quiet)
        status = ensemble_table(settings->train.output, model, context, settings->list.tsv);
    return status == EZLDA_OK ? 0 : cli_fail_library(context, status);
}

static int run_members(const cli_call *call, ezlda_context *context, const ezlda_corpus *corpus)
{
    ensemble_settings *settings = call->settings;
    const cli_common *common = &settings->train.common;
    ezlda_ensemble_options options;
    ezlda_model *model = NULL;
    ensemble_watch watch = {
        .line = {.quiet = common->quiet,
                 .may_end_early = settings->train.train.iterations == EZLDA_UNTIL_SETTLED}};
    ezlda_ensemble_options_init(&options);
    options.seeds = settings->seeds;
    options.threshold = settings->threshold;
    options.train = &settings->train.train;
    options.folder = settings->members;
    options.progress = show_progress;
    options.user = &watch; /* cppcheck-suppress autoVariables; the options end with the call */
    interrupts_catch();
    ezlda_status status = ezlda_ensemble(&model, context, corpus, &options);
    progress_clear(&watch.line);
    int exit_status = status == EZLDA_OK ? write_consensus(settings, context, model)
                                         : cli_fail_library(context, status);
    ezlda_model_free(model);
    return exit_status;
}

static int run_ensemble(cli_call *call, ezlda_context *context)
{
    ensemble_settings *settings = call->settings;
    ezlda_corpus *corpus = NULL;
    double *alpha = NULL;
    int exit_status = list_check(call, &settings->list);
    if (!exit_status)
        exit_status = output_check(call, "--output", settings->train.output);
    settings->train.train.converged_gain = settings->train.converged;
    if (!exit_status)
        exit_status = train_finish_options(call, &settings->train);
    if (!exit_status)
        exit_status = alpha_option(call, settings->train.alpha, settings->train.train.topics,
                                   &settings->train.train.alpha, &alpha);
    if (exit_status)
        return exit_status;
    settings->train.train.alpha_vector = alpha;
    ezlda_status status = ezlda_context_open_device(context, settings->train.train.device);
    if (status == EZLDA_OK)
        status = cli_read_corpus(&corpus, context, call, &settings->train.import);
    exit_status =
        status == EZLDA_OK ? run_members(call, context, corpus) : cli_fail_library(context, status);
    ezlda_corpus_free(corpus);
    free(alpha);
    return exit_status;
}

/* What most people use. */
static const char *const ensemble_first[] = {
    "topics",  "output",     "seeds", "members",  "threshold",  "tsv",
    "json",    "iterations", "seed",  "device",   "text-field", "stopwords",
    "threads", "quiet",      "help",  "help-all", NULL};

const cli_command cmd_ensemble = {
    .name = "ensemble",
    .operands = "CORPUS... -k K -o MODEL",
    .summary = "train with several seeds, and keep what they agree on",
    .description =
        "Trains a model with each of several seeds, matches their topics one to one, and writes "
        "their consensus as a model: the words of its topics are the sums over all models, and "
        "each token has the topic that most models give it. For each topic it prints in how many "
        "of the models it was found. A topic that few models have owes much to chance; topics and "
        "report show these numbers too.",
    .examples = "ezlda ensemble news.ezc -k 50 --seeds 20 -o news.ezm\n"
                "ezlda ensemble news.ezc -k 50 --seeds 20 --members news-seeds -o news.ezm",
    .sections = ensemble_sections,
    .settings_size = sizeof(ensemble_settings),
    .defaults = ensemble_defaults,
    .run = run_ensemble,
    .min_operands = 1,
    .max_operands = (size_t)-1,
    .operand_name = "corpus",
    .first_options = ensemble_first,
};
