/* The container of our binary files (corpora, models, checkpoints): a header, then sections that
 * are found by a four-letter tag, each with a checksum. All numbers are little-endian. Sections
 * start at multiples of 64 bytes, so that a mapped file serves as arrays. docs/formats.md has the
 * layout. The same image may live in memory (built by an ez_container_writer without a file). */
#ifndef EZ_CONTAINER_H
#define EZ_CONTAINER_H

#include "base/context.h"
#include "base/files/output_file.h"

#define EZ_TAG(a, b, c, d) \
    ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)

/* ---- reading ---- */

/* The kind of a file by its first bytes, such as "a model (.ezm)"; NULL if it is none of ours. */
const char *ez_container_kind(const char magic[8]);

typedef struct ez_container ez_container;

/* Maps a file and checks magic (8 bytes), version and all checksums, in parallel. A damaged,
 * truncated or newer file is refused with a message that names it. Input that cannot be mapped (a
 * pipe, or "-" for standard input) is read into memory. */
ezlda_status ez_container_open(ez_container **out, ezlda_context *context, const char *path,
                               const char magic[8], uint32_t version);
/* The same for a file that can be replaced while it is open, in a version from oldest to newest. A
 * system that does not replace mapped files has it in memory. */
ezlda_status ez_container_open_replaceable(ez_container **out, ezlda_context *context,
                                           const char *path, const char magic[8], uint32_t oldest,
                                           uint32_t newest);
/* The section's bytes, or NULL if there is no such section. They lie in the mapping and are valid
 * until the container is freed. */
const void *ez_container_section(const ez_container *container, uint32_t tag, uint64_t *bytes);
/* The hash of a section's content (content_hash.h); 0 if there is no such section. */
uint64_t ez_container_section_hash(const ez_container *container, uint32_t tag);
uint64_t ez_container_bytes(const ez_container *container);
const char *ez_container_path(const ez_container *container); /* "" for one in memory */
/* Fails if the content of the mapped file has changed since it was opened. */
ezlda_status ez_container_unchanged(const ez_container *container, ezlda_context *context);
/* Releases the mapped pages; they are read again when needed. */
void ez_container_release_pages(const ez_container *container);
void ez_container_free(ez_container *container);

/* Writes a container to a file, whether it is in memory or is a file itself. */
ezlda_status ez_container_save(const ez_container *container, ezlda_context *context,
                               const char *path);

/* Size of a container with n sections of these sizes. */
uint64_t ez_container_size_of(const uint64_t *section_bytes, size_t n);

/* ---- writing ---- */

typedef struct ez_container_writer ez_container_writer;

/* Writes to a file (through ez_output), or into memory if path is NULL. */
ezlda_status ez_container_writer_open(ez_container_writer **out, ezlda_context *context,
                                      const char *path, const char magic[8], uint32_t version);
/* Writes into a nameless file of the folder (scratch.h) that is used like memory; folder NULL: into
 * memory. */
ezlda_status ez_container_writer_open_scratch(ez_container_writer **out, ezlda_context *context,
                                              const char *folder, const char magic[8],
                                              uint32_t version);
/* Opens the next section. Its content follows in any number of calls of ez_container_write. Each
 * tag is used once. */
ezlda_status ez_container_begin(ez_container_writer *writer, ezlda_context *context, uint32_t tag);
ezlda_status ez_container_write(ez_container_writer *writer, ezlda_context *context,
                                const void *bytes, size_t n);
/* Commits the file, or sets *image (not NULL for a writer in memory) to the container. Frees the
 * writer, also after an error. */
ezlda_status ez_container_finish(ez_container_writer *writer, ezlda_context *context,
                                 ez_container **image);
void ez_container_writer_abandon(ez_container_writer *writer); /* accepts NULL */

#endif
