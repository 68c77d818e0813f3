/* The command inside the extension: a wheel has the library, with its kernels, only once. The
 * script `ezlda` loads this file as the module _ezlda_command, without the package and NumPy, and
 * calls `run`. */
#include "py_ezlda.h"

#include <stdlib.h>
#include <string.h>

/* main of cli/main.c, which is compiled under this name. */
int cli_main(int argc, char **argv);

/* run([b"ezlda", b"train", ...]) does not return: the process ends as the command ends, without
 * Python's own end. */
static PyObject *run(PyObject *module, PyObject *words)
{
    (void)module;
    if (!PyList_Check(words)) {
        PyErr_SetString(PyExc_TypeError, "expected a list of bytes");
        return NULL;
    }
    Py_ssize_t n = PyList_Size(words);
    char **arguments = calloc((size_t)n + 1, sizeof *arguments);
    if (!arguments)
        return PyErr_NoMemory();
    for (Py_ssize_t i = 0; i < n; i++) {
        const char *text = PyBytes_AsString(PyList_GetItem(words, i));
        if (!text || !(arguments[i] = strdup(text))) {
            for (Py_ssize_t done = 0; done < i; done++)
                free(arguments[done]);
            free(arguments);
            return text ? PyErr_NoMemory() : NULL;
        }
    }
    exit(cli_main((int)n, arguments));
}

static PyMethodDef functions[] = {{"run", run, METH_O, "Run the command with a list of bytes."},
                                  {NULL, NULL, 0, NULL}};
static PyModuleDef_Slot slots[] = {{0, NULL}};
static PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,  .m_name = "_ezlda_command", .m_doc = "The command ezlda.",
    .m_methods = functions, .m_slots = slots,
};

PyMODINIT_FUNC PyInit__ezlda_command(void);

PyMODINIT_FUNC PyInit__ezlda_command(void)
{
    return PyModuleDef_Init(&definition);
}
