#include "base/host_memory.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A line of /proc/meminfo; UINT64_MAX where there is none. */
static uint64_t machine_bytes(const char *label)
{
    unsigned long long kilobytes = 0;
    size_t length = strlen(label);
    char line[128];
    bool found = false;
    FILE *file = fopen("/proc/meminfo", "r");
    while (file && !found && fgets(line, sizeof line, file))
        if ((found = strncmp(line, label, length) == 0))
            kilobytes = strtoull(line + length, NULL, 10);
    if (file)
        fclose(file);
    return found ? (uint64_t)kilobytes * 1024 : UINT64_MAX;
}

/* A number in a file; UINT64_MAX where there is none ("max"). */
static uint64_t number_in(const char *folder, const char *name)
{
    char path[512], text[32], *end = text;
    unsigned long long value = 0;
    int length = snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = length > 0 && (size_t)length < sizeof path ? fopen(path, "r") : NULL;
    if (file && fgets(text, sizeof text, file))
        value = strtoull(text, &end, 10);
    if (file)
        fclose(file);
    return end != text ? value : UINT64_MAX;
}

/* Control groups, version 2: the one that the process is in. */
static uint64_t group_bytes(void)
{
    char line[400], folder[448] = "";
    FILE *file = fopen("/proc/self/cgroup", "r");
    while (file && fgets(line, sizeof line, file))
        if (!strncmp(line, "0::", 3)) {
            line[strcspn(line, "\n")] = 0;
            snprintf(folder, sizeof folder, "/sys/fs/cgroup%s", line + 3);
        }
    if (file)
        fclose(file);
    uint64_t most = folder[0] ? number_in(folder, "memory.max") : UINT64_MAX;
    uint64_t used = most != UINT64_MAX ? number_in(folder, "memory.current") : 0;
    return most == UINT64_MAX ? most : used < most ? most - used : 0;
}

uint64_t ez_available_memory(void)
{
    uint64_t machine = machine_bytes("MemAvailable:"), group = group_bytes();
    return machine < group ? machine : group;
}

bool ez_memory_is_there(uint64_t bytes)
{
    uint64_t machine = machine_bytes("MemAvailable:"), swap = machine_bytes("SwapFree:");
    return machine == UINT64_MAX || bytes <= machine || (swap != UINT64_MAX && bytes - machine <= swap);
}
