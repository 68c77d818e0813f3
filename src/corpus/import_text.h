/* Reads inputs of text as a corpus: chooses the unit of a document and the fields, which a model or
 * a corpus may remember, and runs the text pipeline. */
#ifndef EZ_IMPORT_TEXT_H
#define EZ_IMPORT_TEXT_H

#include "corpus/formats/recognise.h"
#include "corpus/formats/text_unit.h"
#include "corpus/text/text_source.h"

typedef struct ez_text_import {
    ezlda_context *context;
    const char *const *paths;
    size_t n_paths;
    ezlda_import_options *options; /* values that are remembered or guessed are filled in */
    ez_format format;
    const ez_record_reader *reader;
    bool files;           /* plain text: one document per file */
    bool fields_optional; /* those of earlier files, which new ones may lack */
    ez_input *first;      /* the first input if it is open already; ez_import_text closes it */
    struct ez_record_feed *feed; /* records of the caller instead of paths; or NULL */
} ez_text_import;

/* Decides whether plain text is one document per file, by the options, by what is remembered or by
 * what the files look like, and reports it in a note. */
void ez_import_choose_unit(ez_text_import *import, ez_text_units *units);

ezlda_status ez_import_text(ezlda_corpus **out, ez_text_import *import);

#endif
