/* Prints a fish completion script: commands, options, and the values of options that have a fixed
 * set. */
#include "cli.h"
#include "options/completion_words.h"
#include "options/help_pages.h"

#include <stdio.h>

static void put_option(const cli_command *command, const cli_option *option)
{
    printf("complete -c ezlda -n '__fish_seen_subcommand_from %s' -l %s", command->name,
           option->name);
    if (option->letter)
        printf(" -s %c", option->letter);
    if (completion_is_closed(option)) {
        fputs(" -x -a '", stdout);
        completion_put_values(option);
        putchar('\'');
    } else if (option->type == CLI_TEXT) {
        fputs(" -r -F", stdout);
    }
    fputs(" -d '", stdout);
    completion_put_text(option->help);
    puts("'");
}

void help_fish_completion(void)
{
    puts("# fish completion for ezlda; made by: ezlda help --completion fish\n"
         "complete -c ezlda -n __fish_use_subcommand -f");
    for (const cli_command *const *command = cli_commands; *command; command++) {
        printf("complete -c ezlda -n __fish_use_subcommand -a %s -d '", (*command)->name);
        completion_put_text((*command)->summary);
        puts("'");
        printf("complete -c ezlda -n '__fish_seen_subcommand_from help' -f -a %s\n",
               (*command)->name);
    }
    for (const cli_command *const *command = cli_commands; *command; command++)
        for (const cli_section *s = (*command)->sections; s->title; s++)
            for (const cli_option *option = s->options; option->name; option++)
                put_option(*command, option);
}
