/* The documents of a topic in a slice: bins of a field that follow each other. */
#ifndef EZ_SLICE_DOCS_H
#define EZ_SLICE_DOCS_H

#include "report/content/best_list.h"
#include "report/report.h"

typedef struct ez_slice {
    uint32_t field, topic;
    uint32_t first, last; /* bins */
} ez_slice;

/* The documents with the largest shares of the topic, best first, into an empty list. */
ezlda_status ez_slice_docs(const ezlda_report *report, ezlda_context *context,
                           const ez_slice *slice, ez_best_list *best);

/* For each topic, its best document in each of a few equal parts of the time of the first field of
 * dates: *docs (freed by the caller) has *n document numbers, EZ_NO_ITEM among them. None if there
 * is no such field or there are too many topics. */
ezlda_status ez_docs_over_time(const ezlda_report *report, ezlda_context *context, uint32_t **docs,
                               size_t *n);

#endif
