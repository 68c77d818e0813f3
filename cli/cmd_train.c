/* ezlda train: a corpus in, a model out. */
#include "alpha_option.h"
#include "cli.h"
#include "output_path.h"
#include "progress_line.h"
#include "train_report.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct train_settings {
    cli_common common;
    ezlda_import_options import;
    ezlda_train_options train;
    const char *output, *alpha, *log, *summary;
} train_settings;

const char *const train_estimators[] = {"leave-one-out", "esca", NULL};
const char *const train_samplers[] = {"many-branch", "three-branch", "two-branch", NULL};
const char *const train_w_formats[] = {"hybrid", "dense", "sparse", NULL};
static const char *const train_records[] = {"packed", "loose", NULL};
const char *const train_balances[] = {"split", "dynamic", "none", NULL};
const char *const train_starts[] = {"keyword", "random", NULL};
static const char *const devices[] = {"auto", "cuda", "cuda:N", "cpu", "reference", NULL};

#define SETTING(field) .target = offsetof(train_settings, field)

static const cli_option model_options[] = {
    {.name = "topics",
     .letter = 'k',
     .type = CLI_U32,
     .argument = "K",
     SETTING(train.topics),
     .least = 2,
     .most = 65536,
     .required = true,
     .help = "number of topics, 2 to 65536"},
    {.name = "output",
     .letter = 'o',
     .type = CLI_TEXT,
     .argument = "MODEL",
     SETTING(output),
     .required = true,
     .help = "model file to write (.ezm)"},
    {.name = "iterations",
     .letter = 'i',
     .type = CLI_U32,
     .argument = "N",
     SETTING(train.iterations),
     .least = 1,
     .most = UINT32_MAX,
     .help = "passes over all tokens"},
    {.name = "seed",
     .type = CLI_U64,
     .argument = "N",
     SETTING(train.seed),
     .most = 1.8446744073709552e19,
     .help = "the same seed gives the same model"},
    {.name = "alpha",
     .type = CLI_TEXT,
     .argument = "A|sum:S|FILE",
     SETTING(alpha),
     .unset = "sum:50",
     .help = "prior of documents' topics: a number for each topic, sum:S for S/K each, or a file with K numbers"},
    {.name = "beta", .type = CLI_POSITIVE, .argument = "B", SETTING(train.beta), .help = "prior of topics' words"},
    {.name = "estimator",
     .type = CLI_CHOICE,
     .argument = "NAME",
     SETTING(train.estimator),
     .choices = train_estimators,
     .help = "leave-one-out takes a token's own topic out of its document's counts (better held-out scores), esca is "
             "the ezLDA paper's"},
    {.name = "start",
     .type = CLI_CHOICE,
     .argument = "NAME",
     SETTING(train.start),
     .choices = train_starts,
     .help = "where tokens begin: each document in the topics of the words it is best known by, or at random as in the "
             "paper"},
    {.name = "keep-topics",
     .type = CLI_FLAG,
     SETTING(train.keep_topics),
     .help = "keep the topic of every token in the model, 2 bytes a token"},
    {0}};

static const cli_option speed_options[] = {
    {.name = "device",
     .type = CLI_NAME,
     .argument = "NAME",
     SETTING(train.device),
     .choices = devices,
     .help = "where to train ('ezlda devices' lists what there is); auto takes a GPU that can be used, else the CPU; "
             "reference is slow and simple, the meaning of the program"},
    {.name = "sampler",
     .type = CLI_CHOICE,
     .argument = "NAME",
     SETTING(train.sampler),
     .choices = train_samplers,
     .help = "how much is decided early: the top topics by interval, the paper's skip, or nothing"},
    {.name = "g",
     .letter = 'g',
     .type = CLI_INT,
     .argument = "N",
     SETTING(train.g),
     .least = 1,
     .most = 8,
     .unset = "chosen by measurement",
     .help = "top topics looked up to decide a token early, 1 to 8"},
    {.name = "w-format",
     .type = CLI_CHOICE,
     .argument = "NAME",
     SETTING(train.w_format),
     .choices = train_w_formats,
     .help = "how the counts of words by topics are kept: hybrid keeps a row of K counts for words of more than K "
             "tokens and only what is not zero for the others"},
    {.name = "balance",
     .type = CLI_CHOICE,
     .argument = "NAME",
     SETTING(train.balance),
     .choices = train_balances,
     .help = "how a GPU's blocks share the words: split takes them as blocks get free and cuts frequent words into "
             "regions, dynamic does not cut, none deals them out beforehand"},
    {.name = "region",
     .type = CLI_U32,
     .argument = "N",
     SETTING(train.region),
     .least = 32,
     .most = UINT32_MAX,
     .unset = "10000",
     .help = "tokens of a region, with --balance split"},
    {.name = "records",
     .type = CLI_CHOICE,
     .argument = "NAME",
     SETTING(train.loose_records),
     .choices = train_records,
     .help =
         "how a GPU keeps what early decisions need of a word: packed into one line of cache, or loose, each number "
         "apart (slower; for study)"},
    {.name = "device-memory",
     .type = CLI_BYTES,
     .argument = "SIZE",
     SETTING(train.device_memory),
     .unset = "what is free",
     .help = "device memory that may be taken, as 500M or 6.2G; a corpus that needs more passes through the device in "
             "chunks"},
    {0}};

static const cli_option report_options[] = {
    {.name = "eval-every",
     .type = CLI_U32,
     .argument = "N",
     SETTING(train.eval_every),
     .most = UINT32_MAX,
     .help = "score (LLPT, log-likelihood per token) every N iterations and at the end; 0: at the end only. A score "
             "costs about an iteration"},
    {.name = "log",
     .type = CLI_TEXT,
     .argument = "FILE",
     SETTING(log),
     .help = "write a JSON object a line for each iteration"},
    {.name = "summary",
     .type = CLI_TEXT,
     .argument = "FILE",
     SETTING(summary),
     .help = "write one JSON object on the whole training"},
    {0}};

static const cli_part train_parts[] = {
    {"Model", model_options, 0},        {"Speed (the model does not depend on these)", speed_options, 0},
    {"Reports", report_options, 0},     {"Reading raw corpora", cli_import_options, offsetof(train_settings, import)},
    {"General", cli_common_options, 0}, {0}};

static void train_defaults(void *target)
{
    train_settings *settings = target;
    ezlda_import_options_init(&settings->import);
    ezlda_train_options_init(&settings->train);
}

/* ---- stopping ---------------------------------------------------------------------------------------------------- */

static volatile sig_atomic_t stop_asked;

static void ask_stop(int signal_number)
{
    (void)signal_number;
    stop_asked = 1;
}

/* The first interrupt ends the training after its iteration, the second ends the program (the handler is gone then).
 * An interrupt that the caller has switched off (nohup) stays off. */
static void catch_interrupts(void)
{
    static const int signals[] = {SIGINT, SIGTERM};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct sigaction action = {.sa_handler = ask_stop, .sa_flags = (int)(SA_RESETHAND | SA_RESTART)}, before;
        sigemptyset(&action.sa_mask);
        if (sigaction(signals[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(signals[i], &action, NULL);
    }
}

/* ---- training ---------------------------------------------------------------------------------------------------- */

typedef struct train_watch {
    progress_line line;
    FILE *log;
} train_watch;

static int after_iteration(const ezlda_progress *progress, void *user)
{
    train_watch *watch = user;
    progress_show(&watch->line, progress);
    if (watch->log)
        report_log(watch->log, progress);
    return stop_asked;
}

static void note_beside_line(const char *text, void *user)
{
    progress_clear(&((train_watch *)user)->line);
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
        for (int j = 0; j < i; j++)
            if (paths[i] && paths[j] && strcmp(paths[i], paths[j]) == 0 && strncmp(paths[i], "/dev/", 5) != 0)
                return cli_misuse(call->command, "%s and %s name the same file '%s'", names[j], names[i], paths[i]);
    }
    return 0;
}

/* The model is safe by now: a log that could not be written (a full disk) fails the command, not the training. */
static int close_log(FILE *log, const char *path)
{
    bool failed = ferror(log) != 0;
    if (fclose(log) != 0 || failed)
        return cli_fail("%s: cannot write --log: %s", path, errno ? strerror(errno) : "an earlier write failed");
    return 0;
}

static int save_model(const train_settings *settings, const ezlda_model *model, ezlda_context *context)
{
    ezlda_status status = ezlda_model_save(model, context, settings->output);
    if (status != EZLDA_OK)
        return cli_fail_library(context, status);
    int exit_status = settings->summary ? report_summary(settings->summary, model, &settings->train) : 0;
    if (!settings->common.quiet)
        report_closing(settings->output, model, context);
    return exit_status;
}

static int train_on(train_settings *settings, const ezlda_corpus *corpus, ezlda_context *context, FILE *log)
{
    train_watch watch = {.log = log};
    settings->train.progress = after_iteration;
    settings->train.user = &watch;
    if (!settings->common.quiet)
        ezlda_context_set_notes(context, note_beside_line, &watch);
    catch_interrupts();
    progress_begin(&watch.line, settings->common.quiet);
    ezlda_model *model = NULL;
    ezlda_status status = ezlda_train(&model, context, corpus, &settings->train);
    progress_clear(&watch.line);
    if (status != EZLDA_OK)
        return cli_fail_library(context, status);
    ezlda_model_info info = {.size = sizeof info};
    ezlda_model_get_info(model, &info);
    if (stop_asked && info.iterations < settings->train.iterations && !settings->common.quiet)
        fprintf(stderr, "stopped after iteration %u of %u\n", info.iterations, settings->train.iterations);
    int exit_status = save_model(settings, model, context);
    ezlda_model_free(model);
    return exit_status;
}

static int train_logged(train_settings *settings, const ezlda_corpus *corpus, ezlda_context *context)
{
    if (!settings->log)
        return train_on(settings, corpus, context, NULL);
    FILE *log = fopen(settings->log, "w");
    if (!log)
        return cli_fail_errno(settings->log, "write --log");
    int exit_status = train_on(settings, corpus, context, log);
    int log_status = close_log(log, settings->log);
    return exit_status ? exit_status : log_status;
}

static int run_train(cli_call *call, ezlda_context *context)
{
    train_settings *settings = call->settings;
    double *alpha_vector = NULL;
    int exit_status = check_outputs(call, settings);
    if (!exit_status)
        exit_status =
            alpha_option(call, settings->alpha, settings->train.topics, &settings->train.alpha, &alpha_vector);
    if (exit_status)
        return exit_status;
    settings->train.alpha_vector = alpha_vector;
    ezlda_corpus *corpus = NULL;
    ezlda_status status = cli_read_corpus(&corpus, context, call, &settings->import);
    if (status == EZLDA_OK) {
        if (!settings->common.quiet)
            cli_print_corpus(call->operands[0], corpus);
        fflush(stdout);
        exit_status = train_logged(settings, corpus, context);
    } else {
        exit_status = cli_fail_library(context, status);
    }
    ezlda_corpus_free(corpus);
    free(alpha_vector);
    return exit_status;
}

const cli_command cmd_train = {
    .name = "train",
    .operands = "CORPUS... -k K -o MODEL",
    .summary = "train a model",
    .description =
        "Trains a topic model on a corpus: a corpus file made by import, or any input that import reads, with the same "
        "options. The model depends on the corpus and on the options under Model; device, threads "
        "and sampler change only the time it takes.\n\n"
        "On a terminal a line shows the progress; elsewhere a line is printed for each score, or every ten seconds. An "
        "interrupt (Ctrl-C, or SIGTERM) ends the training after the current iteration, and the model so far is written "
        "with exit status 0; a second one ends the program at once.",
    .examples = "ezlda train kos.ezc -k 100 -o kos.ezm\n"
                "ezlda train docword.kos.txt.gz -k 100 -i 500 --alpha 0.1 --seed 7 -o kos.ezm\n"
                "ezlda train big.ezc -k 5000 --eval-every 0 --quiet --summary run.json -o big.ezm",
    .parts = train_parts,
    .settings_size = sizeof(train_settings),
    .defaults = train_defaults,
    .run = run_train,
    .min_operands = 1,
    .max_operands = (size_t)-1,
    .operand_name = "corpus",
};
