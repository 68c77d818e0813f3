/* Pages: files of HTML, XML, TEI or Markdown that are read as such, one document per file. How they
 * are recognised, and what encoding they declare. */
#ifndef EZ_PAGE_KIND_H
#define EZ_PAGE_KIND_H

#include "corpus/input/encoding_guess.h"

typedef enum ez_page_kind {
    EZ_PAGE_TEXT, /* not a page */
    EZ_PAGE_HTML, /* and XHTML */
    EZ_PAGE_TEI,
    EZ_PAGE_XML, /* any other */
    EZ_PAGE_MARKDOWN,
    EZ_PAGE_KINDS
} ez_page_kind;

/* Recognises a page by its name and its first n bytes. Both must agree: a file *.html without a tag
 * is text, a file *.xml whose root is <html> is HTML. If the name says nothing, the first bytes
 * must leave no doubt; a file *.txt is text. */
ez_page_kind ez_page_kind_of(const char *path, const char *head, size_t n);

/* The encoding that a page declares in its first bytes: in the XML declaration or a <meta>. False:
 * none, or one that iconv does not know or that is not written in ASCII (UTF-16: it is found in
 * other ways). A text that is valid UTF-8 is UTF-8 whatever it declares. */
bool ez_page_charset(const char *head, size_t n, char name[EZ_ENCODING_NAME]);

#endif
