/* ezlda trend: the shares and words of topics over time. */
#include "cli.h"
#include "options/list_options.h"
#include "options/sampling_options.h"
#include "output/effect_view.h"
#include "output/output_path.h"

#include <stdlib.h>

typedef struct trend_settings {
    cli_common common;
    ezlda_import_options import;
    sampling_settings sampling;
    list_settings list;
    const char *by, *step, *plot;
    uint32_t top;
} trend_settings;

#define SETTING(field) .target = offsetof(trend_settings, field)

static const char *const step_names[] = {"auto", "day",    "week",    "month", "quarter",
                                         "year", "decade", "century", NULL};

static const cli_option trend_options[] = {
    {.name = "by",
     .type = CLI_TEXT,
     .argument = "FIELD",
     SETTING(by),
     .required = true,
     .help = "the field with the date: a year, or 2019-05 or 2019-05-17"},
    {.name = "step",
     .type = CLI_NAME,
     .argument = "STEP",
     SETTING(step),
     .choices = step_names,
     .help = "length of a period; auto: the shortest with at most 60 periods in which half of the "
             "documents are in periods of at least 30"},
    {.name = "top",
     .letter = 'n',
     .type = CLI_U32,
     .argument = "N",
     SETTING(top),
     .least = 1,
     .most = 1000,
     .help = "words of each period: those that the topic uses more in it than in the others"},
    {.name = "plot",
     .type = CLI_TEXT,
     .argument = "FILE",
     SETTING(plot),
     .help = "draw the shares with their intervals as an SVG file"},
    {0}};

static const cli_section trend_sections[] = {
    {"Trends", trend_options, 0},
    {"", interval_options, offsetof(trend_settings, sampling)},
    {"", list_options, offsetof(trend_settings, list)},
    {"Samples", sampling_options, offsetof(trend_settings, sampling)},
    {"Reading raw corpora (by default as the model's text was read)", cli_import_options,
     offsetof(trend_settings, import)},
    {"General", cli_common_options, 0},
    {0}};

static void trend_defaults(void *target)
{
    trend_settings *settings = target;
    ezlda_import_options_init(&settings->import);
    settings->import.stopwords = cli_model_stopwords;
    sampling_defaults(&settings->sampling);
    settings->step = "auto";
    settings->top = 5;
}

static ezlda_status print_trend(const cli_call *call, ezlda_context *context,
                                const ezlda_model *model, const ezlda_trend *trend)
{
    const trend_settings *settings = call->settings;
    trend_view view = {.model = model,
                       .trend = trend,
                       .context = context,
                       .info = {.size = sizeof view.info},
                       .field = settings->by,
                       .level = settings->sampling.interval / 100,
                       .words = settings->top};
    ezlda_trend_get_info(trend, &view.info);
    (settings->list.json ? trend_json : settings->list.tsv ? trend_tsv : trend_table)(&view);
    return settings->plot ? ezlda_trend_write_svg(context, trend, view.level, settings->plot)
                          : EZLDA_OK;
}

static int estimate(const cli_call *call, ezlda_context *context, const ezlda_model *model,
                    const ezlda_corpus *corpus)
{
    trend_settings *settings = call->settings;
    ezlda_model_info info = {.size = sizeof info};
    ezlda_trend_options options;
    ezlda_trend *trend = NULL;
    uint32_t *topics;
    size_t n;
    bool shown;
    ezlda_model_get_info(model, &info);
    if (!sampling_topics(call, &settings->sampling, info.topics, &topics, &n))
        return CLI_USAGE;
    sampling_watch(&settings->sampling, &shown, settings->common.quiet);
    ezlda_trend_options_init(&options);
    options.field = settings->by;
    options.step = settings->step;
    options.topics = topics;
    options.n_topics = n;
    options.sampling = &settings->sampling.sampling;
    ezlda_status status = ezlda_trend_estimate(&trend, context, model, corpus, &options);
    sampling_watched(&shown);
    if (status == EZLDA_OK)
        status = print_trend(call, context, model, trend);
    ezlda_trend_free(trend);
    free(topics);
    return status == EZLDA_OK ? CLI_SUCCESS : cli_fail_library(context, status);
}

static int run_trend(cli_call *call, ezlda_context *context)
{
    trend_settings *settings = call->settings;
    ezlda_model *model = NULL;
    ezlda_corpus *corpus = NULL;
    int exit_status = list_check(call, &settings->list);
    if (!exit_status)
        exit_status = output_check(call, "--plot", settings->plot);
    if (exit_status)
        return exit_status;
    ezlda_status status = cli_load_model(&model, context, call);
    if (status == EZLDA_OK)
        status = cli_read_corpus_like(&corpus, context, call, model, &settings->import);
    exit_status = status == EZLDA_OK ? estimate(call, context, model, corpus)
                                     : cli_fail_library(context, status);
    ezlda_corpus_free(corpus);
    ezlda_model_free(model);
    return exit_status;
}

/* What most people use. */
static const char *const trend_first[] = {"by",       "step",  "top",  "plot",     "topics",
                                          "interval", "tsv",   "json", "samples",  "seed",
                                          "threads",  "quiet", "help", "help-all", NULL};

const cli_command cmd_trend = {
    .name = "trend",
    .operands = "MODEL CORPUS... --by FIELD [OPTION]...",
    .summary = "show the shares and words of topics over time",
    .description =
        "Shows the share of each topic in the documents of every period, with its interval, the "
        "words that the topic uses more in that period than in the others, and bursts: periods in "
        "which it has at least twice its usual share (Kleinberg's automaton of two states). Errors "
        "are those of effect with the periods as categories. The corpus must have kept a "
        "field of dates (import --keep-fields).",
    .examples = "ezlda trend news.ezm news.ezc --by date\n"
                "ezlda trend news.ezm news.ezc --by date --step quarter -t 4 --plot topic4.svg\n"
                "ezlda trend news.ezm news.ezc --by date --tsv > trend.tsv",
    .sections = trend_sections,
    .settings_size = sizeof(trend_settings),
    .defaults = trend_defaults,
    .run = run_trend,
    .first_options = trend_first,
    .min_operands = 2,
    .max_operands = (size_t)-1,
    .operand_name = "model and a corpus",
};
