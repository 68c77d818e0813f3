/* Copies the counts of a model into NumPy arrays of the caller: dense matrices, the arrays of
 * sparse rows, and vectors with one number per topic, word or document. */
#include "py_ezlda.h"

#include <stdlib.h>
#include <string.h>

static void put(void *out, bool wide, size_t i, double value)
{
    if (wide)
        ((double *)out)[i] = value;
    else
        ((float *)out)[i] = (float)value;
}

/* Sparse rows of a model: one per word or one per document. */
typedef struct rows {
    const ezlda_model *model;
    bool words;
    bool sampled; /* the counts of words are summed over the model's samples */
    uint64_t n;
} rows;

static size_t row_of(const rows *r, uint64_t i, uint32_t *topic, uint32_t *count, size_t capacity)
{
    if (!r->words)
        return ezlda_model_doc_topics(r->model, i, topic, count, capacity);
    return r->sampled ? ezlda_model_sampled_topics(r->model, (uint32_t)i, topic, count, capacity)
                      : ezlda_model_word_topics(r->model, (uint32_t)i, topic, count, capacity);
}

static int rows_open(rows *r, ezlda_model_info *info, PyObject *module, PyObject *object, int words)
{
    *info = (ezlda_model_info){.size = sizeof *info};
    if (!(r->model = py_model_of(module, object)))
        return -1;
    ezlda_model_get_info(r->model, info);
    r->words = words != 0;
    r->sampled = false;
    r->n = words ? info->words : info->docs;
    return 0;
}

/* ---- dense ---- */

typedef struct room {
    uint32_t *topic, *count;
    size_t n;
} room;

static int room_make(room *r, uint32_t topics)
{
    *r = (room){.topic = calloc(topics, sizeof *r->topic),
                .count = calloc(topics, sizeof *r->count),
                .n = topics};
    return r->topic && r->count ? 0 : -1;
}

static void room_free(room *r)
{
    free(r->topic);
    free(r->count);
}

/* Topics by words: mean counts of the samples, plus a constant. */
static void fill_components(const rows *r, const ezlda_model_info *info, room *space,
                            Py_buffer *out, double add)
{
    bool wide = *out->format == 'd';
    size_t words = info->words;
    double samples = info->word_samples;
    for (size_t i = 0; i < words * info->topics; i++)
        put(out->buf, wide, i, add);
    for (uint64_t w = 0; w < words; w++) {
        size_t n = row_of(r, w, space->topic, space->count, space->n);
        for (size_t j = 0; j < n; j++)
            put(out->buf, wide, space->topic[j] * words + w,
                (double)space->count[j] / samples + add);
    }
}

/* Documents by topics: shares. */
static void fill_shares(const rows *r, const ezlda_model_info *info, room *space, Py_buffer *out)
{
    bool wide = *out->format == 'd';
    const double *alpha = ezlda_model_alpha(r->model);
    for (uint64_t d = 0; d < info->docs; d++) {
        size_t first = (size_t)d * info->topics,
               n = row_of(r, d, space->topic, space->count, space->n);
        double all = (double)ezlda_model_doc_tokens(r->model, d) + info->alpha_sum;
        for (uint32_t k = 0; k < info->topics; k++)
            put(out->buf, wide, first + k, alpha[k] / all);
        for (size_t j = 0; j < n; j++)
            put(out->buf, wide, first + space->topic[j],
                ((double)space->count[j] + alpha[space->topic[j]]) / all);
    }
}

/* If `words`, topics by words: mean counts plus `add`. Otherwise documents by topics: shares. */
static PyObject *model_dense(PyObject *module, PyObject *args)
{
    PyObject *object, *array;
    int words;
    double add;
    rows r;
    room space;
    ezlda_model_info info;
    Py_buffer out;
    if (!PyArg_ParseTuple(args, "OpOd", &object, &words, &array, &add) ||
        rows_open(&r, &info, module, object, words) < 0 ||
        py_output(array, &out, (size_t)r.n * info.topics, "fd", "out") < 0)
        return NULL;
    r.sampled = words != 0;
    int made = room_make(&space, info.topics);
    if (made == 0) {
        PyThreadState *thread = PyEval_SaveThread();
        if (words)
            fill_components(&r, &info, &space, &out, add);
        else
            fill_shares(&r, &info, &space, &out);
        PyEval_RestoreThread(thread);
    }
    room_free(&space);
    PyBuffer_Release(&out);
    if (made < 0)
        return PyErr_NoMemory();
    Py_RETURN_NONE;
}

/* ---- sparse ---- */

static PyObject *model_row_starts(PyObject *module, PyObject *args)
{
    PyObject *object, *array;
    int words;
    rows r;
    ezlda_model_info info;
    Py_buffer out;
    if (!PyArg_ParseTuple(args, "OpO", &object, &words, &array) ||
        rows_open(&r, &info, module, object, words) < 0 ||
        py_output(array, &out, (size_t)r.n + 1, "lq", "indptr") < 0)
        return NULL;
    int64_t *start = out.buf;
    PyThreadState *thread = PyEval_SaveThread();
    start[0] = 0;
    for (uint64_t i = 0; i < r.n; i++)
        start[i + 1] = start[i] + (int64_t)row_of(&r, i, NULL, NULL, 0);
    PyEval_RestoreThread(thread);
    PyBuffer_Release(&out);
    Py_RETURN_NONE;
}

static PyObject *model_rows(PyObject *module, PyObject *args)
{
    PyObject *object, *arrays[2];
    int words;
    Py_ssize_t n;
    rows r;
    ezlda_model_info info;
    Py_buffer topic, count;
    if (!PyArg_ParseTuple(args, "OpnOO", &object, &words, &n, &arrays[0], &arrays[1]) ||
        rows_open(&r, &info, module, object, words) < 0 ||
        py_output(arrays[0], &topic, (size_t)n, "iI", "indices") < 0)
        return NULL;
    if (py_output(arrays[1], &count, (size_t)n, "iI", "data") < 0) {
        PyBuffer_Release(&topic);
        return NULL;
    }
    PyThreadState *thread = PyEval_SaveThread();
    size_t at = 0, room_left = (size_t)n;
    for (uint64_t i = 0; i < r.n && at <= (size_t)n; i++, room_left = (size_t)n - at) {
        size_t has =
            row_of(&r, i, (uint32_t *)topic.buf + at, (uint32_t *)count.buf + at, room_left);
        at += has < room_left ? has : room_left;
    }
    PyEval_RestoreThread(thread);
    PyBuffer_Release(&topic);
    PyBuffer_Release(&count);
    Py_RETURN_NONE;
}

/* ---- one number each ---- */

static PyObject *bytes_of_tokens(const ezlda_model *model, uint64_t n, bool words)
{
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(n * sizeof(uint64_t)));
    char *out = bytes ? PyBytes_AsString(bytes) : NULL;
    for (uint64_t i = 0; out && i < n; i++) {
        uint64_t tokens =
            words ? ezlda_model_word_tokens(model, (uint32_t)i) : ezlda_model_doc_tokens(model, i);
        memcpy(out + i * sizeof tokens, &tokens, sizeof tokens);
    }
    return bytes;
}

static PyObject *bytes_of_topics(const ezlda_model *model, const ezlda_model_info *info)
{
    const size_t each = sizeof(uint16_t);
    if (!info->has_topics)
        Py_RETURN_NONE;
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(info->doc_tokens * each));
    char *out = bytes ? PyBytes_AsString(bytes) : NULL;
    for (uint64_t d = 0; out && d < info->docs; d++) {
        size_t size = (size_t)ezlda_model_doc_tokens(model, d) * each;
        if (size)
            memcpy(out, ezlda_model_token_topics(model, d), size);
        out += size;
    }
    return bytes;
}

/* alpha (double), topic_tokens, word_tokens, doc_tokens (uint64), token_topics (uint16, or None) as
 * bytes. */
static PyObject *model_bytes(PyObject *module, PyObject *args)
{
    PyObject *object;
    const char *what;
    rows r;
    ezlda_model_info info;
    if (!PyArg_ParseTuple(args, "Os", &object, &what) ||
        rows_open(&r, &info, module, object, 0) < 0)
        return NULL;
    if (strcmp(what, "alpha") == 0)
        return PyBytes_FromStringAndSize((const char *)ezlda_model_alpha(r.model),
                                         (Py_ssize_t)(info.topics * sizeof(double)));
    if (strcmp(what, "topic_tokens") == 0)
        return PyBytes_FromStringAndSize((const char *)ezlda_model_topic_tokens(r.model),
                                         (Py_ssize_t)(info.topics * sizeof(uint64_t)));
    if (strcmp(what, "word_tokens") == 0)
        return bytes_of_tokens(r.model, info.words, true);
    if (strcmp(what, "doc_tokens") == 0)
        return bytes_of_tokens(r.model, info.docs, false);
    if (strcmp(what, "token_topics") == 0)
        return bytes_of_topics(r.model, &info);
    PyErr_Format(PyExc_ValueError, "'%s'", what);
    return NULL;
}

PyMethodDef py_model_arrays[] = {
    {"model_dense", model_dense, METH_VARARGS, "model_dense(model, words, out, add): filled"},
    {"model_row_starts", model_row_starts, METH_VARARGS,
     "model_row_starts(model, words, indptr): fills indptr"},
    {"model_rows", model_rows, METH_VARARGS, "model_rows(model, words, n, indices, data): filled"},
    {"model_bytes", model_bytes, METH_VARARGS, "model_bytes(model, what) -> bytes"},
    {NULL, NULL, 0, NULL}};
