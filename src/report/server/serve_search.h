/* The search of a served report: queries, tables and exports as JSON and CSV. */
#ifndef EZ_SERVE_SEARCH_H
#define EZ_SERVE_SEARCH_H

#include "base/json_writer.h"
#include "report/report.h"
#include "report/search/result_tables.h"
#include "report/server/http_server.h"

typedef struct ez_serve_search {
    const ezlda_report *report;
    ez_doc_index *index;
    ez_query_words words;
    ez_groups *groups; /* of each field whose values are counted; the others have none */
} ez_serve_search;

/* index_path: as ez_doc_index_open. Free also after an error. */
ezlda_status ez_serve_search_open(ez_serve_search *search, ezlda_context *context,
                                  const ezlda_report *report, const char *index_path);
void ez_serve_search_close(ez_serve_search *search);

/* Answers a request for `what` (the path after "api/"); false if it is not one of the search. */
bool ez_serve_search_answer(ez_serve_search *search, ez_json *json, const char *what,
                            const ez_http_request *request, ez_http_answer *answer);

/* Parts of answers that the report's own requests have too. */
void ez_put_document(ez_json *json, const ezlda_report *report, uint64_t doc);
void ez_put_error(ez_json *json, ez_http_answer *answer, int status, const char *text);

#endif
