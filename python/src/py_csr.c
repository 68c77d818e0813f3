/* Makes corpora from CSR matrices and copies them back, by the buffer protocol. Arrays of the
 * library's own types are read in place; others are converted. Every value is checked. */
#include "py_ezlda.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum flaw {
    FLAW_NONE,
    FLAW_NEGATIVE,
    FLAW_LARGE,
    FLAW_FRACTION,
    FLAW_NAN,
    FLAW_MEMORY
} flaw;

/* One array of the matrix: the buffer, and its values in the type that the library reads. */
typedef struct array {
    Py_buffer view;
    bool open;
    size_t n;
    const void *values;
    void *made; /* the values, if they had to be converted */
    flaw wrong;
    size_t where; /* the first wrong value */
} array;

static int array_open(array *a, PyObject *object, const char *what)
{
    *a = (array){0};
    if (PyObject_GetBuffer(object, &a->view, PyBUF_FORMAT | PyBUF_C_CONTIGUOUS) < 0)
        return -1;
    a->open = true;
    const char *format = a->view.format ? a->view.format : "B";
    if (a->view.ndim == 1 && strlen(format) == 1 && strchr("bBhHiIlLqQfd?", *format)) {
        a->n = (size_t)(a->view.len / a->view.itemsize);
        return 0;
    }
    PyErr_Format(
        PyExc_TypeError,
        "%s: expected a one-dimensional array of numbers, found format '%s' in %d dimensions", what,
        format, a->view.ndim);
    return -1;
}

static void array_close(array *a)
{
    free(a->made);
    if (a->open)
        PyBuffer_Release(&a->view);
}

/* The nearest whole number if the value is that to a millionth, as counts are after a logarithm and
 * its inverse; otherwise the value. counts.py has the same rule. */
static double near_whole(double value)
{
    double whole = rint(value);
    return fabs(value - whole) <= 1e-6 * fmax(1, whole) ? whole : value;
}

static flaw judge(double value, double most)
{
    if (isnan(value))
        return FLAW_NAN;
    if (value < 0)
        return FLAW_NEGATIVE;
    return value > most ? FLAW_LARGE : value != floor(value) ? FLAW_FRACTION : FLAW_NONE;
}

static flaw judge_signed(int64_t value, uint64_t most)
{
    return value < 0 ? FLAW_NEGATIVE : (uint64_t)value > most ? FLAW_LARGE : FLAW_NONE;
}

/* Checks the values of one type and, unless `out` is NULL, copies them. */
/* NOLINTBEGIN(bugprone-macro-parentheses): T, WIDE and OUT are types */
#define CONVERT(T, WIDE, OUT, read, test)   \
    do {                                    \
        const T *in = a->view.buf;          \
        OUT *out = a->made;                 \
        for (size_t i = 0; i < a->n; i++) { \
            WIDE value = read((WIDE)in[i]); \
            flaw wrong = (test);            \
            if (wrong != FLAW_NONE) {       \
                a->wrong = wrong;           \
                a->where = i;               \
                return;                     \
            }                               \
            if (out)                        \
                out[i] = (OUT)value;        \
        }                                   \
    } while (0)
/* NOLINTEND(bugprone-macro-parentheses) */
#define SIGNED(T, OUT) CONVERT(T, int64_t, OUT, , judge_signed(value, most))
#define UNSIGNED(T, OUT) CONVERT(T, uint64_t, OUT, , value > most ? FLAW_LARGE : FLAW_NONE)
#define REAL(T, OUT) CONVERT(T, double, OUT, near_whole, judge(value, (double)most))
#define CONVERT_ANY(OUT)                                        \
    switch (*(a->view.format ? a->view.format : "B")) {         \
    case 'b': SIGNED(signed char, OUT); break;                  \
    case 'h': SIGNED(short, OUT); break;                        \
    case 'i': SIGNED(int, OUT); break;                          \
    case 'l': SIGNED(long, OUT); break;                         \
    case 'q': SIGNED(long long, OUT); break;                    \
    case 'H': UNSIGNED(unsigned short, OUT); break;             \
    case 'I': UNSIGNED(unsigned, OUT); break;                   \
    case 'L': UNSIGNED(unsigned long, OUT); break;              \
    case 'Q': UNSIGNED(unsigned long long, OUT); break;         \
    case 'f': REAL(float, OUT); break;                          \
    case 'd': REAL(double, OUT); break;                         \
    default: UNSIGNED(unsigned char, OUT); break; /* B and ? */ \
    }

static void convert_u32(array *a, uint64_t most)
{
    CONVERT_ANY(uint32_t)
}

static void convert_u64(array *a, uint64_t most)
{
    CONVERT_ANY(uint64_t)
}

/* Whole numbers of the right width need no conversion if none is negative. Runs without the GIL. */
static void array_convert(array *a, size_t width, uint64_t most)
{
    bool real = strchr("fd", *(a->view.format ? a->view.format : "B")) != NULL;
    bool same = (size_t)a->view.itemsize == width && !real;
    if (!same && !(a->made = py_reallocate(NULL, a->n ? a->n : 1, width))) {
        a->wrong = FLAW_MEMORY;
        return;
    }
    a->values = same ? a->view.buf : a->made;
    if (width == sizeof(uint32_t))
        convert_u32(a, most);
    else
        convert_u64(a, most);
}

static const char *const flaws[] = {[FLAW_NEGATIVE] = "negative",
                                    [FLAW_LARGE] = "too large",
                                    [FLAW_FRACTION] = "not a whole number",
                                    [FLAW_NAN] = "not a number"};

/* The row of the value that is wrong. */
static size_t row_of(const array *a, const uint64_t *row_start, size_t rows)
{
    size_t row = 0;
    while (row + 1 < rows && row_start[row + 1] <= a->where)
        row++;
    return row;
}

static int array_report(const array *a, const char *what, const uint64_t *row_start, size_t rows)
{
    if (a->wrong == FLAW_NONE)
        return 0;
    if (a->wrong == FLAW_MEMORY) {
        PyErr_NoMemory();
        return -1;
    }
    if (row_start)
        PyErr_Format(PyExc_ValueError, "row %zu: %s[%zu] is %s", row_of(a, row_start, rows), what,
                     a->where, flaws[a->wrong]);
    else
        PyErr_Format(PyExc_ValueError, "%s[%zu] is %s", what, a->where, flaws[a->wrong]);
    return -1;
}

/* Names a wrong count by its place in the matrix: `column` are the columns of the counts. */
static int count_report(const array *a, const uint32_t *column, const uint64_t *row_start,
                        size_t rows)
{
    if (a->wrong == FLAW_NONE || a->wrong == FLAW_MEMORY)
        return array_report(a, "data", row_start, rows);
    PyErr_Format(PyExc_ValueError, "row %zu, column %lu: the count is %s%s",
                 row_of(a, row_start, rows), (unsigned long)column[a->where], flaws[a->wrong],
                 a->wrong == FLAW_FRACTION ? ": expected counts, not shares, logarithms or tf-idf"
                                           : "");
    return -1;
}

typedef struct matrix {
    array row_start, word, count;
    size_t rows;
} matrix;

static int matrix_check(const matrix *m)
{
    if (m->row_start.n != m->rows + 1) {
        PyErr_Format(PyExc_ValueError,
                     "indptr has %zu entries for %zu rows, expected one more than rows",
                     m->row_start.n, m->rows);
        return -1;
    }
    if (array_report(&m->row_start, "indptr", NULL, 0) < 0)
        return -1;
    const uint64_t *row_start = m->row_start.values;
    if (row_start[m->rows] > m->word.n || row_start[m->rows] > m->count.n) {
        PyErr_Format(PyExc_ValueError,
                     "indptr ends at %llu, but there are %zu indices and %zu values",
                     (unsigned long long)row_start[m->rows], m->word.n, m->count.n);
        return -1;
    }
    for (size_t i = 0; i < m->rows; i++)
        if (row_start[i] > row_start[i + 1]) {
            PyErr_Format(PyExc_ValueError, "indptr[%zu] is less than the one before", i + 1);
            return -1;
        }
    if (array_report(&m->word, "indices", row_start, m->rows) < 0)
        return -1;
    return count_report(&m->count, m->word.values, row_start, m->rows);
}

static PyObject *corpus_csr(PyObject *module, PyObject *args)
{
    PyObject *context, *objects[3], *vocabulary, *columns;
    Py_ssize_t docs;
    uint32_t n_words;
    matrix m = {0};
    py_words words = {0};
    py_call call;
    ezlda_corpus *corpus = NULL;
    ezlda_status status;
    if (!PyArg_ParseTuple(args, "OnOOOOO", &context, &docs, &columns, &objects[0], &objects[1],
                          &objects[2], &vocabulary) ||
        py_u32(columns, "columns", &n_words) < 0)
        return NULL;
    m.rows = (size_t)docs;
    if (array_open(&m.row_start, objects[0], "indptr") < 0 ||
        array_open(&m.word, objects[1], "indices") < 0 ||
        array_open(&m.count, objects[2], "data") < 0 ||
        py_words_take(&words, module, vocabulary, n_words) < 0)
        goto done;
    PyThreadState *thread = PyEval_SaveThread();
    array_convert(&m.row_start, sizeof(uint64_t), INT64_MAX);
    array_convert(&m.word, sizeof(uint32_t), n_words ? n_words - 1 : 0);
    array_convert(&m.count, sizeof(uint32_t), UINT32_MAX);
    PyEval_RestoreThread(thread);
    if (matrix_check(&m) < 0 || py_call_begin(&call, module, context) < 0)
        goto done;
    thread = PyEval_SaveThread();
    status = ezlda_corpus_from_csr(&corpus, call.context, (uint64_t)m.rows, n_words,
                                   m.row_start.values, m.word.values, m.count.values, words.word);
    PyEval_RestoreThread(thread);
    if (py_call_end(&call, status) < 0)
        corpus = NULL;
done:
    py_words_free(&words);
    array_close(&m.row_start);
    array_close(&m.word);
    array_close(&m.count);
    return corpus ? py_corpus_new(module, corpus) : NULL;
}

/* ---- fields of the documents ---- */

/* Stores the n strings of a list in out. The list owns them. */
static int read_texts(PyObject *list, const char **out, size_t n, const char *what)
{
    if (!PyList_Check(list) || (size_t)PyList_Size(list) != n) {
        PyErr_Format(PyExc_ValueError, "%s: expected a list of %zu texts", what, n);
        return -1;
    }
    for (size_t i = 0; i < n; i++) {
        Py_ssize_t size;
        out[i] = PyUnicode_AsUTF8AndSize(PyList_GetItem(list, (Py_ssize_t)i), &size);
        if (!out[i])
            return -1;
        if (strlen(out[i]) != (size_t)size) {
            PyErr_Format(PyExc_ValueError, "%s of document %zu holds a null character", what, i);
            return -1;
        }
    }
    return 0;
}

static PyObject *corpus_with_fields(PyObject *module, PyObject *args)
{
    PyObject *context, *object, *dictionary, *key, *value;
    Py_ssize_t place = 0;
    ezlda_corpus *corpus, *made = NULL;
    py_call call;
    if (!PyArg_ParseTuple(args, "OOO!", &context, &object, &PyDict_Type, &dictionary) ||
        !(corpus = py_corpus_of(module, object)))
        return NULL;
    ezlda_corpus_info info = {.size = sizeof info};
    ezlda_corpus_get_info(corpus, &info);
    size_t n = (size_t)PyDict_Size(dictionary), docs = (size_t)info.docs, done = 0;
    const char **fields = PyMem_Calloc(n + 1, sizeof *fields),
               **values = PyMem_Calloc(n * docs + 1, sizeof *values);
    if (!fields || !values)
        PyErr_NoMemory();
    while (!PyErr_Occurred() && PyDict_Next(dictionary, &place, &key, &value)) {
        fields[done] = PyUnicode_AsUTF8AndSize(key, NULL);
        if (fields[done] && read_texts(value, values + done * docs, docs, fields[done]) == 0)
            done++;
    }
    if (!PyErr_Occurred() && py_call_begin(&call, module, context) == 0) {
        PyThreadState *thread = PyEval_SaveThread();
        ezlda_status status =
            ezlda_corpus_with_fields(&made, call.context, corpus, fields, (uint32_t)n, values);
        PyEval_RestoreThread(thread);
        if (py_call_end(&call, status) < 0)
            made = NULL;
    }
    PyMem_Free(fields);
    PyMem_Free(values);
    return made ? py_corpus_new(module, made) : NULL;
}

/* ---- out ---- */

static PyObject *corpus_to_csr(PyObject *module, PyObject *args)
{
    PyObject *objects[4];
    Py_buffer start, word = {0}, count = {0};
    ezlda_corpus *corpus;
    if (!PyArg_ParseTuple(args, "OOOO", &objects[0], &objects[1], &objects[2], &objects[3]) ||
        !(corpus = py_corpus_of(module, objects[0])))
        return NULL;
    ezlda_corpus_info info = {.size = sizeof info};
    ezlda_corpus_get_info(corpus, &info);
    if (py_output(objects[1], &start, (size_t)info.docs + 1, "lq", "indptr") < 0)
        return NULL;
    bool ready = py_output(objects[2], &word, (size_t)info.pairs, "iI", "indices") == 0 &&
                 py_output(objects[3], &count, (size_t)info.pairs, "iI", "data") == 0;
    if (ready) {
        int64_t *row = start.buf;
        PyThreadState *thread = PyEval_SaveThread();
        row[0] = 0;
        for (uint64_t d = 0; d < info.docs; d++) {
            size_t at = (size_t)row[d];
            row[d + 1] = row[d] + (int64_t)ezlda_corpus_document(
                                      corpus, d, (uint32_t *)word.buf + at,
                                      (uint32_t *)count.buf + at, (size_t)info.pairs - at);
        }
        PyEval_RestoreThread(thread);
    }
    PyBuffer_Release(&start);
    PyBuffer_Release(&word);
    PyBuffer_Release(&count);
    if (!ready)
        return NULL;
    Py_RETURN_NONE;
}

PyMethodDef py_csr_functions[] = {
    {"corpus_csr", corpus_csr, METH_VARARGS,
     "corpus_csr(context, docs, words, indptr, indices, data, vocabulary)"},
    {"corpus_with_fields", corpus_with_fields, METH_VARARGS,
     "corpus_with_fields(context, corpus, {name: values})"},
    {"corpus_to_csr", corpus_to_csr, METH_VARARGS,
     "corpus_to_csr(corpus, indptr, indices, data): fills the arrays"},
    {NULL, NULL, 0, NULL}};
