/* The options of commands that draw from the posterior, and their progress. */
#include "options/sampling_options.h"

#include "cli.h"
#include "interrupts.h"
#include "options/number_list.h"

#define SETTING(field) .target = offsetof(sampling_settings, field)

const cli_option sampling_options[] = {
    {.name = "samples",
     .type = CLI_U32,
     .argument = "N",
     SETTING(sampling.samples),
     .least = 2,
     .most = 10000,
     .help = "samples of the posterior; more of them make errors more exact, not smaller"},
    {.name = "thin",
     .type = CLI_U32,
     .argument = "N",
     SETTING(sampling.thin),
     .least = 1,
     .most = 10000,
     .help = "steps from one sample to the next"},
    {.name = "burn-in",
     .type = CLI_U32,
     .argument = "N",
     SETTING(sampling.burn_in),
     .most = 1000000,
     .help = "steps before the first sample"},
    {.name = "seed",
     .type = CLI_U64,
     .argument = "N",
     SETTING(sampling.seed),
     .most = 1.8446744073709552e19,
     .help = "seed of the random numbers; the same seed gives the same result"},
    {0}};

const cli_option interval_options[] = {{.name = "topics",
                                        .letter = 't',
                                        .type = CLI_TEXT,
                                        .argument = "LIST",
                                        SETTING(topics),
                                        .unset = "all",
                                        .help = "the topics to show: 3 or 3,7-9"},
                                       {.name = "interval",
                                        .type = CLI_REAL,
                                        .argument = "P",
                                        SETTING(interval),
                                        .least = 1,
                                        .most = 99.99,
                                        .help = "percent of the posterior that intervals hold"},
                                       {0}};

void sampling_defaults(sampling_settings *settings)
{
    ezlda_sampling_options_init(&settings->sampling);
    settings->interval = 90;
}

bool sampling_topics(const cli_call *call, const sampling_settings *settings, uint32_t topics,
                     uint32_t **list, size_t *n)
{
    *n = 0;
    *list = NULL;
    if (!settings->topics)
        return true;
    *list = number_list_values(call, "--topics", settings->topics, topics, n);
    return *list != NULL;
}

static int show_progress(const ezlda_sampling_progress *progress, void *user)
{
    const bool *shown = user;
    if (*shown)
        fprintf(stderr, "\rsampling: %u of %u steps\033[K", progress->steps_done, progress->steps);
    return interrupts_asked();
}

void sampling_watch(sampling_settings *settings, bool *shown, bool quiet)
{
    *shown = !quiet && platform_can_redraw(STANDARD_ERROR);
    settings->sampling.progress = show_progress;
    settings->sampling.user = shown;
    interrupts_catch();
}

void sampling_watched(const bool *shown)
{
    if (*shown)
        fputs("\r\033[K", stderr);
}
