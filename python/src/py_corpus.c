/* Functions of corpora: read files, draw a synthetic corpus, split, save, and return facts, words
 * and fields. */
#include "py_ezlda.h"

#include <stddef.h>

#define IMPORT(field, kind)                                       \
    {                                                             \
#field, kind, offsetof(ezlda_import_options, field), NULL \
    }
const py_option py_import_options[] = {
    IMPORT(format, PY_TEXT),       IMPORT(encoding, PY_TEXT),
    IMPORT(vocab, PY_TEXT),        IMPORT(text_field, PY_TEXT),
    IMPORT(name_field, PY_TEXT),   IMPORT(label_field, PY_TEXT),
    IMPORT(keep_fields, PY_TEXT),  IMPORT(stopwords, PY_TEXT),
    IMPORT(stemmer, PY_TEXT),      IMPORT(stem_below, PY_U32),
    IMPORT(min_length, PY_U32),    IMPORT(ngrams, PY_U32),
    IMPORT(min_docs, PY_U64),      IMPORT(max_docs_share, PY_DOUBLE),
    IMPORT(max_vocab, PY_U32),     IMPORT(keep_case, PY_FLAG),
    IMPORT(keep_numbers, PY_FLAG), IMPORT(keep_order, PY_FLAG),
    IMPORT(unit, PY_TEXT),         IMPORT(split, PY_TEXT),
    IMPORT(include, PY_TEXT),      IMPORT(exclude, PY_TEXT),
    IMPORT(tokens, PY_TEXT),       IMPORT(keep_markup, PY_FLAG),
    IMPORT(phrases, PY_TEXT),      IMPORT(like_limits, PY_FLAG),
    IMPORT(lemmas, PY_TEXT),       IMPORT(keep_text, PY_FLAG),
    {NULL, PY_U32, 0, NULL}};

#define SYNTH(field, kind)                                       \
    {                                                            \
#field, kind, offsetof(ezlda_synth_options, field), NULL \
    }
const py_option py_synth_options[] = {SYNTH(docs, PY_U64),           SYNTH(words, PY_U32),
                                      SYNTH(mean_length, PY_DOUBLE), SYNTH(sigma, PY_DOUBLE),
                                      SYNTH(topics, PY_U32),         SYNTH(alpha, PY_DOUBLE),
                                      SYNTH(beta, PY_DOUBLE),        SYNTH(zipf, PY_DOUBLE),
                                      SYNTH(seed, PY_U64),           {NULL, PY_U32, 0, NULL}};

/* Converts paths to bytes objects; the list owns them. */
static const char **paths_of(PyObject *sequence, PyObject **keeper, size_t *n)
{
    const char **path = NULL;
    *keeper = PySequence_List(sequence);
    if (!*keeper)
        return NULL;
    *n = (size_t)PyList_Size(*keeper);
    path = PyMem_Calloc(*n + 1, sizeof *path);
    if (!path)
        PyErr_NoMemory();
    for (size_t i = 0; path && i < *n; i++) {
        PyObject *bytes = NULL;
        if (!PyUnicode_FSConverter(PyList_GetItem(*keeper, (Py_ssize_t)i), &bytes) ||
            PyList_SetItem(*keeper, (Py_ssize_t)i, bytes) < 0 ||
            !(path[i] = PyBytes_AsString(bytes))) {
            PyMem_Free(path);
            path = NULL;
        }
    }
    if (!path)
        Py_CLEAR(*keeper);
    return path;
}

int py_rules_of(PyObject *module, PyObject *object, const ezlda_text_rules **rules)
{
    if (object == Py_None)
        return 0;
    py_state *state = PyModule_GetState(module);
    if (PyObject_TypeCheck(object, state->model_type)) {
        *rules = ezlda_model_reading_rules(py_model_of(module, object));
        return 0;
    }
    const ezlda_corpus *corpus = py_corpus_of(module, object);
    *rules = ezlda_corpus_text_rules(corpus);
    return corpus ? 0 : -1;
}

static PyObject *corpus_read(PyObject *module, PyObject *args)
{
    PyObject *context, *sequence, *dictionary, *like = Py_None, *keeper;
    ezlda_import_options options;
    ezlda_corpus *corpus = NULL;
    ezlda_status status;
    py_call call;
    size_t n;
    if (!PyArg_ParseTuple(args, "OOO|O", &context, &sequence, &dictionary, &like))
        return NULL;
    ezlda_import_options_init(&options);
    if (py_options_read(dictionary, py_import_options, &options) < 0 ||
        py_rules_of(module, like, &options.like) < 0)
        return NULL;
    const char **path = paths_of(sequence, &keeper, &n);
    if (!path)
        return NULL;
    if (py_call_begin(&call, module, context) == 0) {
        PyThreadState *thread = PyEval_SaveThread();
        status = ezlda_corpus_read(&corpus, call.context, path, n, &options);
        PyEval_RestoreThread(thread);
        if (py_call_end(&call, status) < 0)
            corpus = NULL;
    }
    PyMem_Free(path);
    Py_DECREF(keeper);
    return corpus ? py_corpus_new(module, corpus) : NULL;
}

static PyObject *corpus_synth(PyObject *module, PyObject *args)
{
    PyObject *context, *dictionary;
    ezlda_synth_options options;
    ezlda_corpus *corpus = NULL;
    ezlda_status status;
    py_call call;
    if (!PyArg_ParseTuple(args, "OO", &context, &dictionary))
        return NULL;
    ezlda_synth_options_init(&options);
    if (py_options_read(dictionary, py_synth_options, &options) < 0 ||
        py_call_begin(&call, module, context) < 0)
        return NULL;
    PyThreadState *thread = PyEval_SaveThread();
    status = ezlda_corpus_synth(&corpus, call.context, &options);
    PyEval_RestoreThread(thread);
    return py_call_end(&call, status) < 0 ? NULL : py_corpus_new(module, corpus);
}

static PyObject *corpus_split(PyObject *module, PyObject *args)
{
    PyObject *context, *object;
    ezlda_corpus *corpus, *train = NULL, *test = NULL;
    ezlda_status status;
    PyObject *seed_object;
    uint64_t seed;
    double share;
    py_call call;
    if (!PyArg_ParseTuple(args, "OOdO", &context, &object, &share, &seed_object) ||
        py_u64(seed_object, "seed", &seed) < 0 || !(corpus = py_corpus_of(module, object)) ||
        py_call_begin(&call, module, context) < 0)
        return NULL;
    PyThreadState *thread = PyEval_SaveThread();
    status = ezlda_corpus_split(&train, &test, call.context, corpus, share, seed);
    PyEval_RestoreThread(thread);
    if (py_call_end(&call, status) < 0)
        return NULL;
    PyObject *first = py_corpus_new(module, train), *second = py_corpus_new(module, test);
    PyObject *both = first && second ? PyTuple_Pack(2, first, second) : NULL;
    Py_XDECREF(first);
    Py_XDECREF(second);
    return both;
}

static PyObject *corpus_save(PyObject *module, PyObject *args)
{
    PyObject *context, *object, *path = NULL;
    ezlda_corpus *corpus;
    ezlda_status status;
    py_call call;
    if (!PyArg_ParseTuple(args, "OOO&", &context, &object, PyUnicode_FSConverter, &path))
        return NULL;
    if (!(corpus = py_corpus_of(module, object)) || py_call_begin(&call, module, context) < 0) {
        Py_DECREF(path);
        return NULL;
    }
    const char *name = PyBytes_AsString(path);
    PyThreadState *thread = PyEval_SaveThread();
    status = ezlda_corpus_save(call.context, corpus, name);
    PyEval_RestoreThread(thread);
    Py_DECREF(path);
    if (py_call_end(&call, status) < 0)
        return NULL;
    Py_RETURN_NONE;
}

static PyObject *corpus_info(PyObject *module, PyObject *object)
{
    ezlda_corpus *corpus = py_corpus_of(module, object);
    PyObject *d = corpus ? PyDict_New() : NULL;
    if (!d)
        return NULL;
    ezlda_corpus_info info = {.size = sizeof info};
    ezlda_corpus_get_info(corpus, &info);
    if (py_set_u64(d, "docs", info.docs) == 0 &&
        py_set_u64(d, "empty_docs", info.empty_docs) == 0 &&
        py_set_u64(d, "words", info.words) == 0 && py_set_u64(d, "pairs", info.pairs) == 0 &&
        py_set_u64(d, "tokens", info.tokens) == 0 && py_set_u64(d, "longest", info.longest) == 0 &&
        py_set_u64(d, "hash", info.hash) == 0 && py_set_u64(d, "bytes", info.bytes) == 0 &&
        py_set_u64(d, "fields", info.fields) == 0 &&
        py_set(d, "has_order", PyBool_FromLong(info.has_order)) == 0 &&
        py_set(d, "has_text", PyBool_FromLong(info.has_text)) == 0 &&
        py_set(d, "text_read_with", py_rules_text(ezlda_corpus_text_rules(corpus))) == 0)
        return d;
    Py_DECREF(d);
    return NULL;
}

/* Returns a list of n strings. */
static PyObject *list_texts(uint64_t n, const char *(*text)(const void *, uint32_t, uint64_t),
                            const void *of, uint32_t field)
{
    PyObject *list = PyList_New((Py_ssize_t)n);
    for (uint64_t i = 0; list && i < n; i++) {
        PyObject *item = py_text(text(of, field, i));
        if (!item || PyList_SetItem(list, (Py_ssize_t)i, item) < 0)
            Py_CLEAR(list);
    }
    return list;
}

static const char *word_text(const void *corpus, uint32_t field, uint64_t i)
{
    (void)field;
    return ezlda_corpus_word(corpus, (uint32_t)i);
}

static const char *field_name(const void *corpus, uint32_t field, uint64_t i)
{
    (void)field;
    return ezlda_corpus_field(corpus, (uint32_t)i);
}

static const char *field_text(const void *corpus, uint32_t field, uint64_t i)
{
    return ezlda_corpus_field_value(corpus, field, i);
}

static PyObject *corpus_words(PyObject *module, PyObject *object)
{
    ezlda_corpus *corpus = py_corpus_of(module, object);
    ezlda_corpus_info info = {.size = sizeof info};
    if (!corpus)
        return NULL;
    ezlda_corpus_get_info(corpus, &info);
    return list_texts(info.words, word_text, corpus, 0);
}

static PyObject *corpus_fields(PyObject *module, PyObject *object)
{
    ezlda_corpus *corpus = py_corpus_of(module, object);
    ezlda_corpus_info info = {.size = sizeof info};
    if (!corpus)
        return NULL;
    ezlda_corpus_get_info(corpus, &info);
    return list_texts(info.fields, field_name, corpus, 0);
}

static PyObject *corpus_field_values(PyObject *module, PyObject *args)
{
    PyObject *object;
    unsigned field;
    ezlda_corpus *corpus;
    ezlda_corpus_info info = {.size = sizeof info};
    if (!PyArg_ParseTuple(args, "OI", &object, &field) || !(corpus = py_corpus_of(module, object)))
        return NULL;
    ezlda_corpus_get_info(corpus, &info);
    if (field >= info.fields) {
        PyErr_Format(PyExc_IndexError, "field %u of %u", field, info.fields);
        return NULL;
    }
    return list_texts(info.docs, field_text, corpus, field);
}

PyMethodDef py_corpus_functions[] = {
    {"context", py_context_create, METH_VARARGS, "context(threads=0, note=None)"},
    {"corpus_read", corpus_read, METH_VARARGS, "corpus_read(context, paths, options, like=None)"},
    {"corpus_synth", corpus_synth, METH_VARARGS, "corpus_synth(context, options)"},
    {"corpus_split", corpus_split, METH_VARARGS,
     "corpus_split(context, corpus, share, seed) -> train, test"},
    {"corpus_save", corpus_save, METH_VARARGS, "corpus_save(context, corpus, path)"},
    {"corpus_info", corpus_info, METH_O, "corpus_info(corpus) -> dict"},
    {"corpus_words", corpus_words, METH_O, "corpus_words(corpus) -> list"},
    {"corpus_fields", corpus_fields, METH_O, "corpus_fields(corpus) -> list"},
    {"corpus_field_values", corpus_field_values, METH_VARARGS,
     "corpus_field_values(corpus, field) -> list"},
    {NULL, NULL, 0, NULL}};
