/* Prints the help of one command, or the list of commands, wrapped for the terminal. */
#include "options/help_pages.h"

#include "cli.h"
#include "output/text_out.h"
#include "platform.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPTION_COLUMN = 28, WIDEST = 100, NARROWEST = 60 };

const char help_purpose[] =
    "Topic models (LDA) for millions of documents and thousands of topics. The same seed gives the "
    "same model to the last bit, on any device and with any number of threads.";

const char help_exit_status[] =
    "0 on success, also if an interrupt stopped training and the model so far was written; 1 if "
    "something failed (one line on standard error says what; no output file is left half written); "
    "2 for a misuse of the command line.";

void help_option_form(const cli_option *option, char *text, size_t size)
{
    char value[128] = "";
    if (option->type != CLI_FLAG)
        snprintf(value, sizeof value, " %s", option->argument);
    if (option->letter)
        snprintf(text, size, "-%c, --%s%s", option->letter, option->name, value);
    else
        snprintf(text, size, "--%s%s", option->name, value);
}

void help_option_text(const cli_section *section, const cli_option *option, const void *settings,
                      char *text, size_t size)
{
    char standard[128], choices[256];
    cli_default_text(option, (const char *)settings + section->base + option->target, standard,
                     sizeof standard);
    cli_value_name(option, choices, sizeof choices);
    snprintf(text, size, "%s%s%s%s%s%s", option->help, option->choices ? "; one of " : "",
             option->choices ? choices : "", standard[0] ? " [" : "", standard,
             standard[0] ? "]" : "");
}

static size_t page_width(void)
{
    size_t width = platform_terminal_width(STANDARD_OUTPUT);
    width = width ? width : 80;
    return width > WIDEST ? WIDEST : width < NARROWEST ? NARROWEST : width;
}

/* Prints n bytes wrapped at spaces; the first line continues at `column`, later ones start at
 * `indent`. */
static void put_wrapped(FILE *to, const char *text, size_t n, size_t column, size_t indent)
{
    size_t width = page_width();
    const char *end = text + n;
    bool first = true;
    while (text < end) {
        const char *space = memchr(text, ' ', (size_t)(end - text));
        size_t length = (size_t)((space ? space : end) - text);
        if (!first && column + 1 + length > width) {
            fprintf(to, "\n%*s", (int)indent, "");
            column = indent;
        } else if (!first) {
            fputc(' ', to);
            column++;
        }
        fprintf(to, "%.*s", (int)length, text);
        column += length;
        text += length + 1;
        first = false;
    }
    fputc('\n', to);
}

/* All paragraphs, or the first one. */
static void put_paragraphs(FILE *to, const char *text, bool all)
{
    for (bool first = true; *text && (all || first); first = false) {
        const char *end = strstr(text, "\n\n");
        size_t n = end ? (size_t)(end - text) : strlen(text);
        fputc('\n', to);
        put_wrapped(to, text, n, 0, 0);
        text += n;
        text += strspn(text, "\n");
    }
}

/* The first clause of an option's text, and its default. */
static void short_text(const cli_section *section, const cli_option *option, const void *settings,
                       char *text, size_t size)
{
    char standard[128];
    size_t n = 0;
    for (int depth = 0; option->help[n]; n++) { /* a clause does not end in parentheses */
        char c = option->help[n];
        depth += (c == '(') - (c == ')');
        if (depth == 0 && (c == '.' || c == ';') && option->help[n + 1] == ' ')
            break;
    }
    cli_default_text(option, (const char *)settings + section->base + option->target, standard,
                     sizeof standard);
    snprintf(text, size, standard[0] ? "%.*s [%s]" : "%.*s%s", (int)n, option->help, standard);
}

static void put_option(const cli_section *section, const cli_option *option, const void *settings,
                       bool all)
{
    char form[160], text[1024];
    help_option_form(option, form, sizeof form);
    (all ? help_option_text : short_text)(section, option, settings, text, sizeof text);
    int column = printf("%s%s", option->letter ? "  " : "      ", form);
    if (column > OPTION_COLUMN - 2) {
        putchar('\n');
        column = 0;
    }
    printf("%*s", OPTION_COLUMN - column, "");
    put_wrapped(stdout, text, strlen(text), OPTION_COLUMN, OPTION_COLUMN);
}

static void put_examples(const char *examples)
{
    if (!examples)
        return;
    puts("\nExamples:");
    while (*examples) {
        size_t n = strcspn(examples, "\n");
        printf("  %.*s\n", (int)n, examples);
        examples += n + (examples[n] == '\n');
    }
}

static bool is_first(const cli_command *command, const cli_option *option)
{
    for (const char *const *name = command->first_options; *name; name++)
        if (strcmp(*name, option->name) == 0)
            return true;
    return false;
}

/* Prints the options of a section that are shown, below its heading. */
static void put_section(const cli_command *command, const cli_section *section,
                        const void *settings, bool all, const char **heading)
{
    *heading = *section->title ? section->title : *heading;
    for (const cli_option *option = section->options; option->name; option++) {
        if (!all && !is_first(command, option))
            continue;
        if (*heading)
            printf("\n%s:\n", *heading);
        *heading = NULL;
        put_option(section, option, settings, all);
    }
}

void help_command(const cli_command *command, bool all)
{
    const char *heading = NULL;
    void *settings = cli_default_settings(command);
    printf("usage: ezlda %s%s%s\n", command->name, *command->operands ? " " : "",
           command->operands);
    all = all || !command->first_options;
    put_paragraphs(stdout, command->description, all);
    for (const cli_section *section = command->sections; section->title; section++)
        put_section(command, section, settings, all, &heading);
    put_examples(command->examples);
    if (!all)
        printf("\nAll options: ezlda help %s --all\n", command->name);
    free(settings);
}

void help_overview(FILE *to)
{
    fputs("usage: ezlda COMMAND [OPTION]... [ARGUMENT]...\n", to);
    put_paragraphs(to, help_purpose, true);
    fputs("\nCommands:\n", to);
    for (const cli_command *const *command = cli_commands; *command; command++)
        fprintf(to, "  %-10s%s\n", (*command)->name, (*command)->summary);
    fputs("\nA first model, and a page that shows it:\n"
          "  ezlda train articles.txt --report articles.html\n"
          "\n'ezlda help COMMAND' explains a command and its options.\n",
          to);
}
