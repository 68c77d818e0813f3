/* Device memory: allocates, frees, zeroes and copies arrays, counts their bytes, and names the
 * array in every error. Also pinned host memory. */
#include "backend/cuda/driver/device.h"

#include <stdio.h>
#include <string.h>

/* ---- the list of arrays ---- */

static ez_device_block *blocks_of(const ez_device *device, size_t *n)
{
    *n = device->blocks.used / sizeof(ez_device_block);
    return (ez_device_block *)(void *)device->blocks.data;
}

/* The array that contains an address, or NULL. */
static ez_device_block *find_block(const ez_device *device, CUdeviceptr at)
{
    size_t n;
    ez_device_block *block = blocks_of(device, &n);
    for (size_t i = 0; i < n; i++)
        if (at >= block[i].begin && at - block[i].begin < block[i].bytes)
            return &block[i];
    return NULL;
}

const char *ez_device_array_name(const ez_device *device, const void *array)
{
    const ez_device_block *block = find_block(device, ez_address(array));
    return block ? block->what : "an unknown array";
}

static void count_block(ez_device *device, uint64_t bytes)
{
    device->bytes += bytes;
    if (device->bytes > device->peak_bytes)
        device->peak_bytes = device->bytes;
}

static void forget_block(ez_device *device, ez_device_block *block)
{
    size_t n;
    ez_device_block *blocks = blocks_of(device, &n);
    size_t after = (size_t)(blocks + n - (block + 1));
    device->bytes -= block->bytes;
    memmove(block, block + 1, after * sizeof *block);
    device->blocks.used -= sizeof *block;
}

/* ---- free memory ---- */

static const char *bytes_text(uint64_t bytes, char text[32])
{
    static const char *const unit[] = {"bytes", "kB", "MB", "GB", "TB"};
    double value = (double)bytes;
    int u = 0;
    for (; value >= 999.5 && u < 4; u++)
        value /= 1000;
    snprintf(text, 32, "%.*f %s", u == 0 ? 0 : value < 100 ? 2 : 1, value, unit[u]);
    return text;
}

ezlda_status ez_device_no_room(const ez_device *device, ezlda_context *context, const char *what,
                               uint64_t need, uint64_t room)
{
    char needed[32], there[32], missing[32];
    return ez_fail(
        context, EZLDA_ERROR_MEMORY,
        "cuda:%d (%s): %s needs %s of device memory and %s can be had: %s is missing; use fewer "
        "topics, a "
        "smaller corpus, more --device-memory, a GPU with more free memory or --device cpu",
        device->number, device->name, what, bytes_text(need, needed), bytes_text(room, there),
        bytes_text(need - room, missing));
}

ezlda_status ez_device_free_memory(ez_device *device, ezlda_context *context, uint64_t *bytes)
{
    size_t free_bytes = 0, all_bytes = 0;
    EZ_DEVICE_CALL(device, context, "free memory", cuMemGetInfo_v2, &free_bytes, &all_bytes);
    *bytes = free_bytes;
    return EZLDA_OK;
}

ezlda_status ez_device_reserve_check(ez_device *device, ezlda_context *context, uint64_t bytes,
                                     const char *what)
{
    uint64_t free_bytes = 0;
    EZ_TRY(ez_device_free_memory(device, context, &free_bytes));
    return bytes > free_bytes ? ez_device_no_room(device, context, what, bytes, free_bytes)
                              : EZLDA_OK;
}

/* Enough memory was free, but not contiguous, or another process was faster. */
static ezlda_status fail_allocation(const ez_device *device, ezlda_context *context, CUresult code,
                                    const char *what, uint64_t bytes)
{
    char needed[32], text[256];
    if (code != CUDA_ERROR_OUT_OF_MEMORY)
        return ez_device_fail(device, context, code, "cuMemAlloc_v2", what);
    ez_driver_code_text(device->driver, code, text, sizeof text);
    return ez_fail(context, EZLDA_ERROR_MEMORY,
                   "cuda:%d (%s): %s needs %s of device memory in one piece, and cuMemAlloc_v2 "
                   "failed with %s; use "
                   "fewer topics, a smaller corpus, a GPU that nobody else uses or --device cpu",
                   device->number, device->name, what, bytes_text(bytes, needed), text);
}

/* ---- arrays ---- */

ezlda_status ez_device_array(ez_device *device, ezlda_context *context, void *out, const void *host,
                             size_t n, size_t size, const char *what)
{
    size_t bytes;
    ez_device_block block = {.what = what};
    if (!ez_mul_size(n ? n : 1, size, &bytes))
        return ez_fail(context, EZLDA_ERROR_MEMORY, "%s of %zu x %zu bytes is too large", what, n,
                       size);
    EZ_TRY(ez_device_reserve_check(device, context, bytes, what));
    EZ_TRY(ez_buffer_reserve(&device->blocks, context, sizeof block));
    CUresult code = device->driver->cuMemAlloc_v2(&block.begin, bytes);
    if (code != CUDA_SUCCESS)
        return fail_allocation(device, context, code, what, bytes);
    block.bytes = bytes;
    EZ_TRY(ez_buffer_append(&device->blocks, context, &block, sizeof block));
    count_block(device, bytes);
    void *array = (void *)(uintptr_t)block.begin;
    memcpy(out, &array, sizeof array);
    return host && n ? ez_device_write(device, context, array, host, n * size) : EZLDA_OK;
}

void ez_device_free(ez_device *device, void *array)
{
    ez_device_block *block = array ? find_block(device, ez_address(array)) : NULL;
    if (!block)
        return;
    device->driver->cuMemFree_v2(block->begin);
    forget_block(device, block);
}

void ez_device_free_all(ez_device *device)
{
    size_t n;
    ez_device_block *block = blocks_of(device, &n);
    for (size_t i = 0; i < n; i++)
        device->driver->cuMemFree_v2(block[i].begin);
    ez_free(device->blocks.data);
    device->blocks = (ez_buffer){0};
    device->bytes = 0;
}

ezlda_status ez_device_zero(ez_device *device, ezlda_context *context, void *array, size_t bytes)
{
    EZ_DEVICE_CALL(device, context, ez_device_array_name(device, array), cuMemsetD8Async,
                   ez_address(array), 0, bytes, device->main);
    return EZLDA_OK;
}

ezlda_status ez_device_copy(ez_device *device, ezlda_context *context, void *to, const void *from,
                            size_t bytes)
{
    EZ_DEVICE_CALL(device, context, ez_device_array_name(device, to), cuMemcpyDtoDAsync_v2,
                   ez_address(to), ez_address(from), bytes, device->main);
    return EZLDA_OK;
}

ezlda_status ez_device_copy_from(ez_device *device, ezlda_context *context, void *to,
                                 const ez_device *other, const void *from, size_t bytes)
{
    if (device->cuda == other->cuda)
        return ez_device_copy(device, context, to, from, bytes);
    EZ_DEVICE_CALL(device, context, ez_device_array_name(device, to), cuMemcpyPeerAsync,
                   ez_address(to), device->cuda, ez_address(from), other->cuda, bytes,
                   device->main);
    return EZLDA_OK;
}

/* ---- pinned memory of the host ---- */

ezlda_status ez_device_host_array(ez_device *device, ezlda_context *context, void *out, size_t n,
                                  size_t size, const char *what)
{
    size_t bytes;
    void *array = NULL;
    char needed[32];
    if (!ez_mul_size(n ? n : 1, size, &bytes))
        return ez_fail(context, EZLDA_ERROR_MEMORY, "%s of %zu x %zu bytes is too large", what, n,
                       size);
    CUresult code = device->driver->cuMemAllocHost_v2(&array, bytes);
    if (code == CUDA_ERROR_OUT_OF_MEMORY)
        return ez_fail(context, EZLDA_ERROR_MEMORY,
                       "%s needs %s of pinned memory of the host, and cuMemAllocHost_v2 found none",
                       what, bytes_text(bytes, needed));
    if (code != CUDA_SUCCESS)
        return ez_device_fail(device, context, code, "cuMemAllocHost_v2", what);
    memcpy(out, &array, sizeof array);
    return EZLDA_OK;
}

void ez_device_host_free(ez_device *device, void *array)
{
    if (array)
        device->driver->cuMemFreeHost(array);
}

ezlda_status ez_device_read_async(ez_device *device, ezlda_context *context, void *host,
                                  const void *array, size_t bytes)
{
    EZ_DEVICE_CALL(device, context, ez_device_array_name(device, array), cuMemcpyDtoHAsync_v2, host,
                   ez_address(array), bytes, device->main);
    return EZLDA_OK;
}
