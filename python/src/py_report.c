/* Writes the report of a model: the page, or its pictures. */
#include "py_ezlda.h"

#include <stddef.h>

#define REPORT(field, kind)                                       \
    {                                                             \
#field, kind, offsetof(ezlda_report_options, field), NULL \
    }
const py_option py_report_options[] = {REPORT(title, PY_TEXT),   REPORT(other_title, PY_TEXT),
                                       REPORT(created, PY_TEXT), REPORT(words, PY_U32),
                                       REPORT(docs, PY_U32),     REPORT(field, PY_TEXT),
                                       REPORT(step, PY_TEXT),    {NULL, PY_U32, 0, NULL}};

/* path is a file for the page, or a folder for the pictures. */
static ezlda_status write_report(ezlda_context *context, const ezlda_model *model,
                                 const ezlda_corpus *corpus, const ezlda_model *other,
                                 const ezlda_report_options *options, const char *path,
                                 int pictures)
{
    ezlda_report *report = NULL;
    ezlda_status status = ezlda_report_make(&report, context, model, corpus, other, options);
    if (status == EZLDA_OK)
        status = pictures ? ezlda_report_write_svg(context, report, path)
                          : ezlda_report_write(context, report, path);
    ezlda_report_free(report);
    return status;
}

static PyObject *report(PyObject *module, PyObject *args)
{
    PyObject *context, *model_object, *corpus_object, *other_object, *dictionary, *path = NULL;
    ezlda_report_options options;
    ezlda_model *model, *other;
    ezlda_corpus *corpus;
    ezlda_status status;
    int pictures;
    py_call call;
    if (!PyArg_ParseTuple(args, "OOOOOO&p", &context, &model_object, &corpus_object, &other_object,
                          &dictionary, PyUnicode_FSConverter, &path, &pictures))
        return NULL;
    ezlda_report_options_init(&options);
    if (!(model = py_model_of(module, model_object)) ||
        py_corpus_or_none(module, corpus_object, &corpus) < 0 ||
        py_model_or_none(module, other_object, &other) < 0 ||
        py_options_read(dictionary, py_report_options, &options) < 0 ||
        py_call_begin(&call, module, context) < 0) {
        Py_DECREF(path);
        return NULL;
    }
    const char *name = PyBytes_AsString(path);
    PyThreadState *thread = PyEval_SaveThread();
    status = write_report(call.context, model, corpus, other, &options, name, pictures);
    PyEval_RestoreThread(thread);
    Py_DECREF(path);
    if (py_call_end(&call, status) < 0)
        return NULL;
    Py_RETURN_NONE;
}

PyMethodDef py_report_functions[] = {
    {"report", report, METH_VARARGS,
     "report(context, model, corpus, other, options, path, pictures)"},
    {NULL, NULL, 0, NULL}};
