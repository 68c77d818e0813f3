/* Mapped files and pages of memory on Windows. */
#include "base/os/os_maps.h"

#include "base/os/os_windows.h"

#include <errno.h>
#include <io.h>
#include <malloc.h>

/* All memory has one alignment, that of a cache line, because a block that is made larger must keep
 * the alignment it was made with. */
enum { ALIGNMENT = 64 };

size_t ez_os_page_bytes(void)
{
    SYSTEM_INFO system;
    GetSystemInfo(&system);
    return system.dwPageSize;
}

static void *map(int file, size_t bytes, DWORD protection, DWORD access)
{
    void *at = NULL;
    HANDLE mapping = CreateFileMappingW((HANDLE)_get_osfhandle(file), NULL, protection, 0, 0, NULL);
    if (mapping)
        at = MapViewOfFile(mapping, access, 0, 0, bytes);
    if (!at)
        ez_windows_failed();
    if (mapping)
        CloseHandle(mapping); /* the view keeps it */
    return at;
}

void *ez_os_map(int file, size_t bytes)
{
    return map(file, bytes, PAGE_READONLY, FILE_MAP_READ);
}

void *ez_os_map_writable(int file, size_t bytes)
{
    return map(file, bytes, PAGE_READWRITE, FILE_MAP_READ | FILE_MAP_WRITE);
}

void *ez_os_map_grow(void **at, int file, size_t bytes, size_t more_bytes)
{
    void *grown = ez_os_map_writable(file, more_bytes);
    if (grown)
        ez_os_unmap(*at, bytes);
    return grown;
}

void ez_os_unmap(void *at, size_t bytes)
{
    (void)bytes;
    UnmapViewOfFile(at);
}

bool ez_os_mapped_can_be_replaced(void)
{
    return false;
}

void ez_os_advise(void *at, size_t bytes, ez_page_advice advice)
{
    if (advice == EZ_PAGES_DROPPED) {
        (void)VirtualAlloc(at, bytes, MEM_RESET, PAGE_READWRITE);
    } else if (advice == EZ_PAGES_SOON) {
        WIN32_MEMORY_RANGE_ENTRY range = {at, bytes};
        (void)PrefetchVirtualMemory(GetCurrentProcess(), 1, &range, 0);
    }
}

void *ez_os_allocate(size_t alignment, size_t bytes)
{
    (void)alignment;
    return _aligned_malloc(bytes, ALIGNMENT);
}

void *ez_os_reallocate(void *memory, size_t bytes)
{
    return _aligned_realloc(memory, bytes, ALIGNMENT);
}

void ez_os_free(void *memory)
{
    _aligned_free(memory);
}
