/* Makes corpora from records that Python objects hold: rows of an iterator here, columns of Arrow
 * in py_arrow.c. */
#include "py_ezlda.h"

#include "py_records.h"

#include <stdlib.h>

PyObject *py_corpus_of_records(PyObject *module, PyObject *context, const py_record_table *table,
                               ezlda_records_fn next, void *user, py_call *call)
{
    ezlda_import_options options;
    ezlda_corpus *corpus = NULL;
    ezlda_import_options_init(&options);
    if (py_options_read(table->options, py_import_options, &options) < 0 ||
        py_rules_of(module, table->like, &options.like) < 0 ||
        py_call_begin(call, module, context) < 0)
        return NULL;
    PyThreadState *thread = PyEval_SaveThread();
    ezlda_status status = ezlda_corpus_from_records(&corpus, call->context, table->fields,
                                                    table->n_fields, &options, next, user);
    PyEval_RestoreThread(thread);
    return py_call_end(call, status) < 0 ? NULL : py_corpus_new(module, corpus);
}

int py_fields_open(py_record_table *table, PyObject *names)
{
    table->keeper = PySequence_List(names);
    Py_ssize_t n = table->keeper ? PyList_Size(table->keeper) : -1;
    if (n < 0)
        return -1;
    table->n_fields = (uint32_t)n;
    table->fields = PyMem_Calloc((size_t)n + 1, sizeof *table->fields);
    if (!table->fields) {
        PyErr_NoMemory();
        return -1;
    }
    for (Py_ssize_t i = 0; i < n; i++)
        if (!(table->fields[i] = PyUnicode_AsUTF8AndSize(PyList_GetItem(table->keeper, i), NULL)))
            return -1;
    return 0;
}

void py_fields_close(py_record_table *table)
{
    PyMem_Free(table->fields);
    Py_CLEAR(table->keeper);
}

/* ---- rows ---- */

enum { ROWS_AT_ONCE = 256, BYTES_AT_ONCE = 1 << 19 };

typedef struct row_source {
    py_call call;
    PyObject *rows; /* an iterator of tuples of str or None, one per field */
    uint32_t n_fields;
    ezlda_text *values;
    PyObject *kept; /* the bytes that the values lie in */
} row_source;

/* Text with lone surrogates is not UTF-8: these become question marks. */
static PyObject *utf8_of(PyObject *text)
{
    PyObject *bytes = PyUnicode_AsUTF8String(text);
    if (bytes || !PyErr_ExceptionMatches(PyExc_UnicodeEncodeError))
        return bytes;
    PyErr_Clear();
    return PyUnicode_AsEncodedString(text, "utf-8", "replace");
}

static int keep_value(row_source *self, PyObject *text, ezlda_text *out, size_t *bytes)
{
    *out = (ezlda_text){NULL, 0};
    if (text == Py_None)
        return 0;
    PyObject *encoded = utf8_of(text);
    char *at;
    Py_ssize_t size;
    if (!encoded)
        return -1;
    int failed =
        PyList_Append(self->kept, encoded) < 0 || PyBytes_AsStringAndSize(encoded, &at, &size) < 0;
    Py_DECREF(encoded);
    if (failed)
        return -1;
    *out = (ezlda_text){at, (size_t)size};
    *bytes += (size_t)size;
    return 0;
}

static int keep_row(row_source *self, PyObject *row, ezlda_text *values, size_t *bytes)
{
    if (!PyTuple_Check(row) || PyTuple_Size(row) != (Py_ssize_t)self->n_fields) {
        PyErr_SetString(PyExc_TypeError, "expected a tuple with one value per field");
        return -1;
    }
    for (uint32_t f = 0; f < self->n_fields; f++)
        if (keep_value(self, PyTuple_GetItem(row, (Py_ssize_t)f), &values[f], bytes) < 0)
            return -1;
    return 0;
}

/* Returns the number of rows, or -1 with an exception. */
static int64_t next_rows(row_source *self)
{
    int64_t n = 0;
    Py_XDECREF(self->kept);
    self->kept = PyList_New(0);
    if (!self->kept || PyErr_CheckSignals() < 0)
        return -1;
    for (size_t bytes = 0; n < ROWS_AT_ONCE && bytes < BYTES_AT_ONCE; n++) {
        PyObject *row = PyIter_Next(self->rows);
        if (!row)
            return PyErr_Occurred() ? -1 : n;
        int failed = keep_row(self, row, self->values + (size_t)n * self->n_fields, &bytes);
        Py_DECREF(row);
        if (failed)
            return -1;
    }
    return n;
}

static int hand_over(ezlda_records *records, void *user)
{
    row_source *self = user;
    PyGILState_STATE gil = PyGILState_Ensure();
    int64_t n = next_rows(self);
    if (n < 0)
        py_call_keep_error(&self->call);
    else
        *records = (ezlda_records){(uint64_t)n, self->values};
    PyGILState_Release(gil);
    return n < 0;
}

static PyObject *corpus_from_rows(PyObject *module, PyObject *args)
{
    PyObject *context, *names, *rows, *result = NULL;
    py_record_table table = {0};
    row_source self = {0};
    if (!PyArg_ParseTuple(args, "OOOOO", &context, &names, &table.options, &table.like, &rows))
        return NULL;
    self.rows = PyObject_GetIter(rows);
    if (self.rows && py_fields_open(&table, names) == 0) {
        self.n_fields = table.n_fields;
        self.values = calloc((size_t)ROWS_AT_ONCE * table.n_fields + 1, sizeof *self.values);
        if (self.values)
            result = py_corpus_of_records(module, context, &table, hand_over, &self, &self.call);
        else
            PyErr_NoMemory();
    }
    py_fields_close(&table);
    free(self.values);
    Py_XDECREF(self.kept);
    Py_XDECREF(self.rows);
    return result;
}

PyMethodDef py_record_functions[] = {
    {"corpus_from_rows", corpus_from_rows, METH_VARARGS,
     "corpus_from_rows(context, fields, options, like, rows) -> Corpus"},
    {NULL, NULL, 0, NULL}};
