/* The checksum of our files: XXH3 of pieces of 1 MiB, then XXH3 of the pieces' hashes, so that any
 * number of threads can compute it. Not a defence against forgery: readers check the meaning of the
 * content as well. */
#ifndef EZ_CONTENT_HASH_H
#define EZ_CONTENT_HASH_H

#include "base/memory.h"

enum { EZ_HASH_PIECE = 1 << 20 };

/* XXH3 of a few bytes. */
uint64_t ez_hash_bytes(const void *bytes, size_t n);

/* Of bytes in memory, by the context's threads. */
ezlda_status ez_content_hash(uint64_t *out, ezlda_context *context, const void *bytes, size_t n);

/* Of bytes that come one after the other. */
typedef struct ez_hasher ez_hasher;

ezlda_status ez_hasher_create(ez_hasher **out, ezlda_context *context);
ezlda_status ez_hasher_add(ez_hasher *hasher, ezlda_context *context, const void *bytes, size_t n);
/* The hash of all that was added; starts anew. */
ezlda_status ez_hasher_take(ez_hasher *hasher, ezlda_context *context, uint64_t *out);
void ez_hasher_free(ez_hasher *hasher); /* accepts NULL */

#endif
