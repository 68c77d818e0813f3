/* ezlda report: makes or serves an HTML page about a model. */
#include "cli.h"
#include "interrupts.h"
#include "options/names_option.h"
#include "output/output_path.h"
#include "output/report_file.h"

#include <stdio.h>
#include <string.h>

enum { REPORT_PORT = 8765 };

typedef struct report_settings {
    cli_common common;
    ezlda_import_options import;
    ezlda_report_options report;
    const char *output, *svg, *compare, *names;
    int serve;
    uint32_t port;
} report_settings;

#define SETTING(field) .target = offsetof(report_settings, field)

static const cli_option report_options[] = {
    {.name = "output",
     .letter = 'o',
     .type = CLI_TEXT,
     .argument = "FILE",
     SETTING(output),
     .help = "HTML file to write; it is complete in itself and needs no network"},
    {.name = "compare",
     .type = CLI_TEXT,
     .argument = "MODEL",
     SETTING(compare),
     .help = "match the topics of another model with these"},
    {.name = "svg",
     .type = CLI_TEXT,
     .argument = "DIR",
     SETTING(svg),
     .help = "write pictures into a folder: map.svg, and topic-N.svg for every topic"},
    {.name = "serve",
     .type = CLI_FLAG,
     SETTING(serve),
     .help = "serve the report to browsers on this machine, with every document on demand, until "
             "Ctrl-C"},
    {.name = "port",
     .type = CLI_U32,
     .argument = "N",
     SETTING(port),
     .most = 65535,
     .help = "port of --serve on the loopback interface; 0: any free port"},
    {0}};

static const char *const steps[] = {"auto", "day",     "week",   "month", "quarter",
                                    "year", "5-years", "decade", NULL};

static const cli_option content_options[] = {
    {.name = "names",
     .type = CLI_TEXT,
     .argument = "FILE",
     SETTING(names),
     .help = "show the names of topics in this file, which a page has saved (TSV or JSON); "
             "'ezlda label --import' puts them into the model"},
    {.name = "title",
     .type = CLI_TEXT,
     .argument = "TEXT",
     SETTING(report.title),
     .unset = "the model's file name",
     .help = "title of the page"},
    {.name = "words",
     .letter = 'n',
     .type = CLI_U32,
     .argument = "N",
     SETTING(report.words),
     .least = 1,
     .most = EZLDA_REPORT_MOST_WORDS,
     .unset = "30; fewer beyond 1000 topics",
     .help = "top words per topic, at every position of the relevance slider"},
    {.name = "docs",
     .type = CLI_U32,
     .argument = "N",
     SETTING(report.docs),
     .least = 1,
     .most = EZLDA_REPORT_MOST_DOCS,
     .unset = "10; fewer beyond 300 topics",
     .help = "top documents per topic"},
    {.name = "field",
     .type = CLI_TEXT,
     .argument = "NAME",
     SETTING(report.field),
     .unset = "all that can be plotted",
     .help = "field of the corpus to plot topics over: years or dates (2019-05-17), or at most 40 "
             "distinct values"},
    {.name = "step",
     .type = CLI_NAME,
     .argument = "STEP",
     SETTING(report.step),
     .choices = steps,
     .unset = "auto",
     .help =
         "step of time in which the page first shows curves over dates; the page has the others, "
         "too"},
    {0}};

static const cli_section report_sections[] = {
    {"Report", report_options, 0},
    {"Content", content_options, 0},
    {"Reading raw corpora (by default as the model's text was read)", cli_import_options,
     offsetof(report_settings, import)},
    {"Word filters", cli_filter_options, offsetof(report_settings, import)},
    {"General", cli_common_options, 0},
    {0}};

static void report_defaults(void *target)
{
    report_settings *settings = target;
    ezlda_import_options_init(&settings->import);
    ezlda_report_options_init(&settings->report);
    settings->import.stopwords = cli_model_stopwords;
    settings->import.keep_text = EZLDA_KEEP_TEXT_AUTO;
    settings->port = REPORT_PORT;
}

static int check_arguments(const cli_call *call)
{
    const report_settings *settings = call->settings;
    if (!settings->output && !settings->svg && !settings->serve)
        return cli_misuse(call->command, "nothing to do: expected -o FILE, --svg DIR or --serve");
    if (cli_given(call, "port") && !settings->serve)
        return cli_misuse(call->command, "--port needs --serve");
    if (settings->svg && !*settings->svg)
        return cli_misuse(call->command, "--svg: expected the name of a folder, found ''");
    return output_check(call, "--output", settings->output);
}

/* ---- using a report ---- */

static int while_serving(uint16_t port, void *user)
{
    bool *printed = user;
    if (!*printed) {
        printf("http://127.0.0.1:%u/ (Ctrl-C ends)\n", port);
        fflush(stdout);
    }
    *printed = true;
    return interrupts_asked();
}

static ezlda_status serve(const report_settings *settings, ezlda_context *context,
                          const ezlda_report *report)
{
    ezlda_serve_options options;
    bool printed = false;
    ezlda_serve_options_init(&options);
    options.port = (uint16_t)settings->port;
    options.running = while_serving;
    options.user = &printed;
    interrupts_catch();
    return ezlda_report_serve(context, report, &options);
}

static ezlda_status use_report(const report_settings *settings, ezlda_context *context,
                               const ezlda_report *report)
{
    ezlda_status status = EZLDA_OK;
    if (settings->output)
        status = report_file_write(context, report, settings->output, settings->common.quiet);
    if (status == EZLDA_OK && settings->svg)
        status = ezlda_report_write_svg(context, report, settings->svg);
    if (status == EZLDA_OK && settings->serve)
        status = serve(settings, context, report);
    return status;
}

/* ---- running ---- */

static ezlda_status read_inputs(const cli_call *call, ezlda_context *context, ezlda_model **model,
                                ezlda_model **other, ezlda_corpus **corpus)
{
    report_settings *settings = call->settings;
    ezlda_status status = cli_load_model(model, context, call);
    if (status == EZLDA_OK && settings->compare)
        status = ezlda_model_load(other, context, settings->compare);
    if (status == EZLDA_OK && call->n_operands > 1)
        status = cli_read_corpus_like(corpus, context, call, *model, &settings->import);
    return status;
}

/* Replaces the model by a copy with the names of --names. 0, or an exit status after one line. */
static int use_names(const report_settings *settings, ezlda_context *context, ezlda_model **model)
{
    ezlda_model *named = NULL;
    cli_text text = {0};
    const char *now = ezlda_model_edits(*model);
    if (!settings->names)
        return 0;
    text_put(&text, now, strlen(now));
    int exit_status = names_read(&text, *model, settings->names, false);
    if (!exit_status &&
        ezlda_model_with_edits(&named, context, *model, text.data, "names") != EZLDA_OK)
        exit_status = cli_fail_library(context, EZLDA_ERROR_ARGUMENT);
    text_free(&text);
    if (exit_status)
        return exit_status;
    ezlda_model_free(*model);
    *model = named;
    return 0;
}

static int run_report(cli_call *call, ezlda_context *context)
{
    report_settings *settings = call->settings;
    ezlda_model *model = NULL, *other = NULL;
    ezlda_corpus *corpus = NULL;
    ezlda_report *report = NULL;
    char day[16];
    int exit_status = check_arguments(call);
    if (exit_status)
        return exit_status;
    ezlda_report_options *options = &settings->report;
    options->title = options->title ? options->title : report_file_title(call->operands[0]);
    options->other_title = settings->compare ? report_file_title(settings->compare) : NULL;
    options->created = report_file_day(day);
    options->corpus_name = call->n_operands > 1 ? call->operands[1] : NULL;
    ezlda_status status = read_inputs(call, context, &model, &other, &corpus);
    if (status == EZLDA_OK)
        exit_status = use_names(settings, context, &model);
    if (exit_status)
        goto done;
    if (status == EZLDA_OK)
        status = ezlda_report_make(&report, context, model, corpus, other, options);
    if (status == EZLDA_OK)
        status = use_report(settings, context, report);
    exit_status = status == EZLDA_OK ? CLI_SUCCESS : cli_fail_library(context, status);
done:
    ezlda_report_free(report);
    ezlda_corpus_free(corpus);
    ezlda_model_free(other);
    ezlda_model_free(model);
    return exit_status;
}

/* What most people use. */
static const char *const report_first[] = {
    "output", "compare", "svg",        "serve",       "port",  "names", "title",    "field", "step",
    "docs",   "format",  "text-field", "keep-fields", "quiet", "help",  "help-all", NULL};

const cli_command cmd_report = {
    .name = "report",
    .operands = "MODEL [CORPUS...] [-o FILE] [--svg DIR] [--serve]",
    .summary = "write an HTML page that shows a model's topics",
    .description =
        "Makes one HTML file that shows a model: a map of its topics, their words with a relevance "
        "slider, their top documents, search for words and documents, and near-duplicate and junk "
        "topics flagged with the reason. It opens in any browser without a network. Topics keep "
        "the model's numbers.\n\n"
        "With the corpus that the model was trained on, the report also has coherence, the words "
        "of documents coloured by topic, and plots of topics over fields that were kept, such as a "
        "date or a label. Words that were filtered for the run are ignored. --compare shows the "
        "topics of "
        "another model beside these. --svg writes pictures for papers. --serve shows the same page "
        "on a local port, with every document of a large corpus.",
    .examples = "ezlda report news.ezm -o news.html\n"
                "ezlda report news.ezm news.ezc -o news.html --field date\n"
                "ezlda report june.ezm --compare january.ezm -o june.html\n"
                "ezlda report news.ezm news.ezc --serve\n"
                "ezlda report news.ezm --svg pictures",
    .sections = report_sections,
    .settings_size = sizeof(report_settings),
    .defaults = report_defaults,
    .run = run_report,
    .first_options = report_first,
    .min_operands = 1,
    .max_operands = (size_t)-1,
    .operand_name = "model",
};
