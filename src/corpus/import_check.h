/* Checks the options of an import, alone and against the format of the input. */
#ifndef EZ_IMPORT_CHECK_H
#define EZ_IMPORT_CHECK_H

#include "corpus/formats/recognise.h"
#include "ezlda.h"

#include <stdbool.h>

/* Copies the caller's options (NULL: none) over the defaults and checks them. */
ezlda_status ez_import_options_check(ezlda_import_options *to, ezlda_context *context,
                                     const ezlda_import_options *from);

/* Whether HTML, XML and Markdown are read as such: not if markup is to be kept, if words are cut
 * already, or if options->like are rules of text that was not read so. */
bool ez_import_reads_pages(const ezlda_import_options *options);

/* Refuses options that mean nothing for inputs of this format; for text, applies the rules of
 * options->like. */
ezlda_status ez_import_options_fit(ezlda_import_options *options, ezlda_context *context,
                                   ez_format format, const char *path);

#endif
