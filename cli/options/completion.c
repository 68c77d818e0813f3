/* Prints a bash completion script: commands, options, and the values of options that have a fixed
 * set. */
#include "cli.h"
#include "options/completion_words.h"
#include "options/help_pages.h"

#include <stdio.h>
#include <string.h>

static void put_option_words(const cli_command *command)
{
    const char *space = "";
    for (const cli_section *section = command->sections; section->title; section++) {
        for (const cli_option *option = section->options; option->name; option++) {
            if (option->letter)
                printf("%s-%c", space, option->letter);
            printf("%s--%s", option->letter ? " " : space, option->name);
            space = " ";
        }
    }
}

/* One case per option with a value that is not free text: a fixed set of values is offered, for
 * numbers nothing. */
static void put_value_cases(const cli_command *command)
{
    for (const cli_section *section = command->sections; section->title; section++) {
        for (const cli_option *option = section->options; option->name; option++) {
            if (!completion_is_closed(option))
                continue;
            printf("        %s:--%s", command->name, option->name);
            if (option->letter)
                printf("|%s:-%c", command->name, option->letter);
            fputs(") values=\"", stdout);
            completion_put_values(option);
            puts("\"; free= ;;");
        }
    }
}

static void put_command_names(void)
{
    for (const cli_command *const *command = cli_commands; *command; command++)
        printf("%s%s", command == cli_commands ? "" : " ", (*command)->name);
}

void help_bash_completion(void)
{
    puts("# bash completion for ezlda; made by: ezlda help --completion bash\n"
         "_ezlda()\n"
         "{\n"
         "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} "
         "command=${COMP_WORDS[1]}\n"
         "    local options= values= free=yes\n"
         "    if [ \"$COMP_CWORD\" -eq 1 ]; then");
    fputs("        COMPREPLY=($(compgen -W \"", stdout);
    put_command_names();
    puts(" --help --version\" -- \"$word\"))\n        return\n    fi\n    case "
         "\"$command:$before\" in");
    for (const cli_command *const *command = cli_commands; *command; command++)
        put_value_cases(*command);
    puts("    esac\n    if [ -z \"$free\" ]; then\n"
         "        COMPREPLY=($(compgen -W \"$values\" -- \"$word\"))\n        return\n    fi\n"
         "    case \"$command\" in");
    for (const cli_command *const *command = cli_commands; *command; command++) {
        printf("        %s) options=\"", (*command)->name);
        put_option_words(*command);
        puts("\" ;;");
    }
    fputs("    esac\n    if [ \"$command\" = help ]; then\n        options=\"$options ", stdout);
    put_command_names();
    puts("\"\n    fi\n"
         "    case \"$word\" in\n"
         "        -*) COMPREPLY=($(compgen -W \"$options\" -- \"$word\")) ;;\n"
         "        *) [ \"$command\" = help ] && COMPREPLY=($(compgen -W \"$options\" -- "
         "\"$word\")) ;;\n"
         "    esac\n"
         "}\n"
         "complete -o default -F _ezlda ezlda");
}
