/* Fills the option structs of the library from Python dictionaries, and checks types and ranges. */
#include "py_ezlda.h"

#include <string.h>

static const double PRIOR_MIN = 1e-6, PRIOR_MAX = 100; /* the limits of the library */

static int fail_value(const char *name, const char *expected, PyObject *value)
{
    PyErr_Clear();
    PyErr_Format(PyExc_ValueError, "%s: expected %s, found %R", name, expected, value);
    return -1;
}

static int read_whole(const char *name, PyObject *value, uint64_t most, uint64_t *out)
{
    char expected[64];
    PyObject *index = PyNumber_Index(value);
    *out = index ? PyLong_AsUnsignedLongLong(index) : 0;
    Py_XDECREF(index);
    if (!PyErr_Occurred() && *out <= most)
        return 0;
    PyOS_snprintf(expected, sizeof expected, "a whole number from 0 to %llu",
                  (unsigned long long)most);
    return fail_value(name, expected, value);
}

int py_u64(PyObject *value, const char *name, uint64_t *out)
{
    return read_whole(name, value, UINT64_MAX, out);
}

int py_u32(PyObject *value, const char *name, uint32_t *out)
{
    uint64_t whole;
    int failed = read_whole(name, value, UINT32_MAX, &whole);
    *out = failed ? 0 : (uint32_t)whole;
    return failed;
}

static int read_number(const py_option *option, PyObject *value, char *field)
{
    uint64_t whole;
    switch (option->type) {
    case PY_U32: return py_u32(value, option->name, (uint32_t *)(void *)field);
    case PY_U64: return py_u64(value, option->name, (uint64_t *)(void *)field);
    case PY_INT:
        if (read_whole(option->name, value, INT32_MAX, &whole) < 0)
            return -1;
        *(int *)(void *)field = (int)whole;
        return 0;
    case PY_FLAG: {
        int truth = PyObject_IsTrue(value);
        *(int *)(void *)field = truth > 0;
        return truth < 0 ? -1 : 0;
    }
    default: {
        double number = PyFloat_AsDouble(value);
        if (PyErr_Occurred())
            return fail_value(option->name, "a number", value);
        if (option->type == PY_PRIOR && !(number >= PRIOR_MIN && number <= PRIOR_MAX))
            return fail_value(option->name, "a number from 0.000001 to 100", value);
        *(double *)(void *)field = number;
        return 0;
    }
    }
}

static int read_text(const py_option *option, PyObject *value, const char **out)
{
    Py_ssize_t size;
    const char *text = PyUnicode_Check(value) ? PyUnicode_AsUTF8AndSize(value, &size) : NULL;
    if (!text || strlen(text) != (size_t)size)
        return fail_value(option->name, "a text", value);
    *out = text;
    return 0;
}

/* Enums of the library have the size of int. */
static int read_choice(const py_option *option, PyObject *value, char *field)
{
    const char *text = NULL;
    char expected[256] = "one of";
    if (PyUnicode_Check(value))
        (void)read_text(option, value, &text);
    PyErr_Clear();
    for (int i = 0; option->choices[i]; i++) {
        if (text && strcmp(text, option->choices[i]) == 0) {
            *(int *)(void *)field = i;
            return 0;
        }
        size_t used = strlen(expected);
        PyOS_snprintf(expected + used, sizeof expected - used, "%s '%s'", i ? "," : "",
                      option->choices[i]);
    }
    return fail_value(option->name, expected, value);
}

PyObject *py_option_names(const py_option *table)
{
    PyObject *list = PyList_New(0);
    for (; list && table->name; table++) {
        PyObject *name = PyUnicode_FromString(table->name);
        if (!name || PyList_Append(list, name) < 0)
            Py_CLEAR(list);
        Py_XDECREF(name);
    }
    return list;
}

static int fail_name(PyObject *key, const py_option *table)
{
    PyObject *comma = PyUnicode_FromString(", "), *names = py_option_names(table), *all = NULL;
    if (comma && names && PyList_Sort(names) == 0)
        all = PyUnicode_Join(comma, names);
    if (all)
        PyErr_Format(PyExc_TypeError, "%R is not an option here; there are: %U", key, all);
    Py_XDECREF(all);
    Py_XDECREF(names);
    Py_XDECREF(comma);
    return -1;
}

static int read_option(const py_option *table, PyObject *key, PyObject *value, void *target)
{
    Py_ssize_t size;
    const char *name = PyUnicode_Check(key) ? PyUnicode_AsUTF8AndSize(key, &size) : NULL;
    const py_option *option = table;
    while (option->name && (!name || strcmp(option->name, name) != 0))
        option++;
    if (!option->name)
        return fail_name(key, table);
    char *field = (char *)target + option->offset;
    if (value == Py_None)
        return 0;
    if (option->type == PY_TEXT)
        return read_text(option, value, (const char **)(void *)field);
    return option->type == PY_CHOICE ? read_choice(option, value, field)
                                     : read_number(option, value, field);
}

int py_options_read(PyObject *dictionary, const py_option *table, void *target)
{
    PyObject *key, *value;
    Py_ssize_t place = 0;
    if (dictionary == Py_None)
        return 0;
    if (!PyDict_Check(dictionary)) {
        PyErr_Format(PyExc_TypeError, "expected a dictionary of options, found %R",
                     Py_TYPE(dictionary));
        return -1;
    }
    while (PyDict_Next(dictionary, &place, &key, &value))
        if (read_option(table, key, value, target) < 0)
            return -1;
    return 0;
}
