/* Arrays and growing buffers in nameless mapped files. A list of the mapped files distinguishes
 * them from ordinary memory. */
#include "base/files/scratch.h"

#include "base/copy_string.h"
#include "base/os/os_files.h"
#include "base/os/os_maps.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

/* The first size of a buffer, in bytes. */
enum { EZ_SCRATCH_FIRST = 1 << 16 };

/* A mapped file. */
typedef struct mapping {
    struct mapping *next;
    void *at;
    size_t bytes;
    int fd;
    char *folder;
} mapping;

static mapping *mappings; /* all mappings in use */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_size_t count; /* number of mappings; if it is 0, no lookup is needed */

/* Removes the mapping of an array from the list and returns it; NULL if the array has none. */
static mapping *remove_mapping(const void *array)
{
    mapping *found = NULL;
    if (!array || atomic_load(&count) == 0)
        return NULL;
    pthread_mutex_lock(&lock);
    for (mapping **link = &mappings; *link && !found; link = found ? link : &(*link)->next)
        if ((*link)->at == array) {
            found = *link;
            *link = found->next;
            atomic_fetch_sub(&count, 1);
        }
    pthread_mutex_unlock(&lock);
    return found;
}

static void add_mapping(mapping *r)
{
    pthread_mutex_lock(&lock);
    r->next = mappings;
    mappings = r;
    atomic_fetch_add(&count, 1);
    pthread_mutex_unlock(&lock);
}

static void free_mapping(mapping *r)
{
    if (r->at)
        ez_os_unmap(r->at, r->bytes);
    if (r->fd >= 0)
        ez_os_close(r->fd);
    ez_free(r->folder);
    ez_free(r);
}

static ezlda_status fail(ezlda_context *context, const char *folder, size_t bytes, int error)
{
    char text[96];
    snprintf(text, sizeof text, "make a scratch file of %zu bytes", bytes);
    errno = error;
    return ez_fail_errno(context, folder, text);
}

/* Reserves disk blocks for `bytes`, all of them or none. */
static ezlda_status reserve(const mapping *r, ezlda_context *context, size_t bytes)
{
    int error = ez_os_reserve(r->fd, bytes);
    return error ? fail(context, r->folder, bytes, error) : EZLDA_OK;
}

static ezlda_status map_file(mapping *r, ezlda_context *context, const char *folder, size_t bytes)
{
    EZ_TRY(ez_copy_string(&r->folder, context, folder));
    r->fd = ez_os_open_nameless(folder);
    if (r->fd < 0)
        return fail(context, folder, bytes, errno);
    EZ_TRY(reserve(r, context, bytes));
    void *at = ez_os_map_writable(r->fd, bytes);
    if (!at)
        return fail(context, folder, bytes, errno);
    r->at = at;
    r->bytes = bytes;
    return EZLDA_OK;
}

static ezlda_status make_mapping(void *out, ezlda_context *context, const char *folder,
                                 size_t bytes)
{
    mapping *r = NULL;
    EZ_TRY(ez_array_zero(&r, context, 1, sizeof *r, "a scratch file"));
    r->fd = -1;
    ezlda_status status = map_file(r, context, folder, bytes);
    if (status != EZLDA_OK) {
        free_mapping(r);
        return status;
    }
    memcpy(out, &r->at, sizeof r->at);
    add_mapping(r);
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
    /* Vector loads may read beyond the end, as in an ez_array. */
    if (!ez_mul_size(n, size, &bytes) || !ez_add_size(bytes, ez_os_page_bytes(), &padded))
        return ez_fail(context, EZLDA_ERROR_MEMORY, "%s: %zu x %zu bytes are too many", what, n,
                       size);
    return make_mapping(out, context, folder, padded);
}

/* Notes that the data stay in memory because the folder has no room. */
static ezlda_status to_memory(ezlda_context *context)
{
    ez_warn(context, "%s; it is kept in memory", ezlda_error_message(context));
    ez_clear(context);
    return EZLDA_OK;
}

ezlda_status ez_scratch_buffer(ez_buffer *buffer, ezlda_context *context, const char *folder)
{
    *buffer = (ez_buffer){0};
    if (!folder)
        return EZLDA_OK;
    ezlda_status status = make_mapping(&buffer->data, context, folder, EZ_SCRATCH_FIRST);
    if (status == EZLDA_OK)
        buffer->capacity = EZ_SCRATCH_FIRST;
    return status == EZLDA_ERROR_IO ? to_memory(context) : status;
}

static ezlda_status grow(mapping *r, ezlda_context *context, size_t bytes)
{
    EZ_TRY(reserve(r, context, bytes));
    void *at = ez_os_map_grow(&r->at, r->fd, r->bytes, bytes);
    if (!at)
        return fail(context, r->folder, bytes, errno);
    r->at = at;
    r->bytes = bytes;
    return EZLDA_OK;
}

/* Moves the content of *r, which cannot grow, to memory at *array, and sets *r to NULL. */
static ezlda_status move_to_memory(mapping **r, void *array, ezlda_context *context, size_t bytes)
{
    void *memory = NULL;
    EZ_TRY(to_memory(context));
    EZ_TRY(ez_array(&memory, context, bytes, 1, "what the scratch folder has no room for"));
    memcpy(memory, (*r)->at, (*r)->bytes);
    free_mapping(*r);
    *r = NULL;
    memcpy(array, &memory, sizeof memory);
    return EZLDA_OK;
}

bool ez_scratch_grow(void *array, ezlda_context *context, size_t bytes, ezlda_status *status)
{
    void *at;
    memcpy(&at, array, sizeof at);
    mapping *r = remove_mapping(at);
    if (!r)
        return false;
    *status = grow(r, context, bytes);
    if (*status == EZLDA_ERROR_IO)
        *status = move_to_memory(&r, array, context, bytes);
    if (!r)
        return true;
    memcpy(array, &r->at, sizeof r->at);
    add_mapping(r);
    return true;
}

bool ez_scratch_free(void *array)
{
    mapping *r = remove_mapping(array);
    if (r)
        free_mapping(r);
    return r != NULL;
}

/* Advises the kernel about the pages that hold some of the bytes or, if `whole`, only bytes of the
 * range. */
static void advise(const void *bytes, size_t n, bool whole, ez_page_advice advice)
{
    uintptr_t page = ez_os_page_bytes(), first = (uintptr_t)bytes, last = first + n;
    first = (whole ? first + page - 1 : first) / page * page;
    last = (whole ? last : last + page - 1) / page * page;
    if (last > first)
        ez_os_advise((void *)first, last - first, advice);
}

void ez_scratch_ahead(const void *bytes, size_t n)
{
    advise(bytes, n, false, EZ_PAGES_SOON);
}

void ez_scratch_behind(const void *bytes, size_t n)
{
    advise(bytes, n, true, EZ_PAGES_LATER);
}
