/* ezlda eval: how good a model is. */
#include "cli.h"
#include "interrupts.h"
#include "output/eval_report.h"
#include "output/text_out.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct eval_settings {
    cli_common common;
    ezlda_import_options import;
    ezlda_eval_options eval;
    const char *measures;
    uint32_t window;
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
     .help =
         "what to measure, of completion, left-to-right, llpt and coherence, with commas between"},
    {.name = "seed",
     .type = CLI_U64,
     .argument = "N",
     SETTING(eval.seed),
     .most = 1.8446744073709552e19,
     .help = "the same seed gives the same scores"},
    {.name = "json", .type = CLI_FLAG, SETTING(json), .help = "print one JSON object"},
    {.name = "topics",
     .type = CLI_FLAG,
     SETTING(topics),
     .help = "show the coherence of every topic too"},
    {0}};

static const cli_option infer_options[] = {
    {.name = "iterations",
     .letter = 'i',
     .type = CLI_U32,
     .argument = "N",
     SETTING(eval.iterations),
     .least = 1,
     .most = UINT32_MAX,
     .help = "passes over the documents to find their topics"},
    {.name = "samples",
     .type = CLI_U32,
     .argument = "N",
     SETTING(eval.samples),
     .least = 1,
     .most = 65536,
     .unset = "10, or as many as half of the iterations hold",
     .help = "topics are averaged over so many of the last iterations"},
    {.name = "thin",
     .type = CLI_U32,
     .argument = "N",
     SETTING(eval.thin),
     .least = 1,
     .most = UINT32_MAX,
     .unset = "5, or less where iterations are few",
     .help = "iterations from one sample to the next"},
    {.name = "device",
     .type = CLI_NAME,
     .argument = "NAME",
     SETTING(eval.device),
     .choices = cli_devices,
     .help = "where to sample ('ezlda devices' lists what there is); scores do not depend on it"},
    {.name = "device-memory",
     .type = CLI_BYTES,
     .argument = "SIZE",
     SETTING(eval.device_memory),
     .unset = "what is free",
     .help = "device memory that may be taken"},
    {0}};

static const cli_option particle_options[] = {
    {.name = "doc-tokens",
     .type = CLI_U64,
     .argument = "N",
     SETTING(eval.doc_tokens),
     .most = 1e15,
     .help = "of documents with more than N tokens score N, drawn at random; 0: all, which takes "
             "very long for books"},
    {.name = "docs",
     .type = CLI_U64,
     .argument = "N",
     SETTING(eval.docs),
     .most = 1e15,
     .help = "score a random sample of N documents; 0: all"},
    {.name = "particles",
     .type = CLI_U32,
     .argument = "N",
     SETTING(eval.particles),
     .least = 1,
     .most = 1000000,
     .help = "particles of each document; time grows with them, and chance shrinks"},
    {.name = "resample",
     .type = CLI_U32,
     .argument = "N",
     SETTING(eval.resample),
     .most = UINT32_MAX,
     .help = "at each position at most N earlier ones are sampled anew; more than the longest "
             "document has is the estimator as it was published, in quadratic time, and 0 is fast "
             "and too pessimistic"},
    {0}};

static const cli_option coherence_options[] = {
    {.name = "words",
     .letter = 'n',
     .type = CLI_U32,
     .argument = "N",
     SETTING(eval.words),
     .least = 2,
     .most = 1000,
     .help = "first words of each topic that are looked at"},
    {.name = "window",
     .type = CLI_U32,
     .argument = "N",
     SETTING(window),
     .most = UINT32_MAX,
     .unset = "10 for NPMI, 110 for C_V",
     .help = "tokens of a window for NPMI and C_V; 0: whole documents, as in every corpus that did "
             "not keep its order"},
    {.name = "whole-windows",
     .type = CLI_FLAG,
     SETTING(eval.whole_windows),
     .help = "a word counts in every window that holds it; else as in gensim, where a word that is "
             "several times in a window goes with its first token"},
    {0}};

static const cli_part eval_parts[] = {
    {"Measures", eval_options, 0},
    {"Completion and LLPT", infer_options, 0},
    {"Left to right", particle_options, 0},
    {"Coherence", coherence_options, 0},
    {"Reading raw corpora (text as the model's was, unless these say otherwise)",
     cli_import_options, offsetof(eval_settings, import)},
    {"Order", cli_order_options, offsetof(eval_settings, import)},
    {"General", cli_common_options, 0},
    {0}};

static void eval_defaults(void *target)
{
    eval_settings *settings = target;
    ezlda_import_options_init(&settings->import);
    ezlda_eval_options_init(&settings->eval);
    settings->import.stopwords = cli_model_stopwords;
}

/* ---- arguments ---- */

/* The bit of a measure by its name, 0 where there is none. */
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
                              "or several with commas between, found '%.*s'",
                              (int)length, at);
        *measures |= bit;
        at += length;
        if (!*at)
            return 0;
    }
}

static int take_arguments(cli_call *call)
{
    eval_settings *settings = call->settings;
    ezlda_eval_options *eval = &settings->eval;
    int status = settings->measures ? parse_measures(call, settings->measures, &eval->measures) : 0;
    if (cli_given(call, "window"))
        eval->npmi_window = eval->c_v_window = settings->window;
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
                      .options = &settings->eval,
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

/* What was done is printed by now. */
static int tell_stopped(const eval_settings *settings, const ezlda_scores *scores)
{
    ezlda_scores_info info = {.size = sizeof info};
    ezlda_scores_get_info(scores, &info);
    fflush(stdout);
    fputs("ezlda: interrupted, not measured:", stderr);
    for (unsigned i = 0; measure_names[i]; i++)
        if (settings->eval.measures & ~info.measures & 1u << i)
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
    if (cli_given(call, "window") && settings->window && !info.has_order)
        return cli_misuse(
            call->command,
            "--window: '%s' did not keep the order of its words (import --keep-order)",
            call->operands[1]);
    bool shown = !settings->common.quiet && isatty(STDERR_FILENO);
    ezlda_scores *scores = NULL;
    settings->eval.progress = watch_progress;
    settings->eval.user = &shown;
    interrupts_catch();
    ezlda_status status = ezlda_evaluate(&scores, context, model, corpus, &settings->eval);
    if (shown)
        fputs("\r\033[K", stderr);
    bool stopped = status == EZLDA_ERROR_STOPPED && scores;
    int exit_status = status == EZLDA_OK || stopped ? print_scores(call, model, scores, context)
                                                    : cli_fail_library(context, status);
    if (stopped)
        exit_status = tell_stopped(settings, scores);
    ezlda_scores_free(scores);
    return exit_status;
}

static int run_eval(cli_call *call, ezlda_context *context)
{
    eval_settings *settings = call->settings;
    ezlda_model *model = NULL;
    ezlda_corpus *corpus = NULL;
    int exit_status = take_arguments(call);
    if (exit_status)
        return exit_status;
    ezlda_status status = ezlda_context_open_device(context, settings->eval.device);
    if (status == EZLDA_OK)
        status = ezlda_model_load(&model, context, call->operands[0]);
    if (status == EZLDA_OK)
        status = cli_read_corpus_like(&corpus, context, call, model, &settings->import);
    exit_status = status == EZLDA_OK ? eval_on(call, model, corpus, context)
                                     : cli_fail_library(context, status);
    ezlda_corpus_free(corpus);
    ezlda_model_free(model);
    return exit_status;
}

const cli_command cmd_eval = {
    .name = "eval",
    .operands = "MODEL CORPUS... [OPTION]...",
    .summary = "score a model: held-out perplexity, coherence",
    .description =
        "Scores a model on a corpus, which should hold documents that it was not trained on. "
        "Perplexity is that of tokens of words that the model knows, lower is better; beside it "
        "stand its standard error over documents and the perplexity of the training corpus' word "
        "frequencies alone. completion scores half of each document's tokens, given topics "
        "inferred from the other half; left-to-right estimates the probability of whole documents. "
        "LLPT is log2 p(word | document) a token as training shows it, the topics inferred from "
        "the very tokens that are scored: it is no held-out score. coherence looks at the first "
        "words of each topic: how they occur together in the corpus (UMass, NPMI, C_V), how many "
        "of them differ between topics (diversity), and how much they belong to one topic "
        "(exclusivity).\n\n"
        "An interrupt (Ctrl-C) ends with the measures that are done; left-to-right, which takes "
        "longest, comes last. Scores do not depend on threads or device. Compare models on the "
        "same corpus with the same options only.",
    .examples = "ezlda eval news.ezm held-out.ezc\n"
                "ezlda eval news.ezm held-out.ezc --measures completion --json\n"
                "ezlda eval news.ezm news.ezc --measures coherence --topics\n"
                "ezlda eval news.ezm held-out.ezc --measures left-to-right --docs 0 --particles 50",
    .parts = eval_parts,
    .settings_size = sizeof(eval_settings),
    .defaults = eval_defaults,
    .run = run_eval,
    .min_operands = 2,
    .max_operands = (size_t)-1,
    .operand_name = "model and a corpus",
};
