/* Puts the values of a corpus field into bins: spans of time if most values are years or ISO dates,
 * or categories if there are few different values. Also reads and writes dates. */
#ifndef EZ_FIELD_BINS_H
#define EZ_FIELD_BINS_H

#include "base/memory.h"

/* EZ_SHOWN_MOST: bytes of a value that a message shows. */
enum {
    EZ_TIME_BINS = 60, /* as chosen; years may be more */
    EZ_YEAR_BINS = 120,
    EZ_STEP_BINS = 250, /* at most, of a step that was asked for */
    EZ_CATEGORY_BINS = 40,
    EZ_NO_BIN = 255,
    EZ_BIN_TEXT = 40,
    EZ_SHOWN_MOST = 60
};

typedef struct ez_field_bins {
    bool time;
    uint32_t n;       /* bins; 0: the field cannot be drawn */
    char **text;      /* names of the bins, in order */
    uint8_t *bin;     /* documents; EZ_NO_BIN: no value or, in a curve over time, not a date */
    char refused[96]; /* why the step that was asked for is not used; "": it is, or none was */
    const char *why;  /* why it cannot be drawn */
    uint64_t undated; /* documents with a value that is not a date */
    char first[EZ_SHOWN_MOST + 1]; /* the first of these values */
    char late[240]; /* the same in words, if most values are dates or look like dates */
} ez_field_bins;

/* Whether a text names a step of time: a unit, "auto", or NULL. */
bool ez_step_known(const char *step);

/* Zero-initialise; free also after an error. A step that is finer than the dates of the field, or
 * gives more than EZ_STEP_BINS bins, is not used, which `refused` then says. */
ezlda_status ez_field_bins_make(ez_field_bins *bins, ezlda_context *context,
                                const ezlda_corpus *corpus, uint32_t field, const char *step);
void ez_field_bins_free(ez_field_bins *bins);

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

bool ez_date_parse(const char *text, ez_date *date);
/* Whether a text that is not such a date still looks like one: "12.03.1851", "1851/3/12",
 * "18510312". */
bool ez_date_alike(const char *text);
/* The day, month, quarter or year of a date as a number, counted from a fixed start; and the text
 * of that number. */
int64_t ez_date_number(const ez_date *date, ez_date_unit unit);
void ez_date_text(int64_t number, ez_date_unit unit, char text[EZ_BIN_TEXT]);

#endif
