/* Prints the man page (roff), and the same page as Markdown (docs/commands.md). */
#include "cli.h"
#include "options/help_pages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where a page lists options that several commands have. */
typedef struct option_home {
    const cli_command *command; /* NULL: the options are listed where they stand */
    const char *heading;
} option_home;

/* The general options and those of reading raw corpora are listed by import, those of training by
 * train; other commands refer to the heading there. */
static option_home home_of(const cli_command *command, const cli_section *section)
{
    const cli_command *const homes[] = {&cmd_import, &cmd_train};
    for (size_t i = 0; i < sizeof homes / sizeof *homes; i++) {
        const char *heading = "";
        if (command == homes[i])
            break;
        for (const cli_section *s = homes[i]->sections; s->title; s++) {
            heading = *s->title ? s->title : heading;
            if (s->options == section->options)
                return (option_home){homes[i], heading};
        }
    }
    return (option_home){0};
}

/* Whether the section before refers to the same heading already. */
static bool is_referred(const cli_command *command, const cli_section *section)
{
    option_home home = home_of(command, section);
    if (!home.command || section == command->sections || *section->title)
        return false;
    option_home before = home_of(command, section - 1);
    return before.command == home.command && strcmp(before.heading, home.heading) == 0;
}

/* Whether the section has another title than the heading that it refers to. */
static bool has_own_title(const cli_section *section, option_home home)
{
    return *section->title && strcmp(section->title, home.heading) != 0;
}

/* Text for roff: escapes backslashes and minus signs, and lines that would be read as requests. */
static void put_roff(const char *text, size_t n)
{
    bool line_start = true;
    for (size_t i = 0; i < n; i++) {
        char c = text[i];
        if (line_start && (c == '.' || c == '\''))
            fputs("\\&", stdout);
        if (c == '\\')
            fputs("\\e", stdout);
        else if (c == '-')
            fputs("\\-", stdout);
        else
            putchar(c);
        line_start = c == '\n';
    }
    putchar('\n');
}

static void roff_paragraphs(const char *text)
{
    while (*text) {
        const char *end = strstr(text, "\n\n");
        size_t n = end ? (size_t)(end - text) : strlen(text);
        puts(".PP");
        put_roff(text, n);
        text += n;
        text += strspn(text, "\n");
    }
}

static void roff_option(const cli_section *section, const cli_option *option, const void *settings)
{
    char text[1024];
    help_option_text(section, option, settings, text, sizeof text);
    puts(".TP");
    if (option->letter)
        printf("\\fB\\-%c\\fR, ", option->letter);
    fputs("\\fB\\-\\-", stdout);
    for (const char *c = option->name; *c; c++)
        fputs(*c == '-' ? "\\-" : (char[]){*c, '\0'}, stdout);
    if (option->type != CLI_FLAG)
        printf("\\fR \\fI%s", option->argument);
    puts("\\fR");
    put_roff(text, strlen(text));
}

static void roff_examples(const char *examples)
{
    if (!examples)
        return;
    puts(".PP\nExamples:\n.PP\n.nf\n.RS");
    put_roff(examples, strlen(examples));
    puts(".RE\n.fi");
}

static void roff_command(const cli_command *command)
{
    void *settings = cli_default_settings(command);
    printf(".SS ezlda %s\n.B ezlda %s\n", command->name, command->name);
    put_roff(command->operands, strlen(command->operands));
    roff_paragraphs(command->description);
    for (const cli_section *section = command->sections; section->title; section++) {
        option_home home = home_of(command, section);
        const char *title = *section->title || !home.command ? section->title : home.heading;
        if (is_referred(command, section))
            continue;
        if (*title)
            printf(".PP\n\\fI%s:\\fR\n", title);
        if (home.command && has_own_title(section, home))
            printf("see \"%s\" of \\fBezlda %s\\fR.\n", home.heading, home.command->name);
        else if (home.command)
            printf("see \\fBezlda %s\\fR.\n", home.command->name);
        for (const cli_option *option = section->options; !home.command && option->name; option++)
            roff_option(section, option, settings);
    }
    roff_examples(command->examples);
    free(settings);
}

void help_man_page(void)
{
    printf(".TH EZLDA 1 \"\" \"ezlda %s\" \"User Commands\"\n", ezlda_version_string());
    puts(
        ".SH NAME\nezlda \\- topic models (LDA) for millions of documents and thousands of topics");
    puts(".SH SYNOPSIS\n.B ezlda\n.I COMMAND\n[\\fIOPTION\\fR]... [\\fIARGUMENT\\fR]...");
    puts(".SH DESCRIPTION");
    put_roff(help_purpose, strlen(help_purpose));
    for (const cli_command *const *command = cli_commands; *command; command++) {
        printf(".TP\n.B %s\n", (*command)->name);
        put_roff((*command)->summary, strlen((*command)->summary));
    }
    puts(".SH COMMANDS");
    for (const cli_command *const *command = cli_commands; *command; command++)
        roff_command(*command);
    puts(".SH EXIT STATUS");
    put_roff(help_exit_status, strlen(help_exit_status));
}

/* ---- Markdown ---- */

/* Text and table cells: escapes characters that Markdown would read as markup. */
static void put_markdown(const char *text)
{
    for (; *text; text++) {
        if (strchr("|<>*_`", *text))
            putchar('\\');
        putchar(*text);
    }
}

static void markdown_option(const cli_section *section, const cli_option *option,
                            const void *settings)
{
    char form[160], text[1024];
    help_option_form(option, form, sizeof form);
    help_option_text(section, option, settings, text, sizeof text);
    fputs("| ", stdout);
    put_markdown(form);
    fputs(" | ", stdout);
    put_markdown(text);
    puts(" |");
}

static void markdown_section(const cli_command *command, const cli_section *section,
                             const void *settings)
{
    option_home home = home_of(command, section);
    if (is_referred(command, section))
        return;
    if (home.command && has_own_title(section, home))
        printf("\n%s: see \"%s\" of [%s](#ezlda-%s).\n", section->title, home.heading,
               home.command->name, home.command->name);
    else if (home.command)
        printf("\n%s: see [%s](#ezlda-%s).\n", home.heading, home.command->name,
               home.command->name);
    if (home.command)
        return;
    if (*section->title)
        printf("\n%s:\n\n| option | meaning |\n| --- | --- |\n", section->title);
    for (const cli_option *option = section->options; option->name; option++)
        markdown_option(section, option, settings);
}

static void markdown_command(const cli_command *command)
{
    void *settings = cli_default_settings(command);
    printf("\n## ezlda %s\n\n```\nezlda %s%s%s\n```\n\n", command->name, command->name,
           *command->operands ? " " : "", command->operands);
    put_markdown(command->description);
    putchar('\n');
    for (const cli_section *section = command->sections; section->title; section++)
        markdown_section(command, section, settings);
    if (command->examples)
        printf("\n```\n%s\n```\n", command->examples);
    free(settings);
}

void help_markdown(void)
{
    puts("<!-- Made by `ezlda help --markdown`; edit the tables in cli/ instead. -->");
    puts("# The command `ezlda`\n");
    put_markdown(help_purpose);
    puts("\n\n| command | what it does |\n| --- | --- |");
    for (const cli_command *const *command = cli_commands; *command; command++)
        printf("| [%s](#ezlda-%s) | %s |\n", (*command)->name, (*command)->name,
               (*command)->summary);
    fputs("\nDefaults are in brackets. Exit status: ", stdout);
    put_markdown(help_exit_status);
    putchar('\n');
    for (const cli_command *const *command = cli_commands; *command; command++)
        markdown_command(*command);
}
