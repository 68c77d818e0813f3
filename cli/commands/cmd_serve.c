/* ezlda serve: a page on this machine that searches all documents of a corpus by words, fields and
 * topics. */
#include "cli.h"
#include "interrupts.h"
#include "output/report_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SERVE_PORT = 8765 };

typedef struct serve_settings {
    cli_common common;
    ezlda_import_options import;
    ezlda_report_options report;
    const char *index, *token;
    uint32_t port;
} serve_settings;

#define SETTING(field) .target = offsetof(serve_settings, field)

static const cli_option serve_options[] = {
    {.name = "port",
     .type = CLI_U32,
     .argument = "N",
     SETTING(port),
     .most = 65535,
     .help = "port on the loopback interface; 0: any free port"},
    {.name = "token",
     .type = CLI_TEXT,
     .argument = "TEXT",
     SETTING(token),
     .unset = "a random one",
     .help = "secret part of the address, of letters, digits, - and _; a fixed one keeps saved "
             "links valid"},
    {.name = "index",
     .type = CLI_TEXT,
     .argument = "FILE",
     SETTING(index),
     .unset = "CORPUS.ezi beside a corpus file, else memory",
     .help = "file of the index, which is made if it is missing or stale; none: in memory"},
    {0}};

static const cli_option content_options[] = {{.name = "title",
                                              .type = CLI_TEXT,
                                              .argument = "TEXT",
                                              SETTING(report.title),
                                              .unset = "the model's file name",
                                              .help = "title of the page"},
                                             {0}};

static const cli_section serve_sections[] = {
    {"Serving", serve_options, 0},
    {"Content", content_options, 0},
    {"Reading raw corpora (by default as the model's text was read)", cli_import_options,
     offsetof(serve_settings, import)},
    {"Word filters", cli_filter_options, offsetof(serve_settings, import)},
    {"General", cli_common_options, 0},
    {0}};

static void serve_defaults(void *target)
{
    serve_settings *settings = target;
    ezlda_import_options_init(&settings->import);
    ezlda_report_options_init(&settings->report);
    settings->import.stopwords = cli_model_stopwords;
    settings->import.keep_text = EZLDA_KEEP_TEXT_AUTO;
    settings->port = SERVE_PORT;
}

/* The index beside a corpus file: its name with .ezi; NULL: the corpus is not one such file. */
static char *index_beside(const cli_call *call)
{
    const char *corpus = call->operands[1];
    size_t n = strlen(corpus);
    if (call->n_operands != 2 || n < 5 || strcmp(corpus + n - 4, ".ezc") != 0)
        return NULL;
    char *path = cli_zeroed(n + 1, 1);
    snprintf(path, n + 1, "%.*s.ezi", (int)(n - 4), corpus);
    return path;
}

typedef struct serving {
    const char *token;
    bool printed;
} serving;

static int while_serving(uint16_t port, void *user)
{
    serving *now = user;
    if (!now->printed) {
        printf("http://127.0.0.1:%u/%s/ (Ctrl-C ends)\n", port, now->token);
        fflush(stdout);
    }
    now->printed = true;
    return interrupts_asked();
}

static ezlda_status serve(const cli_call *call, ezlda_context *context, const ezlda_report *report)
{
    const serve_settings *settings = call->settings;
    ezlda_serve_options options;
    char token[33];
    char *beside = settings->index ? NULL : index_beside(call);
    serving now = {settings->token, false};
    ezlda_serve_options_init(&options);
    options.port = (uint16_t)settings->port;
    options.running = while_serving;
    options.user = &now;
    options.search = 1;
    options.index = settings->index ? settings->index : beside;
    if (options.index && strcmp(options.index, "none") == 0)
        options.index = NULL;
    ezlda_status status = EZLDA_OK;
    if (!now.token) {
        status = ezlda_serve_token(context, token);
        now.token = token;
    }
    options.token = now.token;
    interrupts_catch();
    if (status == EZLDA_OK)
        status = ezlda_report_serve(context, report, &options);
    free(beside);
    return status;
}

static int run_serve(cli_call *call, ezlda_context *context)
{
    serve_settings *settings = call->settings;
    ezlda_report_options *options = &settings->report;
    ezlda_model *model = NULL;
    ezlda_corpus *corpus = NULL;
    ezlda_report *report = NULL;
    char day[16];
    options->title = options->title ? options->title : report_file_title(call->operands[0]);
    options->created = report_file_day(day);
    options->corpus_name = call->operands[1];
    ezlda_status status = cli_load_model(&model, context, call);
    if (status == EZLDA_OK)
        status = cli_read_corpus_like(&corpus, context, call, model, &settings->import);
    if (status == EZLDA_OK)
        status = ezlda_report_make(&report, context, model, corpus, NULL, options);
    if (status == EZLDA_OK)
        status = serve(call, context, report);
    int exit_status = status == EZLDA_OK ? CLI_SUCCESS : cli_fail_library(context, status);
    ezlda_report_free(report);
    ezlda_corpus_free(corpus);
    ezlda_model_free(model);
    return exit_status;
}

/* What most people use. */
static const char *const serve_first[] = {"port",   "token",      "index",       "title",
                                          "format", "text-field", "keep-fields", "quiet",
                                          "help",   "help-all",   NULL};

const cli_command cmd_serve = {
    .name = "serve",
    .operands = "MODEL CORPUS...",
    .summary = "serve a page that searches all documents by words, fields and topics",
    .description =
        "Serves the report of a model to browsers on this machine, with a search over all "
        "documents of the corpus that it was trained on: words, \"phrases\", values of fields, "
        "topics, and their combinations, such as\n\n"
        "    court \"new york\" topic:7 year:1990..2000 -author:smith\n\n"
        "The page counts the documents found by field and by topic, puts them into tables, "
        "compares them with those of another query, and exports them as CSV or JSON. The address "
        "of a view can be kept as a link. Texts are shown if the corpus has them (ezlda import "
        "--keep-text).\n\n"
        "Only this machine can connect, and the address has a secret part. The only file written "
        "is the index, beside a corpus file; later runs use it again.",
    .examples = "ezlda serve news.ezm news.ezc\n"
                "ezlda serve news.ezm news.ezc --port 9000 --token desk\n"
                "ezlda serve reviews.ezm reviews.csv",
    .sections = serve_sections,
    .settings_size = sizeof(serve_settings),
    .defaults = serve_defaults,
    .run = run_serve,
    .first_options = serve_first,
    .min_operands = 2,
    .max_operands = (size_t)-1,
    .operand_name = "model or corpus",
};
