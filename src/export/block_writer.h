/* Bytes that many threads make in blocks and one writes in order, plain or deflated. What comes out
 * does not depend on the number of threads. */
#ifndef EZ_BLOCK_WRITER_H
#define EZ_BLOCK_WRITER_H

#include "base/files/output_file.h"
#include "base/memory.h"

/* Appends block i to an empty buffer; called by any thread, with a context of its own. */
typedef ezlda_status (*ez_make_block_fn)(void *user, ezlda_context *context, uint64_t i,
                                         ez_buffer *bytes);

typedef struct ez_block_source {
    uint64_t blocks;
    ez_make_block_fn make;
    void *user;
} ez_block_source;

/* What was written, before it was deflated. */
typedef struct ez_block_sums {
    uint64_t bytes;
    uint32_t crc; /* as gzip and zip have it */
} ez_block_sums;

/* Writes all blocks; deflated, they are one raw stream with its end. */
ezlda_status ez_write_blocks(ez_output *output, ezlda_context *context,
                             const ez_block_source *source, bool deflated, ez_block_sums *sums);

/* A file of blocks, gzipped where told. */
ezlda_status ez_write_block_file(ezlda_context *context, const char *path,
                                 const ez_block_source *source, bool gzipped);

/* Whether a path ends in ".gz". */
bool ez_wants_gzip(const char *path);

#endif
