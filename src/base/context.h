/* The context handle, which carries error text, threads and notes. Every fallible internal call
 * returns ez_fail(...) or EZLDA_OK. */
#ifndef EZ_CONTEXT_H
#define EZ_CONTEXT_H

#include "ezlda.h"

#include <stdbool.h>

#if defined(__MINGW32__) /* which has formats of its own, but not in this build */
#define EZ_PRINTF(fmt, args) __attribute__((format(gnu_printf, fmt, args)))
#elif defined(__GNUC__)
#define EZ_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define EZ_PRINTF(fmt, args)
#endif

/* Clears the text of the last error. Every fallible public call starts with it. */
void ez_clear(ezlda_context *context);

/* Records the text of an error and returns its status. Safe from several threads: the first error
 * since ez_clear is kept, because later ones are mostly its consequences. context may be NULL. */
ezlda_status ez_fail(ezlda_context *context, ezlda_status status, const char *format, ...)
    EZ_PRINTF(3, 4);

/* Fails with "WHAT is needed" if a required argument is NULL. */
ezlda_status ez_needs(ezlda_context *context, const void *thing, const char *what);

/* ez_fail with EZLDA_ERROR_IO and the text of errno: "PATH: cannot WHAT: No such file or
 * directory". */
ezlda_status ez_fail_errno(ezlda_context *context, const char *path, const char *what);

/* Pass a note to the caller's callback, if there is one: what was chosen or detected; what looks
 * like a mistake; what was asked for and failed while the call continues (ezlda_note_level). */
void ez_note(ezlda_context *context, const char *format, ...) EZ_PRINTF(2, 3);
void ez_warn(ezlda_context *context, const char *format, ...) EZ_PRINTF(2, 3);
void ez_note_failure(ezlda_context *context, const char *format, ...) EZ_PRINTF(2, 3);

/* Threads to use, at least 1. Every OpenMP team is created with this number. */
int ez_threads(const ezlda_context *context);
/* The same, but if the caller leaves the number open, no more threads than the work is worth:
 * threads that wait for each other after every few microseconds are slower than one, above all on a
 * busy machine. work: tokens that each pass over the data touches. */
int ez_threads_for(const ezlda_context *context, uint64_t work);
/* Between these calls ez_threads returns at most the number chosen. `before` is what the first one
 * returned. */
int ez_threads_begin(ezlda_context *context, uint64_t work);
void ez_threads_end(ezlda_context *context, int before);

/* Whether a device differs from that of the last call, so that a note is worth printing. */
bool ez_context_new_device(ezlda_context *context, const char *device);

/* A device that was opened ahead of its use. It lives as long as the context (which may be NULL),
 * and setting another one ends it. */
void ez_context_set_device_ahead(ezlda_context *context, void *thing, void (*end)(void *));
void *ez_context_device_ahead(const ezlda_context *context);

#define EZ_TRY(call)                   \
    do {                               \
        ezlda_status ez_try_ = (call); \
        if (ez_try_ != EZLDA_OK)       \
            return ez_try_;            \
    } while (0)

/* As EZ_TRY, for functions with one cleanup label: sets `status` and goes to `done`. */
#define EZ_TRY_GOTO(call)       \
    do {                        \
        status = (call);        \
        if (status != EZLDA_OK) \
            goto done;          \
    } while (0)

#endif
