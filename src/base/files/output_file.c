/* Writes a file under a temporary name and renames it when it is complete. */
#include "base/files/output_file.h"

#include "base/copy_string.h"
#include "base/files/temporaries.h"
#include "base/os/os_files.h"
#include "base/os/os_folders.h"
#include "base/os/os_process.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EZ_OUTPUT_BUFFER = 1 << 20, EZ_OUTPUT_NAMES = 1000 };

struct ez_output {
    char *path;      /* as given, for messages */
    char *target;    /* the name at the end, with symbolic links followed */
    char *temporary; /* NULL: written directly to the target */
    int number;      /* index of the temporary file in the list of temporaries */
    int fd;
    unsigned char *buffer;
    size_t used;
    uint64_t position;
};

static ezlda_status fail_write(ezlda_context *context, const char *path)
{
    return ez_fail_errno(context, path, "write");
}

static ezlda_status write_all(int fd, ezlda_context *context, const char *path,
                              const unsigned char *bytes, size_t n)
{
    while (n) {
        int64_t done = ez_os_write(fd, bytes, n);
        if (done < 0 && errno == EINTR)
            continue;
        if (done == 0)
            errno = ENOSPC;
        if (done <= 0)
            return fail_write(context, path);
        bytes += done;
        n -= (size_t)done;
    }
    return EZLDA_OK;
}

/* Whether the target cannot be replaced by a rename: devices, pipes, and whatever /dev/stdout and
 * /dev/fd/3 stand for. */
static bool written_directly(const char *path, bool exists, const ez_file_info *info)
{
    return exists && (info->kind != EZ_FILE_REGULAR || ez_os_is_descriptor(path));
}

#define EZ_TEMPORARY_NAME ".%ld-%d.tmp" /* the process, and a number in case the name exists */

static ezlda_status open_temporary(ez_output *output, ezlda_context *context,
                                   const ez_file_info *existing)
{
    /* A name that is too long for the suffix is shortened. */
    const char *slash = ez_os_last_separator(output->target),
               *last = slash ? slash + 1 : output->target;
    size_t size = strlen(output->target) + 48, length = strlen(last);
    int kept =
        (int)(last - output->target) + (int)(length < EZ_OS_NAME - 32 ? length : EZ_OS_NAME - 32);
    EZ_TRY(ez_array(&output->temporary, context, size, 1, "a file name"));
    for (int i = 0; i < EZ_OUTPUT_NAMES; i++) {
        snprintf(output->temporary, size, "%.*s" EZ_TEMPORARY_NAME, kept, output->target,
                 ez_os_process_id(), i);
        output->fd = ez_os_open_new(output->temporary);
        if (output->fd >= 0) {
            output->number = ez_temporary_begin(output->temporary, NULL);
            /* A replaced file keeps its permissions if the system allows it. */
            if (existing)
                ez_os_copy_mode(output->fd, existing);
            return EZLDA_OK;
        }
        if (errno != EEXIST)
            break;
    }
    ez_free(output->temporary);
    output->temporary = NULL;
    return ez_fail_errno(context, output->path, "create");
}

static ezlda_status open_target(ez_output *output, ezlda_context *context)
{
    ez_file_info info;
    bool exists = ez_os_info(output->path, &info) == 0;
    if (!exists && errno != ENOENT)
        return ez_fail_errno(context, output->path, "create");
    if (exists && info.kind == EZ_FILE_FOLDER)
        return ez_fail(context, EZLDA_ERROR_IO, "%s: cannot write: is a directory", output->path);
    if (written_directly(output->path, exists, &info)) {
        output->fd = ez_os_open_append(output->path);
        return output->fd >= 0 ? EZLDA_OK : ez_fail_errno(context, output->path, "open");
    }
    char resolved[EZ_OS_PATH];
    if (exists && !ez_os_resolve(output->path, resolved))
        return ez_fail_errno(context, output->path, "create");
    EZ_TRY(ez_copy_string(&output->target, context, exists ? resolved : output->path));
    return open_temporary(output, context, exists ? &info : NULL);
}

static ezlda_status open_output(ez_output *output, ezlda_context *context, const char *path)
{
    output->fd = output->number = -1;
    EZ_TRY(ez_copy_string(&output->path, context, path));
    EZ_TRY(ez_array(&output->buffer, context, EZ_OUTPUT_BUFFER, 1, "an output buffer"));
    return open_target(output, context);
}

ezlda_status ez_output_open(ez_output **out, ezlda_context *context, const char *path)
{
    *out = NULL;
    ez_output *output;
    EZ_TRY(ez_array_zero(&output, context, 1, sizeof *output, "an output file"));
    ezlda_status status = open_output(output, context, path);
    if (status == EZLDA_OK)
        *out = output;
    else
        ez_output_abandon(output);
    return status;
}

static ezlda_status flush(ez_output *output, ezlda_context *context)
{
    size_t n = output->used;
    output->used = 0;
    return write_all(output->fd, context, output->path, output->buffer, n);
}

ezlda_status ez_output_write(ez_output *output, ezlda_context *context, const void *bytes, size_t n)
{
    if (n > EZ_OUTPUT_BUFFER - output->used) {
        EZ_TRY(flush(output, context));
        if (n >= EZ_OUTPUT_BUFFER) {
            output->position += n;
            return write_all(output->fd, context, output->path, bytes, n);
        }
    }
    if (n)
        memcpy(output->buffer + output->used, bytes, n);
    output->used += n;
    output->position += n;
    return EZLDA_OK;
}

uint64_t ez_output_position(const ez_output *output)
{
    return output->position;
}

static ezlda_status commit(ez_output *output, ezlda_context *context)
{
    EZ_TRY(flush(output, context));
    if (output->temporary && ez_os_sync(output->fd) != 0)
        return fail_write(context, output->path);
    int closed = ez_os_close(output->fd);
    output->fd = -1;
    if (closed != 0 && errno != EINTR)
        return fail_write(context, output->path);
    if (!output->temporary)
        return EZLDA_OK;
    if (ez_os_rename(output->temporary, output->target) != 0)
        return ez_fail_errno(context, output->path, "rename the finished file to");
    ez_temporary_end(output->number);
    output->number = -1;
    ez_free(output->temporary);
    output->temporary = NULL;
    ez_os_sync_folder_of(output->target); /* only now the rename is safe on disk */
    return EZLDA_OK;
}

ezlda_status ez_output_commit(ez_output *output, ezlda_context *context)
{
    ezlda_status status = commit(output, context);
    ez_output_abandon(output);
    return status;
}

void ez_output_abandon(ez_output *output)
{
    if (!output)
        return;
    if (output->fd >= 0)
        ez_os_close(output->fd);
    if (output->temporary)
        ez_os_remove(output->temporary);
    ez_temporary_end(output->number);
    ez_free(output->temporary);
    ez_free(output->target);
    ez_free(output->path);
    ez_free(output->buffer);
    ez_free(output);
}

bool ez_output_left_behind(const char *name, size_t *length)
{
    const char *dot = name + strlen(name);
    long process;
    for (int dots = 0, number, end = 0; dot-- > name;) {
        if (*dot != '.' || ++dots < 2)
            continue;
        /* NOLINTNEXTLINE(cert-err34-c): numbers that do not fit are rejected below */
        if (sscanf(dot, EZ_TEMPORARY_NAME "%n", &process, &number, &end) != 2 || end == 0 ||
            dot[end])
            return false;
        if (process < 1 || process > INT32_MAX)
            return false;
        *length = (size_t)(dot - name);
        return process == ez_os_process_id() || !ez_os_process_runs(process);
    }
    return false;
}
