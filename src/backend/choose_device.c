/* Parses the name of a device, finds the backend that serves it, and opens that backend: "auto"
 * tries one device after another. */
#include "backend/choose_device.h"

#include "backend/device_ahead.h"

#ifdef EZLDA_HAVE_CUDA
#include "backend/cuda/driver/device_facts.h"
#include "backend/cuda/driver/driver.h"
#endif

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* "N,N,...": up to four digits each and nothing else. */
static bool parse_numbers(const char *text, ez_gpus *gpus)
{
    for (gpus->n = 0; gpus->n < EZ_DEVICES_MAX;) {
        size_t digits = strspn(text, "0123456789");
        if (digits == 0 || digits > 4)
            return false;
        int *number = &gpus->number[gpus->n++];
        *number = 0;
        for (size_t i = 0; i < digits; i++)
            *number = *number * 10 + (text[i] - '0');
        text += digits;
        if (!*text)
            return true;
        if (*text++ != ',')
            return false;
    }
    return false;
}

ezlda_status ez_device_parse(ez_device_choice *out, ezlda_context *context, const char *device)
{
    static const struct {
        const char *name;
        ez_device_kind kind;
    } names[] = {{"auto", EZ_DEVICE_AUTO},
                 {"cuda", EZ_DEVICE_CUDA},
                 {"cuda:all", EZ_DEVICE_CUDA_ALL},
                 {"cpu", EZ_DEVICE_CPU},
                 {"reference", EZ_DEVICE_REFERENCE}};
    *out = (ez_device_choice){.kind = EZ_DEVICE_AUTO};
    if (!device)
        return EZLDA_OK;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(device, names[i].name) == 0) {
            out->kind = names[i].kind;
            return EZLDA_OK;
        }
    out->kind = EZ_DEVICE_CUDA_NUMBERS;
    if (strncmp(device, "cuda:", 5) == 0 && parse_numbers(device + 5, &out->named))
        return EZLDA_OK;
    return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                   "device is \"%s\"; expected auto, cuda, cuda:N, cuda:N,N,... (up to %d), "
                   "cuda:all, cpu or reference",
                   device, EZ_DEVICES_MAX);
}

#ifdef EZLDA_HAVE_CUDA

static void end_ahead(void *ahead)
{
    ez_device_ahead_end(ahead);
}

/* Finds the GPUs of the machine that can be used. */
static ezlda_status find_all(ez_gpus *gpus, ezlda_context *context)
{
    int count;
    ez_device_facts facts;
    EZ_TRY(ez_device_first_usable(&facts, context));
    EZ_TRY(ez_device_count(&count, context));
    for (int number = facts.number; number < count && gpus->n < EZ_DEVICES_MAX; number++)
        if (ez_device_require(&facts, NULL, number) == EZLDA_OK)
            gpus->number[gpus->n++] = number;
    return EZLDA_OK;
}

/* The GPUs of a choice. */
static ezlda_status find_gpus(ez_gpus *gpus, const ez_device_choice *choice, ezlda_context *context)
{
    ez_device_facts facts;
    *gpus = choice->named;
    if (choice->kind == EZ_DEVICE_CUDA_ALL)
        EZ_TRY(find_all(gpus, context));
    for (int i = 0; i < gpus->n; i++)
        EZ_TRY(ez_device_require(&facts, context, gpus->number[i]));
    if (gpus->n == 0) {
        EZ_TRY(ez_device_first_usable(&facts, context));
        gpus->number[gpus->n++] = facts.number;
    }
    return EZLDA_OK;
}

static const ez_backend_ops *backend_of(const ez_gpus *gpus)
{
    return gpus->n > 1 ? &ez_cuda_shards_backend : &ez_cuda_backend;
}

void ez_wait_ahead(ezlda_context *context)
{
    ez_device_ahead *ahead = ez_context_device_ahead(context);
    if (ahead)
        ez_device_ahead_wait(ahead);
}

static void begin_ahead(ezlda_context *context, int number)
{
    ez_device_ahead *ahead = ez_device_ahead_begin(number);
    if (ahead)
        ez_context_set_device_ahead(context, ahead, end_ahead);
}

static bool is_unusable(ezlda_status status)
{
    return status == EZLDA_ERROR_DEVICE || status == EZLDA_ERROR_UNSUPPORTED ||
           status == EZLDA_ERROR_MEMORY;
}

/* Keeps the first failure's message and clears the context. */
static void keep_reason(ezlda_context *context, char *why, size_t size)
{
    if (!*why)
        snprintf(why, size, "%s", ezlda_error_message(context));
    ez_clear(context);
}

/* Tries a GPU without enough memory again with half, then a quarter of it: other processes may have
 * used what was free, and what is free may be fragmented. The corpus then passes through in more
 * chunks. */
static ezlda_status open_gpu(ez_backend **out, ezlda_context *context, int number,
                             ez_token_list *tokens, const ez_settings *settings, char *why,
                             size_t size)
{
    ez_gpus gpu = {.n = 1, .number = {number}};
    ezlda_status status = ez_cuda_backend.create(out, context, tokens, settings, &gpu);
    while (status == EZLDA_ERROR_MEMORY && gpu.memory_halvings < 2) {
        keep_reason(context, why, size);
        gpu.memory_halvings++;
        status = ez_cuda_backend.create(out, context, tokens, settings, &gpu);
    }
    return status;
}

/* Ranks may share a GPU, and each has seen all of its memory free. */
static ezlda_status open_dealt(ez_backend **out, ezlda_context *context, int number,
                               ez_token_list *tokens, const ez_settings *settings)
{
    char why[512] = "";
    ezlda_status status = open_gpu(out, context, number, tokens, settings, why, sizeof why);
    if (status == EZLDA_OK && *why)
        ez_note(context, "device: cuda:%d, with less of its memory (%s)", number, why);
    return status;
}

/* Tries the GPUs in order. *out stays NULL if none can be used; `why` then holds the reason of the
 * first one. */
static ezlda_status open_first_gpu(ez_backend **out, ezlda_context *context, ez_token_list *tokens,
                                   const ez_settings *settings, char *why, size_t size)
{
    char name[32];
    int count;
    *out = NULL;
    *why = '\0';
    if (ez_device_count(&count, context) != EZLDA_OK)
        keep_reason(context, why, size);
    for (int number = 0; number < count; number++) {
        ez_device_facts facts;
        ezlda_status status = ez_device_require(&facts, context, number);
        if (status == EZLDA_OK)
            status = open_gpu(out, context, number, tokens, settings, why, size);
        snprintf(name, sizeof name, "cuda:%d", number);
        if (status == EZLDA_OK && ez_context_new_device(context, name))
            ez_note(context, "device: cuda:%d, %s%s%s%s", number, facts.name, *why ? " (" : "", why,
                    *why ? ")" : "");
        if (status == EZLDA_OK || !is_unusable(status))
            return status;
        keep_reason(context, why, size);
    }
    return EZLDA_OK;
}

static ezlda_status check_driver(ezlda_context *context)
{
    return ez_driver_find(context);
}

#else

static ezlda_status check_driver(ezlda_context *context)
{
    return ez_fail(context, EZLDA_ERROR_UNSUPPORTED,
                   "this build has no CUDA: it was made without nvcc");
}

static ezlda_status find_gpus(ez_gpus *gpus, const ez_device_choice *choice, ezlda_context *context)
{
    (void)choice;
    *gpus = (ez_gpus){0};
    return check_driver(context);
}

static const ez_backend_ops *backend_of(const ez_gpus *gpus)
{
    (void)gpus;
    return NULL;
}

static ezlda_status open_dealt(ez_backend **out, ezlda_context *context, int number,
                               ez_token_list *tokens, const ez_settings *settings)
{
    (void)number, (void)tokens, (void)settings;
    *out = NULL;
    return check_driver(context);
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
                                   const ez_settings *settings, char *why, size_t size)
{
    (void)context, (void)tokens, (void)settings;
    *out = NULL;
    snprintf(why, size, "this build has no CUDA");
    return EZLDA_OK;
}

#endif

ezlda_status ez_device_begin(ezlda_context *context, const ez_device_choice *choice)
{
    if (choice->kind == EZ_DEVICE_CPU || choice->kind == EZ_DEVICE_REFERENCE)
        return EZLDA_OK;
    if (choice->kind != EZ_DEVICE_AUTO)
        EZ_TRY(check_driver(context));
    if (!ez_context_device_ahead(context))
        begin_ahead(context, choice->named.n ? choice->named.number[0] : -1);
    return EZLDA_OK;
}

ezlda_status ezlda_context_open_device(ezlda_context *context, const char *device)
{
    ez_device_choice choice;
    if (!context)
        return EZLDA_ERROR_ARGUMENT;
    ez_clear(context);
    EZ_TRY(ez_device_parse(&choice, context, device));
    return ez_device_begin(context, &choice);
}

void ez_close_ahead(ezlda_context *context)
{
    ez_context_set_device_ahead(context, NULL, NULL);
}

ezlda_status ez_backend_find(const ez_backend_ops **out, ez_gpus *gpus, ezlda_context *context,
                             const ez_device_choice *choice)
{
    ezlda_status status = EZLDA_OK;
    *out = NULL;
    *gpus = (ez_gpus){0};
    switch (choice->kind) {
    case EZ_DEVICE_REFERENCE: *out = &ez_reference_backend; break;
    case EZ_DEVICE_CPU: *out = &ez_cpu_backend; break;
    case EZ_DEVICE_AUTO:
        *out = find_gpus(gpus, choice, NULL) == EZLDA_OK ? backend_of(gpus) : &ez_cpu_backend;
        break;
    case EZ_DEVICE_CUDA:
    case EZ_DEVICE_CUDA_ALL:
    case EZ_DEVICE_CUDA_NUMBERS:
        status = find_gpus(gpus, choice, context);
        if (status == EZLDA_OK)
            *out = backend_of(gpus);
        break;
    }
    return status;
}

void ez_device_deal(ez_device_choice *choice, int index)
{
    ez_device_choice all = {.kind = EZ_DEVICE_CUDA_ALL};
    ez_gpus gpus;
    if ((choice->kind != EZ_DEVICE_AUTO && choice->kind != EZ_DEVICE_CUDA) ||
        find_gpus(&gpus, &all, NULL) != EZLDA_OK)
        return;
    *choice = (ez_device_choice){
        .kind = EZ_DEVICE_CUDA_NUMBERS,
        .named = {.n = 1, .number = {gpus.number[index % gpus.n]}},
        .dealt = choice->kind == EZ_DEVICE_AUTO,
    };
}

static ezlda_status open_auto(ez_backend **out, ezlda_context *context, ez_token_list *tokens,
                              const ez_settings *settings)
{
    char why[512];
    EZ_TRY(open_first_gpu(out, context, tokens, settings, why, sizeof why));
    if (*out)
        return EZLDA_OK;
    int threads = ez_threads(context);
    if (ez_context_new_device(context, "cpu"))
        ez_note(context, "device: cpu, %d thread%s (%s)", threads, threads == 1 ? "" : "s", why);
    return ez_cpu_backend.create(out, context, tokens, settings, NULL);
}

ezlda_status ez_backend_open(ez_backend **out, ezlda_context *context,
                             const ez_device_choice *choice, ez_token_list *tokens,
                             const ez_settings *settings)
{
    const ez_backend_ops *ops;
    ez_gpus gpus;
    *out = NULL;
    if (choice->kind == EZ_DEVICE_AUTO)
        return open_auto(out, context, tokens, settings);
    EZ_TRY(ez_backend_find(&ops, &gpus, context, choice));
    return choice->dealt ? open_dealt(out, context, gpus.number[0], tokens, settings)
                         : ops->create(out, context, tokens, settings, &gpus);
}
