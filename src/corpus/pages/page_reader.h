/* Reads pages as documents with fields. HTML and XML go through libxml2; without it they are text
 * whose tags the markup filter removes. */
#ifndef EZ_PAGE_READER_H
#define EZ_PAGE_READER_H

#include "corpus/pages/page_set.h"

/* An error in a page. */
typedef struct ez_page_fault {
    uint64_t line;
    char text[320]; /* empty: there is none, or the context has the message */
} ez_page_fault;

/* Reads a page of checked UTF-8 into an empty set. `text` is changed. *read is false if the page
 * has to be read as text: this build has no parser for it, or it would take the parser too long. A
 * fault of the page is EZLDA_ERROR_FORMAT with a text in `fault`. */
ezlda_status ez_page_read(ez_page_set *set, ezlda_context *context, ez_page_kind kind, char *text,
                          size_t n, bool *read, ez_page_fault *fault);

/* The readers of each kind. */
ezlda_status ez_page_read_html(ez_page_set *set, ezlda_context *context, const char *text, size_t n,
                               bool *read);
ezlda_status ez_page_read_xml(ez_page_set *set, ezlda_context *context, bool tei, const char *text,
                              size_t n, ez_page_fault *fault);
ezlda_status ez_page_read_markdown(ez_page_set *set, ezlda_context *context, const char *text,
                                   size_t n);
/* Reads the fields that a Markdown file opens with; *used: their bytes, 0: it has none. */
ezlda_status ez_page_front_matter(ez_page_set *set, ezlda_context *context, const char *text,
                                  size_t n, size_t *used);

#endif
