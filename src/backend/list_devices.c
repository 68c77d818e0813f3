/* Lists the devices of this machine, and which one "auto" chooses (choose_device.h). */
#include "backend/backend.h"
#include "backend/cpu/kernels/kernels.h"
#include "base/options_struct.h"
#include "base/os/processor.h"

#ifdef EZLDA_HAVE_CUDA
#include "backend/cuda/driver/coverage.h"
#include "backend/cuda/driver/device_facts.h"
#endif

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A listing in progress: the first device that can be used is the choice. */
typedef struct listing {
    ezlda_context *context;
    ezlda_devices_info info;
    ezlda_device_fn device;
    void *user;
    char first_reason[512]; /* why the first GPU cannot be used; "" if it can */
} listing;

static void show(listing *list, ezlda_device *device)
{
    device->size = sizeof *device;
    device->chosen = device->usable && !list->info.choice[0];
    if (device->chosen)
        snprintf(list->info.choice, sizeof list->info.choice, "%s", device->device);
    if (list->device)
        list->device(device, list->user);
}

#ifdef EZLDA_HAVE_CUDA

/* Opens the device as a run would. */
static ezlda_status try_device(ezlda_device *out, ezlda_context *context, int number)
{
    ez_device device;
    size_t free_bytes = 0, all_bytes = 0;
    ezlda_status status;
    EZ_TRY_GOTO(ez_device_open(&device, context, number));
    if (device.driver->cuMemGetInfo_v2(&free_bytes, &all_bytes) == CUDA_SUCCESS)
        out->memory_free_bytes = free_bytes;
done:
    ez_device_close(&device);
    return status;
}

/* A failure is listed and not returned: each device has a context of its own for its message. */
static ezlda_status show_gpu(listing *list, int number)
{
    ez_device_facts facts;
    ezlda_device device = {0};
    ezlda_context *quiet = NULL;
    if (ezlda_context_create(&quiet) != EZLDA_OK)
        return ez_fail(list->context, EZLDA_ERROR_MEMORY, "not enough memory");
    ezlda_status status = ez_device_get_facts(&facts, quiet, number);
    if (status == EZLDA_OK)
        status = try_device(&device, quiet, number);
    device.usable = status == EZLDA_OK;
    device.capability = facts.capability;
    device.processors = facts.processors;
    device.memory_bytes = facts.memory_bytes;
    snprintf(device.device, sizeof device.device, "cuda:%d", number);
    snprintf(device.name, sizeof device.name, "%s", facts.name);
    snprintf(device.kernels, sizeof device.kernels, "%s", facts.kernels);
    if (!device.usable)
        snprintf(device.reason, sizeof device.reason, "%s", ezlda_error_message(quiet));
    if (!device.usable && !list->first_reason[0])
        snprintf(list->first_reason, sizeof list->first_reason, "%s", device.reason);
    ezlda_context_free(quiet);
    show(list, &device);
    return EZLDA_OK;
}

static ezlda_status show_gpus(listing *list)
{
    ezlda_context *quiet = NULL;
    int count = 0;
    if (ezlda_context_create(&quiet) != EZLDA_OK)
        return ez_fail(list->context, EZLDA_ERROR_MEMORY, "not enough memory");
    if (ez_device_count(&count, quiet) != EZLDA_OK)
        snprintf(list->info.no_cuda, sizeof list->info.no_cuda, "%s", ezlda_error_message(quiet));
    ezlda_context_free(quiet);
    list->info.cuda_build = ez_coverage_toolkit();
    list->info.cuda_driver = ez_driver_version();
    ez_coverage_text(list->info.covers, sizeof list->info.covers);
    for (int number = 0; number < count; number++)
        EZ_TRY(show_gpu(list, number));
    return EZLDA_OK;
}

#else

static ezlda_status show_gpus(listing *list)
{
    snprintf(list->info.no_cuda, sizeof list->info.no_cuda,
             "this build has no CUDA: it was made without nvcc");
    return EZLDA_OK;
}

#endif

static void show_cpu(listing *list)
{
    const ez_kernels *kernels = ez_choose_kernels();
    ezlda_device device = {
        .device = "cpu",
        .usable = kernels != NULL,
        .processors = omp_get_num_procs(),
        .threads = ez_threads(list->context),
    };
    device.cores = ez_processor_cores(device.processors);
    ez_processor_name(device.name, sizeof device.name);
    if (kernels)
        snprintf(device.kernels, sizeof device.kernels, "%s", kernels->name);
    else
        snprintf(device.reason, sizeof device.reason,
                 "EZLDA_SIMD is \"%.64s\", which this processor does not run",
                 getenv("EZLDA_SIMD"));
    show(list, &device);
}

static void explain(listing *list)
{
    ezlda_devices_info *info = &list->info;
    const char *not_taken = info->no_cuda[0] ? info->no_cuda : list->first_reason;
    if (!info->choice[0])
        snprintf(info->why, sizeof info->why, "no device can be used");
    else if (strcmp(info->choice, "cpu") == 0)
        snprintf(info->why, sizeof info->why, "%s", not_taken);
    else if (list->first_reason[0])
        snprintf(info->why, sizeof info->why, "the first GPU that this build can use");
    else
        snprintf(info->why, sizeof info->why,
                 "this build can use it, and a GPU comes before the CPU");
}

ezlda_status ezlda_devices(ezlda_devices_info *info, ezlda_context *context, ezlda_device_fn device,
                           void *user)
{
    ez_clear(context);
    listing list = {.context = context, .device = device, .user = user};
    EZ_TRY(show_gpus(&list));
    show_cpu(&list);
    explain(&list);
    if (info)
        ez_struct_write(info, &list.info, sizeof list.info);
    return EZLDA_OK;
}
