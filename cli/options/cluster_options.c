/* The option tables of forecasts for several GPUs and machines, and the checks of their values. */
#include "options/cluster_options.h"

#include "cli.h"

#include <string.h>

#define SETTING(field) .target = offsetof(cluster_settings, field)

const cli_option cluster_options[] = {
    {.name = "gpus",
     .type = CLI_U32,
     .argument = "G",
     SETTING(gpus),
     .least = 1,
     .most = 1024,
     .unset = "one device",
     .help = "forecast for G GPUs per machine, from a trial on one; if this machine has none, from "
             "measurements on an H200"},
    {.name = "machines",
     .type = CLI_U32,
     .argument = "M",
     SETTING(machines),
     .least = 1,
     .most = 65536,
     .help = "forecast for M machines, one rank on each"},
    {.name = "network",
     .type = CLI_BITS,
     .argument = "BITS",
     SETTING(network),
     .unset = "required with --machines",
     .help = "bits per second between machines in each direction, such as 100G; four fifths are "
             "assumed to be usable"},
    {.name = "link",
     .type = CLI_BYTES,
     .argument = "BYTES",
     SETTING(link),
     .unset = "that of the GPU, if known",
     .help = "bytes per second between the GPUs of a machine in each direction, such as 450G "
             "(NVLink of an H200) or 55G (PCIe); four fifths are assumed to be usable"},
    {.name = "tokens-per-second",
     .type = CLI_POSITIVE,
     .argument = "N",
     SETTING(tokens_per_second),
     .unset = "from a trial, or an H200's",
     .help = "speed of one GPU with the whole corpus, instead of a trial"},
    {0}};

const cli_option cluster_size_options[] = {
    {.name = "docs",
     .type = CLI_U64,
     .argument = "N",
     SETTING(docs),
     .least = 1,
     .most = 1e15,
     .unset = "from the corpus",
     .help = "number of documents"},
    {.name = "words",
     .type = CLI_U32,
     .argument = "N",
     SETTING(words),
     .least = 1,
     .most = UINT32_MAX,
     .unset = "from the corpus",
     .help = "number of distinct words; their frequencies follow Zipf's law"},
    {.name = "tokens",
     .type = CLI_U64,
     .argument = "N",
     SETTING(tokens),
     .least = 1,
     .most = 1e15,
     .unset = "from the corpus",
     .help = "number of tokens"},
    {0}};

bool cluster_is_described(const cluster_settings *s)
{
    return s->docs || s->words || s->tokens;
}

bool cluster_has_gpus(const cluster_settings *settings)
{
    return settings->gpus || cluster_is_described(settings);
}

bool cluster_asked(const cluster_settings *settings)
{
    return settings->gpus || settings->machines > 1 || cluster_is_described(settings);
}

static int check_sizes(const cli_call *call, const cluster_settings *s)
{
    if (!cluster_is_described(s))
        return call->n_operands
                   ? 0
                   : cli_misuse(call->command, "no corpus given, nor --docs, --words and --tokens");
    if (call->n_operands)
        return cli_misuse(call->command,
                          "%s describes a corpus that is not read, but '%s' is given",
                          s->docs    ? "--docs"
                          : s->words ? "--words"
                                     : "--tokens",
                          call->operands[0]);
    if (!s->docs || !s->words || !s->tokens)
        return cli_misuse(call->command, "--docs, --words and --tokens go together");
    return 0;
}

static bool is_gpu(const char *device)
{
    return !device || !strcmp(device, "auto") || !strncmp(device, "cuda", 4);
}

/* A trial runs on one device. */
static bool is_one(const char *device)
{
    return !device || (!strchr(device, ',') && strcmp(device, "cuda:all") != 0);
}

int cluster_check(const cli_call *call, const cluster_settings *s, const char *device)
{
    int exit_status = check_sizes(call, s);
    if (exit_status)
        return exit_status;
    if (s->machines > 1 && !s->network)
        return cli_misuse(call->command, "--machines needs --network BITS");
    if (s->network && s->machines < 2)
        return cli_misuse(call->command, "--network needs --machines");
    if (s->link && !s->gpus)
        return cli_misuse(call->command, "--link needs --gpus");
    if (s->tokens_per_second > 0 && !s->gpus && !cluster_is_described(s))
        return cli_misuse(call->command, "--tokens-per-second needs --gpus or --docs");
    if (cluster_asked(s) && (!is_one(device) || (cluster_has_gpus(s) && !is_gpu(device))))
        return cli_misuse(call->command, "--device: expected one %s to plan from, found '%s'",
                          cluster_has_gpus(s) ? "GPU" : "device", device);
    return 0;
}
