/* Whether several files of plain text are one document each or hold one document per line. */
#ifndef EZ_TEXT_UNIT_H
#define EZ_TEXT_UNIT_H

#include "base/memory.h"

/* What the beginnings of the files look like. Zero-initialise; free with ez_text_units_free. */
typedef struct ez_text_units {
    size_t files;
    size_t prose;    /* files with paragraphs, or with lines that break inside sentences */
    bool unseen;     /* an input could not be looked at: it is a pipe */
    ez_buffer lines; /* uint32_t: lines that are not empty, of each file */
} ez_text_units;

/* Adds the first n bytes of a file. */
ezlda_status ez_text_units_add(ez_text_units *units, ezlda_context *context, const char *head,
                               size_t n);
/* Whether each of the files is one document. A single file is not. */
bool ez_text_units_are_files(ez_text_units *units);
void ez_text_units_free(ez_text_units *units);

#endif
