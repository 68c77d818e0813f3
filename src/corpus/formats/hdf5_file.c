/* Calls the HDF5 library. Its own messages are switched off while a file is open. */
#include "corpus/formats/hdf5_file.h"

#include "corpus/input/input.h"
#include "corpus/input/utf8.h"

#include <string.h>

bool ez_is_hdf5(const char *path)
{
    return ez_file_begins(path, "\x89HDF\r\n\x1a\n", 8);
}

#ifdef EZLDA_HDF5
#include "base/copy_string.h"

#include <hdf5.h>
#include <pthread.h>
#include <stdio.h>

/* A number of bytes that any array may have; larger ones are checked against the file. */
#define FREE_BYTES ((uint64_t)64 << 20)
enum { MOST_RATIO = 1100 }; /* deflate shrinks by at most 1032 */

struct ez_hdf5 {
    hid_t id;
    char *name;
    H5E_auto2_t report; /* how the library reported errors before */
    void *report_data;
};

static pthread_mutex_t library = PTHREAD_MUTEX_INITIALIZER;

ezlda_status ez_hdf5_open(ez_hdf5 **out, ezlda_context *context, const char *path)
{
    ez_hdf5 *file;
    *out = NULL;
    EZ_TRY(ez_array_zero(&file, context, 1, sizeof *file, "an HDF5 file"));
    ezlda_status status = ez_copy_string(&file->name, context, path);
    if (status != EZLDA_OK) {
        ez_free(file);
        return status;
    }
    pthread_mutex_lock(&library);
    H5Eget_auto2(H5E_DEFAULT, &file->report, &file->report_data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    file->id = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (file->id >= 0) {
        *out = file;
        return EZLDA_OK;
    }
    ez_hdf5_close(file);
    return ez_fail(context, EZLDA_ERROR_FORMAT, "%s: the HDF5 library cannot open this file", path);
}

void ez_hdf5_close(ez_hdf5 *file)
{
    if (!file)
        return;
    if (file->id >= 0)
        H5Fclose(file->id);
    H5Eset_auto2(H5E_DEFAULT, file->report, file->report_data);
    pthread_mutex_unlock(&library);
    ez_free(file->name);
    ez_free(file);
}

const char *ez_hdf5_name(const ez_hdf5 *file)
{
    return file->name;
}

/* H5Lexists needs all groups above to exist. */
bool ez_hdf5_has(const ez_hdf5 *file, const char *path)
{
    char above[256];
    for (const char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        snprintf(above, sizeof above, "%.*s", (int)(slash - path), path);
        if (H5Lexists(file->id, above, H5P_DEFAULT) <= 0)
            return false;
    }
    return H5Lexists(file->id, path, H5P_DEFAULT) > 0 &&
           H5Oexists_by_name(file->id, path, H5P_DEFAULT) > 0;
}

static H5I_type_t kind_of(const ez_hdf5 *file, const char *path)
{
    hid_t id = ez_hdf5_has(file, path) ? H5Oopen(file->id, path, H5P_DEFAULT) : -1;
    H5I_type_t kind = id >= 0 ? H5Iget_type(id) : H5I_BADID;
    if (id >= 0)
        H5Oclose(id);
    return kind;
}

bool ez_hdf5_is_array(const ez_hdf5 *file, const char *path)
{
    return kind_of(file, path) == H5I_DATASET;
}

bool ez_hdf5_root_group(const ez_hdf5 *file, size_t i, char *name, size_t size)
{
    H5G_info_t info;
    if (H5Gget_info(file->id, &info) < 0)
        return false;
    for (hsize_t at = 0; at < info.nlinks; at++) {
        char path[256] = "/";
        ssize_t n = H5Lget_name_by_idx(file->id, "/", H5_INDEX_NAME, H5_ITER_INC, at, path + 1,
                                       sizeof path - 1, H5P_DEFAULT);
        if (n <= 0 || (size_t)n >= sizeof path - 1 || (size_t)n + 1 >= size)
            continue;
        if (kind_of(file, path) == H5I_GROUP && i-- == 0) {
            memcpy(name, path, (size_t)n + 2);
            return true;
        }
    }
    return false;
}

/* ---- attributes ---- */

static hid_t open_attribute(const ez_hdf5 *file, const char *path, const char *name)
{
    if (!ez_hdf5_has(file, path) || H5Aexists_by_name(file->id, path, name, H5P_DEFAULT) <= 0)
        return -1;
    return H5Aopen_by_name(file->id, path, name, H5P_DEFAULT, H5P_DEFAULT);
}

/* Returns a string type for memory that has the length of `stored`: variable or fixed. */
static hid_t memory_string(hid_t stored)
{
    if (stored < 0 || H5Tget_class(stored) != H5T_STRING)
        return -1;
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, H5Tis_variable_str(stored) > 0 ? H5T_VARIABLE : H5Tget_size(stored));
    H5Tset_strpad(type, H5T_STR_NULLPAD);
    H5Tset_cset(type, H5Tget_cset(stored));
    return type;
}

bool ez_hdf5_attribute(const ez_hdf5 *file, const char *path, const char *name, char *text,
                       size_t size)
{
    hid_t attribute = open_attribute(file, path, name);
    hid_t stored = attribute >= 0 ? H5Aget_type(attribute) : -1, type = memory_string(stored),
          space = attribute >= 0 ? H5Aget_space(attribute) : -1;
    bool read = false;
    if (type >= 0 && space >= 0 && H5Sget_simple_extent_npoints(space) == 1) {
        char *variable = NULL;
        if (H5Tis_variable_str(type) > 0) {
            read = H5Aread(attribute, type, &variable) >= 0 && variable;
            if (read)
                snprintf(text, size, "%s", variable);
            if (variable)
                H5free_memory(variable);
        } else if (H5Tget_size(type) < size) {
            memset(text, 0, size);
            read = H5Aread(attribute, type, text) >= 0;
        }
    }
    if (space >= 0)
        H5Sclose(space);
    if (type >= 0)
        H5Tclose(type);
    if (stored >= 0)
        H5Tclose(stored);
    if (attribute >= 0)
        H5Aclose(attribute);
    return read;
}

bool ez_hdf5_pair(const ez_hdf5 *file, const char *path, const char *name, uint64_t pair[2])
{
    hid_t attribute = open_attribute(file, path, name);
    hid_t space = attribute >= 0 ? H5Aget_space(attribute) : -1;
    int64_t numbers[2] = {-1, -1};
    bool read = space >= 0 && H5Sget_simple_extent_npoints(space) == 2 &&
                H5Aread(attribute, H5T_NATIVE_INT64, numbers) >= 0 && numbers[0] >= 0 &&
                numbers[1] >= 0;
    if (space >= 0)
        H5Sclose(space);
    if (attribute >= 0)
        H5Aclose(attribute);
    pair[0] = (uint64_t)numbers[0];
    pair[1] = (uint64_t)numbers[1];
    return read;
}

/* ---- arrays ---- */

static ezlda_status wrong_array(const ez_hdf5 *file, ezlda_context *context, const char *path,
                                const char *why)
{
    return ez_fail(context, EZLDA_ERROR_FORMAT, "%s: %s: %s", file->name, path, why);
}

/* Whether the file can hold this many elements: storage that was never written has none. */
static bool is_backed(hid_t dataset, uint64_t elements)
{
    hid_t type = H5Dget_type(dataset);
    size_t size = type >= 0 ? H5Tget_size(type) : 0, bytes;
    if (type >= 0)
        H5Tclose(type);
    if (!size || elements > SIZE_MAX || !ez_mul_size((size_t)elements, size, &bytes))
        return false;
    return bytes <= FREE_BYTES || (bytes - FREE_BYTES) / MOST_RATIO <= H5Dget_storage_size(dataset);
}

ezlda_status ez_hdf5_array_open(ez_hdf5_array *array, const ez_hdf5 *file, ezlda_context *context,
                                const char *path)
{
    hsize_t size[2] = {0, 1};
    *array = (ez_hdf5_array){.id = -1};
    hid_t id = ez_hdf5_is_array(file, path) ? H5Dopen2(file->id, path, H5P_DEFAULT) : -1;
    if (id < 0)
        return wrong_array(file, context, path, "expected an array, found none");
    array->id = id;
    hid_t space = H5Dget_space(id);
    int dimensions = space >= 0 ? H5Sget_simple_extent_ndims(space) : 0;
    if (dimensions == 1 || dimensions == 2)
        H5Sget_simple_extent_dims(space, size, NULL);
    if (space >= 0)
        H5Sclose(space);
    array->rows = size[0];
    array->columns = size[1];
    size_t elements = 0;
    bool good = (dimensions == 1 || dimensions == 2) && size[0] <= SIZE_MAX &&
                ez_mul_size((size_t)size[0], (size_t)size[1], &elements);
    if (good && is_backed(id, elements))
        return EZLDA_OK;
    ez_hdf5_array_close(array);
    return wrong_array(file, context, path,
                       good ? "claims more elements than the file can hold"
                            : "expected an array of one or two dimensions");
}

static ezlda_status read_rows(const ez_hdf5_array *array, const ez_hdf5 *file,
                              ezlda_context *context, uint64_t row, uint64_t n, hid_t type,
                              void *to)
{
    hsize_t start[2] = {row, 0}, count[2] = {n, array->columns};
    hid_t space = H5Dget_space(array->id);
    int dimensions = space >= 0 ? H5Sget_simple_extent_ndims(space) : 0;
    hid_t memory = dimensions > 0 ? H5Screate_simple(dimensions, count, NULL) : -1;
    bool read = memory >= 0 &&
                H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
                H5Dread(array->id, type, memory, space, H5P_DEFAULT, to) >= 0;
    if (memory >= 0)
        H5Sclose(memory);
    if (space >= 0)
        H5Sclose(space);
    return read ? EZLDA_OK
                : ez_fail(context, EZLDA_ERROR_FORMAT,
                          "%s: the HDF5 library cannot read an array of numbers", file->name);
}

ezlda_status ez_hdf5_read_whole(const ez_hdf5_array *array, const ez_hdf5 *file,
                                ezlda_context *context, uint64_t row, uint64_t n, int64_t *to)
{
    return read_rows(array, file, context, row, n, H5T_NATIVE_INT64, to);
}

ezlda_status ez_hdf5_read_real(const ez_hdf5_array *array, const ez_hdf5 *file,
                               ezlda_context *context, uint64_t row, uint64_t n, double *to)
{
    return read_rows(array, file, context, row, n, H5T_NATIVE_DOUBLE, to);
}

void ez_hdf5_array_close(ez_hdf5_array *array)
{
    if (array->id >= 0)
        H5Dclose(array->id);
    array->id = -1;
}

/* ---- strings ---- */

static ezlda_status put_string(ez_buffer *text, ezlda_context *context, const char *string,
                               size_t most)
{
    size_t n = strnlen(string, most);
    for (size_t good; (good = ez_utf8_check(string, n)) < n; string += good + 1, n -= good + 1) {
        EZ_TRY(ez_buffer_append(text, context, string, good));
        EZ_TRY(ez_buffer_append(text, context, "\xef\xbf\xbd", 3));
    }
    EZ_TRY(ez_buffer_append(text, context, string, n));
    return ez_buffer_append(text, context, "", 1);
}

static ezlda_status read_strings(const ez_hdf5 *file, ezlda_context *context, hid_t dataset,
                                 hid_t type, uint64_t n, ez_buffer *text)
{
    bool variable = H5Tis_variable_str(type) > 0;
    size_t size = variable ? sizeof(char *) : H5Tget_size(type);
    char *room;
    EZ_TRY(ez_array_zero(&room, context, (size_t)n, size, "names"));
    ezlda_status status = EZLDA_OK;
    if (H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, room) < 0)
        status = ez_fail(context, EZLDA_ERROR_FORMAT, "%s: the HDF5 library cannot read the names",
                         file->name);
    for (uint64_t i = 0; i < n && status == EZLDA_OK; i++) {
        const char *string = room + i * size;
        if (variable)
            memcpy(&string, room + i * size, sizeof string);
        status = put_string(text, context, string ? string : "", variable ? SIZE_MAX : size);
    }
    for (uint64_t i = 0; i < n && variable; i++) {
        char *string;
        memcpy(&string, room + i * size, sizeof string);
        if (string)
            H5free_memory(string);
    }
    ez_free(room);
    return status;
}

ezlda_status ez_hdf5_strings(const ez_hdf5 *file, ezlda_context *context, const char *path,
                             ez_buffer *text, uint64_t *n)
{
    ez_hdf5_array array;
    EZ_TRY(ez_hdf5_array_open(&array, file, context, path));
    hid_t stored = H5Dget_type(array.id), type = memory_string(stored);
    ezlda_status status = EZLDA_OK;
    *n = array.rows;
    if (type < 0 || array.columns != 1)
        status = wrong_array(file, context, path, "expected an array of names");
    else
        status = read_strings(file, context, array.id, type, array.rows, text);
    if (type >= 0)
        H5Tclose(type);
    if (stored >= 0)
        H5Tclose(stored);
    ez_hdf5_array_close(&array);
    return status;
}

#else

ezlda_status ez_hdf5_open(ez_hdf5 **out, ezlda_context *context, const char *path)
{
    *out = NULL;
    return ez_fail(context, EZLDA_ERROR_UNSUPPORTED,
                   "%s: an HDF5 file, and this build has no HDF5 library; in Python: "
                   "ezlda.tl.lda(anndata.read_h5ad(FILE), ...)",
                   path);
}

#endif
