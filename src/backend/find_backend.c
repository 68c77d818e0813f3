#include "backend/backend.h"
#include "backend/device_ahead.h"

#ifdef EZLDA_HAVE_CUDA
#include "backend/cuda/device_facts.h"
#endif

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

typedef enum device_kind { DEVICE_AUTO, DEVICE_CUDA, DEVICE_CUDA_NUMBER, DEVICE_CPU, DEVICE_REFERENCE } device_kind;

/* N of "cuda:N": up to four digits and nothing else. */
static bool parse_number(const char *text, int *number)
{
    size_t n = strspn(text, "0123456789");
    if (n == 0 || n > 4 || text[n])
        return false;
    *number = 0;
    for (; *text; text++)
        *number = *number * 10 + (*text - '0');
    return true;
}

static ezlda_status parse_device(const char *device, ezlda_context *context, device_kind *kind, int *number)
{
    static const struct {
        const char *name;
        device_kind kind;
    } names[] = {{"auto", DEVICE_AUTO}, {"cuda", DEVICE_CUDA}, {"cpu", DEVICE_CPU}, {"reference", DEVICE_REFERENCE}};
    *number = 0;
    *kind = DEVICE_AUTO;
    if (!device)
        return EZLDA_OK;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(device, names[i].name) == 0) {
            *kind = names[i].kind;
            return EZLDA_OK;
        }
    *kind = DEVICE_CUDA_NUMBER;
    if (strncmp(device, "cuda:", 5) == 0 && parse_number(device + 5, number))
        return EZLDA_OK;
    return ez_fail(context, EZLDA_ERROR_ARGUMENT, "device is \"%s\"; expected auto, cuda, cuda:N, cpu or reference",
                   device);
}

#ifdef EZLDA_HAVE_CUDA

static void end_ahead(void *ahead)
{
    ez_device_ahead_end(ahead);
}

static ezlda_status find_cuda(const ez_backend_ops **out, int *number, ezlda_context *context, bool numbered)
{
    ez_device_facts facts;
    EZ_TRY(numbered ? ez_device_require(&facts, context, *number) : ez_device_first_usable(&facts, context));
    *number = facts.number;
    *out = &ez_cuda_backend;
    return EZLDA_OK;
}

void ez_wait_ahead(ezlda_context *context)
{
    ez_device_ahead *ahead = ez_context_kept(context);
    if (ahead)
        ez_device_ahead_wait(ahead);
}

static void begin_ahead(ezlda_context *context, int number)
{
    ez_device_ahead *ahead = ez_device_ahead_begin(number);
    if (ahead)
        ez_context_keep(context, ahead, end_ahead);
}

static bool is_unusable(ezlda_status status)
{
    return status == EZLDA_ERROR_DEVICE || status == EZLDA_ERROR_UNSUPPORTED;
}

static void take_reason(ezlda_context *context, char *why, size_t size)
{
    if (!*why)
        snprintf(why, size, "%s", ezlda_error_message(context));
    ez_clear(context);
}

/* Tries the GPUs in their order. *out stays NULL where none can be used; `why` then holds the first one's reason. */
static ezlda_status open_first_gpu(ez_backend **out, ezlda_context *context, ez_token_list *tokens,
                                   ez_settings *settings, char *why, size_t size)
{
    int count;
    *out = NULL;
    *why = '\0';
    if (ez_device_count(&count, context) != EZLDA_OK)
        take_reason(context, why, size);
    for (int number = 0; number < count; number++) {
        ez_device_facts facts;
        settings->device_number = number;
        ezlda_status status = ez_device_require(&facts, context, number);
        if (status == EZLDA_OK)
            status = ez_cuda_backend.create(out, context, tokens, settings);
        if (status == EZLDA_OK)
            ez_note(context, "device: cuda:%d, %s%s%s%s", number, facts.name, *why ? " (" : "", why, *why ? ")" : "");
        if (status == EZLDA_OK || !is_unusable(status))
            return status;
        take_reason(context, why, size);
    }
    return EZLDA_OK;
}

#else

static ezlda_status find_cuda(const ez_backend_ops **out, int *number, ezlda_context *context, bool numbered)
{
    (void)numbered;
    *out = NULL;
    *number = 0;
    return ez_fail(context, EZLDA_ERROR_UNSUPPORTED, "this build has no CUDA: it was made without nvcc");
}

void ez_wait_ahead(ezlda_context *context)
{
    (void)context;
}

static void begin_ahead(ezlda_context *context, int number)
{
    (void)context, (void)number;
}

static ezlda_status open_first_gpu(ez_backend **out, ezlda_context *context, ez_token_list *tokens,
                                   ez_settings *settings, char *why, size_t size)
{
    (void)context, (void)tokens, (void)settings;
    *out = NULL;
    snprintf(why, size, "this build has no CUDA");
    return EZLDA_OK;
}

#endif

void ezlda_context_open_device(ezlda_context *context, const char *device)
{
    device_kind kind;
    int number;
    if (!context || ez_context_kept(context) || parse_device(device, NULL, &kind, &number) != EZLDA_OK)
        return;
    if (kind == DEVICE_AUTO || kind == DEVICE_CUDA || kind == DEVICE_CUDA_NUMBER)
        begin_ahead(context, kind == DEVICE_CUDA_NUMBER ? number : -1);
}

void ez_close_ahead(ezlda_context *context)
{
    ez_context_keep(context, NULL, NULL);
}

ezlda_status ez_backend_find(const ez_backend_ops **out, int *number, ezlda_context *context, const char *device)
{
    device_kind kind;
    *out = NULL;
    EZ_TRY(parse_device(device, context, &kind, number));
    switch (kind) {
    case DEVICE_CUDA:
    case DEVICE_CUDA_NUMBER: return find_cuda(out, number, context, kind == DEVICE_CUDA_NUMBER);
    case DEVICE_REFERENCE: *out = &ez_reference_backend; return EZLDA_OK;
    case DEVICE_CPU: *out = &ez_cpu_backend; return EZLDA_OK;
    case DEVICE_AUTO: break;
    }
    if (find_cuda(out, number, NULL, false) != EZLDA_OK)
        *out = &ez_cpu_backend;
    return EZLDA_OK;
}

ezlda_status ez_backend_open(ez_backend **out, ezlda_context *context, const char *device, ez_token_list *tokens,
                             ez_settings *settings)
{
    const ez_backend_ops *ops;
    char why[512];
    *out = NULL;
    if (device && strcmp(device, "auto") != 0) {
        EZ_TRY(ez_backend_find(&ops, &settings->device_number, context, device));
        return ops->create(out, context, tokens, settings);
    }
    EZ_TRY(open_first_gpu(out, context, tokens, settings, why, sizeof why));
    if (*out)
        return EZLDA_OK;
    settings->device_number = 0;
    ez_note(context, "device: cpu, %d threads (%s)", ez_threads(context), why);
    return ez_cpu_backend.create(out, context, tokens, settings);
}
