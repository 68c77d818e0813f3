/* Checks that outputs can be written before the work begins, and writes files through temporary
 * names. */
#include "output/output_path.h"

#include "cli.h"
#include "platform.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool same_file(const platform_info *a, const platform_info *b)
{
    return a->device == b->device && a->number == b->number;
}

static bool names_file(const cli_option *option)
{
    return option->type == CLI_TEXT &&
           (strstr(option->argument, "FILE") || strcmp(option->argument, "MODEL") == 0);
}

/* Another option that names the same file, NULL if none does. */
static const cli_option *named_twice(const cli_call *call, const char *option, const char *path)
{
    platform_info info, other;
    bool exists = platform_look(path, &info) == 0;
    for (const cli_section *section = call->command->sections; section->title; section++)
        for (const cli_option *o = section->options; o->name; o++) {
            const char *value = NULL;
            if (names_file(o) && strcmp(o->name, option + strspn(option, "-")) != 0)
                memcpy(&value, (const char *)call->settings + section->base + o->target,
                       sizeof value);
            if (value &&
                (strcmp(value, path) == 0 ||
                 (exists && platform_look(value, &other) == 0 && same_file(&info, &other))))
                return o;
        }
    return NULL;
}

static int check_existing(const cli_call *call, const char *option, const char *path,
                          const platform_info *info)
{
    if (info->is_folder)
        return cli_fail("%s: cannot write %s: is a directory", path, option);
    for (size_t i = 0; i < call->n_operands; i++) {
        platform_info input;
        if (info->is_regular && platform_look(call->operands[i], &input) == 0 &&
            same_file(info, &input))
            return cli_misuse(call->command, "%s: '%s' is also an input", option, path);
    }
    if (!info->is_regular && platform_can_write(path, false) != 0)
        return cli_fail_errno(path, "write");
    return 0;
}

/* Checks the directory of the file; if the file exists, symbolic links are followed. */
static int check_directory(const char *option, const char *path)
{
    char resolved[PLATFORM_PATH];
    const char *target = platform_resolve(path, resolved) ? resolved : path;
    const char *slash = platform_last_separator(target);
    char *directory = cli_zeroed(strlen(target) + 2, 1);
    /* the separator of a root ("/", "C:\\") belongs to it */
    bool root = slash && (slash == target || slash[-1] == ':' || *slash == ':');
    if (slash)
        memcpy(directory, target, (size_t)(slash - target) + root);
    else
        *directory = '.';
    platform_info info;
    int status = 0;
    if (platform_look(directory, &info) == 0 && !info.is_folder)
        status = cli_fail("%s: cannot write %s: %s is not a directory", path, option, directory);
    else if (platform_can_write(directory, true) != 0)
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
    platform_info info, standard;
    const cli_option *twice = output_is_direct(path) ? NULL : named_twice(call, option, path);
    if (twice)
        return cli_misuse(call->command, "%s and --%s name the same file '%s'", option, twice->name,
                          path);
    if (platform_look(path, &info) == 0) {
        bool shown =
            !info.is_screen || platform_is_terminal(STANDARD_OUTPUT); /* /dev/null does not count */
        if (shown && platform_look_at(STANDARD_OUTPUT, &standard) == 0 &&
            same_file(&info, &standard))
            cli_reserve_stdout();
        int status = check_existing(call, option, path, &info);
        if (status || !info.is_regular)
            return status;
    } else if (errno == ENAMETOOLONG || errno == ELOOP) {
        return cli_fail("%s: cannot write %s: %s", path, option, strerror(errno));
    } else if (platform_is_separator(path[strlen(path) - 1])) {
        return cli_fail("%s: cannot write %s: is a directory", path, option);
    }
    return check_directory(option, path);
}

/* ---- writing ---- */

static bool write_all(int fd, const char *bytes, size_t n)
{
    while (n) {
        int64_t done = platform_write(fd, bytes, n);
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
    platform_info info;
    return platform_look(path, &info) == 0 && (!info.is_regular || platform_is_descriptor(path));
}

static int write_direct(const char *path, const char *bytes, size_t n)
{
    fflush(stdout);
    int fd = platform_open_append(path);
    if (fd < 0)
        return cli_fail_errno(path, "open");
    bool done = write_all(fd, bytes, n);
    int status = done ? 0 : cli_fail_errno(path, "write");
    platform_close(fd);
    return status;
}

static char temporary[PLATFORM_PATH + 48];
static atomic_bool has_temporary;

void output_remove_temporary(void)
{
    if (atomic_load(&has_temporary))
        platform_remove(temporary);
}

/* Creates a file beside the target under a new name, which is cut if it would be too long. */
static int open_temporary(const char *target)
{
    const char *slash = platform_last_separator(target), *last = slash ? slash + 1 : target;
    size_t length = strlen(last), most = PLATFORM_NAME - 32;
    int fd = -1, kept = (int)(last - target) + (int)(length < most ? length : most);
    for (int i = 0; fd < 0 && i < 1000 && (i == 0 || errno == EEXIST); i++) {
        snprintf(temporary, sizeof temporary, "%.*s.%ld-%d.tmp", kept, target,
                 platform_process_id(), i);
        fd = platform_open_new(temporary);
    }
    atomic_store(&has_temporary, fd >= 0);
    return fd;
}

int output_write(const char *path, const char *bytes, size_t n)
{
    if (output_is_direct(path))
        return write_direct(path, bytes, n);
    char resolved[PLATFORM_PATH];
    const char *target = platform_resolve(path, resolved) ? resolved : path;
    int fd = open_temporary(target);
    if (fd < 0)
        return cli_fail_errno(path, "create");
    bool done = write_all(fd, bytes, n) && platform_sync(fd) == 0;
    int error = errno;
    if (platform_close(fd) != 0 && done) {
        error = errno;
        done = false;
    }
    int status = 0;
    if (!done || platform_replace(temporary, target) != 0) {
        errno = done ? errno : error;
        status = cli_fail_errno(path, "write");
        platform_remove(temporary);
    }
    atomic_store(&has_temporary, false);
    return status;
}
