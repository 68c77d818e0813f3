/* The Jensen-Shannon divergence JSD(p, q) = H((p+q)/2) - (H(p) + H(q))/2 of topics.
 *
 * A topic's p(word) is (count + beta) / total, and most words have no count. So with f(x) = x log x
 * the sum of f over (p+q)/2 is first computed as if no word were in both topics, which needs only
 * how often each count occurs in either. Then it is corrected for the words in both. */
#include "export/topic_distance.h"

#include "base/memory.h"
#include "export/export.h"

#include <math.h>
#include <stdlib.h>

typedef struct count_number {
    uint32_t count, number; /* the number of words with this count */
} count_number;

typedef struct topic_view {
    uint32_t topic;
    double total, none;     /* n + V*beta; p of a word without a token */
    count_number *numbers;  /* counts above 0, in no order */
    uint32_t n;             /* entries of `numbers` */
    uint32_t words_without; /* words without a token in the topic */
    double entropy;
} topic_view;

typedef struct divergence {
    const ezlda_model *model;
    const ez_topic_index *index;
    topic_view *view; /* topics */
} divergence;

static double f(double x)
{
    return x * log(x);
}

static double p_of(const divergence *d, const topic_view *view, uint32_t count)
{
    return (count + d->model->phi.beta) / view->total;
}

static int compare_counts(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static ezlda_status make_view(const divergence *d, ezlda_context *context, uint32_t topic,
                              topic_view *view)
{
    uint64_t first = d->index->start[topic];
    size_t n = (size_t)(d->index->start[topic + 1] - first);
    uint32_t *counts = NULL;
    EZ_TRY(ez_array(&counts, context, n, sizeof *counts, "counts of a topic"));
    for (size_t i = 0; i < n; i++)
        counts[i] = ez_index_count(d->index, first + i, &d->model->phi.rows, topic);
    qsort(counts, n, sizeof *counts, compare_counts);
    ezlda_status status =
        ez_array(&view->numbers, context, n, sizeof *view->numbers, "counts of a topic");
    view->topic = topic;
    view->total = ez_phi_total(&d->model->phi, topic);
    view->none = d->model->phi.beta / view->total;
    view->words_without = d->model->meta->words - (uint32_t)n;
    for (size_t i = 0; i < n && status == EZLDA_OK; i++) {
        if (!view->n || view->numbers[view->n - 1].count != counts[i])
            view->numbers[view->n++] = (count_number){counts[i], 0};
        view->numbers[view->n - 1].number++;
    }
    view->entropy = -(double)view->words_without * f(view->none);
    for (uint32_t i = 0; i < view->n; i++)
        view->entropy -= view->numbers[i].number * f(p_of(d, view, view->numbers[i].count));
    ez_free(counts);
    return status;
}

/* The correction for words in both topics. dense: the counts of topic a. */
static double shared_words(const divergence *d, const topic_view *a, const topic_view *b,
                           const uint32_t *dense)
{
    double sum = 0, none = f((a->none + b->none) / 2);
    for (uint64_t i = d->index->start[b->topic]; i < d->index->start[b->topic + 1]; i++) {
        uint32_t count = dense[d->index->row[i]];
        if (!count)
            continue;
        double p = p_of(d, a, count);
        double q = p_of(d, b, ez_index_count(d->index, i, &d->model->phi.rows, b->topic));
        sum += f((p + q) / 2) - f((p + b->none) / 2) - f((a->none + q) / 2) + none;
    }
    return sum;
}

/* The sum of f((p+q)/2) over words of topic a, minus their values if they had no count. */
static double own_words(const divergence *d, const topic_view *a, const topic_view *b)
{
    double sum = 0, none = f((a->none + b->none) / 2);
    for (uint32_t i = 0; i < a->n; i++)
        sum += a->numbers[i].number * (f((p_of(d, a, a->numbers[i].count) + b->none) / 2) - none);
    return sum;
}

static double divergence_of(const divergence *d, const topic_view *a, const topic_view *b,
                            const uint32_t *dense)
{
    double sum = d->model->meta->words * f((a->none + b->none) / 2);
    sum += own_words(d, a, b) + own_words(d, b, a) + shared_words(d, a, b, dense);
    double value = -sum - (a->entropy + b->entropy) / 2;
    return value > 0 ? value : 0;
}

/* Fills row a up to its diagonal, and the same values below it. dense is clear before and after. */
static void fill_row(const divergence *d, uint32_t a, uint32_t *dense, double *out)
{
    uint32_t topics = d->model->meta->topics;
    const ez_topic_index *index = d->index;
    for (uint64_t i = index->start[a]; i < index->start[a + 1]; i++)
        dense[index->row[i]] = ez_index_count(index, i, &d->model->phi.rows, a);
    out[(size_t)a * topics + a] = 0;
    for (uint32_t b = 0; b < a; b++) {
        double value = divergence_of(d, &d->view[a], &d->view[b], dense);
        out[(size_t)a * topics + b] = out[(size_t)b * topics + a] = value;
    }
    for (uint64_t i = index->start[a]; i < index->start[a + 1]; i++)
        dense[index->row[i]] = 0;
}

static ezlda_status fill_matrix(const divergence *d, ezlda_context *context, double *out)
{
    ezlda_status status = EZLDA_OK;
    uint32_t topics = d->model->meta->topics;
#pragma omp parallel num_threads(ez_threads(context))
    {
        uint32_t *dense = NULL;
        ezlda_status mine = ez_array_zero(&dense, context, d->model->meta->words, sizeof *dense,
                                          "counts of a topic");
#pragma omp for schedule(dynamic, 1)
        for (uint32_t i = 0; i < topics; i++)
            if (mine == EZLDA_OK)
                fill_row(d, topics - 1 - i, dense, out);
        ez_free(dense);
        if (mine != EZLDA_OK) {
#pragma omp critical(ez_topic_divergence_status)
            status = mine;
        }
    }
    return status;
}

ezlda_status ez_topic_divergence(const ezlda_model *model, ezlda_context *context, double *out)
{
    divergence d = {.model = model};
    ezlda_status status;
    EZ_TRY_GOTO(ez_model_index(model, context, EZ_INDEX_WORDS, &d.index));
    EZ_TRY_GOTO(
        ez_array_zero(&d.view, context, model->meta->topics, sizeof *d.view, "views of topics"));
    for (uint32_t k = 0; k < model->meta->topics; k++)
        EZ_TRY_GOTO(make_view(&d, context, k, &d.view[k]));
    status = fill_matrix(&d, context, out);
done:
    for (uint32_t k = 0; d.view && k < model->meta->topics; k++)
        ez_free(d.view[k].numbers);
    ez_free(d.view);
    return status;
}
