/* The container of our binary files (corpora, models): a header, sections found by a four-letter
 * tag, a checksum each.
 *
 * All numbers little-endian; sections start at multiples of 64 bytes, so that a mapped file serves
 * as arrays. docs/formats.md has the layout. The same image may live in memory (built by an
 * ez_container_writer without a file). */
#ifndef EZ_CONTAINER_H
#define EZ_CONTAINER_H

#include "base/context.h"
#include "base/files/output_file.h"

#define EZ_TAG(a, b, c, d) \
    ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)

/* Reading
 * --------------------------------------------------------------------------------------------------------
 */

/* What a file of ours is, by its first bytes: "a model (.ezm)"; NULL where it is none. */
const char *ez_container_kind(const char magic[8]);

typedef struct ez_container ez_container;

/* Maps a file and checks magic (8 bytes), version and all checksums, in parallel. A damaged,
 * truncated or newer file is refused with a message that names it. What cannot be mapped (a pipe;
 * "-": standard input) is read into memory. */
ezlda_status ez_container_open(ez_container **out, ezlda_context *context, const char *path,
                               const char magic[8], uint32_t version);
/* The section's bytes, NULL where there is none; inside the mapping, valid until the container is
 * freed. */
const void *ez_container_section(const ez_container *container, uint32_t tag, uint64_t *bytes);
/* The hash of a section's content (content_hash.h); 0 where there is none. */
uint64_t ez_container_section_hash(const ez_container *container, uint32_t tag);
uint64_t ez_container_bytes(const ez_container *container);
const char *ez_container_path(const ez_container *container); /* "" for one in memory */
/* Fails where the mapped file has another content than when it was opened. */
ezlda_status ez_container_unchanged(const ez_container *container, ezlda_context *context);
/* Lets go of the mapped pages (they are read again on need). */
void ez_container_release_pages(const ez_container *container);
void ez_container_free(ez_container *container);

/* Copies a container to a file: one in memory saved, a file copied. */
ezlda_status ez_container_save(const ez_container *container, ezlda_context *context,
                               const char *path);

/* Size of a container with n sections of these sizes. */
uint64_t ez_container_size_of(const uint64_t *section_bytes, size_t n);

/* Writing
 * --------------------------------------------------------------------------------------------------------
 */

typedef struct ez_container_writer ez_container_writer;

/* Writes to a file (through ez_output), or into memory where path is NULL. */
ezlda_status ez_container_writer_open(ez_container_writer **out, ezlda_context *context,
                                      const char *path, const char magic[8], uint32_t version);
/* Writes into a file without a name in the folder (scratch.h), which then is the memory; a folder
 * of NULL: memory. */
ezlda_status ez_container_writer_open_scratch(ez_container_writer **out, ezlda_context *context,
                                              const char *folder, const char magic[8],
                                              uint32_t version);
/* Opens the next section; its content follows by ez_container_write, in as many pieces as wanted. A
 * tag comes once. */
ezlda_status ez_container_begin(ez_container_writer *writer, ezlda_context *context, uint32_t tag);
ezlda_status ez_container_write(ez_container_writer *writer, ezlda_context *context,
                                const void *bytes, size_t n);
/* Finishes: the file is committed, or *image (not NULL for a writer in memory) takes the container.
 * Frees the writer, also on failure. */
ezlda_status ez_container_finish(ez_container_writer *writer, ezlda_context *context,
                                 ez_container **image);
void ez_container_writer_abandon(ez_container_writer *writer); /* accepts NULL */

#endif
