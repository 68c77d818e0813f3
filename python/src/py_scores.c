/* Scores a model on a corpus, and compares two models. */
#include "py_ezlda.h"

#include <stddef.h>

#define EVAL(field, kind)                                       \
    {                                                           \
#field, kind, offsetof(ezlda_eval_options, field), NULL \
    }
const py_option py_eval_options[] = {
    EVAL(measures, PY_U32),      EVAL(seed, PY_U64),           EVAL(iterations, PY_U32),
    EVAL(samples, PY_U32),       EVAL(thin, PY_U32),           EVAL(particles, PY_U32),
    EVAL(resample, PY_U32),      EVAL(docs, PY_U64),           EVAL(words, PY_U32),
    EVAL(npmi_window, PY_U32),   EVAL(c_v_window, PY_U32),     EVAL(device, PY_TEXT),
    EVAL(device_memory, PY_U64), EVAL(whole_windows, PY_FLAG), EVAL(doc_tokens, PY_U64),
    {NULL, PY_U32, 0, NULL}};

int py_perplexity(PyObject *dictionary, const char *name, const ezlda_perplexity *p)
{
    if (p->docs == 0)
        return py_set(dictionary, name, Py_BuildValue(""));
    PyObject *d = PyDict_New();
    if (d && (py_set_u64(d, "docs", p->docs) < 0 || py_set_u64(d, "tokens", p->tokens) < 0 ||
              py_set_f64(d, "log_likelihood", p->log_likelihood) < 0 ||
              py_set_f64(d, "perplexity", p->perplexity) < 0 ||
              py_set_f64(d, "error", p->error) < 0 || py_set_f64(d, "unigram", p->unigram) < 0 ||
              py_set_f64(d, "unigram_error", p->unigram_error) < 0 ||
              py_set_f64(d, "seconds", p->seconds) < 0))
        Py_CLEAR(d);
    return py_set(dictionary, name, d);
}

static int interrupted(const ezlda_eval_progress *progress, void *user)
{
    (void)progress;
    return py_call_interrupted(user);
}

static PyObject *topic_scores(const ezlda_scores *scores, uint32_t topics)
{
    PyObject *list = PyList_New(0);
    ezlda_topic_scores one = {.size = sizeof one};
    for (uint32_t k = 0; list && k < topics && ezlda_scores_topic(scores, k, &one); k++) {
        PyObject *d = PyDict_New();
        if (!d || py_set_u64(d, "topic", k) < 0 || py_set_f64(d, "u_mass", one.u_mass) < 0 ||
            py_set_f64(d, "npmi", one.npmi) < 0 || py_set_f64(d, "c_v", one.c_v) < 0 ||
            py_set_f64(d, "exclusivity", one.exclusivity) < 0 ||
            py_set_u64(d, "words", one.words) < 0 || py_set_u64(d, "left_out", one.missing) < 0 ||
            PyList_Append(list, d) < 0)
            Py_CLEAR(list);
        Py_XDECREF(d);
    }
    return list;
}

static PyObject *scores_result(const ezlda_scores *scores)
{
    ezlda_scores_info info = {.size = sizeof info};
    PyObject *d = PyDict_New();
    ezlda_scores_get_info(scores, &info);
    if (d && py_set(d, "training_corpus", PyBool_FromLong(info.training_corpus)) == 0 &&
        py_set_u64(d, "docs", info.docs) == 0 && py_set_u64(d, "tokens", info.tokens) == 0 &&
        py_set_u64(d, "unseen_tokens", info.unseen_tokens) == 0 &&
        py_set_u64(d, "unknown_tokens", info.unknown_tokens) == 0 &&
        py_set_u64(d, "words", info.words) == 0 &&
        py_set_u64(d, "unknown_words", info.unknown_words) == 0 &&
        py_set_f64(d, "llpt", info.llpt) == 0 &&
        py_perplexity(d, "completion", &info.completion) == 0 &&
        py_perplexity(d, "left_to_right", &info.left_to_right) == 0 &&
        py_set_f64(d, "u_mass", info.u_mass) == 0 && py_set_f64(d, "npmi", info.npmi) == 0 &&
        py_set_f64(d, "c_v", info.c_v) == 0 && py_set_f64(d, "diversity", info.diversity) == 0 &&
        py_set_f64(d, "exclusivity", info.exclusivity) == 0 &&
        py_set_u64(d, "npmi_window", info.npmi_window) == 0 &&
        py_set_u64(d, "c_v_window", info.c_v_window) == 0 &&
        py_set_u64(d, "topics_without", info.topics_without) == 0 &&
        py_set_text(d, "device", info.device) == 0 &&
        py_set(d, "topics", topic_scores(scores, info.topics)) == 0)
        return d;
    Py_XDECREF(d);
    return NULL;
}

static PyObject *evaluate(PyObject *module, PyObject *args)
{
    PyObject *context, *model_object, *corpus_object, *dictionary;
    ezlda_eval_options options;
    ezlda_scores *scores = NULL;
    ezlda_model *model;
    ezlda_corpus *corpus;
    ezlda_status status;
    py_call call;
    if (!PyArg_ParseTuple(args, "OOOO", &context, &model_object, &corpus_object, &dictionary))
        return NULL;
    ezlda_eval_options_init(&options);
    if (!(model = py_model_of(module, model_object)) ||
        !(corpus = py_corpus_of(module, corpus_object)) ||
        py_options_read(dictionary, py_eval_options, &options) < 0 ||
        py_call_begin(&call, module, context) < 0)
        return NULL;
    options.progress = interrupted;
    options.user = &call;
    PyThreadState *thread = PyEval_SaveThread();
    status = ezlda_evaluate(&scores, call.context, model, corpus, &options);
    PyEval_RestoreThread(thread);
    PyObject *result = py_call_end(&call, status) < 0 ? NULL : scores_result(scores);
    ezlda_scores_free(scores);
    return result;
}

/* ---- two models ---- */

static PyObject *pairs_of(const ezlda_match *match, uint32_t n)
{
    const ezlda_topic_pair *pair = ezlda_match_pairs(match);
    PyObject *list = PyList_New((Py_ssize_t)n);
    for (uint32_t i = 0; list && i < n; i++) {
        PyObject *item = Py_BuildValue("IIdId", pair[i].a, pair[i].b, pair[i].similarity,
                                       pair[i].shared_words, pair[i].jaccard);
        if (!item || PyList_SetItem(list, (Py_ssize_t)i, item) < 0)
            Py_CLEAR(list);
    }
    return list;
}

static PyObject *alone_of(const ezlda_match *match, ezlda_match_side side, uint32_t n)
{
    const ezlda_lone_topic *lone = ezlda_match_alone(match, side);
    PyObject *list = PyList_New((Py_ssize_t)n);
    for (uint32_t i = 0; list && i < n; i++) {
        PyObject *item = Py_BuildValue("IId", lone[i].topic, lone[i].nearest, lone[i].similarity);
        if (!item || PyList_SetItem(list, (Py_ssize_t)i, item) < 0)
            Py_CLEAR(list);
    }
    return list;
}

static PyObject *match_result(const ezlda_match *match)
{
    ezlda_match_info info = {.size = sizeof info};
    PyObject *d = PyDict_New();
    ezlda_match_get_info(match, &info);
    if (d && py_set_u64(d, "topics_a", info.topics_a) == 0 &&
        py_set_u64(d, "topics_b", info.topics_b) == 0 &&
        py_set_f64(d, "mean_similarity", info.mean_similarity) == 0 &&
        py_set_u64(d, "words_common", info.words_common) == 0 &&
        py_set_u64(d, "words_only_a", info.words_only_a) == 0 &&
        py_set_u64(d, "words_only_b", info.words_only_b) == 0 &&
        py_set(d, "pairs", pairs_of(match, info.pairs)) == 0 &&
        py_set(d, "alone_a", alone_of(match, EZLDA_OF_A, info.alone_a)) == 0 &&
        py_set(d, "alone_b", alone_of(match, EZLDA_OF_B, info.alone_b)) == 0)
        return d;
    Py_XDECREF(d);
    return NULL;
}

static PyObject *models_match(PyObject *module, PyObject *args)
{
    PyObject *context, *first, *second, *words;
    ezlda_match_options options;
    ezlda_match *match = NULL;
    ezlda_model *a, *b;
    ezlda_status status;
    py_call call;
    ezlda_match_options_init(&options);
    if (!PyArg_ParseTuple(args, "OOOdO", &context, &first, &second, &options.threshold, &words) ||
        py_u32(words, "words", &options.words) < 0 || !(a = py_model_of(module, first)) ||
        !(b = py_model_of(module, second)) || py_call_begin(&call, module, context) < 0)
        return NULL;
    PyThreadState *thread = PyEval_SaveThread();
    status = ezlda_model_match(&match, call.context, a, b, &options);
    PyEval_RestoreThread(thread);
    PyObject *result = py_call_end(&call, status) < 0 ? NULL : match_result(match);
    ezlda_match_free(match);
    return result;
}

PyMethodDef py_score_functions[] = {
    {"evaluate", evaluate, METH_VARARGS, "evaluate(context, model, corpus, options) -> dict"},
    {"models_match", models_match, METH_VARARGS,
     "models_match(context, a, b, threshold, words) -> dict"},
    {NULL, NULL, 0, NULL}};
