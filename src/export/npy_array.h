/* Writes arrays in NumPy's .npy format: a header with type and shape, then the values, which many
 * threads make. */
#ifndef EZ_NPY_ARRAY_H
#define EZ_NPY_ARRAY_H

#include "base/files/block_writer.h"

/* Writes items first .. first+n-1 (along the first axis) to out; called by any thread. */
typedef void (*ez_fill_fn)(const void *user, uint64_t first, uint64_t n, void *out);

typedef struct ez_npy {
    const char *name;
    const char *type;  /* as NumPy writes it: "<f8", "<i4", "<U12" */
    size_t item_bytes; /* bytes of one item along the first axis */
    int axes;          /* 0 to 2 */
    uint64_t shape[2];
    ez_fill_fn fill;
    const void *user;
} ez_npy;

/* Fills with items in memory; user points to the first. item_bytes must be sizeof(type). */
void ez_fill_f8(const void *user, uint64_t first, uint64_t n, void *out);
void ez_fill_u8(const void *user, uint64_t first, uint64_t n, void *out);
void ez_fill_u2(const void *user, uint64_t first, uint64_t n, void *out);

/* The size of the array as a file, in bytes. */
uint64_t ez_npy_bytes(const ez_npy *array);
ezlda_status ez_npy_write(ez_output *output, ezlda_context *context, const ez_npy *array,
                          bool deflated, ez_block_sums *sums);
/* Writes the array as a file of its own. */
ezlda_status ez_npy_save(ezlda_context *context, const char *path, const ez_npy *array);

#endif
