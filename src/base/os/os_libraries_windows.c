/* Libraries at run time on Windows. */
#include "base/os/os_libraries.h"

#include "base/os/os_windows.h"

#include <stdio.h>
#include <string.h>

static _Thread_local DWORD failed_with;

/* A name without a folder is looked for in the system's folders and that of the program, and not in
 * the current one. */
void *ez_os_library_open(const char *name, bool shared)
{
    ez_wide_path wide;
    (void)shared;
    failed_with = ERROR_FILE_NOT_FOUND;
    if (!ez_windows_path(&wide, name))
        return NULL;
    DWORD flags = ez_os_last_separator(name)
                      ? LOAD_WITH_ALTERED_SEARCH_PATH
                      : LOAD_LIBRARY_SEARCH_SYSTEM32 | LOAD_LIBRARY_SEARCH_APPLICATION_DIR;
    HMODULE library = LoadLibraryExW(wide.text, NULL, flags);
    failed_with = library ? 0 : GetLastError();
    return library;
}

const char *ez_os_library_error(void)
{
    static _Thread_local char text[256];
    wchar_t wide[200] = L"";
    if (failed_with == ERROR_MOD_NOT_FOUND || failed_with == ERROR_FILE_NOT_FOUND)
        return NULL;
    FormatMessageW(FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS, NULL, failed_with, 0,
                   wide, 200, NULL);
    if (!ez_windows_text(text, sizeof text, wide) || !text[0])
        snprintf(text, sizeof text, "error %lu", failed_with);
    text[strcspn(text, "\r\n")] = '\0';
    return text;
}

bool ez_os_library_is_missing(const char *error)
{
    return !error;
}

void *ez_os_library_symbol(void *library, const char *name)
{
    FARPROC address = GetProcAddress(library, name);
    void *symbol;
    memcpy(&symbol, &address, sizeof symbol);
    return symbol;
}

void ez_os_library_close(void *library)
{
    FreeLibrary(library);
}

void ez_os_own_folder(const void *address, char *folder, size_t size)
{
    wchar_t wide[EZ_OS_PATH];
    HMODULE module = NULL;
    folder[0] = '\0';
    if (!GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS |
                                GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT,
                            (const wchar_t *)address, &module))
        return;
    DWORD n = GetModuleFileNameW(module, wide, EZ_OS_PATH);
    if (n == 0 || n >= EZ_OS_PATH || !ez_windows_text(folder, size, wide)) {
        folder[0] = '\0';
        return;
    }
    char *separator = (char *)(uintptr_t)ez_os_last_separator(folder);
    if (separator)
        *separator = '\0';
}
