/* What the readers of HTML and XML share: libxml2 without its global state. Nothing is printed, no
 * other file is read, and settings of the process or of other users of the library do not matter
 * and do not change. */
#ifndef EZ_PAGE_LIBXML_H
#define EZ_PAGE_LIBXML_H

#include "base/context.h"
#include "corpus/pages/page_reader.h"

#include <libxml/parser.h>

/* The handlers of errors of this thread while a page is parsed. */
typedef struct ez_libxml_errors {
    ez_page_fault first; /* the first fatal error */
    bool no_memory;
    xmlParserCtxtPtr parser; /* is stopped if there is no memory; NULL: none yet */
    xmlGenericErrorFunc print;
    void *print_to;
    xmlStructuredErrorFunc report;
    void *report_to;
} ez_libxml_errors;

void ez_libxml_begin(ez_libxml_errors *errors);
/* Brings the thread's handlers back. */
void ez_libxml_end(ez_libxml_errors *errors);
/* The status of a parse: there was not enough memory, or all is well. */
ezlda_status ez_libxml_status(const ez_libxml_errors *errors, ezlda_context *context);

#endif
