/* Begins and ends calls into the library: one call per context, errors and signals as Python
 * exceptions. Also converts results and vocabularies. */
#include "py_ezlda.h"

#include <errno.h>
#include <string.h>
#include <time.h>

static const double SIGNALS_EVERY = 0.05; /* seconds */

double py_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int py_call_begin(py_call *call, PyObject *module, PyObject *context)
{
    *call = (py_call){.state = PyModule_GetState(module), .last = py_seconds()};
    if (!PyObject_TypeCheck(context, call->state->context_type)) {
        PyErr_Format(PyExc_TypeError, "expected a context, found %R", Py_TYPE(context));
        return -1;
    }
    py_context *owner = (py_context *)context;
    if (owner->busy) {
        PyErr_SetString(PyExc_RuntimeError, "this context is in use by another thread");
        return -1;
    }
    owner->busy = true;
    Py_INCREF(context);
    call->owner = owner;
    call->context = owner->context;
    return 0;
}

void py_call_abandon(py_call *call)
{
    Py_CLEAR(call->type);
    Py_CLEAR(call->value);
    Py_CLEAR(call->traceback);
    call->owner->busy = false;
    Py_CLEAR(call->owner);
}

/* Whether the library's message ends with the text of ENOENT. */
static bool reports_missing_file(ezlda_status status, const char *text)
{
    const char *reason = strerror(ENOENT);
    size_t size = text ? strlen(text) : 0, n = strlen(reason);
    return text && status == EZLDA_ERROR_IO && size >= n && strcmp(text + size - n, reason) == 0;
}

static void raise_status(const py_call *call, ezlda_status status)
{
    const char *text = ezlda_error_message(call->context);
    bool known = status > EZLDA_OK && (int)status < PY_STATUSES;
    PyObject *type = known ? call->state->errors[status] : PyExc_RuntimeError;
    PyObject *message = py_message(text && *text ? text : ezlda_status_name(status));
    if (message)
        PyErr_SetObject(reports_missing_file(status, text) ? call->state->missing_file : type,
                        message);
    Py_XDECREF(message);
}

int py_call_end(py_call *call, ezlda_status status)
{
    bool raised = call->type != NULL;
    if (raised) {
        PyErr_Restore(call->type, call->value, call->traceback);
        call->type = call->value = call->traceback = NULL;
    } else if (status != EZLDA_OK) {
        raise_status(call, status);
    }
    py_call_abandon(call);
    return raised || status != EZLDA_OK ? -1 : 0;
}

void py_call_keep_error(py_call *call)
{
    if (call->type)
        PyErr_Clear();
    else
        PyErr_Fetch(&call->type, &call->value, &call->traceback);
}

bool py_call_interrupted(py_call *call)
{
    double now = py_seconds();
    if (call->type)
        return true;
    if (now - call->last < SIGNALS_EVERY)
        return false;
    call->last = now;
    PyGILState_STATE gil = PyGILState_Ensure();
    bool raised = PyErr_CheckSignals() < 0;
    if (raised)
        py_call_keep_error(call);
    PyGILState_Release(gil);
    return raised;
}

/* ---- results ---- */

PyObject *py_text(const char *text)
{
    return PyUnicode_DecodeUTF8(text ? text : "", text ? (Py_ssize_t)strlen(text) : 0, "replace");
}

/* Whether an option of the command begins here. */
static bool option_at(const char *text, const char *c)
{
    return strncmp(c, "--", 2) == 0 && c[2] >= 'a' && c[2] <= 'z' &&
           (c == text || strchr(" (`", c[-1]));
}

PyObject *py_message(const char *text)
{
    char *named = PyMem_Calloc(strlen(text) + 1, 1), *out = named;
    bool inside = false;
    if (!named)
        return PyErr_NoMemory();
    for (const char *c = text; *c; c++) {
        if (option_at(text, c)) {
            inside = true;
            c += 2;
        }
        inside = inside && (*c == '-' || (*c >= 'a' && *c <= 'z'));
        *out++ = inside && *c == '-' ? '_' : *c;
    }
    PyObject *message = py_text(named);
    PyMem_Free(named);
    return message;
}

PyObject *py_rules_text(const ezlda_text_rules *rules)
{
    char text[256];
    if (!rules)
        Py_RETURN_NONE;
    ezlda_text_rules_describe(rules, text, sizeof text);
    return py_text(text);
}

int py_set(PyObject *dictionary, const char *name, PyObject *value)
{
    int result = value ? PyDict_SetItemString(dictionary, name, value) : -1;
    Py_XDECREF(value);
    return result;
}

int py_set_u64(PyObject *dictionary, const char *name, uint64_t value)
{
    return py_set(dictionary, name, PyLong_FromUnsignedLongLong(value));
}

int py_set_f64(PyObject *dictionary, const char *name, double value)
{
    return py_set(dictionary, name, PyFloat_FromDouble(value));
}

int py_set_text(PyObject *dictionary, const char *name, const char *value)
{
    return py_set(dictionary, name, py_text(value));
}

int py_output(PyObject *object, Py_buffer *view, size_t n, const char *formats, const char *what)
{
    if (PyObject_GetBuffer(object, view, PyBUF_WRITABLE | PyBUF_FORMAT | PyBUF_C_CONTIGUOUS) < 0)
        return -1;
    const char *format = view->format ? view->format : "B";
    if (strlen(format) == 1 && strchr(formats, *format) &&
        (size_t)(view->len / view->itemsize) == n)
        return 0;
    PyErr_Format(PyExc_ValueError, "%s: expected %zu items of format '%s', found %zd of '%s'", what,
                 n, formats, view->len / view->itemsize, format);
    PyBuffer_Release(view);
    return -1;
}

/* ---- vocabularies ---- */

static int words_of_sequence(py_words *words, PyObject *source, uint32_t n)
{
    words->keeper = PySequence_List(source);
    if (!words->keeper)
        return -1;
    if (PyList_Size(words->keeper) != (Py_ssize_t)n) {
        PyErr_Format(PyExc_ValueError, "%zd words for %u columns", PyList_Size(words->keeper), n);
        return -1;
    }
    for (uint32_t i = 0; i < n; i++) {
        Py_ssize_t size;
        words->word[i] =
            PyUnicode_AsUTF8AndSize(PyList_GetItem(words->keeper, (Py_ssize_t)i), &size);
        if (!words->word[i])
            return -1;
        if (strlen(words->word[i]) != (size_t)size) {
            PyErr_Format(PyExc_ValueError, "word %u holds a null character", i);
            return -1;
        }
    }
    return 0;
}

int py_words_take(py_words *words, PyObject *module, PyObject *source, uint32_t n)
{
    py_state *state = PyModule_GetState(module);
    *words = (py_words){0};
    if (source == Py_None)
        return 0;
    words->word = PyMem_Calloc((size_t)n + 1, sizeof *words->word);
    if (!words->word) {
        PyErr_NoMemory();
        return -1;
    }
    bool is_model = PyObject_TypeCheck(source, state->model_type) != 0;
    bool is_corpus = PyObject_TypeCheck(source, state->corpus_type) != 0;
    if (!is_model && !is_corpus)
        return words_of_sequence(words, source, n);
    Py_INCREF(source);
    words->keeper = source;
    for (uint32_t i = 0; i < n; i++) {
        words->word[i] = is_model ? ezlda_model_word(((py_model *)source)->model, i)
                                  : ezlda_corpus_word(((py_corpus *)source)->corpus, i);
        if (!words->word[i]) {
            PyErr_Format(PyExc_ValueError, "%u columns, but the vocabulary has %u words", n, i);
            return -1;
        }
    }
    return 0;
}

void py_words_free(py_words *words)
{
    PyMem_Free(words->word);
    Py_CLEAR(words->keeper);
    words->word = NULL;
}
