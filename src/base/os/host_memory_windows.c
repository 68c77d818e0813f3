/* Available memory from the counters of Windows. */
#include "base/os/host_memory.h"

#include "base/os/os_windows.h"

uint64_t ez_available_memory(void)
{
    MEMORYSTATUSEX memory = {.dwLength = sizeof memory};
    return GlobalMemoryStatusEx(&memory) ? memory.ullAvailPhys : UINT64_MAX;
}

bool ez_memory_is_there(uint64_t bytes)
{
    MEMORYSTATUSEX memory = {.dwLength = sizeof memory};
    return !GlobalMemoryStatusEx(&memory) || bytes <= memory.ullAvailPageFile;
}
