/* ezlda label: names topics by their words, or with answers of a language model or a colleague. */
#include "cli.h"
#include "options/names_option.h"
#include "output/output_path.h"
#include "output/topic_prompts.h"

#include <string.h>

typedef struct label_settings {
    cli_common common;
    const char *export, *import, *output;
    int automatic;
} label_settings;

#define SETTING(field) .target = offsetof(label_settings, field)

static const cli_option label_options[] = {
    {.name = "auto",
     .type = CLI_FLAG,
     SETTING(automatic),
     .help = "name each topic that has no name by its distinctive words: two, or more if another "
             "topic has these"},
    {.name = "export",
     .type = CLI_TEXT,
     .argument = "FILE",
     SETTING(export),
     .help = "write one prompt per topic, a JSON object on a line: a request, its words, its first "
             "documents, and the topics that are most alike"},
    {.name = "import",
     .type = CLI_TEXT,
     .argument = "FILE",
     SETTING(import),
     .help =
         "give topics the names of this file: {\"topic\": 7, \"name\": \"Courts\"}, in lines or in "
         "an "
         "array, or what the page of a report saves (TSV or JSON); an empty name, or one that two "
         "topics would have, is an error"},
    {.name = "output",
     .letter = 'o',
     .type = CLI_TEXT,
     .argument = "MODEL2",
     SETTING(output),
     .unset = "MODEL itself",
     .help = "write the named model to another file"},
    {0}};

static const cli_section label_sections[] = {
    {"Names", label_options, 0}, {"General", cli_common_options, 0}, {0}};

static int check_options(const cli_call *call)
{
    const label_settings *s = call->settings;
    if (!!s->automatic + !!s->export + !!s->import != 1)
        return cli_misuse(call->command, "expected --auto, --export FILE or --import FILE");
    if (s->export && s->output)
        return cli_misuse(call->command, "--export writes no model: --output means nothing");
    return s->export ? output_check(call, "--export", s->export) : 0;
}

/* Prints "m.ezm: 20 topics named", with all topics that have a name. */
static void print_named(const char *path, const ezlda_model *model)
{
    ezlda_model_info info = {.size = sizeof info};
    uint32_t named = 0;
    cli_text line = {0};
    ezlda_model_get_info(model, &info);
    for (uint32_t k = 0; k < info.topics; k++)
        named += *ezlda_model_topic_name(model, k) && !ezlda_model_topic_hidden(model, k);
    text_shown(&line, path);
    fprintf(cli_closing(), "%s: %u topic%s named\n", line.data, named, named == 1 ? "" : "s");
    text_free(&line);
}

/* Adds operations to the model's edits and writes it. */
static int name_topics(const cli_call *call, ezlda_context *context, const ezlda_model *model)
{
    const label_settings *s = call->settings;
    cli_text text = {0};
    ezlda_model *named = NULL;
    const char *now = ezlda_model_edits(model);
    ezlda_status status = EZLDA_OK;
    int exit_status = 0;
    text_put(&text, now, strlen(now));
    if (s->automatic)
        status = prompts_names(&text, model, context);
    else
        exit_status = names_read(&text, model, s->import, true);
    if (!exit_status && status == EZLDA_OK)
        status = ezlda_model_with_edits(&named, context, model, text.data, "names");
    if (!exit_status && status == EZLDA_OK)
        status = ezlda_model_save(context, named, s->output ? s->output : call->operands[0]);
    if (status != EZLDA_OK)
        exit_status = cli_fail_library(context, status);
    if (!exit_status && !s->common.quiet)
        print_named(s->output ? s->output : call->operands[0], named);
    ezlda_model_free(named);
    text_free(&text);
    return exit_status;
}

static int run_label(cli_call *call, ezlda_context *context)
{
    const label_settings *settings = call->settings;
    ezlda_model *model = NULL;
    int exit_status = check_options(call);
    if (exit_status)
        return exit_status;
    ezlda_status status = ezlda_model_load(&model, context, call->operands[0]);
    if (status != EZLDA_OK)
        return cli_fail_library(context, status);
    exit_status = settings->export ? prompts_write(model, context, settings->export)
                                   : name_topics(call, context, model);
    ezlda_model_free(model);
    return exit_status;
}

const cli_command cmd_label = {
    .name = "label",
    .operands = "MODEL [OPTION]...",
    .summary = "name topics by their words, or by answers to prompts",
    .description =
        "Names all topics at once: by their distinctive words (--auto), or by a file (--import). "
        "--export writes what a language model or a colleague needs to name them. Hidden topics "
        "are left alone. Names are edits: 'ezlda edit' lists them and takes them back.",
    .examples = "ezlda label news.ezm --auto\n"
                "ezlda label news.ezm --export prompts.jsonl\n"
                "ezlda label news.ezm --import answers.jsonl",
    .sections = label_sections,
    .settings_size = sizeof(label_settings),
    .run = run_label,
    .min_operands = 1,
    .max_operands = 1,
    .operand_name = "model",
};
