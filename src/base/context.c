/* The context: error text, notes, the number of threads, and the version and status names of the
 * library. */
#include "base/context.h"

#include "base/os/os_process.h"

#include <errno.h>
#include <omp.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EZ_MESSAGE_SIZE = 2048, EZ_THREADS_MAX = 4096 };

struct ezlda_context {
    char message[EZ_MESSAGE_SIZE];
    int threads;
    char device_noted[32]; /* of the last note on the device */
    int threads_worth;     /* the most threads that the present work is worth; 0: not known */
    ezlda_note_fn note;
    void *note_user;
    void *kept;
    void (*end_kept)(void *);
};

int ezlda_version(void)
{
    return EZLDA_VERSION;
}

#define EZ_TEXT_(x) #x
#define EZ_TEXT(x) EZ_TEXT_(x)

const char *ezlda_version_string(void)
{
    return EZ_TEXT(EZLDA_VERSION_MAJOR) "." EZ_TEXT(EZLDA_VERSION_MINOR) "." EZ_TEXT(
        EZLDA_VERSION_PATCH);
}

const char *ezlda_status_name(ezlda_status status)
{
    switch (status) {
    case EZLDA_OK: return "ok";
    case EZLDA_ERROR_MEMORY: return "out of memory";
    case EZLDA_ERROR_ARGUMENT: return "bad argument";
    case EZLDA_ERROR_IO: return "input/output error";
    case EZLDA_ERROR_FORMAT: return "bad file content";
    case EZLDA_ERROR_DEVICE: return "device error";
    case EZLDA_ERROR_UNSUPPORTED: return "unsupported";
    case EZLDA_ERROR_STOPPED: return "stopped";
    case EZLDA_ERROR_INTERNAL: return "internal error";
    }
    return "unknown status";
}

ezlda_status ezlda_context_create(ezlda_context **out)
{
    if (!out)
        return EZLDA_ERROR_ARGUMENT;
    *out = calloc(1, sizeof **out);
    return *out ? EZLDA_OK : EZLDA_ERROR_MEMORY;
}

void *ez_context_device_ahead(const ezlda_context *context)
{
    return context ? context->kept : NULL;
}

bool ez_context_new_device(ezlda_context *context, const char *device)
{
    if (!context || strncmp(context->device_noted, device, sizeof context->device_noted - 1) == 0)
        return false;
    snprintf(context->device_noted, sizeof context->device_noted, "%s", device);
    return true;
}

void ez_context_set_device_ahead(ezlda_context *context, void *thing, void (*end)(void *))
{
    if (!context)
        return;
    if (context->kept)
        context->end_kept(context->kept);
    context->kept = thing;
    context->end_kept = end;
}

void ezlda_context_free(ezlda_context *context)
{
    ez_context_set_device_ahead(context, NULL, NULL);
    free(context);
}

const char *ezlda_error_message(const ezlda_context *context)
{
    return context ? context->message : "";
}

void ezlda_context_set_threads(ezlda_context *context, int threads)
{
    if (context)
        context->threads = threads < 0 ? 0 : threads > EZ_THREADS_MAX ? EZ_THREADS_MAX : threads;
}

int ezlda_context_threads(const ezlda_context *context)
{
    return ez_threads(context);
}

void ezlda_context_set_notes(ezlda_context *context, ezlda_note_fn note, void *user)
{
    if (!context)
        return;
    context->note = note;
    context->note_user = user;
}

void ez_clear(ezlda_context *context)
{
    if (context)
        context->message[0] = '\0';
}

ezlda_status ez_fail(ezlda_context *context, ezlda_status status, const char *format, ...)
{
    if (!context)
        return status;
    char text[EZ_MESSAGE_SIZE];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
#pragma omp critical(ez_fail_message)
    if (!context->message[0])
        memcpy(context->message, text, sizeof text);
    return status;
}

ezlda_status ez_needs(ezlda_context *context, const void *thing, const char *what)
{
    return thing ? EZLDA_OK : ez_fail(context, EZLDA_ERROR_ARGUMENT, "%s is needed", what);
}

ezlda_status ez_fail_errno(ezlda_context *context, const char *path, const char *what)
{
    int code = errno;
    return ez_fail(context, code == ENOMEM ? EZLDA_ERROR_MEMORY : EZLDA_ERROR_IO,
                   "%s: cannot %s: %s", path, what, strerror(code));
}

static void pass_note(ezlda_context *context, ezlda_note_level level, const char *format,
                      va_list args)
{
    char text[EZ_MESSAGE_SIZE];
    vsnprintf(text, sizeof text, format, args);
    context->note(level, text, context->note_user);
}

#define EZ_NOTE_AS(name, level)                                \
    void name(ezlda_context *context, const char *format, ...) \
    {                                                          \
        va_list args;                                          \
        if (!context || !context->note)                        \
            return;                                            \
        va_start(args, format);                                \
        pass_note(context, level, format, args);               \
        va_end(args);                                          \
    }

EZ_NOTE_AS(ez_note, EZLDA_NOTE_INFO)
EZ_NOTE_AS(ez_warn, EZLDA_NOTE_WARNING)
EZ_NOTE_AS(ez_note_failure, EZLDA_NOTE_FAILURE)

/* ---- threads ---- */

/* A forked child has none of its parent's threads, but OpenMP's pool there still counts on them: a
 * team of more than one would wait for ever. A team of one does not touch the pool. */
static bool team_lost;
static pthread_once_t fork_watched = PTHREAD_ONCE_INIT;

static void lose_team(void)
{
    team_lost = true;
}

static void watch_forks(void)
{
    ez_os_watch_forks(lose_team);
}

/* OpenMP's number is fixed when the program starts; processors may be fewer by now. */
static int default_threads(void)
{
    int most = omp_get_max_threads(), processors = omp_get_num_procs();
    return getenv("OMP_NUM_THREADS") || most < processors ? most : processors;
}

int ez_threads(const ezlda_context *context)
{
    int threads = context ? context->threads : 0;
    if (team_lost)
        return 1;
    if (threads == 0)
        threads = default_threads();
    if (context && context->threads_worth > 0 && threads > context->threads_worth)
        threads = context->threads_worth;
    if (threads > 1)
        pthread_once(&fork_watched, watch_forks);
    return threads > 1 ? threads : 1;
}

int ez_threads_for(const ezlda_context *context, uint64_t work)
{
    enum { TOKENS_PER_THREAD = 1 << 17 };
    int threads = ez_threads(context);
    bool is_given = (context && context->threads > 0) || getenv("OMP_NUM_THREADS");
    uint64_t worth = 1 + work / TOKENS_PER_THREAD;
    return is_given || worth >= (uint64_t)threads ? threads : (int)worth;
}

int ez_threads_begin(ezlda_context *context, uint64_t work)
{
    int before = context ? context->threads_worth : 0;
    if (context)
        context->threads_worth = ez_threads_for(context, work);
    return before;
}

void ez_threads_end(ezlda_context *context, int before)
{
    if (context)
        context->threads_worth = before;
}
