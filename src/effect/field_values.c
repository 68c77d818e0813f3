/* Reads fields as numbers, dates or categories. */
#include "effect/field_values.h"

#include "base/copy_string.h"
#include "corpus/corpus.h"
#include "corpus/text/string_table.h"
#include "report/content/field_bins.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ez_field_values_free(ez_field_values *values)
{
    for (uint32_t i = 0; values->text && i < values->levels; i++)
        ez_free(values->text[i]);
    ez_free(values->text);
    ez_free(values->x);
    ez_free(values->level);
    *values = (ez_field_values){0};
}

bool ez_field_missing(const char *value)
{
    return !*value || strcmp(value, "NA") == 0;
}

ezlda_status ez_field_find(uint32_t *field, ezlda_context *context, const ezlda_corpus *corpus,
                           const char *name)
{
    char all[400] = "";
    const char *other;
    for (*field = 0; (other = ezlda_corpus_field(corpus, *field)); ++*field) {
        if (strcmp(other, name) == 0)
            return EZLDA_OK;
        size_t used = strlen(all);
        if (used + strlen(other) + 3 < sizeof all)
            snprintf(all + used, sizeof all - used, "%s%s", used ? ", " : "", other);
    }
    return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                   "field '%s': the corpus has no such field; %s%s%s", name,
                   *all ? "it has " : "it has none", all,
                   "; --keep-fields keeps fields of a table when it is read");
}

/* A date as a year: 2019.5 is the middle of 2019. */
static double year_of(const ez_date *date)
{
    ez_date first = {.year = date->year, .month = 1, .day = 1}, next = first;
    next.year++;
    int64_t start = ez_date_number(&first, EZ_DATE_DAY), end = ez_date_number(&next, EZ_DATE_DAY);
    return date->year + (double)(ez_date_number(date, EZ_DATE_DAY) - start) / (double)(end - start);
}

/* A decimal number with a point in any locale: -1.5e3. Up to 15 digits are exact. */
static bool is_number(const char *text, double *x)
{
    double mantissa = 0;
    int digits = 0, power = 0, exponent = 0;
    bool minus = *text == '-', point = false, minus_power = false;
    text += minus || *text == '+';
    for (; (*text >= '0' && *text <= '9') || (*text == '.' && !point); text++) {
        if (*text == '.') {
            point = true;
            continue;
        }
        mantissa = mantissa * 10 + (*text - '0');
        power -= point;
        digits++;
    }
    if (digits && (*text == 'e' || *text == 'E')) {
        minus_power = text[1] == '-';
        text += 1 + (text[1] == '-' || text[1] == '+');
        for (digits = 0; *text >= '0' && *text <= '9' && digits < 4; digits++)
            exponent = exponent * 10 + (*text++ - '0');
    }
    power += minus_power ? -exponent : exponent;
    if (!digits || *text || power > 300 || power < -300)
        return false;
    for (; power > 0 && mantissa > 0; power--)
        mantissa *= 10;
    double divisor = 1;
    for (; power < 0; power++)
        divisor *= 10;
    *x = (minus ? -mantissa : mantissa) / divisor;
    return isfinite(*x);
}

/* Fills x if all values are numbers, or all are dates; false if not. */
static bool read_numbers(ez_field_values *values, const ezlda_corpus *corpus, uint64_t docs)
{
    bool numbers = true, dates = true;
    ez_date date;
    double x;
    for (uint64_t d = 0; d < docs && (numbers || dates); d++) {
        const char *value = ezlda_corpus_field_value(corpus, values->field, d);
        if (ez_field_missing(value))
            continue;
        numbers = numbers && is_number(value, &x);
        dates = dates && ez_date_parse(value, &date);
    }
    if (!numbers && !dates)
        return false;
    values->date = !numbers;
    for (uint64_t d = 0; d < docs; d++) {
        const char *value = ezlda_corpus_field_value(corpus, values->field, d);
        values->x[d] = NAN;
        if (ez_field_missing(value))
            continue;
        if (!numbers && ez_date_parse(value, &date))
            values->x[d] = year_of(&date);
        else if (numbers && is_number(value, &x))
            values->x[d] = x;
    }
    return true;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static ezlda_status read_levels(ez_field_values *values, ezlda_context *context,
                                const ezlda_corpus *corpus, const char *name, uint64_t docs)
{
    ez_strings table = {0};
    ezlda_status status;
    uint32_t id;
    bool added;
    size_t length;
    uint16_t *place = NULL;
    values->category = true;
    EZ_TRY_GOTO(ez_array(&values->level, context, docs, sizeof *values->level, name));
    for (uint64_t d = 0; d < docs; d++) {
        const char *value = ezlda_corpus_field_value(corpus, values->field, d);
        values->level[d] = UINT16_MAX;
        if (ez_field_missing(value))
            continue;
        EZ_TRY_GOTO(ez_strings_add(&table, context, value, strlen(value), &id, &added));
        if (table.n > EZ_MOST_LEVELS) {
            status = ez_fail(context, EZLDA_ERROR_ARGUMENT,
                             "field '%s': more than %d different values, and not all are numbers "
                             "or dates; '%s' of document %llu is one more",
                             name, EZ_MOST_LEVELS, value, (unsigned long long)d);
            goto done;
        }
        values->level[d] = (uint16_t)id;
    }
    EZ_TRY_GOTO(ez_array_zero(&values->text, context, table.n, sizeof *values->text, name));
    EZ_TRY_GOTO(ez_array(&place, context, table.n, sizeof *place, name));
    for (; values->levels < table.n; values->levels++)
        EZ_TRY_GOTO(ez_copy_string(&values->text[values->levels], context,
                                   ez_strings_get(&table, values->levels, &length)));
    qsort(values->text, values->levels, sizeof *values->text, by_text);
    for (uint32_t i = 0; i < values->levels; i++)
        place[ez_strings_find(&table, values->text[i], strlen(values->text[i]))] = (uint16_t)i;
    for (uint64_t d = 0; d < docs; d++)
        if (values->level[d] != UINT16_MAX)
            values->level[d] = place[values->level[d]];
done:
    ez_free(place);
    ez_strings_free(&table);
    return status;
}

ezlda_status ez_field_values_read(ez_field_values *values, ezlda_context *context,
                                  const ezlda_corpus *corpus, const char *name, bool as_category)
{
    ez_corpus_sizes sizes;
    ez_corpus_sizes_of(corpus, &sizes);
    *values = (ez_field_values){0};
    EZ_TRY(ez_field_find(&values->field, context, corpus, name));
    for (uint64_t d = 0; d < sizes.docs; d++)
        values->missing += ez_field_missing(ezlda_corpus_field_value(corpus, values->field, d));
    if (values->missing == sizes.docs)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT, "field '%s': no document has a value", name);
    if (!as_category) {
        EZ_TRY(ez_array(&values->x, context, sizes.docs, sizeof *values->x, name));
        if (read_numbers(values, corpus, sizes.docs))
            return EZLDA_OK;
        ez_free(values->x);
        values->x = NULL;
    }
    return read_levels(values, context, corpus, name, sizes.docs);
}
