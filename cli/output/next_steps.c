/* Prints the commands that use a new model. */
#include "output/next_steps.h"

#include "output/text_out.h"
#include "output/topic_list.h"
#include "platform.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Appends an argument as a shell needs it. */
static void put_argument(cli_text *line, const char *argument)
{
    bool plain =
        *argument && !argument[strspn(argument, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQR"
                                                "STUVWXYZ0123456789_-+=./,:@%")];
    text_printf(line, " ");
    if (plain) {
        text_printf(line, "%s", argument);
        return;
    }
    text_printf(line, "'");
    for (const char *at = argument; *at; at++) {
        char one[2] = {*at, 0};
        text_printf(line, "%s", *at == '\'' ? "'\\''" : one);
    }
    text_printf(line, "'");
}

/* The model's name with another ending. */
static void put_output(cli_text *line, const char *model, const char *ending)
{
    size_t n = strlen(model), cut = n > 4 && strcmp(model + n - 4, ".ezm") == 0 ? n - 4 : n;
    cli_text name = {0};
    text_put(&name, model, cut);
    text_printf(&name, "%s", ending);
    put_argument(line, name.data);
    text_free(&name);
}

static void print_next(cli_text *line)
{
    cli_text safe = {0};
    text_shown(&safe, line->data);
    printf("  %s\n", safe.data);
    text_free(&safe);
    text_clear(line);
}

void next_steps_print(const cli_call *call, const char *path, const char *page,
                      const ezlda_model *model)
{
    platform_info info;
    cli_text line = {0};
    if (platform_look(path, &info) != 0 || !info.is_regular)
        return;
    uint32_t *topics = topics_by_size(model);
    puts("\nNext:");
    text_printf(&line, "ezlda report");
    put_argument(&line, path);
    for (size_t i = 0; i < call->n_operands && i < 3 && strcmp(call->operands[i], "-") != 0; i++)
        put_argument(&line, i == 2 && call->n_operands > 3 ? "..." : call->operands[i]);
    text_printf(&line, " -o");
    put_output(&line, path, ".html");
    if (!page)
        print_next(&line);
    text_clear(&line);
    text_printf(&line, "ezlda docs");
    put_argument(&line, path);
    text_printf(&line, " --topic %u", topics[0]);
    print_next(&line);
    text_printf(&line, "ezlda infer");
    put_argument(&line, path);
    text_printf(&line, " NEW_TEXT -o new.tsv");
    print_next(&line);
    free(topics);
    text_free(&line);
}
