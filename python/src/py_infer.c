/* Infers the topics of new documents, into an array of the caller or as sparse rows. */
#include "py_ezlda.h"

#include <stddef.h>
#include <stdlib.h>

#define INFER(field, kind)                                       \
    {                                                            \
#field, kind, offsetof(ezlda_infer_options, field), NULL \
    }
const py_option py_infer_options[] = {INFER(iterations, PY_U32), INFER(samples, PY_U32),
                                      INFER(thin, PY_U32),       INFER(seed, PY_U64),
                                      INFER(device, PY_TEXT),    INFER(device_memory, PY_U64),
                                      INFER(batch, PY_U64),      {NULL, PY_U32, 0, NULL}};

/* Sparse rows as CSR arrays, which grow row by row. */
typedef struct sparse_rows {
    int64_t *start; /* docs + 1 */
    uint32_t *topic;
    double *share;
    size_t n, room;
    uint32_t top;     /* number of entries of a row to keep, the largest; 0: all */
    double threshold; /* least share of an entry to keep */
} sparse_rows;

typedef struct target {
    py_call call;
    PyObject *progress;
    const ezlda_model *model;
    Py_buffer out; /* dense: documents x topics */
    uint64_t docs;
    uint32_t topics;
    bool wide, weights; /* weights: return count + alpha, not divided by their sum */
    double alpha_sum;
    double *row; /* topics */
    sparse_rows rows;
    bool no_memory;
} target;

static int receive_row(const ezlda_doc_row *row, void *user)
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

/* ---- sparse rows ---- */

static bool rows_grow(sparse_rows *r, size_t more)
{
    if (r->n + more <= r->room)
        return true;
    size_t room = 2 * (r->n + more) + 1024;
    uint32_t *topic = py_reallocate(r->topic, room, sizeof *topic);
    if (!topic)
        return false;
    r->topic = topic;
    double *share = py_reallocate(r->share, room, sizeof *share);
    if (!share)
        return false;
    r->share = share;
    r->room = room;
    return true;
}

/* Returns the least of the `top` largest shares, and in *equal how many of them are equal to it.
 * sorted holds `top` numbers. */
static double least_kept(const double *share, size_t n, uint32_t top, double *sorted, size_t *equal)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        if (kept == top && sorted[top - 1] >= share[i])
            continue;
        size_t at = kept < top ? kept++ : top - 1;
        for (; at > 0 && sorted[at - 1] < share[i]; at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = share[i];
    }
    *equal = 0;
    for (size_t i = 0; i < kept; i++)
        *equal += sorted[i] == sorted[kept - 1];
    return sorted[kept - 1];
}

/* Keeps the largest entries from `first` on, topics ascending; of equal ones the first. */
static void keep_largest(sparse_rows *r, size_t first, double *sorted)
{
    size_t equal, end = r->n;
    double least = least_kept(r->share + first, end - first, r->top, sorted, &equal);
    r->n = first;
    for (size_t i = first; i < end; i++) {
        bool on_edge = r->share[i] == least;
        if (r->share[i] < least || (on_edge && equal == 0))
            continue;
        equal -= on_edge;
        r->topic[r->n] = r->topic[i];
        r->share[r->n++] = r->share[i];
    }
}

static int receive_sparse_row(const ezlda_doc_row *row, void *user)
{
    target *t = user;
    sparse_rows *r = &t->rows;
    const double *alpha = ezlda_model_alpha(t->model);
    double all = (double)row->tokens + t->alpha_sum;
    size_t first = r->n;
    t->no_memory = !rows_grow(r, row->n);
    for (size_t i = 0; !t->no_memory && i < row->n; i++) {
        double weight = row->count[i] + alpha[row->topic[i]];
        if (weight / all < r->threshold)
            continue;
        r->topic[r->n] = row->topic[i];
        r->share[r->n++] = t->weights ? weight : weight / all;
    }
    if (r->top && r->n - first > r->top)
        keep_largest(r, first, t->row);
    r->start[row->doc + 1] = (int64_t)r->n;
    return t->no_memory;
}

/* Returns indptr, indices, data and the facts; owns the facts from then on. */
static PyObject *rows_result(const target *t, PyObject *facts)
{
    const sparse_rows *r = &t->rows;
    PyObject *part[3] = {
        PyByteArray_FromStringAndSize((const char *)r->start,
                                      (Py_ssize_t)((t->docs + 1) * sizeof *r->start)),
        PyByteArray_FromStringAndSize((const char *)r->topic,
                                      (Py_ssize_t)(r->n * sizeof *r->topic)),
        PyByteArray_FromStringAndSize((const char *)r->share,
                                      (Py_ssize_t)(r->n * sizeof *r->share))};
    PyObject *all = NULL;
    if (part[0] && part[1] && part[2] && facts)
        all = PyTuple_Pack(4, part[0], part[1], part[2], facts);
    for (int i = 0; i < 3; i++)
        Py_XDECREF(part[i]);
    Py_XDECREF(facts);
    return all;
}

/* ---- calls ---- */

static int after_batch(const ezlda_infer_progress *progress, void *user)
{
    target *t = user;
    bool go_on = !py_call_interrupted(&t->call);
    if (go_on && t->progress) {
        PyGILState_STATE gil = PyGILState_Ensure();
        PyObject *result =
            PyObject_CallFunction(t->progress, "KK", (unsigned long long)progress->docs_done,
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
        py_set_u64(d, "unseen_tokens", info->unseen_tokens) == 0 &&
        py_set_u64(d, "unknown_tokens", info->unknown_tokens) == 0 &&
        py_set_u64(d, "unknown_words", info->unknown_words) == 0 &&
        py_set_f64(d, "llpt", info->llpt) == 0 &&
        py_set_f64(d, "seconds_sampling", info->seconds_sampling) == 0 &&
        py_set_u64(d, "topics_hash", info->topics_hash) == 0 &&
        py_set_text(d, "device", info->device) == 0)
        return d;
    Py_XDECREF(d);
    return NULL;
}

static void target_close(target *t)
{
    free(t->rows.start);
    free(t->rows.topic);
    free(t->rows.share);
    free(t->row);
    PyBuffer_Release(&t->out);
}

/* array is the dense output, or NULL for sparse rows. */
static int target_open(target *t, const ezlda_model *model, const ezlda_corpus *corpus,
                       PyObject *array)
{
    ezlda_model_info info = {.size = sizeof info};
    ezlda_corpus_info documents = {.size = sizeof documents};
    ezlda_model_get_info(model, &info);
    ezlda_corpus_get_info(corpus, &documents);
    t->model = model;
    t->topics = info.topics;
    t->alpha_sum = info.alpha_sum;
    t->docs = documents.docs;
    if (array && py_output(array, &t->out, (size_t)documents.docs * info.topics, "fd", "out") < 0)
        return -1;
    t->wide = array && *t->out.format == 'd';
    t->row = calloc(info.topics, sizeof *t->row);
    if (!array)
        t->rows.start = calloc((size_t)documents.docs + 1, sizeof *t->rows.start);
    if (t->row && (array || t->rows.start))
        return 0;
    target_close(t);
    PyErr_NoMemory();
    return -1;
}

/* Returns 0, or -1 with an exception. */
static int run_infer(target *t, PyObject *module, PyObject *context, const ezlda_corpus *corpus,
                     ezlda_infer_options *options, ezlda_infer_info *info)
{
    ezlda_status status;
    if (py_call_begin(&t->call, module, context) < 0)
        return -1;
    options->progress = after_batch;
    options->user = t;
    PyThreadState *thread = PyEval_SaveThread();
    status = ezlda_infer(info, t->call.context, t->model, corpus, options,
                         t->rows.start ? receive_sparse_row : receive_row, t);
    PyEval_RestoreThread(thread);
    if (!t->no_memory)
        return py_call_end(&t->call, status);
    py_call_abandon(&t->call);
    PyErr_NoMemory();
    return -1;
}

/* Checks and converts the inputs that both calls share. */
static int read_inputs(PyObject *module, PyObject *const *objects, ezlda_model **model,
                       ezlda_corpus **corpus, ezlda_infer_options *options)
{
    ezlda_infer_options_init(options);
    return (*model = py_model_of(module, objects[0])) &&
                   (*corpus = py_corpus_of(module, objects[1])) &&
                   py_options_read(objects[2], py_infer_options, options) == 0
               ? 0
               : -1;
}

static PyObject *infer(PyObject *module, PyObject *args)
{
    PyObject *context, *objects[3], *array, *progress, *result = NULL;
    ezlda_infer_options options;
    ezlda_infer_info info = {.size = sizeof info};
    ezlda_model *model;
    ezlda_corpus *corpus;
    target t = {0};
    int weights;
    if (!PyArg_ParseTuple(args, "OOOOOpO", &context, &objects[0], &objects[1], &objects[2], &array,
                          &weights, &progress) ||
        read_inputs(module, objects, &model, &corpus, &options) < 0 ||
        target_open(&t, model, corpus, array) < 0)
        return NULL;
    t.weights = weights != 0;
    t.progress = progress == Py_None ? NULL : progress;
    if (run_infer(&t, module, context, corpus, &options, &info) == 0)
        result = infer_result(&info);
    target_close(&t);
    return result;
}

static PyObject *infer_sparse(PyObject *module, PyObject *args)
{
    PyObject *context, *objects[3], *progress, *most, *result = NULL;
    ezlda_infer_options options;
    ezlda_infer_info info = {.size = sizeof info};
    ezlda_model *model;
    ezlda_corpus *corpus;
    target t = {0};
    uint32_t top;
    double threshold;
    int weights;
    if (!PyArg_ParseTuple(args, "OOOOOdpO", &context, &objects[0], &objects[1], &objects[2], &most,
                          &threshold, &weights, &progress) ||
        py_u32(most, "top", &top) < 0 ||
        read_inputs(module, objects, &model, &corpus, &options) < 0 ||
        target_open(&t, model, corpus, NULL) < 0)
        return NULL;
    t.weights = weights != 0;
    t.progress = progress == Py_None ? NULL : progress;
    t.rows.top = top < t.topics ? top : 0;
    t.rows.threshold = threshold;
    if (run_infer(&t, module, context, corpus, &options, &info) == 0)
        result = rows_result(&t, infer_result(&info));
    target_close(&t);
    return result;
}

PyMethodDef py_infer_functions[] = {
    {"infer", infer, METH_VARARGS,
     "infer(context, model, corpus, options, out, weights, progress) -> dict"},
    {"infer_sparse", infer_sparse, METH_VARARGS,
     "infer_sparse(context, model, corpus, options, top, threshold, weights, progress) -> indptr, "
     "indices, data, dict"},
    {NULL, NULL, 0, NULL}};
