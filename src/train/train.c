/* A training run: ezlda_train and the loop over iterations, which fits priors, scores, asks the
 * caller and writes checkpoints between them. */
#include "backend/device_ahead.h"
#include "base/files/scratch.h"
#include "base/os/os_process.h"
#include "base/wall_clock.h"
#include "cluster/launcher.h"
#include "corpus/corpus.h"
#include "model/model_layout.h"
#include "sampler/log2_fixed.h"
#include "train/init_topics.h"
#include "train/iterations.h"
#include "train/train_options.h"
#include "train/training.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* If a corpus has more tokens, expanding it takes so long that a missing device is reported first.
 */
static const uint64_t EZ_SOON_EXPANDED = (uint64_t)1 << 28;

/* Computes LLPT after the iterations done and appends it to the history. */
static ezlda_status score(ez_training *t, double *llpt)
{
    int64_t sum;
    EZ_TRY(t->ops->score(t->backend, t->context, &sum));
    uint64_t bits = (uint64_t)sum;
    EZ_TRY(ez_group_sum64(t->options.group, t->context, &bits, 1));
    *llpt = (double)(int64_t)bits / (double)(1 << EZ_LOG2_BITS) / (double)t->all_tokens;
    ez_llpt_entry entry = {.iteration = t->done, .seconds = t->seconds, .llpt = *llpt};
    return ez_buffer_append(&t->llpt, t->context, &entry, sizeof entry);
}

static uint32_t last_iteration(const ez_training *t)
{
    return t->before + t->options.iterations;
}

static bool scored_iteration(const ez_training *t)
{
    uint32_t every = t->options.eval_every;
    return t->done == t->end || (every > 0 && t->done % every == 0);
}

/* The run has settled: it ends once it has made its samples. */
static void settle(ez_training *t)
{
    uint32_t end = t->done + ez_samples_span(&t->samples);
    t->settled = t->done;
    t->end = end < t->end ? end : t->end;
}

/* Iterations between two checks. A check fits the priors, computes the held-out score, or both. */
static uint32_t check_interval(const ez_training *t)
{
    enum { WITHOUT_FITS = 10 };
    return t->options.optimize_interval ? t->options.optimize_interval : WITHOUT_FITS;
}

/* How many checks have been due so far. */
static uint32_t checks_due(const ez_training *t)
{
    uint32_t interval = check_interval(t), burn_in = t->options.optimize_burn_in;
    return t->fit && t->done > burn_in ? t->done / interval - burn_in / interval : 0;
}

/* Makes a check after an iteration, if one is due and the run has not settled. */
static ezlda_status check(ez_training *t)
{
    uint32_t number = checks_due(t);
    double held_out, begin = ez_now();
    if (t->settled || number == 0 || t->done % check_interval(t) != 0)
        return EZLDA_OK;
    EZ_TRY(ez_prior_fit_run(t->fit, t->context, t->backend, &t->settings, &t->priors, t->alpha,
                            number, &held_out));
    t->seconds_checks += ez_now() - begin;
    if (!isnan(held_out)) {
        t->checked = t->done;
        t->held_out = held_out;
    }
    if (!isnan(held_out) && ez_converge_held_out(&t->converge, t->done, held_out, t->least,
                                                 t->stopped, sizeof t->stopped))
        settle(t);
    return EZLDA_OK;
}

/* Whether LLPT has converged. */
static bool llpt_converged(ez_training *t, double llpt)
{
    if (t->settled || t->done < t->least)
        return false;
    return ez_converge_score(&t->converge, t->done, llpt, ez_share(t->last.moved, t->all_tokens),
                             t->stopped, sizeof t->stopped);
}

/* Reports the last iteration to the caller; returns the caller's answer. */
static int report(ez_training *t, double iteration_seconds, double llpt)
{
    if (!t->options.progress)
        return EZLDA_PROGRESS_CONTINUE;
    ez_training_progress progress = {.training = t};
    progress.shown = (ezlda_progress){
        .iteration = t->done,
        .iterations = t->end,
        .tokens = t->all_tokens,
        .seconds = t->seconds,
        .iteration_seconds = iteration_seconds,
        .skipped = 1 - ez_share(t->last.undecided, t->all_tokens),
        .moved = ez_share(t->last.moved, t->all_tokens),
        .llpt = llpt,
    };
    return t->options.progress(&progress.shown, t->options.user);
}

/* Collects the answers of the callers of all ranks: *stop is set if one of them stops the run, *due
 * if a checkpoint is due. A run that has converged ends whatever they answer. */
static ezlda_status consult(ez_training *t, double iteration_seconds, double llpt, bool *stop,
                            bool *due)
{
    enum { STOP, LEAVE, DUE, REQUESTS };
    int answer = report(t, iteration_seconds, llpt);
    bool request[REQUESTS] = {answer != EZLDA_PROGRESS_CONTINUE, answer == EZLDA_PROGRESS_LEAVE,
                              ez_is_root(t->options.group) && ez_training_checkpoint_due(t)};
    EZ_TRY(ez_training_agree(t, request, REQUESTS));
    if (request[STOP] && !*stop)
        snprintf(t->stopped, sizeof t->stopped, "stopped after iteration %u of %u", t->done,
                 t->end);
    t->leave = request[LEAVE] && t->options.checkpoint && !*stop;
    *stop = *stop || request[STOP];
    *due = request[DUE];
    return EZLDA_OK;
}

/* Whether the last iteration has its score. */
static bool is_scored(const ez_training *t)
{
    const ez_llpt_entry *entry = (const ez_llpt_entry *)t->llpt.data;
    size_t n = t->llpt.used / sizeof *entry;
    return n > 0 && entry[n - 1].iteration == t->done;
}

/* Ends the run at a checkpoint, which the root writes while the other ranks wait. If the disk is
 * full, tries again for a minute. */
static ezlda_status end_at_checkpoint(ez_training *t)
{
    enum { TRIES = 12, PAUSE_S = 5 };
    ezlda_status status = ez_training_checkpoint(t);
    for (int i = 1; i < TRIES && status == EZLDA_ERROR_IO; i++) {
        ez_note_failure(t->context, "no checkpoint yet: %s", ezlda_error_message(t->context));
        ez_clear(t->context);
        ez_os_pause((int64_t)PAUSE_S * 1000000000);
        status = ez_training_checkpoint(t);
    }
    EZ_TRY(status);
    EZ_TRY(ez_training_checkpoint_wait(t));
    bool failed = false; /* the root would have ended the job */
    EZ_TRY(ez_training_agree(t, &failed, 1));
    return ez_fail(t->context, EZLDA_ERROR_STOPPED,
                   "%s: a checkpoint is in %s, from which to resume", t->stopped,
                   t->options.checkpoint);
}

/* Writes a checkpoint. A full disk is reported and does not end the run. */
static ezlda_status try_checkpoint(ez_training *t)
{
    ezlda_status status = ez_training_checkpoint(t);
    if (status != EZLDA_ERROR_IO)
        return status;
    ez_note_failure(t->context, "no checkpoint after iteration %u: %s", t->done,
                    ezlda_error_message(t->context));
    ez_clear(t->context);
    return EZLDA_OK;
}

/* Fits the priors that the model keeps, and saves those of the run. */
static ezlda_status close_priors(ez_training *t)
{
    double begin = ez_now();
    uint32_t topics = t->settings.topics;
    EZ_TRY(ez_array(&t->run_priors, t->context, (size_t)topics + 1, sizeof *t->run_priors,
                    "the priors"));
    t->run_priors[0] = (double)t->priors.beta;
    for (uint32_t k = 0; k < topics; k++)
        t->run_priors[k + 1] = (double)t->alpha[k];
    EZ_TRY(ez_prior_fit_close(t->fit, t->context, t->backend, &t->settings, &t->priors, t->alpha));
    t->llpt.used -= is_scored(t) ? sizeof(ez_llpt_entry) : 0; /* its priors were different */
    t->seconds += ez_now() - begin;
    t->seconds_checks += ez_now() - begin;
    return EZLDA_OK;
}

/* Says that a run which might have converged has not. */
static void note_most(ez_training *t)
{
    if (t->least && !t->stopped[0] && t->done == last_iteration(t))
        snprintf(t->stopped, sizeof t->stopped,
                 "stopped after iteration %u, the most for a corpus of this size; -i N sets "
                 "another number",
                 t->done);
}

/* An update that fits nothing samples with the priors of the run that it continues, and ends with
 * those that the model has for new documents. */
static ezlda_status restore_priors(ez_training *t)
{
    const ezlda_model *model = t->past->model;
    uint32_t topics = t->settings.topics;
    if (!model->training)
        return EZLDA_OK;
    EZ_TRY(ez_array(&t->run_priors, t->context, (size_t)topics + 1, sizeof *t->run_priors,
                    "the priors"));
    memcpy(t->run_priors, model->training, ((size_t)topics + 1) * sizeof *t->run_priors);
    t->options.beta = model->meta->beta;
    t->priors.beta = (float)model->meta->beta;
    t->priors.alpha_sum = 0;
    for (uint32_t k = 0; k < topics; k++) {
        t->alpha[k] = (float)model->alpha[k];
        t->priors.alpha_sum += (double)t->alpha[k];
    }
    t->llpt.used -= is_scored(t) ? sizeof(ez_llpt_entry) : 0; /* its priors were different */
    return t->ops->priors(t->backend, t->context, &t->priors);
}

static ezlda_status finish(ez_training *t)
{
    double llpt;
    note_most(t);
    if (t->past && !ez_prior_plan_fits(&t->plan))
        EZ_TRY(restore_priors(t));
    if (checks_due(t) > 0 && t->fit->sample.sample && ez_prior_plan_fits(&t->plan))
        EZ_TRY(close_priors(t));
    return is_scored(t) ? EZLDA_OK : score(t, &llpt);
}

/* Adds W to the samples if this iteration is one of them. */
static ezlda_status take_sample(ez_training *t)
{
    double begin = ez_now();
    if (!ez_samples_due(&t->samples, t->done, t->end) || !ez_is_root(t->options.group))
        return EZLDA_OK;
    EZ_TRY(ez_samples_add(&t->samples, t->context, t->backend, t->tokens, t->settings.base));
    t->seconds += ez_now() - begin;
    return EZLDA_OK;
}

static ezlda_status run(ez_training *t)
{
    bool stop = false, due;
    double first = ez_now();
    EZ_TRY(t->ops->start(t->backend, t->context));
    t->seconds += ez_now() - first;
    while (t->done < t->end && !stop) {
        double begin = ez_now(), llpt = NAN;
        EZ_TRY(t->ops->iterate(t->backend, t->context, t->done + 1, &t->last));
        t->done++;
        EZ_TRY(ez_training_sum_tallies(t));
        EZ_TRY(check(t));
        double seconds = ez_now() - begin;
        t->seconds += seconds;
        if (scored_iteration(t)) {
            EZ_TRY(score(t, &llpt));
            if (llpt_converged(t, llpt))
                settle(t);
        }
        EZ_TRY(take_sample(t));
        stop = t->settled && t->done == t->end;
        EZ_TRY(consult(t, seconds, llpt, &stop, &due));
        if (t->leave)
            return end_at_checkpoint(t);
        if (due && !stop && t->done < t->end)
            EZ_TRY(try_checkpoint(t));
    }
    return finish(t);
}

/* Sets the topics of a list before the first iteration. before: the tokens before the list. */
static ezlda_status set_start(ez_token_list *list, uint64_t before, void *user)
{
    ez_training *t = user;
    uint16_t *topic = t->start_topics + before;
    if (t->options.init)
        return ez_init_topics(topic, t->context, t->corpus, list, t->first_token + before,
                              &t->options, t->past != NULL);
    EZ_TRY(ez_token_list_index(list, t->context));
    return ez_seeds_start(&t->seeds, t->context, list, &t->settings, topic);
}

/* Prepares the topics before the first iteration, unless the backend makes them. */
static ezlda_status prepare_start(ez_training *t)
{
    const ezlda_train_options *o = &t->options;
    if (o->n_seeds)
        EZ_TRY(ez_seeds_make(&t->seeds, t->context, t->corpus, t->tokens, o));
    if (o->n_seeds)
        t->settings.base = &t->seeds.counts;
    if (t->past)
        EZ_TRY(ez_past_base(t->past, t->context, t->tokens, &t->settings.base));
    EZ_TRY(ez_training_resume(t));
    if (t->resumes || (!o->n_seeds && !o->init))
        return EZLDA_OK;
    uint64_t own = ez_training_own_tokens(t);
    EZ_TRY(ez_scratch_array(&t->start_topics, t->context, t->scratch, own, sizeof *t->start_topics,
                            "topics"));
    EZ_TRY(ez_each_list(t->tokens, t->settings.source, t->context, set_start, t));
    if (o->init) {
        t->before = t->done = o->init->meta->iterations;
        t->end = last_iteration(t);
    }
    t->settings.start_topics = t->start_topics;
    return EZLDA_OK;
}

static ezlda_status prepare_fit(ez_training *t)
{
    if (!ez_prior_plan_checks(&t->plan))
        return EZLDA_OK;
    EZ_TRY(ez_array_zero(&t->fit, t->context, 1, sizeof *t->fit, "the priors"));
    t->settings.histograms = ez_prior_plan_fits(&t->plan);
    EZ_TRY(ez_prior_fit_init(t->fit, t->context, t->tokens, &t->settings, &t->plan));
    if (t->plan.score && !t->fit->held_out.observed) {
        /* too few documents for a held-out score */
        t->converge.gain = EZ_CONVERGE_GAIN;
        t->options.eval_every = EZ_CONVERGE_LLPT_EVERY;
    }
    return EZLDA_OK;
}

/* Sets what the caller leaves to the library. */
static void suit_corpus(ez_training *t, const ez_corpus_sizes *sizes)
{
    t->plan = ez_prior_plan_of(&t->options);
    t->plan.score = ez_train_options_suit(&t->options, sizes);
    t->least = t->plan.score ? ez_iterations_least(sizes->tokens) : 0;
}

/* Sets when the run ends, unless it settles before, and how many samples it has. */
static void plan_samples(ez_training *t)
{
    const ez_token_list *tokens = t->tokens;
    uint64_t frequency = tokens->words > 0 ? ez_word_frequency(tokens, 0) : 0;
    uint64_t all = t->all_tokens;
    if (t->past) {
        frequency = t->past->most_frequent;
        all += t->past->facts.tokens;
    }
    t->end = last_iteration(t);
    t->samples.wanted =
        ez_samples_wanted(t->options.word_samples, t->options.iterations, all, frequency);
}

/* Begins to open the device. Ranks on GPUs exchange other sums than ranks on CPUs do, so in a group
 * each must know its device before they begin. */
static ezlda_status choose_device(ez_training *t, uint64_t tokens)
{
    bool several = ez_is_distributed(t->options.group);
    ez_gpus gpus;
    EZ_TRY(ez_device_parse(&t->device, t->context, t->options.device));
    if (several)
        ez_device_deal(&t->device, ez_launcher_local());
    EZ_TRY(ez_device_begin(t->context, &t->device));
    if (several || tokens > EZ_SOON_EXPANDED)
        EZ_TRY(ez_backend_find(&t->ops, &gpus, t->context, &t->device));
    return several ? ez_training_compare_ranks(t) : EZLDA_OK;
}

/* The fit may have memory of the device: it goes before the backend. */
static void close_fit(ez_training *t)
{
    if (t->fit)
        ez_prior_fit_free(t->fit);
    ez_free(t->fit);
    t->fit = NULL;
}

/* A model that was updated counts documents that this run does not have. */
static void warn_of_past(const ez_training *t)
{
    const ezlda_model *init = t->options.init;
    if (init && init->edits && !t->past && ez_is_root(t->options.group))
        ez_warn(t->context, "the new model will not have the names and other edits of the model "
                            "that it continues; edit --list shows them");
    if (init && init->past && !t->past && ez_is_root(t->options.group))
        ez_warn(t->context,
                "the new model will not have the counts of %llu earlier documents that its updates "
                "kept; update keeps them",
                (unsigned long long)init->past->docs);
}

static ezlda_status train(ez_training *t, ezlda_model **out)
{
    ez_corpus_sizes sizes;
    ez_corpus_sizes_of(t->corpus, &sizes);
    if (sizes.tokens == 0)
        return ez_fail(t->context, EZLDA_ERROR_ARGUMENT,
                       "the corpus has no tokens: nothing to train on");
    warn_of_past(t);
    t->asked_start = t->options.start;
    suit_corpus(t, &sizes);
    EZ_TRY(ez_settings_make(&t->settings, &t->alpha, t->context, &t->options));
    t->settings.group = t->options.group;
    if (ez_is_distributed(t->options.group) || t->options.checkpoint)
        EZ_TRY(ez_training_key(t));
    EZ_TRY(choose_device(t, sizes.tokens));
    double begin = ez_now();
    EZ_TRY(ez_training_tokens(t));
    plan_samples(t);
    EZ_TRY(prepare_start(t));
    EZ_TRY(prepare_fit(t));
    t->seconds_tokens = ez_now() - begin;
    ez_wait_ahead(t->context);
    t->seconds_open = ez_now() - begin - t->seconds_tokens;
    t->priors = t->settings.priors;
    EZ_TRY(ez_backend_open(&t->backend, t->context, &t->device, t->tokens, &t->settings));
    t->seconds_setup = ez_now() - begin - t->seconds_tokens - t->seconds_open;
    t->ops = t->backend->ops;
    EZ_TRY(run(t));
    close_fit(t);
    return ez_training_model(t, out);
}

ezlda_status ezlda_train(ezlda_model **out, ezlda_context *context, const ezlda_corpus *corpus,
                         const ezlda_train_options *options)
{
    ez_clear(context);
    EZ_TRY(ez_needs(context, out, "a place for the model"));
    *out = NULL;
    EZ_TRY(ez_needs(context, corpus, "a corpus"));
    return ez_train(out, context, corpus, options, NULL);
}

ezlda_status ez_train(ezlda_model **out, ezlda_context *context, const ezlda_corpus *corpus,
                      const ezlda_train_options *options, ez_past *past)
{
    ez_training t = {.context = context, .corpus = corpus, .past = past};
    ez_corpus_sizes sizes;
    ez_corpus_sizes_of(corpus, &sizes);
    int threads = ez_threads_begin(context, sizes.tokens);
    ezlda_status status = ez_train_options_read(&t.options, context, options);
    t.converge.gain = t.options.converged_gain;
    if (t.converge.gain > 0 && t.options.eval_every == 0)
        t.options.eval_every = EZ_CONVERGE_EVERY;
    if (status == EZLDA_OK)
        status = train(&t, out);
    if (t.options.group)
        t.options.group->failed = status != EZLDA_OK && status != EZLDA_ERROR_STOPPED;
    close_fit(&t);
    if (t.backend)
        t.backend->ops->free(t.backend);
    ez_close_ahead(context);
    ez_token_list_free(t.tokens);
    ez_out_of_core_close(t.out_of_core);
    ez_free(t.alpha);
    ez_free(t.run_priors);
    ez_free(t.llpt.data);
    ez_samples_clear(&t.samples);
    ez_seeds_free(&t.seeds);
    ez_free(t.start_topics);
    ez_checkpoints_close(t.checkpoints);
    ez_checkpoint_free(t.resumed);
    ez_threads_end(context, threads);
    return status;
}
