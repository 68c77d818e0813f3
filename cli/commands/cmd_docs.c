/* ezlda docs: prints the topics of documents, or the top documents of a topic. */
#include "cli.h"
#include "output/doc_views.h"

#include <stdlib.h>
#include <string.h>

static const cli_option docs_options[] = {
    {.name = "top",
     .type = CLI_U32,
     .argument = "N",
     .target = offsetof(docs_settings, top),
     .least = 1,
     .most = 65536,
     .help = "topics shown per document, the largest first"},
    {.name = "doc",
     .letter = 'd',
     .type = CLI_TEXT,
     .argument = "NAME|#N",
     .target = offsetof(docs_settings, doc),
     .unset = "all",
     .help =
         "show one document, by its name or by its number from 0, with the words of its topics"},
    {.name = "topic",
     .letter = 't',
     .type = CLI_TEXT,
     .argument = "T",
     .target = offsetof(docs_settings, topic),
     .help = "show the documents with the largest share of this topic"},
    {.name = "count",
     .letter = 'n',
     .type = CLI_U64,
     .argument = "N",
     .target = offsetof(docs_settings, count),
     .least = 1,
     .most = 1e15,
     .unset = "all; 10 with --topic",
     .help = "number of documents to show"},
    {.name = "interval",
     .type = CLI_REAL,
     .argument = "P",
     .target = offsetof(docs_settings, interval),
     .least = 1,
     .most = 99.99,
     .unset = "none",
     .help = "show shares with intervals that hold P percent of the posterior, from the samples "
             "that train --samples has kept"},
    {0}};

static const cli_section docs_sections[] = {{"Documents", docs_options, 0},
                                            {"", list_options, offsetof(docs_settings, list)},
                                            {"General", cli_common_options, 0},
                                            {0}};

static void docs_defaults(void *target)
{
    docs_settings *settings = target;
    settings->top = 3;
}

/* Finds the document called `name`, or #N; false after a misuse was reported. */
static bool find_document(const cli_call *call, const ezlda_model *model, const char *name,
                          uint64_t docs, uint64_t *doc)
{
    uint64_t found = 0, second = 0;
    for (uint64_t d = 0; d < docs; d++)
        if (strcmp(ezlda_model_doc_name(model, d), name) == 0 && ++found <= 2)
            *(found == 1 ? doc : &second) = d;
    if (found > 1 && !((const docs_settings *)call->settings)->common.quiet)
        fprintf(stderr, "%llu documents are called '%s': this is #%llu, the next one #%llu\n",
                (unsigned long long)found, name, (unsigned long long)*doc,
                (unsigned long long)second);
    if (found)
        return true;
    if (name[0] == '#' && cli_parse_u64(name + 1, doc) && *doc < docs)
        return true;
    if (!docs)
        cli_misuse(call->command, "--doc: the model has no documents");
    else
        cli_misuse(
            call->command,
            "--doc: expected the name of a document, or its number from #0 to #%llu, found '%s'",
            (unsigned long long)docs - 1, name);
    return false;
}

static int print_documents(const cli_call *call, const docs_view *view, uint64_t docs)
{
    const docs_settings *settings = call->settings;
    uint64_t first = 0, end = settings->count && settings->count < docs ? settings->count : docs;
    if (settings->doc) {
        if (!find_document(call, view->model, settings->doc, docs, &first))
            return CLI_USAGE;
        end = first + 1;
    }
    ezlda_status status = EZLDA_OK;
    if (settings->list.json)
        docs_json(view, first, end);
    else if (settings->list.tsv)
        docs_tsv(view, first, end);
    else if (settings->doc)
        status = doc_table(view, first);
    else
        docs_table(view, first, end);
    return status == EZLDA_OK ? CLI_SUCCESS : cli_fail_library(view->context, status);
}

static int print_top_documents(const cli_call *call, const docs_view *view, uint32_t topics)
{
    const docs_settings *settings = call->settings;
    uint64_t topic;
    if (!cli_parse_u64(settings->topic, &topic) || topic >= topics)
        return cli_misuse(call->command, "--topic: expected a number from 0 to %u, found '%s'",
                          topics - 1, settings->topic);
    ezlda_status status = top_docs(view, (uint32_t)topic);
    return status == EZLDA_OK ? CLI_SUCCESS : cli_fail_library(view->context, status);
}

static int run_docs(cli_call *call, ezlda_context *context)
{
    const docs_settings *settings = call->settings;
    int exit_status = list_check(call, &settings->list);
    if (exit_status)
        return exit_status;
    if (settings->topic && settings->doc)
        return cli_misuse(call->command, "--topic and --doc exclude each other");
    if (settings->topic && settings->interval > 0)
        return cli_misuse(call->command, "--topic and --interval exclude each other");
    ezlda_model *model;
    ezlda_status status = cli_load_model(&model, context, call);
    if (status != EZLDA_OK)
        return cli_fail_library(context, status);
    if (settings->interval > 0 && !ezlda_model_samples(model)) {
        ezlda_model_free(model);
        return cli_misuse(
            call->command,
            "--interval: %s keeps no samples: train with --samples, or use ezlda infer "
            "MODEL CORPUS --interval",
            call->operands[0]);
    }
    ezlda_model_info info = {.size = sizeof info};
    ezlda_model_get_info(model, &info);
    docs_view view = docs_view_open(model, context, settings);
    exit_status = settings->topic ? print_top_documents(call, &view, info.topics)
                                  : print_documents(call, &view, info.docs);
    docs_view_close(&view);
    ezlda_model_free(model);
    return exit_status;
}

const cli_command cmd_docs = {
    .name = "docs",
    .operands = "MODEL [OPTION]...",
    .summary = "show the topics of documents, or the documents of a topic",
    .description =
        "Shows the topics of each training document, largest share first, or with --topic the "
        "documents with the largest share of a topic. A share is (tokens + alpha) / (length + sum "
        "of alpha); topics without a token in the document are not shown. Documents and topics are "
        "numbered from 0. --tsv prints one line per document, or with --interval one per topic of "
        "a "
        "document.",
    .examples = "ezlda docs kos.ezm -n 20\nezlda docs kos.ezm --topic 7\nezlda docs kos.ezm --doc "
                "'#12' --top 5\n"
                "ezlda docs kos.ezm --tsv > doc-topics.tsv",
    .sections = docs_sections,
    .settings_size = sizeof(docs_settings),
    .defaults = docs_defaults,
    .run = run_docs,
    .min_operands = 1,
    .max_operands = 1,
    .operand_name = "model",
};
