/* A growing array of bytes: in memory at first; beyond a limit in an temporary file without
 * a name ($TMPDIR, else /var/tmp), which is then mapped as one array. Keeps memory small while a
 * large corpus is built. */
#ifndef EZ_SPOOL_H
#define EZ_SPOOL_H

#include "base/memory.h"

#define EZ_SPOOL_LIMIT ((size_t)256 << 20)

typedef struct ez_spool {
    ez_buffer memory; /* all bytes, or those that are not yet in the file */
    size_t limit;     /* bytes in memory */
    int fd;           /* -1: no file */
    uint64_t used;
    void *map; /* the sealed file, mapped */
    size_t map_size;
} ez_spool;

void ez_spool_init(ez_spool *spool, size_t limit);
ezlda_status ez_spool_append(ez_spool *spool, ezlda_context *context, const void *bytes, size_t n);
/* Ends writing. *bytes (spool->used of them) stay valid until the spool is freed. */
ezlda_status ez_spool_seal(ez_spool *spool, ezlda_context *context, const void **bytes);
void ez_spool_free(ez_spool *spool);

#endif
