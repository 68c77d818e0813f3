/* Arrays that lie in files instead of memory: mapped, so that the system writes their pages out
 * where memory is short. Such a file has no name from the beginning, or loses it at once: it goes
 * with the process, however that ends. Its blocks are reserved when it is made, so that a full disk
 * is an error then and no fault later. */
#ifndef EZ_SCRATCH_H
#define EZ_SCRATCH_H

#include "base/memory.h"

/* As ez_array, in a file of the folder; freed with ez_free. folder NULL: an ez_array. */
ezlda_status ez_scratch_array(void *out, ezlda_context *context, const char *folder, size_t n,
                              size_t size, const char *what);

/* An empty buffer becomes one that grows in a file of the folder; NULL: in memory. Where the folder
 * has no room (any more), it is in memory from then on, and a note says so. */
ezlda_status ez_scratch_buffer(ez_buffer *buffer, ezlda_context *context, const char *folder);

/* Bytes of a mapped file that will be read soon, or that will not be used for a while; they keep
 * their content. */
void ez_scratch_ahead(const void *bytes, size_t n);
void ez_scratch_behind(const void *bytes, size_t n);

/* For memory.c. Whether it was such an array, which is freed. */
bool ez_scratch_free(void *array);
/* ... whether it is such an array, which now holds `bytes` at *array (it may have moved), or
 * *status says why not. */
bool ez_scratch_grow(void *array, ezlda_context *context, size_t bytes, ezlda_status *status);

#endif
