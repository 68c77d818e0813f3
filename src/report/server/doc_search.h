/* Documents found by a part of their name or label, or by their number. */
#ifndef EZ_DOC_SEARCH_H
#define EZ_DOC_SEARCH_H

#include "report/report.h"

typedef struct ez_doc_search {
    uint64_t *doc; /* room for `most`; the document of that number first, then by number */
    uint32_t n, most;
    uint64_t total; /* found, beyond those too */
} ez_doc_search;

/* Case and accents do not matter. query: UTF-8; an empty one finds nothing. */
ezlda_status ez_find_documents(const ezlda_report *report, ezlda_context *context,
                               const char *query, ez_doc_search *found);

/* A whole number without sign, below `end`. */
bool ez_take_number(const char *text, uint64_t end, uint64_t *number);

#endif
