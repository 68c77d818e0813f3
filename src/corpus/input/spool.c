/* Bytes in memory that spill to a temporary file and come back as a mapping. */
#include "corpus/input/spool.h"

#include "base/os/os_files.h"
#include "base/os/os_maps.h"

#include <errno.h>

enum { EZ_SPOOL_WRITE = 1 << 20 };

void ez_spool_init(ez_spool *spool, size_t limit)
{
    *spool = (ez_spool){.limit = limit, .fd = -1};
}

static ezlda_status flush(ez_spool *spool, ezlda_context *context)
{
    size_t done = 0;
    while (done < spool->memory.used) {
        int64_t n = ez_os_write(spool->fd, spool->memory.data + done, spool->memory.used - done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return ez_fail_errno(context, ez_os_temporary_folder(), "write a temporary file");
        done += (size_t)n;
    }
    spool->memory.used = 0;
    return EZLDA_OK;
}

/* If no temporary file can be created, the bytes stay in memory. */
static ezlda_status spill(ez_spool *spool, ezlda_context *context)
{
    spool->fd = ez_os_open_nameless(ez_os_temporary_folder());
    if (spool->fd < 0) {
        spool->limit = SIZE_MAX;
        return EZLDA_OK;
    }
    EZ_TRY(flush(spool, context));
    ez_free(spool->memory.data);
    spool->memory = (ez_buffer){0};
    spool->limit = EZ_SPOOL_WRITE;
    return EZLDA_OK;
}

ezlda_status ez_spool_append(ez_spool *spool, ezlda_context *context, const void *bytes, size_t n)
{
    EZ_TRY(ez_buffer_append(&spool->memory, context, bytes, n));
    spool->used += n;
    if (spool->memory.used <= spool->limit)
        return EZLDA_OK;
    return spool->fd < 0 ? spill(spool, context) : flush(spool, context);
}

ezlda_status ez_spool_seal(ez_spool *spool, ezlda_context *context, const void **bytes)
{
    *bytes = spool->memory.data;
    if (spool->fd < 0)
        return EZLDA_OK;
    EZ_TRY(flush(spool, context));
    ez_free(spool->memory.data);
    spool->memory = (ez_buffer){0};
    void *map = ez_os_map(spool->fd, (size_t)spool->used);
    if (!map)
        return ez_fail_errno(context, ez_os_temporary_folder(), "map a temporary file");
    spool->map = map;
    spool->map_size = (size_t)spool->used;
    *bytes = map;
    return EZLDA_OK;
}

void ez_spool_free(ez_spool *spool)
{
    if (spool->map)
        ez_os_unmap(spool->map, spool->map_size);
    if (spool->fd >= 0)
        ez_os_close(spool->fd);
    ez_free(spool->memory.data);
    ez_spool_init(spool, spool->limit);
}
