#include "backend/cuda/device.h"

#include "base/memory.h"

#include <stdio.h>
#include <string.h>

static CUdeviceptr address(const void *array)
{
    return (CUdeviceptr)(uintptr_t)array;
}

static ezlda_status attribute(ez_device *device, ezlda_context *context, CUdevice_attribute which, int *value)
{
    EZ_CUDA(device->driver, context, "", cuDeviceGetAttribute, value, which, device->device);
    return EZLDA_OK;
}

static ezlda_status load_kernels(ez_device *device, ezlda_context *context)
{
    for (; device->modules < EZ_KERNEL_IMAGES; device->modules++)
        EZ_CUDA(device->driver, context, ez_kernel_images[device->modules].name, cuModuleLoadData,
                &device->module[device->modules], ez_kernel_images[device->modules].data);
    return EZLDA_OK;
}

bool ez_device_present(char *name, size_t name_size, char *why, size_t why_size)
{
    ezlda_context *quiet = NULL;
    const ez_driver *driver;
    int count = 0;
    *name = *why = '\0';
    if (ezlda_context_create(&quiet) != EZLDA_OK)
        return false;
    if (ez_driver_get(&driver, quiet) != EZLDA_OK)
        snprintf(why, why_size, "%s", ezlda_error_message(quiet));
    else if (driver->cuDeviceGetCount(&count) != CUDA_SUCCESS || count == 0)
        snprintf(why, why_size, "the CUDA driver shows no device");
    else
        driver->cuDeviceGetName(name, (int)name_size, 0);
    ezlda_context_free(quiet);
    return count > 0;
}

ezlda_status ez_device_open(ez_device *device, ezlda_context *context, int number)
{
    *device = (ez_device){0};
    EZ_TRY(ez_driver_get(&device->driver, context));
    int count = 0;
    EZ_CUDA(device->driver, context, "", cuDeviceGetCount, &count);
    if (number >= count)
        return ez_fail(context, EZLDA_ERROR_DEVICE, "there is no CUDA device %d: this machine has %d", number, count);
    EZ_CUDA(device->driver, context, "", cuDeviceGet, &device->device, number);
    EZ_CUDA(device->driver, context, "", cuDeviceGetName, device->name, (int)sizeof device->name, device->device);
    EZ_TRY(attribute(device, context, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, &device->processors));
    EZ_TRY(attribute(device, context, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, &device->shared_limit));
    EZ_CUDA(device->driver, context, "", cuDevicePrimaryCtxRetain, &device->cuda, device->device);
    EZ_TRY(ez_device_enter(device, context));
    return load_kernels(device, context);
}

void ez_device_close(ez_device *device)
{
    if (!device->cuda)
        return;
    device->driver->cuCtxSetCurrent(device->cuda);
    for (int i = 0; i < device->modules; i++)
        device->driver->cuModuleUnload(device->module[i]);
    device->driver->cuCtxSetCurrent(NULL);
    device->driver->cuDevicePrimaryCtxRelease_v2(device->device);
    device->cuda = NULL;
}

ezlda_status ez_device_enter(ez_device *device, ezlda_context *context)
{
    EZ_CUDA(device->driver, context, "", cuCtxSetCurrent, device->cuda);
    return EZLDA_OK;
}

ezlda_status ez_device_kernel(ez_device *device, ezlda_context *context, ez_kernel *kernel, int image, const char *name,
                              unsigned threads, unsigned shared)
{
    *kernel = (ez_kernel){.name = name, .threads = threads, .shared = shared};
    int blocks = 0;
    EZ_CUDA(device->driver, context, name, cuModuleGetFunction, &kernel->function, device->module[image], name);
    EZ_CUDA(device->driver, context, name, cuFuncSetAttribute, kernel->function,
            CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, (int)shared);
    EZ_CUDA(device->driver, context, name, cuOccupancyMaxActiveBlocksPerMultiprocessor, &blocks, kernel->function,
            (int)threads, shared);
    kernel->blocks = (unsigned)(blocks > 0 ? blocks : 1) * (unsigned)device->processors;
    return EZLDA_OK;
}

ezlda_status ez_device_launch(ez_device *device, ezlda_context *context, const ez_kernel *kernel, unsigned blocks,
                              void *state)
{
    void *parameters[] = {state};
    EZ_CUDA(device->driver, context, kernel->name, cuLaunchKernel, kernel->function, blocks, 1, 1, kernel->threads, 1,
            1, kernel->shared, NULL, parameters, NULL);
    return EZLDA_OK;
}

ezlda_status ez_device_finish(ez_device *device, ezlda_context *context, const char *what)
{
    EZ_CUDA(device->driver, context, what, cuCtxSynchronize);
    return EZLDA_OK;
}

ezlda_status ez_device_array(ez_device *device, ezlda_context *context, void *out, const void *host, size_t n,
                             size_t size, const char *what)
{
    size_t bytes, free_bytes = 0, all_bytes = 0;
    CUdeviceptr memory = 0;
    if (!ez_mul_size(n ? n : 1, size, &bytes))
        return ez_fail(context, EZLDA_ERROR_MEMORY, "%s of %zu x %zu bytes is too large", what, n, size);
    EZ_CUDA(device->driver, context, what, cuMemGetInfo_v2, &free_bytes, &all_bytes);
    if (bytes > free_bytes)
        return ez_fail(context, EZLDA_ERROR_MEMORY,
                       "%s: %s needs %.2f GB of device memory and %.2f GB are free: %.2f GB are missing; use fewer "
                       "topics, a smaller corpus or --device cpu",
                       device->name, what, (double)bytes / 1e9, (double)free_bytes / 1e9,
                       (double)(bytes - free_bytes) / 1e9);
    EZ_CUDA(device->driver, context, what, cuMemAlloc_v2, &memory, bytes);
    device->bytes += bytes;
    if (device->bytes > device->peak_bytes)
        device->peak_bytes = device->bytes;
    void *array = (void *)(uintptr_t)memory;
    memcpy(out, &array, sizeof array);
    return host && n ? ez_device_write(device, context, array, host, n * size) : EZLDA_OK;
}

void ez_device_free(ez_device *device, void *array, size_t bytes)
{
    if (!array)
        return;
    device->driver->cuMemFree_v2(address(array));
    device->bytes -= bytes;
}

ezlda_status ez_device_zero(ez_device *device, ezlda_context *context, void *array, size_t bytes)
{
    EZ_CUDA(device->driver, context, "", cuMemsetD8Async, address(array), 0, bytes, NULL);
    return EZLDA_OK;
}

ezlda_status ez_device_read(ez_device *device, ezlda_context *context, void *host, const void *array, size_t bytes)
{
    EZ_CUDA(device->driver, context, "", cuMemcpyDtoH_v2, host, address(array), bytes);
    return EZLDA_OK;
}

ezlda_status ez_device_write(ez_device *device, ezlda_context *context, void *array, const void *host, size_t bytes)
{
    EZ_CUDA(device->driver, context, "", cuMemcpyHtoD_v2, address(array), host, bytes);
    return EZLDA_OK;
}
