/* The man page (roff) and the same page as Markdown, from the tables. */
#include "cli.h"
#include "options/help_pages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Text for roff: backslashes and minus signs escaped, no line that would read as a request. */
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

static void roff_option(const cli_part *part, const cli_option *option, const void *settings)
{
    char text[1024];
    help_option_text(part, option, settings, text, sizeof text);
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
    for (const cli_part *part = command->parts; part->title; part++) {
        printf(".PP\n\\fI%s:\\fR\n", part->title);
        for (const cli_option *option = part->options; option->name; option++)
            roff_option(part, option, settings);
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

/* Table cells and text: what Markdown would take for markup is escaped. */
static void put_markdown(const char *text)
{
    for (; *text; text++) {
        if (strchr("|<>*_`", *text))
            putchar('\\');
        putchar(*text);
    }
}

static void markdown_command(const cli_command *command)
{
    void *settings = cli_default_settings(command);
    printf("\n## ezlda %s\n\n```\nezlda %s%s%s\n```\n\n", command->name, command->name,
           *command->operands ? " " : "", command->operands);
    put_markdown(command->description);
    putchar('\n');
    for (const cli_part *part = command->parts; part->title; part++) {
        printf("\n%s:\n\n| option | meaning |\n| --- | --- |\n", part->title);
        for (const cli_option *option = part->options; option->name; option++) {
            char form[160], text[1024];
            help_option_form(option, form, sizeof form);
            help_option_text(part, option, settings, text, sizeof text);
            fputs("| ", stdout);
            put_markdown(form);
            fputs(" | ", stdout);
            put_markdown(text);
            puts(" |");
        }
    }
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
    fputs("\nDefaults stand in brackets. Exit status: ", stdout);
    put_markdown(help_exit_status);
    putchar('\n');
    for (const cli_command *const *command = cli_commands; *command; command++)
        markdown_command(*command);
}
