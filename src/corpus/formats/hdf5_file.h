/* HDF5 files through the HDF5 library, as far as matrices of counts need them. A build without the
 * library reports that it has none. Every size is checked before memory is allocated for it. */
#ifndef EZ_HDF5_FILE_H
#define EZ_HDF5_FILE_H

#include "base/memory.h"

/* Whether a regular file begins as HDF5 files do. */
bool ez_is_hdf5(const char *path);

/* An open file. The library is not safe for threads, so only one file is open at a time. */
typedef struct ez_hdf5 ez_hdf5;

ezlda_status ez_hdf5_open(ez_hdf5 **out, ezlda_context *context, const char *path);
void ez_hdf5_close(ez_hdf5 *file); /* accepts NULL */
const char *ez_hdf5_name(const ez_hdf5 *file);

/* Whether there is an object at a path such as /X/data, and whether it is an array. */
bool ez_hdf5_has(const ez_hdf5 *file, const char *path);
bool ez_hdf5_is_array(const ez_hdf5 *file, const char *path);
/* The name of the i-th object of the root that is a group; false if there are fewer. */
bool ez_hdf5_root_group(const ez_hdf5 *file, size_t i, char *name, size_t size);

/* The text of an attribute of an object; false if it has none of this name. */
bool ez_hdf5_attribute(const ez_hdf5 *file, const char *path, const char *name, char *text,
                       size_t size);
/* The two numbers of an attribute, such as the shape of a matrix. */
bool ez_hdf5_pair(const ez_hdf5 *file, const char *path, const char *name, uint64_t pair[2]);

/* An array of numbers with one or two dimensions; columns is 1 if there is one. */
typedef struct ez_hdf5_array {
    int64_t id;
    uint64_t rows, columns;
} ez_hdf5_array;

ezlda_status ez_hdf5_array_open(ez_hdf5_array *array, const ez_hdf5 *file, ezlda_context *context,
                                const char *path);
/* Reads n rows from `row` on as whole numbers or as real ones. */
ezlda_status ez_hdf5_read_whole(const ez_hdf5_array *array, const ez_hdf5 *file,
                                ezlda_context *context, uint64_t row, uint64_t n, int64_t *to);
ezlda_status ez_hdf5_read_real(const ez_hdf5_array *array, const ez_hdf5 *file,
                               ezlda_context *context, uint64_t row, uint64_t n, double *to);
void ez_hdf5_array_close(ez_hdf5_array *array);

/* Appends the strings of an array, each with its NUL; *n: their number. */
ezlda_status ez_hdf5_strings(const ez_hdf5 *file, ezlda_context *context, const char *path,
                             ez_buffer *text, uint64_t *n);

#endif
