/* Copies between host and device. Large ones go through two stages of pinned memory, which the
 * device reaches at the full speed of the link: while one stage is copied, the threads of the host
 * fill or empty the other. */
#include "backend/cuda/driver/device.h"

#include <string.h>

enum { EZ_STAGE_BYTES = 8 << 20, EZ_STAGED_MIN = 2 * EZ_STAGE_BYTES, EZ_MOVE_BYTES = 256 << 10 };

/* Whether there are stages; without enough pinned memory, copies work without them. */
static bool open_stages(ez_device *device)
{
    for (int i = 0; i < 2; i++)
        if (!device->stage[i] &&
            device->driver->cuMemAllocHost_v2(&device->stage[i], EZ_STAGE_BYTES) != CUDA_SUCCESS)
            device->stage[i] = NULL;
    return device->stage[0] && device->stage[1];
}

void ez_device_close_stages(ez_device *device)
{
    for (int i = 0; i < 2; i++) {
        ez_device_host_free(device, device->stage[i]);
        device->stage[i] = NULL;
    }
}

/* Copies within the host, by all its threads. */
static void move(ezlda_context *context, void *to, const void *from, size_t bytes)
{
    int64_t moves = (int64_t)((bytes + EZ_MOVE_BYTES - 1) / EZ_MOVE_BYTES);
#pragma omp parallel for schedule(static) num_threads(ez_threads(context))
    for (int64_t i = 0; i < moves; i++) {
        size_t at = (size_t)i * EZ_MOVE_BYTES, left = bytes - at;
        memcpy((char *)to + at, (const char *)from + at,
               left < EZ_MOVE_BYTES ? left : EZ_MOVE_BYTES);
    }
}

/* The bytes of a stage that begins at `at`. */
static size_t staged_bytes(size_t bytes, size_t at)
{
    return bytes - at < EZ_STAGE_BYTES ? bytes - at : EZ_STAGE_BYTES;
}

static ezlda_status write_staged(ez_device *device, ezlda_context *context, void *array,
                                 const char *host, size_t bytes, const char *what)
{
    int turn = 0;
    for (size_t at = 0; at < bytes; at += EZ_STAGE_BYTES, turn = !turn) {
        size_t n = staged_bytes(bytes, at);
        move(context, device->stage[turn], host + at, n);
        EZ_DEVICE_CALL(device, context, what, cuCtxSynchronize); /* the other stage is free again */
        EZ_DEVICE_CALL(device, context, what, cuMemcpyHtoDAsync_v2, ez_address(array) + at,
                       device->stage[turn], n, NULL);
    }
    EZ_DEVICE_CALL(device, context, what, cuCtxSynchronize);
    return EZLDA_OK;
}

static ezlda_status read_staged(ez_device *device, ezlda_context *context, char *host,
                                const void *array, size_t bytes, const char *what)
{
    size_t before = 0; /* bytes that wait in the other stage */
    int turn = 0;
    for (size_t at = 0; at < bytes || before > 0; at += EZ_STAGE_BYTES, turn = !turn) {
        size_t n = at < bytes ? staged_bytes(bytes, at) : 0;
        if (n > 0)
            EZ_DEVICE_CALL(device, context, what, cuMemcpyDtoHAsync_v2, device->stage[turn],
                           ez_address(array) + at, n, NULL);
        if (before > 0)
            move(context, host + at - EZ_STAGE_BYTES, device->stage[!turn], before);
        EZ_DEVICE_CALL(device, context, what, cuCtxSynchronize);
        before = n;
    }
    return EZLDA_OK;
}

ezlda_status ez_device_read(ez_device *device, ezlda_context *context, void *host,
                            const void *array, size_t bytes)
{
    const char *what = ez_device_array_name(device, array);
    if (bytes >= EZ_STAGED_MIN && open_stages(device))
        EZ_TRY(read_staged(device, context, host, array, bytes, what));
    else
        EZ_DEVICE_CALL(device, context, what, cuMemcpyDtoH_v2, host, ez_address(array), bytes);
    device->n_launched = device->n_marked = 0;
    return EZLDA_OK;
}

ezlda_status ez_device_write(ez_device *device, ezlda_context *context, void *array,
                             const void *host, size_t bytes)
{
    const char *what = ez_device_array_name(device, array);
    if (bytes >= EZ_STAGED_MIN && open_stages(device))
        return write_staged(device, context, array, host, bytes, what);
    EZ_DEVICE_CALL(device, context, what, cuMemcpyHtoD_v2, ez_address(array), host, bytes);
    return EZLDA_OK;
}
