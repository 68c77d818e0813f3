/* Sweeps over numbers of topics and seeds: trains and scores the models one after the other, and
 * answers queries about the scores. */
#include "sweep/sweep.h"
#include "base/options_struct.h"

#include "corpus/corpus.h"

#include <inttypes.h>
#include <string.h>

static ezlda_status split_corpus(ez_sweep *s)
{
    ezlda_sweep_info *info = &s->scores->info;
    ez_corpus_sizes train, held;
    EZ_TRY(ezlda_corpus_split(&s->train, &s->held, s->context, s->corpus, s->options.held_out,
                              s->train_options.seed));
    ez_corpus_sizes_of(s->train, &train);
    ez_corpus_sizes_of(s->held, &held);
    if (train.tokens == 0 || held.tokens == 0)
        return ez_fail(s->context, EZLDA_ERROR_ARGUMENT,
                       "the %s documents have no tokens (%" PRIu64 " to train on, %" PRIu64
                       " held out)",
                       held.tokens ? "training" : "held-out", train.docs, held.docs);
    s->train_hash = train.hash;
    info->docs = train.docs;
    info->tokens = train.tokens;
    info->held_docs = held.docs;
    info->held_tokens = held.tokens;
    for (uint32_t v = 0; v < held.words; v++)
        info->held_unseen +=
            ez_corpus_word_tokens(s->train)[v] ? 0 : ez_corpus_word_tokens(s->held)[v];
    bool order = ez_corpus_has_order(s->corpus);
    info->npmi_window = order ? s->eval_options.npmi_window : 0;
    info->c_v_window = order ? s->eval_options.c_v_window : 0;
    return EZLDA_OK;
}

static ezlda_status begin(ez_sweep *s, const ezlda_sweep_options *options)
{
    EZ_TRY(ez_sweep_read_options(s, options));
    EZ_TRY(split_corpus(s));
    EZ_TRY(ez_sweep_settings(&s->settings, s));
    EZ_TRY(ez_sweep_folder_open(s));
    EZ_TRY(ez_sweep_results_path(&s->results.path, s));
    return ez_results_open(&s->results, s->context, &s->settings);
}

/* Finds all runs that are already in the folder before anything is trained. */
static ezlda_status find_runs(ez_sweep *s)
{
    for (size_t i = 0; i < s->scores->info.runs; i++) {
        s->run = &s->scores->runs[i];
        EZ_TRY(ez_sweep_find(s, s->run));
        if (!s->run->done)
            continue;
        s->number++;
        ez_sweep_report(s, EZLDA_SWEEP_DONE, NULL, NULL);
    }
    return EZLDA_OK;
}

/* Every number of topics gets its first model before any gets its second: a sweep that is stopped
 * early shows the most this way. */
static ezlda_status do_runs(ez_sweep *s)
{
    const ezlda_sweep_info *info = &s->scores->info;
    for (size_t i = 0; i < info->runs && !s->stopped; i++) {
        s->run = &s->scores->runs[i % info->rows * s->scores->seeds + i / info->rows];
        if (s->run->done)
            continue;
        s->number++;
        EZ_TRY(ez_sweep_do(s, s->run));
        if (s->run->done)
            ez_sweep_report(s, EZLDA_SWEEP_DONE, NULL, NULL);
    }
    return EZLDA_OK;
}

static ezlda_status read_docs(ez_buffer *docs, const ezlda_sweep_run *run, void *user)
{
    const ez_sweep *s = user;
    bool whole;
    EZ_TRY(ez_sweep_docs_get(s, run, docs, &whole));
    if (!whole)
        return ez_fail(s->context, EZLDA_ERROR_IO,
                       "%s: the scores of documents of %u topics and seed %" PRIu64 " are missing",
                       s->options.folder, run->topics, run->seed);
    return EZLDA_OK;
}

static ezlda_status sweep(ez_sweep *s, const ezlda_sweep_options *options)
{
    EZ_TRY(begin(s, options));
    EZ_TRY(find_runs(s));
    EZ_TRY(do_runs(s));
    ez_sweep_fill_rows(s->scores);
    s->scores->info.stopped = s->scores->info.runs_done < s->scores->info.runs;
    return ez_sweep_advise(s->scores, s->context, read_docs, s);
}

ezlda_status ezlda_sweep(ezlda_sweep_scores **out, ezlda_context *context,
                         const ezlda_corpus *corpus, const ezlda_sweep_options *options)
{
    ez_clear(context);
    if (!out || !corpus)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                       "expected a corpus and room for the scores, found NULL");
    *out = NULL;
    ez_sweep s = {.context = context, .corpus = corpus, .folder = EZ_NO_FOLDER};
    ezlda_status status = ez_array_zero(&s.scores, context, 1, sizeof *s.scores, "scores");
    if (status == EZLDA_OK)
        status = sweep(&s, options);
    ez_results_free(&s.results);
    ez_sweep_folder_close(&s);
    ez_free(s.settings.data);
    ezlda_corpus_free(s.train);
    ezlda_corpus_free(s.held);
    if (status == EZLDA_OK)
        *out = s.scores;
    else
        ezlda_sweep_free(s.scores);
    return status;
}

/* ---- results ---- */

void ezlda_sweep_get_info(const ezlda_sweep_scores *scores, ezlda_sweep_info *info)
{
    ez_struct_write(info, &scores->info, sizeof scores->info);
}

int ezlda_sweep_get_row(const ezlda_sweep_scores *scores, size_t i, ezlda_sweep_row *row)
{
    if (i >= scores->info.rows)
        return 0;
    ez_struct_write(row, &scores->rows[i], sizeof scores->rows[i]);
    return 1;
}

int ezlda_sweep_get_run(const ezlda_sweep_scores *scores, size_t i, ezlda_sweep_run *run)
{
    if (i >= scores->info.runs)
        return 0;
    ez_struct_write(run, &scores->runs[i], sizeof scores->runs[i]);
    return 1;
}

void ezlda_sweep_free(ezlda_sweep_scores *scores)
{
    if (!scores)
        return;
    ez_free(scores->topics);
    ez_free(scores->runs);
    ez_free(scores->rows);
    ez_free(scores);
}
