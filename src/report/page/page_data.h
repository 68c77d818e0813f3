/* The page: one file with everything in it. */
#ifndef EZ_PAGE_DATA_H
#define EZ_PAGE_DATA_H

#include "report/page/json_text.h"
#include "report/report.h"

/* The data of the page as one JSON object. serve: documents can be asked for. */
void ez_page_data(ez_json_text *json, const ezlda_report *report, bool serve);
/* Its part on documents and on a second model. */
void ez_page_documents(ez_json_text *json, const ezlda_report *report);
void ez_page_compare(ez_json_text *json, const ezlda_report *report);

/* The whole page. */
ezlda_status ez_page_make(const ezlda_report *report, ezlda_context *context, bool serve,
                          ez_buffer *page);

/* What the build embeds: skeleton, style and script, and SHA-256 of the latter two in hexadecimal.
 */
typedef struct ez_page_part {
    const char *text;
    size_t n;
} ez_page_part;

extern const ez_page_part ez_page_skeleton, ez_page_style, ez_page_script;
extern const char ez_page_style_hash[], ez_page_script_hash[];

#endif
