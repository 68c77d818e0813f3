/* Corpora from tables of other libraries, by Arrow's C stream interface: batches are read where
 * they lie, one after the other, so memory does not grow with the table. */
#include "py_arrow_source.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Arrow's structs ---- */

static void drop_batch(arrow_source *s)
{
    if (s->batch.release)
        s->batch.release(&s->batch);
    s->batch = (arrow_array){0};
    s->row = 0;
}

void py_arrow_drop(arrow_source *s)
{
    drop_batch(s);
    if (s->schema.release)
        s->schema.release(&s->schema);
    if (s->stream.release)
        s->stream.release(&s->stream);
    s->schema = (arrow_schema){0};
    s->stream = (arrow_stream){0};
}

/* The struct in a capsule, which must not be empty; NULL with an exception. The caller moves it
 * out. */
static void *open_capsule(PyObject *capsule, const char *name, size_t release_at)
{
    char *found = PyCapsule_GetPointer(capsule, name);
    void (*release)(void);
    if (!found)
        return NULL;
    memcpy(&release, found + release_at, sizeof release);
    if (release)
        return found;
    PyErr_SetString(PyExc_ValueError, "this Arrow object was read already");
    return NULL;
}

static int move_stream(arrow_source *s, PyObject *capsule)
{
    arrow_stream *given =
        open_capsule(capsule, "arrow_array_stream", offsetof(arrow_stream, release));
    if (!given)
        return -1;
    s->stream = *given;
    given->release = NULL;
    PyThreadState *thread = PyEval_SaveThread();
    int failed = s->stream.get_schema(&s->stream, &s->schema);
    PyEval_RestoreThread(thread);
    if (!failed && s->schema.release)
        return 0;
    const char *text = s->stream.get_last_error(&s->stream);
    PyErr_Format(PyExc_ValueError, "the Arrow stream has no schema: %s",
                 text ? text : strerror(failed));
    return -1;
}

static int move_array(arrow_source *s, PyObject *pair)
{
    if (!PyTuple_Check(pair) || PyTuple_Size(pair) != 2) {
        PyErr_SetString(PyExc_TypeError, "__arrow_c_array__ gave no pair of schema and array");
        return -1;
    }
    arrow_schema *schema =
        open_capsule(PyTuple_GetItem(pair, 0), "arrow_schema", offsetof(arrow_schema, release));
    arrow_array *array = schema ? open_capsule(PyTuple_GetItem(pair, 1), "arrow_array",
                                               offsetof(arrow_array, release))
                                : NULL;
    if (!array)
        return -1;
    s->schema = *schema;
    s->batch = *array;
    schema->release = NULL;
    array->release = NULL;
    return 0;
}

/* Opens an object of Arrow. Returns 1, 0 if it is none, or -1 with an exception. */
static int open_object(arrow_source *s, PyObject *object)
{
    bool stream = PyObject_HasAttrString(object, "__arrow_c_stream__");
    if (!stream && !PyObject_HasAttrString(object, "__arrow_c_array__"))
        return 0;
    PyObject *given =
        PyObject_CallMethod(object, stream ? "__arrow_c_stream__" : "__arrow_c_array__", NULL);
    if (!given)
        return -1;
    int failed = stream ? move_stream(s, given) : move_array(s, given);
    Py_DECREF(given);
    return failed ? -1 : 1;
}

/* ---- columns ---- */

static bool has_columns(const arrow_schema *schema)
{
    return schema->format && strcmp(schema->format, "+s") == 0 &&
           (schema->children || schema->n_children <= 0);
}

int64_t py_arrow_columns(const arrow_schema *schema)
{
    return has_columns(schema) ? schema->n_children : 1;
}

/* The schema of a column; an array alone is one column. */
const arrow_schema *py_arrow_column_schema(const arrow_schema *schema, int64_t i)
{
    return has_columns(schema) ? schema->children[i] : schema;
}

const char *py_arrow_name(const arrow_schema *schema)
{
    return schema->name ? schema->name : "";
}

/* Finds the columns in a further table. */
static bool find_columns(arrow_source *s)
{
    for (uint32_t c = 0; c < s->columns; c++) {
        arrow_column *column = &s->column[c];
        arrow_type type = {0};
        column->child = -1;
        for (int64_t i = py_arrow_columns(&s->schema); i-- > 0;)
            if (strcmp(py_arrow_name(py_arrow_column_schema(&s->schema, i)), column->name) == 0)
                column->child = i;
        if (column->child >= 0)
            arrow_type_read(&type, py_arrow_column_schema(&s->schema, column->child));
        if (column->child < 0 || (type.kind == ARROW_LIST) != (column->type.kind == ARROW_LIST) ||
            type.kind == ARROW_OTHER) {
            snprintf(s->wrong, sizeof s->wrong,
                     "column \"%.200s\": a later table has no such column, or one of another type",
                     column->name);
            return false;
        }
        column->type = type;
    }
    return true;
}

/* ---- batches; without the GIL ---- */

static const arrow_array *column_array(const arrow_source *s, const arrow_column *column)
{
    return has_columns(&s->schema) ? s->batch.children[column->child] : &s->batch;
}

bool py_arrow_check(arrow_source *s)
{
    bool table = has_columns(&s->schema);
    const arrow_array *b = &s->batch;
    if (b->length < 0 || b->offset < 0 ||
        (table && (b->n_children != s->schema.n_children || !b->children ||
                   b->length > INT64_MAX - b->offset))) {
        snprintf(s->wrong, sizeof s->wrong, "a batch does not have the columns of its schema");
        return false;
    }
    for (uint32_t c = 0; c < s->columns; c++) {
        const arrow_column *column = &s->column[c];
        const arrow_array *array = column_array(s, column);
        const char *wrong = array ? arrow_array_wrong(&column->type, array) : "it is missing";
        if (!wrong && table && array->length < b->offset + b->length)
            wrong = "it is shorter than the others";
        if (wrong) {
            snprintf(s->wrong, sizeof s->wrong, "column \"%.200s\": %s", column->name, wrong);
            return false;
        }
    }
    return true;
}

/* The first batch of an object that is one array is there already. Returns false if there is none.
 */
static bool next_batch(arrow_source *s)
{
    s->done += (uint64_t)s->batch.length;
    drop_batch(s);
    if (!s->stream.release)
        return false;
    int failed = s->stream.get_next(&s->stream, &s->batch);
    if (failed) {
        const char *text = s->stream.get_last_error(&s->stream);
        s->batch = (arrow_array){0};
        snprintf(s->wrong, sizeof s->wrong, "the Arrow stream ended: %.400s",
                 text ? text : strerror(failed));
        return false;
    }
    return s->batch.release && py_arrow_check(s);
}

static bool read_rows(arrow_source *s, int64_t n)
{
    bool table = has_columns(&s->schema);
    int64_t shift = table ? s->batch.offset : 0;
    for (int64_t i = 0; i < n; i++, s->row++)
        for (uint32_t c = 0; c < s->columns; c++) {
            const arrow_column *column = &s->column[c];
            ezlda_text *out = &s->values[(size_t)i * s->columns + c];
            const char *wrong = NULL;
            *out = (ezlda_text){"", 0};
            if (!table || !arrow_is_null(&s->batch, s->row))
                wrong = arrow_value(&column->type, column_array(s, column), shift + s->row,
                                    &s->arena, out);
            if (!wrong)
                continue;
            snprintf(s->wrong, sizeof s->wrong, "column \"%.200s\", row %llu: %s", column->name,
                     (unsigned long long)s->done + (unsigned long long)s->row, wrong);
            return false;
        }
    return true;
}

/* ---- tables ---- */

/* Opens the next table of several. Returns 1, 0 at the end, or -1 with an exception. */
static int next_object(arrow_source *s)
{
    PyObject *object = s->objects ? PyIter_Next(s->objects) : NULL;
    if (!object)
        return PyErr_Occurred() ? -1 : 0;
    py_arrow_drop(s);
    int opened = open_object(s, object);
    if (opened == 0)
        PyErr_Format(PyExc_TypeError, "expected tables or batches of Arrow, found %R",
                     (PyObject *)Py_TYPE(object));
    Py_DECREF(object);
    return opened == 1 ? 1 : -1;
}

int py_arrow_open(arrow_source *s, PyObject *object)
{
    int opened = open_object(s, object);
    if (opened != 0)
        return opened == 1 ? 0 : -1;
    s->objects = PyObject_GetIter(object);
    opened = s->objects ? next_object(s) : -1;
    if (opened == 0)
        PyErr_SetString(PyExc_ValueError, "there are no batches");
    return opened == 1 ? 0 : -1;
}

/* Opens the next table; false at the end and after an error. */
static bool next_table(arrow_reading *r)
{
    if (!r->source->objects)
        return false;
    PyGILState_STATE gil = PyGILState_Ensure();
    int opened = PyErr_CheckSignals() < 0 ? -1 : next_object(r->source);
    if (opened < 0)
        py_call_keep_error(&r->call);
    PyGILState_Release(gil);
    return opened > 0 && find_columns(r->source);
}

int py_arrow_hand_over(ezlda_records *records, void *user)
{
    arrow_reading *r = user;
    arrow_source *s = r->source;
    arrow_arena_clear(&s->arena);
    if (py_call_interrupted(&r->call))
        return 1;
    while (!s->wrong[0] && !r->call.type && s->row >= s->batch.length)
        if (!next_batch(s) && !s->wrong[0]) {
            if (!next_table(r))
                break;
            if (s->batch.release && !py_arrow_check(s))
                break;
        }
    if (s->wrong[0] || r->call.type)
        return 1;
    int64_t left = s->batch.length - s->row, n = left < PY_ARROW_ROWS ? left : PY_ARROW_ROWS;
    if (n > 0 && !read_rows(s, n))
        return 1;
    *records = (ezlda_records){n > 0 ? (uint64_t)n : 0, s->values};
    return 0;
}
