/* Asks the driver about devices without opening them, and decides whether this build can use them.
 */
#include "backend/cuda/driver/device_facts.h"

#include "backend/cuda/driver/coverage.h"

#include <stdio.h>

ezlda_status ez_device_count(int *count, ezlda_context *context)
{
    const ez_driver *driver;
    *count = 0;
    EZ_TRY(ez_driver_get(&driver, context));
    EZ_CUDA(driver, context, "", cuDeviceGetCount, count);
    if (*count > 0)
        return EZLDA_OK;
    int version = ez_driver_version();
    return ez_fail(context, EZLDA_ERROR_DEVICE, "no CUDA device: the driver (CUDA %d.%d) sees none",
                   version / 1000, version % 1000 / 10);
}

static ezlda_status ask_driver(ez_device_facts *facts, ezlda_context *context,
                               const ez_driver *driver)
{
    char what[16];
    int major = 0, minor = 0;
    size_t bytes = 0;
    snprintf(what, sizeof what, "cuda:%d", facts->number);
    EZ_CUDA(driver, context, what, cuDeviceGet, &facts->device, facts->number);
    EZ_CUDA(driver, context, what, cuDeviceGetName, facts->name, (int)sizeof facts->name,
            facts->device);
    EZ_CUDA(driver, context, what, cuDeviceTotalMem_v2, &bytes, facts->device);
    EZ_CUDA(driver, context, what, cuDeviceGetAttribute, &major,
            CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, facts->device);
    EZ_CUDA(driver, context, what, cuDeviceGetAttribute, &minor,
            CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, facts->device);
    EZ_CUDA(driver, context, what, cuDeviceGetAttribute, &facts->processors,
            CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, facts->device);
    facts->capability = major * 10 + minor;
    facts->memory_bytes = bytes;
    return EZLDA_OK;
}

/* Sets `usable`, or the reason why not. */
static void judge_device(ez_device_facts *facts)
{
    ez_coverage coverage = ez_coverage_of(facts->capability);
    int version = ez_driver_version();
    char covered[256];
    facts->usable = coverage.covered && coverage.driver <= version;
    snprintf(facts->kernels, sizeof facts->kernels, "%s", coverage.label);
    if (facts->usable)
        return;
    ez_coverage_text(covered, sizeof covered);
    if (!coverage.covered)
        snprintf(facts->reason, sizeof facts->reason,
                 "cuda:%d (%s) has compute capability %d.%d, and this build covers %s",
                 facts->number, facts->name, facts->capability / 10, facts->capability % 10,
                 covered);
    else
        snprintf(facts->reason, sizeof facts->reason,
                 "cuda:%d (%s, compute capability %d.%d) is newer than this build's machine code "
                 "and needs a driver of "
                 "CUDA %d.%d or newer: this one supports %d.%d; update the NVIDIA driver",
                 facts->number, facts->name, facts->capability / 10, facts->capability % 10,
                 coverage.driver / 1000, coverage.driver % 1000 / 10, version / 1000,
                 version % 1000 / 10);
}

ezlda_status ez_device_get_facts(ez_device_facts *facts, ezlda_context *context, int number)
{
    const ez_driver *driver;
    int count;
    *facts = (ez_device_facts){.number = number};
    EZ_TRY(ez_device_count(&count, context));
    if (number < 0 || number >= count)
        return ez_fail(context, EZLDA_ERROR_DEVICE,
                       "there is no cuda:%d: this machine has %d CUDA device%s, numbered from 0",
                       number, count, count == 1 ? "" : "s");
    EZ_TRY(ez_driver_get(&driver, context));
    EZ_TRY(ask_driver(facts, context, driver));
    judge_device(facts);
    return EZLDA_OK;
}

ezlda_status ez_device_require(ez_device_facts *facts, ezlda_context *context, int number)
{
    EZ_TRY(ez_device_get_facts(facts, context, number));
    return facts->usable ? EZLDA_OK
                         : ez_fail(context, EZLDA_ERROR_UNSUPPORTED, "%s", facts->reason);
}

ezlda_status ez_device_first_usable(ez_device_facts *facts, ezlda_context *context)
{
    int count;
    EZ_TRY(ez_device_count(&count, context));
    for (int number = 0; number < count; number++) {
        if (ez_device_get_facts(facts, NULL, number) == EZLDA_OK && facts->usable)
            return EZLDA_OK;
    }
    return ez_device_require(facts, context, 0);
}
