#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* O_TMPFILE, mremap */
#endif
#include "base/files/scratch.h"

#include "base/copy_string.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* Bytes that a buffer begins with. */
enum { EZ_SCRATCH_FIRST = 1 << 16 };

/* A mapped file. */
typedef struct region {
    struct region *next;
    void *at;
    size_t bytes;
    int fd;
    char *folder;
} region;

static region *regions; /* all that are in use */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_size_t count; /* of them: without any, nobody has to look */

static size_t page_size(void)
{
    long bytes = sysconf(_SC_PAGESIZE);
    return bytes > 0 ? (size_t)bytes : 4096;
}

/* Takes the region of an array out of the list; NULL where it has none. */
static region *take_region(const void *array)
{
    region *found = NULL;
    if (!array || atomic_load(&count) == 0)
        return NULL;
    pthread_mutex_lock(&lock);
    for (region **link = &regions; *link && !found; link = found ? link : &(*link)->next)
        if ((*link)->at == array) {
            found = *link;
            *link = found->next;
            atomic_fetch_sub(&count, 1);
        }
    pthread_mutex_unlock(&lock);
    return found;
}

static void put_region(region *r)
{
    pthread_mutex_lock(&lock);
    r->next = regions;
    regions = r;
    atomic_fetch_add(&count, 1);
    pthread_mutex_unlock(&lock);
}

static void free_region(region *r)
{
    if (r->at)
        munmap(r->at, r->bytes);
    if (r->fd >= 0)
        close(r->fd);
    ez_free(r->folder);
    ez_free(r);
}

/* File systems without nameless files get a name that is taken away again. */
static int open_file(const char *folder)
{
    char name[4096];
    int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL))
        return fd;
    int length = snprintf(name, sizeof name, "%s/.ezlda-scratch-XXXXXX", folder);
    if (length < 0 || (size_t)length >= sizeof name) {
        errno = ENAMETOOLONG;
        return -1;
    }
    fd = mkostemp(name, O_CLOEXEC);
    if (fd >= 0)
        unlink(name);
    return fd;
}

static ezlda_status fail(ezlda_context *context, const char *folder, size_t bytes, int error)
{
    char text[96];
    snprintf(text, sizeof text, "make a scratch file of %zu bytes", bytes);
    errno = error;
    return ez_fail_errno(context, folder, text);
}

/* Blocks for `bytes`, all of them or none. */
static ezlda_status reserve(const region *r, ezlda_context *context, size_t bytes)
{
    int error;
    do
        error = bytes > INT64_MAX ? EFBIG : posix_fallocate(r->fd, 0, (off_t)bytes);
    while (error == EINTR);
    return error ? fail(context, r->folder, bytes, error) : EZLDA_OK;
}

static ezlda_status map_region(region *r, ezlda_context *context, const char *folder, size_t bytes)
{
    EZ_TRY(ez_copy_string(&r->folder, context, folder));
    r->fd = open_file(folder);
    if (r->fd < 0)
        return fail(context, folder, bytes, errno);
    EZ_TRY(reserve(r, context, bytes));
    void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, r->fd, 0);
    if (at == MAP_FAILED)
        return fail(context, folder, bytes, errno);
    r->at = at;
    r->bytes = bytes;
    return EZLDA_OK;
}

static ezlda_status make_region(void *out, ezlda_context *context, const char *folder, size_t bytes)
{
    region *r = NULL;
    EZ_TRY(ez_array_zero(&r, context, 1, sizeof *r, "a scratch file"));
    r->fd = -1;
    ezlda_status status = map_region(r, context, folder, bytes);
    if (status != EZLDA_OK) {
        free_region(r);
        return status;
    }
    memcpy(out, &r->at, sizeof r->at);
    put_region(r);
    return EZLDA_OK;
}

ezlda_status ez_scratch_array(void *out, ezlda_context *context, const char *folder, size_t n,
                              size_t size, const char *what)
{
    const void *none = NULL;
    size_t bytes, padded;
    if (!folder)
        return ez_array(out, context, n, size, what);
    memcpy(out, &none, sizeof none);
    /* Vector loads may reach beyond the end, as in an ez_array. */
    if (!ez_mul_size(n, size, &bytes) || !ez_add_size(bytes, page_size(), &padded))
        return ez_fail(context, EZLDA_ERROR_MEMORY, "%s: %zu x %zu bytes are too many", what, n,
                       size);
    return make_region(out, context, folder, padded);
}

/* Says that what the folder has no room for is in memory. */
static ezlda_status to_memory(ezlda_context *context)
{
    ez_note(context, "%s; it is kept in memory", ezlda_error_message(context));
    ez_clear(context);
    return EZLDA_OK;
}

ezlda_status ez_scratch_buffer(ez_buffer *buffer, ezlda_context *context, const char *folder)
{
    *buffer = (ez_buffer){0};
    if (!folder)
        return EZLDA_OK;
    ezlda_status status = make_region(&buffer->data, context, folder, EZ_SCRATCH_FIRST);
    if (status == EZLDA_OK)
        buffer->capacity = EZ_SCRATCH_FIRST;
    return status == EZLDA_ERROR_IO ? to_memory(context) : status;
}

static ezlda_status grow(region *r, ezlda_context *context, size_t bytes)
{
    EZ_TRY(reserve(r, context, bytes));
    void *at = mremap(r->at, r->bytes, bytes, MREMAP_MAYMOVE);
    if (at == MAP_FAILED)
        return fail(context, r->folder, bytes, errno);
    r->at = at;
    r->bytes = bytes;
    return EZLDA_OK;
}

/* *r, which cannot grow, becomes memory at *array, and NULL. */
static ezlda_status move_to_memory(region **r, void *array, ezlda_context *context, size_t bytes)
{
    void *memory = NULL;
    EZ_TRY(to_memory(context));
    EZ_TRY(ez_array(&memory, context, bytes, 1, "what the scratch folder has no room for"));
    memcpy(memory, (*r)->at, (*r)->bytes);
    free_region(*r);
    *r = NULL;
    memcpy(array, &memory, sizeof memory);
    return EZLDA_OK;
}

bool ez_scratch_grow(void *array, ezlda_context *context, size_t bytes, ezlda_status *status)
{
    void *at;
    memcpy(&at, array, sizeof at);
    region *r = take_region(at);
    if (!r)
        return false;
    *status = grow(r, context, bytes);
    if (*status == EZLDA_ERROR_IO)
        *status = move_to_memory(&r, array, context, bytes);
    if (!r)
        return true;
    memcpy(array, &r->at, sizeof r->at);
    put_region(r);
    return true;
}

bool ez_scratch_free(void *array)
{
    region *r = take_region(array);
    if (r)
        free_region(r);
    return r != NULL;
}

/* Pages that hold some of the bytes, or nothing else. */
static void advise(const void *bytes, size_t n, bool whole, int advice)
{
    uintptr_t page = page_size(), first = (uintptr_t)bytes, last = first + n;
    first = (whole ? first + page - 1 : first) / page * page;
    last = (whole ? last : last + page - 1) / page * page;
    if (last > first)
        (void)madvise((void *)first, last - first, advice);
}

void ez_scratch_ahead(const void *bytes, size_t n)
{
    advise(bytes, n, false, MADV_WILLNEED);
}

void ez_scratch_behind(const void *bytes, size_t n)
{
    advise(bytes, n, true, MADV_DONTNEED);
}
