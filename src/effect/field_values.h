/* The values of a corpus field as a variable of a regression: numbers, dates as years with a
 * fraction, or categories. */
#ifndef EZ_FIELD_VALUES_H
#define EZ_FIELD_VALUES_H

#include "base/memory.h"

enum { EZ_MOST_LEVELS = 250 };

typedef struct ez_field_values {
    uint32_t field;
    bool category, date;
    double *x;        /* documents: NAN if missing; NULL for categories */
    uint16_t *level;  /* documents: number of the category, UINT16_MAX if missing; or NULL */
    uint32_t levels;  /* sorted; the first one is the reference */
    char **text;      /* of the levels */
    uint64_t missing; /* documents */
} ez_field_values;

/* Reads a field by its name. Values are numbers or dates if all that are given are, unless
 * as_category is set. "" and "NA" are missing. */
ezlda_status ez_field_values_read(ez_field_values *values, ezlda_context *context,
                                  const ezlda_corpus *corpus, const char *name, bool as_category);
void ez_field_values_free(ez_field_values *values);

/* The number of a field; EZLDA_ERROR_ARGUMENT lists the fields that the corpus has. */
ezlda_status ez_field_find(uint32_t *field, ezlda_context *context, const ezlda_corpus *corpus,
                           const char *name);
bool ez_field_missing(const char *value);

#endif
