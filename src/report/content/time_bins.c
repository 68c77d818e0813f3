/* Puts dates into bins of time: the shortest unit (day, month, quarter, year, span of years) that
 * has few enough bins with documents. */
#include "corpus/corpus.h"
#include "report/content/field_bins.h"

#include <stdio.h>
#include <string.h>

enum { EZ_LAST_DAY = 3652059 }; /* days of the years 1 to 9999 */

/* A step that a caller may ask for, and the unit of which it is made. */
static const struct {
    const char *name;
    ez_date_unit unit;
} steps[] = {{"day", EZ_DATE_DAY},         {"week", EZ_DATE_DAY},  {"month", EZ_DATE_MONTH},
             {"quarter", EZ_DATE_QUARTER}, {"year", EZ_DATE_YEAR}, {"5-years", EZ_DATE_YEAR},
             {"decade", EZ_DATE_YEAR}};

static const char *const unit_names[] = {"day", "month", "quarter", "year"};

enum { EZ_STEPS = sizeof steps / sizeof *steps };

static int find_step(const char *step)
{
    int i = 0;
    while (i < EZ_STEPS && (!step || strcmp(step, steps[i].name) != 0))
        i++;
    return i;
}

bool ez_step_known(const char *step)
{
    return !step || strcmp(step, "auto") == 0 || find_step(step) < EZ_STEPS;
}

/* The bin number of a day. */
static uint32_t number_of(int64_t day, ez_date_unit unit, uint32_t every)
{
    ez_date date;
    if (unit == EZ_DATE_DAY)
        return (uint32_t)day;
    ez_date_of_day(day, &date);
    return (uint32_t)ez_date_number(&date, unit) / every;
}

/* How many bins the marked days fill. Writes their numbers to `at`, unless it is NULL. */
static uint32_t count_bins(const uint8_t *marked, ez_date_unit unit, uint32_t every, uint32_t *at)
{
    uint32_t n = 0, last = UINT32_MAX;
    for (int64_t day = 0; day < EZ_LAST_DAY; day++) {
        uint32_t number = marked[day] ? number_of(day, unit, every) : last;
        if (number == last)
            continue;
        if (at)
            at[n] = number;
        last = number;
        n++;
    }
    return n;
}

static void choose_unit(ez_field_bins *bins, const uint8_t *marked, ez_date_unit coarsest,
                        uint32_t most)
{
    static const uint32_t spans[] = {1, 5, 10, 20, 50, 100, 200, 1000};
    size_t i = 0;
    bins->every = 1;
    bins->unit = coarsest;
    while ((bins->n = count_bins(marked, bins->unit, bins->every, NULL)) > most) {
        if (bins->unit < EZ_DATE_YEAR)
            bins->unit++;
        else if (i + 1 < sizeof spans / sizeof *spans)
            bins->every = spans[++i];
        else
            break;
    }
}

/* Says why the step that was asked for is not used, if it is finer than the bins. */
static void refuse_step(ez_field_bins *bins, const uint8_t *marked, ez_date_unit coarsest,
                        const ez_bins_wish *wish)
{
    int step = find_step(wish->step);
    if (step == EZ_STEPS || (steps[step].unit >= bins->unit && bins->every == 1))
        return;
    ez_date_unit unit = steps[step].unit;
    if (unit < coarsest)
        snprintf(bins->refused, sizeof bins->refused, "its dates have no %s", unit_names[unit]);
    else
        snprintf(bins->refused, sizeof bins->refused, "%u points by %s are more than %u",
                 count_bins(marked, unit, 1, NULL), unit_names[unit], wish->most);
}

/* The position of a number among rising ones, which include it. */
static uint16_t position_of(const uint32_t *at, uint32_t n, uint32_t number)
{
    uint32_t low = 0;
    while (n > 1) {
        uint32_t half = n / 2;
        low += at[low + half] <= number ? half : 0;
        n -= half;
    }
    return (uint16_t)low;
}

static void place_docs(ez_field_bins *bins, const ezlda_corpus *corpus, uint32_t field,
                       uint64_t docs)
{
    ez_date date;
    for (uint64_t doc = 0; doc < docs; doc++) {
        bins->bin[doc] = EZ_NO_BIN;
        if (ez_date_parse(ezlda_corpus_field_value(corpus, field, doc), &date))
            bins->bin[doc] = position_of(bins->at, bins->n,
                                         (uint32_t)ez_date_number(&date, bins->unit) / bins->every);
    }
}

ezlda_status ez_time_bins(ez_field_bins *bins, ezlda_context *context, const ezlda_corpus *corpus,
                          uint32_t field, ez_date_unit coarsest, const ez_bins_wish *wish)
{
    ez_corpus_sizes sizes;
    ez_date date;
    uint8_t *marked = NULL;
    ez_corpus_sizes_of(corpus, &sizes);
    EZ_TRY(ez_array_zero(&marked, context, EZ_LAST_DAY, 1, "days of a field"));
    for (uint64_t doc = 0; doc < sizes.docs; doc++)
        if (ez_date_parse(ezlda_corpus_field_value(corpus, field, doc), &date))
            marked[ez_date_number(&date, EZ_DATE_DAY)] = 1;
    bins->time = true;
    choose_unit(bins, marked, coarsest, wish->most);
    refuse_step(bins, marked, coarsest, wish);
    ezlda_status status =
        ez_array(&bins->at, context, bins->n, sizeof *bins->at, "times of a field");
    if (status == EZLDA_OK) {
        count_bins(marked, bins->unit, bins->every, bins->at);
        place_docs(bins, corpus, field, sizes.docs);
    }
    ez_free(marked);
    return status;
}
