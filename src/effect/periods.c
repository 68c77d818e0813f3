/* Chooses the step of a trend and puts dates into periods. */
#include "effect/periods.h"

#include "base/copy_string.h"
#include "corpus/corpus.h"
#include "report/content/field_bins.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* From the shortest to the longest. Weeks begin on Mondays. */
typedef struct step {
    const char *name;
    ez_date_unit unit;
    int64_t length; /* in units */
} step;

static const step steps[] = {{"day", EZ_DATE_DAY, 1},       {"week", EZ_DATE_DAY, 7},
                             {"month", EZ_DATE_MONTH, 1},   {"quarter", EZ_DATE_QUARTER, 1},
                             {"year", EZ_DATE_YEAR, 1},     {"decade", EZ_DATE_YEAR, 10},
                             {"century", EZ_DATE_YEAR, 100}};
enum { EZ_STEPS = sizeof steps / sizeof *steps };

static int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

/* The name of the period that begins at a number of units. */
static void name_period(char *text, size_t room, const step *s, int64_t number)
{
    ez_date date;
    if (s->unit == EZ_DATE_DAY) {
        ez_date_of_day(number, &date);
        snprintf(text, room, "%04d-%02d-%02d", date.year, date.month, date.day);
    } else if (s->unit == EZ_DATE_MONTH) {
        snprintf(text, room, "%04d-%02d", (int)(number / 12), (int)(number % 12) + 1);
    } else if (s->unit == EZ_DATE_QUARTER) {
        snprintf(text, room, "%04d-Q%d", (int)(number / 4), (int)(number % 4) + 1);
    } else {
        snprintf(text, room, "%04d%s", (int)number, s->length > 1 ? "s" : "");
    }
}

static int64_t number_of(const ez_date *date, const step *s)
{
    return floor_div(ez_date_number(date, s->unit), s->length);
}

typedef struct dates {
    ez_date *date; /* documents; year 0: none */
    uint64_t docs, dated;
    ez_date first, last;
    ez_date_unit coarsest;
} dates;

static ezlda_status read_dates(dates *d, ezlda_context *context, const ezlda_corpus *corpus,
                               uint32_t field, const char *name)
{
    uint64_t given = 0, wrong = 0;
    for (uint64_t i = 0; i < d->docs; i++) {
        const char *value = ezlda_corpus_field_value(corpus, field, i);
        d->date[i] = (ez_date){0};
        if (ez_field_missing(value))
            continue;
        given++;
        if (!ez_date_parse(value, &d->date[i])) {
            d->date[i] = (ez_date){0};
            if (given - d->dated == 1)
                wrong = i;
            continue;
        }
        int64_t day = ez_date_number(&d->date[i], EZ_DATE_DAY);
        if (!d->dated || day < ez_date_number(&d->first, EZ_DATE_DAY))
            d->first = d->date[i];
        if (!d->dated || day > ez_date_number(&d->last, EZ_DATE_DAY))
            d->last = d->date[i];
        d->coarsest = d->date[i].unit > d->coarsest ? d->date[i].unit : d->coarsest;
        d->dated++;
    }
    if (2 * d->dated <= given)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                       "field '%s': expected years or dates (2019, 2019-05, 2019-05-17), found "
                       "'%.60s' in document %llu",
                       name, given ? ezlda_corpus_field_value(corpus, field, wrong) : "",
                       (unsigned long long)wrong);
    if (d->dated < given)
        ez_warn(context,
                "field '%s': %llu of %llu values are not years or dates, the first is '%.60s' of "
                "document %llu; these documents are not used",
                name, (unsigned long long)(given - d->dated), (unsigned long long)given,
                ezlda_corpus_field_value(corpus, field, wrong), (unsigned long long)wrong);
    return EZLDA_OK;
}

static int64_t periods_of(const dates *d, const step *s)
{
    return number_of(&d->last, s) - number_of(&d->first, s) + 1;
}

static int by_number(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Whether the median document's period has enough documents. */
static bool is_filled(const dates *d, const step *s, int64_t *number)
{
    uint64_t n = 0, run = 1, in_good = 0;
    for (uint64_t i = 0; i < d->docs; i++)
        if (d->date[i].year)
            number[n++] = number_of(&d->date[i], s);
    qsort(number, n, sizeof *number, by_number);
    for (uint64_t i = 1; i <= n; i++, run++)
        if (i == n || number[i] != number[i - 1]) {
            in_good += run >= EZ_DOCS_PER_PERIOD ? run : 0;
            run = 0;
        }
    return 2 * in_good >= n;
}

static ezlda_status choose(const step **chosen, ezlda_context *context, const dates *d,
                           const char *asked)
{
    int64_t *number = NULL;
    int last = -1;
    bool is_auto = !asked || strcmp(asked, "auto") == 0;
    for (int i = 0; !is_auto && i < EZ_STEPS; i++)
        if (strcmp(steps[i].name, asked) == 0)
            last = i;
    if (!is_auto && last < 0)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                       "step: expected auto, day, week, month, quarter, year, decade or century, "
                       "found '%s'",
                       asked);
    if (!is_auto) {
        *chosen = &steps[last];
        if (steps[last].unit < d->coarsest)
            return ez_fail(context, EZLDA_ERROR_ARGUMENT, "step: the dates have no %s", asked);
        if (periods_of(d, *chosen) > EZ_MOST_PERIODS)
            return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                           "step: %lld periods by %s are more than %d",
                           (long long)periods_of(d, *chosen), asked, EZ_MOST_PERIODS);
        return EZLDA_OK;
    }
    EZ_TRY(ez_array(&number, context, d->docs, sizeof *number, "periods"));
    *chosen = NULL;
    for (int i = 0; i < EZ_STEPS && !*chosen; i++)
        if (steps[i].unit >= d->coarsest && periods_of(d, &steps[i]) <= EZ_CHOSEN_PERIODS &&
            is_filled(d, &steps[i], number))
            *chosen = &steps[i];
    for (int i = 0; i < EZ_STEPS && !*chosen; i++) /* few documents: at most ten periods */
        if (steps[i].unit >= d->coarsest && periods_of(d, &steps[i]) <= 10)
            *chosen = &steps[i];
    ez_free(number);
    return *chosen ? EZLDA_OK
                   : ez_fail(context, EZLDA_ERROR_ARGUMENT, "the dates span too many centuries");
}

ezlda_status ez_periods_make(ez_field_values *values, ezlda_context *context,
                             const ezlda_corpus *corpus, const char *field, const char *step_name,
                             const char **used)
{
    ez_corpus_sizes sizes;
    const step *s = NULL;
    ezlda_status status;
    ez_corpus_sizes_of(corpus, &sizes);
    dates d = {.docs = sizes.docs};
    *values = (ez_field_values){.category = true, .date = true};
    EZ_TRY(ez_field_find(&values->field, context, corpus, field));
    EZ_TRY_GOTO(ez_array(&d.date, context, d.docs, sizeof *d.date, "dates"));
    EZ_TRY_GOTO(ez_array(&values->level, context, d.docs, sizeof *values->level, "periods"));
    EZ_TRY_GOTO(read_dates(&d, context, corpus, values->field, field));
    EZ_TRY_GOTO(choose(&s, context, &d, step_name));
    *used = s->name;
    int64_t first = number_of(&d.first, s), n = periods_of(&d, s);
    if (n < 2) {
        status =
            ez_fail(context, EZLDA_ERROR_ARGUMENT,
                    "field '%s': all dates are in the same %s; use a shorter step", field, s->name);
        goto done;
    }
    EZ_TRY_GOTO(ez_array_zero(&values->text, context, (size_t)n, sizeof *values->text, "periods"));
    for (; values->levels < (uint32_t)n; values->levels++) {
        char name[EZ_BIN_TEXT];
        name_period(name, sizeof name, s, (first + values->levels) * s->length);
        EZ_TRY_GOTO(ez_copy_string(&values->text[values->levels], context, name));
    }
    for (uint64_t i = 0; i < d.docs; i++) {
        values->level[i] =
            d.date[i].year ? (uint16_t)(number_of(&d.date[i], s) - first) : UINT16_MAX;
        values->missing += !d.date[i].year;
    }
done:
    ez_free(d.date);
    return status;
}
