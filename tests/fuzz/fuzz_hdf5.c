/* Fuzzes the reader of single cells in HDF5. The input describes the arrays of a file, which the HDF5 library writes in
 * memory: what is fuzzed is our reading of shapes, types, indices and names, not the library. */
#include "fuzz_file.h"

#include <hdf5.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LAYOUTS = 4, MOST = 24 };

/* The bytes of the input that are not used yet. */
typedef struct fuzz_bytes {
    const uint8_t *at;
    size_t n;
} fuzz_bytes;

static uint8_t take(fuzz_bytes *bytes)
{
    if (!bytes->n)
        return 0;
    bytes->n--;
    return *bytes->at++;
}

/* Small numbers mostly, so that matrices fit; sometimes one from the edges of the types. */
static int64_t take_number(fuzz_bytes *bytes)
{
    static const int64_t edges[] = {-1, INT64_MAX, INT64_MIN, UINT32_MAX, INT32_MIN, (int64_t)1 << 40, 65536, 255};
    uint8_t byte = take(bytes);
    return byte < 0xf8 ? byte % 32 : edges[byte - 0xf8];
}

static hid_t number_type(uint8_t choice)
{
    switch (choice % 8) {
    case 0: return H5T_NATIVE_INT64;
    case 1: return H5T_NATIVE_INT8;
    case 2: return H5T_NATIVE_UINT32;
    case 3: return H5T_NATIVE_FLOAT;
    case 4: return H5T_NATIVE_DOUBLE;
    case 5: return H5T_STD_I16BE;
    case 6: return H5T_NATIVE_UINT64;
    default: return H5T_NATIVE_INT32;
    }
}

/* Writes an array of 0 to 3 dimensions; compressed, or without data, if the input says so. */
static void put_numbers(hid_t group, const char *name, fuzz_bytes *bytes, bool square)
{
    uint8_t how = take(bytes);
    double values[MOST * MOST];
    hsize_t size[3] = {take(bytes) % MOST, 1, 1};
    int dimensions = how & 32 ? how >> 6 : square ? 2 : 1;
    if (square)
        size[1] = take(bytes) % MOST;
    for (size_t i = 0; i < (size_t)MOST * MOST; i++)
        values[i] = i < size[0] * size[1] ? (double)take_number(bytes) + (how & 8 ? 0.5 : 0) : 0;
    hid_t space = dimensions ? H5Screate_simple(dimensions, size, NULL) : H5Screate(H5S_SCALAR);
    hid_t set = H5Dcreate2(group, name, number_type(how), space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (set >= 0 && !(how & 16))
        H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    H5Dclose(set);
    H5Sclose(space);
}

/* Names of fixed length, which may have any bytes, or of any length. */
static void put_names(hid_t group, const char *name, fuzz_bytes *bytes)
{
    char fixed[MOST][4], *variable[MOST];
    uint8_t how = take(bytes);
    hsize_t n = take(bytes) % MOST;
    for (size_t i = 0; i < MOST; i++) {
        for (size_t j = 0; j < 4; j++)
            fixed[i][j] = i < n ? (char)take(bytes) : 0;
        fixed[i][3] = how & 1 ? fixed[i][3] : 0;
        variable[i] = fixed[i];
    }
    bool free_length = (how & 2) && !(how & 1);
    hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate_simple(1, &n, NULL);
    H5Tset_size(type, free_length ? H5T_VARIABLE : 4);
    hid_t set = H5Dcreate2(group, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (set >= 0 && !(how & 4))
        H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, free_length ? (void *)variable : (void *)fixed);
    H5Dclose(set);
    H5Sclose(space);
    H5Tclose(type);
}

static void put_attribute(hid_t object, const char *name, const char *text)
{
    hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    H5Tset_size(type, strlen(text) + 1);
    hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(attribute, type, text);
    H5Aclose(attribute);
    H5Sclose(space);
    H5Tclose(type);
}

static void put_shape(hid_t group, fuzz_bytes *bytes)
{
    int64_t shape[3] = {take_number(bytes), take_number(bytes), 0};
    hsize_t n = take(bytes) < 0xf0 ? 2 : 3;
    hid_t space = H5Screate_simple(1, &n, NULL);
    hid_t attribute = H5Acreate2(group, "shape", H5T_NATIVE_INT64, space, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(attribute, H5T_NATIVE_INT64, shape);
    H5Aclose(attribute);
    H5Sclose(space);
}

static hid_t open_group(hid_t above, const char *name)
{
    return H5Gcreate2(above, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
}

static void put_sparse(hid_t file, const char *name, fuzz_bytes *bytes)
{
    hid_t group = open_group(file, name);
    put_attribute(group, "encoding-type", take(bytes) & 1 ? "csr_matrix" : "csc_matrix");
    put_shape(group, bytes);
    put_numbers(group, "data", bytes, false);
    put_numbers(group, "indices", bytes, false);
    put_numbers(group, "indptr", bytes, false);
    H5Gclose(group);
}

static void put_frame(hid_t file, const char *name, fuzz_bytes *bytes)
{
    hid_t group = open_group(file, name);
    put_attribute(group, "_index", take(bytes) & 1 ? "names" : "index");
    put_names(group, "names", bytes);
    H5Gclose(group);
}

static void put_cell_ranger(hid_t file, bool old, fuzz_bytes *bytes)
{
    static const char *const arrays[] = {"data", "indices", "indptr", "shape"};
    hid_t group = open_group(file, old ? "hg19" : "matrix");
    for (size_t i = 0; i < 4; i++)
        put_numbers(group, arrays[i], bytes, false);
    put_names(group, "barcodes", bytes);
    put_names(group, old ? "gene_names" : "names", bytes);
    hid_t features = old ? group : open_group(group, "features");
    put_names(features, old ? "genes" : "name", bytes);
    if (!old)
        H5Gclose(features);
    H5Gclose(group);
}

static void fill(hid_t file, fuzz_bytes *bytes)
{
    unsigned layout = take(bytes) % LAYOUTS;
    if (layout == 1)
        put_numbers(file, "X", bytes, true);
    else if (layout == 0)
        put_sparse(file, "X", bytes);
    else
        put_cell_ranger(file, layout == 3, bytes);
    if (layout > 1)
        return;
    put_frame(file, "obs", bytes);
    put_frame(file, "var", bytes);
    if (take(bytes) & 1) {
        hid_t raw = open_group(file, "raw");
        put_sparse(raw, "X", bytes);
        put_frame(raw, "var", bytes);
        H5Gclose(raw);
    }
}

/* The bytes of a file that the library writes; freed by the caller. */
static void *image(fuzz_bytes *bytes, size_t *n)
{
    hid_t how = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_core(how, 1 << 12, 0);
    hid_t file = H5Fcreate("in memory", H5F_ACC_TRUNC, H5P_DEFAULT, how);
    fuzz_claim(file >= 0, "there is a file");
    fill(file, bytes);
    H5Fflush(file, H5F_SCOPE_GLOBAL);
    ssize_t size = H5Fget_file_image(file, NULL, 0);
    fuzz_claim(size > 0, "it has bytes");
    void *copy = malloc((size_t)size);
    fuzz_claim(H5Fget_file_image(file, copy, (size_t)size) == size, "they are copied");
    H5Fclose(file);
    H5Pclose(how);
    *n = (size_t)size;
    return copy;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_bytes bytes = {data, size};
    size_t n;
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    void *file = image(&bytes, &n);
    const char *path = fuzz_file(file, n);
    ezlda_corpus *corpus = NULL;
    ezlda_import_options options;
    ezlda_import_options_init(&options);
    options.format = "hdf5";
    ezlda_status status = ezlda_corpus_read(&corpus, fuzz_context(), &path, 1, &options);
    fuzz_claim_status(status, corpus);
    fuzz_walk_corpus(corpus);
    ezlda_corpus_free(corpus);
    free(file);
    return 0;
}
