/* ezlda_update: a run on new documents whose W has the counts of a model besides theirs. */
#include "base/options_struct.h"
#include "train/train_options.h"
#include "train/training.h"
#include "train/update/update_words.h"

/* Iterations of an update, and documents that must have a word that the model does not know. */
enum { EZ_UPDATE_ITERATIONS = 100, EZ_UPDATE_WORD_DOCS = 2 };

void ezlda_update_options_init_sized(ezlda_update_options *options, size_t size)
{
    ezlda_update_options defaults = {
        .size = sizeof defaults, .decay = 1, .new_word_docs = EZ_UPDATE_WORD_DOCS};
    ez_options_init(options, size, &defaults, sizeof defaults);
}

static ezlda_status read_options(ezlda_update_options *out, ezlda_context *context,
                                 const ezlda_update_options *options)
{
    ezlda_update_options_init(out);
    EZ_TRY(ez_options_read(out, sizeof *out, context, options, "update"));
    if (!(out->decay > 0 && out->decay <= 1))
        return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                       "decay is %g; expected a number above 0, at most 1", out->decay);
    return EZLDA_OK;
}

static ezlda_status refuse(ezlda_context *context, const char *what)
{
    return ez_fail(context, EZLDA_ERROR_ARGUMENT, "an update has no %s", what);
}

/* What the past decides, and what no update can have. */
static ezlda_status check_train(ezlda_context *context, const ezlda_train_options *train)
{
    if (train->init)
        return refuse(context, "other model to continue from");
    if (train->seeds || train->n_seeds)
        return refuse(context, "seed words: its topics are those of the model");
    if (train->alpha != 0 || train->alpha_vector || train->beta != 0)
        return refuse(context, "priors of its own: they are those of the model");
    if (train->out_of_core)
        return refuse(context, "runs out of core: give it fewer documents at a time");
    return train->group ? refuse(context, "ranks: it runs in one process") : EZLDA_OK;
}

/* The options of the run. An update that fits nothing samples with the priors of the run that made
 * the model. */
static ezlda_status read_train(ezlda_train_options *out, ezlda_context *context,
                               const ezlda_update_options *options, const ezlda_model *model)
{
    ezlda_train_options_init(out);
    EZ_TRY(ez_options_read(out, sizeof *out, context, options->train, "train"));
    EZ_TRY(check_train(context, out));
    out->topics = model->meta->topics;
    out->init = model;
    out->estimator = (ezlda_estimator)model->meta->estimator;
    if (out->iterations == EZLDA_UNTIL_SETTLED)
        out->iterations = EZ_UPDATE_ITERATIONS;
    if (options->fit_priors) {
        out->optimize_interval = out->optimize_interval ? out->optimize_interval : 10;
        return EZLDA_OK;
    }
    out->optimize_interval = 0;
    out->alpha_vector = model->training ? model->training + 1 : model->alpha;
    out->beta = model->training ? model->training[0] : model->meta->beta;
    return EZLDA_OK;
}

static ezlda_status update(ezlda_model **out, ezlda_context *context, ez_past *past,
                           const ezlda_corpus *corpus, const ezlda_update_options *options,
                           const ezlda_train_options *train)
{
    ezlda_corpus *joined = NULL;
    ez_corpus_sizes sizes;
    ezlda_status status;
    ez_corpus_sizes_of(corpus, &sizes);
    if (sizes.hash == past->model->meta->corpus_hash)
        ez_warn(context, "the model has these documents already: their tokens will count twice");
    EZ_TRY_GOTO(ez_update_words(&joined, context, past, corpus, options->new_word_docs,
                                options->all_words != 0));
    EZ_TRY_GOTO(ez_past_rows(past, context));
    past->whole_rows = options->fit_priors != 0;
    status = ez_train(out, context, joined, train, past);
done:
    ezlda_corpus_free(joined);
    return status;
}

ezlda_status ezlda_update(ezlda_model **out, ezlda_context *context, const ezlda_model *model,
                          const ezlda_corpus *corpus, const ezlda_update_options *options)
{
    ezlda_update_options how;
    ezlda_train_options train;
    ez_past past = {0};
    ez_clear(context);
    EZ_TRY(ez_needs(context, out, "a place for the model"));
    *out = NULL;
    EZ_TRY(ez_needs(context, model, "a model"));
    EZ_TRY(ez_needs(context, corpus, "a corpus"));
    EZ_TRY(read_options(&how, context, options));
    EZ_TRY(read_train(&train, context, &how, model));
    ezlda_status status = ez_past_forget(&past, context, model, how.decay, train.seed);
    if (status == EZLDA_OK)
        status = update(out, context, &past, corpus, &how, &train);
    ez_past_free(&past);
    return status;
}
