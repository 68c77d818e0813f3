/* One run of a sweep: trains the model or finds it in the folder, and scores it. */
#include "base/os/os_files.h"
#include "base/wall_clock.h"
#include "compare/models_match.h"
#include "eval/evaluate.h"
#include "sweep/sweep.h"

#include <math.h>

/* Times are kept in milliseconds. */
static double milliseconds(double seconds)
{
    return round(1000 * seconds) / 1000;
}

static ezlda_model_info info_of(const ezlda_model *model)
{
    ezlda_model_info info = {.size = sizeof info};
    ezlda_model_get_info(model, &info);
    return info;
}

int ez_sweep_report(ez_sweep *s, ezlda_sweep_stage stage, const ezlda_progress *training,
                    const ezlda_eval_progress *scoring)
{
    ezlda_sweep_progress progress = {stage,  s->number, s->scores->info.runs,
                                     s->run, training,  scoring};
    if (s->options.progress && s->options.progress(&progress, s->options.user) != 0)
        s->stopped = true;
    return s->stopped;
}

/* ---- models ---- */

/* Loads the model of a run from the folder; *out stays NULL if it must be trained. */
static ezlda_status load_model(const ez_sweep *s, const ezlda_sweep_run *run, ezlda_model **out)
{
    char *path = NULL;
    *out = NULL;
    EZ_TRY(ez_sweep_model_path(&path, s, run));
    ezlda_status status = ez_os_is_there(path) ? ezlda_model_load(out, s->context, path) : EZLDA_OK;
    if (status == EZLDA_ERROR_FORMAT) {
        ez_warn(s->context, "%s; it is trained again", ezlda_error_message(s->context));
        ez_clear(s->context);
        status = EZLDA_OK;
    }
    if (*out) {
        ezlda_model_info info = info_of(*out);
        if (info.topics != run->topics || info.seed != run->seed ||
            info.corpus_hash != s->train_hash) {
            ez_warn(
                s->context,
                "%s: not the model of %u topics and this seed of this corpus; it is trained again",
                path, run->topics);
            ezlda_model_free(*out);
            *out = NULL;
        }
    }
    ez_free(path);
    return status;
}

static int after_iteration(const ezlda_progress *progress, void *user)
{
    return ez_sweep_report(user, EZLDA_SWEEP_TRAINING, progress, NULL);
}

/* *out stays NULL if the caller stopped the run. */
static ezlda_status train_model(ez_sweep *s, const ezlda_sweep_run *run, ezlda_model **out)
{
    ezlda_train_options options = s->train_options;
    char *path = NULL;
    options.topics = run->topics;
    options.seed = run->seed;
    if (s->options.alpha_sum > 0)
        options.alpha = s->options.alpha_sum / run->topics;
    options.progress = after_iteration;
    options.user = s;
    EZ_TRY(ezlda_train(out, s->context, s->train, &options));
    bool complete = info_of(*out).iterations >= options.iterations;
    if (s->stopped && !complete) {
        ezlda_model_free(*out);
        *out = NULL;
        return EZLDA_OK;
    }
    EZ_TRY(ez_results_begin(&s->results, s->context, &s->settings));
    ezlda_status status = ez_sweep_model_path(&path, s, run);
    if (status == EZLDA_OK)
        status = ezlda_model_save(s->context, *out, path);
    ez_free(path);
    return status;
}

/* ---- scores ---- */

static int while_scoring(const ezlda_eval_progress *progress, void *user)
{
    return ez_sweep_report(user, EZLDA_SWEEP_SCORING, NULL, progress);
}

static ezlda_status evaluate(ez_sweep *s, ezlda_scores_info *info, const ezlda_model *model,
                             const ezlda_corpus *corpus, unsigned measures, ez_buffer *docs)
{
    ezlda_eval_options options = s->eval_options;
    ezlda_scores *scores = NULL;
    options.measures = measures;
    options.progress = while_scoring;
    options.user = s;
    ezlda_status status = ez_evaluate(&scores, s->context, model, corpus, &options, docs);
    info->size = sizeof *info;
    if (status == EZLDA_OK)
        ezlda_scores_get_info(scores, info);
    ezlda_scores_free(scores);
    return status;
}

/* Mean similarity to the models of all earlier seeds of the same number of topics. */
static ezlda_status compare_seeds(const ez_sweep *s, ezlda_sweep_run *run, const ezlda_model *model)
{
    uint64_t earlier = run->seed - s->train_options.seed;
    double sum = 0;
    for (uint64_t i = 0; i < earlier; i++) {
        ezlda_sweep_run other = ez_no_run(run->topics, s->train_options.seed + i);
        ezlda_model *loaded = NULL;
        double similarity;
        EZ_TRY(load_model(s, &other, &loaded));
        if (!loaded)
            return ez_fail(s->context, EZLDA_ERROR_IO,
                           "%s: the model of %u topics and seed %llu is missing", s->options.folder,
                           other.topics, (unsigned long long)other.seed);
        ezlda_status status =
            ez_topic_stability(&similarity, s->context, (const ezlda_model *[]){loaded, model}, 2);
        ezlda_model_free(loaded);
        EZ_TRY(status);
        sum += similarity;
    }
    run->similarity = earlier ? sum / (double)earlier : NAN;
    return EZLDA_OK;
}

static void copy_model_facts(ezlda_sweep_run *run, const ezlda_model *model)
{
    ezlda_model_info info = info_of(model);
    run->iterations = info.iterations;
    run->seconds = milliseconds(info.seconds_sampling);
    run->topics_hash = info.topics_hash;
    uint32_t iteration;
    double seconds;
    if (info.llpt_count)
        ezlda_model_llpt(model, info.llpt_count - 1, &iteration, &seconds, &run->llpt);
}

static ezlda_status score_model(ez_sweep *s, ezlda_sweep_run *run, const ezlda_model *model,
                                ez_buffer *docs)
{
    ezlda_scores_info info;
    double begin = ez_now();
    EZ_TRY(evaluate(s, &info, model, s->held, EZLDA_MEASURE_COMPLETION, docs));
    run->completion = info.completion;
    EZ_TRY(evaluate(s, &info, model, s->corpus, EZLDA_MEASURE_COHERENCE, NULL));
    run->u_mass = info.u_mass;
    run->npmi = info.npmi;
    run->c_v = info.c_v;
    run->diversity = info.diversity;
    run->exclusivity = info.exclusivity;
    EZ_TRY(compare_seeds(s, run, model));
    copy_model_facts(run, model);
    run->scoring_seconds = milliseconds(ez_now() - begin);
    run->done = 1;
    return EZLDA_OK;
}

/* The line comes last: if it is there, everything else is. */
static ezlda_status keep_scores(ez_sweep *s, const ezlda_sweep_run *run, const ez_buffer *docs)
{
    EZ_TRY(ez_sweep_docs_put(s, run, docs));
    return ez_results_put(&s->results, s->context, &s->settings, run);
}

/* ---- runs ---- */

ezlda_status ez_sweep_find(ez_sweep *s, ezlda_sweep_run *run)
{
    const ezlda_sweep_run *known = ez_results_find(&s->results, run->topics, run->seed);
    ezlda_model *model = NULL;
    ez_buffer docs = {0};
    bool whole = false;
    if (!known)
        return EZLDA_OK;
    EZ_TRY(load_model(s, run, &model));
    ezlda_status status = EZLDA_OK;
    if (model && info_of(model).topics_hash == known->topics_hash)
        status = ez_sweep_docs_get(s, known, &docs, &whole);
    if (whole) {
        *run = *known;
        run->found = 1;
    }
    ez_free(docs.data);
    ezlda_model_free(model);
    return status;
}

ezlda_status ez_sweep_do(ez_sweep *s, ezlda_sweep_run *run)
{
    ezlda_model *model = NULL;
    ezlda_sweep_run scored = *run;
    ez_buffer docs = {0};
    ezlda_status status;
    EZ_TRY_GOTO(load_model(s, run, &model));
    if (!model)
        EZ_TRY_GOTO(train_model(s, run, &model));
    if (s->stopped)
        goto done;
    status = score_model(s, &scored, model, &docs);
    if (s->stopped && (status == EZLDA_OK || status == EZLDA_ERROR_STOPPED)) {
        ez_clear(s->context);
        status = EZLDA_OK; /* scores of some measures are not a result of the sweep */
        goto done;
    }
    if (status == EZLDA_OK)
        status = keep_scores(s, &scored, &docs);
    if (status == EZLDA_OK)
        *run = scored;
done:
    ez_free(docs.data);
    ezlda_model_free(model);
    return status;
}
