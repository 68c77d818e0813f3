/* Inferencers: handles that infer one document per call, with the tables made once. */
#include "py_ezlda.h"

#include <stdlib.h>

static PyObject *create(PyObject *module, PyObject *args)
{
    PyObject *context, *model_object, *given;
    ezlda_infer_options options;
    ezlda_inferencer *made = NULL;
    py_call call;
    if (!PyArg_ParseTuple(args, "OOO", &context, &model_object, &given))
        return NULL;
    ezlda_model *model = py_model_of(module, model_object);
    ezlda_infer_options_init(&options);
    if (!model || py_options_read(given, py_infer_options, &options) < 0 ||
        py_call_begin(&call, module, context) < 0)
        return NULL;
    PyThreadState *thread = PyEval_SaveThread();
    ezlda_status status = ezlda_inferencer_create(&made, call.context, model, &options);
    PyEval_RestoreThread(thread);
    return py_call_end(&call, status) < 0 ? NULL : py_inferencer_new(module, made, model_object);
}

/* Writes the numbers of words, 32 bits each. */
static PyObject *numbers_of(PyObject *module, PyObject *args)
{
    PyObject *object, *words, *result = NULL;
    if (!PyArg_ParseTuple(args, "OO", &object, &words))
        return NULL;
    const py_inferencer *self = py_inferencer_of(module, object);
    PyObject *list = self ? PySequence_List(words) : NULL;
    Py_ssize_t n = list ? PyList_Size(list) : 0;
    if (list)
        result = PyByteArray_FromStringAndSize(NULL, n * (Py_ssize_t)sizeof(uint32_t));
    uint32_t *out = result ? (uint32_t *)(void *)PyByteArray_AsString(result) : NULL;
    for (Py_ssize_t i = 0; result && i < n; i++) {
        PyObject *word = PyList_GetItem(list, i);
        const char *text = PyUnicode_Check(word) ? PyUnicode_AsUTF8AndSize(word, NULL) : NULL;
        if (text) {
            out[i] = ezlda_inferencer_word(self->inferencer, text);
            continue;
        }
        if (!PyErr_Occurred())
            PyErr_Format(PyExc_TypeError, "expected words as str, found %R", word);
        Py_CLEAR(result);
    }
    Py_XDECREF(list);
    return result;
}

/* ---- one document ---- */

typedef struct target {
    const ezlda_model *model;
    Py_buffer out; /* topics */
    uint32_t topics;
    bool weights; /* count + alpha, not divided by their sum */
    double alpha_sum;
    double *theta; /* topics */
} target;

static int receive(const ezlda_doc_row *row, void *user)
{
    target *t = user;
    bool wide = *t->out.format == 'd';
    double *theta = wide ? t->out.buf : t->theta;
    ezlda_doc_row_shares(t->model, row, theta);
    double all = t->weights ? (double)row->tokens + t->alpha_sum : 1.0;
    for (uint32_t k = 0; t->weights && k < t->topics; k++)
        theta[k] *= all;
    for (uint32_t k = 0; !wide && k < t->topics; k++)
        ((float *)t->out.buf)[k] = (float)theta[k];
    return 0;
}

/* Opens an array of 32-bit numbers that are not negative. */
static int open_numbers(PyObject *object, Py_buffer *view, const char *what)
{
    if (PyObject_GetBuffer(object, view, PyBUF_FORMAT | PyBUF_C_CONTIGUOUS) < 0)
        return -1;
    if (view->itemsize == (Py_ssize_t)sizeof(uint32_t) && view->format &&
        (*view->format == 'I' || *view->format == 'L'))
        return 0;
    PyErr_Format(PyExc_TypeError, "%s: expected an array of uint32", what);
    PyBuffer_Release(view);
    return -1;
}

static int open_target(target *t, const py_inferencer *self, PyObject *module, PyObject *out)
{
    ezlda_model_info info = {.size = sizeof info};
    if (!(t->model = py_model_of(module, self->model)))
        return -1;
    ezlda_model_get_info(t->model, &info);
    t->topics = info.topics;
    t->alpha_sum = info.alpha_sum;
    if (py_output(out, &t->out, info.topics, "fd", "out") < 0)
        return -1;
    t->theta = calloc(info.topics, sizeof *t->theta);
    if (t->theta)
        return 0;
    PyBuffer_Release(&t->out);
    PyErr_NoMemory();
    return -1;
}

/* Returns tokens, unseen tokens, unknown tokens and LLPT. */
static PyObject *run(target *t, PyObject *module, PyObject *context, const py_inferencer *self,
                     const Py_buffer *words, const Py_buffer *counts)
{
    ezlda_infer_info info = {.size = sizeof info};
    py_call call;
    if (py_call_begin(&call, module, context) < 0)
        return NULL;
    PyThreadState *thread = PyEval_SaveThread();
    ezlda_status status = ezlda_inferencer_infer(&info, call.context, self->inferencer, words->buf,
                                                 counts ? counts->buf : NULL,
                                                 (size_t)words->len / sizeof(uint32_t), receive, t);
    PyEval_RestoreThread(thread);
    if (py_call_end(&call, status) < 0)
        return NULL;
    return Py_BuildValue("{sKsKsKsd}", "tokens", (unsigned long long)info.tokens, "unseen_tokens",
                         (unsigned long long)info.unseen_tokens, "unknown_tokens",
                         (unsigned long long)info.unknown_tokens, "llpt", info.llpt);
}

static PyObject *infer(PyObject *module, PyObject *args)
{
    PyObject *context, *object, *word_array, *count_array, *out, *result = NULL;
    Py_buffer words, counts;
    target t = {0};
    int weights;
    if (!PyArg_ParseTuple(args, "OOOOOp", &context, &object, &word_array, &count_array, &out,
                          &weights))
        return NULL;
    const py_inferencer *self = py_inferencer_of(module, object);
    bool counted = count_array != Py_None;
    if (!self || open_target(&t, self, module, out) < 0)
        return NULL;
    t.weights = weights != 0;
    if (open_numbers(word_array, &words, "words") == 0) {
        if (!counted || open_numbers(count_array, &counts, "counts") == 0) {
            if (!counted || counts.len == words.len)
                result = run(&t, module, context, self, &words, counted ? &counts : NULL);
            else
                PyErr_SetString(PyExc_ValueError, "there are not as many counts as words");
            if (counted)
                PyBuffer_Release(&counts);
        }
        PyBuffer_Release(&words);
    }
    free(t.theta);
    PyBuffer_Release(&t.out);
    return result;
}

PyMethodDef py_inferencer_functions[] = {
    {"inferencer", create, METH_VARARGS, "inferencer(context, model, options) -> Inferencer"},
    {"inferencer_words", numbers_of, METH_VARARGS,
     "inferencer_words(inferencer, words) -> bytearray"},
    {"inferencer_infer", infer, METH_VARARGS,
     "inferencer_infer(context, inferencer, words, counts, out, weights) -> dict"},
    {NULL, NULL, 0, NULL}};
