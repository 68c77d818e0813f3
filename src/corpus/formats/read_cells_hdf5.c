/* Reads matrices of counts from HDF5 files: AnnData (.h5ad) and the .h5 files of Cell Ranger (10x
 * Genomics). Documents are the cells (obs, barcodes), words the features (var, genes). */
#include "corpus/formats/cell_files.h"
#include "corpus/formats/hdf5_file.h"
#include "corpus/formats/readers.h"

#ifdef EZLDA_HDF5
#include "base/copy_string.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { STEP = 1 << 18 }; /* elements that are read at a time */

/* A matrix by rows, in which rows are cells at the end. */
typedef struct cell_matrix {
    uint64_t rows, columns;
    uint64_t *start; /* rows + 1 */
    uint32_t *column, *count;
    ez_buffer columns_room,
        counts_room; /* columns and counts of a dense matrix, while it is read */
    bool whole;      /* all values are counts */
} cell_matrix;

static void matrix_free(cell_matrix *matrix)
{
    ez_free(matrix->start);
    ez_free(matrix->column);
    ez_free(matrix->count);
    ez_free(matrix->columns_room.data);
    ez_free(matrix->counts_room.data);
    *matrix = (cell_matrix){0};
}

static ezlda_status wrong(const ez_hdf5 *file, ezlda_context *context, const char *path,
                          const char *what)
{
    return ez_fail(context, EZLDA_ERROR_FORMAT, "%s: %s: %s", ez_hdf5_name(file), path, what);
}

static bool is_count(double value)
{
    return value >= 0 && value <= UINT32_MAX && fabs(value - nearbyint(value)) <= 1e-6;
}

/* ---- sparse matrices ---- */

static ezlda_status read_starts(cell_matrix *matrix, const ez_hdf5 *file, ezlda_context *context,
                                const ez_hdf5_array *array, const char *path, uint64_t entries)
{
    int64_t room[1024];
    uint64_t before = 0;
    if (!array->rows || array->columns != 1)
        return wrong(file, context, path, "expected the beginnings of rows, found none");
    matrix->rows = array->rows - 1;
    EZ_TRY(ez_array(&matrix->start, context, (size_t)array->rows, sizeof *matrix->start,
                    "the rows of a matrix"));
    for (uint64_t at = 0, n; at < array->rows; at += n) {
        n = array->rows - at < 1024 ? array->rows - at : 1024;
        EZ_TRY(ez_hdf5_read_whole(array, file, context, at, n, room));
        for (uint64_t i = 0; i < n; i++) {
            uint64_t start = (uint64_t)room[i];
            if (room[i] < 0 || start < before || start > entries || (at + i == 0 && start))
                return wrong(file, context, path, "the beginnings of rows do not ascend from 0");
            matrix->start[at + i] = before = start;
        }
    }
    return before == entries ? EZLDA_OK
                             : wrong(file, context, path, "the rows do not hold all entries");
}

static ezlda_status read_columns(cell_matrix *matrix, const ez_hdf5 *file, ezlda_context *context,
                                 const ez_hdf5_array *array, const char *path)
{
    int64_t *room;
    EZ_TRY(ez_array(&matrix->column, context, (size_t)array->rows, sizeof *matrix->column,
                    "the columns of a matrix"));
    EZ_TRY(ez_array(&room, context, STEP, sizeof *room, "the columns of a matrix"));
    ezlda_status status = EZLDA_OK;
    for (uint64_t at = 0, n; at < array->rows && status == EZLDA_OK; at += n) {
        n = array->rows - at < STEP ? array->rows - at : STEP;
        status = ez_hdf5_read_whole(array, file, context, at, n, room);
        for (uint64_t i = 0; i < n && status == EZLDA_OK; i++) {
            if (room[i] < 0 || (uint64_t)room[i] >= matrix->columns)
                status = wrong(file, context, path, "an index is outside the matrix");
            matrix->column[at + i] = (uint32_t)room[i];
        }
    }
    ez_free(room);
    return status;
}

static ezlda_status read_counts(cell_matrix *matrix, const ez_hdf5 *file, ezlda_context *context,
                                const ez_hdf5_array *array)
{
    double *room;
    EZ_TRY(ez_array(&matrix->count, context, (size_t)array->rows, sizeof *matrix->count,
                    "the counts of a matrix"));
    EZ_TRY(ez_array(&room, context, STEP, sizeof *room, "the counts of a matrix"));
    ezlda_status status = EZLDA_OK;
    matrix->whole = true;
    for (uint64_t at = 0, n; at < array->rows && status == EZLDA_OK && matrix->whole; at += n) {
        n = array->rows - at < STEP ? array->rows - at : STEP;
        status = ez_hdf5_read_real(array, file, context, at, n, room);
        for (uint64_t i = 0; i < n && status == EZLDA_OK && matrix->whole; i++) {
            matrix->whole = is_count(room[i]);
            matrix->count[at + i] = matrix->whole ? (uint32_t)nearbyint(room[i]) : 0;
        }
    }
    ez_free(room);
    return status;
}

/* Turns columns into rows. */
static ezlda_status transpose(cell_matrix *matrix, ezlda_context *context)
{
    cell_matrix turned = {.rows = matrix->columns, .columns = matrix->rows, .whole = true};
    uint64_t entries = matrix->start[matrix->rows], *next = NULL;
    ezlda_status status;
    EZ_TRY_GOTO(ez_array_zero(&turned.start, context, (size_t)turned.rows + 1, sizeof *turned.start,
                              "the rows of a matrix"));
    EZ_TRY_GOTO(ez_array(&next, context, (size_t)turned.rows, sizeof *next, "rows of a matrix"));
    EZ_TRY_GOTO(ez_array(&turned.column, context, (size_t)entries, sizeof *turned.column,
                         "the columns of a matrix"));
    EZ_TRY_GOTO(ez_array(&turned.count, context, (size_t)entries, sizeof *turned.count,
                         "the counts of a matrix"));
    for (uint64_t i = 0; i < entries; i++)
        turned.start[matrix->column[i] + 1]++;
    for (uint64_t i = 0; i < turned.rows; i++) {
        turned.start[i + 1] += turned.start[i];
        next[i] = turned.start[i];
    }
    for (uint64_t row = 0; row < matrix->rows; row++)
        for (uint64_t i = matrix->start[row]; i < matrix->start[row + 1]; i++) {
            uint64_t place = next[matrix->column[i]]++;
            turned.column[place] = (uint32_t)row;
            turned.count[place] = matrix->count[i];
        }
    matrix_free(matrix);
    *matrix = turned;
    turned = (cell_matrix){0};
done:
    ez_free(next);
    matrix_free(&turned);
    return status;
}

/* Reads data, indices and indptr below a path. `columns`: the length of the other axis. */
static ezlda_status read_sparse(cell_matrix *matrix, const ez_hdf5 *file, ezlda_context *context,
                                const char *path, uint64_t columns)
{
    char place[3][300];
    static const char *const names[] = {"indptr", "indices", "data"};
    ez_hdf5_array arrays[3] = {{.id = -1}, {.id = -1}, {.id = -1}};
    ezlda_status status;
    matrix->columns = columns;
    for (int i = 0; i < 3; i++) {
        snprintf(place[i], sizeof place[i], "%s/%s", path, names[i]);
        EZ_TRY_GOTO(ez_hdf5_array_open(&arrays[i], file, context, place[i]));
    }
    if (arrays[1].rows != arrays[2].rows || arrays[1].columns != 1 || arrays[2].columns != 1) {
        status = wrong(file, context, path, "expected as many indices as data");
        goto done;
    }
    EZ_TRY_GOTO(read_starts(matrix, file, context, &arrays[0], place[0], arrays[1].rows));
    EZ_TRY_GOTO(read_columns(matrix, file, context, &arrays[1], place[1]));
    status = read_counts(matrix, file, context, &arrays[2]);
done:
    for (int i = 0; i < 3; i++)
        ez_hdf5_array_close(&arrays[i]);
    return status;
}

/* ---- dense matrices ---- */

static ezlda_status add_dense(cell_matrix *matrix, ezlda_context *context, const double *values,
                              uint64_t row)
{
    for (uint64_t c = 0; c < matrix->columns; c++) {
        uint32_t column = (uint32_t)c, count = (uint32_t)nearbyint(values[c]);
        if (!is_count(values[c])) {
            matrix->whole = false;
            return EZLDA_OK;
        }
        if (!count)
            continue;
        EZ_TRY(ez_buffer_append(&matrix->columns_room, context, &column, sizeof column));
        EZ_TRY(ez_buffer_append(&matrix->counts_room, context, &count, sizeof count));
    }
    matrix->start[row + 1] = matrix->counts_room.used / sizeof(uint32_t);
    return EZLDA_OK;
}

static ezlda_status read_dense_rows(cell_matrix *matrix, const ez_hdf5 *file,
                                    ezlda_context *context, const ez_hdf5_array *array)
{
    uint64_t most = matrix->columns < STEP ? STEP / (matrix->columns + !matrix->columns) : 1;
    double *room;
    EZ_TRY(ez_array(&room, context, ez_product((size_t)most, (size_t)matrix->columns), sizeof *room,
                    "rows of a matrix"));
    ezlda_status status = EZLDA_OK;
    for (uint64_t at = 0, n; at < matrix->rows && status == EZLDA_OK && matrix->whole; at += n) {
        n = matrix->rows - at < most ? matrix->rows - at : most;
        status = ez_hdf5_read_real(array, file, context, at, n, room);
        for (uint64_t i = 0; i < n && status == EZLDA_OK && matrix->whole; i++)
            status = add_dense(matrix, context, room + i * matrix->columns, at + i);
    }
    ez_free(room);
    return status;
}

static ezlda_status read_dense(cell_matrix *matrix, const ez_hdf5 *file, ezlda_context *context,
                               const char *path)
{
    ez_hdf5_array array;
    EZ_TRY(ez_hdf5_array_open(&array, file, context, path));
    matrix->rows = array.rows;
    matrix->columns = array.columns;
    matrix->whole = true;
    ezlda_status status = EZLDA_OK;
    if (matrix->columns > EZ_MAX_WORDS || matrix->rows > EZ_MAX_DOCS)
        status = wrong(file, context, path, "the matrix is too large");
    if (status == EZLDA_OK)
        status = ez_array_zero(&matrix->start, context, (size_t)matrix->rows + 1,
                               sizeof *matrix->start, "the rows of a matrix");
    if (status == EZLDA_OK)
        status = read_dense_rows(matrix, file, context, &array);
    ez_hdf5_array_close(&array);
    if (status != EZLDA_OK)
        return status;
    matrix->column = (uint32_t *)(void *)matrix->columns_room.data;
    matrix->count = (uint32_t *)(void *)matrix->counts_room.data;
    matrix->columns_room = matrix->counts_room = (ez_buffer){0};
    return EZLDA_OK;
}

/* ---- layouts ---- */

/* A matrix of AnnData: dense, or sparse by rows or columns. */
static ezlda_status read_anndata(cell_matrix *matrix, const ez_hdf5 *file, ezlda_context *context,
                                 const char *path)
{
    char kind[64] = "";
    uint64_t shape[2];
    if (ez_hdf5_is_array(file, path))
        return read_dense(matrix, file, context, path);
    if (!ez_hdf5_attribute(file, path, "encoding-type", kind, sizeof kind))
        (void)ez_hdf5_attribute(file, path, "h5sparse_format", kind, sizeof kind);
    if (!ez_hdf5_pair(file, path, "shape", shape) &&
        !ez_hdf5_pair(file, path, "h5sparse_shape", shape))
        return wrong(file, context, path, "expected a matrix with a shape");
    bool by_column = strncmp(kind, "csc", 3) == 0;
    if (!by_column && strncmp(kind, "csr", 3) != 0)
        return wrong(file, context, path, "expected a dense, csr or csc matrix");
    if (shape[0] > EZ_MAX_DOCS || shape[1] > EZ_MAX_WORDS)
        return wrong(file, context, path, "the matrix is too large");
    EZ_TRY(read_sparse(matrix, file, context, path, shape[by_column ? 0 : 1]));
    if (matrix->rows != shape[by_column ? 1 : 0])
        return wrong(file, context, path, "the matrix has other rows than its shape says");
    return by_column && matrix->whole ? transpose(matrix, context) : EZLDA_OK;
}

/* The array with the names of obs or var: the one that the attribute _index names. */
static void index_path(const ez_hdf5 *file, const char *frame, char *path, size_t size)
{
    char index[128] = "_index";
    (void)ez_hdf5_attribute(file, frame, "_index", index, sizeof index);
    snprintf(path, size, "%s/%s", frame, index);
    size_t n = strlen(path);
    if (ez_hdf5_has(file, path) && !ez_hdf5_is_array(file, path))
        snprintf(path + n, size - n, "/values"); /* strings that may be missing */
}

/* Reads names if there are any; there must be as many as the matrix has. */
static ezlda_status read_names(ez_vocabulary *names, const ez_hdf5 *file, ezlda_context *context,
                               const char *path, uint64_t expected)
{
    uint64_t n;
    if (!ez_hdf5_has(file, path))
        return EZLDA_OK;
    EZ_TRY(ez_hdf5_strings(file, context, path, &names->text, &n));
    if (n != expected)
        return ez_fail(context, EZLDA_ERROR_FORMAT,
                       "%s: %s: expected %" PRIu64 " names, as the matrix has, found %" PRIu64,
                       ez_hdf5_name(file), path, expected, n);
    names->n = (uint32_t)n;
    return EZLDA_OK;
}

typedef struct cell_file {
    cell_matrix matrix;
    ez_vocabulary words, cells;
} cell_file;

/* Reads the first matrix whose values are counts: X, then those that keep raw counts. */
static ezlda_status read_h5ad(cell_file *cells, const ez_hdf5 *file, ezlda_context *context)
{
    static const char *const places[][2] = {{"/X", "/var"},
                                            {"/layers/counts", "/var"},
                                            {"/layers/raw_counts", "/var"},
                                            {"/raw/X", "/raw/var"}};
    char path[300];
    for (size_t i = 0; i < sizeof places / sizeof *places && !cells->matrix.whole; i++) {
        if (!ez_hdf5_has(file, places[i][0]))
            continue;
        matrix_free(&cells->matrix);
        EZ_TRY(read_anndata(&cells->matrix, file, context, places[i][0]));
        if (!cells->matrix.whole)
            continue;
        ez_note(context, "%s: counts from %s", ez_hdf5_name(file), places[i][0] + 1);
        index_path(file, places[i][1], path, sizeof path);
        EZ_TRY(read_names(&cells->words, file, context, path, cells->matrix.columns));
    }
    if (!cells->matrix.whole)
        return wrong(
            file, context, "X",
            "expected counts (whole numbers), found other values, and neither layers/counts "
            "nor raw/X has counts");
    index_path(file, "/obs", path, sizeof path);
    return read_names(&cells->cells, file, context, path, cells->matrix.rows);
}

/* Finds the group of Cell Ranger: /matrix, or one named after the genome (version 2). */
static bool find_10x(const ez_hdf5 *file, char *group, size_t size, bool *old)
{
    char path[300];
    for (size_t i = 0; ez_hdf5_root_group(file, i, group, size); i++) {
        snprintf(path, sizeof path, "%s/barcodes", group);
        bool barcodes = ez_hdf5_has(file, path);
        snprintf(path, sizeof path, "%s/features", group);
        bool features = ez_hdf5_has(file, path);
        snprintf(path, sizeof path, "%s/genes", group);
        *old = !features && ez_hdf5_has(file, path);
        if (barcodes && (features || *old))
            return true;
    }
    return false;
}

/* Columns are barcodes, compressed: by rows once they are cells. */
static ezlda_status read_10x(cell_file *cells, const ez_hdf5 *file, ezlda_context *context,
                             const char *group, bool old)
{
    char path[300];
    ez_hdf5_array array;
    int64_t shape[2] = {-1, -1};
    snprintf(path, sizeof path, "%s/shape", group);
    EZ_TRY(ez_hdf5_array_open(&array, file, context, path));
    ezlda_status status = array.rows == 2 && array.columns == 1
                              ? ez_hdf5_read_whole(&array, file, context, 0, 2, shape)
                              : EZLDA_OK;
    ez_hdf5_array_close(&array);
    EZ_TRY(status);
    if (shape[0] < 0 || shape[0] > EZ_MAX_WORDS)
        return wrong(file, context, path, "expected the numbers of features and barcodes");
    EZ_TRY(read_sparse(&cells->matrix, file, context, group, (uint64_t)shape[0]));
    if (!cells->matrix.whole)
        return wrong(file, context, group, "expected counts (whole numbers), found other values");
    snprintf(path, sizeof path, "%s/%s", group, old ? "gene_names" : "features/name");
    EZ_TRY(read_names(&cells->words, file, context, path, cells->matrix.columns));
    snprintf(path, sizeof path, "%s/barcodes", group);
    return read_names(&cells->cells, file, context, path, cells->matrix.rows);
}

static ezlda_status read_layout(cell_file *cells, const ez_hdf5 *file, ezlda_context *context)
{
    char group[256];
    bool old;
    if (ez_hdf5_has(file, "/X"))
        return read_h5ad(cells, file, context);
    if (find_10x(file, group, sizeof group, &old))
        return read_10x(cells, file, context, group, old);
    return ez_fail(context, EZLDA_ERROR_FORMAT,
                   "%s: an HDF5 file, but neither AnnData (X, obs, var) nor a matrix of Cell "
                   "Ranger (barcodes, features)",
                   ez_hdf5_name(file));
}

/* ---- the corpus ---- */

static ezlda_status list_names(const char ***list, ezlda_context *context,
                               const ez_vocabulary *names)
{
    const char *at = (const char *)names->text.data;
    EZ_TRY(ez_array(list, context, names->n, sizeof **list, "names"));
    for (uint32_t i = 0; i < names->n; i++, at += strlen(at) + 1)
        (*list)[i] = at;
    return EZLDA_OK;
}

static ezlda_status make_corpus(ezlda_corpus **out, ezlda_context *context, const char *path,
                                cell_file *cells)
{
    const cell_matrix *matrix = &cells->matrix;
    const char **words = NULL, **names = NULL;
    ezlda_corpus *bare = NULL;
    ezlda_status status;
    static const char *const fields[] = {"name"};
    if (matrix->rows > EZ_MAX_DOCS || (!cells->words.n && matrix->columns > EZ_MOST_UNBACKED))
        return ez_fail(context, EZLDA_ERROR_FORMAT, "%s: the matrix is too large", path);
    if (cells->words.n) {
        EZ_TRY_GOTO(ez_copy_string(&cells->words.path, context, path));
        EZ_TRY_GOTO(ez_names_make_unique(&cells->words, context));
        EZ_TRY_GOTO(list_names(&words, context, &cells->words));
    }
    EZ_TRY_GOTO(ezlda_corpus_from_csr(&bare, context, matrix->rows, (uint32_t)matrix->columns,
                                      matrix->start, matrix->column, matrix->count, words));
    if (cells->cells.n) {
        EZ_TRY_GOTO(list_names(&names, context, &cells->cells));
        EZ_TRY_GOTO(ezlda_corpus_with_fields(out, context, bare, fields, 1, names));
    } else {
        *out = bare;
        bare = NULL;
    }
done:
    ezlda_corpus_free(bare);
    ez_free(words);
    ez_free(names);
    return status;
}
#endif

ezlda_status ez_read_cells_hdf5(ezlda_corpus **out, ezlda_context *context, const char *path)
{
    ez_hdf5 *file;
    EZ_TRY(ez_hdf5_open(&file, context, path));
#ifdef EZLDA_HDF5
    cell_file cells = {0};
    ezlda_status status = read_layout(&cells, file, context);
    ez_hdf5_close(file);
    if (status == EZLDA_OK)
        status = make_corpus(out, context, path, &cells);
    matrix_free(&cells.matrix);
    ez_vocabulary_free(&cells.words);
    ez_vocabulary_free(&cells.cells);
    return status;
#else
    (void)out;
    return EZLDA_ERROR_UNSUPPORTED;
#endif
}
