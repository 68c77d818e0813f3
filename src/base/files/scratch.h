/* Arrays that lie in files instead of memory. The files are mapped, so that the system writes their
 * pages out if memory is short. Such a file never has a name, or loses it at once, so it disappears
 * with the process, however that ends. Its blocks are reserved when it is made, so that a full disk
 * is an error at that point and not a fault later. */
#ifndef EZ_SCRATCH_H
#define EZ_SCRATCH_H

#include "base/memory.h"

/* As ez_array, in a file of the folder; freed with ez_free. folder NULL: an ez_array. */
ezlda_status ez_scratch_array(void *out, ezlda_context *context, const char *folder, size_t n,
                              size_t size, const char *what);

/* An empty buffer becomes one that grows in a file of the folder; NULL: in memory. If the folder
 * has no room, or runs out of it, the buffer is in memory from then on and a note says so. */
ezlda_status ez_scratch_buffer(ez_buffer *buffer, ezlda_context *context, const char *folder);

/* Hints that bytes of a mapped file will be read soon, or will not be used for a while. They keep
 * their content. */
void ez_scratch_ahead(const void *bytes, size_t n);
void ez_scratch_behind(const void *bytes, size_t n);

/* For memory.c: frees the array if it lies in a scratch file, and returns whether it does. */
bool ez_scratch_free(void *array);
/* For memory.c: if the array lies in a scratch file, grows it to `bytes` at *array (it may move),
 * or sets *status to the error. Returns whether it lies in one. */
bool ez_scratch_grow(void *array, ezlda_context *context, size_t bytes, ezlda_status *status);

#endif
