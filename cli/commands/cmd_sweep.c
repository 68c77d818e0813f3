/* ezlda sweep: trains models for several numbers of topics and compares them. */
#include "cli.h"
#include "interrupts.h"
#include "options/alpha_option.h"
#include "options/number_list.h"
#include "options/score_options.h"
#include "options/train_settings.h"
#include "output/progress_line.h"
#include "output/sweep_report.h"
#include "output/text_out.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TOPICS = 65536 };

typedef struct sweep_settings {
    train_settings train; /* first, for the option tables of training */
    const char *topics;
    uint32_t seeds;
    double held_out;
    score_settings score;
    int json;
} sweep_settings;

#define SETTING(field) .target = offsetof(sweep_settings, field)

static const cli_option sweep_options[] = {
    {.name = "topics",
     .letter = 'k',
     .type = CLI_TEXT,
     .argument = "LIST",
     SETTING(topics),
     .required = true,
     .help = "numbers of topics to try, such as 50,100,200,400"},
    {.name = "output",
     .letter = 'o',
     .type = CLI_TEXT,
     .argument = "FOLDER",
     SETTING(train.output),
     .required = true,
     .help = "folder for the models and results.tsv: a new or empty one, or that of an earlier "
             "sweep to continue"},
    {.name = "seeds",
     .type = CLI_U32,
     .argument = "N",
     SETTING(seeds),
     .least = 1,
     .most = 1000,
     .help = "models per number of topics, trained with N seeds from --seed on; two or more show "
             "the spread of the scores and the stability of the topics"},
    {.name = "held-out",
     .type = CLI_REAL,
     .argument = "SHARE",
     SETTING(held_out),
     .least = 1e-9,
     .most = 0.999999999,
     .help =
         "share of the documents, drawn at random by --seed, that is scored and not trained on"},
    {.name = "json",
     .type = CLI_FLAG,
     SETTING(json),
     .help = "print one JSON object with the scores of every model"},
    {0}};

static const cli_option score_options[] = {
    {.name = "score-iterations",
     .type = CLI_U32,
     .argument = "N",
     SETTING(score.eval.iterations),
     .least = 1,
     .most = UINT32_MAX,
     .help = "passes over the held-out documents to find their topics"},
    {0}};

static const cli_section sweep_sections[] = {
    {"Sweep", sweep_options, 0},
    {"Models", train_model_options, 0},
    {"", train_prior_options, 0},
    {"", train_score_options, 0},
    {"Scores", score_options, 0},
    {"", score_sample_options, offsetof(sweep_settings, score)},
    {"", score_coherence_options, offsetof(sweep_settings, score)},
    {"Speed (the models do not depend on these)", train_speed_options, 0},
    {train_study_title, train_study_options, 0},
    {"Reading raw corpora", cli_import_options,
     offsetof(sweep_settings, train) + offsetof(train_settings, import)},
    {"Word filters", cli_filter_options,
     offsetof(sweep_settings, train) + offsetof(train_settings, import)},
    {"Word order", cli_order_options,
     offsetof(sweep_settings, train) + offsetof(train_settings, import)},
    {"General", cli_common_options, 0},
    {0}};

static void sweep_defaults(void *target)
{
    sweep_settings *settings = target;
    ezlda_sweep_options sweep;
    train_defaults(&settings->train);
    ezlda_sweep_options_init(&sweep);
    ezlda_eval_options_init(&settings->score.eval);
    settings->seeds = sweep.seeds;
    settings->held_out = sweep.held_out;
}

/* ---- progress ---- */

typedef struct sweep_watch {
    progress_line line;
    char label[64];
    size_t number;  /* the run that the line shows */
    cli_text noted; /* notes already printed: every run makes the same ones */
} sweep_watch;

static void note_once(ezlda_note_level level, const char *text, void *user)
{
    sweep_watch *watch = user;
    cli_text entry = {0};
    text_printf(&entry, "\n%s\n", text);
    if (!watch->noted.data || !strstr(watch->noted.data, entry.data)) {
        text_put(&watch->noted, entry.data, entry.n);
        progress_clear(&watch->line);
        cli_note(level, text, NULL);
    }
    text_free(&entry);
}

static void begin_run(sweep_watch *watch, const ezlda_sweep_progress *progress)
{
    watch->number = progress->number;
    snprintf(watch->label, sizeof watch->label, "%zu of %zu: k %u, seed %" PRIu64, progress->number,
             progress->runs, progress->run->topics, progress->run->seed);
    progress_begin(&watch->line, watch->line.quiet);
    watch->line.label = watch->label;
}

static void show_scoring(sweep_watch *watch, const ezlda_eval_progress *scoring)
{
    char done[32], all[32];
    fprintf(stderr, "\r%s, scoring %s of %s documents\033[K", watch->label,
            text_count(scoring->docs_done, done), text_count(scoring->docs, all));
    watch->line.drawn = true;
}

static void show_done(sweep_watch *watch, const ezlda_sweep_run *run)
{
    progress_clear(&watch->line);
    if (run->found)
        fprintf(stderr, "%s: done before\n", watch->label);
    else
        fprintf(stderr, "%s: perplexity %.1f, NPMI %.4f, %.1f s of training, %.1f s of scoring\n",
                watch->label, run->completion.perplexity, run->npmi, run->seconds,
                run->scoring_seconds);
}

static int show_progress(const ezlda_sweep_progress *progress, void *user)
{
    sweep_watch *watch = user;
    if (watch->number != progress->number)
        begin_run(watch, progress);
    if (watch->line.quiet)
        return interrupts_asked();
    if (progress->stage == EZLDA_SWEEP_DONE)
        show_done(watch, progress->run);
    else if (watch->line.live && progress->stage == EZLDA_SWEEP_TRAINING)
        progress_show(&watch->line, progress->training);
    else if (watch->line.live)
        show_scoring(watch, progress->scoring);
    return interrupts_asked();
}

/* ---- arguments ---- */

/* --alpha as in training; a sum is divided by each number of topics. */
static int use_alpha(const cli_call *call, ezlda_sweep_options *sweep, ezlda_train_options *train,
                     double **vector)
{
    const sweep_settings *settings = call->settings;
    const char *text = settings->train.alpha;
    bool sum = text && strncmp(text, "sum:", 4) == 0;
    int status = alpha_option(call, text, sum ? 1 : sweep->topics[0],
                              sum ? &sweep->alpha_sum : &train->alpha, vector);
    if (!status && *vector && sweep->n_topics > 1)
        return cli_misuse(call->command,
                          "--alpha: a file fits one number of topics, and --topics has several");
    train->alpha_vector = *vector;
    return status;
}

static void set_eval(const cli_call *call, sweep_settings *settings)
{
    ezlda_eval_options *eval = &settings->score.eval;
    eval->seed = settings->train.train.seed;
    eval->device = settings->train.train.device;
    eval->device_memory = settings->train.train.device_memory;
    score_use_window(call, &settings->score);
}

/* ---- running ---- */

static void print_stopped(const ezlda_sweep_info *info)
{
    fprintf(stderr, "stopped: %zu of %zu models are done; run the same command to continue\n",
            info->runs_done, info->runs);
}

static int sweep_over(const sweep_settings *settings, const ezlda_corpus *corpus,
                      ezlda_context *context, ezlda_sweep_options *sweep)
{
    const cli_common *common = &settings->train.common;
    sweep_watch watch = {
        .line = {.quiet = common->quiet,
                 .may_end_early = sweep->train->iterations == EZLDA_UNTIL_SETTLED}};
    ezlda_sweep_scores *scores = NULL;
    sweep->progress = show_progress;
    sweep->user = &watch; /* cppcheck-suppress autoVariables; the options end with the sweep */
    if (!common->quiet)
        ezlda_context_set_notes(context, note_once, &watch);
    interrupts_catch();
    ezlda_status status = ezlda_sweep(&scores, context, corpus, sweep);
    progress_clear(&watch.line);
    ezlda_context_set_notes(context, NULL, NULL);
    text_free(&watch.noted);
    if (status != EZLDA_OK)
        return cli_fail_library(context, status);
    ezlda_sweep_info info = {.size = sizeof info};
    ezlda_sweep_get_info(scores, &info);
    if (settings->json)
        sweep_json(scores);
    else if (info.runs_done)
        sweep_table(scores);
    if (info.stopped && !common->quiet)
        print_stopped(&info);
    ezlda_sweep_free(scores);
    return CLI_SUCCESS;
}

static int sweep_corpus(const cli_call *call, ezlda_context *context, ezlda_sweep_options *sweep)
{
    const sweep_settings *settings = call->settings;
    ezlda_corpus *corpus = NULL;
    ezlda_status status = ezlda_context_open_device(context, settings->train.train.device);
    if (status == EZLDA_OK)
        status = cli_read_corpus(&corpus, context, call, &settings->train.import);
    if (status != EZLDA_OK)
        return cli_fail_library(context, status);
    if (!settings->train.common.quiet && !settings->json)
        cli_print_corpus(call->operands[0], corpus);
    fflush(stdout);
    train_advise_alpha(&settings->train, corpus);
    int exit_status = sweep_over(settings, corpus, context, sweep);
    ezlda_corpus_free(corpus);
    return exit_status;
}

static int run_sweep(cli_call *call, ezlda_context *context)
{
    sweep_settings *settings = call->settings;
    ezlda_sweep_options sweep;
    double *alpha = NULL;
    ezlda_sweep_options_init(&sweep);
    uint32_t *topics =
        number_list_values(call, "--topics", settings->topics, MOST_TOPICS + 1, &sweep.n_topics);
    if (!topics)
        return CLI_USAGE;
    sweep.topics = topics;
    sweep.seeds = settings->seeds;
    sweep.held_out = settings->held_out;
    sweep.folder = settings->train.output;
    sweep.train = &settings->train.train;
    sweep.eval = &settings->score.eval;
    settings->train.train.topics = topics[0];
    settings->train.train.converged_gain = settings->train.converged;
    set_eval(call, settings);
    int exit_status = train_finish_options(call, &settings->train);
    if (!exit_status)
        exit_status = use_alpha(call, &sweep, &settings->train.train, &alpha);
    if (!exit_status)
        exit_status = sweep_corpus(call, context, &sweep);
    free(alpha);
    free(topics);
    return exit_status;
}

/* What most people use. */
static const char *const sweep_first[] = {
    "topics",  "output", "seeds",  "held-out", "json",       "iterations",
    "seed",    "alpha",  "device", "format",   "text-field", "stopwords",
    "stemmer", "quiet",  "help",   "help-all", NULL};

const cli_command cmd_sweep = {
    .name = "sweep",
    .operands = "CORPUS... -k LIST -o FOLDER",
    .summary = "try several numbers of topics and compare them",
    .description =
        "Trains a model for every number of topics and every seed, and scores each: perplexity of "
        "held-out documents (document completion, as in eval), coherence of the topics over the "
        "whole corpus, their diversity and exclusivity, and how similar they are from seed to seed "
        "(stability: topics matched one to one). The table has one row per number of topics. Below "
        "it is the recommended number: the smallest whose mean perplexity differs from the best by "
        "no more than one standard error of that difference, paired by document.\n\n"
        "After each model, the folder gets the model (k100-seed1.ezm and so on), its scores of the "
        "held-out documents, and results.tsv. An interrupt (Ctrl-C, SIGTERM, or SIGHUP from a "
        "closed terminal) ends the sweep after the current iteration with exit status 0. The same "
        "command continues from there; only the unfinished model is lost. Numbers of topics and "
        "seeds can be added in the same way. A folder of another corpus or of other options is "
        "refused.",
    .examples = "ezlda sweep kos.ezc -k 50,100,200,400 --seeds 3 -o kos-sweep\n"
                "ezlda sweep kos.ezc -k 50,100,200,400,800 --seeds 5 -o kos-sweep\n"
                "ezlda sweep news.ezc -k 100,200 -i 500 --json -o news-sweep",
    .sections = sweep_sections,
    .settings_size = sizeof(sweep_settings),
    .defaults = sweep_defaults,
    .run = run_sweep,
    .first_options = sweep_first,
    .min_operands = 1,
    .max_operands = (size_t)-1,
    .operand_name = "corpus",
};
