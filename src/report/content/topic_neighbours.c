/* Finds similar topics: for each topic the nearest others, and its similarity with the whole
 * corpus.
 *
 * The similarity of two topics is the sum over words of sqrt(p(word | a) * p(word | b)), from the
 * counts, as in `ezlda diff`. One row of the table is made at a time, so that memory grows with the
 * number of topics and not with its square. */
#include "report/content/best_list.h"
#include "report/report.h"

#include <math.h>
#include <string.h>

enum { EZ_NEIGHBOURS = 8 };

typedef struct neighbours {
    ezlda_report *report;
    const ezlda_model *model;
    const ez_topic_index *index;
    float *root; /* sqrt(p(word | topic)) for each entry of the words' rows */
} neighbours;

static ezlda_status compute_roots(neighbours *job, ezlda_context *context)
{
    const ez_rows *rows = &job->model->phi.rows;
    EZ_TRY(ez_array(&job->root, context, rows->entries, sizeof *job->root, "words of topics"));
#pragma omp parallel for schedule(static) num_threads(ez_threads(context))
    for (uint64_t e = 0; e < rows->entries; e++)
        job->root[e] = (float)sqrt((double)ez_rows_count(rows, e) /
                                   (double)job->model->phi.topic_tokens[rows->topic[e]]);
    return EZLDA_OK;
}

/* Adds a topic's words to `sum`, by other topic; returns the similarity with the whole corpus. */
static double add_words(const neighbours *job, uint32_t topic, double *sum)
{
    const ez_topic_index *index = job->index;
    const ez_rows *rows = &job->model->phi.rows;
    double tokens = (double)job->model->phi.topic_tokens[topic],
           all = (double)job->model->meta->tokens, whole = 0;
    for (uint64_t i = index->start[topic]; i < index->start[topic + 1]; i++) {
        uint32_t word = index->row[i];
        double root = sqrt(ez_index_count(index, i, rows, topic) / tokens);
        whole += root * sqrt((double)job->model->word_tokens[word] / all);
        for (uint64_t e = rows->start[word]; e < rows->start[word + 1]; e++)
            sum[rows->topic[e]] += root * (double)job->root[e];
    }
    return whole;
}

static void find_nearest(const neighbours *job, uint32_t topic, double *sum)
{
    ezlda_report *report = job->report;
    uint32_t topics = job->model->meta->topics, near = report->near;
    ez_best_item item[EZ_NEIGHBOURS];
    ez_best_list best = {item, 0, near};
    memset(sum, 0, topics * sizeof *sum);
    report->corpus_similarity[topic] = (float)add_words(job, topic, sum);
    for (uint32_t k = 0; k < topics; k++)
        if (k != topic)
            ez_best_offer(&best, sum[k] < 1 ? sum[k] : 1, k, 0);
    ez_best_sort(&best);
    for (uint32_t i = 0; i < near; i++) {
        report->near_topic[(size_t)topic * near + i] = (uint16_t)item[i].id;
        report->near_similarity[(size_t)topic * near + i] = (float)item[i].score;
    }
}

static ezlda_status fill_rows(const neighbours *job, ezlda_context *context)
{
    uint32_t topics = job->model->meta->topics;
    ezlda_status status = EZLDA_OK;
#pragma omp parallel num_threads(ez_threads(context))
    {
        double *sum = NULL;
        ezlda_status mine = ez_array(&sum, context, topics, sizeof *sum, "sums of topics");
#pragma omp for schedule(dynamic, 4)
        for (uint32_t k = 0; k < topics; k++)
            if (mine == EZLDA_OK)
                find_nearest(job, k, sum);
        ez_free(sum);
        if (mine != EZLDA_OK) {
#pragma omp critical(ez_neighbours_status)
            status = mine;
        }
    }
    return status;
}

ezlda_status ez_report_neighbours(ezlda_report *report, ezlda_context *context)
{
    uint32_t topics = report->model->meta->topics;
    neighbours job = {.report = report, .model = report->model};
    ezlda_status status;
    report->near = topics - 1 < EZ_NEIGHBOURS ? topics - 1 : EZ_NEIGHBOURS;
    size_t n = (size_t)topics * report->near;
    EZ_TRY_GOTO(
        ez_array(&report->near_topic, context, n, sizeof *report->near_topic, "similar topics"));
    EZ_TRY_GOTO(ez_array(&report->near_similarity, context, n, sizeof *report->near_similarity,
                         "similar topics"));
    EZ_TRY_GOTO(
        ez_array(&report->corpus_similarity, context, topics, sizeof(float), "similar topics"));
    EZ_TRY_GOTO(ez_model_index(report->model, context, EZ_INDEX_WORDS, &job.index));
    EZ_TRY_GOTO(compute_roots(&job, context));
    status = fill_rows(&job, context);
done:
    ez_free(job.root);
    return status;
}
