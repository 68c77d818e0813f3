/* Processes and clocks on Windows. */
#define _CRT_RAND_S /* declares rand_s */
#include <stdlib.h>

#include "base/os/os_process.h"

#include "base/os/os_windows.h"

#include <psapi.h>
#include <time.h>

long ez_os_process_id(void)
{
    return (long)GetCurrentProcessId();
}

bool ez_os_process_runs(long id)
{
    HANDLE process = OpenProcess(SYNCHRONIZE, FALSE, (DWORD)id);
    if (!process)
        return GetLastError() != ERROR_INVALID_PARAMETER;
    bool runs = WaitForSingleObject(process, 0) == WAIT_TIMEOUT;
    CloseHandle(process);
    return runs;
}

void ez_os_watch_forks(void (*lost)(void))
{
    (void)lost; /* there are no forks */
}

void ez_os_host_name(char *name, size_t size)
{
    wchar_t wide[256];
    DWORD n = sizeof wide / sizeof *wide;
    if (!GetComputerNameExW(ComputerNameDnsFullyQualified, wide, &n) ||
        !ez_windows_text(name, size, wide))
        name[0] = '\0';
}

uint64_t ez_os_peak_memory(void)
{
    PROCESS_MEMORY_COUNTERS counters = {.cb = sizeof counters};
    return GetProcessMemoryInfo(GetCurrentProcess(), &counters, sizeof counters)
               ? counters.PeakWorkingSetSize
               : 0;
}

int64_t ez_os_clock_ns(void)
{
    LARGE_INTEGER ticks, per_second;
    QueryPerformanceFrequency(&per_second);
    QueryPerformanceCounter(&ticks);
    int64_t seconds = ticks.QuadPart / per_second.QuadPart,
            rest = ticks.QuadPart % per_second.QuadPart;
    return seconds * 1000000000 + rest * 1000000000 / per_second.QuadPart;
}

int64_t ez_os_time(void)
{
    return (int64_t)time(NULL);
}

bool ez_os_date(int64_t time, char date[16])
{
    struct tm calendar;
    __time64_t then = time;
    return _gmtime64_s(&calendar, &then) == 0 && strftime(date, 16, "%Y-%m-%d", &calendar);
}

void ez_os_pause(int64_t ns)
{
    Sleep((DWORD)((ns + 999999) / 1000000));
}

bool ez_os_random(void *bytes, size_t n)
{
    unsigned char *to = bytes;
    for (size_t i = 0; i < n; i++) {
        unsigned number;
        if (rand_s(&number) != 0)
            return false;
        to[i] = (unsigned char)number;
    }
    return true;
}

void ez_os_yield(void)
{
    SwitchToThread();
}
