/* Sums and copies of sparse rows of counts: chunks of documents and samples of W are added up. */
#ifndef EZ_SUM_ROWS_H
#define EZ_SUM_ROWS_H

#include "model/model.h"

/* Adds rows to the same number of other rows. */
ezlda_status ez_add_rows(ez_count_rows *sum, ezlda_context *context, const ez_count_rows *more);
/* Zero-initialise *out; ez_free_rows also after an error. */
ezlda_status ez_copy_rows(ez_count_rows *out, ezlda_context *context, const ez_count_rows *rows);
void ez_free_rows(ez_count_rows *rows);

#endif
