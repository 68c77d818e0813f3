/* The page: one file with everything in it. */
#ifndef EZ_PAGE_DATA_H
#define EZ_PAGE_DATA_H

#include "base/json_writer.h"
#include "report/report.h"

/* The data of the page as one JSON object. serve: documents can be asked for. */
void ez_page_data(ez_json *json, const ezlda_report *report, bool serve);
/* Its part on documents and on a second model. */
void ez_page_documents(ez_json *json, const ezlda_report *report);
void ez_page_compare(ez_json *json, const ezlda_report *report);

/* The whole page. */
ezlda_status ez_page_make(const ezlda_report *report, ezlda_context *context, bool serve,
                          ez_buffer *page);

#endif
