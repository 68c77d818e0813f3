/* ezlda update: adds new documents to a model. */
#include "cli.h"
#include "interrupts.h"
#include "options/train_settings.h"
#include "output/drift_log.h"
#include "output/output_path.h"
#include "output/train_watch.h"
#include "platform.h"

#include <signal.h>
#include <stddef.h>

typedef struct update_settings {
    train_settings run; /* first: the tables of training are for it */
    ezlda_update_options update;
    const char *drift_log;
} update_settings;

#define SETTING(field) .target = offsetof(update_settings, field)

static const cli_option update_options[] = {
    {.name = "decay",
     .type = CLI_POSITIVE,
     .argument = "X",
     SETTING(update.decay),
     .most = 1,
     .help = "keep this share of each count of the past: 0.98 halves it in 34 updates; 1 forgets "
             "nothing"},
    {.name = "new-word-docs",
     .type = CLI_U32,
     .argument = "N",
     SETTING(update.new_word_docs),
     .least = 1,
     .most = UINT32_MAX,
     .help = "add a new word to the vocabulary if it occurs in at least N new documents"},
    {.name = "fit-priors",
     .type = CLI_FLAG,
     SETTING(update.fit_priors),
     .help = "fit alpha to the new documents, and beta to all counts; by default both stay as they "
             "are in the model"},
    {.name = "iterations",
     .letter = 'i',
     .type = CLI_U32,
     .argument = "N",
     SETTING(run.train.iterations),
     .least = 1,
     .most = UINT32_MAX - 1,
     .unset = "100",
     .help = "passes over the new tokens"},
    {.name = "seed",
     .type = CLI_U64,
     .argument = "N",
     SETTING(run.train.seed),
     .most = 1.8446744073709552e19,
     .help = "seed of the random numbers; the same seed gives the same model"},
    {.name = "word-samples",
     .type = CLI_U32,
     .argument = "N",
     SETTING(run.train.word_samples),
     .least = 1,
     .most = UINT32_MAX,
     .help = "average the words of topics over the last N samples, as in train"},
    {0}};

static const cli_option drift_options[] = {
    {.name = "drift-log",
     .type = CLI_TEXT,
     .argument = "FILE",
     SETTING(drift_log),
     .help =
         "write one JSON object per topic: its tokens before, after and in the new documents, the "
         "change of its words (Jensen-Shannon divergence, 0 to 1), and which of its first ten "
         "words came in or fell out"},
    {0}};

static const cli_section update_sections[] = {
    {"Output", train_output_options, 0},
    {"", train_keep_options, 0},
    {"Model", update_options, 0},
    {"Speed (the model does not depend on these)", train_speed_options, 0},
    {train_study_title, train_study_options, 0},
    {"Reports", train_score_options, 0},
    {"", train_report_options, 0},
    {"Drift", drift_options, 0},
    {"Checkpoints", train_checkpoint_options, 0},
    {"Reading raw corpora", cli_import_options, offsetof(train_settings, import)},
    {"General", cli_common_options, 0},
    {0}};

static void update_defaults(void *target)
{
    update_settings *settings = target;
    train_defaults(&settings->run);
    ezlda_update_options_init(&settings->update);
    settings->run.import.stopwords = cli_model_stopwords;
}

static int check_options(const cli_call *call, update_settings *settings)
{
    ezlda_train_options *options = &settings->run.train;
    cli_call documents = *call; /* only --output may name the model, which is read by then */
    documents.operands++;
    documents.n_operands--;
    if (!settings->run.output)
        return cli_misuse(call->command, "-o/--output is required");
    int exit_status = train_check_checkpoint(call, &settings->run);
    if (!exit_status)
        exit_status = train_watch_check(call, &documents, &settings->run);
    if (!exit_status)
        exit_status = output_check(call, "--drift-log", settings->drift_log);
    if (options->iterations == 0)
        options->iterations = EZLDA_UNTIL_SETTLED;
    settings->update.train = options;
    return exit_status;
}

/* Whether MODEL2 is MODEL. */
static bool replaces_model(const cli_call *call, const char *output)
{
    platform_info model, result;
    return platform_look(call->operands[0], &model) == 0 && platform_look(output, &result) == 0 &&
           model.device == result.device && model.number == result.number;
}

/* A part of an update would count documents that the next one counts again. */
static int discard(const cli_call *call)
{
    cli_fail("interrupted: %s is as it was", call->operands[0]);
    return 128 + (interrupts_signal() ? interrupts_signal() : SIGINT);
}

static int run_update(cli_call *call, ezlda_context *context)
{
    update_settings *settings = call->settings;
    train_watch watch = {0};
    ezlda_model *model = NULL, *updated = NULL;
    ezlda_corpus *corpus = NULL;
    int exit_status = check_options(call, settings);
    if (exit_status)
        return exit_status;
    interrupts_begin();
    ezlda_status status = ezlda_context_open_device(context, settings->run.train.device);
    if (status == EZLDA_OK)
        status = ezlda_model_load(&model, context, call->operands[0]);
    if (status == EZLDA_OK)
        status = cli_read_corpus_like(&corpus, context, call, model, &settings->run.import);
    if (status != EZLDA_OK)
        goto done;
    if (!settings->run.common.quiet)
        cli_print_corpus(call->operands[1], corpus);
    fflush(stdout);
    watch.replaces = replaces_model(call, settings->run.output);
    exit_status = train_watch_open(&watch, &settings->run, context, true);
    if (exit_status)
        goto done;
    status = ezlda_update(&updated, context, model, corpus, &settings->update);
    train_watch_end(&watch);
    if (status == EZLDA_OK && watch.replaces && interrupts_asked())
        exit_status = discard(call);
    else if (status == EZLDA_OK)
        exit_status = train_watch_save(&settings->run, updated, corpus, call->operands[1], context);
    if (status == EZLDA_OK && !exit_status && !settings->run.common.quiet &&
        cli_closing() == stdout)
        status = drift_print(context, model, updated);
    if (status == EZLDA_OK && !exit_status && settings->drift_log)
        exit_status = drift_log_write(settings->drift_log, context, model, updated);
done:
    if (status != EZLDA_OK)
        exit_status = train_watch_failure(context, status, true);
    exit_status = train_watch_close(&watch, exit_status);
    ezlda_model_free(updated);
    ezlda_model_free(model);
    ezlda_corpus_free(corpus);
    return exit_status;
}

/* What most people use. */
static const char *const update_first[] = {
    "output",      "report",    "decay",      "new-word-docs", "iterations", "seed",
    "device",      "drift-log", "checkpoint", "resume",        "format",     "text-field",
    "keep-fields", "quiet",     "help",       "help-all",      NULL};

const cli_command cmd_update = {
    .name = "update",
    .operands = "MODEL CORPUS... -o MODEL2",
    .summary = "add new documents to a model",
    .description =
        "Adds new documents to a model, for example those of today. Topics are sampled starting "
        "from the model's counts of words, which stay; no earlier document is read again, so an "
        "update takes time only for the new documents. Topics keep their numbers. Text is read as "
        "the model's text was, and new words enter the vocabulary.\n\n"
        "MODEL2 has the counts of words of the old and the new documents, but topics of documents "
        "only for the new ones: docs and the document lists of topics and reports show these. It "
        "serves all commands, and the next update. MODEL2 may be MODEL, which is replaced once the "
        "update is complete; an interrupted update leaves it as it was.\n\n"
        "The model depends on MODEL, on the new documents and on the options under Model. "
        "Otherwise "
        "signals and checkpoints work as in train.",
    .examples = "ezlda update news.ezm today.jsonl -o news.ezm\n"
                "ezlda update news.ezm today.ezc --decay 0.98 -o news-0412.ezm",
    .sections = update_sections,
    .settings_size = sizeof(update_settings),
    .defaults = update_defaults,
    .run = run_update,
    .first_options = update_first,
    .min_operands = 2,
    .max_operands = (size_t)-1,
    .operand_name = "model and a corpus",
};
