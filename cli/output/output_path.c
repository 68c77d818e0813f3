/* Checks that outputs can be written before the work begins, and writes files through temporary
 * names. */
#include "output/output_path.h"

#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool same_file(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static bool names_file(const cli_option *option)
{
    return option->type == CLI_TEXT &&
           (strstr(option->argument, "FILE") || strcmp(option->argument, "MODEL") == 0);
}

/* Another option that names the same file, NULL if none does. */
static const cli_option *named_twice(const cli_call *call, const char *option, const char *path)
{
    struct stat info, other;
    bool exists = stat(path, &info) == 0;
    for (const cli_section *section = call->command->sections; section->title; section++)
        for (const cli_option *o = section->options; o->name; o++) {
            const char *value = NULL;
            if (names_file(o) && strcmp(o->name, option + strspn(option, "-")) != 0)
                memcpy(&value, (const char *)call->settings + section->base + o->target,
                       sizeof value);
            if (value && (strcmp(value, path) == 0 ||
                          (exists && stat(value, &other) == 0 && same_file(&info, &other))))
                return o;
        }
    return NULL;
}

static int check_existing(const cli_call *call, const char *option, const char *path,
                          const struct stat *info)
{
    if (S_ISDIR(info->st_mode))
        return cli_fail("%s: cannot write %s: is a directory", path, option);
    for (size_t i = 0; i < call->n_operands; i++) {
        struct stat input;
        if (S_ISREG(info->st_mode) && stat(call->operands[i], &input) == 0 &&
            same_file(info, &input))
            return cli_misuse(call->command, "%s: '%s' is also an input", option, path);
    }
    if (!S_ISREG(info->st_mode) && access(path, W_OK) != 0)
        return cli_fail_errno(path, "write");
    return 0;
}

/* Checks the directory of the file; if the file exists, symbolic links are followed. */
static int check_directory(const char *option, const char *path)
{
    char resolved[PATH_MAX];
    const char *target = realpath(path, resolved) ? resolved : path;
    const char *slash = strrchr(target, '/');
    char *directory =
        slash ? strndup(target, slash == target ? 1 : (size_t)(slash - target)) : strdup(".");
    if (!directory)
        return cli_fail("not enough memory");
    struct stat info;
    int status = 0;
    if (stat(directory, &info) == 0 && !S_ISDIR(info.st_mode))
        status = cli_fail("%s: cannot write %s: %s is not a directory", path, option, directory);
    else if (access(directory, W_OK | X_OK) != 0)
        status = cli_fail("%s: cannot write %s: directory %s: %s", path, option, directory,
                          strerror(errno));
    free(directory);
    return status;
}

int output_check(const cli_call *call, const char *option, const char *path)
{
    if (!path)
        return 0;
    if (!*path)
        return cli_misuse(call->command, "%s: expected a file name, found ''", option);
    if (strcmp(path, "-") == 0)
        return cli_misuse(
            call->command,
            "%s: expected a file name, found '-' (use /dev/stdout for standard output)", option);
    struct stat info, standard;
    const cli_option *twice = output_is_direct(path) ? NULL : named_twice(call, option, path);
    if (twice)
        return cli_misuse(call->command, "%s and --%s name the same file '%s'", option, twice->name,
                          path);
    if (stat(path, &info) == 0) {
        bool shown = !S_ISCHR(info.st_mode) || isatty(STDOUT_FILENO); /* /dev/null does not count */
        if (shown && fstat(STDOUT_FILENO, &standard) == 0 && same_file(&info, &standard))
            cli_reserve_stdout();
        int status = check_existing(call, option, path, &info);
        if (status || !S_ISREG(info.st_mode))
            return status;
    } else if (errno == ENAMETOOLONG || errno == ELOOP) {
        return cli_fail("%s: cannot write %s: %s", path, option, strerror(errno));
    } else if (path[strlen(path) - 1] == '/') {
        return cli_fail("%s: cannot write %s: is a directory", path, option);
    }
    return check_directory(option, path);
}

/* ---- writing ---- */

static bool write_all(int fd, const char *bytes, size_t n)
{
    while (n) {
        ssize_t done = write(fd, bytes, n);
        if (done < 0 && errno == EINTR)
            continue;
        if (done == 0)
            errno = ENOSPC;
        if (done <= 0)
            return false;
        bytes += done;
        n -= (size_t)done;
    }
    return true;
}

bool output_is_direct(const char *path)
{
    struct stat info;
    if (stat(path, &info) != 0)
        return false;
    return !S_ISREG(info.st_mode) || !strncmp(path, "/dev/std", 8) ||
           !strncmp(path, "/dev/fd/", 8) || !strncmp(path, "/proc/", 6);
}

/* /dev/stdout and /dev/stderr share the descriptor, and so its position in the file. */
static int open_direct(const char *path)
{
    int descriptor = strcmp(path, "/dev/stdout") == 0   ? STDOUT_FILENO
                     : strcmp(path, "/dev/stderr") == 0 ? STDERR_FILENO
                                                        : -1;
    return descriptor < 0 ? open(path, O_WRONLY | O_APPEND | O_CLOEXEC)
                          : fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
}

static int write_direct(const char *path, const char *bytes, size_t n)
{
    fflush(stdout);
    int fd = open_direct(path);
    if (fd < 0)
        return cli_fail_errno(path, "open");
    bool done = write_all(fd, bytes, n);
    int status = done ? 0 : cli_fail_errno(path, "write");
    close(fd);
    return status;
}

static char temporary[PATH_MAX + 48];
static atomic_bool has_temporary;

void output_remove_temporary(void)
{
    if (atomic_load(&has_temporary))
        unlink(temporary);
}

/* Creates a file beside the target under a new name, which is cut if it would be too long. */
static int open_temporary(const char *target)
{
    const char *slash = strrchr(target, '/'), *last = slash ? slash + 1 : target;
    size_t length = strlen(last), most = NAME_MAX - 32;
    int fd = -1, kept = (int)(last - target) + (int)(length < most ? length : most);
    for (int i = 0; fd < 0 && i < 1000 && (i == 0 || errno == EEXIST); i++) {
        snprintf(temporary, sizeof temporary, "%.*s.%ld-%d.tmp", kept, target, (long)getpid(), i);
        fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    }
    atomic_store(&has_temporary, fd >= 0);
    return fd;
}

int output_write(const char *path, const char *bytes, size_t n)
{
    if (output_is_direct(path))
        return write_direct(path, bytes, n);
    char resolved[PATH_MAX];
    const char *target = realpath(path, resolved) ? resolved : path;
    int fd = open_temporary(target);
    if (fd < 0)
        return cli_fail_errno(path, "create");
    bool done = write_all(fd, bytes, n) && fsync(fd) == 0;
    int error = errno;
    if (close(fd) != 0 && done) {
        error = errno;
        done = false;
    }
    int status = 0;
    if (!done || rename(temporary, target) != 0) {
        errno = done ? errno : error;
        status = cli_fail_errno(path, "write");
        unlink(temporary);
    }
    atomic_store(&has_temporary, false);
    return status;
}
