/* The periods of a trend: days, weeks, months, quarters, years or decades of a field of dates. */
#ifndef EZ_PERIODS_H
#define EZ_PERIODS_H

#include "effect/field_values.h"

enum { EZ_MOST_PERIODS = EZ_MOST_LEVELS, EZ_CHOSEN_PERIODS = 60, EZ_DOCS_PER_PERIOD = 30 };

/* Makes a category of the periods from the first to the last date, also of those without a
 * document. step: NULL or "auto", or one of the names; *used gets the name. Free also after an
 * error. */
ezlda_status ez_periods_make(ez_field_values *values, ezlda_context *context,
                             const ezlda_corpus *corpus, const char *field, const char *step,
                             const char **used);

#endif
