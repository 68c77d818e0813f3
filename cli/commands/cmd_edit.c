/* ezlda edit: names, merges, hides and groups the topics of a model. */
#include "cli.h"
#include "options/names_option.h"
#include "output/text_out.h"
#include "platform.h"

#include <string.h>

typedef struct edit_settings {
    cli_common common;
    const char *file, *output;
    int list, undo;
} edit_settings;

#define SETTING(field) .target = offsetof(edit_settings, field)

static const cli_option edit_options[] = {
    {.name = "file",
     .type = CLI_TEXT,
     .argument = "FILE",
     SETTING(file),
     .help = "read operations from this file, one per line, before those of the command line; - is "
             "standard input"},
    {.name = "list",
     .type = CLI_FLAG,
     SETTING(list),
     .help = "print the edits of the model, one operation per line, as --file reads them"},
    {.name = "undo",
     .type = CLI_FLAG,
     SETTING(undo),
     .help = "take back the last operation; a merge from before an update cannot be taken back"},
    {.name = "output",
     .letter = 'o',
     .type = CLI_TEXT,
     .argument = "MODEL2",
     SETTING(output),
     .unset = "MODEL itself",
     .help = "write the edited model to another file"},
    {0}};

static const cli_section edit_sections[] = {
    {"Edits", edit_options, 0}, {"General", cli_common_options, 0}, {0}};

/* Appends a file. 0, or an exit status after one line. */
static int read_file(cli_text *text, const char *path)
{
    int exit_status = names_read_text(text, path);
    if (!exit_status && text->n && text->data[text->n - 1] != '\n')
        text_put(text, "\n", 1);
    return exit_status;
}

/* Removes the last line. False if there is none. */
static bool remove_last(cli_text *text)
{
    if (text->n == 0)
        return false;
    text->n--; /* its newline */
    while (text->n > 0 && text->data[text->n - 1] != '\n')
        text->n--;
    text->data[text->n] = 0;
    return true;
}

/* The edits that the model is to have. 0, or an exit status after one line. */
static int compose(cli_text *text, const cli_call *call, const ezlda_model *model)
{
    const edit_settings *settings = call->settings;
    const char *now = ezlda_model_edits(model);
    text_put(text, now, strlen(now));
    if (settings->undo)
        return remove_last(text) ? 0 : cli_fail("%s: there is no edit to undo", call->operands[0]);
    int exit_status = settings->file ? read_file(text, settings->file) : 0;
    for (size_t i = 1; i < call->n_operands && !exit_status; i++) {
        text_put(text, call->operands[i], strlen(call->operands[i]));
        text_put(text, "\n", 1);
    }
    return exit_status;
}

static int check_options(const cli_call *call)
{
    const edit_settings *s = call->settings;
    bool adds = call->n_operands > 1 || s->file;
    if (s->list + s->undo + adds != 1)
        return cli_misuse(call->command,
                          "expected operations ('rename 7 Courts', --file), --list or --undo");
    if (s->list && s->output)
        return cli_misuse(call->command, "--list writes no model: --output means nothing");
    return 0;
}

static int edit(const cli_call *call, ezlda_context *context, const ezlda_model *model)
{
    const edit_settings *settings = call->settings;
    cli_text text = {0};
    ezlda_model *edited = NULL;
    ezlda_status status = EZLDA_OK;
    int exit_status = compose(&text, call, model);
    if (exit_status)
        goto done;
    status = ezlda_model_with_edits(&edited, context, model, text.data, "edits");
    if (status == EZLDA_OK)
        status = ezlda_model_save(context, edited,
                                  settings->output ? settings->output : call->operands[0]);
    if (status != EZLDA_OK)
        exit_status = cli_fail_library(context, status);
done:
    text_free(&text);
    ezlda_model_free(edited);
    return exit_status;
}

static int run_edit(cli_call *call, ezlda_context *context)
{
    const edit_settings *settings = call->settings;
    ezlda_model *model = NULL;
    int exit_status = check_options(call);
    if (exit_status)
        return exit_status;
    ezlda_status status = ezlda_model_load(&model, context, call->operands[0]);
    if (status != EZLDA_OK)
        return cli_fail_library(context, status);
    if (settings->list)
        fputs(ezlda_model_edits(model), stdout);
    else
        exit_status = edit(call, context, model);
    ezlda_model_free(model);
    return exit_status;
}

const cli_command cmd_edit = {
    .name = "edit",
    .operands = "MODEL OPERATION...",
    .summary = "name, merge, hide and group topics",
    .description =
        "Edits the topics of a model. Each operation is one argument, or one line of --file:\n\n"
        "rename T NAME: names a topic.\n\n"
        "merge T,T,...: adds the counts of topics up, in the first of them; the others are hidden, "
        "and keep their numbers.\n\n"
        "hide T,...: removes topics from lists. Tables with a column for each topic keep "
        "theirs.\n\n"
        "group T,... NAME: puts topics into a group.\n\n"
        "words T +WORD -WORD ...: lists of the topic's words begin with WORD (+), or do not have "
        "it "
        "(-). Probabilities do not change.\n\n"
        "The model file keeps the edits. All commands obey them, and an update keeps them.",
    .examples = "ezlda edit news.ezm 'rename 7 Supreme Court' 'merge 3,9' 'hide 4'\n"
                "ezlda edit news.ezm 'group 1,5,8 Politics' 'words 7 +appeal -said'\n"
                "ezlda edit news.ezm --list > news.edits\n"
                "ezlda edit news.ezm --undo",
    .sections = edit_sections,
    .settings_size = sizeof(edit_settings),
    .run = run_edit,
    .min_operands = 1,
    .max_operands = (size_t)-1,
    .operand_name = "model",
};
