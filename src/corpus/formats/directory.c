/* Lists the files of folders, ZIP archives and inputs that are one document per file, those of a
 * folder or archive in the order of the bytes of their paths. Hidden entries (.name) are skipped
 * and links to directories are not followed. Entries that are neither file nor directory are
 * ignored and reported. file_documents.c reads the files. */
#include "base/os/os_folders.h"
#include "corpus/text/text_source.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { FILES_PER_BLOCK = 32, MAX_LEVELS = 128 };

typedef struct dir_walk {
    ez_strings files; /* files of the directory that is being walked */
    ez_buffer path;   /* "directory/name"; a NUL follows that is not counted */
    uint64_t others;  /* entries that are neither file nor directory */
    ez_buffer other;  /* path of the first of these by its bytes, with its NUL */
} dir_walk;

static ezlda_status walk(dir_walk *self, ezlda_context *context, int level);

static ezlda_status count_other(dir_walk *self, ezlda_context *context)
{
    if (self->others++ && strcmp((const char *)self->other.data, (const char *)self->path.data) < 0)
        return EZLDA_OK;
    self->other.used = 0;
    return ez_buffer_append(&self->other, context, self->path.data, self->path.used + 1);
}

/* NOLINTNEXTLINE(misc-no-recursion): at most MAX_LEVELS deep */
static ezlda_status visit(dir_walk *self, ezlda_context *context, int level)
{
    const char *name = (const char *)self->path.data;
    ez_file_info link, target;
    uint32_t id;
    bool added;
    if (ez_os_link_info(name, &link))
        return ez_fail_errno(context, name, "look at it");
    if (link.kind == EZ_FILE_FOLDER)
        return walk(self, context, level + 1);
    if (ez_os_info(name, &target))
        return ez_fail_errno(context, name,
                             link.kind == EZ_FILE_LINK ? "follow the link" : "look at it");
    if (target.kind == EZ_FILE_FOLDER)
        return EZLDA_OK;
    if (target.kind != EZ_FILE_REGULAR)
        return count_other(self, context);
    return ez_strings_add(&self->files, context, name, self->path.used, &id, &added);
}

static ezlda_status join(ez_buffer *path, ezlda_context *context, size_t base, const char *name)
{
    path->used = base;
    if (base && !ez_os_is_separator((char)path->data[base - 1]))
        EZ_TRY(ez_buffer_append(path, context, "/", 1));
    EZ_TRY(ez_buffer_append(path, context, name, strlen(name) + 1));
    path->used--;
    return EZLDA_OK;
}

/* NOLINTNEXTLINE(misc-no-recursion): at most MAX_LEVELS deep */
static ezlda_status walk(dir_walk *self, ezlda_context *context, int level)
{
    ez_buffer *path = &self->path;
    size_t base = path->used;
    ez_os_list *directory = ez_os_list_open((const char *)path->data);
    if (!directory)
        return ez_fail_errno(context, (const char *)path->data, "open the directory");
    ezlda_status status = EZLDA_OK;
    if (level > MAX_LEVELS)
        status = ez_fail(context, EZLDA_ERROR_IO, "%s: more than %d levels of directories",
                         (const char *)path->data, MAX_LEVELS);
    const char *name;
    while (status == EZLDA_OK && (name = ez_os_list_next(directory))) {
        if (name[0] == '.')
            continue;
        status = join(path, context, base, name);
        if (status == EZLDA_OK)
            status = visit(self, context, level);
    }
    int error = status == EZLDA_OK ? errno : 0;
    ez_os_list_close(directory);
    path->used = base;
    path->data[base] = '\0';
    if (!error)
        return status;
    errno = error;
    return ez_fail_errno(context, (const char *)path->data, "read the directory");
}

static int by_bytes(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static ezlda_status add_file(ez_text_source *source, ezlda_context *context, const char *path,
                             size_t input, size_t member)
{
    ez_source_file file = {source->file_names.used, input, member};
    EZ_TRY(ez_buffer_append(&source->file_names, context, path, strlen(path) + 1));
    EZ_TRY(ez_buffer_append(&source->files, context, &file, sizeof file));
    source->n_files++;
    return EZLDA_OK;
}

/* Sorts the files of a directory and adds them to the source. */
static ezlda_status add_sorted(ez_text_source *source, ezlda_context *context,
                               const ez_strings *list, size_t input)
{
    const char **paths;
    EZ_TRY(ez_array(&paths, context, list->n, sizeof *paths, "file names"));
    for (uint32_t i = 0; i < list->n; i++)
        paths[i] = ez_strings_get(list, i, NULL);
    qsort(paths, list->n, sizeof *paths, by_bytes);
    ezlda_status status = EZLDA_OK;
    size_t base = strlen(source->paths[input]);
    for (uint32_t i = 0; i < list->n && status == EZLDA_OK; i++)
        if (ez_file_chosen(&source->choice, paths[i] + base))
            status = add_file(source, context, paths[i], input, EZ_PLAIN_FILE);
    ez_free(paths);
    return status;
}

static ezlda_status list_folder(ez_text_source *source, ezlda_context *context, dir_walk *self,
                                size_t input)
{
    ezlda_status status = join(&self->path, context, 0, source->paths[input]);
    if (status == EZLDA_OK)
        status = walk(self, context, 0);
    if (status == EZLDA_OK)
        status = add_sorted(source, context, &self->files, input);
    ez_strings_free(&self->files);
    return status;
}

/* An input that was named itself. A pipe is read at once: its file may be read twice, to guess the
 * language and as a document. */
static ezlda_status list_file(ez_text_source *source, ezlda_context *context, size_t input)
{
    const char *path = source->paths[input];
    if (strcmp(path, "-") != 0 && ez_os_is_regular(path))
        return add_file(source, context, path, input, EZ_PLAIN_FILE);
    ez_input *pipe = input == 0 ? source->input : NULL;
    if (!pipe)
        EZ_TRY(ez_input_open_text(&pipe, context, path, source->encoding));
    ezlda_status status = ez_input_read_all(pipe, context, &source->piped[input]);
    if (pipe != source->input)
        ez_input_close(pipe);
    return status == EZLDA_OK ? add_file(source, context, path, input, EZ_PIPED_FILE) : status;
}

static ezlda_status list_input(ez_text_source *source, ezlda_context *context, dir_walk *self,
                               size_t input)
{
    const char *path = source->paths[input];
    if (strcmp(path, "-") != 0 && ez_os_is_folder(path))
        return list_folder(source, context, self, input);
    if (!ez_is_zip(path))
        return list_file(source, context, input);
    EZ_TRY(ez_zip_open(&source->archives[input], context, path));
    return ez_archive_list(source, context, input);
}

ezlda_status ez_directory_list(ez_text_source *source, ezlda_context *context)
{
    dir_walk self = {0};
    EZ_TRY(ez_array_zero(&source->archives, context, source->n_paths, sizeof *source->archives,
                         "the inputs"));
    EZ_TRY(ez_array_zero(&source->piped, context, source->n_paths, sizeof *source->piped,
                         "the inputs"));
    ezlda_status status = EZLDA_OK;
    for (size_t i = 0; i < source->n_paths && status == EZLDA_OK; i++)
        status = list_input(source, context, &self, i);
    if (status == EZLDA_OK && source->choice.skipped)
        ez_note(context, "%llu files are not read: --include or --exclude",
                (unsigned long long)source->choice.skipped);
    if (status == EZLDA_OK && self.others)
        ez_warn(context, "%s: neither file nor folder, ignored (%llu in all)",
                (const char *)self.other.data, (unsigned long long)self.others);
    ez_free(self.path.data);
    ez_free(self.other.data);
    return status;
}

void ez_directory_free(ez_text_source *source)
{
    for (size_t i = 0; source->archives && i < source->n_paths; i++)
        ez_zip_close(source->archives[i]);
    for (size_t i = 0; source->piped && i < source->n_paths; i++)
        ez_free(source->piped[i].data);
    ez_free(source->archives);
    ez_free(source->piped);
    ez_free(source->file_names.data);
    ez_free(source->files.data);
}

bool ez_directory_next(ez_text_source *source, ez_block *block)
{
    size_t left = source->n_files - source->file;
    block->file = source->file;
    block->files = source->file + (left < FILES_PER_BLOCK ? left : FILES_PER_BLOCK);
    source->file = block->files;
    return left > 0;
}
