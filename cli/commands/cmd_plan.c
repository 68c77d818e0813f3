/* ezlda plan: forecasts the memory and time of a run from a short trial. */
#include "cli.h"
#include "options/train_settings.h"
#include "output/cluster_plan.h"
#include "output/json_out.h"
#include "output/text_out.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct plan_settings {
    train_settings train; /* first, for the option tables of training */
    cluster_settings cluster;
    double seconds;
    int json;
} plan_settings;

static const cli_option plan_options[] = {{.name = "seconds",
                                           .type = CLI_POSITIVE,
                                           .argument = "S",
                                           .target = offsetof(plan_settings, seconds),
                                           .help = "time for the trial, not counting reading and "
                                                   "setting up; at least three iterations are run"},
                                          {.name = "json",
                                           .type = CLI_FLAG,
                                           .target = offsetof(plan_settings, json),
                                           .help = "print one JSON object"},
                                          {0}};

static const cli_section plan_sections[] = {
    {"Forecast", plan_options, 0},
    {"Several GPUs and machines", cluster_options, offsetof(plan_settings, cluster)},
    {"A corpus that is described, not read", cluster_size_options,
     offsetof(plan_settings, cluster)},
    {"Model", train_topics_options, 0},
    {"", train_model_options, 0},
    {"", train_prior_options, 0},
    {"", train_seed_options, 0},
    {"", train_continue_options, 0},
    {"Output", train_keep_options, 0},
    {"Speed (the model does not depend on these)", train_speed_options, 0},
    {train_study_title, train_study_options, 0},
    {"Larger than memory", train_memory_options, 0},
    {"Reports", train_score_options, 0},
    {"Reading raw corpora", cli_import_options,
     offsetof(plan_settings, train) + offsetof(train_settings, import)},
    {"Word filters", cli_filter_options,
     offsetof(plan_settings, train) + offsetof(train_settings, import)},
    {"General", cli_common_options, 0},
    {0}};

static void plan_defaults(void *target)
{
    plan_settings *settings = target;
    train_defaults(&settings->train);
    settings->seconds = 10;
    settings->cluster.machines = 1;
}

static void plan_json(const ezlda_plan *p)
{
    json_out json = {.file = stdout};
    json_open(&json, '{', true);
    json_put_u64(&json, "documents", p->docs);
    json_put_u64(&json, "words", p->words);
    json_put_u64(&json, "tokens", p->tokens);
    json_put_u64(&json, "iterations", p->iterations);
    json_put_string(&json, "device", p->device[0] ? p->device : NULL);
    json_put_u64(&json, "host_bytes", p->host_bytes);
    json_put_u64(&json, "host_available_bytes", p->host_available_bytes);
    json_put_u64(&json, "device_bytes", p->device_bytes);
    json_put_u64(&json, "chunks", p->chunks);
    json_put_real(&json, "seconds_setup", p->seconds_setup);
    json_put_real(&json, "seconds_iteration", p->seconds_iteration);
    json_put_real(&json, "seconds_score", p->seconds_score);
    json_put_real(&json, "seconds_total", p->seconds_total);
    json_put_u64(&json, "iterations_tried", p->tried);
    json_put_u64(&json, "sample_tokens", p->sample_tokens);
    json_close(&json, '}');
}

static void plan_table(const ezlda_plan *p, const ezlda_train_options *options)
{
    char a[32], b[32];
    bool fits = p->tried > 0;
    printf("host memory        %s%s of %s available%s\n", fits ? "" : "at least ",
           text_bytes(p->host_bytes, a), text_bytes(p->host_available_bytes, b),
           options->out_of_core ? ", with pages of the files in use" : "");
    if (p->chunks && p->device_bytes)
        printf("device memory      %s, the corpus %s\n", text_bytes(p->device_bytes, a),
               p->chunks > 1 ? "in chunks" : "in one piece");
    if (p->chunks > 1)
        printf("chunks             %u\n", p->chunks);
    printf("setting up         %s\n", plan_seconds(p->seconds_setup, a));
    printf("an iteration       %s (%s tokens/s)\n", plan_seconds(p->seconds_iteration, a),
           text_short(p->seconds_iteration > 0 ? (double)p->tokens / p->seconds_iteration : 0, b));
    printf("a score            %s\n", plan_seconds(p->seconds_score, a));
    printf("%-5u iterations   %s%s in total\n", p->iterations,
           options->iterations == EZLDA_UNTIL_SETTLED ? "at most " : "",
           plan_seconds(p->seconds_total, a));
    if (p->tried)
        printf("from a trial of %u iterations on %s", p->tried, p->device);
    else
        printf("not enough memory: nothing was tried (--out-of-core needs less)");
    if (p->sample_tokens)
        printf("%s a sample of %s tokens", p->tried ? ", and" : ", but",
               text_short((double)p->sample_tokens, a));
    putchar('\n');
}

static int plan_corpus(cli_call *call, plan_settings *settings, ezlda_context *context)
{
    ezlda_corpus *corpus = NULL;
    ezlda_plan plan = {.size = sizeof plan};
    const ezlda_train_options *options = &settings->train.train;
    ezlda_status status = cli_read_corpus(&corpus, context, call, &settings->train.import);
    if (status == EZLDA_OK)
        status = ezlda_train_plan(&plan, context, corpus, options, settings->seconds);
    ezlda_corpus_free(corpus);
    if (status != EZLDA_OK)
        return cli_fail_library(context, status);
    if (settings->json)
        plan_json(&plan);
    else
        plan_table(&plan, options);
    return CLI_SUCCESS;
}

static int run_plan(cli_call *call, ezlda_context *context)
{
    plan_settings *settings = call->settings;
    const ezlda_train_options *options = &settings->train.train;
    train_inputs inputs;
    int exit_status = cluster_check(call, &settings->cluster, options->device);
    if (!exit_status && (options->out_of_core || options->memory || options->scratch) &&
        cluster_has_gpus(&settings->cluster))
        exit_status = cli_misuse(call->command,
                                 "--out-of-core is for CPUs, but --gpus and --docs are for GPUs");
    if (exit_status)
        return exit_status;
    exit_status = train_inputs_open(&inputs, call, &settings->train, context);
    if (!exit_status && cluster_asked(&settings->cluster))
        exit_status = cluster_run(call, context, &settings->cluster, &settings->train.import,
                                  options, settings->seconds, settings->json);
    else if (!exit_status)
        exit_status = plan_corpus(call, settings, context);
    train_inputs_close(&inputs);
    return exit_status;
}

/* What most people use. */
static const char *const plan_first[] = {
    "seconds",     "json",   "gpus", "machines", "topics", "iterations", "device",
    "out-of-core", "memory", "docs", "words",    "tokens", "format",     "text-field",
    "stopwords",   "quiet",  "help", "help-all", NULL};

const cli_command cmd_plan = {
    .name = "plan",
    .operands = "[CORPUS...] -k K",
    .summary = "forecast what a run will take: memory, time, chunks",
    .description =
        "Starts a run with the given options, times it for --seconds and discards it. The memory "
        "of the host and of the device is that of the trial, which keeps everything that the run "
        "will keep. If there is time for only a few iterations, a sample of the documents shows "
        "how much faster later iterations are than the first. Without -i, or with "
        "--until-converged, the time is the longest that the run can take.\n\n"
        "With --gpus or --machines, the forecast is for several devices. It combines the trial on "
        "one device with a model of how long each step takes with a share of the documents, how "
        "long it takes to sum the counts, and how much memory is needed. Each machine is one rank "
        "with all its GPUs. If there is no GPU here, or if the corpus is described by --docs, "
        "--words and --tokens, the figures of one device are those measured on an H200, or follow "
        "from --tokens-per-second; --device-memory is then the memory of a GPU.",
    .examples =
        "ezlda plan news.ezc -k 1000 -i 500\nezlda plan news.ezc -k 1000 --device cuda --json\n"
        "ezlda plan news.ezc -k 1000 --gpus 8 --machines 16 --network 100G\n"
        "ezlda plan -k 2000 --docs 8200000 --words 141043 --tokens 737900000 --gpus 4",
    .sections = plan_sections,
    .settings_size = sizeof(plan_settings),
    .defaults = plan_defaults,
    .run = run_plan,
    .first_options = plan_first,
    .max_operands = (size_t)-1,
    .operand_name = "corpus",
};
