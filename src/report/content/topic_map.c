/* The map of topics. Topics are placed by the square root of their Jensen-Shannon divergence. This
 * is a metric that can be embedded in a Euclidean space, so classical scaling has only real axes;
 * the first two are used.
 *
 * If there are many topics, the largest ones are landmarks: they are scaled, and every other topic
 * is placed by its distances to them (landmark scaling: de Silva and Tenenbaum, 2004), which for
 * the landmarks gives the same positions.
 *
 * Topics without tokens are as far as possible from every other one, and hidden ones are not shown:
 * neither decides where the others are. They are in the middle of the map. */
#include "numeric/principal_axes.h"
#include "report/content/best_list.h"
#include "report/report.h"

#include <math.h>
#include <string.h>

enum { EZ_LANDMARKS = 1000 };

typedef struct topic_map {
    const ezlda_model *model;
    const ez_topic_index *index;
    uint32_t topics, landmarks;
    uint32_t *landmark; /* topics of the landmarks */
    float *plogp;       /* p log p for each entry of the words' rows */
    float *divergence;  /* landmarks x topics */
} topic_map;

static bool is_placed(const ezlda_model *model, uint32_t topic)
{
    return model->phi.topic_tokens[topic] && !ezlda_model_topic_hidden(model, topic);
}

static uint32_t count_placed(const ezlda_model *model)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < model->meta->topics; k++)
        n += is_placed(model, k);
    return n;
}

/* Chooses the largest topics, in the order of their numbers. */
static ezlda_status choose_landmarks(topic_map *map, ezlda_context *context)
{
    ez_best_list best = {.most = map->landmarks};
    EZ_TRY(ez_array(&map->landmark, context, map->landmarks, sizeof *map->landmark, "landmarks"));
    EZ_TRY(ez_array(&best.item, context, map->landmarks, sizeof *best.item, "landmarks"));
    for (uint32_t k = 0; k < map->topics; k++)
        if (is_placed(map->model, k))
            ez_best_offer(&best, (double)map->model->topic_tokens[k], k, 0);
    ez_best_sort(&best);
    ez_best_item last = best.item[best.n - 1];
    uint32_t n = 0;
    for (uint32_t k = 0; k < map->topics; k++) {
        ez_best_item item = {(double)map->model->topic_tokens[k], k, 0};
        if (is_placed(map->model, k) && !ez_better(&last, &item))
            map->landmark[n++] = k;
    }
    ez_free(best.item);
    return EZLDA_OK;
}

static ezlda_status compute_logarithms(topic_map *map, ezlda_context *context)
{
    const ez_rows *rows = &map->model->phi.rows;
    EZ_TRY(ez_array(&map->plogp, context, rows->entries, sizeof *map->plogp, "words of topics"));
#pragma omp parallel for schedule(static) num_threads(ez_threads(context))
    for (uint64_t e = 0; e < rows->entries; e++) {
        double p =
            (double)ez_rows_count(rows, e) / (double)map->model->phi.topic_tokens[rows->topic[e]];
        map->plogp[e] = (float)(p * log(p));
    }
    return EZLDA_OK;
}

/* Divergence of a topic from topics 0 .. n-1, in nats:
 * JSD(p, q) = log 2 - sum over words of both topics of ((p+q) log(p+q) - p log p - q log q) / 2. */
static void fill_row(const topic_map *map, uint32_t topic, uint32_t n, double *sum, float *out)
{
    const ez_topic_index *index = map->index;
    const ez_rows *rows = &map->model->phi.rows;
    const uint64_t *tokens = map->model->phi.topic_tokens;
    memset(sum, 0, n * sizeof *sum);
    for (uint64_t i = index->start[topic]; i < index->start[topic + 1]; i++) {
        uint32_t word = index->row[i];
        double p = ez_index_count(index, i, rows, topic) / (double)tokens[topic], f = p * log(p);
        for (uint64_t e = rows->start[word]; e < rows->start[word + 1] && rows->topic[e] < n; e++) {
            double s = p + ez_rows_count(rows, e) / (double)tokens[rows->topic[e]];
            sum[rows->topic[e]] += s * log(s) - f - (double)map->plogp[e];
        }
    }
    for (uint32_t k = 0; k < n; k++) {
        bool same = k == topic || (!tokens[k] && !tokens[topic]);
        double value = 0.69314718055994531 - sum[k] / 2;
        out[k] = same || value < 0 ? 0 : (float)value;
    }
}

/* Fills the other half of a square table. */
static void mirror(const topic_map *map)
{
    for (size_t i = 0; i < map->topics; i++)
        for (size_t j = 0; j < i; j++)
            map->divergence[j * map->topics + i] = map->divergence[i * map->topics + j];
}

static ezlda_status fill_divergence(const topic_map *map, ezlda_context *context)
{
    bool square = map->landmarks == map->topics;
    ezlda_status status = EZLDA_OK;
#pragma omp parallel num_threads(ez_threads(context))
    {
        double *sum = NULL;
        ezlda_status mine = ez_array(&sum, context, map->topics, sizeof *sum, "sums of topics");
#pragma omp for schedule(dynamic, 4)
        for (uint32_t j = 0; j < map->landmarks; j++) {
            uint32_t i = map->landmarks - 1 - j; /* long rows first */
            if (mine == EZLDA_OK)
                fill_row(map, map->landmark[i], square ? i + 1 : map->topics, sum,
                         map->divergence + (size_t)i * map->topics);
        }
        ez_free(sum);
        if (mine != EZLDA_OK) {
#pragma omp critical(ez_map_status)
            status = mine;
        }
    }
    if (square)
        mirror(map);
    return status;
}

/* Places every topic by its distances to the landmarks, whose coordinates on the axis are given,
 * and whose mean squared distances among themselves. */
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
    EZ_TRY_GOTO(
        ez_array(&distance, context, ez_product(n, n), sizeof *distance, "distances of topics"));
    EZ_TRY_GOTO(ez_array_zero(&mean, context, n, sizeof *mean, "distances of topics"));
    EZ_TRY_GOTO(ez_array(&axes, context, ez_product(2, n), sizeof *axes, "coordinates of topics"));
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++) {
            double there = (double)map->divergence[(size_t)i * map->topics + map->landmark[j]];
            double back = (double)map->divergence[(size_t)j * map->topics + map->landmark[i]];
            distance[(size_t)i * n + j] =
                sqrt((there + back) / 2); /* the two may differ in rounding */
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

static void find_extent(const ezlda_model *model, const float *values, float *middle, float *half)
{
    float least = INFINITY, most = -INFINITY;
    for (uint32_t k = 0; k < model->meta->topics; k++) {
        if (!is_placed(model, k))
            continue;
        least = fminf(least, values[k]);
        most = fmaxf(most, values[k]);
    }
    *middle = (least + most) / 2;
    *half = (most - least) / 2;
}

/* Scales the map to [-1, 1], both axes by the same factor, with equal margins on both sides. */
static void fit(ezlda_report *report)
{
    uint32_t topics = report->model->meta->topics;
    float x, y, half_x, half_y;
    find_extent(report->model, report->x, &x, &half_x);
    find_extent(report->model, report->y, &y, &half_y);
    float half = fmaxf(half_x, half_y);
    for (uint32_t k = 0; k < topics; k++) {
        bool placed = half > 0 && is_placed(report->model, k);
        report->x[k] = placed ? (report->x[k] - x) / half : 0;
        report->y[k] = placed ? (report->y[k] - y) / half : 0;
    }
}

ezlda_status ez_report_map_by(ezlda_report *report, ezlda_context *context, uint32_t landmarks)
{
    topic_map map = {.model = report->model, .topics = report->model->meta->topics};
    uint32_t placed = count_placed(report->model);
    map.landmarks = placed < landmarks ? placed : landmarks;
    ezlda_status status;
    EZ_TRY_GOTO(
        ez_array_zero(&report->x, context, map.topics, sizeof *report->x, "coordinates of topics"));
    EZ_TRY_GOTO(
        ez_array_zero(&report->y, context, map.topics, sizeof *report->y, "coordinates of topics"));
    if (!placed)
        return EZLDA_OK;
    EZ_TRY_GOTO(ez_model_index(report->model, context, EZ_INDEX_WORDS, &map.index));
    EZ_TRY_GOTO(choose_landmarks(&map, context));
    EZ_TRY_GOTO(compute_logarithms(&map, context));
    EZ_TRY_GOTO(ez_array(&map.divergence, context, ez_product(map.landmarks, map.topics),
                         sizeof *map.divergence, "distances of topics"));
    EZ_TRY_GOTO(fill_divergence(&map, context));
    EZ_TRY_GOTO(scale(&map, context, report->x, report->y));
    fit(report);
done:
    ez_free(map.landmark);
    ez_free(map.plogp);
    ez_free(map.divergence);
    return status;
}

ezlda_status ez_report_map(ezlda_report *report, ezlda_context *context)
{
    return ez_report_map_by(report, context, EZ_LANDMARKS);
}
