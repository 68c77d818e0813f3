/* The processor from the registry and the system's description of its cores. */
#include "base/os/processor.h"

#include "base/memory.h"
#include "base/os/os_windows.h"

#include <stdio.h>
#include <string.h>

void ez_processor_name(char *name, size_t size)
{
    static const wchar_t key[] = L"HARDWARE\\DESCRIPTION\\System\\CentralProcessor\\0";
    wchar_t wide[128] = L"";
    DWORD bytes = sizeof wide - sizeof *wide;
    name[0] = '\0';
    if (RegGetValueW(HKEY_LOCAL_MACHINE, key, L"ProcessorNameString", RRF_RT_REG_SZ, NULL, wide,
                     &bytes) == ERROR_SUCCESS)
        (void)ez_windows_text(name, size, wide);
    for (size_t n = strlen(name); n > 0 && name[n - 1] == ' '; n--)
        name[n - 1] = '\0';
    if (!name[0])
        snprintf(name, size, "processor");
}

/* The cores that have at least one processor of this process. */
static int count_cores(const SYSTEM_LOGICAL_PROCESSOR_INFORMATION *all, size_t n, ULONG_PTR mine)
{
    int cores = 0;
    for (size_t i = 0; i < n; i++)
        cores += all[i].Relationship == RelationProcessorCore && all[i].ProcessorMask & mine;
    return cores;
}

int ez_processor_cores(int processors)
{
    DWORD_PTR mine = 0, machine = 0;
    DWORD bytes = 0;
    SYSTEM_LOGICAL_PROCESSOR_INFORMATION *all = NULL;
    int cores = 0;
    (void)GetLogicalProcessorInformation(NULL, &bytes);
    if (!GetProcessAffinityMask(GetCurrentProcess(), &mine, &machine) || !bytes ||
        ez_array_zero(&all, NULL, bytes, 1, "processors") != EZLDA_OK)
        return processors;
    if (GetLogicalProcessorInformation(all, &bytes))
        cores = count_cores(all, bytes / sizeof *all, mine);
    ez_free(all);
    return cores > 0 && cores < processors ? cores : processors;
}
