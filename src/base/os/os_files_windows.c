/* Files on Windows. Descriptors are those of the C runtime, over handles that let other processes
 * rename and delete the file, as on other systems. */
#include "base/os/os_files.h"

#include "base/os/os_windows.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

enum { SHARED = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NAMES = 1000 };

/* ---- names that stand for devices ---- */

/* The descriptor that /dev/stdout or /dev/stderr names; -1: none. */
static int standard_descriptor(const char *path)
{
    return strcmp(path, "/dev/stdout") == 0 ? 1 : strcmp(path, "/dev/stderr") == 0 ? 2 : -1;
}

bool ez_os_is_descriptor(const char *path)
{
    return standard_descriptor(path) >= 0;
}

static bool find_path(ez_wide_path *wide, const char *path)
{
    return ez_windows_path(wide, strcmp(path, "/dev/null") == 0 ? "NUL" : path);
}

static HANDLE open_handle(const char *path, DWORD access, DWORD how, DWORD flags)
{
    ez_wide_path wide;
    if (!find_path(&wide, path))
        return INVALID_HANDLE_VALUE;
    HANDLE file = CreateFileW(wide.text, access, SHARED, NULL, how, flags, NULL);
    if (file == INVALID_HANDLE_VALUE)
        ez_windows_failed();
    return file;
}

static int descriptor_of(HANDLE file, int flags)
{
    if (file == INVALID_HANDLE_VALUE)
        return -1;
    int descriptor = _open_osfhandle((intptr_t)file, flags | _O_BINARY | _O_NOINHERIT);
    if (descriptor < 0)
        CloseHandle(file);
    return descriptor;
}

/* ---- what a name stands for ---- */

static int handle_info(HANDLE file, ez_file_info *info)
{
    BY_HANDLE_FILE_INFORMATION found;
    DWORD type = GetFileType(file);
    *info = (ez_file_info){.kind = EZ_FILE_OTHER, .mode = 0666};
    if (type != FILE_TYPE_DISK || !GetFileInformationByHandle(file, &found))
        return type == FILE_TYPE_UNKNOWN && GetLastError() != NO_ERROR ? ez_windows_failed() : 0;
    uint64_t written =
        (uint64_t)found.ftLastWriteTime.dwHighDateTime << 32 | found.ftLastWriteTime.dwLowDateTime;
    info->kind =
        found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY ? EZ_FILE_FOLDER : EZ_FILE_REGULAR;
    info->mode = found.dwFileAttributes & FILE_ATTRIBUTE_READONLY ? 0444 : 0666;
    info->bytes = (uint64_t)found.nFileSizeHigh << 32 | found.nFileSizeLow;
    info->written_ns = (int64_t)(written - UINT64_C(116444736000000000)) * 100; /* since 1601 */
    info->device = found.dwVolumeSerialNumber;
    info->number = (uint64_t)found.nFileIndexHigh << 32 | found.nFileIndexLow;
    return 0;
}

static int named_info(const char *path, ez_file_info *info, DWORD flags)
{
    int standard = standard_descriptor(path);
    if (standard >= 0) {
        int result = ez_os_open_info(standard, info);
        return result;
    }
    HANDLE file =
        open_handle(path, FILE_READ_ATTRIBUTES, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS | flags);
    if (file == INVALID_HANDLE_VALUE)
        return -1;
    int result = handle_info(file, info);
    CloseHandle(file);
    return result;
}

int ez_os_info(const char *path, ez_file_info *info)
{
    return named_info(path, info, 0);
}

int ez_os_link_info(const char *path, ez_file_info *info)
{
    ez_wide_path wide;
    if (!find_path(&wide, path))
        return -1;
    int result = named_info(path, info, FILE_FLAG_OPEN_REPARSE_POINT);
    DWORD attributes = GetFileAttributesW(wide.text);
    if (result == 0 && attributes != INVALID_FILE_ATTRIBUTES &&
        attributes & FILE_ATTRIBUTE_REPARSE_POINT)
        info->kind = EZ_FILE_LINK;
    return result;
}

int ez_os_open_info(int file, ez_file_info *info)
{
    return handle_info((HANDLE)_get_osfhandle(file), info);
}

bool ez_os_is_there(const char *path)
{
    ez_file_info info;
    return ez_os_info(path, &info) == 0;
}

bool ez_os_is_readable(const char *path)
{
    HANDLE file = open_handle(path, GENERIC_READ, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS);
    if (file == INVALID_HANDLE_VALUE)
        return false;
    CloseHandle(file);
    return true;
}

bool ez_os_is_separator(char c)
{
    return c == '/' || c == '\\';
}

/* The colon of a drive separates too: "C:name" is a name in the current folder of the drive. */
const char *ez_os_last_separator(const char *path)
{
    for (const char *at = path + strlen(path); at-- > path;)
        if (ez_os_is_separator(*at) || (*at == ':' && at == path + 1))
            return at;
    return NULL;
}

void ez_os_use_slashes(char *path)
{
    for (; *path; path++)
        if (*path == '\\')
            *path = '/';
}

/* ---- descriptors ---- */

int ez_os_open(const char *path)
{
    return descriptor_of(open_handle(path, GENERIC_READ, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS),
                         _O_RDONLY);
}

int ez_os_open_standard_input(void)
{
    int descriptor = _dup(0);
    if (descriptor >= 0)
        _setmode(descriptor, _O_BINARY);
    return descriptor;
}

int ez_os_open_new(const char *path)
{
    return descriptor_of(
        open_handle(path, GENERIC_READ | GENERIC_WRITE, CREATE_NEW, FILE_ATTRIBUTE_NORMAL),
        _O_RDWR);
}

int ez_os_open_append(const char *path)
{
    int standard = standard_descriptor(path);
    if (standard < 0)
        return descriptor_of(open_handle(path, FILE_APPEND_DATA, OPEN_EXISTING, 0), _O_WRONLY);
    int descriptor = _dup(standard);
    if (descriptor >= 0)
        _setmode(descriptor, _O_BINARY);
    return descriptor;
}

/* The system deletes the file with its last handle, however the process ends. */
int ez_os_open_nameless(const char *folder)
{
    char name[EZ_OS_PATH];
    for (int i = 0; i < NAMES; i++) {
        int n = snprintf(name, sizeof name, "%s/.ezlda-scratch-%lu-%llx-%d", folder,
                         GetCurrentProcessId(), (unsigned long long)GetTickCount64(), i);
        if (n < 0 || (size_t)n >= sizeof name) {
            errno = ENAMETOOLONG;
            return -1;
        }
        HANDLE file = open_handle(name, GENERIC_READ | GENERIC_WRITE | DELETE, CREATE_NEW,
                                  FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE);
        if (file != INVALID_HANDLE_VALUE || errno != EEXIST)
            return descriptor_of(file, _O_RDWR);
    }
    return -1;
}

static unsigned some(size_t n)
{
    return n < INT_MAX ? (unsigned)n : INT_MAX;
}

int64_t ez_os_read(int file, void *bytes, size_t n)
{
    return _read(file, bytes, some(n));
}

int64_t ez_os_read_at(int file, void *bytes, size_t n, uint64_t at)
{
    OVERLAPPED place = {.Offset = (DWORD)at, .OffsetHigh = (DWORD)(at >> 32)};
    DWORD got = 0;
    if (ReadFile((HANDLE)_get_osfhandle(file), bytes, some(n), &got, &place))
        return got;
    return GetLastError() == ERROR_HANDLE_EOF ? 0 : ez_windows_failed();
}

int64_t ez_os_write(int file, const void *bytes, size_t n)
{
    return _write(file, bytes, some(n));
}

int ez_os_reserve(int file, uint64_t bytes)
{
    HANDLE handle = (HANDLE)_get_osfhandle(file);
    LARGE_INTEGER size;
    if (bytes > INT64_MAX)
        return EFBIG;
    if (GetFileSizeEx(handle, &size) && size.QuadPart >= (int64_t)bytes)
        return 0;
    FILE_END_OF_FILE_INFO end = {.EndOfFile.QuadPart = (int64_t)bytes};
    if (SetFileInformationByHandle(handle, FileEndOfFileInfo, &end, sizeof end))
        return 0;
    ez_windows_failed();
    return errno;
}

int ez_os_sync(int file)
{
    return _commit(file);
}

void ez_os_copy_mode(int file, const ez_file_info *from)
{
    (void)file; /* a new file has the access rights of its folder */
    (void)from;
}

int ez_os_close(int file)
{
    return _close(file);
}

FILE *ez_os_stream(const char *path)
{
    int descriptor = ez_os_open(path);
    FILE *file = descriptor < 0 ? NULL : _fdopen(descriptor, "rb");
    if (!file && descriptor >= 0)
        _close(descriptor);
    return file;
}

/* ---- names ---- */

int ez_os_rename(const char *from, const char *to)
{
    ez_wide_path a, b;
    if (!ez_windows_path(&a, from) || !ez_windows_path(&b, to))
        return -1;
    return MoveFileExW(a.text, b.text, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH)
               ? 0
               : ez_windows_failed();
}

int ez_os_exchange(const char *a, const char *b)
{
    (void)a;
    (void)b;
    errno = ENOSYS;
    return -1;
}

int ez_os_remove(const char *path)
{
    ez_wide_path wide;
    if (!ez_windows_path(&wide, path))
        return -1;
    return DeleteFileW(wide.text) ? 0 : ez_windows_failed();
}

/* Removes the prefix of long paths; ez_windows_path adds it again if it is needed. */
static const wchar_t *without_prefix(wchar_t *path)
{
    if (wcsncmp(path, L"\\\\?\\UNC\\", 8) == 0) {
        path[6] = L'\\';
        return path + 6;
    }
    return wcsncmp(path, L"\\\\?\\", 4) == 0 ? path + 4 : path;
}

bool ez_os_resolve(const char *path, char resolved[EZ_OS_PATH])
{
    wchar_t whole[EZ_OS_PATH];
    HANDLE file =
        open_handle(path, FILE_READ_ATTRIBUTES, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS);
    if (file == INVALID_HANDLE_VALUE)
        return false;
    DWORD n = GetFinalPathNameByHandleW(file, whole, EZ_OS_PATH, FILE_NAME_NORMALIZED);
    CloseHandle(file);
    if (n == 0 || n >= EZ_OS_PATH) {
        errno = n ? ENAMETOOLONG : EIO;
        return false;
    }
    return ez_windows_text(resolved, EZ_OS_PATH, without_prefix(whole));
}

const char *ez_os_temporary_folder(void)
{
    static _Thread_local char folder[EZ_OS_PATH];
    wchar_t wide[MAX_PATH + 2];
    DWORD n = GetTempPathW(MAX_PATH + 2, wide);
    if (n == 0 || n > MAX_PATH + 1 || !ez_windows_text(folder, sizeof folder, wide))
        return ".";
    return folder;
}
