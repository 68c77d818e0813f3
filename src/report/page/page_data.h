/* The page of a report: one HTML file that contains everything, and the JSON inside it. */
#ifndef EZ_PAGE_DATA_H
#define EZ_PAGE_DATA_H

#include "base/json_writer.h"
#include "report/report.h"

typedef enum ez_page_kind {
    EZ_PAGE_FILE,    /* complete in itself */
    EZ_PAGE_SERVED,  /* a server answers for documents */
    EZ_PAGE_SEARCHED /* and for queries */
} ez_page_kind;

/* Writes the data of the page as one JSON object. */
void ez_page_data(ez_json *json, const ezlda_report *report, ez_page_kind kind);
/* The parts of the data about documents and about a second model. */
void ez_page_documents(ez_json *json, const ezlda_report *report);
void ez_page_compare(ez_json *json, const ezlda_report *report);

/* Appends the whole page. */
ezlda_status ez_page_make(const ezlda_report *report, ezlda_context *context, ez_page_kind kind,
                          ez_buffer *page);
/* Appends the page of a run that is watched. */
ezlda_status ez_live_page_make(const char *title, ezlda_context *context, ez_buffer *page);

#endif
