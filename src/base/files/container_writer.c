/* Writes containers section by section, to a file or into memory, and computes their checksums on
 * the way. */
#include "base/files/container.h"
#include "base/files/container_layout.h"
#include "base/files/content_hash.h"
#include "base/files/scratch.h"

#include <string.h>

struct ez_container_writer {
    ez_output *output; /* NULL: in memory */
    ez_buffer memory;
    ez_hasher *hasher;
    uint64_t position;
    bool open; /* a section has been started and not ended */
    uint32_t sections;
    ez_section table[EZ_MAX_SECTIONS];
};

static ezlda_status put(ez_container_writer *writer, ezlda_context *context, const void *bytes,
                        size_t n)
{
    writer->position += n;
    if (writer->output)
        return ez_output_write(writer->output, context, bytes, n);
    return ez_buffer_append(&writer->memory, context, bytes, n);
}

static ezlda_status pad(ez_container_writer *writer, ezlda_context *context)
{
    static const char zeros[EZ_SECTION_ALIGNMENT];
    return put(writer, context, zeros, ez_section_padding(writer->position));
}

static ezlda_status start(ez_container_writer *writer, ezlda_context *context, const char *path,
                          const char *folder, const char magic[8], uint32_t version)
{
    ez_header header = {.version = version};
    memcpy(header.magic, magic, sizeof header.magic);
    header.hash = ez_hash_bytes(&header, offsetof(ez_header, hash));
    EZ_TRY(ez_hasher_create(&writer->hasher, context));
    if (path)
        EZ_TRY(ez_output_open(&writer->output, context, path));
    else if (folder)
        EZ_TRY(ez_scratch_buffer(&writer->memory, context, folder));
    return put(writer, context, &header, sizeof header);
}

static ezlda_status open_writer(ez_container_writer **out, ezlda_context *context, const char *path,
                                const char *folder, const char magic[8], uint32_t version)
{
    *out = NULL;
    ez_container_writer *writer;
    EZ_TRY(ez_array_zero(&writer, context, 1, sizeof *writer, "a file writer"));
    ezlda_status status = start(writer, context, path, folder, magic, version);
    if (status == EZLDA_OK)
        *out = writer;
    else
        ez_container_writer_abandon(writer);
    return status;
}

ezlda_status ez_container_writer_open(ez_container_writer **out, ezlda_context *context,
                                      const char *path, const char magic[8], uint32_t version)
{
    return open_writer(out, context, path, NULL, magic, version);
}

ezlda_status ez_container_writer_open_scratch(ez_container_writer **out, ezlda_context *context,
                                              const char *folder, const char magic[8],
                                              uint32_t version)
{
    return open_writer(out, context, NULL, folder, magic, version);
}

static ezlda_status end_section(ez_container_writer *writer, ezlda_context *context)
{
    if (!writer->open)
        return EZLDA_OK;
    ez_section *section = &writer->table[writer->sections - 1];
    section->bytes = writer->position - section->offset;
    writer->open = false;
    EZ_TRY(ez_hasher_finish(writer->hasher, context, &section->hash));
    return pad(writer, context);
}

ezlda_status ez_container_begin(ez_container_writer *writer, ezlda_context *context, uint32_t tag)
{
    EZ_TRY(end_section(writer, context));
    for (uint32_t i = 0; i < writer->sections; i++)
        if (writer->table[i].tag == tag)
            return ez_fail(context, EZLDA_ERROR_INTERNAL, "section %08x written twice", tag);
    if (writer->sections == EZ_MAX_SECTIONS)
        return ez_fail(context, EZLDA_ERROR_INTERNAL, "more than %d sections", EZ_MAX_SECTIONS);
    writer->table[writer->sections++] = (ez_section){.tag = tag, .offset = writer->position};
    writer->open = true;
    return EZLDA_OK;
}

ezlda_status ez_container_write(ez_container_writer *writer, ezlda_context *context,
                                const void *bytes, size_t n)
{
    if (!writer->open)
        return ez_fail(context, EZLDA_ERROR_INTERNAL, "content written outside a section");
    EZ_TRY(ez_hasher_add(writer->hasher, context, bytes, n));
    return put(writer, context, bytes, n);
}

static ezlda_status end(ez_container_writer *writer, ezlda_context *context)
{
    EZ_TRY(end_section(writer, context));
    size_t table_bytes = writer->sections * sizeof(ez_section);
    ez_footer footer = {.table_offset = writer->position, .sections = writer->sections};
    footer.table_hash = ez_hash_bytes(writer->table, table_bytes);
    EZ_TRY(put(writer, context, writer->table, table_bytes));
    EZ_TRY(pad(writer, context));
    footer.file_bytes = writer->position + sizeof footer;
    memcpy(footer.mark, EZ_FOOTER_MARK, sizeof footer.mark);
    footer.hash = ez_hash_bytes(&footer, offsetof(ez_footer, hash));
    return put(writer, context, &footer, sizeof footer);
}

ezlda_status ez_container_finish(ez_container_writer *writer, ezlda_context *context,
                                 ez_container **image)
{
    ezlda_status status = end(writer, context);
    if (status == EZLDA_OK) {
        if (writer->output) {
            status = ez_output_commit(writer->output, context);
            writer->output = NULL;
        } else {
            status = ez_container_adopt(image, context, &writer->memory);
        }
    }
    ez_container_writer_abandon(writer);
    return status;
}

void ez_container_writer_abandon(ez_container_writer *writer)
{
    if (!writer)
        return;
    ez_output_abandon(writer->output);
    ez_hasher_free(writer->hasher);
    ez_free(writer->memory.data);
    ez_free(writer);
}

uint64_t ez_container_size_of(const uint64_t *section_bytes, size_t n)
{
    uint64_t size = sizeof(ez_header) + sizeof(ez_footer);
    for (size_t i = 0; i < n; i++)
        size += section_bytes[i] + ez_section_padding(section_bytes[i]);
    uint64_t table = n * sizeof(ez_section);
    return size + table + ez_section_padding(table);
}
