/* Folders on Windows: making, listing and locking them. */
#include "base/os/os_folders.h"

#include "base/memory.h"
#include "base/os/os_windows.h"

#include <errno.h>
#include <stdio.h>
#include <wchar.h>

int ez_os_make_folder(const char *path)
{
    ez_wide_path wide;
    if (!ez_windows_path(&wide, path))
        return -1;
    return CreateDirectoryW(wide.text, NULL) ? 0 : ez_windows_failed();
}

int ez_os_remove_folder(const char *path)
{
    ez_wide_path wide;
    if (!ez_windows_path(&wide, path))
        return -1;
    return RemoveDirectoryW(wide.text) ? 0 : ez_windows_failed();
}

void ez_os_remove_files(const char *folder, const char *const *names)
{
    char path[EZ_OS_PATH];
    for (; *names; names++) {
        int n = snprintf(path, sizeof path, "%s/%s", folder, *names);
        if (n > 0 && (size_t)n < sizeof path)
            (void)ez_os_remove(path);
    }
    (void)ez_os_remove_folder(folder);
}

void ez_os_sync_folder_of(const char *path)
{
    (void)path; /* MOVEFILE_WRITE_THROUGH has done it */
}

/* ---- listing ---- */

struct ez_os_list {
    HANDLE search;
    bool first; /* `found` has not been returned */
    WIN32_FIND_DATAW found;
    char name[4 * MAX_PATH];
};

ez_os_list *ez_os_list_open(const char *path)
{
    char pattern[EZ_OS_PATH];
    ez_wide_path wide;
    ez_os_list *list = NULL;
    ez_file_info info;
    if (ez_os_info(path, &info) != 0)
        return NULL;
    if (info.kind != EZ_FILE_FOLDER) {
        errno = ENOTDIR;
        return NULL;
    }
    int n = snprintf(pattern, sizeof pattern, "%s/*", path);
    if (n < 0 || (size_t)n >= sizeof pattern) {
        errno = ENAMETOOLONG;
        return NULL;
    }
    if (!ez_windows_path(&wide, pattern))
        return NULL;
    if (ez_array_zero(&list, NULL, 1, sizeof *list, "the list of a folder") != EZLDA_OK) {
        errno = ENOMEM;
        return NULL;
    }
    list->search = FindFirstFileW(wide.text, &list->found);
    list->first = list->search != INVALID_HANDLE_VALUE;
    if (list->first || GetLastError() == ERROR_FILE_NOT_FOUND)
        return list;
    ez_windows_failed();
    ez_free(list);
    return NULL;
}

static bool is_dots(const wchar_t *name)
{
    return wcscmp(name, L".") == 0 || wcscmp(name, L"..") == 0;
}

const char *ez_os_list_next(ez_os_list *list)
{
    errno = 0;
    do {
        if (list->search == INVALID_HANDLE_VALUE)
            return NULL;
        if (!list->first && !FindNextFileW(list->search, &list->found)) {
            if (GetLastError() != ERROR_NO_MORE_FILES)
                ez_windows_failed();
            return NULL;
        }
        list->first = false;
    } while (is_dots(list->found.cFileName));
    return ez_windows_text(list->name, sizeof list->name, list->found.cFileName) ? list->name
                                                                                 : NULL;
}

void ez_os_list_close(ez_os_list *list)
{
    if (list->search != INVALID_HANDLE_VALUE)
        FindClose(list->search);
    ez_free(list);
}

/* ---- locking ---- */

int ez_os_hold(ez_held_folder *held, const char *path)
{
    ez_wide_path wide;
    *held = EZ_NO_FOLDER;
    if (!ez_windows_path(&wide, path))
        return -1;
    HANDLE folder = CreateFileW(wide.text, FILE_READ_ATTRIBUTES,
                                FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                                OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
    if (folder == INVALID_HANDLE_VALUE)
        return ez_windows_failed();
    BY_HANDLE_FILE_INFORMATION found;
    if (!GetFileInformationByHandle(folder, &found) ||
        !(found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY)) {
        CloseHandle(folder);
        return ez_windows_fail(ERROR_DIRECTORY);
    }
    held->folder = (intptr_t)folder;
    return 0;
}

/* A folder cannot be locked here. A mutex that is named after its number on its volume can, by the
 * processes of this machine, and ends with the process. */
bool ez_os_lock(ez_held_folder *held)
{
    ez_file_info info = {0};
    wchar_t name[80];
    if (ez_os_held_info(held, &info) != 0)
        return true;
    swprintf(name, sizeof name / sizeof *name, L"Global\\ezlda-%llx-%llx",
             (unsigned long long)info.device, (unsigned long long)info.number);
    HANDLE lock = CreateMutexW(NULL, TRUE, name);
    DWORD error = GetLastError();
    if (lock && error == ERROR_ALREADY_EXISTS) {
        CloseHandle(lock);
        return false;
    }
    held->lock = lock;
    return lock || error != ERROR_ACCESS_DENIED; /* another user's */
}

int ez_os_held_info(const ez_held_folder *held, ez_file_info *info)
{
    BY_HANDLE_FILE_INFORMATION found;
    if (!GetFileInformationByHandle((HANDLE)held->folder, &found))
        return ez_windows_failed();
    *info = (ez_file_info){.kind = EZ_FILE_FOLDER,
                           .device = found.dwVolumeSerialNumber,
                           .number = (uint64_t)found.nFileIndexHigh << 32 | found.nFileIndexLow};
    return 0;
}

void ez_os_let_go(ez_held_folder *held)
{
    if (held->lock)
        CloseHandle(held->lock);
    if (held->folder != -1)
        CloseHandle((HANDLE)held->folder);
    *held = EZ_NO_FOLDER;
}
