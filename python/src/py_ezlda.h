/* What the files of the extension share: handles as Python objects, calls into the library, options
 * from dictionaries.
 *
 * Everything is a function of the module: _ezlda.train(context, corpus, ...). The package's Python
 * files make the objects that users see. Corpora and models are read-only and may be shared by
 * threads. A context serves one call at a time; a second call at the same time raises RuntimeError.
 */
#ifndef PY_EZLDA_H
#define PY_EZLDA_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "ezlda.h"
#include "py_since_39.h"

#include <stdbool.h>
#include <stdlib.h>

/* realloc for n elements; NULL if their size overflows. reallocarray is no function of Windows. */
static inline void *py_reallocate(void *memory, size_t n, size_t size)
{
    size_t bytes;
    return __builtin_mul_overflow(n, size, &bytes) ? NULL : realloc(memory, bytes);
}

enum { PY_STATUSES = EZLDA_ERROR_INTERNAL + 1 };

typedef struct py_state {
    PyTypeObject *context_type, *corpus_type, *model_type, *inferencer_type, *arrow_type;
    PyObject *errors[PY_STATUSES]; /* exception of each status */
    PyObject *missing_file;        /* exception of EZLDA_ERROR_IO if the file does not exist */
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

typedef struct py_inferencer {
    PyObject_HEAD ezlda_inferencer *inferencer;
    PyObject *model; /* lives at least as long */
} py_inferencer;

/* ---- handles ---- */

/* The slot Py_tp_new of the types of handles: only the library makes them. */
PyObject *py_no_new(PyTypeObject *type, PyObject *args, PyObject *keywords);

int py_types_make(PyObject *module, py_state *state);
int py_arrow_type_make(PyObject *module, py_state *state); /* py_arrow.c */
/* Return the handle of an object, or NULL with TypeError. */
ezlda_corpus *py_corpus_of(PyObject *module, PyObject *object);
ezlda_model *py_model_of(PyObject *module, PyObject *object);
/* Store the handle of an object, or NULL for None. Return -1 with an exception for anything else.
 */
int py_corpus_or_none(PyObject *module, PyObject *object, ezlda_corpus **out);
int py_model_or_none(PyObject *module, PyObject *object, ezlda_model **out);
/* Return a new object that owns the handle. If there is not enough memory for it, the handle is
 * freed. */
PyObject *py_corpus_new(PyObject *module, ezlda_corpus *corpus);
PyObject *py_model_new(PyObject *module, ezlda_model *model);
const py_inferencer *py_inferencer_of(PyObject *module, PyObject *object);
PyObject *py_inferencer_new(PyObject *module, ezlda_inferencer *inferencer, PyObject *model);

PyObject *py_context_create(PyObject *module, PyObject *args);

/* ---- calls ---- */

/* A call into the library. The context is busy from begin to end. Release the GIL in between, and
 * pass the status to end, which turns it into an exception. */
typedef struct py_call {
    py_state *state;
    py_context *owner;
    ezlda_context *context;
    PyObject *type, *value, *traceback; /* exception that a callback raised */
    double last;                        /* time of the last check for signals */
} py_call;

int py_call_begin(py_call *call, PyObject *module, PyObject *context);
/* Returns 0, or -1 with an exception: the one of the callback if it raised, else the library's. */
int py_call_end(py_call *call, ezlda_status status);
/* Ends a call before it reached the library. An exception is set already. */
void py_call_abandon(py_call *call);
/* Moves the current exception into the call, for py_call_end. Needs the GIL. */
void py_call_keep_error(py_call *call);
/* Whether a signal handler raised. For callbacks, without the GIL; checks a few times per second.
 */
bool py_call_interrupted(py_call *call);
double py_seconds(void);

/* ---- options ---- */

/* PY_PRIOR: a double in the range of priors. It excludes 0, which means "not given" to the library.
 */
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

/* Fills an options struct from a dictionary (or None). A value of None keeps the default. The
 * dictionary owns the strings. Returns -1 with an exception that names the option. */
int py_options_read(PyObject *dictionary, const py_option *table, void *target);
/* The names of a table as a list of str. */
PyObject *py_option_names(const py_option *table);
/* Convert a whole number and check its range, which the formats I and K do not. Return -1 with an
 * exception that names it. */
int py_u32(PyObject *value, const char *name, uint32_t *out);
int py_u64(PyObject *value, const char *name, uint64_t *out);

/* ---- results ---- */

/* Add name: value. py_set owns the value from then on and returns -1 if it is NULL or cannot be
 * added. */
int py_set(PyObject *dictionary, const char *name, PyObject *value);
int py_set_u64(PyObject *dictionary, const char *name, uint64_t value);
int py_set_f64(PyObject *dictionary, const char *name, double value);
int py_set_text(PyObject *dictionary, const char *name, const char *value);
/* Converts text of the library, which is UTF-8. Invalid bytes are replaced. */
PyObject *py_text(const char *text);
/* A message of the library with the names that options have in Python: --min-docs is min_docs. */
PyObject *py_message(const char *text);
PyObject *py_rules_text(const ezlda_text_rules *rules); /* the rules in words; None for NULL */

/* Stores the rules by which the text of a model or a corpus was read, which owns them; NULL for
 * None.
 */
int py_rules_of(PyObject *module, PyObject *object, const ezlda_text_rules **rules);

/* Opens a writable, C-contiguous array of `n` items of one of the formats. Returns -1 with an
 * exception. */
int py_output(PyObject *object, Py_buffer *view, size_t n, const char *formats, const char *what);

/* The strings of a vocabulary, from a sequence of str or from a corpus or model. */
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

extern const py_option py_import_options[], py_synth_options[], py_report_options[];
extern const py_option py_train_options[], py_eval_options[], py_infer_options[];

/* ---- functions of the module, by file ---- */

extern PyMethodDef py_record_functions[], py_arrow_functions[], py_select_functions[];
extern PyMethodDef py_corpus_functions[], py_csr_functions[], py_model_functions[],
    py_model_arrays[];
extern PyMethodDef py_train_functions[], py_infer_functions[], py_inferencer_functions[],
    py_score_functions[], py_sweep_functions[], py_tree_functions[], py_effect_functions[];
extern PyMethodDef py_report_functions[], py_device_functions[];

#endif
