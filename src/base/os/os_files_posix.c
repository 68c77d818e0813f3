/* Files on POSIX systems. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* O_TMPFILE, renameat2 */
#endif
#include "base/os/os_files.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

_Static_assert(EZ_OS_PATH >= PATH_MAX && EZ_OS_NAME >= NAME_MAX, "realpath needs PATH_MAX bytes");

#ifdef __APPLE__
#define WRITTEN st_mtimespec
#else
#define WRITTEN st_mtim
#endif

static int copy_info(int result, const struct stat *from, ez_file_info *info)
{
    if (result != 0)
        return result;
    *info = (ez_file_info){
        .kind = S_ISREG(from->st_mode)   ? EZ_FILE_REGULAR
                : S_ISDIR(from->st_mode) ? EZ_FILE_FOLDER
                : S_ISLNK(from->st_mode) ? EZ_FILE_LINK
                                         : EZ_FILE_OTHER,
        .mode = from->st_mode & 07777,
        .bytes = (uint64_t)from->st_size,
        .written_ns = (int64_t)from->WRITTEN.tv_sec * 1000000000 + from->WRITTEN.tv_nsec,
        .device = (uint64_t)from->st_dev,
        .number = (uint64_t)from->st_ino,
    };
    return 0;
}

int ez_os_info(const char *path, ez_file_info *info)
{
    struct stat found;
    return copy_info(stat(path, &found), &found, info);
}

int ez_os_link_info(const char *path, ez_file_info *info)
{
    struct stat found;
    return copy_info(lstat(path, &found), &found, info);
}

int ez_os_open_info(int file, ez_file_info *info)
{
    struct stat found;
    return copy_info(fstat(file, &found), &found, info);
}

bool ez_os_is_there(const char *path)
{
    return access(path, F_OK) == 0;
}

bool ez_os_is_readable(const char *path)
{
    return access(path, R_OK) == 0;
}

const char *ez_os_last_separator(const char *path)
{
    return strrchr(path, '/');
}

bool ez_os_is_separator(char c)
{
    return c == '/';
}

void ez_os_use_slashes(char *path)
{
    (void)path;
}

bool ez_os_is_descriptor(const char *path)
{
    return !strncmp(path, "/dev/std", 8) || !strncmp(path, "/dev/fd/", 8) ||
           !strncmp(path, "/proc/", 6);
}

int ez_os_open(const char *path)
{
    return open(path, O_RDONLY | O_CLOEXEC);
}

int ez_os_open_standard_input(void)
{
    return dup(STDIN_FILENO);
}

int ez_os_open_new(const char *path)
{
    return open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
}

/* A duplicated descriptor shares the file position with other writers. If the file were opened
 * again, both would write over each other. */
int ez_os_open_append(const char *path)
{
    int descriptor = -1, end = 0;
    if (strcmp(path, "/dev/stdout") == 0)
        descriptor = STDOUT_FILENO;
    else if (strcmp(path, "/dev/stderr") == 0)
        descriptor = STDERR_FILENO;
    /* NOLINTNEXTLINE(cert-err34-c): a number that does not fit is not a descriptor */
    else if (sscanf(path, "/dev/fd/%d%n", &descriptor, &end) != 1 || path[end])
        descriptor = -1;
    return descriptor < 0 ? open(path, O_WRONLY | O_APPEND | O_CLOEXEC)
                          : fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
}

/* On file systems without nameless files, the file gets a name that is removed at once. */
int ez_os_open_nameless(const char *folder)
{
    char name[EZ_OS_PATH];
#ifdef O_TMPFILE
    int nameless = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (nameless >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL))
        return nameless;
#endif
    int length = snprintf(name, sizeof name, "%s/.ezlda-scratch-XXXXXX", folder);
    if (length < 0 || (size_t)length >= sizeof name) {
        errno = ENAMETOOLONG;
        return -1;
    }
    int file = mkostemp(name, O_CLOEXEC);
    if (file >= 0)
        unlink(name);
    return file;
}

int64_t ez_os_read(int file, void *bytes, size_t n)
{
    return read(file, bytes, n < SSIZE_MAX ? n : SSIZE_MAX);
}

int64_t ez_os_read_at(int file, void *bytes, size_t n, uint64_t at)
{
    return pread(file, bytes, n < SSIZE_MAX ? n : SSIZE_MAX, (off_t)at);
}

int64_t ez_os_write(int file, const void *bytes, size_t n)
{
    return write(file, bytes, n < SSIZE_MAX ? n : SSIZE_MAX);
}

int ez_os_reserve(int file, uint64_t bytes)
{
    if (bytes > INT64_MAX)
        return EFBIG;
#ifdef __APPLE__
    struct stat info;
    if (fstat(file, &info) != 0)
        return errno;
    fstore_t more = {.fst_flags = F_ALLOCATEALL,
                     .fst_posmode = F_PEOFPOSMODE,
                     .fst_length = (off_t)bytes - info.st_size};
    if (more.fst_length <= 0)
        return 0;
    if (fcntl(file, F_PREALLOCATE, &more) == -1)
        return errno;
    return ftruncate(file, (off_t)bytes) == 0 ? 0 : errno;
#else
    int error;
    do
        error = posix_fallocate(file, 0, (off_t)bytes);
    while (error == EINTR);
    return error;
#endif
}

int ez_os_sync(int file)
{
    return fsync(file);
}

void ez_os_copy_mode(int file, const ez_file_info *from)
{
    if (fchmod(file, (mode_t)from->mode) != 0)
        errno = 0;
}

int ez_os_close(int file)
{
    return close(file);
}

FILE *ez_os_stream(const char *path)
{
    return fopen(path, "rb");
}

int ez_os_rename(const char *from, const char *to)
{
    return rename(from, to);
}

int ez_os_exchange(const char *a, const char *b)
{
#ifdef RENAME_EXCHANGE
    return renameat2(AT_FDCWD, a, AT_FDCWD, b, RENAME_EXCHANGE);
#elif defined(RENAME_SWAP)
    return renamex_np(a, b, RENAME_SWAP);
#else
    (void)a;
    (void)b;
    errno = ENOSYS;
    return -1;
#endif
}

int ez_os_remove(const char *path)
{
    return unlink(path);
}

bool ez_os_resolve(const char *path, char resolved[EZ_OS_PATH])
{
    return realpath(path, resolved) != NULL;
}

const char *ez_os_temporary_folder(void)
{
    const char *named = getenv("TMPDIR");
    return named && *named ? named : "/var/tmp";
}
