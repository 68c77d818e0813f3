/* Counts the tokens of each topic in the documents of each value of a field, over time or by
 * category, and how far the documents are from the topic's share. */
#include "base/copy_string.h"
#include "numeric/portable_math.h"
#include "report/content/field_bins.h"
#include "report/report.h"

#include <math.h>
#include <string.h>

/* EZ_FIELD_CELLS: topics times bins of time, of all fields; EZ_LEAST_BINS: of one, if that is more.
 */
enum { EZ_FIELDS_MOST = 6, EZ_FIELD_CELLS = 500000, EZ_LEAST_BINS = 30 };

void ez_report_fields_free(ezlda_report *report)
{
    for (uint32_t f = 0; report->field && f < report->fields; f++) {
        ez_report_field *field = &report->field[f];
        for (uint32_t i = 0; field->value && i < field->values; i++)
            ez_free(field->value[i]);
        ez_free(field->name);
        ez_free(field->first_undated);
        ez_free(field->value);
        ez_free(field->at);
        ez_free(field->bin);
        ez_free(field->total);
        ez_free(field->squares);
        ez_free(field->docs);
        ez_free(field->tokens);
        ez_free(field->spread);
    }
    ez_free(report->field);
}

/* Sums over the documents of a bin: c and n as in ez_report_field. */
typedef struct sums {
    uint64_t *c, *cc, *cn; /* topics x bins */
    uint64_t *n, *nn;      /* bins */
    uint32_t shift; /* squares are of counts divided by 2^shift: they fit unless documents are huge
                     */
} sums;

static ezlda_status sums_make(sums *s, ezlda_context *context, size_t cells, size_t bins)
{
    uint64_t **all[] = {&s->c, &s->cc, &s->cn, &s->n, &s->nn};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        EZ_TRY(ez_array_zero(all[i], context, i < 3 ? cells : bins, sizeof **all[i],
                             "sums of a field"));
    return EZLDA_OK;
}

static void sums_free(sums *s)
{
    ez_free(s->c);
    ez_free(s->cc);
    ez_free(s->cn);
    ez_free(s->n);
    ez_free(s->nn);
}

static void sums_add(sums *to, const sums *from, size_t cells, size_t bins)
{
    for (size_t i = 0; i < cells; i++) {
        to->c[i] += from->c[i];
        to->cc[i] += from->cc[i];
        to->cn[i] += from->cn[i];
    }
    for (size_t i = 0; i < bins; i++) {
        to->n[i] += from->n[i];
        to->nn[i] += from->nn[i];
    }
}

static uint64_t doc_tokens(const ez_rows *rows, uint64_t doc)
{
    uint64_t n = 0;
    for (uint64_t e = rows->start[doc]; e < rows->start[doc + 1]; e++)
        n += ez_rows_count(rows, e);
    return n;
}

static void add_doc(sums *s, const ez_rows *rows, uint64_t doc, uint32_t bin, uint32_t bins)
{
    uint64_t n = doc_tokens(rows, doc), small = n >> s->shift;
    s->n[bin] += n;
    s->nn[bin] += small * small;
    for (uint64_t e = rows->start[doc]; e < rows->start[doc + 1]; e++) {
        size_t cell = (size_t)rows->topic[e] * bins + bin;
        uint64_t c = ez_rows_count(rows, e);
        s->c[cell] += c;
        s->cc[cell] += (c >> s->shift) * (c >> s->shift);
        s->cn[cell] += (c >> s->shift) * small;
    }
}

/* The shift with which the square of the longest document, times all documents, fits 64 bits. */
static uint32_t shift_of(const ez_rows *rows)
{
    uint64_t longest = 1;
    uint32_t shift = 0;
    for (uint64_t doc = 0; doc < rows->rows; doc++) {
        uint64_t n = doc_tokens(rows, doc);
        longest = n > longest ? n : longest;
    }
    while (ldexp((double)longest, -(int)shift) * ldexp((double)longest, -(int)shift) *
               (double)(rows->rows + 1) >=
           0x1p63)
        shift++;
    return shift;
}

/* The sums are of whole numbers, so the order of addition does not matter. */
static ezlda_status count_tokens(const ezlda_report *report, ezlda_context *context,
                                 const ez_field_bins *bins, sums *all)
{
    const ez_rows *rows = &report->model->doc_rows;
    size_t cells = (size_t)report->model->meta->topics * bins->n;
    ezlda_status status = EZLDA_OK;
#pragma omp parallel num_threads(ez_threads(context))
    {
        sums own = {.shift = all->shift};
        ezlda_status mine = sums_make(&own, context, cells, bins->n);
#pragma omp for schedule(static)
        for (uint64_t doc = 0; doc < rows->rows; doc++)
            if (mine == EZLDA_OK && bins->bin[doc] != EZ_NO_BIN)
                add_doc(&own, rows, doc, bins->bin[doc], bins->n);
#pragma omp critical(ez_trends)
        {
            if (mine == EZLDA_OK)
                sums_add(all, &own, cells, bins->n);
            status = mine != EZLDA_OK ? mine : status;
        }
        sums_free(&own);
    }
    return status;
}

uint16_t ez_spread_code(double sum)
{
    double code = sum > 0 ? 1024 * ez_portable_log(1 + sum) / 0.69314718055994531 + 0.5 : 0;
    return (uint16_t)(code < UINT16_MAX ? code : UINT16_MAX);
}

static ezlda_status fill_field(ez_report_field *field, ezlda_context *context, sums *all,
                               uint32_t topics)
{
    size_t cells = (size_t)topics * field->values;
    double scale = ldexp(1, 2 * (int)all->shift);
    EZ_TRY(ez_array_zero(&field->total, context, field->values, sizeof *field->total,
                         "sums of a field"));
    EZ_TRY(ez_array_zero(&field->squares, context, field->values, sizeof *field->squares,
                         "sums of a field"));
    EZ_TRY(ez_array(&field->spread, context, cells, sizeof *field->spread, "sums of a field"));
    for (uint32_t b = 0; b < field->values; b++) {
        field->total[b] = (double)all->n[b];
        field->squares[b] = (double)all->nn[b] * scale;
    }
    for (size_t i = 0, b = 0; i < cells; i++, b = b + 1 < field->values ? b + 1 : 0) {
        double p = all->n[b] ? (double)all->c[i] / (double)all->n[b] : 0;
        double sum = (double)all->cc[i] - 2 * p * (double)all->cn[i] + p * p * (double)all->nn[b];
        field->spread[i] = ez_spread_code(scale * sum);
    }
    field->tokens = all->c;
    all->c = NULL;
    return EZLDA_OK;
}

/* Adds a field; what the bins hold then belongs to it. */
static ezlda_status add_field(ezlda_report *report, ezlda_context *context, const char *name,
                              ez_field_bins *bins, const char *step)
{
    static const char *const units[] = {
        [EZ_DATE_DAY] = "day",
        [EZ_DATE_MONTH] = "month",
        [EZ_DATE_QUARTER] = "quarter",
        [EZ_DATE_YEAR] = "year",
    };
    ez_report_field *field = &report->field[report->fields++];
    const ez_rows *rows = &report->model->doc_rows;
    uint32_t topics = report->model->meta->topics;
    sums all = {.shift = shift_of(rows)};
    field->time = bins->time;
    field->values = bins->n;
    field->value = bins->text;
    bins->text = NULL;
    field->undated = bins->time ? bins->undated : 0;
    field->step = bins->time && !*bins->refused ? step : NULL;
    field->unit = units[bins->unit];
    field->every = bins->every;
    EZ_TRY(ez_copy_string(&field->name, context, name));
    EZ_TRY(ez_copy_string(&field->first_undated, context, bins->first));
    EZ_TRY(ez_array_zero(&field->docs, context, field->values, sizeof *field->docs,
                         "documents of a field"));
    for (uint64_t doc = 0; doc < report->model->meta->docs; doc++)
        if (bins->bin[doc] != EZ_NO_BIN)
            field->docs[bins->bin[doc]]++;
    ezlda_status status = sums_make(&all, context, ez_product(topics, field->values), bins->n);
    if (status == EZLDA_OK)
        status = count_tokens(report, context, bins, &all);
    if (status == EZLDA_OK)
        status = fill_field(field, context, &all, topics);
    sums_free(&all);
    field->at = bins->at;
    field->bin = bins->bin;
    bins->at = NULL;
    bins->bin = NULL;
    return status;
}

/* How many bins of time the next field may have: three quarters of the cells that are left. */
static uint32_t most_bins(const ezlda_report *report)
{
    uint64_t topics = report->model->meta->topics, left = EZ_FIELD_CELLS;
    for (uint32_t f = 0; f < report->fields; f++) {
        uint64_t used = report->field[f].time ? topics * report->field[f].values : 0;
        left -= used < left ? used : left;
    }
    uint64_t most = left * 3 / 4 / topics;
    return most < EZ_LEAST_BINS  ? EZ_LEAST_BINS
           : most > EZ_BINS_MOST ? EZ_BINS_MOST
                                 : (uint32_t)most;
}

static ezlda_status try_field(ezlda_report *report, ezlda_context *context, uint32_t number,
                              const char *step, bool asked_for)
{
    const char *name = ezlda_corpus_field(report->corpus, number);
    ez_field_bins bins = {0};
    ez_bins_wish wish = {step, most_bins(report)};
    ezlda_status status = ez_field_bins_make(&bins, context, report->corpus, number, &wish);
    if (status == EZLDA_OK && bins.n)
        status = add_field(report, context, name, &bins, step);
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
        return ez_fail(
            context, EZLDA_ERROR_ARGUMENT,
            "step of time: expected auto, day, week, month, quarter, year, 5-years or decade, "
            "found \"%s\"",
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
        return ez_fail(
            context, EZLDA_ERROR_ARGUMENT,
            "field '%s': the corpus has no such field (--keep-fields keeps fields of text "
            "when it is read)",
            name);
    return EZLDA_OK;
}
