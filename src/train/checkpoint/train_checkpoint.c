/* The checkpoints of a run: when they are written, and how a run resumes from one. */
#include "base/files/content_hash.h"
#include "base/wall_clock.h"
#include "corpus/corpus.h"
#include "train/counts/sum_rows.h"
#include "train/training.h"

#include <string.h>

static ezlda_status hash_seeds(uint64_t *out, ezlda_context *context, const ezlda_train_options *o)
{
    ez_buffer text = {0};
    ezlda_status status = EZLDA_OK;
    for (size_t i = 0; i < o->n_seeds && status == EZLDA_OK; i++) {
        status = ez_buffer_append(&text, context, &o->seeds[i].topic, sizeof o->seeds[i].topic);
        if (status == EZLDA_OK)
            status =
                ez_buffer_append(&text, context, o->seeds[i].word, strlen(o->seeds[i].word) + 1);
    }
    *out = text.used ? ez_hash_bytes(text.data, text.used) : 0;
    ez_free(text.data);
    return status;
}

ezlda_status ez_training_key(ez_training *t)
{
    ez_checkpoint_key *key = &t->key;
    const ezlda_train_options *o = &t->options;
    ez_corpus_sizes sizes;
    ez_corpus_sizes_of(t->corpus, &sizes);
    *key = (ez_checkpoint_key){
        .corpus_hash = sizes.hash,
        .seed = o->seed,
        .alpha_hash = ez_hash_bytes(t->alpha, o->topics * sizeof *t->alpha),
        .init_hash = t->past   ? t->past->key
                     : o->init ? ez_model_hash(o->init)
                               : 0,
        .alpha_sum = t->settings.priors.alpha_sum,
        .beta = (double)t->settings.priors.beta,
        .seed_weight = o->n_seeds ? o->seed_weight : 0,
        .topics = o->topics,
        .estimator = (uint32_t)o->estimator,
        .start = (uint32_t)t->asked_start,
        .optimize_interval = o->optimize_interval,
        .optimize_burn_in = o->optimize_interval ? o->optimize_burn_in : 0,
        .symmetric_alpha = o->optimize_interval && o->symmetric_alpha,
        .fit_alpha = t->plan.alpha,
        .fit_beta = t->plan.beta,
        .samples = o->word_samples,
    };
    return hash_seeds(&key->seeds_hash, t->context, o);
}

static void restore_converge(ez_training *t, const ez_checkpoint_meta *meta)
{
    memcpy(t->converge.llpt, meta->converge_llpt, sizeof t->converge.llpt);
    memcpy(t->converge.moved, meta->converge_moved, sizeof t->converge.moved);
    memcpy(t->converge.iteration, meta->converge_iteration, sizeof t->converge.iteration);
    t->converge.scores = (int)meta->converge_scores;
    t->converge.low = (int)meta->converge_low;
}

/* A run that had settled ends where it would have ended. */
static void restore_end(ez_training *t, const ez_checkpoint_meta *meta)
{
    uint32_t span = ez_samples_span(&t->samples);
    t->end = t->before + t->options.iterations;
    if (!meta->settled || !(t->plan.score || t->converge.gain > 0))
        return;
    t->settled = meta->settled;
    t->end = t->settled + span < t->end ? t->settled + span : t->end;
    memcpy(t->stopped, meta->stopped, sizeof t->stopped);
}

/* The root continues the sum, unless this run ends elsewhere and so has other samples. */
static ezlda_status restore_samples(ez_training *t, const ez_checkpoint *c)
{
    if (!c || c->meta->samples == 0 || c->meta->end != t->end)
        return EZLDA_OK;
    t->samples.taken = c->meta->samples;
    return ez_copy_rows(&t->samples.rows, t->context, &c->sampled);
}

static ezlda_status resume_at(ez_training *t, const ez_checkpoint_meta *meta)
{
    if (meta->done - meta->before > t->options.iterations)
        return ez_fail(t->context, EZLDA_ERROR_ARGUMENT,
                       "the newest checkpoint in %s is of iteration %u, and only %u are asked for "
                       "(--iterations)",
                       t->options.checkpoint, meta->done - meta->before, t->options.iterations);
    if (meta->before > UINT32_MAX - t->options.iterations)
        return ez_fail(t->context, EZLDA_ERROR_ARGUMENT,
                       "%u iterations after the %u of the first model are too many; expected %u in "
                       "all at most",
                       t->options.iterations, meta->before, UINT32_MAX);
    if (t->plan.score && !meta->held_out)
        return ez_fail(t->context, EZLDA_ERROR_ARGUMENT,
                       "the checkpoints in %s are of a run whose number of iterations was given: "
                       "give one (--iterations)",
                       t->options.checkpoint);
    t->done = meta->done;
    t->before = meta->before;
    t->seconds = meta->seconds;
    t->last = (ez_iteration){meta->undecided, meta->moved};
    if (t->plan.score || !meta->held_out)
        restore_converge(t, meta);
    t->settings.priors.beta = (float)meta->beta;
    t->settings.priors.alpha_sum = 0;
    for (uint32_t k = 0; k < t->settings.topics; k++)
        t->settings.priors.alpha_sum += (double)t->alpha[k];
    restore_end(t, meta);
    ez_note(t->context, "resuming after iteration %u", t->done);
    return EZLDA_OK;
}

/* Sends the checkpoint that the root has found to all ranks, and resumes from it. */
static ezlda_status share_checkpoint(ez_training *t, const ez_checkpoint *c)
{
    ezlda_group *group = t->options.group;
    ez_checkpoint_meta meta = {0};
    uint64_t scores = c ? c->llpt_count : 0;
    if (c) {
        meta = *c->meta;
        memcpy(t->alpha, c->alpha, t->settings.topics * sizeof *t->alpha);
    }
    EZ_TRY(ez_group_share(group, t->context, &meta, sizeof meta));
    EZ_TRY(ez_group_share(group, t->context, t->alpha, t->settings.topics * sizeof *t->alpha));
    EZ_TRY(ez_group_share(group, t->context, &scores, sizeof scores));
    EZ_TRY(ez_buffer_reserve(&t->llpt, t->context, scores * sizeof *c->llpt));
    if (c && scores)
        memcpy(t->llpt.data, c->llpt, scores * sizeof *c->llpt);
    t->llpt.used = scores * sizeof *c->llpt;
    EZ_TRY(ez_group_share(group, t->context, t->llpt.data, t->llpt.used));
    EZ_TRY(resume_at(t, &meta));
    EZ_TRY(restore_samples(t, c));
    if (ez_is_distributed(group))
        return ez_training_share_topics(t, c ? c->topic : NULL);
    t->settings.start_topics = c->topic;
    return EZLDA_OK;
}

static ezlda_status resume(ez_training *t)
{
    const ezlda_train_options *o = &t->options;
    if (ez_is_root(o->group))
        EZ_TRY(
            ez_checkpoint_newest(&t->resumed, t->context, o->checkpoint, &t->key, t->all_tokens));
    t->resumes = t->resumed != NULL;
    EZ_TRY(ez_training_agree(t, &t->resumes, 1));
    if (t->resumes)
        return share_checkpoint(t, t->resumed);
    ez_note(t->context, "no checkpoint in %s: the run begins from scratch", o->checkpoint);
    return EZLDA_OK;
}

/* A run that begins from scratch must not write its checkpoints among those of another run. */
static ezlda_status check_folder(ez_training *t)
{
    const char *folder = t->options.checkpoint;
    ez_checkpoint *found = NULL;
    if (!ez_is_root(t->options.group))
        return EZLDA_OK;
    EZ_TRY(ez_checkpoint_newest(&found, t->context, folder, &t->key, t->all_tokens));
    if (found)
        ez_warn(
            t->context,
            "%s has a checkpoint of this very run after iteration %u; --resume continues from it",
            folder, found->meta->done);
    ez_checkpoint_free(found);
    return EZLDA_OK;
}

ezlda_status ez_training_resume(ez_training *t)
{
    const ezlda_train_options *o = &t->options;
    if (!o->checkpoint)
        return EZLDA_OK;
    if (ez_is_root(o->group))
        EZ_TRY(ez_checkpoints_open(&t->checkpoints, t->context, o->checkpoint));
    EZ_TRY(o->resume ? resume(t) : check_folder(t));
    t->last_checkpoint = ez_now();
    return EZLDA_OK;
}

static bool is_due(const ez_training *t)
{
    const ezlda_train_options *o = &t->options;
    if (o->checkpoint_iterations)
        return t->done % o->checkpoint_iterations == 0;
    return ez_now() - t->last_checkpoint >=
           (o->checkpoint_seconds > 0 ? o->checkpoint_seconds : 600);
}

static void fill_meta(const ez_training *t, ez_checkpoint_meta *meta)
{
    *meta = (ez_checkpoint_meta){
        .key = t->key,
        .tokens = t->all_tokens,
        .undecided = t->last.undecided,
        .moved = t->last.moved,
        .seconds = t->seconds,
        .beta = (double)t->priors.beta,
        .done = t->done,
        .before = t->before,
        .converge_scores = (uint32_t)t->converge.scores,
        .converge_low = (uint32_t)t->converge.low,
        .held_out = t->plan.score,
        .end = t->end,
        .settled = t->settled,
        .samples = t->samples.taken,
        .words = t->tokens->words,
    };
    memcpy(meta->stopped, t->stopped, sizeof meta->stopped);
    memcpy(meta->converge_llpt, t->converge.llpt, sizeof meta->converge_llpt);
    memcpy(meta->converge_moved, t->converge.moved, sizeof meta->converge_moved);
    memcpy(meta->converge_iteration, t->converge.iteration, sizeof meta->converge_iteration);
}

/* Copies what the writer becomes the owner of, besides the topics. */
static ezlda_status copy_state(const ez_training *t, ez_llpt_entry **llpt, ez_count_rows *sampled)
{
    EZ_TRY(ez_array(llpt, t->context, t->llpt.used, 1, "a checkpoint"));
    if (t->llpt.used)
        memcpy(*llpt, t->llpt.data, t->llpt.used);
    return t->samples.taken ? ez_copy_rows(sampled, t->context, &t->samples.rows) : EZLDA_OK;
}

ezlda_status ez_training_checkpoint(ez_training *t)
{
    ez_checkpoint_meta meta;
    ez_llpt_entry *llpt = NULL;
    ez_count_rows sampled = {0};
    uint16_t *topic = NULL;
    if (!t->options.checkpoint)
        return EZLDA_OK;
    t->last_checkpoint = ez_now();
    EZ_TRY(ez_training_topics(t, &topic));
    if (!t->checkpoints)
        return EZLDA_OK;
    ezlda_status status = copy_state(t, &llpt, &sampled);
    if (status != EZLDA_OK) {
        ez_free_rows(&sampled);
        ez_free(llpt);
        ez_free(topic);
        return status;
    }
    fill_meta(t, &meta);
    return ez_checkpoints_write(t->checkpoints, t->context, &meta, t->alpha, llpt,
                                t->llpt.used / sizeof *llpt, topic, sampled);
}

bool ez_training_checkpoint_due(ez_training *t)
{
    if (!t->checkpoints)
        return false;
    ez_checkpoints_report(t->checkpoints, t->context);
    return is_due(t) && !ez_checkpoints_busy(t->checkpoints);
}

ezlda_status ez_training_checkpoint_wait(ez_training *t)
{
    return t->checkpoints ? ez_checkpoints_wait(t->checkpoints, t->context) : EZLDA_OK;
}
