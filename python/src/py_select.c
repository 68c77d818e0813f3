/* Single documents, some documents and several corpora as one; the topics of a word; the names of
 * options. */
#include "py_ezlda.h"

#include <stdlib.h>

static PyObject *corpus_select(PyObject *module, PyObject *args)
{
    PyObject *context, *object, *numbers;
    ezlda_corpus *corpus, *made = NULL;
    Py_buffer docs;
    py_call call;
    if (!PyArg_ParseTuple(args, "OOO", &context, &object, &numbers) ||
        !(corpus = py_corpus_of(module, object)) ||
        PyObject_GetBuffer(numbers, &docs, PyBUF_FORMAT | PyBUF_C_CONTIGUOUS) < 0)
        return NULL;
    bool right = docs.itemsize == (Py_ssize_t)sizeof(uint64_t);
    if (!right)
        PyErr_SetString(PyExc_TypeError, "documents: expected an array of uint64");
    if (right && py_call_begin(&call, module, context) == 0) {
        PyThreadState *thread = PyEval_SaveThread();
        ezlda_status status = ezlda_corpus_select(&made, call.context, corpus, docs.buf,
                                                  (uint64_t)docs.len / sizeof(uint64_t));
        PyEval_RestoreThread(thread);
        if (py_call_end(&call, status) < 0)
            made = NULL;
    }
    PyBuffer_Release(&docs);
    return made ? py_corpus_new(module, made) : NULL;
}

static PyObject *corpus_join(PyObject *module, PyObject *args)
{
    PyObject *context, *objects, *list;
    ezlda_corpus *made = NULL;
    py_call call;
    if (!PyArg_ParseTuple(args, "OO", &context, &objects) || !(list = PySequence_List(objects)))
        return NULL;
    size_t n = (size_t)PyList_Size(list), found = 0;
    const ezlda_corpus **corpora = calloc(n + 1, sizeof *corpora);
    if (!corpora)
        PyErr_NoMemory();
    while (corpora && found < n &&
           (corpora[found] = py_corpus_of(module, PyList_GetItem(list, (Py_ssize_t)found))))
        found++;
    if (corpora && found == n && py_call_begin(&call, module, context) == 0) {
        PyThreadState *thread = PyEval_SaveThread();
        ezlda_status status = ezlda_corpus_join(&made, call.context, corpora, n);
        PyEval_RestoreThread(thread);
        if (py_call_end(&call, status) < 0)
            made = NULL;
    }
    free(corpora);
    Py_DECREF(list);
    return made ? py_corpus_new(module, made) : NULL;
}

static PyObject *words_of(const ezlda_corpus *corpus, const uint32_t *word, const uint32_t *count,
                          size_t n)
{
    PyObject *bag = PyDict_New();
    for (size_t i = 0; bag && i < n; i++)
        if (py_set_u64(bag, ezlda_corpus_word(corpus, word[i]), count[i]) < 0)
            Py_CLEAR(bag);
    return bag;
}

static PyObject *corpus_document(PyObject *module, PyObject *args)
{
    PyObject *object, *bag = NULL;
    unsigned long long number;
    ezlda_corpus *corpus;
    ezlda_corpus_info info = {.size = sizeof info};
    if (!PyArg_ParseTuple(args, "OK", &object, &number) || !(corpus = py_corpus_of(module, object)))
        return NULL;
    ezlda_corpus_get_info(corpus, &info);
    if (number >= info.docs) {
        PyErr_Format(PyExc_IndexError, "document %llu: the corpus has %llu documents", number,
                     (unsigned long long)info.docs);
        return NULL;
    }
    size_t n = ezlda_corpus_document(corpus, number, NULL, NULL, 0);
    uint32_t *word = calloc(n + 1, sizeof *word), *count = calloc(n + 1, sizeof *count);
    if (word && count) {
        ezlda_corpus_document(corpus, number, word, count, n);
        bag = words_of(corpus, word, count, n);
    } else {
        PyErr_NoMemory();
    }
    free(word);
    free(count);
    return bag;
}

/* p(word | topic) of the topics in which the word has tokens. */
static PyObject *model_word_topics(PyObject *module, PyObject *args)
{
    PyObject *object, *list = NULL;
    unsigned number;
    ezlda_model *model;
    ezlda_model_info info = {.size = sizeof info};
    if (!PyArg_ParseTuple(args, "OI", &object, &number) || !(model = py_model_of(module, object)))
        return NULL;
    if (!ezlda_model_word(model, number)) {
        PyErr_Format(PyExc_IndexError, "word %u", number);
        return NULL;
    }
    ezlda_model_get_info(model, &info);
    const uint64_t *sum = ezlda_model_sampled_tokens(model);
    double beta = info.beta * info.word_samples;
    size_t n = ezlda_model_sampled_topics(model, number, NULL, NULL, 0);
    uint32_t *topic = calloc(n + 1, sizeof *topic), *count = calloc(n + 1, sizeof *count);
    if (topic && count) {
        ezlda_model_sampled_topics(model, number, topic, count, n);
        list = PyList_New((Py_ssize_t)n);
    } else {
        PyErr_NoMemory();
    }
    for (size_t i = 0; list && i < n; i++) {
        double p = (count[i] + beta) / ((double)sum[topic[i]] + info.words * beta);
        PyObject *pair = Py_BuildValue("(Id)", topic[i], p);
        if (!pair || PyList_SetItem(list, (Py_ssize_t)i, pair) < 0)
            Py_CLEAR(list);
    }
    free(topic);
    free(count);
    return list;
}

static PyObject *option_names(PyObject *module, PyObject *none)
{
    static const struct {
        const char *call;
        const py_option *table;
    } tables[] = {{"import", py_import_options}, {"synth", py_synth_options},
                  {"train", py_train_options},   {"infer", py_infer_options},
                  {"eval", py_eval_options},     {"report", py_report_options}};
    (void)module;
    (void)none;
    PyObject *d = PyDict_New();
    for (size_t i = 0; d && i < sizeof tables / sizeof *tables; i++)
        if (py_set(d, tables[i].call, py_option_names(tables[i].table)) < 0)
            Py_CLEAR(d);
    return d;
}

PyMethodDef py_select_functions[] = {
    {"option_names", option_names, METH_NOARGS, "option_names() -> {call: names}"},
    {"corpus_select", corpus_select, METH_VARARGS,
     "corpus_select(context, corpus, docs) -> Corpus"},
    {"corpus_join", corpus_join, METH_VARARGS, "corpus_join(context, corpora) -> Corpus"},
    {"corpus_document", corpus_document, METH_VARARGS, "corpus_document(corpus, number) -> dict"},
    {"model_word_topics", model_word_topics, METH_VARARGS,
     "model_word_topics(model, word) -> [(topic, probability)]"},
    {NULL, NULL, 0, NULL}};
