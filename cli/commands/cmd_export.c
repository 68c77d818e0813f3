/* ezlda export: writes a model in the formats of other tools. */
#include "cli.h"
#include "output/output_path.h"
#include "output/text_out.h"
#include "platform.h"

#include <string.h>

typedef struct export_settings {
    cli_common common;
    const char *to, *output, *corpus;
    uint32_t words;
} export_settings;

static const char *const formats[] = {
    "mallet-state", "mallet-keys", "mallet-doc-topics", "gensim", "pyldavis-json", "npz",
    "csv",          NULL};

static const cli_option export_options[] = {
    {.name = "to",
     .letter = 't',
     .type = CLI_NAME,
     .argument = "FORMAT",
     .target = offsetof(export_settings, to),
     .choices = formats,
     .required = true,
     .help = "what to write: MALLET's state, topic keys or dense document topics; a model that "
             "gensim loads; the data of a pyLDAvis page; arrays for NumPy; or tables as CSV"},
    {.name = "output",
     .letter = 'o',
     .type = CLI_TEXT,
     .argument = "PATH",
     .target = offsetof(export_settings, output),
     .required = true,
     .help = "file to write, or folder for gensim and csv. A name that ends in .gz is compressed "
             "(mallet-keys, mallet-doc-topics); a MALLET state always is"},
    {.name = "corpus",
     .type = CLI_TEXT,
     .argument = "FILE",
     .target = offsetof(export_settings, corpus),
     .help = "corpus that the model was trained on: required for mallet-state; adds document "
             "frequencies of words to gensim, and a table of the documents' fields to csv"},
    {.name = "words",
     .type = CLI_U32,
     .argument = "N",
     .target = offsetof(export_settings, words),
     .least = 1,
     .most = UINT32_MAX,
     .unset = "20; 30 for pyldavis-json",
     .help = "words per topic (mallet-keys, csv, pyldavis-json)"},
    {0}};

static const cli_section export_sections[] = {
    {"Export", export_options, 0}, {"General", cli_common_options, 0}, {0}};

static bool has_words(const char *format)
{
    return strcmp(format, "mallet-keys") == 0 || strcmp(format, "csv") == 0 ||
           strcmp(format, "pyldavis-json") == 0;
}

static bool uses_corpus(const char *format)
{
    return strcmp(format, "mallet-state") == 0 || strcmp(format, "gensim") == 0 ||
           strcmp(format, "csv") == 0;
}

static bool is_folder(const char *format)
{
    return strcmp(format, "csv") == 0 || strcmp(format, "gensim") == 0;
}

static int check_options(const cli_call *call)
{
    const export_settings *settings = call->settings;
    if (settings->words && !has_words(settings->to))
        return cli_misuse(call->command, "--words: %s holds no list of words", settings->to);
    if (settings->corpus && !uses_corpus(settings->to))
        return cli_misuse(call->command, "--corpus: %s is made from the model alone", settings->to);
    if (is_folder(settings->to) && *settings->output)
        return 0;
    return output_check(call, "--output", settings->output);
}

static ezlda_status write_export(const export_settings *settings, ezlda_context *context,
                                 const ezlda_model *model)
{
    ezlda_export_options options;
    ezlda_corpus *corpus = NULL;
    ezlda_status status = EZLDA_OK;
    ezlda_export_options_init(&options);
    options.words = settings->words;
    if (settings
            ->corpus) { /* any format; its hash shows whether it is the right one, so no notes */
        ezlda_import_options import;
        ezlda_import_options_init(&import);
        import.like = ezlda_model_reading_rules(model);
        ezlda_context_set_notes(context, NULL, NULL);
        status = ezlda_corpus_read(&corpus, context, &settings->corpus, 1, &import);
        ezlda_context_set_notes(context, settings->common.quiet ? cli_note_failure : cli_note,
                                NULL);
    }
    options.corpus = corpus;
    options.corpus_name = settings->corpus;
    if (status == EZLDA_OK)
        status = ezlda_model_export(context, model, settings->to, settings->output, &options);
    ezlda_corpus_free(corpus);
    return status;
}

/* How to open what was written: text before and after the path, or without it. */
static void put_use(cli_text *line, const export_settings *settings)
{
    static const struct {
        const char *format, *before, *after;
    } uses[] = {{"mallet-state", "for ezlda import and MALLET's --input-state", NULL},
                {"mallet-keys", "MALLET's topic keys", NULL},
                {"mallet-doc-topics", "MALLET's document topics", NULL},
                {"gensim", "in Python: gensim.models.LdaModel.load(\"", "/model\")"},
                {"pyldavis-json", "docs/exports.md has the lines of Python that show it", NULL},
                {"npz", "in Python: numpy.load(\"", "\")"},
                {"csv", "topics.csv, topic_words.csv and doc_topics.csv", NULL}};
    for (size_t i = 0; i < sizeof uses / sizeof *uses; i++) {
        if (strcmp(uses[i].format, settings->to) != 0)
            continue;
        text_printf(line, ", %s", uses[i].before);
        if (uses[i].after)
            text_shown(line, settings->output);
        text_printf(line, "%s", uses[i].after ? uses[i].after : "");
    }
}

/* Says what was written, unless it went to a device or a pipe. */
static void print_written(const export_settings *settings)
{
    platform_info info;
    char bytes[32];
    cli_text line = {0};
    if (settings->common.quiet || platform_look(settings->output, &info) != 0 ||
        !(info.is_regular || info.is_folder))
        return;
    text_shown(&line, settings->output);
    if (info.is_regular)
        text_printf(&line, ": %s", text_bytes(info.bytes, bytes));
    put_use(&line, settings);
    fprintf(cli_closing(), "%s\n", line.data);
    text_free(&line);
}

static int run_export(cli_call *call, ezlda_context *context)
{
    const export_settings *settings = call->settings;
    ezlda_model *model;
    int exit_status = check_options(call);
    if (exit_status)
        return exit_status;
    ezlda_status status = cli_load_model(&model, context, call);
    if (status != EZLDA_OK)
        return cli_fail_library(context, status);
    status = write_export(settings, context, model);
    ezlda_model_free(model);
    if (status == EZLDA_OK)
        print_written(settings);
    return status == EZLDA_OK ? CLI_SUCCESS : cli_fail_library(context, status);
}

const cli_command cmd_export = {
    .name = "export",
    .operands = "MODEL --to FORMAT -o PATH",
    .summary = "write a model in the format of another tool",
    .description =
        "Writes a model for MALLET, gensim, pyLDAvis, NumPy or a spreadsheet, completely or not at "
        "all. mallet-state needs a model that was trained with --keep-topics, and its corpus "
        "(--corpus); 'ezlda import' reads such a state back, or one that MALLET wrote. gensim is a "
        "folder: LdaModel.load(\"PATH/model\") opens it. csv is a folder with topics.csv, "
        "topic_words.csv and doc_topics.csv. A folder from an earlier export is replaced.",
    .examples = "ezlda export kos.ezm --to gensim -o kos.gensim\n"
                "ezlda export kos.ezm --to pyldavis-json -o kos.vis.json\n"
                "ezlda export kos.ezm --to mallet-state --corpus kos.ezc -o kos.state.gz\n"
                "ezlda export kos.ezm --to mallet-keys --words 10 -o /dev/stdout",
    .sections = export_sections,
    .settings_size = sizeof(export_settings),
    .run = run_export,
    .min_operands = 1,
    .max_operands = 1,
    .operand_name = "model",
};
