/* Reads structs of the caller that start with their size: a caller built against an older header
 * has fewer fields, and the rest keep their defaults. */
#ifndef EZ_OPTIONS_STRUCT_H
#define EZ_OPTIONS_STRUCT_H

#include "base/context.h"

#include <string.h>

/* Copies the caller's options over the defaults in `out`; NULL leaves the defaults. `name`: "train"
 * of ezlda_train_options. */
static inline ezlda_status ez_options_take(void *out, size_t size, ezlda_context *context,
                                           const void *options, const char *name)
{
    size_t given;
    if (!options)
        return EZLDA_OK;
    memcpy(&given, options, sizeof given);
    if (given < sizeof given || given > size)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                       "%s options of %zu bytes; expected ezlda_%s_options_init", name, given,
                       name);
    memcpy(out, options, given);
    memcpy(out, &size, sizeof size);
    return EZLDA_OK;
}

/* Copies a caller's struct, which starts with its size. If it has fewer fields, the rest are zeros.
 * `what`: "a plan". */
static inline ezlda_status ez_struct_take(void *out, size_t size, ezlda_context *context,
                                          const void *given, const char *what)
{
    size_t bytes;
    memset(out, 0, size);
    EZ_TRY(ez_needs(context, given, what));
    memcpy(&bytes, given, sizeof bytes);
    if (bytes < sizeof bytes)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT, "%s of %zu bytes; expected `size` to be set",
                       what, bytes);
    memcpy(out, given, bytes < size ? bytes : size);
    return EZLDA_OK;
}

#endif
