/* Exports the JSON of pyLDAvis (its save_json), as pyLDAvis.prepare would make it from the same
 * model. */
#include "base/json_writer.h"
#include "export/export.h"
#include "export/topic_distance.h"
#include "export/vis_terms.h"
#include "numeric/principal_axes.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    EZ_VIS_WORDS = 30,
    EZ_VIS_MOST_TOPICS = 16384
}; /* distances between all topics take 2 GiB */

#define EZ_VIS_LAMBDA_STEP 0.01
#define EZ_VIS_LEAST_TOKENS 0.5 /* least expected tokens of a word in a topic to be listed */

typedef struct vis_writer {
    const ez_export *what;
    ez_vis vis;
    double *x, *y;  /* topics */
    uint32_t *rank; /* topics: position in the order of the picture, from 0 */
    ez_json json;
} vis_writer;

/* ---- topics ---- */

static ezlda_status place_topics(vis_writer *w)
{
    ezlda_context *context = w->what->context;
    size_t topics = w->what->model->meta->topics;
    double *divergence = NULL;
    ezlda_status status;
    EZ_TRY_GOTO(ez_array(&w->x, context, topics, sizeof *w->x, "coordinates"));
    EZ_TRY_GOTO(ez_array(&w->y, context, topics, sizeof *w->y, "coordinates"));
    EZ_TRY_GOTO(ez_array(&w->rank, context, topics, sizeof *w->rank, "an order"));
    EZ_TRY_GOTO(ez_array(&divergence, context, topics, topics * sizeof *divergence,
                         "distances between all topics"));
    EZ_TRY_GOTO(ez_topic_divergence(w->what->model, context, divergence));
    EZ_TRY_GOTO(ez_principal_axes(context, divergence, topics, w->x, w->y));
    for (uint32_t i = 0; i < topics; i++)
        w->rank[w->vis.order[i]] = i;
done:
    ez_free(divergence);
    return status;
}

static void put_coordinates(vis_writer *w, const char *name, const double *by_topic, double factor)
{
    ez_json_key(&w->json, name);
    ez_json_begin(&w->json, '[');
    for (uint32_t i = 0; i < w->what->model->meta->topics; i++)
        ez_json_real(&w->json, factor * by_topic[w->vis.order[i]]);
    ez_json_end(&w->json, ']');
}

/* Writes whole numbers from `first` on, `step` apart. */
static void put_sequence(vis_writer *w, const char *name, uint32_t first, uint32_t step)
{
    ez_json_key(&w->json, name);
    ez_json_begin(&w->json, '[');
    for (uint32_t i = 0; i < w->what->model->meta->topics; i++)
        ez_json_whole(&w->json, first + i * step);
    ez_json_end(&w->json, ']');
}

static void put_topics(vis_writer *w)
{
    ez_json_key(&w->json, "mdsDat");
    ez_json_begin(&w->json, '{');
    put_coordinates(w, "x", w->x, 1);
    put_coordinates(w, "y", w->y, 1);
    put_sequence(w, "topics", 1, 1);
    put_sequence(w, "cluster", 1, 0);
    put_coordinates(w, "Freq", w->vis.topic_share, 100);
    ez_json_end(&w->json, '}');
}

/* ---- words of topics ---- */

typedef enum term_column {
    EZ_TERM,
    EZ_FREQ,
    EZ_TOTAL,
    EZ_CATEGORY,
    EZ_LOGPROB,
    EZ_LOGLIFT
} term_column;

static double four_decimals(double value)
{
    return rint(value * 1e4) / 1e4;
}

/* Writes the salient words, which pyLDAvis shows while no topic is selected. Their ranks replace
 * both logarithms. */
static void put_salient(vis_writer *w, term_column column, uint32_t i)
{
    uint32_t word = w->vis.salient[i];
    if (column == EZ_TERM)
        ez_json_string(&w->json, ez_column_at(&w->what->model->words, word));
    else if (column == EZ_CATEGORY)
        ez_json_string(&w->json, "Default");
    else
        ez_json_real(&w->json, column == EZ_FREQ || column == EZ_TOTAL
                                   ? floor(w->vis.word_tokens[word])
                                   : (double)(w->vis.words - i));
}

static void put_relevant(vis_writer *w, term_column column, uint32_t place, uint32_t i)
{
    const ez_vis_topic *topic = &w->vis.topic[w->vis.order[place]];
    char category[32];
    switch (column) {
    case EZ_TERM:
        ez_json_string(&w->json, ez_column_at(&w->what->model->words, topic->word[i]));
        break;
    case EZ_FREQ: ez_json_real(&w->json, topic->tokens[i]); break;
    case EZ_TOTAL: ez_json_real(&w->json, w->vis.word_tokens[topic->word[i]]); break;
    case EZ_CATEGORY:
        snprintf(category, sizeof category, "Topic%u", place + 1);
        ez_json_string(&w->json, category);
        break;
    case EZ_LOGPROB: ez_json_real(&w->json, four_decimals(topic->log_p[i])); break;
    case EZ_LOGLIFT: ez_json_real(&w->json, four_decimals(topic->log_lift[i])); break;
    }
}

static void put_term_column(vis_writer *w, const char *name, term_column column)
{
    ez_json_key(&w->json, name);
    ez_json_begin(&w->json, '[');
    for (uint32_t i = 0; i < w->vis.words; i++)
        put_salient(w, column, i);
    for (uint32_t place = 0; place < w->what->model->meta->topics; place++)
        for (uint32_t i = 0; i < w->vis.topic[w->vis.order[place]].n; i++)
            put_relevant(w, column, place, i);
    ez_json_end(&w->json, ']');
}

static void put_terms(vis_writer *w)
{
    ez_json_key(&w->json, "tinfo");
    ez_json_begin(&w->json, '{');
    put_term_column(w, "Term", EZ_TERM);
    put_term_column(w, "Freq", EZ_FREQ);
    put_term_column(w, "Total", EZ_TOTAL);
    put_term_column(w, "Category", EZ_CATEGORY);
    put_term_column(w, "logprob", EZ_LOGPROB);
    put_term_column(w, "loglift", EZ_LOGLIFT);
    ez_json_end(&w->json, '}');
}

/* ---- topics of words ---- */

typedef struct token_entry {
    const char *term;
    double share; /* the topic's share of the word's tokens */
    uint32_t place;
} token_entry;

static int by_term(const void *a, const void *b)
{
    const token_entry *x = a, *y = b;
    int order = strcmp(x->term, y->term);
    return order ? order : (x->place > y->place) - (x->place < y->place);
}

static ezlda_status add_entry(vis_writer *w, ez_buffer *entries, uint32_t word, uint32_t topic,
                              double p)
{
    double tokens = p * w->vis.topic_tokens[topic];
    if (tokens < EZ_VIS_LEAST_TOKENS)
        return EZLDA_OK;
    token_entry entry = {ez_column_at(&w->what->model->words, word),
                         rint(tokens) / w->vis.word_tokens[word], w->rank[topic]};
    return ez_buffer_append(entries, w->what->context, &entry, sizeof entry);
}

/* With a large beta, a topic may expect half a token of a word that has none in it. Then all topics
 * are checked. */
static ezlda_status add_word(vis_writer *w, ez_buffer *entries, uint32_t word, bool all_topics)
{
    const ezlda_model *model = w->what->model;
    const ez_rows *rows = &model->phi.rows;
    uint64_t e = rows->start[word], end = rows->start[word + 1];
    for (uint32_t k = 0; all_topics && k < model->meta->topics; k++) {
        uint32_t count = ez_rows_find(rows, word, k);
        EZ_TRY(add_entry(w, entries, word, k,
                         (count + model->phi.beta) / ez_phi_total(&model->phi, k)));
    }
    for (; !all_topics && e < end; e++) {
        uint32_t k = rows->topic[e];
        double p = (ez_rows_count(rows, e) + model->phi.beta) / ez_phi_total(&model->phi, k);
        EZ_TRY(add_entry(w, entries, word, k, p));
    }
    return EZLDA_OK;
}

/* Marks the words in the tables: the salient words and those of any topic. */
static void mark_words(const vis_writer *w, uint8_t *shown)
{
    for (uint32_t i = 0; i < w->vis.words; i++)
        shown[w->vis.salient[i]] = 1;
    for (uint32_t k = 0; k < w->what->model->meta->topics; k++)
        for (uint32_t i = 0; i < w->vis.topic[k].n; i++)
            shown[w->vis.topic[k].word[i]] = 1;
}

static ezlda_status make_entries(vis_writer *w, ez_buffer *entries)
{
    const ezlda_model *model = w->what->model;
    bool all_topics = false;
    uint8_t *shown;
    ezlda_status status = EZLDA_OK;
    for (uint32_t k = 0; k < model->meta->topics; k++)
        all_topics |= w->vis.none[k] * w->vis.topic_tokens[k] >= EZ_VIS_LEAST_TOKENS;
    EZ_TRY(ez_array_zero(&shown, w->what->context, model->meta->words, 1, "words shown"));
    mark_words(w, shown);
    for (uint32_t v = 0; v < model->meta->words && status == EZLDA_OK; v++)
        if (shown[v])
            status = add_word(w, entries, v, all_topics);
    ez_free(shown);
    if (status == EZLDA_OK && entries->used)
        qsort(entries->data, entries->used / sizeof(token_entry), sizeof(token_entry), by_term);
    return status;
}

static void put_entries(vis_writer *w, const token_entry *entry, size_t n)
{
    ez_json_key(&w->json, "token.table");
    ez_json_begin(&w->json, '{');
    ez_json_key(&w->json, "Topic");
    ez_json_begin(&w->json, '[');
    for (size_t i = 0; i < n; i++)
        ez_json_whole(&w->json, entry[i].place + 1);
    ez_json_end(&w->json, ']');
    ez_json_key(&w->json, "Freq");
    ez_json_begin(&w->json, '[');
    for (size_t i = 0; i < n; i++)
        ez_json_real(&w->json, entry[i].share);
    ez_json_end(&w->json, ']');
    ez_json_key(&w->json, "Term");
    ez_json_begin(&w->json, '[');
    for (size_t i = 0; i < n; i++)
        ez_json_string(&w->json, entry[i].term);
    ez_json_end(&w->json, ']');
    ez_json_end(&w->json, '}');
}

/* ---- the file ---- */

static void put_rest(vis_writer *w)
{
    ez_json_key(&w->json, "R");
    ez_json_whole(&w->json, w->vis.words);
    ez_json_key(&w->json, "lambda.step");
    ez_json_real(&w->json, w->vis.lambda_step);
    ez_json_key(&w->json, "plot.opts");
    ez_json_begin(&w->json, '{');
    ez_json_key(&w->json, "xlab");
    ez_json_string(&w->json, "PC1");
    ez_json_key(&w->json, "ylab");
    ez_json_string(&w->json, "PC2");
    ez_json_end(&w->json, '}');
    ez_json_key(&w->json, "topic.order");
    ez_json_begin(&w->json, '[');
    for (uint32_t i = 0; i < w->what->model->meta->topics; i++)
        ez_json_whole(&w->json, w->vis.order[i] + 1);
    ez_json_end(&w->json, ']');
}

static ezlda_status write_json(vis_writer *w, const ez_buffer *entries)
{
    EZ_TRY(ez_json_open(&w->json, w->what->context, w->what->path));
    ez_json_begin(&w->json, '{');
    put_topics(w);
    put_terms(w);
    put_entries(w, (const token_entry *)(const void *)entries->data,
                entries->used / sizeof(token_entry));
    put_rest(w);
    ez_json_end(&w->json, '}');
    return ez_json_close(&w->json);
}

ezlda_status ez_export_pyldavis(const ez_export *what)
{
    vis_writer w = {.what = what};
    ez_buffer entries = {0};
    ezlda_status status;
    if (what->model->meta->topics > EZ_VIS_MOST_TOPICS)
        return ez_fail(what->context, EZLDA_ERROR_UNSUPPORTED,
                       "pyLDAvis: at most %d topics, the model has %u", EZ_VIS_MOST_TOPICS,
                       what->model->meta->topics);
    EZ_TRY_GOTO(ez_vis_make(&w.vis, what->context, what->model, ez_export_words(what, EZ_VIS_WORDS),
                            EZ_VIS_LAMBDA_STEP));
    EZ_TRY_GOTO(place_topics(&w));
    EZ_TRY_GOTO(make_entries(&w, &entries));
    status = write_json(&w, &entries);
done:
    ez_vis_free(&w.vis);
    ez_free(w.x);
    ez_free(w.y);
    ez_free(w.rank);
    ez_free(entries.data);
    return status;
}
