/* Trains a model with callbacks into R, and forecasts a run. */
#include "r_ezlda.h"

#include <stddef.h>
#include <stdlib.h>

static const char *const estimators[] = {"leave-one-out", "esca", NULL};
static const char *const starts[] = {"keyword", "random", "auto", NULL};
static const char *const samplers[] = {"many-branch", "three-branch", "two-branch", NULL};
static const char *const w_formats[] = {"hybrid", "dense", "sparse", NULL};
static const char *const balances[] = {"split", "dynamic", "none", NULL};

#define TRAIN(field, kind)                                               \
    {                                                                    \
#field, R_OPTION_##kind, offsetof(r_training, train.field), NULL \
    }
#define CHOICE(field, names)                                              \
    {                                                                     \
#field, R_OPTION_CHOICE, offsetof(r_training, train.field), names \
    }
#define STUDY(field, kind, names)                                         \
    {                                                                     \
#field, R_OPTION_##kind, offsetof(r_training, study.field), names \
    }
const r_option r_train_options[] = {TRAIN(topics, U32),
                                    TRAIN(iterations, U32),
                                    TRAIN(seed, U64),
                                    TRAIN(alpha, PRIOR),
                                    TRAIN(beta, PRIOR),
                                    CHOICE(estimator, estimators),
                                    CHOICE(start, starts),
                                    TRAIN(device, TEXT),
                                    STUDY(sampler, CHOICE, samplers),
                                    STUDY(g, INT, NULL),
                                    STUDY(w_format, CHOICE, w_formats),
                                    TRAIN(word_samples, U32),
                                    TRAIN(eval_every, U32),
                                    TRAIN(keep_topics, FLAG),
                                    STUDY(balance, CHOICE, balances),
                                    STUDY(region, U32, NULL),
                                    STUDY(loose_records, FLAG, NULL),
                                    TRAIN(device_memory, U64),
                                    TRAIN(optimize_interval, U32),
                                    TRAIN(optimize_burn_in, U32),
                                    TRAIN(symmetric_alpha, FLAG),
                                    TRAIN(seed_weight, DOUBLE),
                                    TRAIN(converged_gain, DOUBLE),
                                    TRAIN(checkpoint, TEXT),
                                    TRAIN(checkpoint_seconds, DOUBLE),
                                    TRAIN(checkpoint_iterations, U32),
                                    TRAIN(resume, FLAG),
                                    TRAIN(out_of_core, FLAG),
                                    TRAIN(memory, U64),
                                    TRAIN(scratch, TEXT),
                                    {NULL, R_OPTION_U32, 0, NULL}};

void r_training_init(r_training *options)
{
    ezlda_train_options_init(&options->train);
    ezlda_study_init(&options->study);
    options->train.study = &options->study;
}

/* ---- progress ---- */

enum { FIGURES = 8 };

typedef struct records {
    SEXP holder; /* owns `record` */
    ezlda_progress *record;
    size_t n, room;
} records;

typedef struct training_watch {
    r_watch watch;
    records records; /* one per iteration */
} training_watch;

static void keep_record(records *r, const ezlda_progress *progress)
{
    if (r->n == r->room) {
        size_t room = r->room ? 2 * r->room : 256;
        ezlda_progress *grown = r_reallocate(r->record, room, sizeof *grown);
        if (!grown)
            return;
        R_SetExternalPtrAddr(r->holder, grown);
        r->record = grown;
        r->room = room;
    }
    r->record[r->n++] = *progress;
}

static void put_figures(double *figures, const ezlda_progress *p)
{
    const double values[FIGURES] = {
        p->iteration,         p->iterations, (double)p->tokens, p->seconds,
        p->iteration_seconds, p->skipped,    p->moved,          p->llpt};
    for (int i = 0; i < FIGURES; i++)
        figures[i] = values[i];
}

static int after_iteration(const ezlda_progress *progress, void *user)
{
    training_watch *w = user;
    keep_record(&w->records, progress);
    bool stop = r_watch_interrupted(&w->watch);
    bool always = progress->iteration == progress->iterations || progress->llpt < 0;
    if (!stop && w->watch.call && (always || r_watch_due(&w->watch))) {
        put_figures(w->watch.figures, progress);
        stop = r_watch_stops(&w->watch);
    }
    return stop ? EZLDA_PROGRESS_STOP : EZLDA_PROGRESS_CONTINUE;
}

/* A matrix with one row of FIGURES numbers per iteration. */
static SEXP history_of(const records *r)
{
    SEXP matrix = PROTECT(Rf_allocMatrix(REALSXP, (int)r->n, FIGURES));
    double row[FIGURES];
    for (size_t i = 0; i < r->n; i++) {
        put_figures(row, &r->record[i]);
        for (size_t j = 0; j < FIGURES; j++)
            REAL(matrix)[j * r->n + i] = row[j];
    }
    UNPROTECT(1);
    return matrix;
}

/* alpha: one number per topic, or NULL. seed_topics, seed_words: the seed words and their topics,
 * from 1. progress: a function of the figures of an iteration, or NULL, called at most every
 * `interval` seconds. */
SEXP r_train(SEXP context, SEXP corpus, SEXP options, SEXP alpha, SEXP seed_topics, SEXP seed_words,
             SEXP init, SEXP progress, SEXP interval)
{
    r_context *owner = r_context_of(context);
    const ezlda_corpus *of = r_corpus_of(corpus);
    ezlda_model *model = NULL;
    r_training all;
    training_watch w = {0};
    r_training_init(&all);
    all.train.init = r_model_or_null(init);
    SEXP failure = r_options_read(options, r_train_options, &all);
    if (failure)
        return failure;
    if (alpha != R_NilValue && (size_t)Rf_xlength(alpha) != all.train.topics)
        return r_failure(EZLDA_ERROR_ARGUMENT, "alpha: expected one number, or one for each topic");
    all.train.alpha_vector = alpha == R_NilValue ? NULL : REAL(alpha);
    size_t n = (size_t)Rf_xlength(seed_words);
    ezlda_seed *seeds = (ezlda_seed *)R_alloc(n + 1, sizeof *seeds);
    for (size_t i = 0; i < n; i++)
        seeds[i] = (ezlda_seed){(uint32_t)INTEGER(seed_topics)[i] - 1,
                                CHAR(STRING_ELT(seed_words, (R_xlen_t)i))};
    all.train.seeds = n ? seeds : NULL;
    all.train.n_seeds = n;
    all.train.progress = after_iteration;
    all.train.user = &w;
    SEXP holder = PROTECT(r_holder(R_MODEL));
    w.records.holder = PROTECT(r_holder(R_RECORDS));
    PROTECT(r_watch_open(&w.watch, progress, FIGURES, Rf_asReal(interval)));
    ezlda_status status = ezlda_train(&model, owner->context, of, &all.train);
    R_SetExternalPtrAddr(holder, model);
    if (status != EZLDA_OK) {
        UNPROTECT(3);
        return r_failed(owner, status);
    }
    r_list result;
    r_list_open(&result, 3);
    r_list_add(&result, "handle", holder);
    r_list_add(&result, "history", history_of(&w.records));
    r_list_flag(&result, "interrupted", w.watch.interrupted);
    r_release(w.records.holder, R_RECORDS);
    UNPROTECT(4);
    return result.list;
}

SEXP r_plan(SEXP context, SEXP corpus, SEXP options, SEXP seconds)
{
    r_context *owner = r_context_of(context);
    const ezlda_corpus *of = r_corpus_of(corpus);
    ezlda_plan plan = {.size = sizeof plan};
    r_training all;
    r_training_init(&all);
    SEXP failure = r_options_read(options, r_train_options, &all);
    if (failure)
        return failure;
    ezlda_status status =
        ezlda_train_plan(&plan, owner->context, of, &all.train, Rf_asReal(seconds));
    if (status != EZLDA_OK)
        return r_failed(owner, status);
    r_list facts;
    r_list_open(&facts, 15);
    r_list_number(&facts, "docs", (double)plan.docs);
    r_list_number(&facts, "tokens", (double)plan.tokens);
    r_list_number(&facts, "words", plan.words);
    r_list_text(&facts, "device", plan.device);
    r_list_number(&facts, "host_bytes", (double)plan.host_bytes);
    r_list_number(&facts, "host_available_bytes", (double)plan.host_available_bytes);
    r_list_number(&facts, "device_bytes", (double)plan.device_bytes);
    r_list_number(&facts, "chunks", plan.chunks);
    r_list_number(&facts, "iterations", plan.iterations);
    r_list_number(&facts, "seconds_setup", plan.seconds_setup);
    r_list_number(&facts, "seconds_iteration", plan.seconds_iteration);
    r_list_number(&facts, "seconds_score", plan.seconds_score);
    r_list_number(&facts, "seconds_total", plan.seconds_total);
    r_list_number(&facts, "tried", plan.tried);
    r_list_number(&facts, "sample_tokens", (double)plan.sample_tokens);
    UNPROTECT(1);
    return facts.list;
}
