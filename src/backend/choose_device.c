#include "backend/backend.h"
#include "backend/device_ahead.h"

#ifdef EZLDA_HAVE_CUDA
#include "backend/cuda/driver/device_facts.h"
#include "backend/cuda/driver/driver.h"
#endif

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

typedef enum device_kind {
    DEVICE_AUTO,
    DEVICE_CUDA,
    DEVICE_CUDA_NUMBERS,
    DEVICE_CUDA_ALL,
    DEVICE_CPU,
    DEVICE_REFERENCE
} device_kind;

/* What was asked for: numbers of GPUs, where these are named. */
typedef struct device_choice {
    device_kind kind;
    int n, number[EZ_DEVICES_MAX];
} device_choice;

/* "N,N,...": up to four digits each and nothing else. */
static bool parse_numbers(const char *text, device_choice *choice)
{
    for (choice->n = 0; choice->n < EZ_DEVICES_MAX;) {
        size_t digits = strspn(text, "0123456789");
        if (digits == 0 || digits > 4)
            return false;
        int *number = &choice->number[choice->n++];
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

static ezlda_status parse_device(const char *device, ezlda_context *context, device_choice *choice)
{
    static const struct {
        const char *name;
        device_kind kind;
    } names[] = {{"auto", DEVICE_AUTO},
                 {"cuda", DEVICE_CUDA},
                 {"cuda:all", DEVICE_CUDA_ALL},
                 {"cpu", DEVICE_CPU},
                 {"reference", DEVICE_REFERENCE}};
    *choice = (device_choice){.kind = DEVICE_AUTO};
    if (!device)
        return EZLDA_OK;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(device, names[i].name) == 0) {
            choice->kind = names[i].kind;
            return EZLDA_OK;
        }
    choice->kind = DEVICE_CUDA_NUMBERS;
    if (strncmp(device, "cuda:", 5) == 0 && parse_numbers(device + 5, choice))
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

/* The GPUs of the machine that can be used. */
static ezlda_status find_all(device_choice *choice, ezlda_context *context)
{
    int count;
    ez_device_facts facts;
    EZ_TRY(ez_device_first_usable(&facts, context));
    EZ_TRY(ez_device_count(&count, context));
    for (int number = facts.number; number < count && choice->n < EZ_DEVICES_MAX; number++)
        if (ez_device_require(&facts, NULL, number) == EZLDA_OK)
            choice->number[choice->n++] = number;
    return EZLDA_OK;
}

static ezlda_status find_cuda(const ez_backend_ops **out, device_choice *choice,
                              ezlda_context *context)
{
    ez_device_facts facts;
    if (choice->kind == DEVICE_CUDA_ALL)
        EZ_TRY(find_all(choice, context));
    for (int i = 0; i < choice->n; i++)
        EZ_TRY(ez_device_require(&facts, context, choice->number[i]));
    if (choice->n == 0) {
        EZ_TRY(ez_device_first_usable(&facts, context));
        choice->number[choice->n++] = facts.number;
    }
    *out = choice->n > 1 ? &ez_cuda_members_backend : &ez_cuda_backend;
    return EZLDA_OK;
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

static void take_reason(ezlda_context *context, char *why, size_t size)
{
    if (!*why)
        snprintf(why, size, "%s", ezlda_error_message(context));
    ez_clear(context);
}

/* A GPU without room is tried again with half, then a quarter of its memory: others may have taken
 * what was free, and what is free may lie in pieces. The corpus then passes through in more chunks.
 */
static ezlda_status open_gpu(ez_backend **out, ezlda_context *context, ez_token_list *tokens,
                             ez_settings *settings, char *why, size_t size)
{
    settings->memory_halvings = 0;
    ezlda_status status = ez_cuda_backend.create(out, context, tokens, settings);
    while (status == EZLDA_ERROR_MEMORY && settings->memory_halvings < 2) {
        take_reason(context, why, size);
        settings->memory_halvings++;
        status = ez_cuda_backend.create(out, context, tokens, settings);
    }
    return status;
}

/* Ranks may share a GPU, and each has seen all of it free. */
static ezlda_status open_dealt(ez_backend **out, ezlda_context *context, ez_token_list *tokens,
                               ez_settings *settings)
{
    char why[512] = "";
    ezlda_status status = open_gpu(out, context, tokens, settings, why, sizeof why);
    if (status == EZLDA_OK && *why)
        ez_note(context, "device: cuda:%d, with less of its memory (%s)", settings->device_number,
                why);
    return status;
}

/* Tries the GPUs in their order. *out stays NULL where none can be used; `why` then holds the first
 * one's reason. */
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
            status = open_gpu(out, context, tokens, settings, why, size);
        if (status == EZLDA_OK)
            ez_note(context, "device: cuda:%d, %s%s%s%s", number, facts.name, *why ? " (" : "", why,
                    *why ? ")" : "");
        if (status == EZLDA_OK || !is_unusable(status))
            return status;
        take_reason(context, why, size);
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

static ezlda_status open_dealt(ez_backend **out, ezlda_context *context, ez_token_list *tokens,
                               ez_settings *settings)
{
    (void)tokens, (void)settings;
    *out = NULL;
    return check_driver(context);
}

static ezlda_status find_cuda(const ez_backend_ops **out, device_choice *choice,
                              ezlda_context *context)
{
    (void)choice;
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
                                   ez_settings *settings, char *why, size_t size)
{
    (void)context, (void)tokens, (void)settings;
    *out = NULL;
    snprintf(why, size, "this build has no CUDA");
    return EZLDA_OK;
}

#endif

ezlda_status ezlda_context_open_device(ezlda_context *context, const char *device)
{
    device_choice choice;
    if (!context)
        return EZLDA_ERROR_ARGUMENT;
    ez_clear(context);
    EZ_TRY(parse_device(device, context, &choice));
    if (choice.kind == DEVICE_CPU || choice.kind == DEVICE_REFERENCE)
        return EZLDA_OK;
    if (choice.kind != DEVICE_AUTO)
        EZ_TRY(check_driver(context));
    if (!ez_context_device_ahead(context))
        begin_ahead(context, choice.n ? choice.number[0] : -1);
    return EZLDA_OK;
}

void ez_close_ahead(ezlda_context *context)
{
    ez_context_set_device_ahead(context, NULL, NULL);
}

static ezlda_status find(const ez_backend_ops **out, device_choice *choice, ezlda_context *context,
                         const char *device)
{
    *out = NULL;
    EZ_TRY(parse_device(device, context, choice));
    switch (choice->kind) {
    case DEVICE_CUDA:
    case DEVICE_CUDA_ALL:
    case DEVICE_CUDA_NUMBERS: return find_cuda(out, choice, context);
    case DEVICE_REFERENCE: *out = &ez_reference_backend; return EZLDA_OK;
    case DEVICE_CPU: *out = &ez_cpu_backend; return EZLDA_OK;
    case DEVICE_AUTO: break;
    }
    if (find_cuda(out, choice, NULL) != EZLDA_OK)
        *out = &ez_cpu_backend;
    return EZLDA_OK;
}

ezlda_status ez_backend_find(const ez_backend_ops **out, int *number, ezlda_context *context,
                             const char *device)
{
    device_choice choice;
    ezlda_status status = find(out, &choice, context, device);
    *number = choice.n ? choice.number[0] : 0;
    return status;
}

const char *ez_backend_deal(const char *device, int index, char *room, size_t size)
{
    const ez_backend_ops *ops;
    device_choice choice;
    if (parse_device(device, NULL, &choice) != EZLDA_OK ||
        (choice.kind != DEVICE_AUTO && choice.kind != DEVICE_CUDA))
        return device;
    choice.kind = DEVICE_CUDA_ALL;
    if (find_cuda(&ops, &choice, NULL) != EZLDA_OK)
        return device;
    snprintf(room, size, "cuda:%d", choice.number[index % choice.n]);
    return room;
}

static ezlda_status open_named(ez_backend **out, ezlda_context *context, const char *device,
                               ez_token_list *tokens, ez_settings *settings)
{
    const ez_backend_ops *ops;
    device_choice choice;
    EZ_TRY(find(&ops, &choice, context, device));
    settings->device_number = choice.n ? choice.number[0] : 0;
    settings->devices = choice.n;
    memcpy(settings->device_list, choice.number, sizeof settings->device_list);
    return settings->dealt ? open_dealt(out, context, tokens, settings)
                           : ops->create(out, context, tokens, settings);
}

ezlda_status ez_backend_open(ez_backend **out, ezlda_context *context, const char *device,
                             ez_token_list *tokens, ez_settings *settings)
{
    char why[512];
    *out = NULL;
    if (device && strcmp(device, "auto") != 0)
        return open_named(out, context, device, tokens, settings);
    EZ_TRY(open_first_gpu(out, context, tokens, settings, why, sizeof why));
    if (*out)
        return EZLDA_OK;
    settings->device_number = 0;
    ez_note(context, "device: cpu, %d threads (%s)", ez_threads(context), why);
    return ez_cpu_backend.create(out, context, tokens, settings);
}
