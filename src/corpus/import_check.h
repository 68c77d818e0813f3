#ifndef EZ_IMPORT_CHECK_H
#define EZ_IMPORT_CHECK_H

#include "corpus/formats/recognise.h"
#include "ezlda.h"

/* Checks the caller's options (NULL: the defaults) and copies them over the defaults. */
ezlda_status ez_import_options_take(ezlda_import_options *to, ezlda_context *context,
                                    const ezlda_import_options *from);

/* Refuses options that mean nothing for inputs of a format; for text, takes the rules of
 * options->like. */
ezlda_status ez_import_options_fit(ezlda_import_options *options, ezlda_context *context,
                                   ez_format format, const char *path);

#endif
