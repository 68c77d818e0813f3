/* Runs a sweep over numbers of topics and seeds, and returns its tables. */
#include "r_ezlda.h"

#include <stddef.h>

#define SWEEP(field, kind)                                                  \
    {                                                                       \
#field, R_OPTION_##kind, offsetof(ezlda_sweep_options, field), NULL \
    }
static const r_option sweep_options[] = {SWEEP(seeds, U32),
                                         SWEEP(held_out, DOUBLE),
                                         SWEEP(alpha_sum, DOUBLE),
                                         {NULL, R_OPTION_U32, 0, NULL}};

enum { FIGURES = 7, ROW_COLUMNS = 18, RUN_COLUMNS = 15 };

static int after_step(const ezlda_sweep_progress *p, void *user)
{
    r_watch *w = user;
    if (r_watch_interrupted(w))
        return 1;
    if (!w->call || !(r_watch_due(w) || p->stage == EZLDA_SWEEP_DONE))
        return 0;
    const double values[FIGURES] = {(double)p->number,
                                    (double)p->runs,
                                    p->run->topics,
                                    (double)p->run->seed,
                                    p->training ? p->training->iteration : 0,
                                    p->training ? p->training->iterations : 0,
                                    p->stage == EZLDA_SWEEP_DONE};
    for (int i = 0; i < FIGURES; i++)
        w->figures[i] = values[i];
    return r_watch_stops(w);
}

static SEXP rows_of(const ezlda_sweep_scores *scores, size_t n)
{
    SEXP matrix = PROTECT(Rf_allocMatrix(REALSXP, (int)n, ROW_COLUMNS));
    ezlda_sweep_row r = {.size = sizeof r};
    for (size_t i = 0; i < n && ezlda_sweep_get_row(scores, i, &r); i++) {
        const double row[ROW_COLUMNS] = {r.topics,        r.runs,        r.perplexity,
                                         r.spread,        r.error,       r.unigram,
                                         r.u_mass,        r.npmi,        r.c_v,
                                         r.diversity,     r.exclusivity, r.llpt,
                                         r.stability,     r.seconds,     r.to_best,
                                         r.to_best_error, r.to_unigram,  r.to_unigram_error};
        for (size_t j = 0; j < ROW_COLUMNS; j++)
            REAL(matrix)[j * n + i] = row[j];
    }
    UNPROTECT(1);
    return matrix;
}

/* The hashes are the row names. */
static SEXP runs_of(const ezlda_sweep_scores *scores, size_t n)
{
    SEXP matrix = PROTECT(Rf_allocMatrix(REALSXP, (int)n, RUN_COLUMNS));
    SEXP hashes = PROTECT(Rf_allocVector(STRSXP, (R_xlen_t)n));
    ezlda_sweep_run r = {.size = sizeof r};
    for (size_t i = 0; i < n && ezlda_sweep_get_run(scores, i, &r); i++) {
        const double row[RUN_COLUMNS] = {r.topics,
                                         (double)r.seed,
                                         r.done,
                                         r.found,
                                         r.iterations,
                                         r.llpt,
                                         r.completion.docs ? r.completion.perplexity : R_NaN,
                                         r.completion.docs ? r.completion.error : R_NaN,
                                         r.u_mass,
                                         r.npmi,
                                         r.c_v,
                                         r.diversity,
                                         r.exclusivity,
                                         r.similarity,
                                         r.seconds};
        for (size_t j = 0; j < RUN_COLUMNS; j++)
            REAL(matrix)[j * n + i] = row[j];
        SET_STRING_ELT(hashes, (R_xlen_t)i, STRING_ELT(r_hash(r.topics_hash), 0));
    }
    r_list both;
    r_list_open(&both, 2);
    r_list_add(&both, "runs", matrix);
    r_list_add(&both, "hashes", hashes);
    UNPROTECT(3);
    return both.list;
}

SEXP r_sweep(SEXP context, SEXP corpus, SEXP topics, SEXP folder, SEXP options, SEXP train,
             SEXP eval, SEXP progress)
{
    r_context *owner = r_context_of(context);
    const ezlda_corpus *of = r_corpus_of(corpus);
    r_training training;
    ezlda_eval_options evaluation;
    ezlda_sweep_options sweep;
    ezlda_sweep_scores *scores = NULL;
    ezlda_sweep_info info = {.size = sizeof info};
    r_watch watch;
    ezlda_sweep_options_init(&sweep);
    ezlda_eval_options_init(&evaluation);
    r_training_init(&training);
    SEXP failure = r_options_read(options, sweep_options, &sweep);
    failure = failure ? failure : r_options_read(train, r_train_options, &training);
    failure = failure ? failure : r_options_read(eval, r_eval_options, &evaluation);
    if (failure)
        return failure;
    sweep.n_topics = (size_t)Rf_xlength(topics);
    uint32_t *numbers = (uint32_t *)R_alloc(sweep.n_topics + 1, sizeof *numbers);
    for (size_t i = 0; i < sweep.n_topics; i++)
        numbers[i] = (uint32_t)REAL(topics)[i];
    sweep.topics = numbers;
    sweep.train = &training.train;
    sweep.eval = &evaluation;
    sweep.folder = r_path(folder);
    sweep.progress = after_step;
    sweep.user = &watch;
    SEXP holder = PROTECT(r_holder(R_SWEEP));
    PROTECT(r_watch_open(&watch, progress, FIGURES, 0.1));
    ezlda_status status = ezlda_sweep(&scores, owner->context, of, &sweep);
    R_SetExternalPtrAddr(holder, scores);
    if (status != EZLDA_OK) {
        UNPROTECT(2);
        return r_failed(owner, status);
    }
    ezlda_sweep_get_info(scores, &info);
    r_list result;
    r_list_open(&result, 11);
    r_list_add(&result, "rows", rows_of(scores, info.rows));
    r_list_add(&result, "runs", runs_of(scores, info.runs));
    r_list_number(&result, "recommended", info.recommended);
    r_list_number(&result, "best_perplexity", info.best_perplexity);
    r_list_number(&result, "best_npmi", info.best_npmi);
    r_list_number(&result, "best_stability", info.best_stability);
    r_list_number(&result, "docs", (double)info.docs);
    r_list_number(&result, "tokens", (double)info.tokens);
    r_list_number(&result, "held_docs", (double)info.held_docs);
    r_list_number(&result, "held_tokens", (double)info.held_tokens);
    r_list_flag(&result, "stopped", info.stopped != 0);
    r_release(holder, R_SWEEP);
    UNPROTECT(3);
    return result.list;
}
