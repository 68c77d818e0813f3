/* Finds the words of the topics: all that are among the first for some lambda of the slider. */
#include "model/edits/edit_text.h"
#include "report/content/best_list.h"
#include "report/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { EZ_LAMBDAS = 11 }; /* 0, 0.1, ..., 1: the steps of the slider */

typedef struct topic_words {
    const ezlda_model *model;
    const ez_topic_index *index;
    uint32_t each;       /* R */
    double *log_word;    /* words: log p(word) */
    ez_best_item **list; /* topics: words by falling count */
    uint32_t *n;         /* topics: length of the list */
} topic_words;

/* The arrays of one thread. */
typedef struct word_scratch {
    ez_best_item *entry;  /* words: score is log p(word | topic) */
    ez_best_item *best;   /* R */
    ez_best_item *chosen; /* EZ_LAMBDAS x R */
    unsigned char *have;  /* words: clear between topics */
} word_scratch;

static ezlda_status scratch_open(word_scratch *s, ezlda_context *context, const topic_words *job)
{
    uint32_t words = job->model->meta->words;
    EZ_TRY(ez_array(&s->entry, context, words, sizeof *s->entry, "words of a topic"));
    EZ_TRY(ez_array(&s->best, context, job->each, sizeof *s->best, "words of a topic"));
    EZ_TRY(ez_array(&s->chosen, context, ez_product(job->each, EZ_LAMBDAS) + EZ_FIRST_WORDS,
                    sizeof *s->chosen, "words of a topic"));
    return ez_array_zero(&s->have, context, words, 1, "words of a topic");
}

static void scratch_close(word_scratch *s)
{
    ez_free(s->entry);
    ez_free(s->best);
    ez_free(s->chosen);
    ez_free(s->have);
}

/* Tokens in a sample, on average; a word that is listed has at least one. */
static uint32_t mean_count(const ez_phi *phi, uint32_t count)
{
    uint32_t mean = (uint32_t)(((uint64_t)count + phi->samples / 2) / phi->samples);
    return mean > 0 ? mean : 1;
}

static uint32_t list_entries(const topic_words *job, uint32_t topic, ez_best_item *entry)
{
    const ezlda_model *model = job->model;
    const ez_phi *phi = &model->phi;
    double total = ez_phi_total(phi, topic);
    uint64_t first = job->index->start[topic];
    uint32_t all = (uint32_t)(job->index->start[topic + 1] - first), n = 0;
    for (uint32_t i = 0; i < all; i++) {
        uint32_t count = ez_index_count(job->index, first + i, &phi->rows, topic);
        const ez_edit_word *edit = ez_edits_word(model->edits, topic, job->index->row[first + i]);
        if (edit && !edit->first)
            continue;
        entry[n++] = (ez_best_item){log((count + phi->beta) / total), job->index->row[first + i],
                                    mean_count(phi, count)};
    }
    return n;
}

static int compare_counts(const void *a, const void *b)
{
    const ez_best_item *x = a, *y = b;
    return x->count != y->count ? (x->count < y->count) - (x->count > y->count)
                                : (x->id > y->id) - (x->id < y->id);
}

/* Adds words that edits put first; returns how many words there are now. */
static uint32_t add_first(const topic_words *job, uint32_t topic, word_scratch *s, uint32_t chosen)
{
    const ez_phi *phi = &job->model->phi;
    uint32_t word[EZ_FIRST_WORDS];
    size_t n = ez_edits_first(job->model->edits, topic, word, EZ_FIRST_WORDS);
    for (size_t i = 0; i < n; i++) {
        uint32_t count = ez_rows_find(&phi->rows, word[i], topic);
        if (s->have[word[i]])
            continue;
        s->have[word[i]] = 1;
        s->chosen[chosen++] = (ez_best_item){log((count + phi->beta) / ez_phi_total(phi, topic)),
                                             word[i], count ? mean_count(phi, count) : 0};
    }
    return chosen;
}

/* Relevance is lambda log p(w|t) + (1-lambda) log(p(w|t) / p(w)), which is log p(w|t) - (1-lambda)
 * log p(w). */
static ezlda_status choose_words(const topic_words *job, ezlda_context *context, uint32_t topic,
                                 word_scratch *s)
{
    uint32_t n = list_entries(job, topic, s->entry), chosen = 0;
    for (int step = 0; step < EZ_LAMBDAS; step++) {
        double weight = 1 - (double)step / (EZ_LAMBDAS - 1);
        ez_best_list best = {s->best, 0, job->each};
        for (uint32_t i = 0; i < n; i++)
            ez_best_offer(&best, s->entry[i].score - weight * job->log_word[s->entry[i].id],
                          s->entry[i].id, s->entry[i].count);
        for (uint32_t i = 0; i < best.n; i++)
            if (!s->have[s->best[i].id]) {
                s->have[s->best[i].id] = 1;
                s->chosen[chosen++] = s->best[i];
            }
    }
    chosen = add_first(job, topic, s, chosen);
    for (uint32_t i = 0; i < chosen; i++)
        s->have[s->chosen[i].id] = 0;
    qsort(s->chosen, chosen, sizeof *s->chosen, compare_counts);
    EZ_TRY(ez_array(&job->list[topic], context, chosen, sizeof **job->list, "words of a topic"));
    memcpy(job->list[topic], s->chosen, chosen * sizeof *s->chosen);
    job->n[topic] = chosen;
    return EZLDA_OK;
}

static ezlda_status choose_all(const topic_words *job, ezlda_context *context)
{
    ezlda_status status = EZLDA_OK;
#pragma omp parallel num_threads(ez_threads(context))
    {
        word_scratch scratch = {0};
        ezlda_status mine = scratch_open(&scratch, context, job);
#pragma omp for schedule(dynamic, 4)
        for (uint32_t k = 0; k < job->model->meta->topics; k++)
            if (mine == EZLDA_OK)
                mine = choose_words(job, context, k, &scratch);
        scratch_close(&scratch);
        if (mine != EZLDA_OK) {
#pragma omp critical(ez_report_words_status)
            status = mine;
        }
    }
    return status;
}

static ezlda_status join_lists(const topic_words *job, ezlda_context *context, ez_report_words *out)
{
    uint32_t topics = job->model->meta->topics;
    EZ_TRY(
        ez_array(&out->start, context, (size_t)topics + 1, sizeof *out->start, "words of topics"));
    out->start[0] = 0;
    for (uint32_t k = 0; k < topics; k++)
        out->start[k + 1] = out->start[k] + job->n[k];
    EZ_TRY(ez_array(&out->word, context, out->start[topics], sizeof *out->word, "words of topics"));
    EZ_TRY(
        ez_array(&out->count, context, out->start[topics], sizeof *out->count, "words of topics"));
    for (uint32_t k = 0, at = 0; k < topics; k++)
        for (uint32_t i = 0; i < job->n[k]; i++, at++) {
            out->word[at] = job->list[k][i].id;
            out->count[at] = job->list[k][i].count;
        }
    return EZLDA_OK;
}

ezlda_status ez_report_topic_words(ezlda_report *report, ezlda_context *context)
{
    const ezlda_model *model = report->model;
    uint32_t topics = model->meta->topics, words = model->meta->words;
    topic_words job = {.model = model, .each = report->words};
    ezlda_status status;
    EZ_TRY_GOTO(ez_model_index(model, context, EZ_INDEX_WORDS, &job.index));
    EZ_TRY_GOTO(ez_array_zero(&job.list, context, topics, sizeof *job.list, "words of topics"));
    EZ_TRY_GOTO(ez_array_zero(&job.n, context, topics, sizeof *job.n, "words of topics"));
    EZ_TRY_GOTO(ez_array(&job.log_word, context, words, sizeof *job.log_word, "words"));
    for (uint32_t v = 0; v < words; v++)
        job.log_word[v] = model->word_tokens[v]
                              ? log((double)model->word_tokens[v] / (double)model->meta->tokens)
                              : 0;
    EZ_TRY_GOTO(choose_all(&job, context));
    status = join_lists(&job, context, &report->vocabulary);
done:
    for (uint32_t k = 0; job.list && k < topics; k++)
        ez_free(job.list[k]);
    ez_free(job.list);
    ez_free(job.n);
    ez_free(job.log_word);
    return status;
}
