/* Prints a zsh completion script: commands, options, and the values of options that have a fixed
 * set. */
#include "cli.h"
#include "options/completion_words.h"
#include "options/help_pages.h"

#include <stdio.h>

static void put_option(const cli_option *option)
{
    fputs("            '", stdout);
    if (option->letter)
        printf("(-%c --%s)'{-%c,--%s}'", option->letter, option->name, option->letter,
               option->name);
    else
        printf("--%s", option->name);
    putchar('[');
    completion_put_text(option->help);
    putchar(']');
    if (completion_is_closed(option)) {
        fputs(":value:(", stdout);
        completion_put_values(option);
        putchar(')');
    } else if (option->type == CLI_TEXT) {
        fputs(":file:_files", stdout);
    }
    puts("' \\");
}

static void put_commands(void)
{
    for (const cli_command *const *command = cli_commands; *command; command++) {
        printf("        '%s:", (*command)->name);
        completion_put_text((*command)->summary);
        puts("'");
    }
}

void help_zsh_completion(void)
{
    puts("#compdef ezlda\n# zsh completion for ezlda; made by: ezlda help --completion zsh\n"
         "_ezlda()\n{\n    local -a commands\n    commands=(");
    put_commands();
    puts("    )\n    if (( CURRENT == 2 )); then\n        _describe command commands\n        "
         "return\n"
         "    fi\n    local command=$words[2]\n    shift words\n    (( CURRENT-- ))\n"
         "    case $command in");
    for (const cli_command *const *command = cli_commands; *command; command++) {
        printf("    %s)\n        _arguments -s \\\n", (*command)->name);
        for (const cli_section *s = (*command)->sections; s->title; s++)
            for (const cli_option *option = s->options; option->name; option++)
                put_option(option);
        puts(*command == &cmd_help ? "            '*:command:{_describe command commands}' ;;"
                                   : "            '*:file:_files' ;;");
    }
    puts("    esac\n}\n"
         "if [[ $funcstack[1] == _ezlda ]]; then _ezlda \"$@\"; else compdef _ezlda ezlda; fi");
}
