/* Writes a folder under a temporary name and exchanges it with the target when it is complete. */
#include "base/files/output_folder.h"

#include "base/copy_string.h"
#include "base/files/temporaries.h"
#include "base/os/os_folders.h"
#include "base/os/os_process.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EZ_FOLDER_NAMES = 1000 };

struct ez_folder {
    char *target, *temporary;
    const char *const *names;
    char *file; /* the path that ez_folder_file returned last */
    bool exists;
    int number; /* index of the temporary folder in the list of temporaries */
};

static bool is_listed(const char *const *names, const char *name)
{
    for (; *names; names++)
        if (strcmp(*names, name) == 0)
            return true;
    return false;
}

/* A folder may be replaced if it holds only files of an earlier export. */
static ezlda_status check_folder(const ez_folder *folder, ezlda_context *context)
{
    ez_os_list *entries = ez_os_list_open(folder->target);
    if (!entries)
        return ez_fail_errno(context, folder->target, "read");
    ezlda_status status = EZLDA_OK;
    for (const char *name; status == EZLDA_OK && (name = ez_os_list_next(entries));) {
        if (!is_listed(folder->names, name))
            status = ez_fail(context, EZLDA_ERROR_IO,
                             "%s: cannot replace this folder: it holds '%s', which is not a file "
                             "of an export in this format",
                             folder->target, name);
    }
    if (status == EZLDA_OK && errno != 0)
        status = ez_fail_errno(context, folder->target, "read");
    ez_os_list_close(entries);
    return status;
}

static ezlda_status check_target(ez_folder *folder, ezlda_context *context)
{
    ez_file_info info;
    folder->exists = ez_os_info(folder->target, &info) == 0;
    if (!folder->exists)
        return errno == ENOENT ? EZLDA_OK : ez_fail_errno(context, folder->target, "create");
    if (info.kind != EZ_FILE_FOLDER)
        return ez_fail(context, EZLDA_ERROR_IO, "%s: this format is a folder, but that is a file",
                       folder->target);
    return check_folder(folder, context);
}

static ezlda_status make_temporary(ez_folder *folder, ezlda_context *context)
{
    size_t size = strlen(folder->target) + 48;
    char *name;
    EZ_TRY(ez_array(&name, context, size, 1, "a file name"));
    for (int i = 0; i < EZ_FOLDER_NAMES; i++) {
        snprintf(name, size, "%s.%ld-%d.tmp", folder->target, ez_os_process_id(), i);
        if (ez_os_make_folder(name) == 0) {
            folder->temporary = name;
            folder->number = ez_temporary_begin(name, folder->names);
            return EZLDA_OK;
        }
        if (errno != EEXIST)
            break;
    }
    ez_free(name);
    return ez_fail_errno(context, folder->target, "create");
}

static ezlda_status open_folder(ez_folder *folder, ezlda_context *context, const char *path)
{
    char resolved[EZ_OS_PATH]; /* the target of a symbolic link is replaced, not the link */
    EZ_TRY(
        ez_copy_string(&folder->target, context, ez_os_resolve(path, resolved) ? resolved : path));
    size_t n = strlen(folder->target);
    while (n > 1 && ez_os_is_separator(folder->target[n - 1]))
        folder->target[--n] = '\0';
    if (!n)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT, "expected the name of a folder, found ''");
    EZ_TRY(check_target(folder, context));
    return make_temporary(folder, context);
}

ezlda_status ez_folder_open(ez_folder **out, ezlda_context *context, const char *path,
                            const char *const *names)
{
    ez_folder *folder;
    *out = NULL;
    EZ_TRY(ez_array_zero(&folder, context, 1, sizeof *folder, "an output folder"));
    folder->names = names;
    folder->number = -1;
    ezlda_status status = open_folder(folder, context, path);
    if (status == EZLDA_OK)
        *out = folder;
    else
        ez_folder_abandon(folder);
    return status;
}

ezlda_status ez_folder_file(ez_folder *folder, ezlda_context *context, const char *name,
                            const char **path)
{
    size_t size = strlen(folder->temporary) + strlen(name) + 2;
    ez_free(folder->file);
    folder->file = NULL;
    EZ_TRY(ez_array(&folder->file, context, size, 1, "a file name"));
    snprintf(folder->file, size, "%s/%s", folder->temporary, name);
    *path = folder->file;
    return EZLDA_OK;
}

/* Removes the replaced folder. */
static void remove_old(const char *path, const char *const *names)
{
    int number = ez_temporary_begin(path, names);
    ez_os_remove_files(path, names);
    ez_temporary_end(number);
}

/* Renames the old folder to another name, then the new one to the target; for file systems that
 * cannot exchange two names. */
static bool replace_in_two_steps(ez_folder *folder)
{
    size_t size = strlen(folder->temporary) + 8;
    char *old;
    if (ez_array(&old, NULL, size, 1, "a file name") != EZLDA_OK)
        return false;
    snprintf(old, size, "%s.old", folder->temporary);
    bool done = ez_os_rename(folder->target, old) == 0;
    if (done && ez_os_rename(folder->temporary, folder->target) != 0) {
        int error = errno;
        done = false;
        if (ez_os_rename(old, folder->target) == 0)
            errno = error;
    }
    if (done)
        remove_old(old, folder->names);
    ez_free(old);
    return done;
}

/* Removes the folder from the list of temporaries first: a signal handler must not delete it under
 * its new name. */
static bool move_in(ez_folder *folder)
{
    bool whole = ez_temporary_end(folder->number);
    folder->number = -1;
    if (!whole) {
        errno = EINTR;
        return false;
    }
    if (!folder->exists)
        return ez_os_rename(folder->temporary, folder->target) == 0;
    if (ez_os_exchange(folder->temporary, folder->target) != 0)
        return replace_in_two_steps(folder);
    remove_old(folder->temporary, folder->names);
    return true;
}

ezlda_status ez_folder_commit(ez_folder *folder, ezlda_context *context)
{
    ezlda_status status = EZLDA_OK;
    if (move_in(folder)) {
        ez_free(folder->temporary);
        folder->temporary = NULL;
    } else {
        status = ez_fail_errno(context, folder->target, "rename the finished folder to");
    }
    ez_folder_abandon(folder);
    return status;
}

void ez_folder_abandon(ez_folder *folder)
{
    if (!folder)
        return;
    if (folder->temporary)
        ez_os_remove_files(folder->temporary, folder->names);
    ez_temporary_end(folder->number);
    ez_free(folder->temporary);
    ez_free(folder->target);
    ez_free(folder->file);
    ez_free(folder);
}
