/* ezlda help: prints help, the man page, the Markdown page or shell completion. */
#include "cli.h"
#include "options/help_pages.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

typedef struct help_settings {
    cli_common common;
    int man, markdown, all;
    const char *completion;
} help_settings;

static const char *const shells[] = {"bash", "zsh", "fish", NULL};

static const cli_option help_options[] = {
    {.name = "man",
     .type = CLI_FLAG,
     .target = offsetof(help_settings, man),
     .help = "print the man page (roff)"},
    {.name = "markdown",
     .type = CLI_FLAG,
     .target = offsetof(help_settings, markdown),
     .help = "print the same page as Markdown"},
    {.name = "all",
     .type = CLI_FLAG,
     .target = offsetof(help_settings, all),
     .help = "show every option of the command"},
    {.name = "completion",
     .type = CLI_NAME,
     .argument = "SHELL",
     .target = offsetof(help_settings, completion),
     .choices = shells,
     .help = "print a completion script; source it from the start-up file of the shell, after "
             "compinit in zsh"},
    {.name = "help",
     .letter = 'h',
     .type = CLI_FLAG,
     .target = offsetof(help_settings, common.help),
     .help = "show this help"},
    {0}};

static const cli_section help_sections[] = {{"Options", help_options, 0}, {0}};

enum { LANGUAGES_PER_LINE = 4 };

static void help_languages(void)
{
    puts("Languages with a list of stop words, for --stopwords CODE or NAME:\n");
    for (uint32_t i = 0; ezlda_language_code(i); i++) {
        bool last = (i + 1) % LANGUAGES_PER_LINE == 0 || !ezlda_language_code(i + 1);
        printf(last ? "  %-4s%s\n" : "  %-4s%-14s", ezlda_language_code(i), ezlda_language_name(i));
    }
    puts("\n--stopwords auto finds the language of each document; --stopwords corpus needs no "
         "list.");
}

static int help_on(const char *name, bool all)
{
    if (strcmp(name, "languages") == 0) {
        help_languages();
        return CLI_SUCCESS;
    }
    for (const cli_command *const *command = cli_commands; *command; command++) {
        if (strcmp((*command)->name, name) != 0)
            continue;
        help_command(*command, all);
        return CLI_SUCCESS;
    }
    return cli_misuse(NULL, "no command '%s' to explain", name);
}

static void print_completion(const char *shell)
{
    if (strcmp(shell, "zsh") == 0)
        help_zsh_completion();
    else if (strcmp(shell, "fish") == 0)
        help_fish_completion();
    else
        help_bash_completion();
}

static int run_help(cli_call *call, ezlda_context *context)
{
    (void)context;
    const help_settings *settings = call->settings;
    if (settings->man)
        help_man_page();
    else if (settings->markdown)
        help_markdown();
    else if (settings->completion)
        print_completion(settings->completion);
    else if (call->n_operands)
        return help_on(call->operands[0], settings->all);
    else
        help_overview(stdout);
    return CLI_SUCCESS;
}

const cli_command cmd_help = {
    .name = "help",
    .operands = "[COMMAND|languages]",
    .summary = "explain a command, or list all",
    .description = "Explains a command and its options, or lists the commands, or the languages "
                   "with a list of stop words.",
    .examples = "ezlda help train\nezlda help languages\nezlda help --man | man -l -\nsource "
                "<(ezlda help --completion bash)\nezlda help --completion fish | source",
    .sections = help_sections,
    .settings_size = sizeof(help_settings),
    .run = run_help,
    .max_operands = 1,
};
