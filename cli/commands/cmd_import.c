/* ezlda import: reads a corpus of any format and writes a corpus file. */
#include "cli.h"
#include "output/output_path.h"

#include <string.h>

typedef struct import_settings {
    cli_common common;
    ezlda_import_options import;
    const char *output, *model, *like;
} import_settings;

static const cli_option import_output[] = {
    {.name = "output",
     .letter = 'o',
     .type = CLI_TEXT,
     .argument = "FILE",
     .target = offsetof(import_settings, output),
     .required = true,
     .help = "corpus file to write (.ezc)"},
    {.name = "model",
     .type = CLI_TEXT,
     .argument = "FILE",
     .target = offsetof(import_settings, model),
     .unset = "the corpus only",
     .help = "for a MALLET state: also write this model file (.ezm), with the topics of the "
             "tokens, alpha and beta"},
    {.name = "like",
     .type = CLI_TEXT,
     .argument = "FILE",
     .target = offsetof(import_settings, like),
     .unset = "none",
     .help = "model (.ezm) or corpus file (.ezc): read text as its text was read (stop words, "
             "stemmer, phrases), unless other options say otherwise"},
    {0}};

static const cli_section import_sections[] = {
    {"Output", import_output, 0},
    {"Input", cli_import_options, offsetof(import_settings, import)},
    {"Word filters", cli_filter_options, offsetof(import_settings, import)},
    {"Word order", cli_order_options, offsetof(import_settings, import)},
    {"Text", cli_text_options, offsetof(import_settings, import)},
    {"General", cli_common_options, 0},
    {0}};

static void import_defaults(void *target)
{
    import_settings *settings = target;
    ezlda_import_options_init(&settings->import);
    settings->import.keep_text = EZLDA_KEEP_TEXT_AUTO;
}

/* A MALLET state is read as it is: no option may change its words. */
static int check_model(const cli_call *call)
{
    const import_settings *settings = call->settings;
    if (!settings->model)
        return 0;
    if (call->n_operands != 1)
        return cli_misuse(call->command, "--model: expected one MALLET state, found %zu inputs",
                          call->n_operands);
    if (settings->like)
        return cli_misuse(call->command,
                          "--model reads a MALLET state as it is: --like has no effect on it");
    if (settings->import.format && strcmp(settings->import.format, "mallet-state") != 0)
        return cli_misuse(call->command,
                          "--model: only a MALLET state holds a model, not --format %s",
                          settings->import.format);
    const cli_option *const tables[] = {cli_import_options, cli_filter_options, cli_order_options,
                                        cli_text_options};
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
        for (const cli_option *option = tables[t]; option->name; option++)
            if (strcmp(option->name, "format") != 0 && cli_given(call, option->name))
                return cli_misuse(call->command,
                                  "--model reads a MALLET state as it is: --%s has no effect on it",
                                  option->name);
    return output_check(call, "--model", settings->model);
}

/* The file of --like; the rules of reading belong to it. */
typedef struct like_file {
    ezlda_model *model;
    ezlda_corpus *corpus;
} like_file;

static int open_like(const cli_call *call, ezlda_context *context, like_file *like)
{
    import_settings *settings = call->settings;
    if (!settings->like)
        return 0;
    ezlda_import_options ours;
    ezlda_import_options_init(&ours);
    ours.format = "ezc";
    ezlda_status status =
        cli_is_model(settings->like)
            ? ezlda_model_load(&like->model, context, settings->like)
            : ezlda_corpus_read(&like->corpus, context, &settings->like, 1, &ours);
    if (status != EZLDA_OK)
        return cli_fail_library(context, status);
    settings->import.like =
        like->model ? ezlda_model_text_rules(like->model) : ezlda_corpus_text_rules(like->corpus);
    cli_given_rules(call, &settings->import);
    if (settings->import.like)
        return 0;
    return cli_misuse(call->command, "--like: %s does not record how its text was read",
                      settings->like);
}

static ezlda_status read_input(const cli_call *call, ezlda_context *context, ezlda_corpus **corpus,
                               ezlda_model **model)
{
    const import_settings *settings = call->settings;
    *model = NULL;
    if (settings->model)
        return ezlda_model_from_mallet_state(model, corpus, context, call->operands[0]);
    return cli_read_corpus(corpus, context, call, &settings->import);
}

static int import_and_save(const cli_call *call, ezlda_context *context)
{
    const import_settings *settings = call->settings;
    int exit_status = CLI_SUCCESS;
    ezlda_corpus *corpus;
    ezlda_model *model;
    ezlda_status status = read_input(call, context, &corpus, &model);
    if (status != EZLDA_OK)
        return cli_fail_library(context, status);
    status = ezlda_corpus_save(context, corpus, settings->output);
    if (status == EZLDA_OK && model)
        status = ezlda_model_save(context, model, settings->model);
    if (status != EZLDA_OK)
        exit_status = cli_fail_library(context, status);
    else if (!settings->common.quiet)
        cli_print_corpus(settings->output, corpus);
    ezlda_model_free(model);
    ezlda_corpus_free(corpus);
    return exit_status;
}

static int run_import(cli_call *call, ezlda_context *context)
{
    const import_settings *settings = call->settings;
    int exit_status = output_check(call, "--output", settings->output);
    if (!exit_status)
        exit_status = check_model(call);
    if (exit_status)
        return exit_status;
    like_file like = {0};
    exit_status = open_like(call, context, &like);
    if (!exit_status)
        exit_status = import_and_save(call, context);
    ezlda_model_free(like.model);
    ezlda_corpus_free(like.corpus);
    return exit_status;
}

/* What most people use. */
static const char *const import_first[] = {
    "output",  "format",      "text-field", "name-field", "label-field",  "keep-fields",
    "unit",    "split",       "stopwords",  "stemmer",    "lemmas",       "ngrams",
    "phrases", "keep-markup", "keep-order", "keep-text",  "no-keep-text", "min-docs",
    "quiet",   "help",        "help-all",   NULL};

const cli_command cmd_import = {
    .name = "import",
    .operands = "IN... -o FILE",
    .summary = "read a corpus of any format and write a corpus file",
    .description =
        "Reads one or more inputs of the same format as one corpus, in order, and writes a compact "
        "corpus file (.ezc) that every command opens at once. The format is detected, or named "
        "with --format. Files compressed by gzip, zstd or xz are decompressed; - is standard "
        "input.\n\n"
        "Bags of words (uci, mm, ldac, svmlight) are read as they are. Text (mallet, text, dir, "
        "csv, tsv, jsonl, json, html, xml, markdown) is split into words by Unicode's rules, put "
        "in lower case and filtered. Every document is kept, even if it is empty.\n\n"
        "A folder of single cells as 10x Genomics' tools write it (matrix.mtx, features.tsv and "
        "barcodes.tsv) is read as such: each cell is a document, each gene or genomic region a "
        "word.\n\n"
        "A MALLET state (--output-state) is read as its documents, and with --model also as a "
        "model.",
    .examples =
        "ezlda import docword.kos.txt.gz -o kos.ezc\n"
        "ezlda import articles.jsonl.zst --text-field body --keep-fields date -o articles.ezc\n"
        "zcat mails/*.gz | ezlda import - --format text --stopwords en,de --min-docs 5 -o "
        "mails.ezc\n"
        "ezlda import today.jsonl --like articles.ezm -o today.ezc\n"
        "ezlda import state.gz -o mallet.ezc --model mallet.ezm",
    .sections = import_sections,
    .settings_size = sizeof(import_settings),
    .defaults = import_defaults,
    .run = run_import,
    .first_options = import_first,
    .min_operands = 1,
    .max_operands = (size_t)-1,
    .operand_name = "input",
};
