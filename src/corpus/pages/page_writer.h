/* Writes the text of a page: white space of the source becomes one space, blocks become paragraphs
 * separated by an empty line, and words that a line break has cut are joined. */
#ifndef EZ_PAGE_WRITER_H
#define EZ_PAGE_WRITER_H

#include "base/memory.h"

typedef enum ez_page_gap { EZ_GAP_NONE, EZ_GAP_SPACE, EZ_GAP_LINE, EZ_GAP_BLOCK } ez_page_gap;

typedef struct ez_page_writer {
    ezlda_context *context;
    ez_buffer *out;
    size_t start;        /* where the text begins in `out`: no gap before its first character */
    ez_page_gap gap;     /* before the next character */
    bool keeps_lines;    /* line ends of the source stay, as in <pre> */
    bool glued;          /* the next characters continue the last word */
    size_t hyphen;       /* bytes of the hyphen that ends the line; it goes if the word continues */
    ezlda_status status; /* the first failure; nothing is written after it */
} ez_page_writer;

/* Begins a text at the end of `out`. */
void ez_page_writer_begin(ez_page_writer *writer, ezlda_context *context, ez_buffer *out);
/* Writes checked UTF-8. */
void ez_page_put(ez_page_writer *writer, const char *text, size_t n);
/* Separates what follows from what was written. */
void ez_page_part(ez_page_writer *writer, ez_page_gap gap);
/* A line ends here in the printed source. A word that it cuts at a hyphen is joined if it continues
 * with a small letter. */
void ez_page_line_end(ez_page_writer *writer);
/* A line ends inside a word: the word continues without the hyphen. */
void ez_page_join(ez_page_writer *writer);
size_t ez_page_written(const ez_page_writer *writer);

#endif
