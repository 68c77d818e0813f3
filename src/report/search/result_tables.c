/* Sums over the documents that a query has found. Threads take segments; sums of whole numbers do
 * not depend on their order. */
#include "report/search/result_tables.h"

#include "corpus/corpus.h"
#include "model/model_layout.h"
#include "report/content/field_bins.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EZ_GROUPS_USUAL = 60, EZ_GROUPS_MOST = 1 << 16, EZ_SPANS = 24 };

void ez_groups_free(ez_groups *groups)
{
    ez_free(groups->text);
    ez_free(groups->of_rank);
    ez_free(groups->first);
    ez_free(groups->end);
    *groups = (ez_groups){0};
}

const char *ez_group_text(const ez_groups *groups, const ez_doc_index *index, uint32_t group)
{
    return groups->text ? groups->text[group]
                        : ez_index_value(groups->field, index->corpus, groups->first[group]);
}

static ezlda_status make_room(ez_groups *groups, ezlda_context *context, uint32_t n, bool text)
{
    if (n > EZ_GROUPS_MOST)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                       "field '%s' has %u different values, more than %d", groups->field->name, n,
                       EZ_GROUPS_MOST);
    groups->n = n;
    EZ_TRY(ez_array(&groups->of_rank, context, groups->field->values, sizeof *groups->of_rank,
                    "values of a field"));
    memset(groups->of_rank, 0xff, groups->field->values * sizeof *groups->of_rank);
    EZ_TRY(ez_array_zero(&groups->first, context, n, sizeof *groups->first, "values of a field"));
    EZ_TRY(ez_array_zero(&groups->end, context, n, sizeof *groups->end, "values of a field"));
    return text
               ? ez_array_zero(&groups->text, context, n, sizeof *groups->text, "values of a field")
               : EZLDA_OK;
}

static void put_rank(ez_groups *groups, uint32_t rank, uint32_t group)
{
    groups->of_rank[rank] = group;
    if (!groups->end[group])
        groups->first[group] = rank;
    groups->end[group] = rank + 1;
}

/* Each value by itself, without "". */
static ezlda_status by_value(ez_groups *groups, ezlda_context *context, const ez_doc_index *index)
{
    uint32_t empty = groups->field->values && !*ez_index_value(groups->field, index->corpus, 0);
    EZ_TRY(make_room(groups, context, groups->field->values - empty, false));
    for (uint32_t rank = empty; rank < groups->field->values; rank++)
        put_rank(groups, rank, rank - empty);
    return EZLDA_OK;
}

static bool date_of(const ez_groups *groups, const ez_doc_index *index, uint32_t rank,
                    ez_date *date)
{
    return ez_date_parse(ez_index_value(groups->field, index->corpus, rank), date);
}

/* The name of the group of a date. Groups without a document need none. */
static void date_text(const ez_date *date, ez_date_unit unit, int64_t years, char *text,
                      size_t size)
{
    int year = date->year, first = (int)(year / years * years);
    if (unit == EZ_DATE_DAY)
        snprintf(text, size, "%04d-%02d-%02d", year, date->month, date->day);
    else if (unit == EZ_DATE_MONTH)
        snprintf(text, size, "%04d-%02d", year, date->month);
    else if (unit == EZ_DATE_QUARTER)
        snprintf(text, size, "%04d-Q%d", year, (date->month + 2) / 3);
    else if (years == 1)
        snprintf(text, size, "%04d", year);
    else
        snprintf(text, size, "%04d..%04d", first, (int)(first + years - 1));
}

static ezlda_status by_time(ez_groups *groups, ezlda_context *context, const ez_doc_index *index,
                            const char *step)
{
    static const char *const names[] = {"day", "month", "quarter", "year"};
    uint32_t values = groups->field->values, first = 0;
    ez_date date, low, high;
    ez_date_unit unit = EZ_DATE_DAY;
    int64_t years = 1;
    while (first < values && !date_of(groups, index, first, &low))
        first++;
    if (first == values || !date_of(groups, index, values - 1, &high))
        return by_value(groups, context, index);
    for (uint32_t rank = first; rank < values; rank++)
        if (date_of(groups, index, rank, &date) && date.unit > unit)
            unit = date.unit;
    for (int i = EZ_DATE_DAY; step && i <= EZ_DATE_YEAR; i++)
        if (strcmp(step, names[i]) == 0 && i > (int)unit)
            unit = (ez_date_unit)i;
    int64_t most = step ? EZ_GROUPS_MOST / 64 : EZ_GROUPS_USUAL;
    while (unit < EZ_DATE_YEAR && ez_date_number(&high, unit) - ez_date_number(&low, unit) >= most)
        unit++;
    while (unit == EZ_DATE_YEAR && high.year / years - low.year / years >= 2 * most)
        years *= 10;
    int64_t from = ez_date_number(&low, unit) / years,
            n = ez_date_number(&high, unit) / years - from + 1;
    EZ_TRY(make_room(groups, context, n > 0 ? (uint32_t)n : 0, true));
    for (uint32_t rank = first; rank < values; rank++)
        if (date_of(groups, index, rank, &date)) {
            int64_t group = ez_date_number(&date, unit) / years - from;
            if (group < 0 || group >= n) /* a forged index has them in another order */
                continue;
            put_rank(groups, rank, (uint32_t)group);
            date_text(&date, unit, years, groups->text[group], sizeof *groups->text);
        }
    return EZLDA_OK;
}

/* A number as its value has it, or, if that is long, the same number in at most 24 characters. */
static void number_text(const char *value, char text[28])
{
    if (strlen(value) <= 24)
        snprintf(text, 28, "%s", value);
    else
        snprintf(text, 28, "%.17g", strtod(value, NULL));
}

static void span_text(const ez_groups *groups, const ez_doc_index *index, uint32_t group)
{
    char low[28], high[28];
    number_text(ez_index_value(groups->field, index->corpus, groups->first[group]), low);
    number_text(ez_index_value(groups->field, index->corpus, groups->end[group] - 1), high);
    snprintf(groups->text[group], sizeof *groups->text, "%s..%s", low, high);
}

static ezlda_status by_span(ez_groups *groups, ezlda_context *context, const ez_doc_index *index)
{
    uint32_t values = groups->field->values,
             empty = values && !*ez_index_value(groups->field, index->corpus, 0);
    if (values - empty <= EZ_GROUPS_USUAL)
        return by_value(groups, context, index);
    double low = strtod(ez_index_value(groups->field, index->corpus, empty), NULL),
           high = strtod(ez_index_value(groups->field, index->corpus, values - 1), NULL);
    EZ_TRY(make_room(groups, context, EZ_SPANS, true));
    for (uint32_t rank = empty; rank < values; rank++) {
        double value = strtod(ez_index_value(groups->field, index->corpus, rank), NULL);
        double place = (value - low) / (high - low) * EZ_SPANS;
        put_rank(groups, rank, place >= EZ_SPANS ? EZ_SPANS - 1 : place > 0 ? (uint32_t)place : 0);
    }
    for (uint32_t i = 0; i < EZ_SPANS; i++)
        if (groups->end[i])
            span_text(groups, index, i);
    return EZLDA_OK;
}

ezlda_status ez_groups_make(ez_groups *groups, ezlda_context *context, const ez_doc_index *index,
                            uint32_t field, const char *step)
{
    *groups = (ez_groups){.field = &index->field[field]};
    if (groups->field->kind == EZ_FIELD_DATE)
        return by_time(groups, context, index, step);
    if (groups->field->kind == EZ_FIELD_NUMBER)
        return by_span(groups, context, index);
    return by_value(groups, context, index);
}

/* ---- sums ---- */

/* Calls `add` for each document found of a segment. */
typedef void (*add_fn)(const void *job, uint64_t doc, void *sums);

static void add_segment(const ez_doc_index *index, const ez_found *found, uint32_t s, add_fn add,
                        const void *job, void *sums)
{
    uint64_t first = (uint64_t)s * EZ_SEGMENT_DOCS;
    for (uint32_t w = 0; w < (index->segment[s].docs + 63) / 64; w++)
        for (uint64_t bits = found->bits[first / 64 + w]; bits; bits &= bits - 1)
            add(job, first + (uint64_t)w * 64 + (uint64_t)__builtin_ctzll(bits), sums);
}

/* Adds up n numbers over all documents found. */
static ezlda_status add_all(ezlda_context *context, const ez_doc_index *index,
                            const ez_found *found, add_fn add, const void *job, uint64_t *sums,
                            size_t n)
{
    ezlda_status failed = EZLDA_OK;
#pragma omp parallel num_threads(ez_search_threads(context, 8 * found->docs))
    {
        uint64_t *own = NULL;
        ezlda_status status = ez_array_zero(&own, context, n, sizeof *own, "sums");
#pragma omp for schedule(dynamic, 1)
        for (uint32_t s = 0; s < index->segments; s++)
            if (status == EZLDA_OK)
                add_segment(index, found, s, add, job, own);
#pragma omp critical(ez_result_tables)
        {
            for (size_t i = 0; status == EZLDA_OK && i < n; i++)
                sums[i] += own[i];
            failed = status == EZLDA_OK ? failed : status;
        }
        ez_free(own);
    }
    return failed;
}

typedef struct cross_job {
    const ez_doc_index *index;
    const ez_groups *rows, *columns;
    uint32_t topic;
} cross_job;

static void add_cross(const void *user, uint64_t doc, void *sums)
{
    const cross_job *job = user;
    const ezlda_model *model = job->index->model;
    uint32_t row = job->rows->of_rank[job->rows->field->rank[doc]], column = 0, columns = 1;
    if (job->columns) {
        column = job->columns->of_rank[job->columns->field->rank[doc]];
        columns = job->columns->n;
    }
    if (row == EZ_NO_GROUP || column == EZ_NO_GROUP)
        return;
    uint64_t *cell = (uint64_t *)sums + 3 * ((size_t)row * columns + column);
    cell[0]++;
    cell[1] += model->doc_start[doc + 1] - model->doc_start[doc];
    if (job->topic != EZ_NO_GROUP)
        cell[2] += ez_rows_find(&model->doc_rows, doc, job->topic);
}

ezlda_status ez_cross(ezlda_context *context, const ez_doc_index *index, const ez_found *found,
                      const ez_groups *rows, const ez_groups *columns, uint32_t topic,
                      ez_cell *cell)
{
    cross_job job = {index, rows, columns, topic};
    size_t cells = (size_t)rows->n * (columns ? columns->n : 1), numbers;
    uint64_t *sums;
    if (!ez_mul_size(cells, 3, &numbers) || cells > (size_t)1 << 20)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT, "the table has more than a million cells");
    EZ_TRY(ez_array_zero(&sums, context, numbers, sizeof *sums, "sums"));
    ezlda_status status = add_all(context, index, found, add_cross, &job, sums, numbers);
    for (size_t i = 0; i < cells; i++)
        cell[i] = (ez_cell){sums[3 * i], sums[3 * i + 1], sums[3 * i + 2]};
    ez_free(sums);
    return status;
}

static void add_topics(const void *user, uint64_t doc, void *sums)
{
    const ez_rows *rows = user;
    for (uint64_t e = rows->start[doc]; e < rows->start[doc + 1]; e++)
        ((uint64_t *)sums)[rows->topic[e]] += ez_rows_count(rows, e);
}

ezlda_status ez_found_topics(ezlda_context *context, const ez_doc_index *index,
                             const ez_found *found, uint64_t *tokens, uint64_t *all)
{
    uint32_t topics = index->meta.topics;
    memset(tokens, 0, topics * sizeof *tokens);
    EZ_TRY(add_all(context, index, found, add_topics, &index->model->doc_rows, tokens, topics));
    *all = 0;
    for (uint32_t k = 0; k < topics; k++)
        *all += tokens[k];
    return EZLDA_OK;
}

/* ---- words ---- */

typedef struct word_job {
    const ezlda_corpus *corpus;
    uint32_t *word, *count;
    size_t room;
    uint64_t *sum;
} word_job;

static ezlda_status add_words(word_job *job, ezlda_context *context, uint64_t doc)
{
    size_t n = ezlda_corpus_document(job->corpus, doc, job->word, job->count, job->room);
    if (n > job->room) {
        ez_free(job->word);
        ez_free(job->count);
        job->word = job->count = NULL;
        job->room = 2 * n;
        EZ_TRY(ez_array(&job->word, context, job->room, sizeof *job->word, "a document"));
        EZ_TRY(ez_array(&job->count, context, job->room, sizeof *job->count, "a document"));
        n = ezlda_corpus_document(job->corpus, doc, job->word, job->count, job->room);
    }
    for (size_t i = 0; i < n; i++)
        job->sum[job->word[i]] += job->count[i];
    return EZLDA_OK;
}

ezlda_status ez_found_words(ezlda_context *context, const ez_doc_index *index,
                            const ez_found *found, uint64_t most, uint64_t *count, uint64_t *docs)
{
    word_job job = {.corpus = index->corpus, .sum = count};
    uint64_t step = found->docs > most ? found->docs / most : 1, seen = 0, next = 0;
    ezlda_status status = EZLDA_OK;
    *docs = 0;
    for (uint64_t w = 0; w < (index->meta.docs + 63) / 64 && *docs < most; w++) {
        uint64_t bits = found->bits[w], here = (uint64_t)__builtin_popcountll(bits);
        for (; seen + here > next && bits && status == EZLDA_OK; bits &= bits - 1, seen++, here--)
            if (seen == next && *docs < most) {
                status = add_words(&job, context, w * 64 + (uint64_t)__builtin_ctzll(bits));
                next += step;
                ++*docs;
            }
        seen += here;
    }
    ez_free(job.word);
    ez_free(job.count);
    return status == EZLDA_OK ? ez_corpus_unchanged(index->corpus, context) : status;
}
