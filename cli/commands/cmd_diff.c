/* ezlda diff: matches the topics of two models one to one and prints what changed. */
#include "cli.h"
#include "output/diff_view.h"

static const char *const sorts[] = {"drift", "size", "number", NULL};

#define SETTING(field) .target = offsetof(diff_settings, field)

static const cli_option diff_options[] = {
    {.name = "words",
     .letter = 'n',
     .type = CLI_U32,
     .argument = "N",
     SETTING(words),
     .least = 1,
     .most = 1000,
     .help = "top words of each topic, to show and to compare"},
    {.name = "threshold",
     .type = CLI_REAL,
     .argument = "S",
     SETTING(threshold),
     .most = 1,
     .help = "least similarity of a pair; topics without such a partner have vanished or appeared"},
    {.name = "drift",
     .type = CLI_REAL,
     .argument = "S",
     SETTING(drift),
     .most = 1,
     .help = "pairs less similar than this have drifted"},
    {.name = "sort",
     .type = CLI_CHOICE,
     .argument = "ORDER",
     SETTING(sort),
     .choices = sorts,
     .help = "order of the topics: least similar first, largest first (tokens in both models), or "
             "by number"},
    {.name = "top",
     .type = CLI_U32,
     .argument = "N",
     SETTING(top),
     .least = 1,
     .most = 65536,
     .unset = "all",
     .help = "show at most N of each: drifted, kept, vanished, appeared"},
    {0}};

static const cli_section diff_sections[] = {{"Comparison", diff_options, 0},
                                            {"", list_options, offsetof(diff_settings, list)},
                                            {"General", cli_common_options, 0},
                                            {0}};

static void diff_defaults(void *target)
{
    diff_settings *settings = target;
    ezlda_match_options options;
    ezlda_match_options_init(&options);
    settings->words = options.words;
    settings->threshold = options.threshold;
    settings->drift = 0.7;
}

static ezlda_status print_diff(const cli_call *call, ezlda_context *context,
                               const ezlda_model *const model[2])
{
    const diff_settings *settings = call->settings;
    ezlda_match_options options;
    ezlda_match *match;
    ezlda_match_options_init(&options);
    options.threshold = settings->threshold;
    options.words = settings->words;
    ezlda_status status = ezlda_model_match(&match, context, model[0], model[1], &options);
    if (status != EZLDA_OK)
        return status;
    diff_view view = diff_view_open(settings, context, call->operands, model, match);
    status = settings->list.json  ? diff_json(&view)
             : settings->list.tsv ? diff_tsv(&view)
                                  : diff_report(&view);
    diff_view_close(&view);
    ezlda_match_free(match);
    return status;
}

static int run_diff(cli_call *call, ezlda_context *context)
{
    const diff_settings *settings = call->settings;
    int exit_status = list_check(call, &settings->list);
    if (exit_status)
        return exit_status;
    if (settings->drift < settings->threshold)
        return cli_misuse(call->command, "--drift: expected --threshold (%g) or more, found %g",
                          settings->threshold, settings->drift);
    ezlda_model *model[2] = {NULL, NULL};
    ezlda_status status = ezlda_model_load(&model[0], context, call->operands[0]);
    if (status == EZLDA_OK)
        status = ezlda_model_load(&model[1], context, call->operands[1]);
    if (status == EZLDA_OK)
        status = print_diff(call, context, (const ezlda_model *const *)model);
    exit_status = status == EZLDA_OK ? CLI_SUCCESS : cli_fail_library(context, status);
    ezlda_model_free(model[0]);
    ezlda_model_free(model[1]);
    return exit_status;
}

const cli_command cmd_diff = {
    .name = "diff",
    .operands = "A B [OPTION]...",
    .summary = "compare the topics of two models",
    .description =
        "Matches the topics of two models one to one so that the sum of the pairs' similarities is "
        "as large as possible, and shows which topics drifted, were kept, vanished from A or "
        "appeared in B. The models may differ in topics and in vocabulary: words are matched by "
        "their text. Topics that edits hide are not compared.\n\n"
        "The similarity of two topics is the sum over all words of sqrt(p(word | A's topic) * "
        "p(word | B's topic)): 1 for the same words in the same shares, 0 for no word in common. "
        "In the report, + marks a word that came into the topic's top words, and - one that fell "
        "out. A topic without a partner is shown with the nearest topic of the other model, which "
        "helps to find topics that were split or merged. --tsv prints one line per pair and per "
        "topic without a partner.",
    .examples = "ezlda diff january.ezm june.ezm\nezlda diff seed1.ezm seed2.ezm -n 20 --top 10\n"
                "ezlda diff january.ezm june.ezm --json > changes.json",
    .sections = diff_sections,
    .settings_size = sizeof(diff_settings),
    .defaults = diff_defaults,
    .run = run_diff,
    .min_operands = 2,
    .max_operands = 2,
    .operand_name = "pair of models",
};
