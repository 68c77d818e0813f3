/* Topics that their first words show to be no subject: stop words of a language that was not
 * removed, or codes and abbreviations. */
#ifndef EZ_WORD_FLAGS_H
#define EZ_WORD_FLAGS_H

#include "corpus/text/stopwords/stop_table.h"
#include "report/report.h"

/* Whether most of the first words of a topic are stop words of one language of the table, or all
 * but two have at most three letters; then the reason is written. */
ezlda_status ez_flag_words(const ezlda_report *report, ezlda_context *context,
                           const ez_stop_table *table, uint32_t topic, char *reason, size_t room,
                           bool *flagged);

#endif
