/* Bytes that grow: in memory at first, in an unlinked temporary file ($TMPDIR, else /var/tmp)
 * beyond a limit, then read as one array. Keeps the building of a large corpus out of memory. */
#ifndef EZ_SPOOL_H
#define EZ_SPOOL_H

#include "base/memory.h"

#define EZ_SPOOL_LIMIT ((size_t)256 << 20)

typedef struct ez_spool {
    ez_buffer memory; /* all of it, or what is not yet in the file */
    size_t limit;     /* of memory */
    int fd;           /* -1: no file */
    uint64_t used;
    void *map; /* of the sealed file */
    size_t map_size;
} ez_spool;

void ez_spool_init(ez_spool *spool, size_t limit);
ezlda_status ez_spool_append(ez_spool *spool, ezlda_context *context, const void *bytes, size_t n);
/* Ends the writing; *bytes (spool->used of them) are valid until the spool is freed. */
ezlda_status ez_spool_seal(ez_spool *spool, ezlda_context *context, const void **bytes);
void ez_spool_free(ez_spool *spool);

#endif
