/* The formats of corpora, and how the format of an input is recognised. */
#ifndef EZ_RECOGNISE_H
#define EZ_RECOGNISE_H

#include <stdbool.h>
#include <stddef.h>

typedef enum ez_format {
    EZ_FORMAT_EZC,
    EZ_FORMAT_UCI,
    EZ_FORMAT_MM,
    EZ_FORMAT_LDAC,
    EZ_FORMAT_SVMLIGHT,
    EZ_FORMAT_MALLET_STATE,
    EZ_FORMAT_HDF5,
    EZ_FORMAT_MALLET,
    EZ_FORMAT_TEXT,
    EZ_FORMAT_DIR,
    EZ_FORMAT_CSV,
    EZ_FORMAT_TSV,
    EZ_FORMAT_JSONL,
    EZ_FORMAT_JSON,
    EZ_FORMAT_HTML,
    EZ_FORMAT_XML,
    EZ_FORMAT_MARKDOWN,
    EZ_FORMATS
} ez_format;

const char *ez_format_name(ez_format format);        /* "ezc", as users name it */
const char *ez_format_description(ez_format format); /* "a corpus file" */
ez_format ez_format_named(const char *name);         /* EZ_FORMATS: no such format */

/* Whether files of a format are pages (page_kind.h): HTML, XML, Markdown. */
bool ez_format_is_page(ez_format format);

/* Recognises the format of an input by its name and its first n bytes (decompressed). A table is
 * recognised by a header with the column, or columns, of text_field; NULL: "text". Without `pages`,
 * pages are plain text. */
ez_format ez_recognise(const char *path, const char *head, size_t n, const char *text_field,
                       bool pages);

/* Whether a further input, recognised as `format`, has another format than the first. Its name or
 * its first bytes must say so. Its lines count only if its extension is neither that of plain text
 * nor that of the first input: some texts begin with numbers. Pages and plain text can be mixed. */
bool ez_formats_clash(const char *first_path, ez_format first, const char *path, ez_format format,
                      const char *head, size_t n);
/* Whether the lines of an input count in ez_formats_clash. */
bool ez_content_counts(const char *first_path, const char *path);

#endif
