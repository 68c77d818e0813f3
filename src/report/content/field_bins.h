/* Puts the values of a corpus field into bins: units of time if most values are years or ISO dates,
 * or categories if there are few different values. Also reads dates. */
#ifndef EZ_FIELD_BINS_H
#define EZ_FIELD_BINS_H

#include "base/memory.h"

/* EZ_SHOWN_MOST: bytes of a value that a message shows. */
enum {
    EZ_CATEGORY_BINS = 40,
    EZ_BINS_MOST = 65000,
    EZ_NO_BIN = 65535,
    EZ_BIN_TEXT = 40,
    EZ_SHOWN_MOST = 60
};

/* A date such as "2019", "2019-05", "2019-05-17" or "2019-05-17T12:00", and the unit in which it is
 * given. */
typedef enum ez_date_unit {
    EZ_DATE_DAY,
    EZ_DATE_MONTH,
    EZ_DATE_QUARTER,
    EZ_DATE_YEAR
} ez_date_unit;

typedef struct ez_date {
    int year, month, day; /* month and day from 1; 1 if not given */
    ez_date_unit unit;
} ez_date;

/* Bins of time are the shortest units that have few enough bins; the page joins them into longer
 * steps. A bin has documents; times without any have no bin. */
typedef struct ez_field_bins {
    bool time;
    uint32_t n;        /* bins; 0: the field cannot be drawn */
    char **text;       /* categories: their names, in order; or NULL */
    uint32_t *at;      /* time: the number of each bin's unit (ez_date_number) divided by `every` */
    ez_date_unit unit; /* time */
    uint32_t every;    /* units of a bin; more than 1 only of years */
    uint16_t *bin;     /* documents; EZ_NO_BIN: no value or, in a curve over time, not a date */
    char refused[96];  /* why the step that was asked for is not used; "": it is, or none was */
    const char *why;   /* why it cannot be drawn */
    uint64_t undated;  /* documents with a value that is not a date */
    char first[EZ_SHOWN_MOST + 1]; /* the first of these values */
    char late[240]; /* the same in words, if most values are dates or look like dates */
} ez_field_bins;

/* What is asked of the bins. */
typedef struct ez_bins_wish {
    const char *step; /* NULL or "auto": none */
    uint32_t most;    /* bins of time, at most EZ_BINS_MOST */
} ez_bins_wish;

/* Whether a text names a step of time, or is "auto" or NULL. */
bool ez_step_known(const char *step);

/* Zero-initialise; free also after an error. A step that is finer than the dates of the field, or
 * gives too many bins, is not used, which `refused` then says. */
ezlda_status ez_field_bins_make(ez_field_bins *bins, ezlda_context *context,
                                const ezlda_corpus *corpus, uint32_t field,
                                const ez_bins_wish *wish);
void ez_field_bins_free(ez_field_bins *bins);

/* Puts the documents whose values are dates into bins of time. coarsest: the coarsest unit in
 * which a date is given. bins->bin has room for all documents. */
ezlda_status ez_time_bins(ez_field_bins *bins, ezlda_context *context, const ezlda_corpus *corpus,
                          uint32_t field, ez_date_unit coarsest, const ez_bins_wish *wish);

bool ez_date_parse(const char *text, ez_date *date);
/* Whether a text that is not such a date still looks like one: "12.03.1851", "1851/3/12",
 * "18510312". */
bool ez_date_alike(const char *text);
/* The day, month, quarter or year of a date as a number: days from 1 January of the year 1, the
 * others counted in whole years from the year 0. */
int64_t ez_date_number(const ez_date *date, ez_date_unit unit);
/* The date of a number of days. */
void ez_date_of_day(int64_t number, ez_date *date);

#endif
