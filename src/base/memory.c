/* Checked size arithmetic, aligned arrays and growing buffers. Arrays in scratch files (scratch.h)
 * are freed and grown here too. */
#include "base/memory.h"

#include "base/files/scratch.h"
#include "base/os/host_memory.h"
#include "base/os/os_maps.h"

#include <string.h>

/* Arrays of more than EZ_UNASKED bytes are allocated only if the machine has the memory. */
enum { EZ_ALIGNMENT = 64, EZ_HUGE_PAGE = 2 << 20, EZ_UNASKED = 1 << 30 };

bool ez_mul_size(size_t a, size_t b, size_t *out)
{
    return !__builtin_mul_overflow(a, b, out);
}

bool ez_add_size(size_t a, size_t b, size_t *out)
{
    return !__builtin_add_overflow(a, b, out);
}

size_t ez_product(size_t a, size_t b)
{
    size_t product;
    return ez_mul_size(a, b, &product) ? product : SIZE_MAX;
}

static ezlda_status allocate(void *out, ezlda_context *context, size_t n, size_t size,
                             const char *what, bool zero)
{
    size_t bytes, padded;
    void *memory = NULL;
    if (ez_mul_size(n, size, &bytes) && ez_add_size(bytes, EZ_HUGE_PAGE, &padded)) {
        /* Large arrays are accessed at random: huge pages save page walks. */
        size_t alignment = bytes >= 4 * (size_t)EZ_HUGE_PAGE ? EZ_HUGE_PAGE : EZ_ALIGNMENT;
        padded = (bytes + alignment) / alignment * alignment;
        if (bytes <= EZ_UNASKED || ez_memory_is_there(bytes))
            memory = ez_os_allocate(alignment, padded);
        if (memory && alignment == EZ_HUGE_PAGE)
            ez_os_advise(memory, padded, EZ_PAGES_HUGE);
    }
    memcpy(out, &memory, sizeof memory);
    if (!memory)
        return ez_fail(context, EZLDA_ERROR_MEMORY, "not enough memory for %s (%zu x %zu bytes)",
                       what, n, size);
    if (zero)
        memset(memory, 0, padded);
    return EZLDA_OK;
}

ezlda_status ez_array(void *out, ezlda_context *context, size_t n, size_t size, const char *what)
{
    return allocate(out, context, n, size, what, false);
}

ezlda_status ez_array_zero(void *out, ezlda_context *context, size_t n, size_t size,
                           const char *what)
{
    return allocate(out, context, n, size, what, true);
}

void ez_free(void *array)
{
    if (!ez_scratch_free(array))
        ez_os_free(array);
}

void ez_release_pages(void *array, size_t bytes)
{
    const uintptr_t page = 4096;
    uintptr_t first = ((uintptr_t)array + page - 1) / page * page,
              last = ((uintptr_t)array + bytes) / page * page;
    if (last > first)
        ez_os_advise((void *)first, last - first, EZ_PAGES_DROPPED);
}

ezlda_status ez_buffer_grow(ez_buffer *buffer, ezlda_context *context, size_t more)
{
    size_t need;
    if (!ez_add_size(buffer->used, more, &need))
        return ez_fail(context, EZLDA_ERROR_MEMORY, "not enough memory for a buffer");
    size_t capacity = buffer->capacity + buffer->capacity / 2;
    if (capacity < need)
        capacity = need < 4096 ? 4096 : need;
    unsigned char *data = buffer->data;
    ezlda_status status;
    if (ez_scratch_grow(&data, context, capacity, &status))
        EZ_TRY(status);
    else
        data = ez_os_reallocate(buffer->data, capacity);
    if (!data)
        return ez_fail(context, EZLDA_ERROR_MEMORY, "not enough memory for a buffer of %zu bytes",
                       capacity);
    buffer->data = data;
    buffer->capacity = capacity;
    return EZLDA_OK;
}
