#include "backend/backend.h"

#ifdef EZLDA_HAVE_CUDA
#include "backend/cuda/device.h"
#endif

#include <string.h>

static ezlda_status find_cuda(const ez_backend_ops **out, ezlda_context *context)
{
#ifdef EZLDA_HAVE_CUDA
    (void)context;
    *out = &ez_cuda_backend;
    return EZLDA_OK;
#else
    *out = NULL;
    return ez_fail(context, EZLDA_ERROR_UNSUPPORTED, "this build has no CUDA: it was made without nvcc");
#endif
}

/* The GPU where this build and this machine have one. */
static ezlda_status choose(const ez_backend_ops **out, ezlda_context *context)
{
#ifdef EZLDA_HAVE_CUDA
    char name[64], why[256];
    if (ez_device_present(name, sizeof name, why, sizeof why)) {
        *out = &ez_cuda_backend;
        ez_note(context, "device: cuda, %s", name);
        return EZLDA_OK;
    }
    ez_note(context, "device: cpu, %d threads (%s)", ez_threads(context), why);
#else
    ez_note(context, "device: cpu, %d threads", ez_threads(context));
#endif
    *out = &ez_cpu_backend;
    return EZLDA_OK;
}

ezlda_status ez_backend_find(const ez_backend_ops **out, ezlda_context *context, const char *device)
{
    if (!device || strcmp(device, "auto") == 0)
        return choose(out, context);
    if (strcmp(device, "cuda") == 0)
        return find_cuda(out, context);
    const ez_backend_ops *const others[] = {&ez_reference_backend, &ez_cpu_backend};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(device, others[i]->name) == 0) {
            *out = others[i];
            return EZLDA_OK;
        }
    return ez_fail(context, EZLDA_ERROR_ARGUMENT, "device is \"%s\"; expected auto, cuda, cpu or reference", device);
}
