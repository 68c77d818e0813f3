/* Opens NCCL once per process, and wraps the calls that sums between ranks need. */
#include "backend/cuda/driver/nccl.h"

#include "base/os/os_libraries.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Older versions are numbered differently. */
enum { EZ_NCCL_OLDEST = 20900, EZ_NCCL_AFTER = 30000 };

typedef struct nccl_calls {
    void *library;
/* NOLINTNEXTLINE(bugprone-macro-parentheses): these are parts of a declaration */
#define EZ_NCCL_POINTER(result, name, parameters) result(*name) parameters;
    EZ_NCCL_CALLS(EZ_NCCL_POINTER)
#undef EZ_NCCL_POINTER
} nccl_calls;

struct ez_nccl {
    ncclComm_t comm;
    int ranks;
};

/* ---- the library ---- */

static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;
static nccl_calls the_calls;
static int the_version;

/* Fills the table; returns the name of the first call that the library lacks, or NULL. */
static const char *find_calls(nccl_calls *calls)
{
    static const struct {
        const char *name;
        size_t offset;
    } rows[] = {
#define EZ_NCCL_ROW(result, name, parameters) {#name, offsetof(nccl_calls, name)},
        EZ_NCCL_CALLS(EZ_NCCL_ROW)
#undef EZ_NCCL_ROW
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        void *address = ez_os_library_symbol(calls->library, rows[i].name);
        if (!address)
            return rows[i].name;
        memcpy((char *)calls + rows[i].offset, &address, sizeof address);
    }
    return NULL;
}

/* The version of a library that we can use; otherwise 0, and `why`. */
static int check_library(nccl_calls *calls, const char *name, char *why, size_t size)
{
    int version = 0;
    const char *missing = find_calls(calls);
    if (missing) {
        snprintf(why, size, "%s lacks %s", name, missing);
        return 0;
    }
    ncclResult_t code = calls->ncclGetVersion(&version);
    if (code != ncclSuccess) {
        snprintf(why, size, "%s: ncclGetVersion failed with %d: %s", name, (int)code,
                 calls->ncclGetErrorString(code));
        return 0;
    }
    if (version >= EZ_NCCL_OLDEST && version < EZ_NCCL_AFTER)
        return version;
    snprintf(why, size, "%s is of version number %d; 2.9 or newer is needed, and not 3", name,
             version);
    return 0;
}

/* The library is never closed, because its threads stay. */
static int open_library(char *why, size_t size)
{
    const char *named = getenv("EZLDA_NCCL"), *name = named && *named ? named : "libnccl.so.2";
    if (strcmp(name, "none") == 0) {
        snprintf(why, size, "EZLDA_NCCL is none");
        return 0;
    }
    nccl_calls calls = {.library = ez_os_library_open(name, false)};
    if (!calls.library) {
        const char *text = ez_os_library_error();
        snprintf(why, size, "NCCL cannot be opened: %s", text ? text : name);
        return 0;
    }
    int version = check_library(&calls, name, why, size);
    if (version)
        the_calls = calls;
    return version;
}

int ez_nccl_version(char *why, size_t size)
{
    why[0] = '\0';
    pthread_mutex_lock(&opening);
    if (!the_version)
        the_version = open_library(why, size);
    pthread_mutex_unlock(&opening);
    return the_version;
}

/* ---- calls ---- */

static ezlda_status fail(ezlda_context *context, ncclResult_t code, const char *call,
                         const char *what)
{
    return ez_fail(context, EZLDA_ERROR_DEVICE,
                   "NCCL %d.%d.%d: %s%s%s failed with %d: %s (EZLDA_NCCL=none does without)",
                   the_version / 10000, the_version / 100 % 100, the_version % 100, call,
                   *what ? " for " : "", what, (int)code, the_calls.ncclGetErrorString(code));
}

/* Returns from the calling function if a call fails. */
#define EZ_NCCL(context, what, call, ...)                    \
    do {                                                     \
        ncclResult_t ez_code_ = the_calls.call(__VA_ARGS__); \
        if (ez_code_ != ncclSuccess)                         \
            return fail(context, ez_code_, #call, what);     \
    } while (0)

static ezlda_status connect(ez_nccl *nccl, ezlda_context *context, ezlda_group *group)
{
    ncclUniqueId id = {{0}};
    if (ez_is_root(group))
        EZ_NCCL(context, "", ncclGetUniqueId, &id);
    EZ_TRY(ez_group_share(group, context, &id, sizeof id));
    EZ_NCCL(context, "", ncclCommInitRank, &nccl->comm, group->ranks, id, group->rank);
    return EZLDA_OK;
}

ezlda_status ez_nccl_open(ez_nccl **out, ezlda_context *context, ezlda_group *group)
{
    ez_nccl *nccl = NULL;
    *out = NULL;
    EZ_TRY(ez_array_zero(&nccl, context, 1, sizeof *nccl, "NCCL"));
    nccl->ranks = group->ranks;
    ezlda_status status = connect(nccl, context, group);
    if (status != EZLDA_OK) {
        ez_free(nccl); /* other ranks may wait for comm: the end of the process frees it */
        return status;
    }
    *out = nccl;
    return EZLDA_OK;
}

void ez_nccl_close(ez_nccl *nccl)
{
    if (!nccl)
        return;
    the_calls.ncclCommDestroy(nccl->comm);
    ez_free(nccl);
}

ezlda_status ez_nccl_sum32(ez_nccl *nccl, ezlda_context *context, const ez_stream *stream,
                           uint32_t *array, size_t n, const char *what)
{
    if (n > 0)
        EZ_NCCL(context, what, ncclAllReduce, array, array, n, ncclUint32, ncclSum, nccl->comm,
                stream->stream);
    return EZLDA_OK;
}

ezlda_status ez_nccl_sum64(ez_nccl *nccl, ezlda_context *context, const ez_stream *stream,
                           unsigned long long *array, size_t n, const char *what)
{
    if (n > 0)
        EZ_NCCL(context, what, ncclAllReduce, array, array, n, ncclUint64, ncclSum, nccl->comm,
                stream->stream);
    return EZLDA_OK;
}

ezlda_status ez_nccl_gather(ez_nccl *nccl, ezlda_context *context, const ez_stream *stream,
                            uint32_t *const *message, const size_t *n, const char *what)
{
    EZ_NCCL(context, what, ncclGroupStart);
    for (int from = 0; from < nccl->ranks; from++)
        EZ_NCCL(context, what, ncclBroadcast, message[from], message[from], n[from], ncclUint32,
                from, nccl->comm, stream->stream);
    EZ_NCCL(context, what, ncclGroupEnd);
    return EZLDA_OK;
}

ezlda_status ez_nccl_check(ez_nccl *nccl, ezlda_context *context)
{
    ncclResult_t code = ncclSuccess;
    EZ_NCCL(context, "", ncclCommGetAsyncError, nccl->comm, &code);
    if (code != ncclSuccess && code != ncclInProgress)
        return fail(context, code, "what was started before", "");
    return EZLDA_OK;
}
