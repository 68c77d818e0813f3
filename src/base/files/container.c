/* Reads containers: maps or loads a file, checks its header, footer, table and checksums, and gives
 * access to its sections. */
#include "base/files/container.h"
#include "base/copy_string.h"
#include "base/files/container_layout.h"
#include "base/files/content_hash.h"
#include "base/os/os_files.h"
#include "base/os/os_maps.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>

struct ez_container {
    char *path; /* "" in memory */
    const unsigned char *bytes;
    uint64_t size;
    bool mapped; /* else freed with ez_free */
    uint64_t device, file;
    _Atomic int64_t written_ns; /* the file's time when its content last matched the checksums */
    const ez_section *table;
    uint32_t sections;
};

/* ---- bytes ---- */

/* expected: the bytes of the file if they are known, else 0. */
static ezlda_status read_whole(ez_container *container, ezlda_context *context, int fd,
                               uint64_t expected)
{
    enum { STEP = 1 << 20 };
    ez_buffer buffer = {0};
    ezlda_status status;
    if (expected && expected < SIZE_MAX - STEP)
        EZ_TRY(ez_buffer_reserve(&buffer, context, (size_t)expected + STEP));
    for (;;) {
        EZ_TRY_GOTO(ez_buffer_reserve(&buffer, context, STEP));
        int64_t got = ez_os_read(fd, buffer.data + buffer.used, STEP);
        if (got == 0)
            break;
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            status = ez_fail_errno(context, container->path, "read");
            goto done;
        }
        buffer.used += (size_t)got;
    }
    container->bytes = buffer.data;
    container->size = buffer.used;
    return EZLDA_OK;
done:
    ez_free(buffer.data);
    return status;
}

static ezlda_status map_file(ez_container *container, ezlda_context *context, int fd,
                             const ez_file_info *info)
{
    container->size = info->bytes;
    if (container->size == 0)
        return EZLDA_OK;
    void *bytes = ez_os_map(fd, (size_t)container->size);
    if (!bytes)
        return ez_fail_errno(context, container->path, "map");
    container->bytes = bytes;
    container->mapped = true;
    container->device = info->device;
    container->file = info->number;
    container->written_ns = info->written_ns;
    return EZLDA_OK;
}

static ezlda_status load(ez_container *container, ezlda_context *context, const char *path,
                         bool replaceable)
{
    bool standard_input = !strcmp(path, "-");
    EZ_TRY(ez_copy_string(&container->path, context, standard_input ? "standard input" : path));
    int fd = standard_input ? ez_os_open_standard_input() : ez_os_open(path);
    if (fd < 0)
        return ez_fail_errno(context, container->path, "open");
    ez_file_info info;
    ezlda_status status;
    if (ez_os_open_info(fd, &info) != 0)
        status = ez_fail_errno(context, container->path, "open");
    else if (info.kind == EZ_FILE_FOLDER)
        status =
            ez_fail(context, EZLDA_ERROR_IO, "%s: cannot read: is a directory", container->path);
    else if (info.kind != EZ_FILE_REGULAR || standard_input)
        status = read_whole(container, context, fd, 0);
    else if (replaceable && !ez_os_mapped_can_be_replaced())
        status = read_whole(container, context, fd, info.bytes);
    else
        status = map_file(container, context, fd, &info);
    ez_os_close(fd);
    return status;
}

/* ---- checks ---- */

static ezlda_status damaged(const ez_container *container, ezlda_context *context, const char *what)
{
    return ez_fail(context, EZLDA_ERROR_FORMAT, "%s: damaged or truncated file: %s",
                   container->path, what);
}

const char *ez_container_kind(const char magic[8])
{
    static const char *const kinds[][2] = {{"EZLDACRP", "a corpus file (.ezc)"},
                                           {"EZLDAMDL", "a model (.ezm)"},
                                           {"EZLDACHK", "a checkpoint (.ezk)"},
                                           {"EZLDAIDX", "an index (.ezi)"}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (memcmp(kinds[i][0], magic, 8) == 0)
            return kinds[i][1];
    return NULL;
}

static ezlda_status check_header(const ez_container *container, ezlda_context *context,
                                 const char magic[8], uint32_t oldest, uint32_t newest)
{
    ez_header header = {0};
    uint64_t there = container->size < sizeof header ? container->size : sizeof header;
    if (there)
        memcpy(&header, container->bytes, (size_t)there);
    const char *wanted = ez_container_kind(magic), *found = ez_container_kind(header.magic);
    if (wanted && found && found != wanted)
        return ez_fail(context, EZLDA_ERROR_FORMAT, "%s: expected %s, found %s", container->path,
                       wanted, found);
    const char *other = container->size ? "other content" : "an empty file";
    if (memcmp(header.magic, magic, sizeof header.magic) != 0 && wanted)
        return ez_fail(context, EZLDA_ERROR_FORMAT, "%s: expected %s, found %s", container->path,
                       wanted, other);
    if (memcmp(header.magic, magic, sizeof header.magic) != 0)
        return ez_fail(context, EZLDA_ERROR_FORMAT,
                       "%s: expected a file that opens with \"%.8s\", found %s", container->path,
                       magic, other);
    if (there < sizeof header || header.hash != ez_hash_bytes(&header, offsetof(ez_header, hash)))
        return damaged(container, context, "its header does not match its checksum");
    if (header.version < oldest || header.version > newest)
        return ez_fail(context, EZLDA_ERROR_UNSUPPORTED,
                       "%s: expected version %u of its format, found %u%s", container->path, newest,
                       header.version,
                       header.version > newest ? " (written by a newer ezlda)" : "");
    return EZLDA_OK;
}

static bool all_zero(const unsigned char *bytes, uint64_t n)
{
    unsigned char any = 0;
    for (uint64_t i = 0; i < n; i++)
        any |= bytes[i];
    return any == 0;
}

static ezlda_status check_footer(ez_container *container, ezlda_context *context)
{
    ez_footer footer;
    if (container->size < sizeof(ez_header) + sizeof footer)
        return damaged(container, context, "it is shorter than its header and footer");
    memcpy(&footer, container->bytes + container->size - sizeof footer, sizeof footer);
    if (memcmp(footer.mark, EZ_FOOTER_MARK, sizeof footer.mark) != 0 ||
        footer.hash != ez_hash_bytes(&footer, offsetof(ez_footer, hash)))
        return damaged(container, context, "its last 64 bytes are not a footer");
    if (footer.file_bytes != container->size)
        return damaged(container, context, "its length is not the one it was written with");
    uint64_t table_bytes = (uint64_t)footer.sections * sizeof(ez_section);
    if (footer.sections > EZ_MAX_SECTIONS || footer.table_offset % EZ_SECTION_ALIGNMENT ||
        footer.table_offset > container->size ||
        container->size - footer.table_offset !=
            table_bytes + ez_section_padding(table_bytes) + sizeof footer)
        return damaged(container, context, "its table of sections is out of place");
    const unsigned char *table = container->bytes + footer.table_offset;
    if (ez_hash_bytes(table, (size_t)table_bytes) != footer.table_hash ||
        !all_zero(table + table_bytes, ez_section_padding(table_bytes)))
        return damaged(container, context, "its table of sections does not match its checksum");
    container->table = (const ez_section *)(const void *)table;
    container->sections = footer.sections;
    return EZLDA_OK;
}

/* Sections follow each other, with zeros up to the next multiple of 64, to the table. */
static ezlda_status check_sections(const ez_container *container, ezlda_context *context)
{
    uint64_t position = sizeof(ez_header);
    uint64_t limit = (uint64_t)((const unsigned char *)container->table - container->bytes);
    for (uint32_t i = 0; i < container->sections; i++) {
        const ez_section *section = &container->table[i];
        if (section->offset != position || section->bytes > limit - position ||
            section->bytes + ez_section_padding(section->bytes) > limit - position)
            return damaged(container, context, "a section is out of place");
        for (uint32_t j = 0; j < i; j++)
            if (container->table[j].tag == section->tag)
                return damaged(container, context, "a section occurs twice");
        uint64_t hash;
        EZ_TRY(
            ez_content_hash(&hash, context, container->bytes + position, (size_t)section->bytes));
        position += section->bytes;
        uint64_t padding = ez_section_padding(position);
        if (hash != section->hash || !all_zero(container->bytes + position, padding))
            return damaged(container, context, "a section does not match its checksum");
        position += padding;
    }
    return position == limit ? EZLDA_OK
                             : damaged(container, context, "bytes that belong to no section");
}

/* A file that became shorter must not be read. One that was written to may have the same content,
 * so its checksums are checked again. */
ezlda_status ez_container_unchanged(const ez_container *container, ezlda_context *context)
{
    ez_file_info now;
    if (!container->mapped || ez_os_info(container->path, &now) != 0 ||
        now.device != container->device || now.number != container->file)
        return EZLDA_OK; /* removed or replaced: the mapping is as it was */
    bool same = now.bytes == container->size;
    if (same && now.written_ns == atomic_load(&container->written_ns))
        return EZLDA_OK;
    if (same && check_sections(container, context) == EZLDA_OK) {
        atomic_store((_Atomic int64_t *)(uintptr_t)&container->written_ns, now.written_ns);
        return EZLDA_OK;
    }
    ez_clear(context);
    return ez_fail(context, EZLDA_ERROR_IO,
                   "%s: was written to while it was in use; what it held is lost", container->path);
}

/* ---- the interface ---- */

static ezlda_status open_container(ez_container **out, ezlda_context *context, const char *path,
                                   const char magic[8], uint32_t oldest, uint32_t newest,
                                   bool replaceable)
{
    *out = NULL;
    ezlda_status status;
    ez_container *container;
    EZ_TRY(ez_array_zero(&container, context, 1, sizeof *container, "a file"));
    EZ_TRY_GOTO(load(container, context, path, replaceable));
    EZ_TRY_GOTO(check_header(container, context, magic, oldest, newest));
    EZ_TRY_GOTO(check_footer(container, context));
    EZ_TRY_GOTO(check_sections(container, context));
    *out = container;
    return EZLDA_OK;
done:
    ez_container_free(container);
    return status;
}

ezlda_status ez_container_open(ez_container **out, ezlda_context *context, const char *path,
                               const char magic[8], uint32_t version)
{
    return open_container(out, context, path, magic, version, version, false);
}

ezlda_status ez_container_open_replaceable(ez_container **out, ezlda_context *context,
                                           const char *path, const char magic[8], uint32_t oldest,
                                           uint32_t newest)
{
    return open_container(out, context, path, magic, oldest, newest, true);
}

ezlda_status ez_container_adopt(ez_container **out, ezlda_context *context, ez_buffer *image)
{
    ez_container *container;
    EZ_TRY(ez_array_zero(&container, context, 1, sizeof *container, "a file in memory"));
    container->bytes = image->data;
    container->size = image->used;
    ez_footer footer;
    memcpy(&footer, image->data + image->used - sizeof footer, sizeof footer);
    container->table = (const ez_section *)(const void *)(image->data + footer.table_offset);
    container->sections = footer.sections;
    *image = (ez_buffer){0};
    *out = container;
    return EZLDA_OK;
}

static const ez_section *find(const ez_container *container, uint32_t tag)
{
    for (uint32_t i = 0; i < container->sections; i++)
        if (container->table[i].tag == tag)
            return &container->table[i];
    return NULL;
}

const void *ez_container_section(const ez_container *container, uint32_t tag, uint64_t *bytes)
{
    const ez_section *section = find(container, tag);
    *bytes = section ? section->bytes : 0;
    return section ? container->bytes + section->offset : NULL;
}

uint64_t ez_container_section_hash(const ez_container *container, uint32_t tag)
{
    const ez_section *section = find(container, tag);
    return section ? section->hash : 0;
}

uint64_t ez_container_bytes(const ez_container *container)
{
    return container->size;
}

const char *ez_container_path(const ez_container *container)
{
    return container->path ? container->path : "";
}

void ez_container_release_pages(const ez_container *container)
{
    if (container->mapped)
        ez_os_advise((void *)(uintptr_t)container->bytes, (size_t)container->size, EZ_PAGES_LATER);
}

ezlda_status ez_container_save(const ez_container *container, ezlda_context *context,
                               const char *path)
{
    ez_output *output;
    EZ_TRY(ez_output_open(&output, context, path));
    ezlda_status status =
        ez_output_write(output, context, container->bytes, (size_t)container->size);
    if (status == EZLDA_OK)
        return ez_output_commit(output, context);
    ez_output_abandon(output);
    return status;
}

void ez_container_free(ez_container *container)
{
    if (!container)
        return;
    void *bytes = (void *)(uintptr_t)container->bytes;
    if (container->mapped)
        ez_os_unmap(bytes, (size_t)container->size);
    else
        ez_free(bytes);
    ez_free(container->path);
    ez_free(container);
}
