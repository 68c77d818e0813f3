/* ezlda bench: measures how fast the devices of this machine train. */
#include "cli.h"
#include "commands/bench_measure.h"
#include "interrupts.h"
#include "options/number_list.h"
#include "output/json_out.h"
#include "output/text_out.h"
#include "output/text_table.h"
#include "platform.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Tokens of the standard corpus: enough to fill a device, few enough for a minute. */
static const uint64_t CPU_TOKENS = 5000000, GPU_TOKENS = 50000000;

enum { MOST_DEVICES = 64, MOST_TOPICS = 65536 };

typedef struct bench_settings {
    cli_common common;
    const char *device, *topics;
    double seconds;
    uint64_t tokens;
    int json;
} bench_settings;

#define SETTING(field) .target = offsetof(bench_settings, field)

static const cli_option bench_options[] = {
    {.name = "device",
     .type = CLI_TEXT,
     .argument = "NAME",
     SETTING(device),
     .unset = "each usable device",
     .help = "measure only this device: cuda, cuda:N or cpu, as for train"},
    {.name = "topics",
     .letter = 'k',
     .type = CLI_TEXT,
     .argument = "LIST",
     SETTING(topics),
     .help = "numbers of topics, separated by commas"},
    {.name = "seconds",
     .type = CLI_POSITIVE,
     .argument = "S",
     SETTING(seconds),
     .help =
         "time for sampling, shared by all rows of the table; each has at least six iterations"},
    {.name = "tokens",
     .type = CLI_U64,
     .argument = "N",
     SETTING(tokens),
     .least = 1000,
     .most = 4e9,
     .unset = "5 million on the CPU, 50 million on a GPU",
     .help = "size of the corpus"},
    {.name = "json", .type = CLI_FLAG, SETTING(json), .help = "print one JSON object"},
    {0}};

static const cli_section bench_sections[] = {
    {"Bench", bench_options, 0}, {"General", cli_common_options, 0}, {0}};

static void bench_defaults(void *target)
{
    bench_settings *settings = target;
    settings->topics = "128,1024,8192";
    settings->seconds = 45;
}

/* ---- devices ---- */

typedef struct bench_device {
    const char *device; /* a value of --device */
    ezlda_device facts; /* empty if the list of devices does not have it */
} bench_device;

typedef struct device_list {
    bench_device device[MOST_DEVICES];
    size_t n;
    const char *wanted; /* NULL: all that can be used */
    char choice[16];    /* the device that "auto" uses, if that is wanted */
} device_list;

static bool is_gpu(const bench_device *device)
{
    return strncmp(device->device, "cuda", 4) == 0;
}

static void add_device(const ezlda_device *device, void *user)
{
    device_list *list = user;
    bool fits = list->wanted ? strcmp(device->device, list->wanted) == 0 : device->usable;
    if (!fits || list->n == MOST_DEVICES)
        return;
    bench_device *added = &list->device[list->n++];
    added->facts = *device;
    added->device = added->facts.device;
}

/* A name that the list does not have (cuda, cuda:7, several GPUs) is accepted or refused by
 * training. */
static ezlda_status find_devices(device_list *list, ezlda_context *context)
{
    ezlda_devices_info info = {.size = sizeof info};
    ezlda_status status = ezlda_devices(&info, context, NULL, NULL);
    if (list->wanted && strcmp(list->wanted, "auto") == 0)
        snprintf(list->choice, sizeof list->choice, "%s", info.choice);
    if (list->choice[0])
        list->wanted = list->choice;
    if (status == EZLDA_OK)
        status = ezlda_devices(NULL, context, add_device, list);
    if (status == EZLDA_OK && list->wanted && list->n == 0)
        list->device[list->n++].device = list->wanted;
    return status;
}

/* ---- measuring ---- */

typedef struct bench_run {
    const bench_settings *settings;
    ezlda_context *context;
    device_list devices;
    uint32_t *topics;
    size_t n_topics;
    bench_case *cases; /* for each device, one per number of topics */
    size_t n;          /* measured */
} bench_run;

static uint64_t tokens_for(const bench_run *run, const bench_device *device)
{
    if (run->settings->tokens)
        return run->settings->tokens;
    return is_gpu(device) ? GPU_TOKENS : CPU_TOKENS;
}

static void show_case(const bench_run *run, const bench_case *c)
{
    if (!run->settings->common.quiet && platform_is_terminal(STANDARD_ERROR))
        fprintf(stderr, "\r%s, %u topics\033[K", c->device, c->topics);
}

/* Measures all numbers of topics. If no device was named, one that fails does not end the command:
 * the others still get their rows. */
static ezlda_status measure_device(bench_run *run, const bench_device *device,
                                   const ezlda_corpus *corpus)
{
    double each = run->settings->seconds / (double)(run->devices.n * run->n_topics);
    for (size_t i = 0; i < run->n_topics && !interrupts_asked(); i++) {
        bench_case *c = &run->cases[run->n++];
        *c = (bench_case){.device = device->device, .topics = run->topics[i]};
        show_case(run, c);
        ezlda_status status = bench_measure(c, run->context, corpus, each, interrupts_asked);
        if (status != EZLDA_OK && run->devices.wanted)
            return status;
    }
    return EZLDA_OK;
}

static ezlda_status measure_all(bench_run *run)
{
    ezlda_corpus *corpus = NULL;
    ezlda_status status = EZLDA_OK;
    uint64_t drawn = 0;
    for (size_t d = 0; d < run->devices.n && status == EZLDA_OK; d++) {
        const bench_device *device = &run->devices.device[d];
        if (tokens_for(run, device) != drawn) {
            drawn = tokens_for(run, device);
            ezlda_corpus_free(corpus);
            corpus = NULL;
            status = bench_corpus(&corpus, run->context, drawn);
        }
        if (status == EZLDA_OK)
            status = measure_device(run, device, corpus);
    }
    if (!run->settings->common.quiet && platform_is_terminal(STANDARD_ERROR))
        fprintf(stderr, "\r\033[K");
    ezlda_corpus_free(corpus);
    return status;
}

/* ---- output ---- */

static const cli_column columns[] = {{"device", false, 0},    {"K", true, 0},
                                     {"tokens/s", true, 0},   {"least", true, 0},
                                     {"most", true, 0},       {"ms/iteration", true, 0},
                                     {"iterations", true, 0}, {"corpus", true, 0}};

static void print_row(cli_table *table, const bench_case *c)
{
    char a[32];
    table_string(table, c->device);
    table_cell(table, "%u", c->topics);
    if (c->error[0]) {
        for (int i = 0; i < 6; i++)
            table_safe(table, "-");
        return;
    }
    table_safe(table, text_short(bench_rate(c, c->seconds), a));
    table_safe(table, text_short(bench_rate(c, c->most), a));
    table_safe(table, text_short(bench_rate(c, c->least), a));
    table_cell(table, "%.3g", 1e3 * c->seconds);
    table_cell(table, "%u", c->iterations - c->warm_up);
    table_safe(table, text_short((double)c->tokens, a));
}

static void print_table(const bench_run *run)
{
    cli_table *table = table_open(columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < run->n; i++)
        print_row(table, &run->cases[i]);
    table_close(table);
    cli_text name = {0};
    putchar('\n');
    for (size_t d = 0; d < run->devices.n; d++) {
        const ezlda_device *device = &run->devices.device[d].facts;
        if (!device->size)
            continue;
        text_clear(&name);
        text_shown(&name, device->name);
        printf("%s: %s", device->device, name.data);
        if (device->threads)
            printf(", %d thread%s, %s kernels", device->threads, device->threads == 1 ? "" : "s",
                   device->kernels);
        putchar('\n');
    }
    text_free(&name);
    printf("ezlda %s; a synthetic corpus of %d words, documents of about %d tokens; medians over "
           "iterations\n",
           ezlda_version_string(), BENCH_WORDS, BENCH_LENGTH);
}

static void put_case(json_out *json, const bench_case *c)
{
    json_open(json, '{', true);
    json_put_string(json, "device", c->device);
    json_put_u64(json, "topics", c->topics);
    json_put_string(json, "error", c->error[0] ? c->error : NULL);
    if (!c->error[0]) {
        json_put_real(json, "tokens_per_second", bench_rate(c, c->seconds));
        json_put_real(json, "tokens_per_second_least", bench_rate(c, c->most));
        json_put_real(json, "tokens_per_second_most", bench_rate(c, c->least));
        json_put_real(json, "iteration_seconds", c->seconds);
        json_put_u64(json, "iterations", c->iterations - c->warm_up);
        json_put_u64(json, "warm_up", c->warm_up);
        json_put_u64(json, "tokens", c->tokens);
        json_put_real(json, "skipped", c->skipped);
        json_put_u64(json, "device_memory_peak_bytes", c->memory_bytes);
    }
    json_close(json, '}');
}

static void print_json(const bench_run *run)
{
    json_out json = {.file = stdout};
    json_open(&json, '{', true);
    json_put_string(&json, "version", ezlda_version_string());
    json_key(&json, "devices");
    json_open(&json, '[', true);
    for (size_t d = 0; d < run->devices.n; d++) {
        const ezlda_device *device = &run->devices.device[d].facts;
        json_open(&json, '{', false);
        json_put_string(&json, "device", run->devices.device[d].device);
        json_put_string(&json, "name", device->name[0] ? device->name : NULL);
        json_put_string(&json, "kernels", device->kernels[0] ? device->kernels : NULL);
        json_put_u64(&json, "threads", (uint64_t)device->threads);
        json_close(&json, '}');
    }
    json_close(&json, ']');
    json_key(&json, "rows");
    json_open(&json, '[', true);
    for (size_t i = 0; i < run->n; i++)
        put_case(&json, &run->cases[i]);
    json_close(&json, ']');
    json_close(&json, '}');
}

/* A row without figures makes the command fail, after the other rows are printed. */
static int check_cases(const bench_run *run)
{
    for (size_t i = 0; i < run->n; i++)
        if (run->cases[i].error[0])
            return cli_fail("%s, %u topics: %s", run->cases[i].device, run->cases[i].topics,
                            run->cases[i].error);
    return CLI_SUCCESS;
}

static int run_bench(cli_call *call, ezlda_context *context)
{
    const bench_settings *settings = call->settings;
    bench_run *run = cli_zeroed(1, sizeof *run);
    *run =
        (bench_run){.settings = settings, .context = context, .devices.wanted = settings->device};
    int exit_status = CLI_USAGE;
    run->topics =
        number_list_values(call, "--topics", settings->topics, MOST_TOPICS + 1, &run->n_topics);
    if (run->topics && run->topics[0] < 2) {
        cli_misuse(call->command, "--topics: expected numbers from 2 to %d, found '%s'",
                   MOST_TOPICS, settings->topics);
    } else if (run->topics) {
        interrupts_catch();
        ezlda_status status = find_devices(&run->devices, context);
        run->cases = cli_zeroed(run->devices.n * run->n_topics + 1, sizeof *run->cases);
        if (status == EZLDA_OK)
            status = measure_all(run);
        if (status == EZLDA_OK && settings->json)
            print_json(run);
        else if (status == EZLDA_OK)
            print_table(run);
        exit_status = status == EZLDA_OK ? check_cases(run) : cli_fail_library(context, status);
    }
    free(run->cases);
    free(run->topics);
    free(run);
    return exit_status;
}

const cli_command cmd_bench = {
    .name = "bench",
    .operands = "[OPTION]...",
    .summary = "measure how fast this machine trains, in a minute",
    .description = "Trains on a standard synthetic corpus with each usable device, GPUs and the "
                   "CPU, and each number of topics, and prints tokens per second: the median over "
                   "iterations, and the least and the most. The first quarter of the iterations, "
                   "at least three, is a warm-up and does not count. The models are discarded.\n\n"
                   "The corpus is always drawn from the same seed, so figures of several machines "
                   "can be compared. It is ten times larger for a GPU, because a small one would "
                   "not fill it. Real corpora run faster or slower: use 'ezlda plan' for yours.",
    .examples = "ezlda bench\nezlda bench --device cpu -k 1000 --threads 4\nezlda bench --json > "
                "machine.json",
    .sections = bench_sections,
    .settings_size = sizeof(bench_settings),
    .defaults = bench_defaults,
    .run = run_bench,
};
