/* ezlda: finds the command, parses its arguments, runs it, and checks that its output arrived. */
#include "cli.h"
#include "interrupts.h"
#include "options/help_pages.h"
#include "output/text_out.h"
#include "platform.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

const cli_command *const cli_commands[] = {
    &cmd_import,  &cmd_train,  &cmd_update, &cmd_edit,    &cmd_label,  &cmd_tree,  &cmd_ensemble,
    &cmd_sweep,   &cmd_plan,   &cmd_infer,  &cmd_eval,    &cmd_effect, &cmd_trend, &cmd_topics,
    &cmd_docs,    &cmd_report, &cmd_serve,  &cmd_diff,    &cmd_export, &cmd_synth, &cmd_info,
    &cmd_devices, &cmd_bench,  &cmd_help,   &cmd_version, NULL};

/* Reports errors of standard output, such as a full disk. A reader that has gone is not reported,
 * as is usual. */
static int finish(int status)
{
    int error = standard_output_end();
    if (!error || status)
        return status;
    return error == EPIPE ? CLI_FAILURE
                          : cli_fail("standard output: cannot write: %s", strerror(error));
}

static const cli_command *find_command(const char *name)
{
    for (const cli_command *const *command = cli_commands; *command; command++)
        if (strcmp((*command)->name, name) == 0)
            return *command;
    return NULL;
}

static int unknown_command(const char *name)
{
    const char *names[32];
    size_t n = 0;
    for (; cli_commands[n]; n++)
        names[n] = cli_commands[n]->name;
    names[n] = NULL;
    const char *what = name[0] == '-' ? "option" : "command";
    const char *nearest = cli_nearest(name + strspn(name, "-"), names);
    if (nearest)
        return cli_misuse(NULL, "unknown %s '%s', did you mean '%s'?", what, name, nearest);
    return cli_misuse(NULL, "unknown %s '%s'", what, name);
}

static int run_parsed(cli_call *call)
{
    const cli_common *common = call->settings;
    if (common->help || common->help_all) {
        help_command(call->command, common->help_all);
        return CLI_SUCCESS;
    }
    ezlda_context *context;
    if (ezlda_context_create(&context) != EZLDA_OK)
        return cli_fail("not enough memory");
    ezlda_context_set_threads(context, common->threads);
    if (!common->quiet)
        ezlda_context_set_notes(context, cli_note, NULL);
    int status = call->command->run(call, context);
    ezlda_context_free(context);
    return status;
}

static int run_command(int argc, char **argv)
{
    const char *name = argv[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
        name = "help";
    else if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0)
        name = "version";
    const cli_command *command = find_command(name);
    if (!command)
        return unknown_command(name);
    cli_call call;
    int status = cli_parse(&call, command, argc - 2, argv + 2);
    if (!status)
        status = run_parsed(&call);
    cli_call_free(&call);
    return status;
}

int main(int argc, char **argv)
{
    platform_begin(&argc, &argv);
    standard_output_begin();
    interrupts_begin();
    if (argc < 2) {
        help_overview(stderr);
        return CLI_USAGE;
    }
    return finish(run_command(argc, argv));
}
