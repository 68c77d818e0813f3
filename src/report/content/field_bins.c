/* Decides how a field is drawn, over time or by category, and puts documents into bins. */
#include "report/content/field_bins.h"

#include "base/copy_string.h"
#include "corpus/corpus.h"
#include "corpus/text/string_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What kinds of values a field has. */
typedef struct field_summary {
    const ezlda_corpus *corpus;
    uint32_t field;
    uint64_t docs, given;  /* documents, and those with a value */
    uint64_t dates;        /* values that are dates */
    uint64_t alike;        /* values that only look like dates */
    uint64_t numbers;      /* values that are numbers but, by their digits, not years */
    uint64_t no_date;      /* the first document whose value is not a date */
    ez_date_unit coarsest; /* coarsest unit of a date */
    ez_strings distinct;   /* at most EZ_CATEGORY_BINS + 1 */
} field_summary;

void ez_field_bins_free(ez_field_bins *bins)
{
    for (uint32_t i = 0; bins->text && i < bins->n; i++)
        ez_free(bins->text[i]);
    ez_free(bins->text);
    ez_free(bins->at);
    ez_free(bins->bin);
    *bins = (ez_field_bins){0};
}

static const char *value_of(const field_summary *summary, uint64_t doc)
{
    return ezlda_corpus_field_value(summary->corpus, summary->field, doc);
}

static void add_date(field_summary *summary, uint64_t doc, const char *value)
{
    ez_date date;
    if (!ez_date_parse(value, &date)) {
        if (summary->given - summary->dates == 1)
            summary->no_date = doc;
        size_t digits = strspn(value, "0123456789");
        summary->alike += ez_date_alike(value);
        summary->numbers += !value[digits] && digits != 4;
        return;
    }
    summary->dates++;
    summary->coarsest = date.unit > summary->coarsest ? date.unit : summary->coarsest;
}

static ezlda_status summarize_values(field_summary *summary, ezlda_context *context)
{
    uint32_t id;
    bool added;
    for (uint64_t doc = 0; doc < summary->docs; doc++) {
        const char *value = value_of(summary, doc);
        if (!*value)
            continue;
        summary->given++;
        add_date(summary, doc, value);
        if (summary->distinct.n <= EZ_CATEGORY_BINS)
            EZ_TRY(ez_strings_add(&summary->distinct, context, value, strlen(value), &id, &added));
    }
    return EZLDA_OK;
}

/* ---- categories ---- */

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static ezlda_status category_bins(ez_field_bins *bins, ezlda_context *context,
                                  const field_summary *summary)
{
    size_t length;
    EZ_TRY(ez_array_zero(&bins->text, context, summary->distinct.n, sizeof *bins->text,
                         "values of a field"));
    for (; bins->n < summary->distinct.n; bins->n++)
        EZ_TRY(ez_copy_string(&bins->text[bins->n], context,
                              ez_strings_get(&summary->distinct, bins->n, &length)));
    qsort(bins->text, bins->n, sizeof *bins->text, compare_texts);
    uint16_t place[EZ_CATEGORY_BINS] = {0};
    for (uint32_t i = 0; i < bins->n; i++)
        place[ez_strings_find(&summary->distinct, bins->text[i], strlen(bins->text[i]))] =
            (uint16_t)i;
    for (uint64_t doc = 0; doc < summary->docs; doc++) {
        const char *value = value_of(summary, doc);
        bins->bin[doc] =
            *value ? place[ez_strings_find(&summary->distinct, value, strlen(value))] : EZ_NO_BIN;
    }
    return EZLDA_OK;
}

static bool mostly(const field_summary *summary, uint64_t values)
{
    return values > summary->given / 2;
}

/* Most numbers from 1 to 5000 look like years; a field with other numbers as well is not
 * a time. */
static bool is_time(const field_summary *summary)
{
    return mostly(summary, summary->dates) && summary->numbers <= summary->given / 100;
}

/* Reports the first value that is not a date, if most values are dates or look like dates. */
static void report_no_date(ez_field_bins *bins, const field_summary *summary)
{
    bins->undated = summary->given - summary->dates;
    if (!bins->undated || !(mostly(summary, summary->dates) || mostly(summary, summary->alike)))
        return;
    const char *value = value_of(summary, summary->no_date);
    size_t shown = strlen(value) < EZ_SHOWN_MOST ? strlen(value) : EZ_SHOWN_MOST;
    while (shown > 0 && (value[shown] & 0xc0) == 0x80) /* do not cut a character */
        shown--;
    snprintf(bins->first, sizeof bins->first, "%.*s", (int)shown, value);
    snprintf(bins->late, sizeof bins->late,
             "%llu of %llu values are not years or dates (2019, 2019-05, 2019-05-17), the first is "
             "'%s' of document %llu",
             (unsigned long long)bins->undated, (unsigned long long)summary->given, bins->first,
             (unsigned long long)summary->no_date);
}

ezlda_status ez_field_bins_make(ez_field_bins *bins, ezlda_context *context,
                                const ezlda_corpus *corpus, uint32_t field,
                                const ez_bins_wish *wish)
{
    ez_corpus_sizes sizes;
    ez_corpus_sizes_of(corpus, &sizes);
    field_summary summary = {.corpus = corpus, .field = field, .docs = sizes.docs};
    ezlda_status status;
    EZ_TRY_GOTO(summarize_values(&summary, context));
    EZ_TRY_GOTO(ez_array(&bins->bin, context, sizes.docs, sizeof *bins->bin, "values of a field"));
    if (summary.distinct.n < 2)
        bins->why = "it has the same value for all documents";
    else if (is_time(&summary))
        status = ez_time_bins(bins, context, corpus, field, summary.coarsest, wish);
    else if (summary.distinct.n <= EZ_CATEGORY_BINS)
        status = category_bins(bins, context, &summary);
    else
        bins->why = "it has too many different values, and they are not years or dates (2019, "
                    "2019-05, 2019-05-17)";
    report_no_date(bins, &summary);
done:
    ez_strings_free(&summary.distinct);
    return status;
}
