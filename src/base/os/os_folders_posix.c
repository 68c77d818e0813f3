/* Folders on POSIX systems: making, listing and locking them. */
#include "base/os/os_folders.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

int ez_os_make_folder(const char *path)
{
    return mkdir(path, 0777);
}

int ez_os_remove_folder(const char *path)
{
    return rmdir(path);
}

void ez_os_remove_files(const char *folder, const char *const *names)
{
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    for (; fd >= 0 && *names; names++)
        unlinkat(fd, *names, 0);
    if (fd >= 0)
        close(fd);
    rmdir(folder);
}

void ez_os_sync_folder_of(const char *path)
{
    char folder[EZ_OS_PATH] = ".";
    const char *slash = strrchr(path, '/');
    size_t length = slash ? slash == path ? 1 : (size_t)(slash - path) : 1;
    if (length >= sizeof folder)
        return;
    if (slash)
        memcpy(folder, path, length);
    folder[length] = '\0';
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return;
    fsync(fd);
    close(fd);
}

/* ---- listing ---- */

ez_os_list *ez_os_list_open(const char *path)
{
    return (ez_os_list *)opendir(path);
}

const char *ez_os_list_next(ez_os_list *list)
{
    const struct dirent *entry;
    do {
        errno = 0;
        entry = readdir((DIR *)list);
    } while (entry && (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0));
    return entry ? entry->d_name : NULL;
}

void ez_os_list_close(ez_os_list *list)
{
    closedir((DIR *)list);
}

/* ---- locking ---- */

int ez_os_hold(ez_held_folder *held, const char *path)
{
    held->folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    held->lock = NULL;
    return held->folder < 0 ? -1 : 0;
}

bool ez_os_lock(ez_held_folder *held)
{
    return flock((int)held->folder, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

int ez_os_held_info(const ez_held_folder *held, ez_file_info *info)
{
    return ez_os_open_info((int)held->folder, info);
}

void ez_os_let_go(ez_held_folder *held)
{
    if (held->folder >= 0)
        close((int)held->folder);
    *held = EZ_NO_FOLDER;
}
