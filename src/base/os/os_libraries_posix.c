/* Libraries at run time on POSIX systems. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* dladdr */
#endif
#include "base/os/os_libraries.h"

#include "base/os/os_files.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

void *ez_os_library_open(const char *name, bool shared)
{
    return dlopen(name, RTLD_NOW | (shared ? RTLD_GLOBAL : RTLD_LOCAL));
}

const char *ez_os_library_error(void)
{
    return dlerror();
}

bool ez_os_library_is_missing(const char *error)
{
    return !error || strstr(error, "No such file or directory") || strstr(error, "no such file");
}

void *ez_os_library_symbol(void *library, const char *name)
{
    return dlsym(library, name);
}

void ez_os_library_close(void *library)
{
    dlclose(library);
}

/* A program that was started by its name alone is not looked for in the current folder. */
void ez_os_own_folder(const void *address, char *folder, size_t size)
{
    Dl_info info;
    char path[EZ_OS_PATH];
    folder[0] = '\0';
    if (!dladdr((void *)(uintptr_t)address, &info) || !info.dli_fname ||
        !ez_os_resolve(strchr(info.dli_fname, '/') ? info.dli_fname : "/proc/self/exe", path))
        return;
    const char *slash = strrchr(path, '/');
    if (slash)
        snprintf(folder, size, "%.*s", (int)(slash - path), path);
}
