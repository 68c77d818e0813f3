/* ezlda infer: finds the topics of documents that the model was not trained on. */
#include "cli.h"
#include "output/doc_intervals.h"
#include "output/output_path.h"
#include "output/text_out.h"
#include "platform.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct infer_settings {
    cli_common common;
    ezlda_import_options import;
    ezlda_infer_options infer;
    const char *output;
    int format;    /* ezlda_doc_format */
    bool defaults; /* the format was not given */
    uint32_t top;
    double interval; /* in percent; 0: none */
} infer_settings;

static const char *const doc_formats[] = {"tsv", "sparse", "npy", "mallet", NULL};

#define SETTING(field) .target = offsetof(infer_settings, field)

static const cli_option infer_options[] = {
    {.name = "output",
     .letter = 'o',
     .type = CLI_TEXT,
     .argument = "FILE",
     SETTING(output),
     .required = true,
     .help = "file to write, documents in the order of the input; - is standard output"},
    {.name = "to",
     .type = CLI_CHOICE,
     .argument = "FORMAT",
     SETTING(format),
     .choices = doc_formats,
     .help = "sparse is a table with the columns doc, name, topic and share, one line for each of "
             "a document's largest topics (--top) that has a token; tsv has one line per document "
             "with the share of every topic; npy is a NumPy array, documents by topics, float32; "
             "mallet is MALLET's doc-topics format"},
    {.name = "top",
     .type = CLI_U32,
     .argument = "N",
     SETTING(top),
     .least = 1,
     .most = 65536,
     .help = "topics per document, with --to sparse"},
    {.name = "interval",
     .type = CLI_REAL,
     .argument = "P",
     SETTING(interval),
     .least = 1,
     .most = 99.99,
     .unset = "none",
     .help = "with --to sparse: also write intervals that hold P percent of the posterior of each "
             "share, from --samples (20) of a Gibbs sampler, --thin (5) steps apart, on the CPU; "
             "the corpus may be the model's own"},
    {.name = "iterations",
     .letter = 'i',
     .type = CLI_U32,
     .argument = "N",
     SETTING(infer.iterations),
     .least = 1,
     .most = UINT32_MAX,
     .help = "passes over the documents"},
    {.name = "samples",
     .type = CLI_U32,
     .argument = "N",
     SETTING(infer.samples),
     .least = 1,
     .most = 65536,
     .unset = "10, or fewer if there are few iterations",
     .help = "average the counts over N of the last iterations"},
    {.name = "thin",
     .type = CLI_U32,
     .argument = "N",
     SETTING(infer.thin),
     .least = 1,
     .most = UINT32_MAX,
     .unset = "5, or fewer if there are few iterations",
     .help = "iterations from one sample to the next"},
    {.name = "seed",
     .type = CLI_U64,
     .argument = "N",
     SETTING(infer.seed),
     .most = 1.8446744073709552e19,
     .help = "seed of the random numbers; the same seed gives the same rows"},
    {0}};

static const cli_option speed_options[] = {
    {.name = "device",
     .type = CLI_NAME,
     .argument = "NAME",
     SETTING(infer.device),
     .choices = cli_devices,
     .help = "where to sample ('ezlda devices' lists the devices)"},
    {.name = "batch",
     .type = CLI_U64,
     .argument = "TOKENS",
     SETTING(infer.batch),
     .least = 1,
     .most = 4e9,
     .unset = "67108864",
     .help = "tokens that are sampled together and held in memory"},
    {.name = "device-memory",
     .type = CLI_BYTES,
     .argument = "SIZE",
     SETTING(infer.device_memory),
     .unset = "all that is free",
     .help = "limit of device memory, such as 500M or 6.2G"},
    {0}};

static const cli_section infer_sections[] = {
    {"Output and sampling", infer_options, 0},
    {"Speed (the rows do not depend on these)", speed_options, 0},
    {"Reading raw corpora (by default as the model's text was read)", cli_import_options,
     offsetof(infer_settings, import)},
    {"General", cli_common_options, 0},
    {0}};

static void infer_defaults(void *target)
{
    infer_settings *settings = target;
    ezlda_import_options_init(&settings->import);
    ezlda_infer_options_init(&settings->infer);
    settings->import.stopwords = cli_model_stopwords;
    settings->format = EZLDA_DOCS_SPARSE;
    settings->top = 10;
}

static int show_progress(const ezlda_infer_progress *progress, void *user)
{
    char done[32], all[32];
    (void)user;
    fprintf(stderr, "\r%s of %s documents", text_count(progress->docs_done, done),
            text_count(progress->docs, all));
    return 0;
}

static void print_closing(const infer_settings *settings, const ezlda_infer_info *info)
{
    char docs[32], tokens[32], unknown[32], words[32], rate[32];
    FILE *to = cli_closing();
    double sampled = (double)info->tokens * settings->infer.iterations;
    fprintf(to, "%s: %s documents, %s tokens", settings->output, text_count(info->docs, docs),
            text_short((double)info->tokens, tokens));
    if (info->tokens)
        fprintf(to, ", %.2f s of sampling (%s tokens/s on %s)", info->seconds_sampling,
                text_short(info->seconds_sampling > 0 ? sampled / info->seconds_sampling : 0, rate),
                info->device);
    if (!isnan(info->llpt))
        fprintf(to, ", LLPT %.4f", info->llpt);
    fprintf(to, "\n");
    if (settings->defaults)
        fprintf(to,
                "one line per topic of a document, at most %u of them; --to tsv writes the share "
                "of every topic\n",
                settings->top);
    double all = (double)(info->tokens + info->unknown_tokens);
    if (info->tokens || info->unknown_tokens)
        fprintf(to, "not in the model: %s words, %s tokens (%.2f %%)\n",
                text_count(info->unknown_words, words), text_count(info->unknown_tokens, unknown),
                100 * (double)info->unknown_tokens / all);
    if (info->unseen_tokens)
        fprintf(to,
                "of words without a token in training: %s tokens (%.2f %%), which have no topic\n",
                text_count(info->unseen_tokens, unknown), 100 * (double)info->unseen_tokens / all);
    if (info->docs_without)
        fprintf(to, "%s documents have no token with a topic: their shares are the prior\n",
                text_count(info->docs_without, docs));
}

static int write_intervals(const infer_settings *settings, const ezlda_model *model,
                           const ezlda_corpus *corpus, ezlda_context *context)
{
    ezlda_samples *samples = NULL;
    ezlda_sampling_options options;
    cli_text text = {0};
    ezlda_sampling_options_init(&options);
    options.samples = settings->infer.samples ? settings->infer.samples : options.samples;
    options.thin = settings->infer.thin ? settings->infer.thin : options.thin;
    options.seed = settings->infer.seed;
    ezlda_status status = ezlda_samples_draw(&samples, context, model, corpus, &options);
    if (status == EZLDA_OK)
        status = doc_intervals(&text, context, model, corpus, samples, settings->top,
                               settings->interval);
    int exit_status = status == EZLDA_OK ? output_write(settings->output, text.data, text.n)
                                         : cli_fail_library(context, status);
    ezlda_samples_free(samples);
    text_free(&text);
    return exit_status;
}

static int infer_on(infer_settings *settings, const ezlda_model *model, const ezlda_corpus *corpus,
                    ezlda_context *context)
{
    ezlda_infer_info info = {.size = sizeof info};
    bool shown = !settings->common.quiet && platform_is_terminal(STANDARD_ERROR);
    if (shown)
        settings->infer.progress = show_progress;
    ezlda_status status =
        ezlda_infer_to_file(&info, context, model, corpus, &settings->infer, settings->output,
                            (ezlda_doc_format)settings->format, settings->top);
    if (shown)
        fprintf(stderr, "\r\033[K");
    if (status != EZLDA_OK)
        return cli_fail_library(context, status);
    if (!settings->common.quiet)
        print_closing(settings, &info);
    return CLI_SUCCESS;
}

static int run_infer(cli_call *call, ezlda_context *context)
{
    infer_settings *settings = call->settings;
    ezlda_model *model = NULL;
    ezlda_corpus *corpus = NULL;
    if (cli_given(call, "top") && settings->format != EZLDA_DOCS_SPARSE)
        return cli_misuse(call->command, "--top is for --to sparse");
    if (settings->interval > 0 && settings->format != EZLDA_DOCS_SPARSE)
        return cli_misuse(call->command, "--interval is for --to sparse");
    settings->defaults = !cli_given(call, "to");
    if (strcmp(settings->output, "-") == 0)
        settings->output = "/dev/stdout";
    int exit_status = output_check(call, "--output", settings->output);
    if (exit_status)
        return exit_status;
    ezlda_status status = ezlda_context_open_device(context, settings->infer.device);
    if (status == EZLDA_OK)
        status = cli_load_model(&model, context, call);
    if (status == EZLDA_OK)
        status = cli_read_corpus_like(&corpus, context, call, model, &settings->import);
    exit_status = status != EZLDA_OK       ? cli_fail_library(context, status)
                  : settings->interval > 0 ? write_intervals(settings, model, corpus, context)
                                           : infer_on(settings, model, corpus, context);
    ezlda_corpus_free(corpus);
    ezlda_model_free(model);
    return exit_status;
}

/* What most people use. */
static const char *const infer_first[] = {
    "output",     "to",          "top",   "iterations", "seed",  "device", "format",   "text-field",
    "name-field", "keep-fields", "split", "threads",    "quiet", "help",   "help-all", NULL};

const cli_command cmd_infer = {
    .name = "infer",
    .operands = "MODEL CORPUS... -o FILE",
    .summary = "find the topics of new documents",
    .description =
        "Finds the topics of new documents; the model itself does not change. The documents are a "
        "corpus file made by import, or any input that import reads. Words are matched by their "
        "text. Text is read as the model's text was (its stop words, stemmer, phrases); words that "
        "the model does not know are counted and ignored. A row has the shares (tokens + alpha) / "
        "(length + sum of alpha) of a document's topics, with tokens averaged over --samples of "
        "the last iterations. The row of a document without a known word is the prior, and has no "
        "line in a sparse table; nor has a document whose topics are all hidden.",
    .examples = "ezlda infer kos.ezm new.ezc -o new-topics.tsv\n"
                "ezlda infer news.ezm today.jsonl --top 3 -o today.tsv\n"
                "ezlda infer news.ezm today.jsonl --to tsv -o every-topic.tsv\n"
                "ezlda infer big.ezm more.ezc --to npy -o theta.npy",
    .sections = infer_sections,
    .settings_size = sizeof(infer_settings),
    .defaults = infer_defaults,
    .run = run_infer,
    .first_options = infer_first,
    .min_operands = 2,
    .max_operands = (size_t)-1,
    .operand_name = "model and a corpus",
};
