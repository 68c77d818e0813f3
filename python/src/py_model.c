/* Functions of models: load, save, export, rename words, and return facts, words and the top words
 * or documents of a topic. */
#include "py_ezlda.h"

static PyObject *model_load(PyObject *module, PyObject *args)
{
    PyObject *context, *path = NULL;
    ezlda_model *model = NULL;
    ezlda_status status;
    py_call call;
    if (!PyArg_ParseTuple(args, "OO&", &context, PyUnicode_FSConverter, &path))
        return NULL;
    if (py_call_begin(&call, module, context) < 0) {
        Py_DECREF(path);
        return NULL;
    }
    const char *name = PyBytes_AsString(path);
    PyThreadState *thread = PyEval_SaveThread();
    status = ezlda_model_load(&model, call.context, name);
    PyEval_RestoreThread(thread);
    Py_DECREF(path);
    return py_call_end(&call, status) < 0 ? NULL : py_model_new(module, model);
}

static PyObject *model_save(PyObject *module, PyObject *args)
{
    PyObject *context, *object, *path = NULL;
    ezlda_model *model;
    ezlda_status status;
    py_call call;
    if (!PyArg_ParseTuple(args, "OOO&", &context, &object, PyUnicode_FSConverter, &path))
        return NULL;
    if (!(model = py_model_of(module, object)) || py_call_begin(&call, module, context) < 0) {
        Py_DECREF(path);
        return NULL;
    }
    const char *name = PyBytes_AsString(path);
    PyThreadState *thread = PyEval_SaveThread();
    status = ezlda_model_save(call.context, model, name);
    PyEval_RestoreThread(thread);
    Py_DECREF(path);
    if (py_call_end(&call, status) < 0)
        return NULL;
    Py_RETURN_NONE;
}

static PyObject *model_export(PyObject *module, PyObject *args)
{
    PyObject *context, *object, *corpus_object, *words, *path = NULL;
    const char *format;
    ezlda_model *model;
    ezlda_corpus *corpus;
    ezlda_export_options options;
    ezlda_status status;
    py_call call;
    if (!PyArg_ParseTuple(args, "OOsO&OO", &context, &object, &format, PyUnicode_FSConverter, &path,
                          &words, &corpus_object))
        return NULL;
    ezlda_export_options_init(&options);
    if (py_u32(words, "words", &options.words) < 0 || !(model = py_model_of(module, object)) ||
        py_corpus_or_none(module, corpus_object, &corpus) < 0 ||
        py_call_begin(&call, module, context) < 0) {
        Py_DECREF(path);
        return NULL;
    }
    options.corpus = corpus;
    const char *name = PyBytes_AsString(path);
    PyThreadState *thread = PyEval_SaveThread();
    status = ezlda_model_export(call.context, model, format, name, &options);
    PyEval_RestoreThread(thread);
    Py_DECREF(path);
    if (py_call_end(&call, status) < 0)
        return NULL;
    Py_RETURN_NONE;
}

static PyObject *model_from_mallet(PyObject *module, PyObject *args)
{
    PyObject *context, *path = NULL;
    ezlda_model *model = NULL;
    ezlda_corpus *corpus = NULL;
    ezlda_status status;
    py_call call;
    if (!PyArg_ParseTuple(args, "OO&", &context, PyUnicode_FSConverter, &path))
        return NULL;
    if (py_call_begin(&call, module, context) < 0) {
        Py_DECREF(path);
        return NULL;
    }
    const char *name = PyBytes_AsString(path);
    PyThreadState *thread = PyEval_SaveThread();
    status = ezlda_model_from_mallet_state(&model, &corpus, call.context, name);
    PyEval_RestoreThread(thread);
    Py_DECREF(path);
    if (py_call_end(&call, status) < 0)
        return NULL;
    PyObject *first = py_model_new(module, model), *second = py_corpus_new(module, corpus);
    PyObject *both = first && second ? PyTuple_Pack(2, first, second) : NULL;
    Py_XDECREF(first);
    Py_XDECREF(second);
    return both;
}

static PyObject *model_rename_words(PyObject *module, PyObject *args)
{
    PyObject *context, *object, *sequence;
    ezlda_model *model, *renamed = NULL;
    ezlda_status status;
    py_words words = {0};
    py_call call;
    if (!PyArg_ParseTuple(args, "OOO", &context, &object, &sequence) ||
        !(model = py_model_of(module, object)))
        return NULL;
    ezlda_model_info info = {.size = sizeof info};
    ezlda_model_get_info(model, &info);
    if (py_words_take(&words, module, sequence, info.words) == 0 &&
        py_call_begin(&call, module, context) == 0) {
        PyThreadState *thread = PyEval_SaveThread();
        status = ezlda_model_with_words(&renamed, call.context, model, words.word, info.words);
        PyEval_RestoreThread(thread);
        if (py_call_end(&call, status) < 0)
            renamed = NULL;
    }
    py_words_free(&words);
    return renamed ? py_model_new(module, renamed) : NULL;
}

static PyObject *model_with_edits(PyObject *module, PyObject *args)
{
    PyObject *context, *object;
    const char *text;
    ezlda_model *model, *edited = NULL;
    py_call call;
    if (!PyArg_ParseTuple(args, "OOs", &context, &object, &text) ||
        !(model = py_model_of(module, object)) || py_call_begin(&call, module, context) < 0)
        return NULL;
    PyThreadState *thread = PyEval_SaveThread();
    ezlda_status status = ezlda_model_with_edits(&edited, call.context, model, text, NULL);
    PyEval_RestoreThread(thread);
    return py_call_end(&call, status) < 0 ? NULL : py_model_new(module, edited);
}

/* The edits as text, and for each topic its name, its group and whether it is hidden. */
static PyObject *model_edits(PyObject *module, PyObject *object)
{
    ezlda_model *model = py_model_of(module, object);
    PyObject *list = model ? PyList_New(0) : NULL;
    ezlda_model_info info = {.size = sizeof info};
    if (!list)
        return NULL;
    ezlda_model_get_info(model, &info);
    for (uint32_t k = 0; list && k < info.topics; k++) {
        PyObject *item = Py_BuildValue("ssO", ezlda_model_topic_name(model, k),
                                       ezlda_model_topic_group(model, k),
                                       ezlda_model_topic_hidden(model, k) ? Py_True : Py_False);
        if (!item || PyList_Append(list, item) < 0)
            Py_CLEAR(list);
        Py_XDECREF(item);
    }
    return list ? Py_BuildValue("sN", ezlda_model_edits(model), list) : NULL;
}

/* ---- facts ---- */

static PyObject *scores_of(const ezlda_model *model, size_t n)
{
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < n; i++) {
        uint32_t iteration;
        double seconds, llpt;
        if (!ezlda_model_llpt(model, i, &iteration, &seconds, &llpt))
            break;
        PyObject *item = Py_BuildValue("Idd", iteration, seconds, llpt);
        if (!item || PyList_Append(list, item) < 0)
            Py_CLEAR(list);
        Py_XDECREF(item);
    }
    return list;
}

static PyObject *model_info(PyObject *module, PyObject *object)
{
    ezlda_model *model = py_model_of(module, object);
    PyObject *d = model ? PyDict_New() : NULL;
    if (!d)
        return NULL;
    ezlda_model_info info = {.size = sizeof info};
    ezlda_model_get_info(model, &info);
    if (py_set_u64(d, "docs", info.docs) == 0 && py_set_u64(d, "words", info.words) == 0 &&
        py_set_u64(d, "tokens", info.tokens) == 0 && py_set_u64(d, "topics", info.topics) == 0 &&
        py_set_u64(d, "iterations", info.iterations) == 0 &&
        py_set_u64(d, "seed", info.seed) == 0 && py_set_f64(d, "alpha_sum", info.alpha_sum) == 0 &&
        py_set_f64(d, "beta", info.beta) == 0 &&
        py_set_text(d, "estimator", info.estimator == EZLDA_ESCA ? "esca" : "leave-one-out") == 0 &&
        py_set_f64(d, "seconds_sampling", info.seconds_sampling) == 0 &&
        py_set_f64(d, "skipped", info.skipped) == 0 && py_set_f64(d, "moved", info.moved) == 0 &&
        py_set_u64(d, "topics_hash", info.topics_hash) == 0 &&
        py_set_u64(d, "corpus_hash", info.corpus_hash) == 0 &&
        py_set_text(d, "device", info.device) == 0 &&
        py_set_u64(d, "threads", (uint64_t)info.threads) == 0 &&
        py_set(d, "has_topics", PyBool_FromLong(info.has_topics)) == 0 &&
        py_set(d, "text_read_with", py_rules_text(ezlda_model_text_rules(model))) == 0 &&
        py_set_u64(d, "device_memory_peak_bytes", info.device_memory_peak_bytes) == 0 &&
        py_set_f64(d, "seconds_tokens", info.seconds_tokens) == 0 &&
        py_set_f64(d, "seconds_setup", info.seconds_setup) == 0 &&
        py_set_f64(d, "seconds_open", info.seconds_open) == 0 &&
        py_set_f64(d, "seconds_checks", info.seconds_checks) == 0 &&
        py_set_u64(d, "word_samples", info.word_samples) == 0 &&
        py_set_u64(d, "members", info.members) == 0 &&
        py_set_f64(d, "members_threshold", info.members_threshold) == 0 &&
        py_set_u64(d, "updates", info.updates) == 0 &&
        py_set_u64(d, "past_docs", info.past_docs) == 0 &&
        py_set_u64(d, "doc_tokens", info.doc_tokens) == 0 &&
        py_set_u64(d, "chunks", info.chunks) == 0 &&
        py_set_u64(d, "iterations_run", info.iterations_run) == 0 &&
        py_set_text(d, "stopped", info.stopped) == 0 &&
        py_set(d, "llpt", scores_of(model, info.llpt_count)) == 0)
        return d;
    Py_DECREF(d);
    return NULL;
}

static PyObject *list_names(PyObject *module, PyObject *object, bool words)
{
    ezlda_model *model = py_model_of(module, object);
    ezlda_model_info info = {.size = sizeof info};
    if (!model)
        return NULL;
    ezlda_model_get_info(model, &info);
    uint64_t n = words ? info.words : info.docs;
    PyObject *list = PyList_New((Py_ssize_t)n);
    for (uint64_t i = 0; list && i < n; i++) {
        PyObject *item =
            py_text(words ? ezlda_model_word(model, (uint32_t)i) : ezlda_model_doc_name(model, i));
        if (!item || PyList_SetItem(list, (Py_ssize_t)i, item) < 0)
            Py_CLEAR(list);
    }
    return list;
}

static PyObject *model_words(PyObject *module, PyObject *object)
{
    return list_names(module, object, true);
}

static PyObject *model_doc_names(PyObject *module, PyObject *object)
{
    return list_names(module, object, false);
}

static PyObject *model_word(PyObject *module, PyObject *args)
{
    PyObject *object;
    unsigned word;
    ezlda_model *model;
    if (!PyArg_ParseTuple(args, "OI", &object, &word) || !(model = py_model_of(module, object)))
        return NULL;
    const char *text = ezlda_model_word(model, word);
    if (text)
        return py_text(text);
    PyErr_Format(PyExc_IndexError, "word %u", word);
    return NULL;
}

/* ---- first words and documents ---- */

static PyObject *list_scored(const ezlda_scored *scored, size_t n)
{
    PyObject *list = PyList_New((Py_ssize_t)n);
    for (size_t i = 0; list && i < n; i++) {
        PyObject *item = Py_BuildValue("KKdd", (unsigned long long)scored[i].id,
                                       (unsigned long long)scored[i].count, scored[i].probability,
                                       scored[i].score);
        if (!item || PyList_SetItem(list, (Py_ssize_t)i, item) < 0)
            Py_CLEAR(list);
    }
    return list;
}

/* Returns the top n words of a topic in an order, or its top n documents (order -1). */
static PyObject *model_top(PyObject *module, PyObject *args)
{
    PyObject *context, *object, *number;
    uint32_t topic;
    int order;
    double lambda;
    Py_ssize_t n;
    ezlda_model *model;
    ezlda_status status;
    size_t written = 0;
    py_call call;
    if (!PyArg_ParseTuple(args, "OOOidn", &context, &object, &number, &order, &lambda, &n) ||
        py_u32(number, "topic", &topic) < 0 || !(model = py_model_of(module, object)))
        return NULL;
    ezlda_model_info info = {.size = sizeof info};
    ezlda_model_get_info(model, &info);
    uint64_t most = order < 0 ? info.docs : info.words;
    size_t room = n < 0 ? 0 : (uint64_t)n < most ? (size_t)n : (size_t)most;
    ezlda_scored *scored = PyMem_Calloc(room + 1, sizeof *scored);
    if (!scored)
        return PyErr_NoMemory();
    PyObject *list = NULL;
    if (py_call_begin(&call, module, context) == 0) {
        PyThreadState *thread = PyEval_SaveThread();
        status = order < 0
                     ? ezlda_model_top_docs(scored, room, &written, call.context, model, topic)
                     : ezlda_model_top_words(scored, room, &written, call.context, model, topic,
                                             (ezlda_word_order)order, lambda);
        PyEval_RestoreThread(thread);
        if (py_call_end(&call, status) == 0)
            list = list_scored(scored, written);
    }
    PyMem_Free(scored);
    return list;
}

PyMethodDef py_model_functions[] = {
    {"model_load", model_load, METH_VARARGS, "model_load(context, path)"},
    {"model_save", model_save, METH_VARARGS, "model_save(context, model, path)"},
    {"model_export", model_export, METH_VARARGS,
     "model_export(context, model, format, path, words, corpus)"},
    {"model_from_mallet", model_from_mallet, METH_VARARGS,
     "model_from_mallet(context, path) -> model, corpus"},
    {"model_rename_words", model_rename_words, METH_VARARGS,
     "model_rename_words(context, model, words) -> model"},
    {"model_with_edits", model_with_edits, METH_VARARGS,
     "model_with_edits(context, model, text) -> model"},
    {"model_edits", model_edits, METH_O,
     "model_edits(model) -> text, list of (name, group, hidden)"},
    {"model_info", model_info, METH_O, "model_info(model) -> dict"},
    {"model_words", model_words, METH_O, "model_words(model) -> list"},
    {"model_doc_names", model_doc_names, METH_O, "model_doc_names(model) -> list"},
    {"model_word", model_word, METH_VARARGS, "model_word(model, number) -> str"},
    {"model_top", model_top, METH_VARARGS,
     "model_top(context, model, topic, order, lambda, n) -> list"},
    {NULL, NULL, 0, NULL}};
