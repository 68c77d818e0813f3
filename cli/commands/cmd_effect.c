/* ezlda effect: how the shares of topics depend on fields of the documents. */
#include "cli.h"
#include "options/list_options.h"
#include "options/sampling_options.h"
#include "output/effect_view.h"
#include "output/output_path.h"

#include <stdlib.h>

typedef struct effect_settings {
    cli_common common;
    ezlda_import_options import;
    sampling_settings sampling;
    list_settings list;
    const char *formula, *words, *plot, *field;
    uint32_t top;
} effect_settings;

#define SETTING(field) .target = offsetof(effect_settings, field)

static const cli_option effect_options[] = {
    {.name = "formula",
     .type = CLI_TEXT,
     .argument = "TEXT",
     SETTING(formula),
     .required = true,
     .help = "what the shares depend on, such as \"share ~ s(year) + party*region\": fields, "
             "s(FIELD) or s(FIELD, DF) for a spline, factor(FIELD) for numbers that are "
             "categories, a:b for a product, a*b for a + b + a:b"},
    {.name = "words",
     .type = CLI_TEXT,
     .argument = "FIELD",
     SETTING(words),
     .help = "also show the words that each value of this field uses more than the others within a "
             "topic"},
    {.name = "top",
     .letter = 'n',
     .type = CLI_U32,
     .argument = "N",
     SETTING(top),
     .least = 1,
     .most = 1000,
     .help = "words of each group"},
    {.name = "plot",
     .type = CLI_TEXT,
     .argument = "FILE",
     SETTING(plot),
     .help = "draw the expected shares with their intervals as an SVG file"},
    {.name = "field",
     .type = CLI_TEXT,
     .argument = "FIELD",
     SETTING(field),
     .unset = "the first of the formula",
     .help = "the field that --plot shows"},
    {0}};

static const cli_section effect_sections[] = {
    {"Effects", effect_options, 0},
    {"", interval_options, offsetof(effect_settings, sampling)},
    {"", list_options, offsetof(effect_settings, list)},
    {"Samples", sampling_options, offsetof(effect_settings, sampling)},
    {"Reading raw corpora (by default as the model's text was read)", cli_import_options,
     offsetof(effect_settings, import)},
    {"General", cli_common_options, 0},
    {0}};

static void effect_defaults(void *target)
{
    effect_settings *settings = target;
    ezlda_import_options_init(&settings->import);
    settings->import.stopwords = cli_model_stopwords;
    sampling_defaults(&settings->sampling);
    settings->top = 10;
}

static ezlda_status print_effect(const cli_call *call, ezlda_context *context,
                                 const ezlda_model *model, const ezlda_effect *effect)
{
    const effect_settings *settings = call->settings;
    effect_view view = {.model = model,
                        .effect = effect,
                        .context = context,
                        .info = {.size = sizeof view.info},
                        .formula = settings->formula,
                        .level = settings->sampling.interval / 100,
                        .words = settings->top};
    ezlda_effect_get_info(effect, &view.info);
    (settings->list.json ? effect_json : settings->list.tsv ? effect_tsv : effect_table)(&view);
    if (!settings->plot)
        return EZLDA_OK;
    const char *field = settings->field ? settings->field : ezlda_effect_field(effect, 0);
    return ezlda_effect_write_svg(context, effect, field, view.level, settings->plot);
}

static int estimate(const cli_call *call, ezlda_context *context, const ezlda_model *model,
                    const ezlda_corpus *corpus)
{
    effect_settings *settings = call->settings;
    ezlda_model_info info = {.size = sizeof info};
    ezlda_effect_options options;
    ezlda_effect *effect = NULL;
    uint32_t *topics;
    size_t n;
    bool shown;
    ezlda_model_get_info(model, &info);
    if (!sampling_topics(call, &settings->sampling, info.topics, &topics, &n))
        return CLI_USAGE;
    sampling_watch(&settings->sampling, &shown, settings->common.quiet);
    ezlda_effect_options_init(&options);
    options.formula = settings->formula;
    options.topics = topics;
    options.n_topics = n;
    options.words_field = settings->words;
    options.sampling = &settings->sampling.sampling;
    ezlda_status status = ezlda_effect_estimate(&effect, context, model, corpus, &options);
    sampling_watched(&shown);
    if (status == EZLDA_OK)
        status = print_effect(call, context, model, effect);
    ezlda_effect_free(effect);
    free(topics);
    return status == EZLDA_OK ? CLI_SUCCESS : cli_fail_library(context, status);
}

static int run_effect(cli_call *call, ezlda_context *context)
{
    effect_settings *settings = call->settings;
    ezlda_model *model = NULL;
    ezlda_corpus *corpus = NULL;
    int exit_status = list_check(call, &settings->list);
    if (!exit_status && settings->field && !settings->plot)
        exit_status = cli_misuse(call->command, "--field needs --plot");
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
static const char *const effect_first[] = {
    "formula", "words",   "top",  "plot",    "field", "topics", "interval", "tsv",
    "json",    "samples", "seed", "threads", "quiet", "help",   "help-all", NULL};

const cli_command cmd_effect = {
    .name = "effect",
    .operands = "MODEL CORPUS... --formula TEXT [OPTION]...",
    .summary = "show how the shares of topics depend on fields",
    .description =
        "Regresses the share of each topic in the documents on fields that the corpus has kept "
        "(import --keep-fields), and prints coefficients with standard errors, tests and "
        "intervals. These include how uncertain the topics are: the posterior is sampled, and in "
        "each step the coefficients are drawn and make the prior of the documents' topics. The "
        "corpus is usually the one that the model was trained on; for another one the model's "
        "counts of words stay as they are.\n\n"
        "A field is a number or a date (as a year) if all its values are, and else a category, "
        "whose first value in alphabetical order is the reference. Documents without a value "
        "(empty "
        "or NA) are not used. The result depends on the seed, not on the number of threads.",
    .examples =
        "ezlda effect speeches.ezm speeches.ezc --formula \"share ~ s(year) + party\"\n"
        "ezlda effect speeches.ezm speeches.ezc --formula party -t 3,7-9 --words party\n"
        "ezlda effect speeches.ezm speeches.ezc --formula \"s(year)*party\" --plot year.svg\n"
        "ezlda effect speeches.ezm speeches.ezc --formula party --json > effect.json",
    .sections = effect_sections,
    .settings_size = sizeof(effect_settings),
    .defaults = effect_defaults,
    .run = run_effect,
    .first_options = effect_first,
    .min_operands = 2,
    .max_operands = (size_t)-1,
    .operand_name = "model and a corpus",
};
