/* ezlda version: prints the version of the library. */
#include "cli.h"

#include <stdio.h>

static const cli_option version_options[] = {{.name = "help",
                                              .letter = 'h',
                                              .type = CLI_FLAG,
                                              .target = offsetof(cli_common, help),
                                              .help = "show this help"},
                                             {0}};

static const cli_section version_sections[] = {{"Options", version_options, 0}, {0}};

static int run_version(cli_call *call, ezlda_context *context)
{
    (void)call;
    (void)context;
    printf("ezlda %s\n", ezlda_version_string());
    return CLI_SUCCESS;
}

const cli_command cmd_version = {
    .name = "version",
    .operands = "",
    .summary = "print the version",
    .description =
        "Prints the version of the library that the command uses. 'ezlda --version' does the same.",
    .sections = version_sections,
    .settings_size = sizeof(cli_common),
    .run = run_version,
};
