/* Writes NumPy's header and the values of an array in blocks. */
#include "export/npy_array.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { EZ_NPY_BLOCK = 1 << 20, EZ_NPY_ALIGNMENT = 64, EZ_NPY_PREFIX = 10, EZ_NPY_HEADER = 256 };

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "values are written as they lie in memory");

void ez_fill_f8(const void *user, uint64_t first, uint64_t n, void *out)
{
    memcpy(out, (const double *)user + first, n * sizeof(double));
}

void ez_fill_u8(const void *user, uint64_t first, uint64_t n, void *out)
{
    memcpy(out, (const uint64_t *)user + first, n * sizeof(uint64_t));
}

void ez_fill_u2(const void *user, uint64_t first, uint64_t n, void *out)
{
    memcpy(out, (const uint16_t *)user + first, n * sizeof(uint16_t));
}

/* Writes magic, version 1.0, length, and a Python dictionary that spaces pad to a multiple of 64
 * bytes. */
static size_t put_header(char out[EZ_NPY_HEADER], const ez_npy *array)
{
    static const unsigned char magic[8] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0};
    char shape[64] = "", *text = out + EZ_NPY_PREFIX;
    if (array->axes == 1)
        snprintf(shape, sizeof shape, "%" PRIu64 ",", array->shape[0]);
    else if (array->axes == 2)
        snprintf(shape, sizeof shape, "%" PRIu64 ", %" PRIu64, array->shape[0], array->shape[1]);
    size_t n = (size_t)snprintf(text, EZ_NPY_HEADER - EZ_NPY_PREFIX,
                                "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }",
                                array->type, shape);
    size_t whole =
        (EZ_NPY_PREFIX + n + 1 + EZ_NPY_ALIGNMENT - 1) / EZ_NPY_ALIGNMENT * EZ_NPY_ALIGNMENT;
    memset(text + n, ' ', whole - EZ_NPY_PREFIX - n);
    out[whole - 1] = '\n';
    memcpy(out, magic, sizeof magic);
    out[8] = (char)((whole - EZ_NPY_PREFIX) & 255);
    out[9] = (char)((whole - EZ_NPY_PREFIX) >> 8);
    return whole;
}

static uint64_t items_of(const ez_npy *array)
{
    return array->axes ? array->shape[0] : 1;
}

static uint64_t items_per_block(const ez_npy *array)
{
    return array->item_bytes < EZ_NPY_BLOCK && array->item_bytes ? EZ_NPY_BLOCK / array->item_bytes
                                                                 : 1;
}

uint64_t ez_npy_bytes(const ez_npy *array)
{
    char header[EZ_NPY_HEADER];
    return put_header(header, array) + items_of(array) * array->item_bytes;
}

/* Block 0 is the header. */
static ezlda_status make_block(void *user, ezlda_context *context, uint64_t block, ez_buffer *bytes)
{
    const ez_npy *array = user;
    if (block == 0) {
        EZ_TRY(ez_buffer_reserve(bytes, context, EZ_NPY_HEADER));
        bytes->used = put_header((char *)bytes->data, array);
        return EZLDA_OK;
    }
    uint64_t step = items_per_block(array), first = (block - 1) * step,
             left = items_of(array) - first;
    uint64_t n = left < step ? left : step;
    EZ_TRY(ez_buffer_reserve(bytes, context, n * array->item_bytes));
    if (array->item_bytes)
        array->fill(array->user, first, n, bytes->data);
    bytes->used = n * array->item_bytes;
    return EZLDA_OK;
}

ezlda_status ez_npy_write(ez_output *output, ezlda_context *context, const ez_npy *array,
                          bool deflated, ez_block_sums *sums)
{
    ez_npy copy = *array;
    uint64_t step = items_per_block(array);
    const ez_block_source source = {1 + (items_of(array) + step - 1) / step, make_block, &copy};
    return ez_write_blocks(output, context, &source, deflated, sums);
}

ezlda_status ez_npy_save(ezlda_context *context, const char *path, const ez_npy *array)
{
    ez_output *output;
    ez_block_sums sums;
    EZ_TRY(ez_output_open(&output, context, path));
    ezlda_status status = ez_npy_write(output, context, array, false, &sums);
    if (status == EZLDA_OK)
        return ez_output_commit(output, context);
    ez_output_abandon(output);
    return status;
}
