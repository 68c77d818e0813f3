/* The schedule of a chain, and its progress. */
#include "posterior/chain_run.h"

#include "base/options_struct.h"
#include "base/wall_clock.h"

void ezlda_sampling_options_init_sized(ezlda_sampling_options *options, size_t size)
{
    ezlda_sampling_options defaults = {
        .size = sizeof defaults, .samples = 20, .thin = 5, .burn_in = 50, .seed = 1};
    ez_options_init(options, size, &defaults, sizeof defaults);
}

ezlda_status ez_sampling_read(ezlda_sampling_options *options, ezlda_context *context,
                              const ezlda_sampling_options *given)
{
    ezlda_sampling_options_init(options);
    EZ_TRY(ez_options_read(options, sizeof *options, context, given, "sampling"));
    if (options->samples < 2 || options->samples > 10000)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT, "samples = %u, expected 2 to 10000",
                       options->samples);
    if (options->thin < 1 || options->thin > 10000 || options->burn_in > 1000000)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                       "thin = %u and burn_in = %u, expected 1 to 10000 and at most 1000000",
                       options->thin, options->burn_in);
    return EZLDA_OK;
}

typedef struct watch {
    const ezlda_sampling_options *options;
    ezlda_sampling_progress progress;
    double start;
} watch;

static int after_step(void *user)
{
    watch *w = user;
    w->progress.steps_done++;
    w->progress.seconds = ez_now() - w->start;
    return w->options->progress ? w->options->progress(&w->progress, w->options->user) : 0;
}

ezlda_status ez_sampling_run(ez_chain *chain, ezlda_context *context,
                             const ezlda_sampling_options *options, ez_round_fn round, void *user)
{
    watch w = {.options = options, .start = ez_now()};
    w.progress.steps = options->burn_in + options->samples * options->thin;
    for (uint32_t r = 1; r <= options->burn_in + options->samples; r++) {
        bool keep = r > options->burn_in;
        EZ_TRY(ez_chain_steps(chain, context, keep ? options->thin : 1, after_step, &w));
        EZ_TRY(ez_chain_fit_priors(chain, context));
        EZ_TRY(round(user, context, chain, r, keep));
    }
    return EZLDA_OK;
}
