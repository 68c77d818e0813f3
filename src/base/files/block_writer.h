/* Writes bytes that many threads make in blocks, in order, plain or deflated. One thread writes the
 * blocks that are finished while the others make the next ones. The output does not depend on the
 * number of threads. */
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

/* The size and checksum of the bytes before they are deflated. */
typedef struct ez_block_sums {
    uint64_t bytes;
    uint32_t crc; /* CRC-32 as in gzip and zip */
} ez_block_sums;

typedef struct ez_block_writer ez_block_writer;

/* Appends to the output, which stays the caller's. If `deflated`, all blocks are one raw stream. */
ezlda_status ez_block_writer_create(ez_block_writer **out, ezlda_context *context,
                                    ez_output *output, bool deflated);
/* Makes all blocks of a source. The last of them are written by the next call. After an error only
 * ez_block_writer_free may follow. */
ezlda_status ez_block_writer_add(ez_block_writer *writer, ezlda_context *context,
                                 const ez_block_source *source);
/* Writes what is left, and the end of the stream. */
ezlda_status ez_block_writer_finish(ez_block_writer *writer, ezlda_context *context,
                                    ez_block_sums *sums);
void ez_block_writer_free(ez_block_writer *writer); /* accepts NULL */

/* Writes all blocks of one source; if `deflated`, as one complete raw stream. */
ezlda_status ez_write_blocks(ez_output *output, ezlda_context *context,
                             const ez_block_source *source, bool deflated, ez_block_sums *sums);

/* Writes a file of blocks, gzipped if asked. */
ezlda_status ez_write_block_file(ezlda_context *context, const char *path,
                                 const ez_block_source *source, bool gzipped);

/* Whether a path ends in ".gz". */
bool ez_wants_gzip(const char *path);

#endif
