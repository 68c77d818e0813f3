/* Wide paths and error numbers on Windows. */
#include "base/os/os_windows.h"

#include <errno.h>
#include <string.h>
#include <wchar.h>

#define UNC_PREFIX L"\\\\?\\UNC\\"
#define LONG_PREFIX L"\\\\?\\"

/* Windows adds names of its own to a folder, so the limit of 260 is reached earlier. */
enum { USUAL_PATH = 240 };

/* Windows reports a name that is too long in several ways. */
static bool has_long_name(const wchar_t *path)
{
    size_t n = 0;
    for (; *path && n <= EZ_OS_NAME; path++)
        n = *path == L'\\' ? 0 : n + 1;
    return n > EZ_OS_NAME;
}

/* Makes a path absolute and puts the prefix in front of it, which turns off the limit. */
static bool lengthen(ez_wide_path *wide)
{
    wchar_t whole[EZ_OS_PATH];
    DWORD n = GetFullPathNameW(wide->text, EZ_OS_PATH, whole, NULL);
    if (n == 0 || n >= EZ_OS_PATH - 8) {
        errno = ENAMETOOLONG;
        return false;
    }
    bool network = whole[0] == L'\\' && whole[1] == L'\\';
    wcscpy(wide->text, network ? UNC_PREFIX : LONG_PREFIX);
    wcscat(wide->text, network ? whole + 2 : whole);
    return true;
}

bool ez_windows_path(ez_wide_path *wide, const char *path)
{
    SetLastError(0);
    int n = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, wide->text, EZ_OS_PATH);
    if (n == 0) {
        errno = GetLastError() == ERROR_INSUFFICIENT_BUFFER ? ENAMETOOLONG : ENOENT;
        return false;
    }
    for (wchar_t *at = wide->text; *at; at++)
        if (*at == L'/')
            *at = L'\\';
    if (has_long_name(wide->text)) {
        errno = ENAMETOOLONG;
        return false;
    }
    bool has_prefix = wcsncmp(wide->text, LONG_PREFIX, 4) == 0;
    return n <= USUAL_PATH || has_prefix || lengthen(wide);
}

bool ez_windows_text(char *text, size_t size, const wchar_t *wide)
{
    if (WideCharToMultiByte(CP_UTF8, 0, wide, -1, text, (int)size, NULL, NULL) > 0)
        return true;
    errno = ENAMETOOLONG;
    return false;
}

int ez_windows_fail(DWORD error)
{
    switch (error) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
    case ERROR_INVALID_NAME:
    case ERROR_INVALID_DRIVE:
    case ERROR_BAD_NETPATH:
    case ERROR_BAD_NET_NAME: errno = ENOENT; break;
    case ERROR_ACCESS_DENIED:
    case ERROR_SHARING_VIOLATION:
    case ERROR_LOCK_VIOLATION:
    case ERROR_USER_MAPPED_FILE:
    case ERROR_DELETE_PENDING: errno = EACCES; break;
    case ERROR_WRITE_PROTECT: errno = EROFS; break;
    case ERROR_FILE_EXISTS:
    case ERROR_ALREADY_EXISTS: errno = EEXIST; break;
    case ERROR_DISK_FULL:
    case ERROR_HANDLE_DISK_FULL: errno = ENOSPC; break;
    case ERROR_FILE_TOO_LARGE: errno = EFBIG; break;
    case ERROR_DIR_NOT_EMPTY: errno = ENOTEMPTY; break;
    case ERROR_DIRECTORY: errno = ENOTDIR; break;
    case ERROR_NOT_ENOUGH_MEMORY:
    case ERROR_OUTOFMEMORY:
    case ERROR_COMMITMENT_LIMIT: errno = ENOMEM; break;
    case ERROR_TOO_MANY_OPEN_FILES: errno = EMFILE; break;
    case ERROR_FILENAME_EXCED_RANGE: errno = ENAMETOOLONG; break;
    case ERROR_BROKEN_PIPE:
    case ERROR_NO_DATA: errno = EPIPE; break;
    case ERROR_INVALID_HANDLE: errno = EBADF; break;
    case ERROR_NOT_SUPPORTED:
    case ERROR_CALL_NOT_IMPLEMENTED: errno = ENOSYS; break;
    case ERROR_INVALID_PARAMETER: errno = EINVAL; break;
    default: errno = EIO;
    }
    return -1;
}

int ez_windows_failed(void)
{
    return ez_windows_fail(GetLastError());
}
