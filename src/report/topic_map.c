/* The map: topics placed by the square root of their Jensen-Shannon divergence, a metric that can be drawn without
 * error in some Euclidean space, so that classical scaling has only real axes, of which the first two are taken.
 *
 * Where there are many topics, the largest ones are landmarks: they are scaled, and every other topic is placed by its
 * distances to them (landmark scaling: de Silva and Tenenbaum, 2004), which for the landmarks gives the same places. */
#include "export/principal_axes.h"
#include "report/best_list.h"
#include "report/report.h"

#include <math.h>
#include <string.h>

enum { EZ_LANDMARKS = 1000, EZ_LANDMARK_CELLS = 1 << 26 };

typedef struct topic_map {
    const ezlda_model *model;
    const ez_topic_index *index;
    uint32_t topics, landmarks;
    uint32_t *landmark; /* their topics */
    float *plogp;       /* p log p for each entry of the words' rows */
    float *divergence;  /* landmarks x topics */
} topic_map;

/* The largest topics, in the order of their numbers. */
static ezlda_status choose_landmarks(topic_map *map, ezlda_context *context)
{
    map->landmarks = map->topics < EZ_LANDMARKS ? map->topics : EZ_LANDMARKS;
    while ((uint64_t)map->landmarks * map->topics > EZ_LANDMARK_CELLS)
        map->landmarks /= 2;
    ez_best_list best = {.most = map->landmarks};
    EZ_TRY(ez_array(&map->landmark, context, map->landmarks, sizeof *map->landmark, "landmarks"));
    EZ_TRY(ez_array(&best.item, context, map->landmarks, sizeof *best.item, "landmarks"));
    for (uint32_t k = 0; k < map->topics; k++)
        ez_best_offer(&best, (double)map->model->topic_tokens[k], k, 0);
    ez_best_sort(&best);
    ez_best_item last = best.item[best.n - 1];
    uint32_t n = 0;
    for (uint32_t k = 0; k < map->topics; k++) {
        ez_best_item item = {(double)map->model->topic_tokens[k], k, 0};
        if (!ez_better(&last, &item))
            map->landmark[n++] = k;
    }
    ez_free(best.item);
    return EZLDA_OK;
}

static ezlda_status take_logarithms(topic_map *map, ezlda_context *context)
{
    const ez_rows *rows = &map->model->word_rows;
    EZ_TRY(ez_array(&map->plogp, context, rows->entries, sizeof *map->plogp, "words of topics"));
#pragma omp parallel for schedule(static) num_threads(ez_threads(context))
    for (uint64_t e = 0; e < rows->entries; e++) {
        double p = (double)ez_rows_count(rows, e) / (double)map->model->topic_tokens[rows->topic[e]];
        map->plogp[e] = (float)(p * log(p));
    }
    return EZLDA_OK;
}

/* JSD(p, q) = log 2 - sum over words of both topics of ((p+q) log(p+q) - p log p - q log q) / 2, in nats. */
static void fill_row(const topic_map *map, uint32_t topic, double *sum, float *out)
{
    const ez_topic_index *index = map->index;
    const ez_rows *rows = &map->model->word_rows;
    const uint64_t *tokens = map->model->topic_tokens;
    memset(sum, 0, map->topics * sizeof *sum);
    for (uint64_t i = index->start[topic]; i < index->start[topic + 1]; i++) {
        uint32_t word = index->row[i];
        double p = ez_entry_count(index, i, rows, topic) / (double)tokens[topic], f = p * log(p);
        for (uint64_t e = rows->start[word]; e < rows->start[word + 1]; e++) {
            double s = p + ez_rows_count(rows, e) / (double)tokens[rows->topic[e]];
            sum[rows->topic[e]] += s * log(s) - f - (double)map->plogp[e];
        }
    }
    for (uint32_t k = 0; k < map->topics; k++) {
        bool same = k == topic || (!tokens[k] && !tokens[topic]);
        double value = 0.69314718055994531 - sum[k] / 2;
        out[k] = same || value < 0 ? 0 : (float)value;
    }
}

static ezlda_status fill_divergence(const topic_map *map, ezlda_context *context)
{
    ezlda_status status = EZLDA_OK;
#pragma omp parallel num_threads(ez_threads(context))
    {
        double *sum = NULL;
        ezlda_status mine = ez_array(&sum, context, map->topics, sizeof *sum, "sums of topics");
#pragma omp for schedule(dynamic, 4)
        for (uint32_t i = 0; i < map->landmarks; i++)
            if (mine == EZLDA_OK)
                fill_row(map, map->landmark[i], sum, map->divergence + (size_t)i * map->topics);
        ez_free(sum);
        if (mine != EZLDA_OK) {
#pragma omp critical(ez_map_status)
            status = mine;
        }
    }
    return status;
}

/* Places every topic by its distances to the landmarks, whose coordinates on the axis are given, and whose mean
 * squared distances among themselves. */
static void place_topics(const topic_map *map, const double *axis, const double *mean, float *out)
{
    double value = 0;
    for (uint32_t i = 0; i < map->landmarks; i++)
        value += axis[i] * axis[i];
    for (uint32_t k = 0; k < map->topics; k++) {
        double sum = 0;
        for (uint32_t i = 0; i < map->landmarks; i++)
            sum += axis[i] * ((double)map->divergence[(size_t)i * map->topics + k] - mean[i]);
        out[k] = value > 0 ? (float)(-sum / (2 * value)) : 0;
    }
}

static ezlda_status scale(const topic_map *map, ezlda_context *context, float *x, float *y)
{
    uint32_t n = map->landmarks;
    double *distance = NULL, *mean = NULL, *axes = NULL;
    ezlda_status status;
    EZ_TRY_GOTO(ez_array(&distance, context, (size_t)n * n, sizeof *distance, "distances of topics"));
    EZ_TRY_GOTO(ez_array_zero(&mean, context, n, sizeof *mean, "distances of topics"));
    EZ_TRY_GOTO(ez_array(&axes, context, 2 * (size_t)n, sizeof *axes, "coordinates of topics"));
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++) {
            double there = (double)map->divergence[(size_t)i * map->topics + map->landmark[j]];
            double back = (double)map->divergence[(size_t)j * map->topics + map->landmark[i]];
            distance[(size_t)i * n + j] = sqrt((there + back) / 2); /* the two may differ in rounding */
            mean[i] += there / n;
        }
    EZ_TRY_GOTO(ez_principal_axes(context, distance, n, axes, axes + n));
    place_topics(map, axes, mean, x);
    place_topics(map, axes + n, mean, y);
done:
    ez_free(distance);
    ez_free(mean);
    ez_free(axes);
    return status;
}

/* To [-1, 1], both axes by the same factor. */
static void fit(ezlda_report *report)
{
    float most = 0;
    for (uint32_t k = 0; k < report->model->meta->topics; k++)
        most = fmaxf(most, fmaxf(fabsf(report->x[k]), fabsf(report->y[k])));
    for (uint32_t k = 0; k < report->model->meta->topics && most > 0; k++) {
        report->x[k] /= most;
        report->y[k] /= most;
    }
}

ezlda_status ez_report_map(ezlda_report *report, ezlda_context *context)
{
    topic_map map = {.model = report->model, .topics = report->model->meta->topics};
    ezlda_status status;
    EZ_TRY_GOTO(ez_array(&report->x, context, map.topics, sizeof *report->x, "coordinates of topics"));
    EZ_TRY_GOTO(ez_array(&report->y, context, map.topics, sizeof *report->y, "coordinates of topics"));
    EZ_TRY_GOTO(ez_model_index(report->model, context, EZ_INDEX_WORDS, &map.index));
    EZ_TRY_GOTO(choose_landmarks(&map, context));
    EZ_TRY_GOTO(take_logarithms(&map, context));
    EZ_TRY_GOTO(ez_array(&map.divergence, context, (size_t)map.landmarks * map.topics, sizeof *map.divergence,
                         "distances of topics"));
    EZ_TRY_GOTO(fill_divergence(&map, context));
    EZ_TRY_GOTO(scale(&map, context, report->x, report->y));
    fit(report);
done:
    ez_free(map.landmark);
    ez_free(map.plogp);
    ez_free(map.divergence);
    return status;
}
