/* Trains a model with callbacks into Python, and forecasts a run. */
#include "py_ezlda.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static const char *const estimators[] = {"leave-one-out", "esca", NULL};
static const char *const starts[] = {"keyword", "random", "auto", NULL};
static const char *const samplers[] = {"many-branch", "three-branch", "two-branch", NULL};
static const char *const w_formats[] = {"hybrid", "dense", "sparse", NULL};
static const char *const balances[] = {"split", "dynamic", "none", NULL};

#define TRAIN(field, kind)                                     \
    {                                                          \
#field, kind, offsetof(py_training, train.field), NULL \
    }
#define CHOICE(field, names)                                         \
    {                                                                \
#field, PY_CHOICE, offsetof(py_training, train.field), names \
    }
#define STUDY(field, kind, names)                               \
    {                                                           \
#field, kind, offsetof(py_training, study.field), names \
    }
const py_option py_train_options[] = {TRAIN(topics, PY_U32),
                                      TRAIN(iterations, PY_U32),
                                      TRAIN(seed, PY_U64),
                                      TRAIN(alpha, PY_PRIOR),
                                      TRAIN(beta, PY_PRIOR),
                                      CHOICE(estimator, estimators),
                                      CHOICE(start, starts),
                                      TRAIN(device, PY_TEXT),
                                      STUDY(sampler, PY_CHOICE, samplers),
                                      STUDY(g, PY_INT, NULL),
                                      STUDY(w_format, PY_CHOICE, w_formats),
                                      TRAIN(word_samples, PY_U32),
                                      TRAIN(eval_every, PY_U32),
                                      TRAIN(keep_topics, PY_FLAG),
                                      STUDY(balance, PY_CHOICE, balances),
                                      STUDY(region, PY_U32, NULL),
                                      STUDY(loose_records, PY_FLAG, NULL),
                                      TRAIN(device_memory, PY_U64),
                                      TRAIN(optimize_interval, PY_U32),
                                      TRAIN(optimize_burn_in, PY_U32),
                                      TRAIN(symmetric_alpha, PY_FLAG),
                                      TRAIN(seed_weight, PY_DOUBLE),
                                      TRAIN(converged_gain, PY_DOUBLE),
                                      TRAIN(checkpoint, PY_TEXT),
                                      TRAIN(checkpoint_seconds, PY_DOUBLE),
                                      TRAIN(checkpoint_iterations, PY_U32),
                                      TRAIN(resume, PY_FLAG),
                                      TRAIN(out_of_core, PY_FLAG),
                                      TRAIN(memory, PY_U64),
                                      TRAIN(scratch, PY_TEXT),
                                      {NULL, PY_U32, 0, NULL}};

void py_training_init(py_training *options)
{
    ezlda_train_options_init(&options->train);
    ezlda_study_init(&options->study);
    options->train.study = &options->study;
}

/* ---- seeds and alpha ---- */

typedef struct inputs {
    Py_buffer alpha;
    ezlda_seed *seed;
    PyObject *keeper; /* owns the words of the seeds */
} inputs;

static void inputs_free(inputs *in)
{
    PyMem_Free(in->seed);
    Py_CLEAR(in->keeper);
    PyBuffer_Release(&in->alpha);
}

/* Reads seeds, a sequence of pairs (topic, word). */
static int read_seeds(inputs *in, PyObject *pairs, ezlda_train_options *options)
{
    if (pairs == Py_None)
        return 0;
    if (!(in->keeper = PySequence_List(pairs)))
        return -1;
    Py_ssize_t n = PyList_Size(in->keeper);
    in->seed = PyMem_Calloc((size_t)n + 1, sizeof *in->seed);
    if (!in->seed) {
        PyErr_NoMemory();
        return -1;
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *topic;
        if (!PyArg_ParseTuple(PyList_GetItem(in->keeper, i), "Os", &topic, &in->seed[i].word) ||
            py_u32(topic, "topic of a seed", &in->seed[i].topic) < 0)
            return -1;
    }
    options->seeds = in->seed;
    options->n_seeds = (size_t)n;
    return 0;
}

static int read_alpha(inputs *in, PyObject *vector, ezlda_train_options *options)
{
    if (vector == Py_None)
        return 0;
    if (PyObject_GetBuffer(vector, &in->alpha, PyBUF_FORMAT | PyBUF_C_CONTIGUOUS) < 0)
        return -1;
    if (!in->alpha.format || strcmp(in->alpha.format, "d") != 0 ||
        (size_t)in->alpha.len != options->topics * sizeof(double)) {
        PyErr_Format(PyExc_ValueError, "alpha: expected %u numbers, one for each topic, found %zd",
                     options->topics, in->alpha.itemsize ? in->alpha.len / in->alpha.itemsize : 0);
        return -1;
    }
    options->alpha_vector = in->alpha.buf;
    return 0;
}

/* ---- progress ---- */

/* The run that a progress function is called for: NULL unless it is called just now. Python holds
 * it in a capsule, which may outlive the run. */
typedef struct current_run {
    const ezlda_progress *progress;
    unsigned long thread; /* on which it is called, and the run waits */
} current_run;

static const char CURRENT_RUN[] = "ezlda.run";

static void free_current(PyObject *capsule)
{
    PyMem_Free(PyCapsule_GetPointer(capsule, CURRENT_RUN));
}

static PyObject *new_current(current_run **out)
{
    *out = PyMem_Calloc(1, sizeof **out);
    PyObject *capsule = *out ? PyCapsule_New(*out, CURRENT_RUN, free_current) : PyErr_NoMemory();
    if (!capsule)
        PyMem_Free(*out);
    return capsule;
}

typedef struct watch {
    py_call call;
    current_run *current;
    PyObject *run;      /* the capsule of current */
    PyObject *progress; /* called with the figures of each iteration, or NULL */
    double interval;    /* least seconds between two calls; the last iteration and scored ones are
                           always passed on */
    double last;
    ezlda_progress *record; /* one per iteration */
    size_t n, room;
    bool interrupted; /* by KeyboardInterrupt; the model so far is the result */
} watch;

static void keep_record(watch *w, const ezlda_progress *progress)
{
    if (w->n == w->room) {
        size_t room = w->room ? 2 * w->room : 256;
        ezlda_progress *grown = py_reallocate(w->record, room, sizeof *grown);
        if (!grown)
            return;
        w->record = grown;
        w->room = room;
    }
    w->record[w->n++] = *progress;
}

/* Whether to continue. Needs the GIL. */
static bool call_progress(watch *w, const ezlda_progress *p)
{
    w->current->progress = p;
    w->current->thread = PyThread_get_thread_ident();
    PyObject *result =
        PyObject_CallFunction(w->progress, "OIIKddddd", w->run, p->iteration, p->iterations,
                              (unsigned long long)p->tokens, p->seconds, p->iteration_seconds,
                              p->skipped, p->moved, p->llpt);
    w->current->progress = NULL;
    int stop = result ? PyObject_IsTrue(result) : -1;
    Py_XDECREF(result);
    if (stop < 0)
        py_call_keep_error(&w->call);
    return stop == 0;
}

static int after_iteration(const ezlda_progress *progress, void *user)
{
    watch *w = user;
    bool go_on = !py_call_interrupted(&w->call);
    double now = py_seconds();
    keep_record(w, progress);
    if (go_on && w->progress &&
        (now - w->last >= w->interval || progress->iteration == progress->iterations ||
         progress->llpt < 0)) {
        PyGILState_STATE gil = PyGILState_Ensure();
        go_on = call_progress(w, progress);
        PyGILState_Release(gil);
        w->last = now;
    }
    return go_on ? EZLDA_PROGRESS_CONTINUE : EZLDA_PROGRESS_STOP;
}

/* KeyboardInterrupt ends a run and keeps its model; other exceptions pass. */
static void forgive_interrupt(watch *w)
{
    if (!w->call.type || !PyErr_GivenExceptionMatches(w->call.type, PyExc_KeyboardInterrupt))
        return;
    Py_CLEAR(w->call.type);
    Py_CLEAR(w->call.value);
    Py_CLEAR(w->call.traceback);
    w->interrupted = true;
}

static PyObject *train_result(PyObject *module, watch *w, ezlda_model *model)
{
    PyObject *object = py_model_new(module, model);
    PyObject *records =
        PyBytes_FromStringAndSize((const char *)w->record, (Py_ssize_t)(w->n * sizeof *w->record));
    PyObject *interrupted = PyBool_FromLong(w->interrupted), *all = NULL;
    if (object && records)
        all = PyTuple_Pack(3, object, records, interrupted);
    Py_XDECREF(object);
    Py_XDECREF(records);
    Py_XDECREF(interrupted);
    return all;
}

/* Trains, or updates `past` if there is one, and returns the result. */
static PyObject *run(PyObject *module, PyObject *context, watch *w, const ezlda_corpus *corpus,
                     ezlda_train_options *options, const ezlda_model *past,
                     const ezlda_update_options *update)
{
    ezlda_model *model = NULL;
    ezlda_status status;
    PyObject *result = NULL;
    if (!(w->run = new_current(&w->current)))
        return NULL;
    if (py_call_begin(&w->call, module, context) < 0)
        goto done;
    options->progress = after_iteration;
    options->user = w;
    PyThreadState *thread = PyEval_SaveThread();
    status = past ? ezlda_update(&model, w->call.context, past, corpus, update)
                  : ezlda_train(&model, w->call.context, corpus, options);
    PyEval_RestoreThread(thread);
    if (status == EZLDA_OK)
        forgive_interrupt(w);
    if (py_call_end(&w->call, status) == 0)
        result = train_result(module, w, model);
    else
        ezlda_model_free(model);
    free(w->record);
done:
    Py_CLEAR(w->run);
    return result;
}

static PyObject *train(PyObject *module, PyObject *args)
{
    PyObject *context, *corpus_object, *dictionary, *vector, *pairs, *init_object, *progress;
    py_training all;
    ezlda_train_options *const options = &all.train;
    ezlda_corpus *corpus;
    ezlda_model *init;
    inputs in = {0};
    watch w = {0};
    PyObject *result = NULL;
    if (!PyArg_ParseTuple(args, "OOOOOOOd", &context, &corpus_object, &dictionary, &vector, &pairs,
                          &init_object, &progress, &w.interval))
        return NULL;
    py_training_init(&all);
    if (!(corpus = py_corpus_of(module, corpus_object)) ||
        py_model_or_none(module, init_object, &init) < 0 ||
        py_options_read(dictionary, py_train_options, &all) < 0)
        return NULL;
    options->init = init;
    w.progress = progress == Py_None ? NULL : progress;
    if (read_alpha(&in, vector, options) == 0 && read_seeds(&in, pairs, options) == 0)
        result = run(module, context, &w, corpus, options, NULL, NULL);
    inputs_free(&in);
    return result;
}

static PyObject *update(PyObject *module, PyObject *args)
{
    PyObject *context, *model_object, *corpus_object, *dictionary, *word_docs, *progress;
    py_training all;
    ezlda_update_options options;
    ezlda_corpus *corpus;
    ezlda_model *model;
    watch w = {0};
    ezlda_update_options_init(&options);
    if (!PyArg_ParseTuple(args, "OOOOdOppOd", &context, &model_object, &corpus_object, &dictionary,
                          &options.decay, &word_docs, &options.all_words, &options.fit_priors,
                          &progress, &w.interval))
        return NULL;
    py_training_init(&all);
    options.train = &all.train;
    if (!(model = py_model_of(module, model_object)) ||
        !(corpus = py_corpus_of(module, corpus_object)) ||
        py_u32(word_docs, "new_word_docs", &options.new_word_docs) < 0 ||
        py_options_read(dictionary, py_train_options, &all) < 0)
        return NULL;
    w.progress = progress == Py_None ? NULL : progress;
    return run(module, context, &w, corpus, &all.train, model, &options);
}

static PyObject *train_snapshot(PyObject *module, PyObject *args)
{
    PyObject *context, *capsule;
    ezlda_model *model = NULL;
    py_call call;
    if (!PyArg_ParseTuple(args, "OO", &context, &capsule))
        return NULL;
    const current_run *run = PyCapsule_GetPointer(capsule, CURRENT_RUN);
    if (!run)
        return NULL;
    const ezlda_progress *progress = run->progress;
    if (!progress) {
        PyErr_SetString(PyExc_RuntimeError,
                        "the callback has returned: its model can be had only during the call");
        return NULL;
    }
    if (run->thread != PyThread_get_thread_ident()) {
        PyErr_SetString(PyExc_RuntimeError,
                        "the model so far can be had only in the thread of the callback");
        return NULL;
    }
    if (py_call_begin(&call, module, context) < 0)
        return NULL;
    PyThreadState *thread = PyEval_SaveThread();
    ezlda_status status = ezlda_train_snapshot(&model, call.context, progress);
    PyEval_RestoreThread(thread);
    return py_call_end(&call, status) < 0 ? NULL : py_model_new(module, model);
}

/* ---- plan ---- */

static PyObject *plan_result(const ezlda_plan *plan)
{
    PyObject *d = PyDict_New();
    if (d && py_set_u64(d, "docs", plan->docs) == 0 && py_set_u64(d, "tokens", plan->tokens) == 0 &&
        py_set_u64(d, "words", plan->words) == 0 && py_set_text(d, "device", plan->device) == 0 &&
        py_set_u64(d, "host_bytes", plan->host_bytes) == 0 &&
        py_set_u64(d, "host_available_bytes", plan->host_available_bytes) == 0 &&
        py_set_u64(d, "device_bytes", plan->device_bytes) == 0 &&
        py_set_u64(d, "chunks", plan->chunks) == 0 &&
        py_set_u64(d, "iterations", plan->iterations) == 0 &&
        py_set_f64(d, "seconds_setup", plan->seconds_setup) == 0 &&
        py_set_f64(d, "seconds_iteration", plan->seconds_iteration) == 0 &&
        py_set_f64(d, "seconds_score", plan->seconds_score) == 0 &&
        py_set_f64(d, "seconds_total", plan->seconds_total) == 0 &&
        py_set_u64(d, "tried", plan->tried) == 0 &&
        py_set_u64(d, "sample_tokens", plan->sample_tokens) == 0)
        return d;
    Py_XDECREF(d);
    return NULL;
}

static PyObject *train_plan(PyObject *module, PyObject *args)
{
    PyObject *context, *corpus_object, *dictionary;
    py_training all;
    ezlda_train_options *const options = &all.train;
    ezlda_plan plan = {.size = sizeof plan};
    ezlda_corpus *corpus;
    ezlda_status status;
    double seconds;
    py_call call;
    if (!PyArg_ParseTuple(args, "OOOd", &context, &corpus_object, &dictionary, &seconds))
        return NULL;
    py_training_init(&all);
    if (!(corpus = py_corpus_of(module, corpus_object)) ||
        py_options_read(dictionary, py_train_options, &all) < 0 ||
        py_call_begin(&call, module, context) < 0)
        return NULL;
    PyThreadState *thread = PyEval_SaveThread();
    status = ezlda_train_plan(&plan, call.context, corpus, options, seconds);
    PyEval_RestoreThread(thread);
    return py_call_end(&call, status) < 0 ? NULL : plan_result(&plan);
}

PyMethodDef py_train_functions[] = {
    {"train", train, METH_VARARGS,
     "train(context, corpus, options, alpha, seeds, init, "
     "progress, interval) -> model, records, interrupted"},
    {"update", update, METH_VARARGS,
     "update(context, model, corpus, options, decay, new_word_docs, all_words, fit_priors, "
     "progress, interval) -> model, records, interrupted"},
    {"train_snapshot", train_snapshot, METH_VARARGS, "train_snapshot(context, run) -> model"},
    {"train_plan", train_plan, METH_VARARGS,
     "train_plan(context, corpus, options, seconds) -> dict"},
    {NULL, NULL, 0, NULL}};
