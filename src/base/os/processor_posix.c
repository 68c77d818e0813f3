/* Reads /proc/cpuinfo and the topology of the processor in /sys, or asks macOS. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* sched_getaffinity */
#endif

#include "base/os/processor.h"

#ifdef __APPLE__
#include <stdbool.h>
#include <stdio.h>
#include <sys/sysctl.h>

void ez_processor_name(char *name, size_t size)
{
    if (sysctlbyname("machdep.cpu.brand_string", name, &size, NULL, 0) != 0)
        snprintf(name, size, "processor");
}

int ez_processor_cores(int processors)
{
    int cores = 0;
    size_t size = sizeof cores;
    bool known = sysctlbyname("hw.physicalcpu", &cores, &size, NULL, 0) == 0;
    return known && cores > 0 && cores < processors ? cores : processors;
}
#else
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

/* The value of a line "key  : value" of /proc/cpuinfo. */
static bool read_value(const char *line, const char *key, char *value, size_t size)
{
    size_t n = strlen(key);
    if (strncmp(line, key, n) != 0)
        return false;
    line += n + strspn(line + n, " \t");
    if (*line++ != ':')
        return false;
    line += strspn(line, " \t");
    snprintf(value, size, "%.*s", (int)strcspn(line, "\n"), line);
    return *value != '\0';
}

void ez_processor_name(char *name, size_t size)
{
    char line[512];
    struct utsname system;
    bool found = false;
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file && !found && fgets(line, sizeof line, file))
        found = read_value(line, "model name", name, size) ||
                read_value(line, "cpu model", name, size) || read_value(line, "Model", name, size);
    if (file)
        fclose(file);
    if (!found)
        snprintf(name, size, "%s", uname(&system) == 0 ? system.machine : "processor");
}

/* The first logical processor of the same core; CPU_SETSIZE if the system does not report it. */
static size_t first_sibling(size_t processor)
{
    char path[96], text[32] = "";
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%zu/topology/thread_siblings_list",
             processor);
    FILE *file = fopen(path, "r");
    if (!file)
        return CPU_SETSIZE;
    bool read = fgets(text, sizeof text, file) != NULL && text[0] >= '0' && text[0] <= '9';
    fclose(file);
    size_t first = read ? strtoul(text, NULL, 10) : CPU_SETSIZE;
    return first < CPU_SETSIZE ? first : CPU_SETSIZE;
}

int ez_processor_cores(int processors)
{
    cpu_set_t mine, cores;
    if (sched_getaffinity(0, sizeof mine, &mine) != 0)
        return processors;
    CPU_ZERO(&cores);
    for (size_t i = 0; i < CPU_SETSIZE; i++) {
        if (!CPU_ISSET(i, &mine))
            continue;
        size_t core = first_sibling(i);
        if (core == CPU_SETSIZE)
            return processors;
        CPU_SET(core, &cores);
    }
    int n = CPU_COUNT(&cores);
    return n > 0 && n < processors ? n : processors;
}
#endif
