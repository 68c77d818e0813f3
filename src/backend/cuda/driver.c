#include "backend/cuda/driver.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

static ez_driver the_driver;

/* The text of a code, for codes that the driver knows. */
static const char *text_of(CUresult (*get)(CUresult, const char **), CUresult code, const char *unknown)
{
    const char *text = NULL;
    return get && get(code, &text) == CUDA_SUCCESS && text ? text : unknown;
}

ezlda_status ez_driver_fail(const ez_driver *driver, ezlda_context *context, CUresult code, const char *call,
                            const char *what)
{
    return ez_fail(context, code == CUDA_ERROR_OUT_OF_MEMORY ? EZLDA_ERROR_MEMORY : EZLDA_ERROR_DEVICE,
                   "CUDA: %s%s%s failed with %s (%d): %s", call, *what ? " for " : "", what,
                   text_of(driver->cuGetErrorName, code, "an unknown error"), (int)code,
                   text_of(driver->cuGetErrorString, code, "no description"));
}

static ezlda_status find_calls(ez_driver *driver, ezlda_context *context)
{
    static const struct {
        const char *name;
        size_t offset;
    } calls[] = {
#define EZ_DRIVER_ROW(name, parameters) {#name, offsetof(ez_driver, name)},
        EZ_DRIVER_CALLS(EZ_DRIVER_ROW)
#undef EZ_DRIVER_ROW
    };
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        void *address = dlsym(driver->library, calls[i].name);
        if (!address)
            return ez_fail(context, EZLDA_ERROR_DEVICE, "the CUDA driver is too old: it lacks %s", calls[i].name);
        memcpy((char *)driver + calls[i].offset, &address, sizeof address);
    }
    return EZLDA_OK;
}

static ezlda_status open_driver(ez_driver *driver, ezlda_context *context)
{
    ez_driver opened = {.library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL)};
    if (!opened.library)
        return ez_fail(context, EZLDA_ERROR_DEVICE, "no CUDA device: the driver (libcuda.so.1) is not installed");
    ezlda_status status = find_calls(&opened, context);
    if (status == EZLDA_OK) {
        CUresult code = opened.cuInit(0);
        if (code != CUDA_SUCCESS)
            status = ez_driver_fail(&opened, context, code, "cuInit", "");
    }
    if (status != EZLDA_OK) {
        dlclose(opened.library);
        return status;
    }
    *driver = opened;
    return EZLDA_OK;
}

ezlda_status ez_driver_get(const ez_driver **out, ezlda_context *context)
{
    ezlda_status status = EZLDA_OK;
#pragma omp critical(ez_driver)
    if (!the_driver.library)
        status = open_driver(&the_driver, context);
    *out = &the_driver;
    return status;
}
