#include "options/train_settings.h"

#include "options/alpha_option.h"
#include "output/output_path.h"
#include "output/train_report.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const train_estimators[] = {"leave-one-out", "esca", NULL};
const char *const train_samplers[] = {"many-branch", "three-branch", "two-branch", NULL};
const char *const train_w_formats[] = {"hybrid", "dense", "sparse", NULL};
static const char *const train_records[] = {"packed", "loose", NULL};
const char *const train_balances[] = {"split", "dynamic", "none", NULL};
const char *const train_starts[] = {"keyword", "random", NULL};

#define SETTING(field) .target = offsetof(train_settings, field)

const cli_option train_output_options[] = {{.name = "topics",
                                            .letter = 'k',
                                            .type = CLI_U32,
                                            .argument = "K",
                                            SETTING(train.topics),
                                            .least = 2,
                                            .most = 65536,
                                            .unset = "required, but with --init",
                                            .help = "number of topics, 2 to 65536"},
                                           {.name = "output",
                                            .letter = 'o',
                                            .type = CLI_TEXT,
                                            .argument = "MODEL",
                                            SETTING(output),
                                            .required = true,
                                            .help = "model file to write (.ezm)"},
                                           {0}};

const cli_option train_model_options[] = {
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
     .help = "prior of documents' topics: a number for each topic, sum:S for S/K each, or a file "
             "with K numbers; 0.000001 to 100 each"},
    {.name = "beta",
     .type = CLI_POSITIVE,
     .argument = "B",
     SETTING(train.beta),
     .unset = "0.01",
     .help = "prior of topics' words, 0.000001 to 100"},
    {.name = "estimator",
     .type = CLI_CHOICE,
     .argument = "NAME",
     SETTING(train.estimator),
     .choices = train_estimators,
     .help = "leave-one-out takes a token's own topic out of its document's counts (better "
             "held-out scores), esca is the ezLDA paper's"},
    {.name = "start",
     .type = CLI_CHOICE,
     .argument = "NAME",
     SETTING(train.start),
     .choices = train_starts,
     .help = "where tokens begin: each document in the topics of the words it is best known by, or "
             "at random as in the paper"},
    {.name = "until-converged",
     .type = CLI_POSITIVE,
     .argument = "GAIN",
     SETTING(converged),
     .unset = "all iterations",
     .help = "stop before --iterations where further ones promise less LLPT than this (0.005 is a "
             "good value) and the share of tokens that move has settled; judged at every score "
             "(--eval-every)"},
    {0}};

const cli_option train_prior_options[] = {
    {.name = "optimize-interval",
     .type = CLI_U32,
     .argument = "N",
     SETTING(train.optimize_interval),
     .most = UINT32_MAX,
     .help = "fit alpha of each topic, and beta, every N iterations; 0: priors stay as they are"},
    {.name = "optimize-burn-in",
     .type = CLI_U32,
     .argument = "N",
     SETTING(train.optimize_burn_in),
     .most = UINT32_MAX,
     .help = "... but not in the first N iterations"},
    {.name = "symmetric-alpha",
     .type = CLI_FLAG,
     SETTING(train.symmetric_alpha),
     .help = "fitted alpha is the same for all topics"},
    {0}};

const cli_option train_seed_options[] = {
    {.name = "seeds",
     .type = CLI_TEXT,
     .argument = "FILE",
     SETTING(seeds),
     .help = "words that topics start with and lean to: a line for each topic from 0 on (an empty "
             "one: no words), or lines '7: words' for topic 7; words parted by blanks or commas, "
             "phrases in quotes, # begins a remark"},
    {.name = "seed-weight",
     .type = CLI_POSITIVE,
     .argument = "W",
     SETTING(train.seed_weight),
     .help = "how much topics lean to their seeds: as if W times a word's tokens more were in the "
             "topic"},
    {0}};

const cli_option train_continue_options[] = {
    {.name = "init",
     .type = CLI_TEXT,
     .argument = "MODEL",
     SETTING(init),
     .help =
         "continue from this model: with its own corpus, where it was trained with --keep-topics, "
         "as if it had not stopped; with another or a grown one, from its topics, new words and "
         "documents included. -k is the model's, and so are alpha and beta unless given"},
    {.name = "keep-topics",
     .type = CLI_FLAG,
     SETTING(train.keep_topics),
     .help = "keep the topic of every token in the model, 2 bytes a token"},
    {0}};

const cli_option train_speed_options[] = {
    {.name = "device",
     .type = CLI_NAME,
     .argument = "NAME",
     SETTING(train.device),
     .choices = cli_devices,
     .help = "where to train ('ezlda devices' lists what there is); auto takes a GPU that can be "
             "used, else the CPU; reference is slow and simple, the meaning of the program"},
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
     .help = "how the counts of words by topics are kept: hybrid keeps a row of K counts for words "
             "of more than K tokens and only what is not zero for the others"},
    {.name = "balance",
     .type = CLI_CHOICE,
     .argument = "NAME",
     SETTING(train.balance),
     .choices = train_balances,
     .help = "how a GPU's blocks share the words: split takes them as blocks get free and cuts "
             "frequent words into regions, dynamic does not cut, none deals them out beforehand"},
    {.name = "region",
     .type = CLI_U32,
     .argument = "N",
     SETTING(train.region),
     .least = 32,
     .most = UINT32_MAX,
     .unset = "10000, less where a GPU has few tokens",
     .help = "tokens of a region, with --balance split"},
    {.name = "records",
     .type = CLI_CHOICE,
     .argument = "NAME",
     SETTING(train.loose_records),
     .choices = train_records,
     .help = "how a GPU keeps what early decisions need of a word: packed into one line of cache, "
             "or loose, each number apart (slower; for study)"},
    {.name = "device-memory",
     .type = CLI_BYTES,
     .argument = "SIZE",
     SETTING(train.device_memory),
     .unset = "what is free",
     .help = "device memory that may be taken, as 500M or 6.2G; a corpus that needs more passes "
             "through the device in chunks"},
    {0}};

const cli_option train_report_options[] = {
    {.name = "eval-every",
     .type = CLI_U32,
     .argument = "N",
     SETTING(train.eval_every),
     .most = UINT32_MAX,
     .help = "score (LLPT, log-likelihood per token) every N iterations and at the end; 0: at the "
             "end only. A score costs about an iteration"},
    {.name = "log",
     .type = CLI_TEXT,
     .argument = "FILE",
     SETTING(log),
     .help =
         "write a JSON object a line for each iteration; with --resume after those that are there"},
    {.name = "summary",
     .type = CLI_TEXT,
     .argument = "FILE",
     SETTING(summary),
     .help = "write one JSON object on the whole training"},
    {0}};

const cli_option train_checkpoint_options[] = {
    {.name = "checkpoint",
     .type = CLI_TEXT,
     .argument = "FOLDER",
     SETTING(train.checkpoint),
     .help = "write checkpoints into this folder while training goes on; the last two are kept; "
             "one training at a time"},
    {.name = "every",
     .type = CLI_TEXT,
     .argument = "TIME|Nit",
     SETTING(every),
     .unset = "10m",
     .help = "how often: seconds, minutes or hours (30s, 10m, 2h), or iterations (50it)"},
    {.name = "resume",
     .type = CLI_FLAG,
     SETTING(train.resume),
     .help = "go on from the newest whole checkpoint of the folder, or from the start where there "
             "is none; the result is that of a training that was not interrupted, on any device "
             "and with any number of threads"},
    {.name = "patience",
     .type = CLI_TEXT,
     .argument = "TIME",
     SETTING(patience),
     .unset = "as long as it takes",
     .help = "how long to go on trying where the finished model cannot be written: the disk is "
             "full, the folder is gone; 0s: once"},
    {0}};

const cli_option train_memory_options[] = {
    {.name = "out-of-core",
     .type = CLI_FLAG,
     SETTING(train.out_of_core),
     .help =
         "train a corpus that is larger than memory, on the CPU: documents are read from the "
         "corpus file in parts, and the topics of the tokens lie in a scratch file, 2 bytes a "
         "token; the model is the same to the last bit. The corpus is to be a file made by import"},
    {.name = "memory",
     .type = CLI_BYTES,
     .argument = "SIZE",
     SETTING(train.memory),
     .unset = "half of what is free",
     .help = "with --out-of-core: memory that may be taken, as 500M or 6.2G; parts are as many as "
             "that needs"},
    {.name = "scratch",
     .type = CLI_TEXT,
     .argument = "FOLDER",
     SETTING(train.scratch),
     .unset = "the model's folder",
     .help = "with --out-of-core: where the scratch files are; they have no name, and go with the "
             "program"},
    {0}};

/* 30s, 10m, 2h; other units are left in *unit. */
static bool parse_time(const char *text, double *value, const char **unit)
{
    static const struct {
        const char *name;
        double seconds;
    } units[] = {{"s", 1}, {"m", 60}, {"h", 3600}};
    char *end;
    *value = strtod(text, &end);
    *unit = end;
    if (end == text || !(*value >= 0) || *value > 1e9)
        return false;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(end, units[i].name) == 0) {
            *value *= units[i].seconds;
            *unit = NULL;
        }
    return true;
}

/* TIME|Nit */
static bool parse_every(const char *text, double *seconds, uint32_t *iterations)
{
    double value;
    const char *unit;
    if (!parse_time(text, &value, &unit) || value == 0)
        return false;
    if (!unit) {
        *seconds = value;
        return true;
    }
    *iterations = (uint32_t)value;
    return strcmp(unit, "it") == 0 && value == (double)*iterations;
}

static int check_patience(const cli_call *call, train_settings *settings)
{
    const char *unit;
    settings->patience_seconds = INFINITY;
    if (!settings->patience ||
        (parse_time(settings->patience, &settings->patience_seconds, &unit) && !unit))
        return 0;
    return cli_misuse(call->command, "--patience: expected a time (0s, 10m, 2h), found '%s'",
                      settings->patience);
}

static int check_checkpoint(const cli_call *call, train_settings *settings)
{
    ezlda_train_options *options = &settings->train;
    if (!options->checkpoint && (settings->every || options->resume))
        return cli_misuse(call->command, "%s needs --checkpoint FOLDER",
                          options->resume ? "--resume" : "--every");
    if (settings->every && !parse_every(settings->every, &options->checkpoint_seconds,
                                        &options->checkpoint_iterations))
        return cli_misuse(
            call->command,
            "--every: expected a time (30s, 10m, 2h) or iterations (50it), found '%s'",
            settings->every);
    return 0;
}

static int check_memory(const cli_call *call, train_settings *settings, char **scratch)
{
    ezlda_train_options *options = &settings->train;
    if (!options->out_of_core && (options->memory || options->scratch))
        return cli_misuse(call->command, "%s goes with --out-of-core",
                          options->memory ? "--memory" : "--scratch");
    if (!options->out_of_core || options->scratch || !settings->output ||
        output_is_straight(settings->output))
        return 0;
    const char *slash = strrchr(settings->output, '/');
    size_t length = slash ? (size_t)(slash - settings->output) : 0;
    *scratch = strdup(slash ? settings->output : ".");
    if (!*scratch)
        return cli_fail("not enough memory");
    if (slash)
        (*scratch)[length > 0 ? length : 1] = 0;
    options->scratch = *scratch;
    return 0;
}

void train_defaults(void *target)
{
    train_settings *settings = target;
    ezlda_import_options_init(&settings->import);
    ezlda_train_options_init(&settings->train);
    settings->train.topics = 0;
}

/* The model to continue from; it knows how many topics there are. */
static int open_init(const cli_call *call, train_settings *settings, ezlda_context *context,
                     ezlda_model **model)
{
    if (!settings->init)
        return settings->train.topics ? 0 : cli_misuse(call->command, "-k/--topics K is required");
    ezlda_status status = ezlda_model_load(model, context, settings->init);
    if (status != EZLDA_OK)
        return cli_fail_library(context, status);
    ezlda_model_info info = {.size = sizeof info};
    ezlda_model_get_info(*model, &info);
    if (settings->train.topics && settings->train.topics != info.topics)
        return cli_misuse(call->command, "--topics is %u, and the model '%s' has %u",
                          settings->train.topics, settings->init, info.topics);
    settings->train.topics = info.topics;
    settings->train.init = *model;
    settings->import.like = ezlda_model_reading_rules(*model);
    cli_given_rules(call, &settings->import);
    return 0;
}

/* Options that say how another one works. */
static int check_beside(const cli_call *call, const train_settings *settings)
{
    if (settings->train.symmetric_alpha && !settings->train.optimize_interval)
        return cli_misuse(call->command, "--symmetric-alpha needs --optimize-interval N");
    if (cli_given(call, "optimize-burn-in") && !settings->train.optimize_interval)
        return cli_misuse(call->command, "--optimize-burn-in needs --optimize-interval N");
    if (cli_given(call, "seed-weight") && !settings->seeds)
        return cli_misuse(call->command, "--seed-weight needs --seeds FILE");
    return 0;
}

int train_inputs_open(train_inputs *inputs, const cli_call *call, train_settings *settings,
                      ezlda_context *context)
{
    ezlda_train_options *options = &settings->train;
    *inputs = (train_inputs){0};
    int exit_status = check_beside(call, settings);
    if (!exit_status)
        exit_status = check_checkpoint(call, settings);
    if (!exit_status)
        exit_status = check_patience(call, settings);
    if (!exit_status)
        exit_status = check_memory(call, settings, &inputs->scratch);
    if (!exit_status)
        exit_status = open_init(call, settings, context, &inputs->init);
    if (!exit_status)
        exit_status =
            alpha_option(call, settings->alpha, options->topics, &options->alpha, &inputs->alpha);
    if (!exit_status)
        exit_status = seeds_option(settings->seeds, options->topics, &inputs->seeds);
    options->alpha_vector = inputs->alpha;
    options->seeds = inputs->seeds.seed;
    options->n_seeds = inputs->seeds.n;
    options->converged_gain = settings->converged;
    return exit_status;
}

void train_inputs_close(train_inputs *inputs)
{
    seeds_free(&inputs->seeds);
    free(inputs->alpha);
    free(inputs->scratch);
    ezlda_model_free(inputs->init);
}

void train_advise_alpha(const train_settings *settings, const ezlda_corpus *corpus)
{
    enum { DEFAULT_SUM = 50 };
    ezlda_corpus_info info = {.size = sizeof info};
    ezlda_corpus_get_info(corpus, &info);
    double length = info.docs > info.empty_docs
                        ? (double)info.tokens / (double)(info.docs - info.empty_docs)
                        : 0;
    bool chosen = settings->alpha || settings->init || settings->train.optimize_interval;
    char text[192];
    if (settings->common.quiet || chosen || length == 0 || length >= DEFAULT_SUM)
        return;
    snprintf(text, sizeof text,
             "alpha: the default, %d over all topics, outweighs documents of %.0f tokens; try "
             "--alpha 0.1 or --optimize-interval 10",
             DEFAULT_SUM, length);
    cli_note(text, NULL);
}
