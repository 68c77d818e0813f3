/* Functions of tables of Arrow: a handle, its columns, and a corpus from some of them. */
#include "py_arrow_source.h"
#include "py_records.h"

#include <stdlib.h>
#include <string.h>

/* ---- the handle ---- */

typedef struct py_arrow {
    PyObject_HEAD arrow_source source;
} py_arrow;

static void arrow_dealloc(PyObject *self)
{
    arrow_source *s = &((py_arrow *)self)->source;
    PyTypeObject *type = Py_TYPE(self);
    freefunc free_self = (freefunc)PyType_GetSlot(type, Py_tp_free);
    PyThreadState *thread = PyEval_SaveThread();
    py_arrow_drop(s);
    PyEval_RestoreThread(thread);
    arrow_arena_clear(&s->arena);
    for (uint32_t c = 0; c < s->columns; c++)
        free(s->column[c].name);
    free(s->column);
    free(s->values);
    Py_CLEAR(s->objects);
    free_self(self);
    Py_DECREF((PyObject *)type);
}

static PyType_Slot arrow_slots[] = {
    {Py_tp_dealloc, arrow_dealloc}, {Py_tp_new, py_no_new}, {0, NULL}};
static PyType_Spec arrow_spec = {"ezlda._ezlda.Arrow", sizeof(py_arrow), 0, Py_TPFLAGS_DEFAULT,
                                 arrow_slots};

int py_arrow_type_make(PyObject *module, py_state *state)
{
    state->arrow_type = (PyTypeObject *)PyType_FromModuleAndSpec(module, &arrow_spec, NULL);
    return state->arrow_type ? 0 : -1;
}

static arrow_source *source_of(PyObject *module, PyObject *object)
{
    py_state *state = PyModule_GetState(module);
    if (PyObject_TypeCheck(object, state->arrow_type))
        return &((py_arrow *)object)->source;
    PyErr_Format(PyExc_TypeError, "expected a handle of Arrow, found %R", Py_TYPE(object));
    return NULL;
}

static PyObject *arrow_open(PyObject *module, PyObject *args)
{
    PyObject *object;
    py_state *state = PyModule_GetState(module);
    if (!PyArg_ParseTuple(args, "O", &object))
        return NULL;
    PyObject *self = PyType_GenericAlloc(state->arrow_type, 0);
    if (self && py_arrow_open(&((py_arrow *)self)->source, object) < 0)
        Py_CLEAR(self);
    return self;
}

static PyObject *arrow_columns(PyObject *module, PyObject *args)
{
    PyObject *object, *list;
    if (!PyArg_ParseTuple(args, "O", &object))
        return NULL;
    const arrow_source *s = source_of(module, object);
    if (!s || !(list = PyList_New(0)))
        return NULL;
    for (int64_t i = 0; i < py_arrow_columns(&s->schema); i++) {
        const arrow_schema *schema = py_arrow_column_schema(&s->schema, i);
        arrow_type type;
        char name[128];
        arrow_type_read(&type, schema);
        arrow_type_name(schema, name, sizeof name);
        const char *use = type.kind == ARROW_TEXT || type.kind == ARROW_VIEW ? "text"
                          : type.kind == ARROW_LIST                          ? "words"
                          : type.kind == ARROW_OTHER                         ? "none"
                                                                             : "value";
        PyObject *row = Py_BuildValue("(Nss)", py_text(py_arrow_name(schema)), name, use);
        int failed = !row || PyList_Append(list, row) < 0;
        Py_XDECREF(row);
        if (failed) {
            Py_DECREF(list);
            return NULL;
        }
    }
    return list;
}

static int choose_columns(arrow_source *s, PyObject *numbers)
{
    Py_ssize_t n = PyList_Check(numbers) ? PyList_Size(numbers) : 0;
    s->column = calloc((size_t)n + 1, sizeof *s->column);
    s->values = calloc((size_t)(n + 1) * PY_ARROW_ROWS, sizeof *s->values);
    for (Py_ssize_t i = 0; s->column && s->values && i < n; i++) {
        int64_t child = PyLong_AsLongLong(PyList_GetItem(numbers, i));
        if (PyErr_Occurred() || child < 0 || child >= py_arrow_columns(&s->schema)) {
            PyErr_SetString(PyExc_ValueError, "there is no such column");
            return -1;
        }
        const arrow_schema *schema = py_arrow_column_schema(&s->schema, child);
        arrow_column *column = &s->column[i];
        arrow_type_read(&column->type, schema);
        column->child = child;
        column->name = strdup(py_arrow_name(schema));
        if (!column->name)
            break;
        s->columns++;
    }
    if ((Py_ssize_t)s->columns == n && s->values)
        return 0;
    PyErr_NoMemory();
    return -1;
}

/* The message of the library says no more than that it was stopped. */
static void raise_wrong(PyObject *module, const arrow_source *s)
{
    py_state *state = PyModule_GetState(module);
    PyObject *text = py_text(s->wrong);
    PyErr_Clear();
    if (text)
        PyErr_SetObject(state->errors[EZLDA_ERROR_FORMAT], text);
    Py_XDECREF(text);
}

static PyObject *corpus_from_arrow(PyObject *module, PyObject *args)
{
    PyObject *context, *object, *names, *numbers, *result = NULL;
    py_record_table table = {0};
    arrow_reading r = {0};
    if (!PyArg_ParseTuple(args, "OOOOOO", &context, &object, &names, &numbers, &table.options,
                          &table.like) ||
        !(r.source = source_of(module, object)))
        return NULL;
    if (r.source->column) {
        PyErr_SetString(PyExc_RuntimeError, "this handle was read already");
        return NULL;
    }
    if (choose_columns(r.source, numbers) < 0)
        return NULL;
    if (r.source->batch.release && !py_arrow_check(r.source))
        raise_wrong(module, r.source);
    else if (py_fields_open(&table, names) == 0)
        result = py_corpus_of_records(module, context, &table, py_arrow_hand_over, &r, &r.call);
    if (!result && r.source->wrong[0])
        raise_wrong(module, r.source);
    py_fields_close(&table);
    return result;
}

PyMethodDef py_arrow_functions[] = {
    {"arrow_open", arrow_open, METH_VARARGS, "arrow_open(object) -> Arrow"},
    {"arrow_columns", arrow_columns, METH_VARARGS, "arrow_columns(arrow) -> [(name, type, use)]"},
    {"corpus_from_arrow", corpus_from_arrow, METH_VARARGS,
     "corpus_from_arrow(context, arrow, fields, columns, options, like) -> Corpus"},
    {NULL, NULL, 0, NULL}};
