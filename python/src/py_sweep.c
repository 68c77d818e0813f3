/* Runs a sweep over numbers of topics and seeds, and returns its table. */
#include "py_ezlda.h"

static PyObject *run_result(const ezlda_sweep_run *run)
{
    PyObject *d = PyDict_New();
    if (d && py_set_u64(d, "topics", run->topics) == 0 && py_set_u64(d, "seed", run->seed) == 0 &&
        py_set(d, "done", PyBool_FromLong(run->done)) == 0 &&
        py_set(d, "found", PyBool_FromLong(run->found)) == 0 &&
        py_set_u64(d, "iterations", run->iterations) == 0 &&
        py_set_f64(d, "llpt", run->llpt) == 0 &&
        py_perplexity(d, "completion", &run->completion) == 0 &&
        py_set_f64(d, "u_mass", run->u_mass) == 0 && py_set_f64(d, "npmi", run->npmi) == 0 &&
        py_set_f64(d, "c_v", run->c_v) == 0 && py_set_f64(d, "diversity", run->diversity) == 0 &&
        py_set_f64(d, "exclusivity", run->exclusivity) == 0 &&
        py_set_f64(d, "similarity", run->similarity) == 0 &&
        py_set_f64(d, "seconds", run->seconds) == 0 &&
        py_set_u64(d, "topics_hash", run->topics_hash) == 0)
        return d;
    Py_XDECREF(d);
    return NULL;
}

static PyObject *row_result(const ezlda_sweep_row *row)
{
    PyObject *d = PyDict_New();
    if (d && py_set_u64(d, "topics", row->topics) == 0 && py_set_u64(d, "runs", row->runs) == 0 &&
        py_set_f64(d, "perplexity", row->perplexity) == 0 &&
        py_set_f64(d, "spread", row->spread) == 0 && py_set_f64(d, "error", row->error) == 0 &&
        py_set_f64(d, "unigram", row->unigram) == 0 && py_set_f64(d, "u_mass", row->u_mass) == 0 &&
        py_set_f64(d, "npmi", row->npmi) == 0 && py_set_f64(d, "c_v", row->c_v) == 0 &&
        py_set_f64(d, "diversity", row->diversity) == 0 &&
        py_set_f64(d, "exclusivity", row->exclusivity) == 0 &&
        py_set_f64(d, "llpt", row->llpt) == 0 && py_set_f64(d, "stability", row->stability) == 0 &&
        py_set_f64(d, "seconds", row->seconds) == 0 &&
        py_set_f64(d, "to_best", row->to_best) == 0 &&
        py_set_f64(d, "to_best_error", row->to_best_error) == 0 &&
        py_set_f64(d, "to_unigram", row->to_unigram) == 0 &&
        py_set_f64(d, "to_unigram_error", row->to_unigram_error) == 0)
        return d;
    Py_XDECREF(d);
    return NULL;
}

/* Appends an item, which the list then owns. If the item is NULL, frees the list. */
static void append(PyObject **list, PyObject *item)
{
    if (*list && (!item || PyList_Append(*list, item) < 0))
        Py_CLEAR(*list);
    Py_XDECREF(item);
}

static PyObject *sweep_result(const ezlda_sweep_scores *scores)
{
    ezlda_sweep_info info = {.size = sizeof info};
    ezlda_sweep_row row = {.size = sizeof row};
    ezlda_sweep_run run = {.size = sizeof run};
    PyObject *d = PyDict_New(), *rows = PyList_New(0), *runs = PyList_New(0);
    ezlda_sweep_get_info(scores, &info);
    for (size_t i = 0; ezlda_sweep_get_row(scores, i, &row); i++)
        append(&rows, row_result(&row));
    for (size_t i = 0; ezlda_sweep_get_run(scores, i, &run); i++)
        append(&runs, run_result(&run));
    int failed = !d;
    failed = (d ? py_set(d, "rows", rows) : -1) < 0 || failed;
    failed = (d ? py_set(d, "runs", runs) : -1) < 0 || failed;
    if (!failed && py_set_u64(d, "recommended", info.recommended) == 0 &&
        py_set_u64(d, "best_perplexity", info.best_perplexity) == 0 &&
        py_set_u64(d, "best_npmi", info.best_npmi) == 0 &&
        py_set_u64(d, "best_stability", info.best_stability) == 0 &&
        py_set_u64(d, "docs", info.docs) == 0 && py_set_u64(d, "tokens", info.tokens) == 0 &&
        py_set_u64(d, "held_docs", info.held_docs) == 0 &&
        py_set_u64(d, "held_tokens", info.held_tokens) == 0 &&
        py_set(d, "stopped", PyBool_FromLong(info.stopped)) == 0)
        return d;
    Py_XDECREF(d);
    return NULL;
}

typedef struct watch {
    py_call call;
    PyObject
        *progress; /* called with run, runs, topics, seed, iteration, iterations, done; or NULL */
    double last;
} watch;

static int after_step(const ezlda_sweep_progress *p, void *user)
{
    watch *w = user;
    double now = py_seconds();
    bool go_on = !py_call_interrupted(&w->call);
    if (go_on && w->progress && (now - w->last > 0.1 || p->stage == EZLDA_SWEEP_DONE)) {
        PyGILState_STATE gil = PyGILState_Ensure();
        unsigned iteration = p->training ? p->training->iteration : 0;
        unsigned iterations = p->training ? p->training->iterations : 0;
        PyObject *result = PyObject_CallFunction(
            w->progress, "nnIKIIi", (Py_ssize_t)p->number, (Py_ssize_t)p->runs, p->run->topics,
            (unsigned long long)p->run->seed, iteration, iterations, p->stage == EZLDA_SWEEP_DONE);
        go_on = result != NULL;
        if (!go_on)
            py_call_keep_error(&w->call);
        Py_XDECREF(result);
        PyGILState_Release(gil);
        w->last = now;
    }
    return !go_on;
}

static uint32_t *numbers_of(PyObject *sequence, size_t *n)
{
    PyObject *list = PySequence_List(sequence);
    if (!list)
        return NULL;
    *n = (size_t)PyList_Size(list);
    uint32_t *numbers = PyMem_Calloc(*n + 1, sizeof *numbers);
    for (size_t i = 0; numbers && i < *n && !PyErr_Occurred(); i++)
        (void)py_u32(PyList_GetItem(list, (Py_ssize_t)i), "topics", &numbers[i]);
    Py_DECREF(list);
    if (numbers && !PyErr_Occurred())
        return numbers;
    PyMem_Free(numbers);
    if (!PyErr_Occurred())
        PyErr_NoMemory();
    return NULL;
}

static PyObject *sweep(PyObject *module, PyObject *args)
{
    PyObject *context, *corpus_object, *sequence, *dictionary, *eval_dictionary, *progress, *seeds,
        *folder = NULL;
    py_training train;
    ezlda_eval_options eval;
    ezlda_sweep_options options;
    ezlda_sweep_scores *scores = NULL;
    ezlda_corpus *corpus;
    ezlda_status status;
    watch w = {0};
    PyObject *result = NULL;
    uint32_t *topics = NULL;
    ezlda_sweep_options_init(&options);
    py_training_init(&train);
    ezlda_eval_options_init(&eval);
    if (!PyArg_ParseTuple(args, "OOOO&OddOOO", &context, &corpus_object, &sequence,
                          PyUnicode_FSConverter, &folder, &seeds, &options.held_out,
                          &options.alpha_sum, &dictionary, &eval_dictionary, &progress))
        return NULL;
    if (py_u32(seeds, "seeds", &options.seeds) == 0 &&
        (corpus = py_corpus_of(module, corpus_object)) &&
        (topics = numbers_of(sequence, &options.n_topics)) &&
        py_options_read(dictionary, py_train_options, &train) == 0 &&
        py_options_read(eval_dictionary, py_eval_options, &eval) == 0 &&
        py_call_begin(&w.call, module, context) == 0) {
        options.topics = topics;
        options.train = &train.train;
        options.eval = &eval;
        options.folder = PyBytes_AsString(folder);
        w.progress = progress == Py_None ? NULL : progress;
        options.progress = after_step;
        options.user = &w;
        PyThreadState *thread = PyEval_SaveThread();
        status = ezlda_sweep(&scores, w.call.context, corpus, &options);
        PyEval_RestoreThread(thread);
        if (py_call_end(&w.call, status) == 0)
            result = sweep_result(scores);
        ezlda_sweep_free(scores);
    }
    PyMem_Free(topics);
    Py_DECREF(folder);
    return result;
}

PyMethodDef py_sweep_functions[] = {{"sweep", sweep, METH_VARARGS,
                                     "sweep(context, corpus, topics, folder, seeds, held_out, "
                                     "alpha_sum, train, eval, progress) -> dict"},
                                    {NULL, NULL, 0, NULL}};
