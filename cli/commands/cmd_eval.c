/* ezlda eval: scores a model on a corpus. */
#include "cli.h"
#include "interrupts.h"
#include "options/score_options.h"
#include "output/eval_report.h"
#include "output/text_out.h"
#include "platform.h"

#include <stdio.h>
#include <string.h>

typedef struct eval_settings {
    cli_common common;
    ezlda_import_options import;
    score_settings score;
    const char *measures;
    int json, topics;
} eval_settings;

static const char *const measure_names[] = {"llpt", "completion", "left-to-right", "coherence",
                                            NULL};

#define SETTING(field) .target = offsetof(eval_settings, field)

static const cli_option eval_options[] = {
    {.name = "measures",
     .letter = 'm',
     .type = CLI_TEXT,
     .argument = "LIST",
     SETTING(measures),
     .unset = "all",
     .help = "comma-separated list of measures: completion, left-to-right, llpt, coherence"},
    {.name = "seed",
     .type = CLI_U64,
     .argument = "N",
     SETTING(score.eval.seed),
     .most = 1.8446744073709552e19,
     .help = "seed of the random numbers; the same seed gives the same scores"},
    {.name = "json", .type = CLI_FLAG, SETTING(json), .help = "print one JSON object"},
    {.name = "topics",
     .type = CLI_FLAG,
     SETTING(topics),
     .help = "also show the coherence of every topic"},
    {0}};

static const cli_option iteration_options[] = {
    {.name = "iterations",
     .letter = 'i',
     .type = CLI_U32,
     .argument = "N",
     SETTING(score.eval.iterations),
     .least = 1,
     .most = UINT32_MAX,
     .help = "passes over the documents to find their topics"},
    {0}};

static const cli_option device_options[] = {
    {.name = "device",
     .type = CLI_NAME,
     .argument = "NAME",
     SETTING(score.eval.device),
     .choices = cli_devices,
     .help = "where to sample ('ezlda devices' lists the devices); scores do not depend on it"},
    {.name = "device-memory",
     .type = CLI_BYTES,
     .argument = "SIZE",
     SETTING(score.eval.device_memory),
     .unset = "all that is free",
     .help = "limit of device memory, such as 500M or 6.2G"},
    {0}};

static const cli_option particle_options[] = {
    {.name = "doc-tokens",
     .type = CLI_U64,
     .argument = "N",
     SETTING(score.eval.doc_tokens),
     .most = 1e15,
     .help = "score only N random tokens of a longer document; 0: all, which takes very long for "
             "books"},
    {.name = "docs",
     .type = CLI_U64,
     .argument = "N",
     SETTING(score.eval.docs),
     .most = 1e15,
     .help = "score a random sample of N documents; 0: all"},
    {.name = "particles",
     .type = CLI_U32,
     .argument = "N",
     SETTING(score.eval.particles),
     .least = 1,
     .most = 1000000,
     .help = "particles per document; more particles take longer but reduce the variance"},
    {.name = "resample",
     .type = CLI_U32,
     .argument = "N",
     SETTING(score.eval.resample),
     .most = UINT32_MAX,
     .help = "at each position, sample at most N earlier ones again. If N exceeds the longest "
             "document, this is the published estimator, in quadratic time; 0 is fast and too "
             "pessimistic"},
    {0}};

static const cli_option window_options[] = {
    {.name = "whole-windows",
     .type = CLI_FLAG,
     SETTING(score.eval.whole_windows),
     .help = "count a word in every window that contains it. By default, as in gensim, a word that "
             "occurs several times in a window leaves with its first token"},
    {0}};

static const cli_section eval_sections[] = {
    {"Measures", eval_options, 0},
    {"Completion and LLPT", iteration_options, 0},
    {"", score_sample_options, offsetof(eval_settings, score)},
    {"", device_options, 0},
    {"Left to right", particle_options, 0},
    {"Coherence", score_coherence_options, offsetof(eval_settings, score)},
    {"", window_options, 0},
    {"Reading raw corpora (by default as the model's text was read)", cli_import_options,
     offsetof(eval_settings, import)},
    {"Word order", cli_order_options, offsetof(eval_settings, import)},
    {"General", cli_common_options, 0},
    {0}};

static void eval_defaults(void *target)
{
    eval_settings *settings = target;
    ezlda_import_options_init(&settings->import);
    ezlda_eval_options_init(&settings->score.eval);
    settings->import.stopwords = cli_model_stopwords;
}

/* ---- arguments ---- */

/* The bit of a measure by its name, 0 if there is no such measure. */
static unsigned measure_bit(const char *name, size_t length)
{
    for (unsigned i = 0; measure_names[i]; i++)
        if (strlen(measure_names[i]) == length && memcmp(measure_names[i], name, length) == 0)
            return 1u << i;
    return 0;
}

static int parse_measures(const cli_call *call, const char *text, unsigned *measures)
{
    *measures = 0;
    for (const char *at = text;; at++) {
        size_t length = strcspn(at, ",");
        unsigned bit = measure_bit(at, length);
        if (!bit)
            return cli_misuse(call->command,
                              "--measures: expected completion, left-to-right, llpt or coherence, "
                              "or several separated by commas, found '%.*s'",
                              (int)length, at);
        *measures |= bit;
        at += length;
        if (!*at)
            return 0;
    }
}

static int check_arguments(cli_call *call)
{
    eval_settings *settings = call->settings;
    ezlda_eval_options *eval = &settings->score.eval;
    int status = settings->measures ? parse_measures(call, settings->measures, &eval->measures) : 0;
    score_use_window(call, &settings->score);
    if (!status && settings->json && settings->topics)
        return cli_misuse(call->command,
                          "--topics and --json exclude each other: JSON has every topic anyway");
    if (!status && settings->topics && !(eval->measures & EZLDA_MEASURE_COHERENCE))
        return cli_misuse(call->command, "--topics shows coherence, which is not among --measures");
    return status;
}

/* ---- running ---- */

static int watch_progress(const ezlda_eval_progress *progress, void *user)
{
    const bool *shown = user;
    char done[32], all[32];
    for (unsigned i = 0; *shown && measure_names[i]; i++)
        if (progress->measure == 1u << i)
            fprintf(stderr, "\r%s: %s of %s documents\033[K", measure_names[i],
                    text_count(progress->docs_done, done), text_count(progress->docs, all));
    return interrupts_asked();
}

static int print_scores(const cli_call *call, const ezlda_model *model, const ezlda_scores *scores,
                        ezlda_context *context)
{
    const eval_settings *settings = call->settings;
    eval_view view = {.model_path = call->operands[0],
                      .corpus_path = call->operands[1],
                      .model = model,
                      .scores = scores,
                      .info = {.size = sizeof view.info},
                      .options = &settings->score.eval,
                      .topics = settings->topics};
    ezlda_scores_get_info(scores, &view.info);
    view.topics = view.topics && view.info.measures & EZLDA_MEASURE_COHERENCE;
    ezlda_status status = EZLDA_OK;
    if (settings->json)
        eval_json(&view);
    else
        status = eval_table(&view, context);
    return status == EZLDA_OK ? CLI_SUCCESS : cli_fail_library(context, status);
}

/* The finished measures are printed by now. */
static int report_stopped(const eval_settings *settings, const ezlda_scores *scores)
{
    ezlda_scores_info info = {.size = sizeof info};
    ezlda_scores_get_info(scores, &info);
    fflush(stdout);
    fputs("ezlda: interrupted, not measured:", stderr);
    for (unsigned i = 0; measure_names[i]; i++)
        if (settings->score.eval.measures & ~info.measures & 1u << i)
            fprintf(stderr, " %s", measure_names[i]);
    fputc('\n', stderr);
    return 128 + interrupts_signal();
}

static int eval_on(const cli_call *call, const ezlda_model *model, const ezlda_corpus *corpus,
                   ezlda_context *context)
{
    eval_settings *settings = call->settings;
    ezlda_corpus_info info = {.size = sizeof info};
    ezlda_corpus_get_info(corpus, &info);
    if (cli_given(call, "window") && settings->score.window && !info.has_order)
        return cli_misuse(
            call->command,
            "--window: '%s' did not keep the order of its words (import --keep-order)",
            call->operands[1]);
    bool shown = !settings->common.quiet && platform_is_terminal(STANDARD_ERROR);
    ezlda_scores *scores = NULL;
    settings->score.eval.progress = watch_progress;
    settings->score.eval.user = &shown;
    interrupts_catch();
    ezlda_status status = ezlda_evaluate(&scores, context, model, corpus, &settings->score.eval);
    if (shown)
        fputs("\r\033[K", stderr);
    ezlda_scores_info found = {.size = sizeof found};
    int exit_status = status == EZLDA_OK ? print_scores(call, model, scores, context)
                                         : cli_fail_library(context, status);
    if (status == EZLDA_OK)
        ezlda_scores_get_info(scores, &found);
    if (found.stopped)
        exit_status = report_stopped(settings, scores);
    ezlda_scores_free(scores);
    return exit_status;
}

static int run_eval(cli_call *call, ezlda_context *context)
{
    eval_settings *settings = call->settings;
    ezlda_model *model = NULL;
    ezlda_corpus *corpus = NULL;
    int exit_status = check_arguments(call);
    if (exit_status)
        return exit_status;
    ezlda_status status = ezlda_context_open_device(context, settings->score.eval.device);
    if (status == EZLDA_OK)
        status = cli_load_model(&model, context, call);
    if (status == EZLDA_OK)
        status = cli_read_corpus_like(&corpus, context, call, model, &settings->import);
    exit_status = status == EZLDA_OK ? eval_on(call, model, corpus, context)
                                     : cli_fail_library(context, status);
    ezlda_corpus_free(corpus);
    ezlda_model_free(model);
    return exit_status;
}

/* What most people use. */
static const char *const eval_first[] = {"measures", "json",     "topics", "iterations", "seed",
                                         "words",    "device",   "format", "text-field", "quiet",
                                         "help",     "help-all", NULL};

const cli_command cmd_eval = {
    .name = "eval",
    .operands = "MODEL CORPUS... [OPTION]...",
    .summary = "score a model: held-out perplexity, coherence",
    .description =
        "Scores a model on a corpus, which should contain documents that it was not trained on. "
        "Perplexity is that of the tokens whose words the model knows; lower is better. Beside it "
        "are its standard error over documents and the perplexity of the training corpus's word "
        "frequencies alone. completion scores half of each document's tokens, given topics "
        "inferred from the other half. left-to-right estimates the probability of whole documents. "
        "llpt is log2 p(word | document) per token as training shows it; it is not a held-out "
        "score, because topics are inferred from the same tokens that are scored. coherence looks "
        "at the top words of each topic: how they occur together in the corpus (UMass, NPMI, C_V), "
        "how many of them differ between topics (diversity), and how much they belong to one topic "
        "(exclusivity).\n\n"
        "After an interrupt (Ctrl-C), the measures that are finished are printed; left-to-right, "
        "which takes longest, comes last. Scores do not depend on threads or device. Compare "
        "models only on the same corpus and with the same options.",
    .examples = "ezlda eval news.ezm held-out.ezc\n"
                "ezlda eval news.ezm held-out.ezc --measures completion --json\n"
                "ezlda eval news.ezm news.ezc --measures coherence --topics\n"
                "ezlda eval news.ezm held-out.ezc --measures left-to-right --docs 0 --particles 50",
    .sections = eval_sections,
    .settings_size = sizeof(eval_settings),
    .defaults = eval_defaults,
    .run = run_eval,
    .first_options = eval_first,
    .min_operands = 2,
    .max_operands = (size_t)-1,
    .operand_name = "model and a corpus",
};
