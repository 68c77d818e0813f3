/* Checked allocation. Sizes are multiplied here and nowhere else, so they cannot overflow. */
#ifndef EZ_MEMORY_H
#define EZ_MEMORY_H

#include "base/context.h"

#include <stdbool.h>
#include <string.h>

/* a*b and a+b as sizes; false if the result does not fit. */
bool ez_mul_size(size_t a, size_t b, size_t *out);
bool ez_add_size(size_t a, size_t b, size_t *out);
/* a*b, or SIZE_MAX if it does not fit: no array has that many elements. */
size_t ez_product(size_t a, size_t b);

/* *out becomes an array of n elements of `size` bytes, aligned to 64 bytes, not cleared (ez_array)
 * or cleared (ez_array_zero); freed with ez_free. n = 0 gives a pointer that may be freed. `what`
 * names it in the error message. */
ezlda_status ez_array(void *out, ezlda_context *context, size_t n, size_t size, const char *what);
ezlda_status ez_array_zero(void *out, ezlda_context *context, size_t n, size_t size,
                           const char *what);
void ez_free(void *array);

/* Gives the memory of an array back to the system and keeps the array: its content is undefined
 * from here on. */
void ez_release_pages(void *array, size_t bytes);

/* A buffer that grows: bytes appended at `used`; zero-initialise it, ez_free(b.data) at the end. */
typedef struct ez_buffer {
    unsigned char *data;
    size_t used, capacity;
} ez_buffer;

/* ez_buffer_reserve if the room is too small. */
ezlda_status ez_buffer_grow(ez_buffer *buffer, ezlda_context *context, size_t more);

/* Makes room for `more` further bytes. */
static inline ezlda_status ez_buffer_reserve(ez_buffer *buffer, ezlda_context *context, size_t more)
{
    return more <= buffer->capacity - buffer->used ? EZLDA_OK
                                                   : ez_buffer_grow(buffer, context, more);
}

static inline ezlda_status ez_buffer_append(ez_buffer *buffer, ezlda_context *context,
                                            const void *bytes, size_t n)
{
    ezlda_status status = ez_buffer_reserve(buffer, context, n);
    if (status != EZLDA_OK)
        return status;
    if (n)
        memcpy(buffer->data + buffer->used, bytes, n);
    buffer->used += n;
    return EZLDA_OK;
}

#endif
