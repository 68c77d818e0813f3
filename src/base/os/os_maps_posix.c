/* Mapped files and pages of memory on POSIX systems. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* mremap, MADV_HUGEPAGE */
#endif
#include "base/os/os_maps.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

size_t ez_os_page_bytes(void)
{
    long bytes = sysconf(_SC_PAGESIZE);
    return bytes > 0 ? (size_t)bytes : 4096;
}

static void *or_null(void *at)
{
    return at == MAP_FAILED ? NULL : at;
}

void *ez_os_map(int file, size_t bytes)
{
    return or_null(mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, file, 0));
}

void *ez_os_map_writable(int file, size_t bytes)
{
    return or_null(mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
}

void *ez_os_map_grow(void **at, int file, size_t bytes, size_t more_bytes)
{
#ifdef MREMAP_MAYMOVE
    (void)file;
    return or_null(mremap(*at, bytes, more_bytes, MREMAP_MAYMOVE));
#else
    void *grown = ez_os_map_writable(file, more_bytes);
    if (grown)
        munmap(*at, bytes);
    return grown;
#endif
}

void ez_os_unmap(void *at, size_t bytes)
{
    munmap(at, bytes);
}

bool ez_os_mapped_can_be_replaced(void)
{
    return true;
}

void ez_os_advise(void *at, size_t bytes, ez_page_advice advice)
{
    switch (advice) {
    case EZ_PAGES_SOON: (void)madvise(at, bytes, MADV_WILLNEED); break;
    case EZ_PAGES_LATER:
    case EZ_PAGES_DROPPED: (void)madvise(at, bytes, MADV_DONTNEED); break;
    case EZ_PAGES_HUGE:
#ifdef MADV_HUGEPAGE
        (void)madvise(at, bytes, MADV_HUGEPAGE);
#endif
        break;
    }
}

void *ez_os_allocate(size_t alignment, size_t bytes)
{
    return aligned_alloc(alignment, bytes);
}

void *ez_os_reallocate(void *memory, size_t bytes)
{
    return realloc(memory, bytes);
}

void ez_os_free(void *memory)
{
    free(memory);
}
