/* Available memory from /proc/meminfo and from the limits of the control groups. */
#include "base/os/host_memory.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads the number after a label in a file ("": at the start of the line); UINT64_MAX if there is
 * none, as in "max". */
static uint64_t number_in(const char *folder, const char *name, const char *label)
{
    char path[512], line[128], *end = NULL;
    size_t length = strlen(label);
    unsigned long long value = 0;
    int written = snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = written > 0 && (size_t)written < sizeof path ? fopen(path, "r") : NULL;
    while (file && !end && fgets(line, sizeof line, file))
        if (strncmp(line, label, length) == 0)
            value = strtoull(line + length, &end, 10);
    if (file)
        fclose(file);
    return end && end != line + length ? value : UINT64_MAX;
}

/* A line of /proc/meminfo in bytes; UINT64_MAX if it is missing. */
static uint64_t machine_bytes(const char *label)
{
    uint64_t kilobytes = number_in("/proc", "meminfo", label);
    return kilobytes == UINT64_MAX ? kilobytes : kilobytes * 1024;
}

/* File names of a control group, which differ between the versions. */
typedef struct group_names {
    const char *root, *most, *used,
        *pages[2]; /* pages: labels in memory.stat of cached file pages, which can be reclaimed */
} group_names;

static const group_names version_1 = {"/sys/fs/cgroup/memory",
                                      "memory.limit_in_bytes",
                                      "memory.usage_in_bytes",
                                      {"total_inactive_file ", "total_active_file "}},
                         version_2 = {"/sys/fs/cgroup",
                                      "memory.max",
                                      "memory.current",
                                      {"inactive_file ", "active_file "}};

/* Bytes that the limit of one group leaves. */
static uint64_t left_in(const char *folder, const group_names *names)
{
    uint64_t most = number_in(folder, names->most, "");
    if (most == UINT64_MAX)
        return most;
    uint64_t used = number_in(folder, names->used, "");
    used = used == UINT64_MAX ? 0 : used;
    for (int i = 0; i < 2; i++) {
        uint64_t pages = number_in(folder, "memory.stat", names->pages[i]);
        used -= pages == UINT64_MAX ? 0 : pages < used ? pages : used;
    }
    return used < most ? most - used : 0;
}

/* The least that a group or one of its parents leaves: a job's limit is usually set above the group
 * of its processes. */
static uint64_t left_around(const group_names *names, const char *group)
{
    char folder[512];
    size_t root = strlen(names->root);
    uint64_t least = UINT64_MAX;
    int written = snprintf(folder, sizeof folder, "%s%s", names->root, group);
    if (written < 0 || (size_t)written >= sizeof folder)
        return least;
    for (char *slash = folder + written; slash; slash = strrchr(folder, '/')) {
        *slash = '\0';
        if (strlen(folder) < root)
            break;
        uint64_t left = left_in(folder, names);
        least = left < least ? left : least;
    }
    return least;
}

/* The limit of the control groups that the process is in. A line of /proc/self/cgroup is "0::/PATH"
 * in version 2, "N:CONTROLLERS:/PATH" in version 1. */
static uint64_t group_bytes(void)
{
    char line[448];
    uint64_t least = UINT64_MAX;
    FILE *file = fopen("/proc/self/cgroup", "r");
    while (file && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = 0;
        char *controllers = strchr(line, ':'),
             *group = controllers ? strchr(controllers + 1, ':') : NULL;
        if (!group)
            continue;
        *group++ = '\0';
        bool second = controllers[1] == '\0';
        if (!second && !strstr(controllers + 1, "memory"))
            continue;
        uint64_t left = left_around(second ? &version_2 : &version_1, group);
        least = left < least ? left : least;
    }
    if (file)
        fclose(file);
    return least;
}

uint64_t ez_available_memory(void)
{
    uint64_t machine = machine_bytes("MemAvailable:"), group = group_bytes();
    return machine < group ? machine : group;
}

bool ez_memory_is_there(uint64_t bytes)
{
    uint64_t machine = machine_bytes("MemAvailable:"), swap = machine_bytes("SwapFree:");
    if (bytes > group_bytes())
        return false;
    return machine == UINT64_MAX || bytes <= machine ||
           (swap != UINT64_MAX && bytes - machine <= swap);
}
