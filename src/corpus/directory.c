/* A directory: every file below it one document, in the order of their paths' bytes. Hidden entries (.name) and what is
 * neither file nor directory are passed over; links to directories are not followed. */
#include "corpus/text_source.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { FILES_A_BLOCK = 32, MAX_LEVELS = 128 };

static ezlda_status walk(ez_strings *list, ezlda_context *context, ez_buffer *path, int level);

/* path holds "directory/name" and a NUL that does not count. */
/* NOLINTNEXTLINE(misc-no-recursion): at most MAX_LEVELS deep */
static ezlda_status visit(ez_strings *list, ezlda_context *context, ez_buffer *path, int level)
{
    const char *name = (const char *)path->data;
    struct stat link, target;
    uint32_t id;
    bool added;
    if (lstat(name, &link))
        return ez_fail_errno(context, name, "look at it");
    if (S_ISDIR(link.st_mode))
        return walk(list, context, path, level + 1);
    if (stat(name, &target) || !S_ISREG(target.st_mode))
        return EZLDA_OK;
    return ez_strings_add(list, context, name, path->used, &id, &added);
}

static ezlda_status join(ez_buffer *path, ezlda_context *context, size_t base, const char *name)
{
    path->used = base;
    if (base && path->data[base - 1] != '/')
        EZ_TRY(ez_buffer_append(path, context, "/", 1));
    EZ_TRY(ez_buffer_append(path, context, name, strlen(name) + 1));
    path->used--;
    return EZLDA_OK;
}

/* NOLINTNEXTLINE(misc-no-recursion): at most MAX_LEVELS deep */
static ezlda_status walk(ez_strings *list, ezlda_context *context, ez_buffer *path, int level)
{
    size_t base = path->used;
    DIR *directory = opendir((const char *)path->data);
    if (!directory)
        return ez_fail_errno(context, (const char *)path->data, "open the directory");
    ezlda_status status = EZLDA_OK;
    if (level > MAX_LEVELS)
        status = ez_fail(context, EZLDA_ERROR_IO, "%s: more than %d levels of directories", (const char *)path->data,
                         MAX_LEVELS);
    const struct dirent *entry;
    while (status == EZLDA_OK && (entry = readdir(directory))) {
        if (entry->d_name[0] == '.')
            continue;
        status = join(path, context, base, entry->d_name);
        if (status == EZLDA_OK)
            status = visit(list, context, path, level);
    }
    closedir(directory);
    path->used = base;
    path->data[base] = '\0';
    return status;
}

static int by_bytes(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static ezlda_status add_file(ez_text_source *source, ezlda_context *context, const char *path, size_t input)
{
    ez_source_file file = {source->file_names.used, input};
    EZ_TRY(ez_buffer_append(&source->file_names, context, path, strlen(path) + 1));
    EZ_TRY(ez_buffer_append(&source->files, context, &file, sizeof file));
    source->n_files++;
    return EZLDA_OK;
}

/* Adds a directory's files, sorted, to the source's. */
static ezlda_status add_sorted(ez_text_source *source, ezlda_context *context, const ez_strings *list, size_t input)
{
    const char **paths;
    EZ_TRY(ez_array(&paths, context, list->n, sizeof *paths, "file names"));
    for (uint32_t i = 0; i < list->n; i++)
        paths[i] = ez_strings_get(list, i, NULL);
    qsort(paths, list->n, sizeof *paths, by_bytes);
    ezlda_status status = EZLDA_OK;
    for (uint32_t i = 0; i < list->n && status == EZLDA_OK; i++)
        status = add_file(source, context, paths[i], input);
    ez_free(paths);
    return status;
}

ezlda_status ez_directory_list(ez_text_source *source, ezlda_context *context)
{
    ezlda_status status = EZLDA_OK;
    for (size_t i = 0; i < source->n_paths && status == EZLDA_OK; i++) {
        ez_strings list = {0};
        ez_buffer path = {0};
        status = join(&path, context, 0, source->paths[i]);
        if (status == EZLDA_OK)
            status = walk(&list, context, &path, 0);
        if (status == EZLDA_OK)
            status = add_sorted(source, context, &list, i);
        ez_strings_free(&list);
        ez_free(path.data);
    }
    return status;
}

bool ez_directory_next(ez_text_source *source, ez_block *block)
{
    size_t left = source->n_files - source->file;
    block->file = source->file;
    block->files = source->file + (left < FILES_A_BLOCK ? left : FILES_A_BLOCK);
    source->file = block->files;
    return left > 0;
}

static ezlda_status read_file(ezlda_context *context, const char *path, const char *encoding, ez_buffer *text)
{
    ez_input *input;
    EZ_TRY(ez_input_open_text(&input, context, path, encoding));
    ezlda_status status = EZLDA_OK;
    size_t got = EZ_BLOCK_BYTES;
    for (text->used = 0; status == EZLDA_OK && got == EZ_BLOCK_BYTES; text->used += got) {
        got = 0;
        status = ez_buffer_reserve(text, context, EZ_BLOCK_BYTES);
        if (status == EZLDA_OK)
            status = ez_input_read(input, context, text->data + text->used, EZ_BLOCK_BYTES, &got);
        if (status == EZLDA_OK && text->used > EZ_RECORD_BYTES)
            status = ez_fail(context, EZLDA_ERROR_FORMAT, "%s: a document longer than 1 GiB", path);
    }
    ez_input_close(input);
    return status;
}

/* Name: the path below the directory (with it, where there are several). Label: the last directory of that path. */
static void name_document(const ez_text_source *source, size_t input, char *path, ez_span *slots)
{
    size_t base = strlen(source->paths[input]);
    char *name = path + base + (path[base] == '/');
    char *slash = strrchr(name, '/');
    slots[EZ_SLOT_NAME] = (ez_span){source->n_paths > 1 ? path : name, strlen(source->n_paths > 1 ? path : name)};
    if (!slash)
        return;
    char *start = slash;
    while (start > name && start[-1] != '/')
        start--;
    slots[EZ_SLOT_LABEL] = (ez_span){start, (size_t)(slash - start)};
}

static int next_file(const ez_text_source *source, ezlda_context *context, ez_block *block, ez_span *slots,
                     uint64_t *line, ez_fault *fault)
{
    if (block->file == block->files)
        return 0;
    const ez_source_file *file = (const ez_source_file *)(const void *)source->files.data + block->file++;
    char *path = (char *)source->file_names.data + file->name;
    fault->path = path;
    fault->line = 0;
    fault->status = read_file(context, path, source->encoding, &block->text);
    if (fault->status != EZLDA_OK)
        return -1;
    char *text = (char *)block->text.data;
    size_t n = block->text.used, mark = n >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    if (ez_text_check(text, n, 1, fault))
        return -1;
    fault->path = NULL;
    ez_slots_clear(source->plan, slots);
    name_document(source, file->input, path, slots);
    slots[EZ_SLOT_TEXT] = (ez_span){text + mark, n - mark};
    *line = 1;
    return 1;
}

const ez_record_reader ez_directory_reader = {"dir", next_file, NULL, NULL};
