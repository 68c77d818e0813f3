/* The extension's own header: handles as Python objects, calls into the library, options from
 * dictionaries.
 *
 * Everything is a function of the module: _ezlda.train(context, corpus, ...). The package's Python
 * files make the objects that people see. Corpora and models are read-only and may be shared by
 * threads; a context works for one call at a time, and a second one at the same time is refused. */
#ifndef PY_EZLDA_H
#define PY_EZLDA_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "ezlda.h"

#include <stdbool.h>

enum { PY_STATUSES = EZLDA_ERROR_INTERNAL + 1 };

typedef struct py_state {
    PyTypeObject *context_type, *corpus_type, *model_type;
    PyObject *errors[PY_STATUSES]; /* exception of each status */
    PyObject *missing_file;        /* ... of EZLDA_ERROR_IO, where there is no such file */
} py_state;

typedef struct py_context {
    PyObject_HEAD ezlda_context *context;
    PyObject *note; /* called with each note, or NULL */
    bool busy;
} py_context;

typedef struct py_corpus {
    PyObject_HEAD ezlda_corpus *corpus;
} py_corpus;

typedef struct py_model {
    PyObject_HEAD ezlda_model *model;
} py_model;

/* ---- handles
 * -----------------------------------------------------------------------------------------------------
 */

int py_types_make(PyObject *module, py_state *state);
/* The handle inside, or NULL with TypeError. */
ezlda_corpus *py_corpus_of(PyObject *module, PyObject *object);
ezlda_model *py_model_of(PyObject *module, PyObject *object);
/* As these, and None is NULL: -1 with an exception. */
int py_corpus_or_none(PyObject *module, PyObject *object, ezlda_corpus **out);
int py_model_or_none(PyObject *module, PyObject *object, ezlda_model **out);
/* New objects that own the handle; it is freed where there is no memory for the object. */
PyObject *py_corpus_new(PyObject *module, ezlda_corpus *corpus);
PyObject *py_model_new(PyObject *module, ezlda_model *model);

PyObject *py_context_create(PyObject *module, PyObject *args);

/* ---- calls
 * -------------------------------------------------------------------------------------------------------
 */

/* A call into the library: between begin and end the context is taken. Work with the GIL released,
 * and hand the status to end, which turns it into an exception. */
typedef struct py_call {
    py_state *state;
    py_context *owner;
    ezlda_context *context;
    PyObject *type, *value, *traceback; /* of an exception in a callback */
    double last;                        /* when signals were looked at */
} py_call;

int py_call_begin(py_call *call, PyObject *module, PyObject *context);
/* 0, or -1 with an exception: that of the callback, where there is one, else the library's. */
int py_call_end(py_call *call, ezlda_status status);
/* Ends a call that the library was not asked for: an exception is set already. */
void py_call_abandon(py_call *call);
/* Takes the exception that is set, for py_call_end. With the GIL. */
void py_call_keep_error(py_call *call);
/* From a callback, without the GIL: whether a signal handler raised, looked at a few times a
 * second. */
bool py_call_interrupted(py_call *call);
double py_seconds(void);

/* ---- options
 * -----------------------------------------------------------------------------------------------------
 */

/* PY_PRIOR: a double in the range of priors, for 0, which the library takes for "not given", is no
 * prior. */
typedef enum py_option_type {
    PY_U32,
    PY_U64,
    PY_DOUBLE,
    PY_PRIOR,
    PY_INT,
    PY_FLAG,
    PY_TEXT,
    PY_CHOICE
} py_option_type;

typedef struct py_option {
    const char *name;
    py_option_type type;
    size_t offset;
    const char *const
        *choices; /* PY_CHOICE: names of an enum's values, in order, NULL at the end */
} py_option;

/* Fills an options struct from a dictionary (or None); values that are None stay as they are. Texts
 * belong to the dictionary. -1 with an exception that names the option. */
int py_options_take(PyObject *dictionary, const py_option *table, void *target);
/* One whole number, its range checked (the formats I and K do not): -1 with an exception that names
 * it. */
int py_u32(PyObject *value, const char *name, uint32_t *out);
int py_u64(PyObject *value, const char *name, uint64_t *out);

/* ---- results
 * -----------------------------------------------------------------------------------------------------
 */

/* Adds name: value and takes over the value; -1 where value is NULL or cannot be added. */
int py_set(PyObject *dictionary, const char *name, PyObject *value);
int py_set_u64(PyObject *dictionary, const char *name, uint64_t value);
int py_set_f64(PyObject *dictionary, const char *name, double value);
int py_set_text(PyObject *dictionary, const char *name, const char *value);
/* Text of the library, which is UTF-8; what is not is replaced. */
PyObject *py_text(const char *text);
PyObject *py_rules_text(const ezlda_text_rules *rules); /* the rules in words; None for NULL */

/* A writable array of `n` items, each one of the formats, C-contiguous: -1 with an exception. */
int py_output(PyObject *object, Py_buffer *view, size_t n, const char *formats, const char *what);

/* Strings of a vocabulary: a sequence of str, or the words of a corpus or model. */
typedef struct py_words {
    const char **word; /* NULL: none were given */
    PyObject *keeper;
} py_words;

int py_words_take(py_words *words, PyObject *module, PyObject *source, uint32_t n);
void py_words_free(py_words *words);

int py_perplexity(PyObject *dictionary, const char *name, const ezlda_perplexity *p);

/* The options of a run: py_train_options lead into it. */
typedef struct py_training {
    ezlda_train_options train;
    ezlda_study study; /* train.study leads here */
} py_training;
void py_training_init(py_training *options);

extern const py_option py_train_options[], py_eval_options[];

/* ---- functions of the module, by file
 * ---------------------------------------------------------------------------- */

extern PyMethodDef py_corpus_functions[], py_csr_functions[], py_model_functions[],
    py_model_arrays[];
extern PyMethodDef py_train_functions[], py_infer_functions[], py_score_functions[],
    py_sweep_functions[];
extern PyMethodDef py_report_functions[], py_device_functions[];

#endif
