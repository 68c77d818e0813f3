/* Structs that begin with their size and cross the public interface: options that a caller passes
 * in, and results that it gets back. A caller built against an older header has a shorter struct.
 * Nothing beyond the caller's size is read or written, and members that it does not have keep their
 * defaults. */
#ifndef EZ_OPTIONS_STRUCT_H
#define EZ_OPTIONS_STRUCT_H

#include "base/context.h"

#include <string.h>

/* Fills the caller's struct of `given` bytes with `defaults`, a struct of `size` bytes that the
 * library knows. A NULL struct, or one without room for its size, is left alone. */
static inline void ez_options_init(void *options, size_t given, const void *defaults, size_t size)
{
    if (!options || given < sizeof given)
        return;
    memset(options, 0, given);
    memcpy(options, defaults, given < size ? given : size);
    memcpy(options, &given, sizeof given);
}

/* Copies the caller's options over the defaults in `out`; NULL leaves the defaults. `name`: "train"
 * of ezlda_train_options. */
static inline ezlda_status ez_options_read(void *out, size_t size, ezlda_context *context,
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

/* Copies a struct of the caller's; members that it does not have are 0. `what`: "a plan". */
static inline ezlda_status ez_struct_read(void *out, size_t size, ezlda_context *context,
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

/* Copies a result of `size` bytes into the caller's struct, as far as that has room. The caller's
 * `size` stays. */
static inline void ez_struct_write(void *to, const void *result, size_t size)
{
    size_t bytes;
    memcpy(&bytes, to, sizeof bytes);
    if (bytes > sizeof bytes)
        memcpy((char *)to + sizeof bytes, (const char *)result + sizeof bytes,
               (bytes < size ? bytes : size) - sizeof bytes);
}

#endif
