/* Samples of the posterior, effects of fields, and trends. */
#include "py_ezlda.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define SAMPLING(field, kind)                                       \
    {                                                               \
#field, kind, offsetof(ezlda_sampling_options, field), NULL \
    }
static const py_option sampling_options[] = {SAMPLING(samples, PY_U32),
                                             SAMPLING(thin, PY_U32),
                                             SAMPLING(burn_in, PY_U32),
                                             SAMPLING(seed, PY_U64),
                                             {NULL, PY_U32, 0, NULL}};

static int interrupted(const ezlda_sampling_progress *progress, void *user)
{
    (void)progress;
    return py_call_interrupted(user);
}

/* What the calls of this file have in common. */
typedef struct sampling_call {
    py_call call;
    ezlda_sampling_options sampling;
    ezlda_model *model;
    ezlda_corpus *corpus;
    uint32_t *topics; /* freed by `end`; NULL: all */
    size_t n_topics;
} sampling_call;

static int read_topics(sampling_call *c, PyObject *topics)
{
    PyObject *list = topics == Py_None ? NULL : PySequence_List(topics);
    if (topics != Py_None && !list)
        return -1;
    Py_ssize_t n = list ? PyList_Size(list) : 0;
    if (list && !(c->topics = calloc((size_t)n + 1, sizeof *c->topics))) {
        Py_DECREF(list);
        PyErr_NoMemory();
        return -1;
    }
    for (Py_ssize_t i = 0; i < n; i++)
        if (py_u32(PyList_GetItem(list, i), "topics", &c->topics[i]) < 0)
            n = -1;
    Py_XDECREF(list);
    c->n_topics = n < 0 ? 0 : (size_t)n;
    return n < 0 ? -1 : 0;
}

static int begin(sampling_call *c, PyObject *module, PyObject *context, PyObject *model,
                 PyObject *corpus, PyObject *topics, PyObject *options)
{
    memset(c, 0, sizeof *c);
    ezlda_sampling_options_init(&c->sampling);
    if (!(c->model = py_model_of(module, model)) || !(c->corpus = py_corpus_of(module, corpus)) ||
        py_options_read(options, sampling_options, &c->sampling) < 0 ||
        read_topics(c, topics) < 0 || py_call_begin(&c->call, module, context) < 0) {
        free(c->topics);
        return -1;
    }
    c->sampling.progress = interrupted;
    c->sampling.user = &c->call;
    return 0;
}

/* ---- words ---- */

static PyObject *words_list(const ezlda_model *model, const ezlda_group_word *word, size_t n)
{
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < n; i++) {
        PyObject *d = PyDict_New();
        if (!d || py_set_text(d, "word", ezlda_model_word(model, word[i].word)) < 0 ||
            py_set_f64(d, "tokens", word[i].tokens) < 0 ||
            py_set_f64(d, "log_odds", word[i].log_odds) < 0 ||
            py_set_f64(d, "error", word[i].error) < 0 || PyList_Append(list, d) < 0)
            Py_CLEAR(list);
        Py_XDECREF(d);
    }
    return list;
}

static PyObject *share_dict(const ezlda_share *share)
{
    PyObject *d = PyDict_New();
    if (d &&
        (py_set(d, "x", share->text ? py_text(share->text) : PyFloat_FromDouble(share->x)) < 0 ||
         py_set_u64(d, "docs", share->docs) < 0 || py_set_f64(d, "share", share->share) < 0 ||
         py_set_f64(d, "error", share->error) < 0 || py_set_f64(d, "low", share->low) < 0 ||
         py_set_f64(d, "high", share->high) < 0))
        Py_CLEAR(d);
    return d;
}

/* ---- effects ---- */

enum {
    MOST_WORDS = 1000,
    MOST_POINTS = 320 /* a category has at most 301 values */,
    CURVE_POINTS = 41
};

typedef struct effect_call {
    ezlda_effect *effect;
    const ezlda_model *model;
    double level;
    uint32_t words;
} effect_call;

static PyObject *coefficients(const effect_call *e, uint32_t topic)
{
    ezlda_coefficient c;
    PyObject *list = PyList_New(0);
    for (uint32_t j = 0; list && ezlda_effect_coefficient(&c, e->effect, topic, j, e->level); j++) {
        PyObject *d = PyDict_New();
        if (!d || py_set_u64(d, "topic", topic) < 0 ||
            py_set_text(d, "term", ezlda_effect_column(e->effect, j)) < 0 ||
            py_set_f64(d, "estimate", c.estimate) < 0 || py_set_f64(d, "error", c.error) < 0 ||
            py_set_f64(d, "df", c.df) < 0 || py_set_f64(d, "t", c.t) < 0 ||
            py_set_f64(d, "p", c.p) < 0 || py_set_f64(d, "low", c.low) < 0 ||
            py_set_f64(d, "high", c.high) < 0 || PyList_Append(list, d) < 0)
            Py_CLEAR(list);
        Py_XDECREF(d);
    }
    return list;
}

static PyObject *terms(const effect_call *e, uint32_t topic)
{
    double p;
    const char *name;
    PyObject *d = PyDict_New();
    for (uint32_t t = 0; d && (name = ezlda_effect_term(e->effect, topic, t, &p)); t++)
        if (py_set_f64(d, name, p) < 0)
            Py_CLEAR(d);
    return d;
}

static PyObject *curves(const effect_call *e, uint32_t topic)
{
    ezlda_share point[MOST_POINTS];
    const char *field;
    PyObject *d = PyDict_New();
    for (uint32_t f = 0; d && (field = ezlda_effect_field(e->effect, f)); f++) {
        size_t n = 0;
        PyObject *list = PyList_New(0);
        if (ezlda_effect_curve(point, MOST_POINTS, &n, NULL, e->effect, field, topic, e->level) ==
                EZLDA_OK &&
            n > 0 && !point[0].text)
            (void)ezlda_effect_curve(point, CURVE_POINTS, &n, NULL, e->effect, field, topic,
                                     e->level);
        for (size_t i = 0; list && i < n; i++) {
            PyObject *share = share_dict(&point[i]);
            if (!share || PyList_Append(list, share) < 0)
                Py_CLEAR(list);
            Py_XDECREF(share);
        }
        if (py_set(d, field, list) < 0)
            Py_CLEAR(d);
    }
    return d;
}

static PyObject *group_words(const effect_call *e, uint32_t topic)
{
    ezlda_group_word word[MOST_WORDS];
    const char *group;
    PyObject *d = PyDict_New();
    for (uint32_t g = 0; d && (group = ezlda_effect_group(e->effect, g)); g++) {
        size_t n = 0;
        (void)ezlda_effect_words(word, e->words, &n, NULL, e->effect, topic, g);
        if (py_set(d, group, words_list(e->model, word, n)) < 0)
            Py_CLEAR(d);
    }
    return d;
}

static PyObject *effect_result(const effect_call *e)
{
    ezlda_effect_info info = {.size = sizeof info};
    PyObject *d = PyDict_New(), *topics = PyList_New(0);
    ezlda_effect_get_info(e->effect, &info);
    for (size_t i = 0; topics && i < info.topics; i++) {
        uint32_t topic = ezlda_effect_topic(e->effect, i);
        PyObject *one = PyDict_New();
        if (!one || py_set_u64(one, "topic", topic) < 0 ||
            py_set(one, "coefficients", coefficients(e, topic)) < 0 ||
            py_set(one, "terms", terms(e, topic)) < 0 ||
            py_set(one, "curves", curves(e, topic)) < 0 ||
            py_set(one, "words", group_words(e, topic)) < 0 || PyList_Append(topics, one) < 0)
            Py_CLEAR(topics);
        Py_XDECREF(one);
    }
    if (d && py_set_u64(d, "docs", info.docs) == 0 && py_set_u64(d, "missing", info.missing) == 0 &&
        py_set_u64(d, "samples", info.samples) == 0 && py_set_f64(d, "level", e->level) == 0 &&
        py_set(d, "training_corpus", PyBool_FromLong(info.training_corpus)) == 0 &&
        py_set(d, "topics", topics) == 0)
        return d;
    Py_XDECREF(d);
    return NULL;
}

static int check_level(double level, uint32_t words)
{
    if (level > 0 && level < 1 && words <= MOST_WORDS)
        return 0;
    PyErr_SetString(PyExc_ValueError,
                    "level: expected a number between 0 and 1; words: at most 1000");
    return -1;
}

static PyObject *effect(PyObject *module, PyObject *args)
{
    PyObject *context, *model, *corpus, *topics, *dictionary;
    const char *formula, *words_field, *plot, *plot_field;
    ezlda_effect_options options;
    effect_call e = {0};
    sampling_call c;
    if (!PyArg_ParseTuple(args, "OOOsOzdIzzO", &context, &model, &corpus, &formula, &topics,
                          &words_field, &e.level, &e.words, &plot, &plot_field, &dictionary) ||
        check_level(e.level, e.words) < 0 ||
        begin(&c, module, context, model, corpus, topics, dictionary) < 0)
        return NULL;
    ezlda_effect_options_init(&options);
    options.formula = formula;
    options.topics = c.topics;
    options.n_topics = c.n_topics;
    options.words_field = words_field;
    options.sampling = &c.sampling;
    PyThreadState *thread = PyEval_SaveThread();
    ezlda_status status =
        ezlda_effect_estimate(&e.effect, c.call.context, c.model, c.corpus, &options);
    if (status == EZLDA_OK && plot)
        status = ezlda_effect_write_svg(c.call.context, e.effect,
                                        plot_field ? plot_field : ezlda_effect_field(e.effect, 0),
                                        e.level, plot);
    PyEval_RestoreThread(thread);
    e.model = c.model;
    PyObject *result = py_call_end(&c.call, status) < 0 ? NULL : effect_result(&e);
    ezlda_effect_free(e.effect);
    free(c.topics);
    return result;
}

/* ---- trends ---- */

static PyObject *periods(const ezlda_trend *trend, const ezlda_model *model, uint32_t topic,
                         double level, uint32_t words)
{
    ezlda_group_word word[MOST_WORDS];
    ezlda_share share;
    PyObject *list = PyList_New(0);
    for (uint32_t t = 0; list && ezlda_trend_share(&share, trend, topic, t, level); t++) {
        size_t n = 0;
        PyObject *d = share_dict(&share);
        (void)ezlda_trend_words(word, words, &n, NULL, trend, topic, t);
        if (!d || py_set(d, "words", words_list(model, word, n)) < 0 || PyList_Append(list, d) < 0)
            Py_CLEAR(list);
        Py_XDECREF(d);
    }
    return list;
}

static PyObject *bursts(const ezlda_trend *trend)
{
    ezlda_burst burst;
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && ezlda_trend_burst(&burst, trend, i); i++) {
        PyObject *item = Py_BuildValue("IIId", burst.topic, burst.first, burst.last, burst.weight);
        if (!item || PyList_Append(list, item) < 0)
            Py_CLEAR(list);
        Py_XDECREF(item);
    }
    return list;
}

static PyObject *trend_result(const ezlda_trend *trend, const ezlda_model *model, double level,
                              uint32_t words)
{
    ezlda_trend_info info = {.size = sizeof info};
    PyObject *d = PyDict_New(), *topics = PyList_New(0);
    ezlda_trend_get_info(trend, &info);
    for (size_t i = 0; topics && i < info.topics; i++) {
        uint32_t topic = ezlda_trend_topic(trend, i);
        PyObject *one = PyDict_New();
        if (!one || py_set_u64(one, "topic", topic) < 0 ||
            py_set(one, "periods", periods(trend, model, topic, level, words)) < 0 ||
            PyList_Append(topics, one) < 0)
            Py_CLEAR(topics);
        Py_XDECREF(one);
    }
    if (d && py_set_u64(d, "docs", info.docs) == 0 && py_set_u64(d, "missing", info.missing) == 0 &&
        py_set_u64(d, "samples", info.samples) == 0 && py_set_text(d, "step", info.step) == 0 &&
        py_set_f64(d, "level", level) == 0 && py_set(d, "bursts", bursts(trend)) == 0 &&
        py_set(d, "topics", topics) == 0)
        return d;
    Py_XDECREF(d);
    return NULL;
}

static PyObject *trend(PyObject *module, PyObject *args)
{
    PyObject *context, *model, *corpus, *topics, *dictionary;
    ezlda_trend_options options;
    ezlda_trend *found = NULL;
    const char *plot;
    double level;
    unsigned words;
    sampling_call c;
    ezlda_trend_options_init(&options);
    if (!PyArg_ParseTuple(args, "OOOszOdIzO", &context, &model, &corpus, &options.field,
                          &options.step, &topics, &level, &words, &plot, &dictionary) ||
        check_level(level, words) < 0 ||
        begin(&c, module, context, model, corpus, topics, dictionary) < 0)
        return NULL;
    options.topics = c.topics;
    options.n_topics = c.n_topics;
    options.sampling = &c.sampling;
    PyThreadState *thread = PyEval_SaveThread();
    ezlda_status status = ezlda_trend_estimate(&found, c.call.context, c.model, c.corpus, &options);
    if (status == EZLDA_OK && plot)
        status = ezlda_trend_write_svg(c.call.context, found, level, plot);
    PyEval_RestoreThread(thread);
    PyObject *result =
        py_call_end(&c.call, status) < 0 ? NULL : trend_result(found, c.model, level, words);
    ezlda_trend_free(found);
    free(c.topics);
    return result;
}

/* ---- samples ---- */

static PyObject *model_with_samples(PyObject *module, PyObject *args)
{
    PyObject *context, *model, *corpus, *dictionary;
    ezlda_samples *samples = NULL;
    ezlda_model *with = NULL;
    sampling_call c;
    if (!PyArg_ParseTuple(args, "OOOO", &context, &model, &corpus, &dictionary) ||
        begin(&c, module, context, model, corpus, Py_None, dictionary) < 0)
        return NULL;
    PyThreadState *thread = PyEval_SaveThread();
    ezlda_status status =
        ezlda_samples_draw(&samples, c.call.context, c.model, c.corpus, &c.sampling);
    if (status == EZLDA_OK)
        status = ezlda_model_with_samples(&with, c.call.context, c.model, samples);
    ezlda_samples_free(samples);
    PyEval_RestoreThread(thread);
    return py_call_end(&c.call, status) < 0 ? NULL : py_model_new(module, with);
}

/* The number of samples that a model keeps. */
static PyObject *model_samples(PyObject *module, PyObject *object)
{
    ezlda_model *model = py_model_of(module, object);
    ezlda_samples_info info = {.size = sizeof info};
    if (!model)
        return NULL;
    if (ezlda_model_samples(model))
        ezlda_samples_get_info(ezlda_model_samples(model), &info);
    return PyLong_FromUnsignedLong(info.samples);
}

/* Fills an array of samples x documents x topics. */
static PyObject *model_sample_counts(PyObject *module, PyObject *args)
{
    PyObject *object, *array;
    Py_buffer out;
    ezlda_model *model;
    if (!PyArg_ParseTuple(args, "OO", &object, &array) || !(model = py_model_of(module, object)))
        return NULL;
    const ezlda_samples *samples = ezlda_model_samples(model);
    ezlda_samples_info info = {.size = sizeof info};
    if (samples)
        ezlda_samples_get_info(samples, &info);
    size_t cells = (size_t)info.samples * (size_t)info.docs * info.topics;
    if (py_output(array, &out, cells, "I", "out") < 0)
        return NULL;
    uint32_t *row = out.buf, *topic = calloc((size_t)info.topics + 1, 2 * sizeof *topic);
    uint32_t *count = topic ? topic + info.topics : NULL;
    for (uint32_t s = 0; topic && s < info.samples; s++)
        for (uint64_t d = 0; d < info.docs; d++, row += info.topics) {
            size_t n = ezlda_samples_doc_topics(samples, s, d, topic, count, info.topics);
            memset(row, 0, info.topics * sizeof *row);
            for (size_t i = 0; i < n; i++)
                row[topic[i]] = count[i];
        }
    PyBuffer_Release(&out);
    if (!topic)
        return PyErr_NoMemory();
    free(topic);
    Py_RETURN_NONE;
}

/* Fills an array of documents x topics x (mean, low, high) for these documents. */
static PyObject *model_intervals(PyObject *module, PyObject *args)
{
    PyObject *context, *object, *list, *array;
    double level;
    Py_buffer out;
    ezlda_model *model;
    py_call call;
    if (!PyArg_ParseTuple(args, "OOOdO", &context, &object, &list, &level, &array) ||
        !(model = py_model_of(module, object)) || check_level(level, 0) < 0)
        return NULL;
    ezlda_model_info info = {.size = sizeof info};
    ezlda_model_get_info(model, &info);
    Py_ssize_t n = PyList_Size(list);
    if (n < 0 || py_output(array, &out, (size_t)n * info.topics * 3, "d", "out") < 0)
        return NULL;
    if (py_call_begin(&call, module, context) < 0) {
        PyBuffer_Release(&out);
        return NULL;
    }
    double *at = out.buf;
    ezlda_status status = EZLDA_OK;
    uint64_t doc = 0;
    for (Py_ssize_t i = 0; i < n && status == EZLDA_OK; i++) {
        if (py_u64(PyList_GetItem(list, i), "docs", &doc) < 0) {
            py_call_keep_error(&call);
            status = EZLDA_ERROR_STOPPED;
            break;
        }
        PyThreadState *thread = PyEval_SaveThread();
        for (uint32_t k = 0; k < info.topics && status == EZLDA_OK; k++, at += 3)
            status = ezlda_samples_share(&at[0], &at[1], &at[2], call.context, model,
                                         ezlda_model_samples(model), doc, k, level);
        PyEval_RestoreThread(thread);
    }
    PyBuffer_Release(&out);
    if (py_call_end(&call, status) < 0)
        return NULL;
    Py_RETURN_NONE;
}

PyMethodDef py_effect_functions[] = {
    {"effect", effect, METH_VARARGS,
     "effect(context, model, corpus, formula, topics, words_field, level, words, plot, plot_field, "
     "options) -> dict"},
    {"trend", trend, METH_VARARGS,
     "trend(context, model, corpus, by, step, topics, level, words, plot, options) -> dict"},
    {"model_with_samples", model_with_samples, METH_VARARGS,
     "model_with_samples(context, model, corpus, options) -> model"},
    {"model_samples", model_samples, METH_O, "model_samples(model) -> int"},
    {"model_sample_counts", model_sample_counts, METH_VARARGS, "model_sample_counts(model, out)"},
    {"model_intervals", model_intervals, METH_VARARGS,
     "model_intervals(context, model, docs, level, out)"},
    {NULL, NULL, 0, NULL}};
