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

/* The characters before each byte, counted on the way: places ascend. */
typedef struct counter {
    const char *text;
    uint64_t at;
    Py_ssize_t characters;
} counter;

static Py_ssize_t characters_before(counter *c, uint64_t byte)
{
    for (; c->at < byte; c->at++)
        c->characters += ((unsigned char)c->text[c->at] & 0xc0) != 0x80;
    return c->characters;
}

static PyObject *places_of(const ezlda_corpus *corpus, const ezlda_doc_text *text)
{
    PyObject *list = PyList_New(0);
    counter begin = {text->text, 0, 0};
    for (size_t i = 0; list && i < text->n_places; i++) {
        const ezlda_text_place *place = &text->places[i];
        Py_ssize_t first = characters_before(&begin, place->at);
        counter end = begin;
        PyObject *one =
            Py_BuildValue("(nns)", first, characters_before(&end, place->at + place->bytes),
                          ezlda_corpus_word(corpus, place->word));
        if (!one || PyList_Append(list, one) < 0)
            Py_CLEAR(list);
        Py_XDECREF(one);
    }
    return list;
}

static PyObject *corpus_text(PyObject *module, PyObject *args)
{
    PyObject *context, *object, *found = NULL;
    unsigned long long number;
    ezlda_corpus *corpus;
    ezlda_doc_text *text = NULL;
    py_call call;
    if (!PyArg_ParseTuple(args, "OOK", &context, &object, &number) ||
        !(corpus = py_corpus_of(module, object)) || py_call_begin(&call, module, context) < 0)
        return NULL;
    PyThreadState *thread = PyEval_SaveThread();
    ezlda_status status = ezlda_corpus_doc_text(&text, call.context, corpus, number);
    PyEval_RestoreThread(thread);
    if (py_call_end(&call, status) == 0 && text) {
        PyObject *places = places_of(corpus, text);
        if (places)
            found = Py_BuildValue("(s#N)", text->text, (Py_ssize_t)text->bytes, places);
    }
    ezlda_doc_text_free(text);
    return found;
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
    {"corpus_text", corpus_text, METH_VARARGS,
     "corpus_text(context, corpus, number) -> (text, [(start, end, word)])"},
    {"model_word_topics", model_word_topics, METH_VARARGS,
     "model_word_topics(model, word) -> [(topic, probability)]"},
    {NULL, NULL, 0, NULL}};
