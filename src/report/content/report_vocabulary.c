/* Chooses the vocabulary of the report: the most frequent words and all that topics and documents
 * show, each with the topics in which it occurs most. */
#include "report/content/best_list.h"
#include "report/report.h"

#include <stdlib.h>

enum {
    EZ_VOCABULARY = 40000,       /* the most frequent words are always included */
    EZ_FREQUENT_WORDS = 10000,   /* as many of these words always have EZ_WORD_TOPICS topics */
    EZ_WORD_TOPICS = 10,         /* most topics of a word */
    EZ_LEAST_WORD_TOPICS = 3,    /* topics that every word may have */
    EZ_WORD_TOPIC_ROOM = 240000, /* most topics of all words together, if the least allow it */
};

void ez_report_words_free(ez_report_words *words)
{
    ez_free(words->model_word);
    ez_free(words->rank);
    ez_free(words->report_word);
    ez_free(words->start);
    ez_free(words->word);
    ez_free(words->count);
    ez_free(words->topic_start);
    ez_free(words->topic);
    ez_free(words->topic_count);
}

/* ---- which words ---- */

typedef struct word_rank {
    uint64_t tokens;
    uint32_t word;
} word_rank;

static int compare_ranks(const void *a, const void *b)
{
    const word_rank *x = a, *y = b;
    if (x->tokens != y->tokens)
        return x->tokens < y->tokens ? 1 : -1;
    return (x->word > y->word) - (x->word < y->word);
}

static void want_shown_words(const ezlda_report *report, unsigned char *wanted)
{
    const ez_report_words *words = &report->vocabulary;
    const ez_report_docs *docs = &report->docs;
    for (uint32_t i = 0; i < words->start[report->model->meta->topics]; i++)
        wanted[words->word[i]] = 1;
    for (uint32_t i = 0; i < docs->bag_start[docs->n]; i++)
        wanted[docs->bag[i].word] = 1;
}

static ezlda_status choose_words(ezlda_report *report, ezlda_context *context, word_rank *rank,
                                 unsigned char *wanted)
{
    ez_report_words *out = &report->vocabulary;
    const ezlda_model *model = report->model;
    uint32_t words = model->meta->words;
    for (uint32_t v = 0; v < words; v++)
        rank[v] = (word_rank){model->word_tokens[v], v};
    qsort(rank, words, sizeof *rank, compare_ranks);
    want_shown_words(report, wanted);
    for (uint32_t i = 0; i < words; i++)
        if (i < EZ_VOCABULARY && rank[i].tokens)
            wanted[rank[i].word] = 1;
    for (uint32_t v = 0; v < words; v++)
        out->vocabulary += wanted[v];
    EZ_TRY(ez_array(&out->model_word, context, out->vocabulary, sizeof *out->model_word,
                    "the vocabulary"));
    EZ_TRY(ez_array(&out->rank, context, out->vocabulary, sizeof *out->rank, "the vocabulary"));
    EZ_TRY(ez_array(&out->report_word, context, words, sizeof *out->report_word, "the vocabulary"));
    for (uint32_t i = 0, at = 0; i < words; i++) {
        uint32_t v = rank[i].word;
        out->report_word[v] = wanted[v] ? at : EZ_NO_ITEM;
        if (!wanted[v])
            continue;
        out->rank[at] = i;
        out->model_word[at++] = v;
    }
    return EZLDA_OK;
}

/* ---- their topics ---- */

static uint32_t topics_of(const ezlda_model *model, uint32_t word)
{
    return (uint32_t)(model->word_rows.start[word + 1] - model->word_rows.start[word]);
}

static uint32_t kept_topics(const ezlda_report *report, uint32_t i, uint32_t most)
{
    uint32_t n = topics_of(report->model, report->vocabulary.model_word[i]);
    most = i < EZ_FREQUENT_WORDS ? EZ_WORD_TOPICS : most;
    return n < most ? n : most;
}

/* The most topics of a word that is not among the frequent ones. */
static uint32_t most_topics(const ezlda_report *report)
{
    uint32_t most = EZ_WORD_TOPICS;
    for (; most > EZ_LEAST_WORD_TOPICS; most--) {
        uint64_t all = 0;
        for (uint32_t i = 0; i < report->vocabulary.vocabulary; i++)
            all += kept_topics(report, i, most);
        if (all <= EZ_WORD_TOPIC_ROOM)
            break;
    }
    return most;
}

static void fill_topics(ezlda_report *report, uint32_t i)
{
    ez_report_words *out = &report->vocabulary;
    const ez_rows *rows = &report->model->word_rows;
    ez_best_item item[EZ_WORD_TOPICS];
    uint32_t first = out->topic_start[i], word = out->model_word[i];
    ez_best_list best = {item, 0, out->topic_start[i + 1] - first};
    for (uint64_t e = rows->start[word]; e < rows->start[word + 1]; e++)
        ez_best_offer(&best, ez_rows_count(rows, e), rows->topic[e], ez_rows_count(rows, e));
    ez_best_sort(&best);
    for (uint32_t j = 0; j < best.n; j++) {
        out->topic[first + j] = (uint16_t)item[j].id;
        out->topic_count[first + j] = item[j].count;
    }
}

static ezlda_status fill_all_topics(ezlda_report *report, ezlda_context *context)
{
    ez_report_words *out = &report->vocabulary;
    uint32_t n = out->vocabulary, most = most_topics(report);
    EZ_TRY(ez_array(&out->topic_start, context, (size_t)n + 1, sizeof *out->topic_start,
                    "topics of words"));
    out->topic_start[0] = 0;
    for (uint32_t i = 0; i < n; i++)
        out->topic_start[i + 1] = out->topic_start[i] + kept_topics(report, i, most);
    EZ_TRY(
        ez_array(&out->topic, context, out->topic_start[n], sizeof *out->topic, "topics of words"));
    EZ_TRY(ez_array(&out->topic_count, context, out->topic_start[n], sizeof *out->topic_count,
                    "topics of words"));
#pragma omp parallel for schedule(dynamic, 256) num_threads(ez_threads(context))
    for (uint32_t i = 0; i < n; i++)
        fill_topics(report, i);
    return EZLDA_OK;
}

ezlda_status ez_report_vocabulary(ezlda_report *report, ezlda_context *context)
{
    uint32_t words = report->model->meta->words;
    word_rank *rank = NULL;
    unsigned char *wanted = NULL;
    ezlda_status status;
    EZ_TRY_GOTO(ez_array(&rank, context, words, sizeof *rank, "the vocabulary"));
    EZ_TRY_GOTO(ez_array_zero(&wanted, context, words, 1, "the vocabulary"));
    EZ_TRY_GOTO(choose_words(report, context, rank, wanted));
    status = fill_all_topics(report, context);
done:
    ez_free(rank);
    ez_free(wanted);
    return status;
}
