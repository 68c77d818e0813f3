/* The operating system for the command: Windows. */
#include "platform.h"

#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <wchar.h>
/* after the C library's headers */
#include <windows.h>

#include <psapi.h>
#include <shellapi.h>

/* ---- text and errors ---- */

typedef struct wide_path {
    wchar_t text[PLATFORM_PATH + 8];
} wide_path;

enum { USUAL_PATH = 240, SHARED = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE };

/* Windows reports a name that is too long in several ways. */
static bool has_long_name(const wchar_t *path)
{
    size_t n = 0;
    for (; *path && n <= PLATFORM_NAME; path++)
        n = *path == L'\\' ? 0 : n + 1;
    return n > PLATFORM_NAME;
}

/* "/" becomes "\", and a path that is too long for the usual calls gets the prefix \\?\. */
static bool widen(wide_path *wide, const char *path)
{
    wchar_t whole[PLATFORM_PATH];
    int n = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS,
                                strcmp(path, "/dev/null") == 0 ? "NUL" : path, -1, wide->text,
                                PLATFORM_PATH);
    errno = n ? errno : GetLastError() == ERROR_INSUFFICIENT_BUFFER ? ENAMETOOLONG : ENOENT;
    for (wchar_t *at = wide->text; n && *at; at++)
        if (*at == L'/')
            *at = L'\\';
    if (n && has_long_name(wide->text)) {
        errno = ENAMETOOLONG;
        return false;
    }
    if (n <= USUAL_PATH || wcsncmp(wide->text, L"\\\\?\\", 4) == 0)
        return n > 0;
    DWORD length = GetFullPathNameW(wide->text, PLATFORM_PATH, whole, NULL);
    if (length == 0 || length >= PLATFORM_PATH - 8) {
        errno = ENAMETOOLONG;
        return false;
    }
    bool network = whole[0] == L'\\' && whole[1] == L'\\';
    wcscpy(wide->text, network ? L"\\\\?\\UNC\\" : L"\\\\?\\");
    wcscat(wide->text, network ? whole + 2 : whole);
    return true;
}

static int failed(void)
{
    switch (GetLastError()) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
    case ERROR_INVALID_NAME:
    case ERROR_INVALID_DRIVE: errno = ENOENT; break;
    case ERROR_ACCESS_DENIED:
    case ERROR_SHARING_VIOLATION:
    case ERROR_LOCK_VIOLATION:
    case ERROR_USER_MAPPED_FILE: errno = EACCES; break;
    case ERROR_FILE_EXISTS:
    case ERROR_ALREADY_EXISTS: errno = EEXIST; break;
    case ERROR_DISK_FULL:
    case ERROR_HANDLE_DISK_FULL: errno = ENOSPC; break;
    case ERROR_DIRECTORY: errno = ENOTDIR; break;
    case ERROR_FILENAME_EXCED_RANGE: errno = ENAMETOOLONG; break;
    default: errno = EIO;
    }
    return -1;
}

/* ---- beginning ---- */

/* The arguments that the C runtime makes are of the code page, and lose what it does not have. */
static void use_wide_arguments(int *argc, char ***argv)
{
    int n = 0;
    wchar_t **wide = CommandLineToArgvW(GetCommandLineW(), &n);
    if (!wide)
        return;
    char **given = cli_zeroed((size_t)n + 1, sizeof *given);
    for (int i = 0; i < n; i++) {
        int size = WideCharToMultiByte(CP_UTF8, 0, wide[i], -1, NULL, 0, NULL, NULL);
        given[i] = cli_zeroed((size_t)(size > 0 ? size : 1), 1);
        WideCharToMultiByte(CP_UTF8, 0, wide[i], -1, given[i], size, NULL, NULL);
    }
    LocalFree(wide);
    *argc = n;
    *argv = given;
}

static HANDLE console(int descriptor)
{
    return GetStdHandle(descriptor == STANDARD_INPUT    ? STD_INPUT_HANDLE
                        : descriptor == STANDARD_OUTPUT ? STD_OUTPUT_HANDLE
                                                        : STD_ERROR_HANDLE);
}

void platform_begin(int *argc, char ***argv)
{
    use_wide_arguments(argc, argv);
    SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX);
    for (int descriptor = 0; descriptor <= 2; descriptor++)
        _setmode(descriptor, _O_BINARY);
    if (platform_is_terminal(STANDARD_OUTPUT) || platform_is_terminal(STANDARD_ERROR))
        SetConsoleOutputCP(CP_UTF8);
}

/* ---- the terminal ---- */

bool platform_is_terminal(int descriptor)
{
    DWORD mode;
    return GetConsoleMode(console(descriptor), &mode);
}

size_t platform_terminal_width(int descriptor)
{
    CONSOLE_SCREEN_BUFFER_INFO screen;
    if (!platform_is_terminal(descriptor))
        return 0;
    if (!GetConsoleScreenBufferInfo(console(descriptor), &screen))
        return 80;
    int width = screen.srWindow.Right - screen.srWindow.Left + 1;
    return width > 0 ? (size_t)width : 80;
}

bool platform_can_redraw(int descriptor)
{
    DWORD mode;
    return GetConsoleMode(console(descriptor), &mode) &&
           SetConsoleMode(console(descriptor), mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
}

/* Streams do not keep the reason. A pipe fails if its reader has gone. */
int platform_likely_error(int descriptor)
{
    return GetFileType((HANDLE)_get_osfhandle(descriptor)) == FILE_TYPE_PIPE ? EPIPE : EIO;
}

/* ---- clocks, the process ---- */

double platform_clock(void)
{
    LARGE_INTEGER ticks, per_second;
    QueryPerformanceFrequency(&per_second);
    QueryPerformanceCounter(&ticks);
    return (double)ticks.QuadPart / (double)per_second.QuadPart;
}

void platform_pause(double seconds)
{
    Sleep((DWORD)(1000 * seconds));
}

bool platform_day(uint64_t seconds, char day[16])
{
    struct tm calendar;
    __time64_t then = (__time64_t)seconds;
    return _gmtime64_s(&calendar, &then) == 0 && strftime(day, 16, "%Y-%m-%d", &calendar);
}

uint64_t platform_peak_memory(void)
{
    PROCESS_MEMORY_COUNTERS counters = {.cb = sizeof counters};
    return GetProcessMemoryInfo(GetCurrentProcess(), &counters, sizeof counters)
               ? counters.PeakWorkingSetSize
               : 0;
}

long platform_process_id(void)
{
    return (long)GetCurrentProcessId();
}

/* ---- files ---- */

static int standard_descriptor(const char *path)
{
    return strcmp(path, "/dev/stdout") == 0   ? STANDARD_OUTPUT
           : strcmp(path, "/dev/stderr") == 0 ? STANDARD_ERROR
                                              : -1;
}

bool platform_is_descriptor(const char *path)
{
    return standard_descriptor(path) >= 0;
}

static HANDLE open_handle(const char *path, DWORD access, DWORD how, DWORD flags)
{
    wide_path wide;
    if (!widen(&wide, path))
        return INVALID_HANDLE_VALUE;
    HANDLE file = CreateFileW(wide.text, access, SHARED, NULL, how, flags, NULL);
    if (file == INVALID_HANDLE_VALUE)
        failed();
    return file;
}

static int look_at(HANDLE file, platform_info *info)
{
    BY_HANDLE_FILE_INFORMATION found;
    DWORD type = GetFileType(file);
    *info = (platform_info){.is_screen = type == FILE_TYPE_CHAR};
    if (type != FILE_TYPE_DISK || !GetFileInformationByHandle(file, &found))
        return 0;
    info->is_folder = found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY;
    info->is_regular = !info->is_folder;
    info->bytes = (uint64_t)found.nFileSizeHigh << 32 | found.nFileSizeLow;
    info->device = found.dwVolumeSerialNumber;
    info->number = (uint64_t)found.nFileIndexHigh << 32 | found.nFileIndexLow;
    return 0;
}

int platform_look_at(int descriptor, platform_info *info)
{
    return look_at((HANDLE)_get_osfhandle(descriptor), info);
}

int platform_look(const char *path, platform_info *info)
{
    int standard = standard_descriptor(path);
    if (standard >= 0)
        return platform_look_at(standard, info);
    HANDLE file =
        open_handle(path, FILE_READ_ATTRIBUTES, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS);
    if (file == INVALID_HANDLE_VALUE)
        return -1;
    int result = look_at(file, info);
    CloseHandle(file);
    return result;
}

/* Access rights say little before a file is made; a folder that is not there can be found. */
int platform_can_write(const char *path, bool folder)
{
    platform_info info;
    if (platform_look(path, &info) != 0)
        return -1;
    if (folder && !info.is_folder) {
        errno = ENOTDIR;
        return -1;
    }
    return 0;
}

bool platform_is_separator(char c)
{
    return c == '/' || c == '\\';
}

/* The colon of a drive separates too: "C:name" is a name in the current folder of the drive. */
const char *platform_last_separator(const char *path)
{
    for (const char *at = path + strlen(path); at-- > path;)
        if (platform_is_separator(*at) || (*at == ':' && at == path + 1))
            return at;
    return NULL;
}

/* The prefix of long paths is removed again: widen adds it if it is needed. */
bool platform_resolve(const char *path, char resolved[PLATFORM_PATH])
{
    wchar_t whole[PLATFORM_PATH];
    HANDLE file =
        open_handle(path, FILE_READ_ATTRIBUTES, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS);
    if (file == INVALID_HANDLE_VALUE)
        return false;
    DWORD n = GetFinalPathNameByHandleW(file, whole, PLATFORM_PATH, FILE_NAME_NORMALIZED);
    CloseHandle(file);
    if (n == 0 || n >= PLATFORM_PATH) {
        errno = n ? ENAMETOOLONG : EIO;
        return false;
    }
    wchar_t *start = whole;
    if (wcsncmp(start, L"\\\\?\\UNC\\", 8) == 0) {
        start += 6;
        *start = L'\\';
    } else if (wcsncmp(start, L"\\\\?\\", 4) == 0) {
        start += 4;
    }
    return WideCharToMultiByte(CP_UTF8, 0, start, -1, resolved, PLATFORM_PATH, NULL, NULL) > 0;
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

FILE *platform_open(const char *path, const char *mode)
{
    wide_path wide;
    wchar_t wide_mode[8];
    size_t n = strlen(mode);
    for (size_t i = 0; i < n && i < 4; i++)
        wide_mode[i] = (wchar_t)mode[i];
    wcscpy(wide_mode + n, strchr(mode, 'b') ? L"" : L"b");
    return widen(&wide, path) ? _wfopen(wide.text, wide_mode) : NULL;
}

int platform_cut(FILE *file, uint64_t bytes)
{
    if (fflush(file) != 0 || _fseeki64(file, (int64_t)bytes, SEEK_SET) != 0)
        return -1;
    errno = _chsize_s(_fileno(file), (int64_t)bytes);
    return errno ? -1 : 0;
}

int platform_open_new(const char *path)
{
    return descriptor_of(open_handle(path, GENERIC_WRITE, CREATE_NEW, FILE_ATTRIBUTE_NORMAL),
                         _O_WRONLY);
}

int platform_open_append(const char *path)
{
    int standard = standard_descriptor(path);
    if (standard < 0)
        return descriptor_of(open_handle(path, FILE_APPEND_DATA, OPEN_EXISTING, 0), _O_WRONLY);
    int descriptor = _dup(standard);
    if (descriptor >= 0)
        _setmode(descriptor, _O_BINARY);
    return descriptor;
}

int64_t platform_write(int descriptor, const char *bytes, size_t n)
{
    return _write(descriptor, bytes, n < INT_MAX ? (unsigned)n : INT_MAX);
}

int platform_sync(int descriptor)
{
    return _commit(descriptor);
}

int platform_close(int descriptor)
{
    return _close(descriptor);
}

int platform_replace(const char *from, const char *to)
{
    wide_path a, b;
    if (!widen(&a, from) || !widen(&b, to))
        return -1;
    return MoveFileExW(a.text, b.text, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH)
               ? 0
               : failed();
}

int platform_remove(const char *path)
{
    wide_path wide;
    if (!widen(&wide, path))
        return -1;
    return DeleteFileW(wide.text) ? 0 : failed();
}

/* ---- a stream into memory: a temporary file that is read at the end ---- */

bool platform_memory_open(platform_memory *memory)
{
    wchar_t folder[MAX_PATH + 2], name[MAX_PATH + 2];
    *memory = (platform_memory){0};
    if (!GetTempPathW(MAX_PATH + 2, folder) || !GetTempFileNameW(folder, L"ezl", 0, name))
        return false;
    HANDLE file =
        CreateFileW(name, GENERIC_READ | GENERIC_WRITE | DELETE, FILE_SHARE_DELETE, NULL,
                    CREATE_ALWAYS, FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE, NULL);
    int descriptor = descriptor_of(file, _O_RDWR);
    memory->file = descriptor < 0 ? NULL : _fdopen(descriptor, "w+b");
    if (!memory->file && descriptor >= 0)
        _close(descriptor);
    return memory->file != NULL;
}

bool platform_memory_close(platform_memory *memory)
{
    bool good = fflush(memory->file) == 0 && !ferror(memory->file);
    int64_t n = good ? _ftelli64(memory->file) : -1;
    if (n >= 0) {
        memory->bytes = cli_zeroed((size_t)n + 1, 1);
        rewind(memory->file);
        memory->n = fread(memory->bytes, 1, (size_t)n, memory->file);
    }
    fclose(memory->file);
    return n >= 0 && memory->n == (size_t)n;
}
