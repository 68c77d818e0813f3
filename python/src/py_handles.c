/* The types of context, corpus and model: Python objects that own handles of the library. */
#include "py_ezlda.h"

/* Python 3.9 has no flag for this. */
PyObject *py_no_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    (void)args;
    (void)keywords;
    PyErr_Format(PyExc_TypeError, "cannot create instances of %R", type);
    return NULL;
}

static void free_object(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    freefunc free_self = (freefunc)PyType_GetSlot(type, Py_tp_free);
    free_self(self);
    Py_DECREF((PyObject *)type);
}

/* Handles may be large: other threads continue while they are freed. */
static void corpus_dealloc(PyObject *self)
{
    ezlda_corpus *corpus = ((py_corpus *)self)->corpus;
    PyThreadState *thread = PyEval_SaveThread();
    ezlda_corpus_free(corpus);
    PyEval_RestoreThread(thread);
    free_object(self);
}

static void model_dealloc(PyObject *self)
{
    ezlda_model *model = ((py_model *)self)->model;
    PyThreadState *thread = PyEval_SaveThread();
    ezlda_model_free(model);
    PyEval_RestoreThread(thread);
    free_object(self);
}

static void context_dealloc(PyObject *self)
{
    py_context *own = (py_context *)self;
    ezlda_context *context = own->context;
    /* a device that is being opened may still send a note */
    PyThreadState *thread = PyEval_SaveThread();
    ezlda_context_free(context);
    PyEval_RestoreThread(thread);
    Py_CLEAR(own->note);
    free_object(self);
}

static void inferencer_dealloc(PyObject *self)
{
    ezlda_inferencer *inferencer = ((py_inferencer *)self)->inferencer;
    PyThreadState *thread = PyEval_SaveThread();
    ezlda_inferencer_free(inferencer);
    PyEval_RestoreThread(thread);
    Py_CLEAR(((py_inferencer *)self)->model);
    free_object(self);
}

static PyType_Slot context_slots[] = {
    {Py_tp_dealloc, context_dealloc}, {Py_tp_new, py_no_new}, {0, NULL}};
static PyType_Slot corpus_slots[] = {
    {Py_tp_dealloc, corpus_dealloc}, {Py_tp_new, py_no_new}, {0, NULL}};
static PyType_Slot model_slots[] = {
    {Py_tp_dealloc, model_dealloc}, {Py_tp_new, py_no_new}, {0, NULL}};
static PyType_Slot inferencer_slots[] = {
    {Py_tp_dealloc, inferencer_dealloc}, {Py_tp_new, py_no_new}, {0, NULL}};
static PyType_Spec context_spec = {"ezlda._ezlda.Context", sizeof(py_context), 0,
                                   Py_TPFLAGS_DEFAULT, context_slots};
static PyType_Spec corpus_spec = {"ezlda._ezlda.Corpus", sizeof(py_corpus), 0, Py_TPFLAGS_DEFAULT,
                                  corpus_slots};
static PyType_Spec model_spec = {"ezlda._ezlda.Model", sizeof(py_model), 0, Py_TPFLAGS_DEFAULT,
                                 model_slots};
static PyType_Spec inferencer_spec = {"ezlda._ezlda.Inferencer", sizeof(py_inferencer), 0,
                                      Py_TPFLAGS_DEFAULT, inferencer_slots};

int py_types_make(PyObject *module, py_state *state)
{
    state->context_type = (PyTypeObject *)PyType_FromModuleAndSpec(module, &context_spec, NULL);
    state->corpus_type = (PyTypeObject *)PyType_FromModuleAndSpec(module, &corpus_spec, NULL);
    state->model_type = (PyTypeObject *)PyType_FromModuleAndSpec(module, &model_spec, NULL);
    state->inferencer_type =
        (PyTypeObject *)PyType_FromModuleAndSpec(module, &inferencer_spec, NULL);
    return state->context_type && state->corpus_type && state->model_type && state->inferencer_type
               ? 0
               : -1;
}

static int check_type(PyObject *object, PyTypeObject *type, const char *what)
{
    if (PyObject_TypeCheck(object, type))
        return 0;
    PyErr_Format(PyExc_TypeError, "expected a handle of a %s, found %R", what, Py_TYPE(object));
    return -1;
}

ezlda_corpus *py_corpus_of(PyObject *module, PyObject *object)
{
    py_state *state = PyModule_GetState(module);
    return check_type(object, state->corpus_type, "corpus") < 0 ? NULL
                                                                : ((py_corpus *)object)->corpus;
}

ezlda_model *py_model_of(PyObject *module, PyObject *object)
{
    py_state *state = PyModule_GetState(module);
    return check_type(object, state->model_type, "model") < 0 ? NULL : ((py_model *)object)->model;
}

int py_corpus_or_none(PyObject *module, PyObject *object, ezlda_corpus **out)
{
    *out = object == Py_None ? NULL : py_corpus_of(module, object);
    return *out || object == Py_None ? 0 : -1;
}

int py_model_or_none(PyObject *module, PyObject *object, ezlda_model **out)
{
    *out = object == Py_None ? NULL : py_model_of(module, object);
    return *out || object == Py_None ? 0 : -1;
}

PyObject *py_corpus_new(PyObject *module, ezlda_corpus *corpus)
{
    py_state *state = PyModule_GetState(module);
    PyObject *self = PyType_GenericAlloc(state->corpus_type, 0);
    if (self)
        ((py_corpus *)self)->corpus = corpus;
    else
        ezlda_corpus_free(corpus);
    return self;
}

PyObject *py_model_new(PyObject *module, ezlda_model *model)
{
    py_state *state = PyModule_GetState(module);
    PyObject *self = PyType_GenericAlloc(state->model_type, 0);
    if (self)
        ((py_model *)self)->model = model;
    else
        ezlda_model_free(model);
    return self;
}

const py_inferencer *py_inferencer_of(PyObject *module, PyObject *object)
{
    py_state *state = PyModule_GetState(module);
    return check_type(object, state->inferencer_type, "inferencer") < 0 ? NULL
                                                                        : (py_inferencer *)object;
}

PyObject *py_inferencer_new(PyObject *module, ezlda_inferencer *inferencer, PyObject *model)
{
    py_state *state = PyModule_GetState(module);
    PyObject *self = PyType_GenericAlloc(state->inferencer_type, 0);
    if (!self) {
        ezlda_inferencer_free(inferencer);
        return NULL;
    }
    ((py_inferencer *)self)->inferencer = inferencer;
    Py_INCREF(model);
    ((py_inferencer *)self)->model = model;
    return self;
}

/* Passes a note to the listener. An exception that the listener raises is printed and then ignored.
 */
static void pass_note(ezlda_note_level level, const char *text, void *user)
{
    py_context *self = user;
    PyGILState_STATE gil = PyGILState_Ensure();
    PyObject *said = py_message(text), *result = NULL;
    if (said)
        result = PyObject_CallFunction(self->note, "iO", (int)level, said);
    if (!result)
        PyErr_WriteUnraisable(self->note);
    Py_XDECREF(said);
    Py_XDECREF(result);
    PyGILState_Release(gil);
}

PyObject *py_context_create(PyObject *module, PyObject *args)
{
    py_state *state = PyModule_GetState(module);
    int threads = 0;
    PyObject *note = Py_None;
    if (!PyArg_ParseTuple(args, "|iO", &threads, &note))
        return NULL;
    py_context *self = (py_context *)PyType_GenericAlloc(state->context_type, 0);
    if (!self)
        return NULL;
    if (ezlda_context_create(&self->context) != EZLDA_OK) {
        Py_DECREF((PyObject *)self);
        return PyErr_NoMemory();
    }
    ezlda_context_set_threads(self->context, threads);
    if (note != Py_None) {
        Py_INCREF(note);
        self->note = note;
        ezlda_context_set_notes(self->context, pass_note, self);
    }
    return (PyObject *)self;
}
