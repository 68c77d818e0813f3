/* Topics of new documents, into an array of the caller. */
#include "py_ezlda.h"

#include <stddef.h>
#include <stdlib.h>

#define INFER(field, kind)                                       \
    {                                                            \
#field, kind, offsetof(ezlda_infer_options, field), NULL \
    }
static const py_option infer_options[] = {
    INFER(iterations, PY_U32), INFER(samples, PY_U32),       INFER(thin, PY_U32),  INFER(seed, PY_U64),
    INFER(device, PY_TEXT),    INFER(device_memory, PY_U64), INFER(batch, PY_U64), {NULL, PY_U32, 0, NULL}};

typedef struct target {
    py_call call;
    PyObject *progress;
    const ezlda_model *model;
    Py_buffer out;
    uint32_t topics;
    bool wide, weights; /* weights: count + alpha, not divided by their sum */
    double alpha_sum;
    double *row; /* topics */
} target;

static int take_row(const ezlda_doc_row *row, void *user)
{
    target *t = user;
    size_t first = (size_t)row->doc * t->topics;
    double *theta = t->wide ? (double *)t->out.buf + first : t->row;
    ezlda_doc_row_shares(t->model, row, theta);
    double all = t->weights ? (double)row->tokens + t->alpha_sum : 1.0;
    for (uint32_t k = 0; t->weights && k < t->topics; k++)
        theta[k] *= all;
    for (uint32_t k = 0; !t->wide && k < t->topics; k++)
        ((float *)t->out.buf)[first + k] = (float)theta[k];
    return 0;
}

static int after_batch(const ezlda_infer_progress *progress, void *user)
{
    target *t = user;
    bool go_on = !py_call_interrupted(&t->call);
    if (go_on && t->progress) {
        PyGILState_STATE gil = PyGILState_Ensure();
        PyObject *result = PyObject_CallFunction(t->progress, "KK", (unsigned long long)progress->docs_done,
                                                 (unsigned long long)progress->docs);
        go_on = result != NULL;
        if (!go_on)
            py_call_keep_error(&t->call);
        Py_XDECREF(result);
        PyGILState_Release(gil);
    }
    return !go_on;
}

static PyObject *infer_result(const ezlda_infer_info *info)
{
    PyObject *d = PyDict_New();
    if (d && py_set_u64(d, "docs", info->docs) == 0 && py_set_u64(d, "tokens", info->tokens) == 0 &&
        py_set_u64(d, "docs_without", info->docs_without) == 0 &&
        py_set_u64(d, "unknown_tokens", info->unknown_tokens) == 0 &&
        py_set_u64(d, "unknown_words", info->unknown_words) == 0 && py_set_f64(d, "llpt", info->llpt) == 0 &&
        py_set_f64(d, "seconds_sampling", info->seconds_sampling) == 0 &&
        py_set_u64(d, "topics_hash", info->topics_hash) == 0 && py_set_text(d, "device", info->device) == 0)
        return d;
    Py_XDECREF(d);
    return NULL;
}

static int target_open(target *t, const ezlda_model *model, const ezlda_corpus *corpus, PyObject *array)
{
    ezlda_model_info info = {.size = sizeof info};
    ezlda_corpus_info documents = {.size = sizeof documents};
    ezlda_model_get_info(model, &info);
    ezlda_corpus_get_info(corpus, &documents);
    t->model = model;
    t->topics = info.topics;
    t->alpha_sum = info.alpha_sum;
    if (py_output(array, &t->out, (size_t)documents.docs * info.topics, "fd", "out") < 0)
        return -1;
    t->wide = *t->out.format == 'd';
    t->row = malloc(info.topics * sizeof *t->row);
    if (t->row)
        return 0;
    PyBuffer_Release(&t->out);
    PyErr_NoMemory();
    return -1;
}

static PyObject *infer(PyObject *module, PyObject *args)
{
    PyObject *context, *model_object, *corpus_object, *dictionary, *array, *progress;
    ezlda_infer_options options;
    ezlda_infer_info info = {.size = sizeof info};
    ezlda_model *model;
    ezlda_corpus *corpus;
    ezlda_status status;
    target t = {0};
    int weights;
    if (!PyArg_ParseTuple(args, "OOOOOpO", &context, &model_object, &corpus_object, &dictionary, &array, &weights,
                          &progress))
        return NULL;
    ezlda_infer_options_init(&options);
    if (!(model = py_model_of(module, model_object)) || !(corpus = py_corpus_of(module, corpus_object)) ||
        py_options_take(dictionary, infer_options, &options) < 0 || target_open(&t, model, corpus, array) < 0)
        return NULL;
    PyObject *result = NULL;
    t.weights = weights != 0;
    t.progress = progress == Py_None ? NULL : progress;
    options.progress = after_batch;
    options.user = &t;
    if (py_call_begin(&t.call, module, context) == 0) {
        PyThreadState *thread = PyEval_SaveThread();
        status = ezlda_infer(model, t.call.context, corpus, &options, take_row, &t, &info);
        PyEval_RestoreThread(thread);
        if (py_call_end(&t.call, status) == 0)
            result = infer_result(&info);
    }
    free(t.row);
    PyBuffer_Release(&t.out);
    return result;
}

PyMethodDef py_infer_functions[] = {
    {"infer", infer, METH_VARARGS, "infer(context, model, corpus, options, out, weights, progress) -> dict"},
    {NULL, NULL, 0, NULL}};
