/* Corpora from records: what rows of Python objects and columns of Arrow share. */
#ifndef PY_RECORDS_H
#define PY_RECORDS_H

#include "py_ezlda.h"

/* The fields of the records, and how they are read. */
typedef struct py_record_table {
    PyObject *options, *like;
    const char **fields;
    uint32_t n_fields;
    PyObject *keeper; /* owns the names */
} py_record_table;

/* Set the fields from a sequence of str, or return -1 with an exception; close in any case. */
int py_fields_open(py_record_table *table, PyObject *names);
void py_fields_close(py_record_table *table);

/* Makes a corpus. The callback runs without the GIL, keeps its exception in the call, and stops. */
PyObject *py_corpus_of_records(PyObject *module, PyObject *context, const py_record_table *table,
                               ezlda_records_fn next, void *user, py_call *call);

#endif
