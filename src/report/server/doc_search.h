/* Finds documents by a part of their name or label, or by their number. */
#ifndef EZ_DOC_SEARCH_H
#define EZ_DOC_SEARCH_H

#include "report/report.h"

typedef struct ez_doc_search {
    uint64_t *doc; /* `most` of them; the document with that number comes first, then by number */
    uint32_t n, most;
    uint64_t total; /* all matches, also beyond `most` */
} ez_doc_search;

/* Case and accents do not matter. query: UTF-8; an empty one finds nothing. */
ezlda_status ez_find_documents(const ezlda_report *report, ezlda_context *context,
                               const char *query, ez_doc_search *found);

/* Reads a whole number without a sign; false if it is not one, or not below `end`. */
bool ez_take_number(const char *text, uint64_t end, uint64_t *number);

#endif
