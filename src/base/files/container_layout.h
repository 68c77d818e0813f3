/* The bytes of a container, as docs/formats.md describes them: header, sections, table, footer.
 * Table and footer come last, so that a container can be written in one pass, even to a pipe. */
#ifndef EZ_CONTAINER_LAYOUT_H
#define EZ_CONTAINER_LAYOUT_H

#include "base/files/container.h"
#include "base/memory.h"

#include <assert.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "files are little-endian and are used in place");

enum { EZ_SECTION_ALIGNMENT = 64, EZ_MAX_SECTIONS = 1024 };

#define EZ_FOOTER_MARK "EZLDAEND"

typedef struct ez_header {
    char magic[8];
    uint32_t version;
    uint32_t reserved;
    uint64_t zero[5];
    uint64_t hash; /* XXH3 of the preceding bytes */
} ez_header;

typedef struct ez_section {
    uint32_t tag;
    uint32_t reserved;
    uint64_t offset; /* from the start of the file, a multiple of 64 */
    uint64_t bytes;
    uint64_t hash; /* ez_content_hash */
} ez_section;

typedef struct ez_footer {
    uint64_t table_offset;
    uint64_t table_hash; /* XXH3 of the table */
    uint32_t sections;
    uint32_t reserved;
    uint64_t file_bytes;
    uint64_t zero[2];
    char mark[8];
    uint64_t hash; /* XXH3 of the preceding bytes */
} ez_footer;

_Static_assert(sizeof(ez_header) == 64 && sizeof(ez_section) == 32 && sizeof(ez_footer) == 64,
               "as written");

static inline uint64_t ez_section_padding(uint64_t position)
{
    return (EZ_SECTION_ALIGNMENT - position % EZ_SECTION_ALIGNMENT) % EZ_SECTION_ALIGNMENT;
}

/* Makes a container of a finished image in memory, whose data it will free with ez_free. */
ezlda_status ez_container_adopt(ez_container **out, ezlda_context *context, ez_buffer *image);

#endif
