/* The module _ezlda: puts together the functions of the other files, and maps each status of the
 * library to an exception of ezlda.errors. */
#include "py_ezlda.h"

#include <string.h>

/* The name of the exception of each status; EZLDA_OK has none. */
static const char *const error_names[PY_STATUSES] = {"",
                                                     "OutOfMemoryError",
                                                     "ArgumentError",
                                                     "FileError",
                                                     "FormatError",
                                                     "DeviceError",
                                                     "UnsupportedError",
                                                     "StoppedError",
                                                     "InternalError"};

static int find_errors(py_state *state)
{
    PyObject *errors = PyImport_ImportModule("ezlda.errors");
    if (!errors)
        return -1;
    for (int i = 1; i < PY_STATUSES; i++)
        if (!(state->errors[i] = PyObject_GetAttrString(errors, error_names[i])))
            break;
    if (!PyErr_Occurred())
        state->missing_file = PyObject_GetAttrString(errors, "MissingFileError");
    Py_DECREF(errors);
    return PyErr_Occurred() ? -1 : 0;
}

static int module_exec(PyObject *module)
{
    static PyMethodDef *const tables[] = {
        py_record_functions, py_arrow_functions,      py_select_functions, py_corpus_functions,
        py_csr_functions,    py_model_functions,      py_model_arrays,     py_train_functions,
        py_infer_functions,  py_inferencer_functions, py_score_functions,  py_sweep_functions,
        py_tree_functions,   py_effect_functions,     py_report_functions, py_device_functions};
    py_state *state = PyModule_GetState(module);
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        if (PyModule_AddFunctions(module, tables[i]) < 0)
            return -1;
    if (py_types_make(module, state) < 0 || py_arrow_type_make(module, state) < 0 ||
        find_errors(state) < 0)
        return -1;
    return PyModule_AddStringConstant(module, "version", ezlda_version_string());
}

static int module_traverse(PyObject *module, visitproc visit, void *arg)
{
    py_state *state = PyModule_GetState(module);
    Py_VISIT(state->context_type);
    Py_VISIT(state->corpus_type);
    Py_VISIT(state->model_type);
    Py_VISIT(state->inferencer_type);
    Py_VISIT(state->arrow_type);
    for (int i = 0; i < PY_STATUSES; i++)
        Py_VISIT(state->errors[i]);
    Py_VISIT(state->missing_file);
    return 0;
}

static int module_clear(PyObject *module)
{
    py_state *state = PyModule_GetState(module);
    Py_CLEAR(state->context_type);
    Py_CLEAR(state->corpus_type);
    Py_CLEAR(state->model_type);
    Py_CLEAR(state->inferencer_type);
    Py_CLEAR(state->arrow_type);
    for (int i = 0; i < PY_STATUSES; i++)
        Py_CLEAR(state->errors[i]);
    Py_CLEAR(state->missing_file);
    return 0;
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, module_exec}, {0, NULL}};

static PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "ezlda._ezlda",
    .m_doc = "The calls of the library, for the files of this package.",
    .m_size = sizeof(py_state),
    .m_slots = slots,
    .m_traverse = module_traverse,
    .m_clear = module_clear,
};

PyMODINIT_FUNC PyInit__ezlda(void);

PyMODINIT_FUNC PyInit__ezlda(void)
{
    return PyModuleDef_Init(&definition);
}
