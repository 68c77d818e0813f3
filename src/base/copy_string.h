/* Copies a string into memory of its own. */
#ifndef EZ_COPY_STRING_H
#define EZ_COPY_STRING_H

#include "base/memory.h"

#include <string.h>

/* *out becomes a copy, freed with ez_free. */
static inline ezlda_status ez_copy_string(char **out, ezlda_context *context, const char *text)
{
    size_t n = strlen(text) + 1;
    EZ_TRY(ez_array(out, context, n, 1, "a name"));
    memcpy(*out, text, n);
    return EZLDA_OK;
}

#endif
