/* Defaults and checks of the options of a run, and the settings of a backend made from them. */
#include "train/train_options.h"

#include "backend/choose_device.h"
#include "base/memory.h"
#include "base/options_struct.h"
#include "model/model_layout.h"
#include "sampler/word_record.h"
#include "train/iterations.h"

#include <math.h>
#include <string.h>

void ezlda_train_options_init_sized(ezlda_train_options *options, size_t size)
{
    ezlda_train_options defaults = {.size = sizeof defaults,
                                    .topics = 100,
                                    .iterations = EZLDA_UNTIL_SETTLED,
                                    .seed = 1,
                                    .word_samples = 5,
                                    .start = EZLDA_START_AUTO,
                                    .eval_every = 50,
                                    .device = "auto",
                                    .optimize_interval = 10,
                                    .optimize_burn_in = 20,
                                    .seed_weight = 0.2};
    ez_options_init(options, size, &defaults, sizeof defaults);
}

void ezlda_study_init_sized(ezlda_study *study, size_t size)
{
    ezlda_study defaults = {.size = sizeof defaults};
    ez_options_init(study, size, &defaults, sizeof defaults);
}

/* The caller's switches; NULL: the defaults, which are all 0. */
static ezlda_status read_study(ezlda_study *out, ezlda_context *context, const ezlda_study *given)
{
    ezlda_study_init(out);
    return given ? ez_struct_read(out, sizeof *out, context, given, "a study") : EZLDA_OK;
}

ezlda_study ez_study_of(const ezlda_train_options *options)
{
    ezlda_study study;
    (void)read_study(&study, NULL, options->study); /* ez_train_options_read has checked it */
    return study;
}

static ezlda_status check_choice(ezlda_context *context, const char *name, int value, int last)
{
    if (value < 0 || value > last)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT, "%s is %d; expected 0 to %d", name, value,
                       last);
    return EZLDA_OK;
}

static ezlda_status check_prior(ezlda_context *context, const char *name, double value)
{
    /* a model keeps priors as floats, and the float next to the least one is below it */
    if (!((float)value >= 1e-6f && value <= 100))
        return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                       "%s is %g; expected a number from 0.000001 to 100", name, value);
    return EZLDA_OK;
}

static ezlda_status check_study(ezlda_context *context, const ezlda_study *given)
{
    ezlda_study study;
    EZ_TRY(read_study(&study, context, given));
    if (study.g < 0 || study.g > EZ_TOP)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT, "g is %d; expected 1 to %d, or 0 to choose",
                       study.g, EZ_TOP);
    EZ_TRY(check_choice(context, "sampler", (int)study.sampler, EZLDA_TWO_BRANCH));
    EZ_TRY(check_choice(context, "balance", (int)study.balance, EZLDA_BALANCE_NONE));
    return check_choice(context, "w_format", (int)study.w_format, EZLDA_W_SPARSE);
}

/* Out of core needs the CPU: "auto" becomes that, and any other device is refused. */
static ezlda_status choose_cpu(ezlda_context *context, ezlda_train_options *out)
{
    ez_device_choice choice;
    EZ_TRY(ez_device_parse(&choice, context, out->device));
    if (choice.kind == EZ_DEVICE_AUTO)
        out->device = "cpu";
    if (choice.kind == EZ_DEVICE_AUTO || choice.kind == EZ_DEVICE_CPU)
        return EZLDA_OK;
    return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                   "out of core is for the device cpu, and the device is %s (through a GPU a "
                   "corpus passes in chunks of "
                   "its own: device memory)",
                   out->device);
}

/* A run that fits priors continues with those of the model's run; one that does not uses the
 * model's. */
static const double *training_priors(const ezlda_train_options *options)
{
    return options->optimize_interval > 0 ? options->init->training : NULL;
}

static double first_beta(const ezlda_train_options *options)
{
    const double *training = training_priors(options);
    return training ? training[0] : options->init->meta->beta;
}

static const double *first_alpha(const ezlda_train_options *options)
{
    const double *training = training_priors(options);
    return training ? training + 1 : options->init->alpha;
}

ezlda_status ez_train_options_read(ezlda_train_options *out, ezlda_context *context,
                                   const ezlda_train_options *options)
{
    ezlda_train_options_init(out);
    EZ_TRY(ez_options_read(out, sizeof *out, context, options, "train"));
    if (out->topics < EZ_TOPICS_MIN || out->topics > EZ_TOPICS_MAX)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT, "topics is %u; expected %d to %d",
                       out->topics, EZ_TOPICS_MIN, EZ_TOPICS_MAX);
    if (out->beta != 0)
        EZ_TRY(check_prior(context, "beta", out->beta));
    if (!(out->seed_weight > 0 && out->seed_weight <= 1e6))
        return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                       "seed_weight is %g; expected a number above 0, at most 1000000",
                       out->seed_weight);
    if (!(out->converged_gain >= 0 && out->converged_gain <= 1000))
        return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                       "converged_gain is %g; expected a number from 0 to 1000",
                       out->converged_gain);
    if (out->n_seeds && !out->seeds)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT, "n_seeds is %zu but seeds is NULL",
                       out->n_seeds);
    for (size_t i = 0; i < out->n_seeds; i++)
        EZ_TRY(ez_needs(context, out->seeds[i].word, "the word of a seed"));
    EZ_TRY(check_choice(context, "estimator", (int)out->estimator, EZLDA_ESCA));
    EZ_TRY(check_choice(context, "start", (int)out->start, EZLDA_START_AUTO));
    EZ_TRY(check_study(context, out->study));
    return out->out_of_core ? choose_cpu(context, out) : EZLDA_OK;
}

ez_prior_plan ez_prior_plan_of(const ezlda_train_options *options)
{
    bool fitted = options->optimize_interval > 0;
    return (ez_prior_plan){
        .alpha = fitted && options->alpha == 0 && !options->alpha_vector,
        .beta = fitted && options->beta == 0,
        .symmetric = options->symmetric_alpha != 0,
    };
}

/* The sum of alpha before the first fit: a tenth of the mean length, so that the prior does not
 * outweigh short documents before it is fitted. Priors that stay fixed are those of the literature.
 */
static double first_alpha_sum(const ezlda_train_options *options, const ez_corpus_sizes *sizes)
{
    enum { LENGTH_SHARE = 10, LEAST = 1, MOST = 50 };
    double sum = sizes->docs ? (double)sizes->tokens / (double)sizes->docs / LENGTH_SHARE : MOST;
    if (!ez_prior_plan_of(options).alpha)
        return MOST;
    return sum < LEAST ? LEAST : sum > MOST ? MOST : sum;
}

bool ez_train_options_suit_size(ezlda_train_options *options, uint64_t tokens)
{
    enum { CONTINUED = 200 };
    if (options->init && options->iterations == EZLDA_UNTIL_SETTLED)
        options->iterations = CONTINUED;
    bool chosen = options->iterations == EZLDA_UNTIL_SETTLED;
    if (chosen)
        options->iterations = ez_iterations_most(tokens);
    /* A random start is better by held-out scores if the run is long. */
    if (options->start == EZLDA_START_AUTO)
        options->start = chosen && ez_iterations_least(tokens) >= EZ_ITERATIONS_LONG
                             ? EZLDA_START_RANDOM
                             : EZLDA_START_KEYWORD;
    return chosen && options->converged_gain == 0;
}

bool ez_train_options_suit(ezlda_train_options *options, const ez_corpus_sizes *sizes)
{
    bool given = options->alpha != 0 || options->alpha_vector ||
                 (options->init && options->init->meta->topics == options->topics);
    if (!given)
        options->alpha = first_alpha_sum(options, sizes) / options->topics;
    if (options->beta == 0)
        options->beta = options->init ? first_beta(options) : 0.01;
    return ez_train_options_suit_size(options, sizes->tokens);
}

ezlda_status ez_settings_make(ez_settings *out, float **alpha, ezlda_context *context,
                              const ezlda_train_options *options)
{
    ezlda_study study = ez_study_of(options);
    *out = (ez_settings){
        .topics = options->topics,
        .seed = options->seed,
        .priors.beta = (float)options->beta,
        .estimator = options->estimator,
        .start = options->start,
        .sampler = study.sampler,
        .g = study.g,
        .w_format = study.w_format,
        .balance = study.balance,
        .region = study.region,
        .loose_records = study.loose_records != 0,
        .device_memory = options->device_memory,
    };
    EZ_TRY(ez_array(alpha, context, options->topics, sizeof **alpha, "alpha"));
    const double *vector = options->alpha_vector;
    if (!vector && options->alpha == 0 && options->init &&
        options->init->meta->topics == options->topics)
        vector = first_alpha(options);
    for (uint32_t k = 0; k < options->topics; k++) {
        double value = vector ? vector[k] : options->alpha;
        EZ_TRY(check_prior(context, "alpha", value));
        (*alpha)[k] = (float)value;
        out->priors.alpha_sum += (double)(*alpha)[k];
    }
    out->priors.alpha = *alpha;
    return EZLDA_OK;
}
