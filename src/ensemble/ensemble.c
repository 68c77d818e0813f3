/* ezlda_ensemble: trains the members one after the other, and makes their consensus. */
#include "ensemble/ensemble.h"

#include "base/options_struct.h"
#include "corpus/corpus.h"
#include "train/train_options.h"

enum { SEEDS_MOST = 1000 };

void ezlda_ensemble_options_init_sized(ezlda_ensemble_options *options, size_t size)
{
    ezlda_consensus_options consensus;
    ezlda_consensus_options_init(&consensus);
    ezlda_ensemble_options defaults = {
        .size = sizeof defaults, .seeds = 10, .threshold = consensus.threshold};
    ez_options_init(options, size, &defaults, sizeof defaults);
}

static uint64_t seed_of(const ez_ensemble *e)
{
    return e->train.seed + e->number;
}

static void report(ez_ensemble *e, bool found, const ezlda_progress *training)
{
    ezlda_ensemble_progress progress = {e->number + 1, e->options.seeds, seed_of(e), found,
                                        training};
    if (e->options.progress && e->options.progress(&progress, e->options.user) != 0)
        e->stopped = true;
}

static int after_iteration(const ezlda_progress *progress, void *user)
{
    ez_ensemble *e = user;
    report(e, false, progress);
    return e->stopped ? EZLDA_PROGRESS_STOP : EZLDA_PROGRESS_CONTINUE;
}

static ezlda_status train_member(ez_ensemble *e, ezlda_model **out)
{
    ezlda_train_options options = e->train;
    options.seed = seed_of(e);
    options.keep_topics = 1;
    options.progress = after_iteration;
    options.user = e;
    EZ_TRY(ezlda_train(out, e->context, e->corpus, &options));
    if (!e->stopped)
        return ez_ensemble_keep(e, *out);
    ezlda_model_free(*out);
    *out = NULL;
    return ez_fail(e->context, EZLDA_ERROR_STOPPED, "stopped after %u of %u members%s", e->number,
                   e->options.seeds,
                   e->options.folder ? "; the same command continues from there" : "");
}

static ezlda_status make_members(ez_ensemble *e)
{
    for (; e->number < e->options.seeds; e->number++) {
        ezlda_model **member = &e->members[e->number];
        EZ_TRY(ez_ensemble_find(e, member));
        bool found = *member != NULL;
        if (!found)
            EZ_TRY(train_member(e, member));
        report(e, found, NULL);
    }
    return EZLDA_OK;
}

static ezlda_status check_options(ez_ensemble *e, const ezlda_ensemble_options *options)
{
    ezlda_ensemble_options_init(&e->options);
    EZ_TRY(ez_options_read(&e->options, sizeof e->options, e->context, options, "ensemble"));
    const ezlda_ensemble_options *o = &e->options;
    if (o->seeds < 2 || o->seeds > SEEDS_MOST)
        return ez_fail(e->context, EZLDA_ERROR_ARGUMENT, "seeds is %u; expected 2 to %d", o->seeds,
                       SEEDS_MOST);
    if (!(o->threshold >= 0 && o->threshold <= 1))
        return ez_fail(e->context, EZLDA_ERROR_ARGUMENT, "threshold is %g; expected 0 to 1",
                       o->threshold);
    if (o->folder && !*o->folder)
        return ez_fail(e->context, EZLDA_ERROR_ARGUMENT,
                       "expected a folder for the members, found an empty name");
    EZ_TRY(ez_train_options_read(&e->train, e->context, o->train));
    if (e->train.init || e->train.n_seeds || e->train.checkpoint || e->train.group ||
        e->train.out_of_core)
        return ez_fail(e->context, EZLDA_ERROR_ARGUMENT,
                       "an ensemble is trained in one process and in memory, without a first "
                       "model, seed words and checkpoints");
    if (e->train.seed > UINT64_MAX - (o->seeds - 1))
        return ez_fail(e->context, EZLDA_ERROR_ARGUMENT, "seed is too large for %u seeds to follow",
                       o->seeds - 1);
    return EZLDA_OK;
}

static ezlda_status make_ensemble(ez_ensemble *e, ezlda_model **out)
{
    ezlda_consensus_options options;
    ezlda_consensus_options_init(&options);
    options.threshold = e->options.threshold;
    EZ_TRY(ez_ensemble_folder(e));
    EZ_TRY(make_members(e));
    return ezlda_consensus(out, e->context, e->corpus, (const ezlda_model *const *)e->members,
                           e->options.seeds, &options);
}

ezlda_status ezlda_ensemble(ezlda_model **out, ezlda_context *context, const ezlda_corpus *corpus,
                            const ezlda_ensemble_options *options)
{
    ez_corpus_sizes sizes;
    ez_clear(context);
    EZ_TRY(ez_needs(context, out, "a place for the model"));
    *out = NULL;
    EZ_TRY(ez_needs(context, corpus, "the corpus"));
    ez_ensemble e = {.context = context, .corpus = corpus};
    EZ_TRY(check_options(&e, options));
    ez_corpus_sizes_of(corpus, &sizes);
    e.corpus_hash = sizes.hash;
    EZ_TRY(ez_array_zero(&e.members, context, e.options.seeds, sizeof(ezlda_model *), "members"));
    ezlda_status status = make_ensemble(&e, out);
    for (uint32_t m = 0; m < e.options.seeds; m++)
        ezlda_model_free(e.members[m]);
    ez_free(e.members);
    return status;
}
