/* The checksum of our files: XXH3 of pieces of 1 MiB, then XXH3 of the pieces' hashes, so that any
 * number of threads can compute it. It does not protect against forgery: readers also check that
 * the content makes sense. */
#ifndef EZ_CONTENT_HASH_H
#define EZ_CONTENT_HASH_H

#include "base/memory.h"

enum { EZ_HASH_PIECE = 1 << 20 };

/* XXH3 of a few bytes. */
uint64_t ez_hash_bytes(const void *bytes, size_t n);

/* The checksum of bytes in memory, computed by the context's threads. */
ezlda_status ez_content_hash(uint64_t *out, ezlda_context *context, const void *bytes, size_t n);

/* The checksum of bytes that arrive one after the other. */
typedef struct ez_hasher ez_hasher;

ezlda_status ez_hasher_create(ez_hasher **out, ezlda_context *context);
ezlda_status ez_hasher_add(ez_hasher *hasher, ezlda_context *context, const void *bytes, size_t n);
/* The hash of all added bytes. The hasher then starts from scratch. */
ezlda_status ez_hasher_finish(ez_hasher *hasher, ezlda_context *context, uint64_t *out);
void ez_hasher_free(ez_hasher *hasher); /* accepts NULL */

#endif
