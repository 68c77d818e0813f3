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
static void put_wrapped(const char *text, size_t n, size_t column, size_t indent)
{
    size_t width = page_width();
    const char *end = text + n;
    bool first = true;
    while (text < end) {
        const char *space = memchr(text, ' ', (size_t)(end - text));
        size_t length = (size_t)((space ? space : end) - text);
        if (!first && column + 1 + length > width) {
            printf("\n%*s", (int)indent, "");
            column = indent;
        } else if (!first) {
            putchar(' ');
            column++;
        }
        printf("%.*s", (int)length, text);
        column += length;
        text += length + 1;
        first = false;
    }
    putchar('\n');
}

static void put_paragraphs(const char *text)
{
    while (*text) {
        const char *end = strstr(text, "\n\n");
        size_t n = end ? (size_t)(end - text) : strlen(text);
        putchar('\n');
        put_wrapped(text, n, 0, 0);
        text += n;
        text += strspn(text, "\n");
    }
}

static void put_option(const cli_section *section, const cli_option *option, const void *settings)
{
    char form[160], text[1024];
    help_option_form(option, form, sizeof form);
    help_option_text(section, option, settings, text, sizeof text);
    int column = printf("%s%s", option->letter ? "  " : "      ", form);
    if (column > OPTION_COLUMN - 2) {
        putchar('\n');
        column = 0;
    }
    printf("%*s", OPTION_COLUMN - column, "");
    put_wrapped(text, strlen(text), OPTION_COLUMN, OPTION_COLUMN);
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

void help_command(const cli_command *command)
{
    void *settings = cli_default_settings(command);
    printf("usage: ezlda %s%s%s\n", command->name, *command->operands ? " " : "",
           command->operands);
    put_paragraphs(command->description);
    for (const cli_section *section = command->sections; section->title; section++) {
        if (*section->title)
            printf("\n%s:\n", section->title);
        for (const cli_option *option = section->options; option->name; option++)
            put_option(section, option, settings);
    }
    put_examples(command->examples);
    free(settings);
}

void help_overview(void)
{
    puts("usage: ezlda COMMAND [OPTION]... [ARGUMENT]...");
    put_paragraphs(help_purpose);
    puts("\nCommands:");
    for (const cli_command *const *command = cli_commands; *command; command++)
        printf("  %-10s%s\n", (*command)->name, (*command)->summary);
    puts("\nA first model:");
    puts("  ezlda import articles.jsonl.gz -o articles.ezc");
    puts("  ezlda train articles.ezc -k 100 -o articles.ezm");
    puts("  ezlda topics articles.ezm");
    puts("\n'ezlda help COMMAND' explains a command and its options.");
}
