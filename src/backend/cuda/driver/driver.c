/* Opens the CUDA driver, finds its calls and checks its version, once per process. */
#include "backend/cuda/driver/driver.h"

#include "backend/cuda/driver/coverage.h"
#include "base/os/os_libraries.h"

#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#ifdef _WIN32
#define DRIVER "nvcuda.dll"
#else
#define DRIVER "libcuda.so.1"
#endif

/* Not an OpenMP lock: threads that the OpenMP runtime does not know use it too. */
static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;
static void *the_library; /* once found, even if it cannot be used */
static ez_driver the_driver;
static int the_version;

/* The driver's text for a code, or `unknown`. */
static const char *text_of(CUresult (*get)(CUresult, const char **), CUresult code,
                           const char *unknown)
{
    const char *text = NULL;
    return get && get(code, &text) == CUDA_SUCCESS && text ? text : unknown;
}

void ez_driver_code_text(const ez_driver *driver, CUresult code, char *text, size_t size)
{
    snprintf(text, size, "%s (%d): %s", text_of(driver->cuGetErrorName, code, "an unknown error"),
             (int)code, text_of(driver->cuGetErrorString, code, "no description"));
}

ezlda_status ez_driver_fail(const ez_driver *driver, ezlda_context *context, CUresult code,
                            const char *call, const char *what)
{
    char text[256];
    ez_driver_code_text(driver, code, text, sizeof text);
    return ez_fail(context,
                   code == CUDA_ERROR_OUT_OF_MEMORY ? EZLDA_ERROR_MEMORY : EZLDA_ERROR_DEVICE,
                   "CUDA: %s%s%s failed with %s", call, *what ? " for " : "", what, text);
}

/* Fills the table; returns the name of the first call that the driver lacks, or NULL. */
static const char *find_calls(ez_driver *driver)
{
    static const struct {
        const char *name;
        size_t offset;
    } calls[] = {
#define EZ_DRIVER_ROW(name, parameters) {#name, offsetof(ez_driver, name)},
        EZ_DRIVER_CALLS(EZ_DRIVER_ROW)
#undef EZ_DRIVER_ROW
    };
    const char *missing = NULL;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        void *address = ez_os_library_symbol(driver->library, calls[i].name);
        if (!address && !missing)
            missing = calls[i].name;
        memcpy((char *)driver + calls[i].offset, &address, sizeof address);
    }
    return missing;
}

/* Fails if the driver is too old, by its version or by a call that it lacks. */
static ezlda_status check_age(const ez_driver *driver, ezlda_context *context, const char *missing)
{
    int needed = ez_coverage_oldest_driver();
    if (driver->cuDriverGetVersion)
        EZ_CUDA(driver, context, "", cuDriverGetVersion, &the_version);
    if (the_version && the_version < needed)
        return ez_fail(context, EZLDA_ERROR_DEVICE,
                       "the CUDA driver is too old: it supports CUDA %d.%d, and this build needs "
                       "%d.%d or newer; "
                       "update the NVIDIA driver",
                       the_version / 1000, the_version % 1000 / 10, needed / 1000,
                       needed % 1000 / 10);
    if (missing)
        return ez_fail(context, EZLDA_ERROR_DEVICE,
                       "the CUDA driver (" DRIVER
                       ") is too old: it lacks %s; update the NVIDIA driver",
                       missing);
    return EZLDA_OK;
}

static ezlda_status initialise(const ez_driver *driver, ezlda_context *context)
{
    CUresult code = driver->cuInit(0);
    if (code == CUDA_ERROR_NO_DEVICE)
        return ez_fail(context, EZLDA_ERROR_DEVICE,
                       "no CUDA device: the driver (CUDA %d.%d) sees none", the_version / 1000,
                       the_version % 1000 / 10);
    return code == CUDA_SUCCESS ? EZLDA_OK : ez_driver_fail(driver, context, code, "cuInit", "");
}

static ezlda_status fail_open(ezlda_context *context)
{
    const char *why = ez_os_library_error();
    if (ez_os_library_is_missing(why))
        return ez_fail(context, EZLDA_ERROR_DEVICE,
                       "no CUDA device: the driver (" DRIVER ") is not installed");
    return ez_fail(context, EZLDA_ERROR_DEVICE, "no CUDA device: the driver cannot be opened: %s",
                   why);
}

static ezlda_status find_library(ezlda_context *context)
{
    if (!the_library)
        the_library = ez_os_library_open(DRIVER, false);
    return the_library ? EZLDA_OK : fail_open(context);
}

static ezlda_status open_driver(ez_driver *driver, ezlda_context *context)
{
    EZ_TRY(find_library(context));
    ez_driver opened = {.library = the_library};
    EZ_TRY(check_age(&opened, context, find_calls(&opened)));
    EZ_TRY(initialise(&opened, context));
    *driver = opened;
    return EZLDA_OK;
}

ezlda_status ez_driver_find(ezlda_context *context)
{
    pthread_mutex_lock(&opening);
    ezlda_status status = find_library(context);
    pthread_mutex_unlock(&opening);
    return status;
}

ezlda_status ez_driver_get(const ez_driver **out, ezlda_context *context)
{
    ezlda_status status = EZLDA_OK;
    pthread_mutex_lock(&opening);
    if (!the_driver.library)
        status = open_driver(&the_driver, context);
    pthread_mutex_unlock(&opening);
    *out = &the_driver;
    return status;
}

int ez_driver_version(void)
{
    return the_version;
}
