/* Opens and closes a device, and launches kernels on it. */
#include "backend/cuda/driver/device.h"

#include "backend/cuda/driver/coverage.h"
#include "backend/cuda/driver/device_facts.h"

#include <stdio.h>
#include <string.h>

/* ---- failures ---- */

/* The kernels that were launched since the last check, the latest last; "" if there are none. */
static void launched_text(const ez_device *device, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < device->n_launched && used < size; i++)
        used += (size_t)snprintf(
            text + used, size - used, "%s%s",
            i ? ", " : "; kernels started since the last check: ", device->launched[i]);
}

ezlda_status ez_device_fail(const ez_device *device, ezlda_context *context, CUresult code,
                            const char *call, const char *what)
{
    char text[256], launched[1024];
    ez_driver_code_text(device->driver, code, text, sizeof text);
    launched_text(device, launched, sizeof launched);
    return ez_fail(context,
                   code == CUDA_ERROR_OUT_OF_MEMORY ? EZLDA_ERROR_MEMORY : EZLDA_ERROR_DEVICE,
                   "cuda:%d (%s): %s%s%s failed with %s%s", device->number, device->name, call,
                   *what ? " for " : "", what, text, launched);
}

/* ---- opening ---- */

/* Codes that mean: the image has no code for this GPU, or none that this driver can read. */
static bool is_uncovered(CUresult code)
{
    return code == CUDA_ERROR_NO_BINARY_FOR_GPU || code == CUDA_ERROR_INVALID_PTX ||
           code == CUDA_ERROR_UNSUPPORTED_PTX_VERSION || code == CUDA_ERROR_INVALID_IMAGE;
}

static ezlda_status fail_load(const ez_device *device, ezlda_context *context, CUresult code,
                              const char *image)
{
    char text[256], covered[256];
    if (!is_uncovered(code))
        return ez_device_fail(device, context, code, "cuModuleLoadData", image);
    ez_driver_code_text(device->driver, code, text, sizeof text);
    ez_coverage_text(covered, sizeof covered);
    return ez_fail(context, EZLDA_ERROR_UNSUPPORTED,
                   "cuda:%d (%s, compute capability %d.%d) does not run this build, which covers "
                   "%s: cuModuleLoadData "
                   "for %s failed with %s",
                   device->number, device->name, device->capability / 10, device->capability % 10,
                   covered, image, text);
}

static ezlda_status load_kernels(ez_device *device, ezlda_context *context)
{
    for (; device->modules < EZ_KERNEL_IMAGES; device->modules++) {
        const ez_kernel_image *image = &ez_kernel_images[device->modules];
        CUresult code =
            device->driver->cuModuleLoadData(&device->module[device->modules], image->data);
        if (code != CUDA_SUCCESS)
            return fail_load(device, context, code, image->name);
    }
    return EZLDA_OK;
}

ezlda_status ez_device_open(ez_device *device, ezlda_context *context, int number)
{
    ez_device_facts facts;
    *device = (ez_device){.number = number};
    EZ_TRY(ez_device_require(&facts, context, number));
    EZ_TRY(ez_driver_get(&device->driver, context));
    snprintf(device->name, sizeof device->name, "%.63s", facts.name);
    device->device = facts.device;
    device->capability = facts.capability;
    device->processors = facts.processors;
    EZ_DEVICE_CALL(device, context, "the shared memory of a block", cuDeviceGetAttribute,
                   &device->shared_limit, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN,
                   device->device);
    EZ_DEVICE_CALL(device, context, "", cuDevicePrimaryCtxRetain, &device->cuda, device->device);
    EZ_TRY(ez_device_enter(device, context));
    return load_kernels(device, context);
}

void ez_device_close(ez_device *device)
{
    if (!device->cuda)
        return;
    device->driver->cuCtxSetCurrent(device->cuda);
    ez_device_free_all(device);
    ez_device_close_stages(device);
    for (int i = 0; i < EZ_SIDE_STREAMS; i++)
        if (device->side[i])
            device->driver->cuStreamDestroy_v2(device->side[i]);
    if (device->main)
        device->driver->cuStreamDestroy_v2(device->main);
    for (int i = 0; i < device->modules; i++)
        device->driver->cuModuleUnload(device->module[i]);
    device->driver->cuCtxSetCurrent(NULL);
    device->driver->cuDevicePrimaryCtxRelease_v2(device->device);
    device->cuda = NULL;
    device->modules = 0;
}

ezlda_status ez_device_own_stream(ez_device *device, ezlda_context *context)
{
    EZ_DEVICE_CALL(device, context, "a stream", cuStreamCreate, &device->main, 0);
    return EZLDA_OK;
}

ezlda_status ez_device_enter(ez_device *device, ezlda_context *context)
{
    EZ_DEVICE_CALL(device, context, "", cuCtxSetCurrent, device->cuda);
    return EZLDA_OK;
}

/* ---- kernels ---- */

ezlda_status ez_device_kernel(ez_device *device, ezlda_context *context, ez_kernel *kernel,
                              int image, const char *name, unsigned threads, unsigned shared)
{
    *kernel = (ez_kernel){.name = name, .threads = threads, .shared = shared, .parameters = 1};
    int blocks = 0;
    EZ_DEVICE_CALL(device, context, name, cuModuleGetFunction, &kernel->function,
                   device->module[image], name);
    EZ_DEVICE_CALL(device, context, name, cuFuncSetAttribute, kernel->function,
                   CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, (int)shared);
    EZ_DEVICE_CALL(device, context, name, cuOccupancyMaxActiveBlocksPerMultiprocessor, &blocks,
                   kernel->function, (int)threads, shared);
    kernel->blocks = (unsigned)(blocks > 0 ? blocks : 1) * (unsigned)device->processors;
    return EZLDA_OK;
}

/* Keeps each name once, in the order of the latest launches; the oldest is dropped. */
static void remember_launch(ez_device *device, const char *name)
{
    int at = 0;
    while (at < device->n_launched && device->launched[at] != name)
        at++;
    if (at == device->n_launched && at == EZ_LAUNCHED)
        at = 0;
    device->n_marked -= at < device->n_marked;
    if (at < device->n_launched) {
        memmove(&device->launched[at], &device->launched[at + 1],
                (size_t)(device->n_launched - at - 1) * sizeof *device->launched);
        device->n_launched--;
    }
    device->launched[device->n_launched++] = name;
}

static ezlda_status launch_in(ez_device *device, ezlda_context *context, const ez_kernel *kernel,
                              unsigned blocks, void *state, CUstream stream)
{
    void *parameters[EZ_PARAMETERS];
    for (int i = 0; i < kernel->parameters; i++)
        parameters[i] = (char *)state + kernel->offset[i];
    CUresult code = device->driver->cuLaunchKernel(kernel->function, blocks, 1, 1, kernel->threads,
                                                   1, 1, kernel->shared, stream, parameters, NULL);
    if (code != CUDA_SUCCESS) {
        char what[128];
        snprintf(what, sizeof what, "%s (%u blocks of %u threads, %u bytes of shared memory)",
                 kernel->name, blocks, kernel->threads, kernel->shared);
        return ez_device_fail(device, context, code, "cuLaunchKernel", what);
    }
    remember_launch(device, kernel->name);
    return EZLDA_OK;
}

ezlda_status ez_device_launch(ez_device *device, ezlda_context *context, const ez_kernel *kernel,
                              unsigned blocks, void *state)
{
    return launch_in(device, context, kernel, blocks, state, device->main);
}

ezlda_status ez_device_launch_aside(ez_device *device, ezlda_context *context,
                                    const ez_kernel *kernel, unsigned blocks, void *state, int side)
{
    CUstream *stream = &device->side[side % EZ_SIDE_STREAMS];
    if (!*stream)
        EZ_DEVICE_CALL(device, context, "a stream", cuStreamCreate, stream, 0);
    return launch_in(device, context, kernel, blocks, state, *stream);
}

ezlda_status ez_device_finish(ez_device *device, ezlda_context *context, const char *what)
{
    EZ_DEVICE_CALL(device, context, what, cuCtxSynchronize);
    device->n_launched = device->n_marked = 0;
    return EZLDA_OK;
}
