/* The table of --tsv and --json, and the check that at most one of them is given. */
#include "options/list_options.h"

#include "cli.h"

const cli_option list_options[] = {{.name = "tsv",
                                    .type = CLI_FLAG,
                                    .target = offsetof(list_settings, tsv),
                                    .help = "print tab-separated lines"},
                                   {.name = "json",
                                    .type = CLI_FLAG,
                                    .target = offsetof(list_settings, json),
                                    .help = "print one JSON object"},
                                   {0}};

int list_check(const cli_call *call, const list_settings *settings)
{
    return settings->tsv && settings->json
               ? cli_misuse(call->command, "--tsv and --json exclude each other")
               : 0;
}
