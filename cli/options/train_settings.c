/* Checks the values of the training options, and opens what they name besides the corpus: the model
 * of --init, the priors of --alpha, the words of --seeds. */
#include "options/train_settings.h"

#include "options/alpha_option.h"
#include "output/output_path.h"
#include "platform.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Parses 30s, 10m or 2h into seconds and sets *unit to NULL. If the unit is another one, *value is
 * the plain number and *unit points to the unit. */
static bool parse_time(const char *text, double *value, const char **unit)
{
    static const struct {
        const char *name;
        double seconds;
    } units[] = {{"s", 1}, {"m", 60}, {"h", 3600}};
    char *end;
    *value = strtod(text, &end);
    *unit = end;
    if (end == text || !(*value >= 0) || *value > 1e9)
        return false;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(end, units[i].name) == 0) {
            *value *= units[i].seconds;
            *unit = NULL;
        }
    return true;
}

/* Parses TIME or Nit. */
static bool parse_every(const char *text, double *seconds, uint32_t *iterations)
{
    double value;
    const char *unit;
    if (!parse_time(text, &value, &unit) || value == 0)
        return false;
    if (!unit) {
        *seconds = value;
        return true;
    }
    *iterations = (uint32_t)value;
    return strcmp(unit, "it") == 0 && value == (double)*iterations;
}

static int check_patience(const cli_call *call, train_settings *settings)
{
    const char *unit;
    settings->patience_seconds = INFINITY;
    if (!settings->patience ||
        (parse_time(settings->patience, &settings->patience_seconds, &unit) && !unit))
        return 0;
    return cli_misuse(call->command, "--patience: expected a time (0s, 10m, 2h), found '%s'",
                      settings->patience);
}

static int check_checkpoint(const cli_call *call, train_settings *settings)
{
    ezlda_train_options *options = &settings->train;
    if (!options->checkpoint && (settings->every || options->resume))
        return cli_misuse(call->command, "%s needs --checkpoint FOLDER",
                          options->resume ? "--resume" : "--every");
    if (settings->every && !parse_every(settings->every, &options->checkpoint_seconds,
                                        &options->checkpoint_iterations))
        return cli_misuse(
            call->command,
            "--every: expected a time (30s, 10m, 2h) or iterations (50it), found '%s'",
            settings->every);
    return 0;
}

static int check_memory(const cli_call *call, train_settings *settings, char **scratch)
{
    ezlda_train_options *options = &settings->train;
    if (!options->out_of_core && (options->memory || options->scratch))
        return cli_misuse(call->command, "%s needs --out-of-core",
                          options->memory ? "--memory" : "--scratch");
    if (!options->out_of_core || options->scratch || !settings->output ||
        output_is_direct(settings->output))
        return 0;
    const char *slash = platform_last_separator(settings->output);
    size_t length = slash ? (size_t)(slash - settings->output) : 0;
    *scratch = strdup(slash ? settings->output : ".");
    if (!*scratch)
        return cli_fail("not enough memory");
    if (slash)
        (*scratch)[length > 0 ? length : 1] = 0;
    options->scratch = *scratch;
    return 0;
}

void train_defaults(void *target)
{
    train_settings *settings = target;
    ezlda_import_options_init(&settings->import);
    ezlda_train_options_init(&settings->train);
    ezlda_study_init(&settings->study);
    settings->train.study = &settings->study;
    settings->train.topics = settings->train.iterations = 0; /* 0: not given */
}

/* Loads the model to continue from, which decides the number of topics. */
static int open_init(const cli_call *call, train_settings *settings, ezlda_context *context,
                     ezlda_model **model)
{
    bool needed = !settings->choose_topics || settings->alpha || settings->seeds;
    if (!settings->init)
        return settings->train.topics || !needed
                   ? 0
                   : cli_misuse(call->command, "-k/--topics K is required%s",
                                settings->alpha   ? " with --alpha"
                                : settings->seeds ? " with --seeds"
                                                  : "");
    ezlda_status status = ezlda_model_load(model, context, settings->init);
    if (status != EZLDA_OK)
        return cli_fail_library(context, status);
    ezlda_model_info info = {.size = sizeof info};
    ezlda_model_get_info(*model, &info);
    if (settings->train.topics && settings->train.topics != info.topics)
        return cli_misuse(call->command, "--topics is %u, but the model '%s' has %u",
                          settings->train.topics, settings->init, info.topics);
    settings->train.topics = info.topics;
    settings->train.init = *model;
    settings->import.like = ezlda_model_reading_rules(*model);
    settings->import.like_limits = 1;
    cli_given_rules(call, &settings->import);
    return 0;
}

int train_finish_options(const cli_call *call, train_settings *settings)
{
    static const char *const fitting[] = {"optimize-interval", "optimize-burn-in",
                                          "symmetric-alpha"};
    for (size_t i = 0; i < sizeof fitting / sizeof *fitting; i++)
        if (settings->fixed_priors && cli_given(call, fitting[i]))
            return cli_misuse(call->command, "--%s and --fixed-priors exclude each other",
                              fitting[i]);
    if (settings->fixed_priors)
        settings->train.optimize_interval = 0;
    if (settings->train.iterations == 0)
        settings->train.iterations = EZLDA_UNTIL_SETTLED;
    if (settings->train.symmetric_alpha && (settings->alpha || !settings->train.optimize_interval))
        return cli_misuse(call->command, "--symmetric-alpha needs an alpha that is fitted");
    return 0;
}

int train_check_checkpoint(const cli_call *call, train_settings *settings)
{
    int exit_status = check_checkpoint(call, settings);
    return exit_status ? exit_status : check_patience(call, settings);
}

int train_inputs_open(train_inputs *inputs, const cli_call *call, train_settings *settings,
                      ezlda_context *context)
{
    ezlda_train_options *options = &settings->train;
    *inputs = (train_inputs){0};
    int exit_status = train_finish_options(call, settings);
    if (!exit_status && cli_given(call, "seed-weight") && !settings->seeds)
        exit_status = cli_misuse(call->command, "--seed-weight needs --seeds FILE");
    if (!exit_status)
        exit_status = train_check_checkpoint(call, settings);
    if (!exit_status)
        exit_status = check_memory(call, settings, &inputs->scratch);
    if (!exit_status)
        exit_status = open_init(call, settings, context, &inputs->init);
    if (!exit_status)
        exit_status =
            alpha_option(call, settings->alpha, options->topics, &options->alpha, &inputs->alpha);
    if (!exit_status)
        exit_status = seeds_option(settings->seeds, options->topics, &inputs->seeds);
    options->alpha_vector = inputs->alpha;
    options->seeds = inputs->seeds.seed;
    options->n_seeds = inputs->seeds.n;
    options->converged_gain = settings->converged;
    return exit_status;
}

void train_inputs_close(train_inputs *inputs)
{
    seeds_free(&inputs->seeds);
    free(inputs->alpha);
    free(inputs->scratch);
    ezlda_model_free(inputs->init);
}

void train_advise_alpha(const train_settings *settings, const ezlda_corpus *corpus)
{
    enum { DEFAULT_SUM = 50 };
    ezlda_corpus_info info = {.size = sizeof info};
    ezlda_corpus_get_info(corpus, &info);
    double length = info.docs > info.empty_docs
                        ? (double)info.tokens / (double)(info.docs - info.empty_docs)
                        : 0;
    bool chosen = settings->alpha || settings->init || settings->train.optimize_interval > 0;
    char text[192];
    if (settings->common.quiet || chosen || length == 0 || length >= (double)DEFAULT_SUM)
        return;
    snprintf(text, sizeof text,
             "alpha: %d over all topics outweighs documents of %.0f tokens; fitted priors (without "
             "--fixed-priors) suit them",
             DEFAULT_SUM, length);
    cli_note(EZLDA_NOTE_WARNING, text, NULL);
}
