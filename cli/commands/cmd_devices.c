/* ezlda devices: lists the GPUs and the CPU, and which of them "auto" uses. */
#include "cli.h"
#include "output/json_out.h"
#include "output/text_out.h"
#include "output/text_table.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

typedef struct devices_settings {
    cli_common common;
    int json;
} devices_settings;

static const cli_option devices_options[] = {{.name = "json",
                                              .type = CLI_FLAG,
                                              .target = offsetof(devices_settings, json),
                                              .help = "print one JSON object"},
                                             {.name = "threads",
                                              .type = CLI_INT,
                                              .argument = "N",
                                              .target = offsetof(devices_settings, common.threads),
                                              .least = 1,
                                              .most = 4096,
                                              .unset = "OMP_NUM_THREADS, or one per processor",
                                              .help = "describe the CPU for a run with N threads"},
                                             {.name = "help",
                                              .letter = 'h',
                                              .type = CLI_FLAG,
                                              .target = offsetof(devices_settings, common.help),
                                              .help = "show this help"},
                                             {0}};

static const cli_section devices_sections[] = {{"Options", devices_options, 0}, {0}};

/* ---- as a table ---- */

static const cli_column columns[] = {
    {"device", false, 0}, {"name", false, 0}, {"properties", false, 0}};

static void describe_gpu(cli_text *line, const ezlda_device *device)
{
    char all[32], left[32];
    text_printf(line, "%s of memory, ", text_bytes(device->memory_bytes, all));
    if (device->usable)
        text_printf(line, "%s free, ", text_bytes(device->memory_free_bytes, left));
    text_printf(line, "%d multiprocessors, compute capability %d.%d", device->processors,
                device->capability / 10, device->capability % 10);
}

static void describe_cpu(cli_text *line, const ezlda_device *device)
{
    text_printf(line, "%d processor%s on %d core%s, %d thread%s used", device->processors,
                device->processors == 1 ? "" : "s", device->cores, device->cores == 1 ? "" : "s",
                device->threads, device->threads == 1 ? "" : "s");
}

typedef struct device_table {
    cli_table *table;
    cli_text reasons; /* why devices cannot be used, one line each */
} device_table;

static void add_row(const ezlda_device *device, void *user)
{
    device_table *rows = user;
    cli_text line = {0};
    if (device->capability)
        describe_gpu(&line, device);
    else
        describe_cpu(&line, device);
    if (device->usable)
        text_printf(&line, ", %s kernels", device->kernels);
    else
        text_printf(&line, "; cannot be used");
    table_safe(rows->table, device->device);
    table_string(rows->table, device->name);
    table_safe(rows->table, line.data);
    text_free(&line);
    if (!device->usable)
        text_printf(&rows->reasons, "%s\n", device->reason);
}

/* Skips the reason that explains the choice of auto, which is printed with it. */
static void print_reasons(const char *reasons, const char *why)
{
    cli_text line = {0};
    for (size_t n; reasons && *reasons; reasons += n + 1) {
        n = strcspn(reasons, "\n");
        if (strlen(why) == n && strncmp(reasons, why, n) == 0)
            continue;
        char reason[512];
        snprintf(reason, sizeof reason, "%.*s", (int)n, reasons);
        text_clear(&line);
        text_shown(&line, reason);
        puts(line.data);
    }
    text_free(&line);
}

/* Versions of CUDA are numbers such as 13000 for 13.0. */
static void print_closing(const ezlda_devices_info *info)
{
    cli_text line = {0};
    text_printf(&line, "auto uses %s: ", info->choice[0] ? info->choice : "nothing");
    text_shown(&line, info->why);
    puts(line.data);
    text_free(&line);
    if (info->cuda_driver)
        printf("CUDA driver: %d.%d\n", info->cuda_driver / 1000, info->cuda_driver % 1000 / 10);
    if (info->cuda_build)
        printf("this build: CUDA %d.%d, for %s\n", info->cuda_build / 1000,
               info->cuda_build % 1000 / 10, info->covers);
}

static ezlda_status print_table(ezlda_context *context)
{
    ezlda_devices_info info = {.size = sizeof info};
    device_table rows = {.table = table_open(columns, 3)};
    ezlda_status status = ezlda_devices(&info, context, add_row, &rows);
    table_close(rows.table);
    if (status == EZLDA_OK) {
        putchar('\n');
        print_reasons(rows.reasons.data, info.why);
        print_closing(&info);
    }
    text_free(&rows.reasons);
    return status;
}

/* ---- as JSON ---- */

static void put_text(json_out *json, const char *key, const char *text)
{
    json_key(json, key);
    json_string(json, text[0] ? text : NULL);
}

/* "MAJOR.MINOR"; null for 0.0. */
static void put_version(json_out *json, const char *key, int major, int minor)
{
    char text[32] = "";
    if (major || minor)
        snprintf(text, sizeof text, "%d.%d", major, minor);
    put_text(json, key, text);
}

static void put_device(const ezlda_device *device, void *user)
{
    json_out *json = user;
    json_open(json, '{', true);
    put_text(json, "device", device->device);
    put_text(json, "name", device->name);
    json_put_bool(json, "usable", device->usable);
    put_text(json, "reason", device->reason);
    put_text(json, "kernels", device->kernels);
    if (device->capability) {
        put_version(json, "compute_capability", device->capability / 10, device->capability % 10);
        json_put_u64(json, "multiprocessors", (uint64_t)device->processors);
        json_put_u64(json, "memory_bytes", device->memory_bytes);
        json_put_u64(json, "memory_free_bytes", device->memory_free_bytes);
    } else {
        json_put_u64(json, "processors", (uint64_t)device->processors);
        json_put_u64(json, "cores", (uint64_t)device->cores);
        json_put_u64(json, "threads", (uint64_t)device->threads);
    }
    json_close(json, '}');
}

static ezlda_status print_json(ezlda_context *context)
{
    ezlda_devices_info info = {.size = sizeof info};
    json_out json = {.file = stdout};
    json_open(&json, '{', true);
    json_key(&json, "devices");
    json_open(&json, '[', true);
    ezlda_status status = ezlda_devices(&info, context, put_device, &json);
    json_close(&json, ']');
    json_key(&json, "auto");
    json_open(&json, '{', true);
    put_text(&json, "device", info.choice);
    put_text(&json, "why", info.why);
    json_close(&json, '}');
    json_key(&json, "cuda");
    json_open(&json, '{', true);
    put_version(&json, "driver", info.cuda_driver / 1000, info.cuda_driver % 1000 / 10);
    put_version(&json, "build", info.cuda_build / 1000, info.cuda_build % 1000 / 10);
    put_text(&json, "covers", info.covers);
    put_text(&json, "no_device", info.no_cuda);
    json_close(&json, '}');
    json_close(&json, '}');
    return status;
}

static int run_devices(cli_call *call, ezlda_context *context)
{
    const devices_settings *settings = call->settings;
    ezlda_status status = settings->json ? print_json(context) : print_table(context);
    return status == EZLDA_OK ? CLI_SUCCESS : cli_fail_library(context, status);
}

const cli_command cmd_devices = {
    .name = "devices",
    .operands = "",
    .summary = "list the GPUs and the CPU, and which one 'auto' uses",
    .description = "Lists the devices of this machine: each CUDA device with its number, memory, "
                   "multiprocessors and compute capability, and the CPU with the instruction set "
                   "that is used. A GPU that cannot be used is listed with the reason: a driver "
                   "that is too old, or a GPU that this build has no kernels for.\n\n"
                   "The last lines say which device --device auto uses, and why. A machine "
                   "without a GPU, or a build without CUDA, is not an error.",
    .examples = "ezlda devices\nezlda devices --json",
    .sections = devices_sections,
    .settings_size = sizeof(devices_settings),
    .run = run_devices,
};
