/* ezlda edit: names, merges, hides and groups the topics of a model. */
#include "cli.h"
#include "options/names_option.h"
#include "output/text_out.h"
#include "platform.h"

#include <stdlib.h>
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
     .help = "print the edits of the model, one operation per line, as --file reads them; a merge "
             "that an update has put into the counts is a remark (# merged ...), which --file "
             "skips"},
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

static size_t lines_of(const cli_text *text)
{
    size_t lines = 0;
    for (size_t i = 0; i < text->n; i++)
        lines += text->data[i] == '\n';
    return lines;
}

/* The edits that a model is to have, and where their lines come from. */
typedef struct composition {
    cli_text text;
    size_t now, file; /* lines: of the model; with those of --file */
} composition;

/* 0, or an exit status after one line. */
static int compose(composition *all, const cli_call *call, const ezlda_model *model)
{
    const edit_settings *settings = call->settings;
    const char *now = ezlda_model_edits(model);
    cli_text *text = &all->text;
    text_put(text, now, strlen(now));
    all->now = lines_of(text);
    if (settings->undo)
        return remove_last(text) ? 0 : cli_fail("%s: there is no edit to undo", call->operands[0]);
    int exit_status = settings->file ? read_file(text, settings->file) : 0;
    all->file = lines_of(text);
    for (size_t i = 1; i < call->n_operands && !exit_status; i++) {
        text_put(text, call->operands[i], strlen(call->operands[i]));
        text_put(text, "\n", 1);
    }
    return exit_status;
}

/* What the library calls the text, with the number of the line behind it. */
static const char text_name[] = "edits";

/* Prints the library's message about a line of the text with the place that the line has for its
 * writer: a line of --file, or an argument. Returns the exit status. */
static int fail_at_line(const cli_call *call, const ezlda_context *context, ezlda_status status,
                        const composition *all)
{
    const edit_settings *settings = call->settings;
    const char *message = ezlda_error_message(context);
    size_t prefix = sizeof text_name - 1;
    char *end = NULL;
    unsigned long long line = 0;
    if (status == EZLDA_ERROR_ARGUMENT && strncmp(message, text_name, prefix) == 0 &&
        message[prefix] == ':')
        line = strtoull(message + prefix + 1, &end, 10);
    if (!end || strncmp(end, ": ", 2) != 0 || line <= all->now)
        return cli_fail_library(context, status);
    message = end + 2;
    if (line <= all->file)
        cli_fail("%s:%llu: %s", settings->file, line - all->now, message);
    else if (line - all->file < call->n_operands)
        cli_fail("'%s': %s", call->operands[line - all->file], message);
    else
        return cli_fail_library(context, status);
    return CLI_USAGE;
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
    for (size_t i = 1; i < call->n_operands; i++)
        if (strchr(call->operands[i], '\n'))
            return cli_misuse(call->command,
                              "expected one operation per argument, found a newline in '%s'",
                              call->operands[i]);
    return 0;
}

/* The name in an operation if it begins and ends with quotes; NULL: it does not. Reading it again
 * would remove these. */
static const char *quoted_name(const char *line, size_t n)
{
    bool named = strncmp(line, "rename ", 7) == 0 || strncmp(line, "group ", 6) == 0;
    const char *topics = named ? strchr(line, ' ') + 1 : NULL;
    const char *name = topics ? memchr(topics, ' ', n - (size_t)(topics - line)) : NULL;
    bool quoted = name && line + n - name >= 3 && name[1] == '"' && line[n - 1] == '"';
    return quoted ? name + 1 : NULL;
}

/* Prints "m.ezm: 3 edits". */
static void print_edited(const char *path, const ezlda_model *model)
{
    size_t edits = 0;
    cli_text line = {0};
    for (const char *at = ezlda_model_edits(model); *at; at++)
        edits += *at == '\n';
    text_shown(&line, path);
    fprintf(cli_closing(), "%s: %zu edit%s\n", line.data, edits, edits == 1 ? "" : "s");
    text_free(&line);
}

/* Prints the edits so that --file makes the same of them. */
static void print_list(const ezlda_model *model)
{
    for (const char *at = ezlda_model_edits(model); *at;) {
        size_t n = strcspn(at, "\n");
        if (strncmp(at, "merged ", 7) == 0)
            fputs("# ", stdout);
        const char *name = quoted_name(at, n);
        printf("%.*s", (int)(name ? name - at : (ptrdiff_t)n), at);
        if (name)
            printf("\"%.*s\"", (int)(at + n - name), name);
        putchar('\n');
        at += n + 1;
    }
}

static int edit(const cli_call *call, ezlda_context *context, const ezlda_model *model)
{
    const edit_settings *settings = call->settings;
    const char *path = settings->output ? settings->output : call->operands[0];
    composition all = {0};
    ezlda_model *edited = NULL;
    ezlda_status status = EZLDA_OK;
    int exit_status = compose(&all, call, model);
    if (exit_status)
        goto done;
    status = ezlda_model_with_edits(&edited, context, model, all.text.data, text_name);
    if (status != EZLDA_OK) {
        exit_status = fail_at_line(call, context, status, &all);
        goto done;
    }
    status = ezlda_model_save(context, edited, path);
    if (status != EZLDA_OK)
        exit_status = cli_fail_library(context, status);
    else if (!settings->common.quiet)
        print_edited(path, edited);
done:
    text_free(&all.text);
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
        print_list(model);
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
        "merge T,T,...: adds the counts of topics up, in the first of them, which must not be "
        "hidden; the others are hidden, and keep their numbers.\n\n"
        "hide T,...: removes topics from lists. Tables with a column for each topic keep "
        "theirs.\n\n"
        "group T,... NAME: puts topics into a group.\n\n"
        "words T +WORD -WORD ...: lists of the topic's words begin with WORD (+), or do not have "
        "it (-). Probabilities do not change, and a topic has at most 100 words with +.\n\n"
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
