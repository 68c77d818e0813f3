/* Computes the share of each topic in the documents of each value of a field, over time or by
 * category. */
#include "base/copy_string.h"
#include "report/content/field_bins.h"
#include "report/report.h"

#include <math.h>
#include <string.h>

enum { EZ_FIELDS_MOST = 6 };

void ez_report_fields_free(ezlda_report *report)
{
    for (uint32_t f = 0; report->field && f < report->fields; f++) {
        ez_report_field *field = &report->field[f];
        for (uint32_t i = 0; field->value && i < field->values; i++)
            ez_free(field->value[i]);
        ez_free(field->name);
        ez_free(field->first_undated);
        ez_free(field->value);
        ez_free(field->total);
        ez_free(field->docs);
        ez_free(field->share);
    }
    ez_free(report->field);
}

/* Counts tokens by topic and bin, topics in rows. The counts are whole numbers, so the order of
 * addition does not matter. */
static ezlda_status count_tokens(const ezlda_report *report, ezlda_context *context,
                                 const ez_field_bins *bins, uint64_t *all)
{
    const ez_rows *rows = &report->model->doc_rows;
    size_t cells = (size_t)report->model->meta->topics * bins->n;
    ezlda_status status = EZLDA_OK;
#pragma omp parallel num_threads(ez_threads(context))
    {
        uint64_t *sum = NULL;
        ezlda_status mine = ez_array_zero(&sum, context, cells, sizeof *sum, "sums of a field");
#pragma omp for schedule(static)
        for (uint64_t doc = 0; doc < rows->rows; doc++) {
            if (mine != EZLDA_OK || bins->bin[doc] == EZ_NO_BIN)
                continue;
            for (uint64_t e = rows->start[doc]; e < rows->start[doc + 1]; e++)
                sum[(size_t)rows->topic[e] * bins->n + bins->bin[doc]] += ez_rows_count(rows, e);
        }
#pragma omp critical(ez_trends)
        {
            for (size_t i = 0; i < cells && mine == EZLDA_OK; i++)
                all[i] += sum[i];
            status = mine != EZLDA_OK ? mine : status;
        }
        ez_free(sum);
    }
    return status;
}

static ezlda_status fill_field(ez_report_field *field, ezlda_context *context, const uint64_t *sum,
                               uint32_t topics)
{
    size_t cells = (size_t)topics * field->values;
    EZ_TRY(ez_array_zero(&field->total, context, field->values, sizeof *field->total,
                         "sums of a field"));
    EZ_TRY(ez_array(&field->share, context, cells, sizeof *field->share, "sums of a field"));
    for (size_t i = 0; i < cells; i++)
        field->total[i % field->values] += (double)sum[i];
    for (size_t i = 0; i < cells; i++) {
        double total = field->total[i % field->values];
        field->share[i] = total > 0 ? (float)((double)sum[i] / total) : NAN;
    }
    return EZLDA_OK;
}

/* Adds a field; the bins' texts then belong to it. */
static ezlda_status add_field(ezlda_report *report, ezlda_context *context, const char *name,
                              ez_field_bins *bins)
{
    uint64_t *sum = NULL;
    ez_report_field *field = &report->field[report->fields++];
    field->time = bins->time;
    field->values = bins->n;
    field->value = bins->text;
    bins->text = NULL;
    field->undated = bins->time ? bins->undated : 0;
    EZ_TRY(ez_copy_string(&field->name, context, name));
    EZ_TRY(ez_copy_string(&field->first_undated, context, bins->first));
    uint32_t topics = report->model->meta->topics;
    EZ_TRY(ez_array_zero(&field->docs, context, field->values, sizeof *field->docs,
                         "documents of a field"));
    for (uint64_t doc = 0; doc < report->model->meta->docs; doc++)
        if (bins->bin[doc] != EZ_NO_BIN)
            field->docs[bins->bin[doc]]++;
    EZ_TRY(ez_array_zero(&sum, context, ez_product(topics, field->values), sizeof *sum,
                         "sums of a field"));
    ezlda_status status = count_tokens(report, context, bins, sum);
    if (status == EZLDA_OK)
        status = fill_field(field, context, sum, topics);
    ez_free(sum);
    return status;
}

static ezlda_status try_field(ezlda_report *report, ezlda_context *context, uint32_t number,
                              const char *step, bool asked_for)
{
    const char *name = ezlda_corpus_field(report->corpus, number);
    ez_field_bins bins = {0};
    ezlda_status status = ez_field_bins_make(&bins, context, report->corpus, number, step);
    if (status == EZLDA_OK && bins.n)
        status = add_field(report, context, name, &bins);
    else if (status == EZLDA_OK && asked_for)
        status = ez_fail(context, EZLDA_ERROR_ARGUMENT, "field '%s': cannot be drawn: %s", name,
                         *bins.late ? bins.late : bins.why);
    if (status == EZLDA_OK && *bins.late)
        ez_warn(context, "field '%s': %s: %s", name,
                bins.time ? "the curve over time ignores documents" : "no curve over time",
                bins.late);
    if (status == EZLDA_OK && *bins.refused)
        ez_warn(context, "field '%s': --step %s is not used: %s", name, step, bins.refused);
    ez_field_bins_free(&bins);
    return status;
}

ezlda_status ez_report_trends(ezlda_report *report, ezlda_context *context, const char *name,
                              const char *step)
{
    bool found = !name;
    const char *other;
    if (name && !report->corpus)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                       "field '%s': fields are in the corpus, and no corpus is given", name);
    if (!ez_step_known(step))
        return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                       "step of time: expected auto, year, quarter, month or day, found \"%s\"",
                       step);
    EZ_TRY(ez_array_zero(&report->field, context, EZ_FIELDS_MOST, sizeof *report->field, "fields"));
    for (uint32_t f = 0;
         (other = ezlda_corpus_field(report->corpus, f)) && report->fields < EZ_FIELDS_MOST; f++) {
        if (name ? strcmp(other, name) != 0 : strcmp(other, "name") == 0)
            continue;
        found = true;
        EZ_TRY(try_field(report, context, f, step, name != NULL));
    }
    if (!found)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT, "field '%s': the corpus has no such field",
                       name);
    return EZLDA_OK;
}
