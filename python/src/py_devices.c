/* Lists the devices of the machine, and opens one before it is needed. */
#include "py_ezlda.h"

enum { MOST_DEVICES = 64 };

typedef struct listing {
    ezlda_device device[MOST_DEVICES];
    size_t n;
} listing;

static void add_device(const ezlda_device *device, void *user)
{
    listing *list = user;
    if (list->n < MOST_DEVICES)
        list->device[list->n++] = *device;
}

static PyObject *device_result(const ezlda_device *device)
{
    PyObject *d = PyDict_New();
    if (d && py_set_text(d, "device", device->device) == 0 &&
        py_set_text(d, "name", device->name) == 0 &&
        py_set(d, "usable", PyBool_FromLong(device->usable)) == 0 &&
        py_set(d, "chosen", PyBool_FromLong(device->chosen)) == 0 &&
        py_set_text(d, "reason", device->reason) == 0 &&
        py_set_text(d, "kernels", device->kernels) == 0 &&
        py_set_u64(d, "processors", (uint64_t)device->processors) == 0 &&
        py_set_u64(d, "cores", (uint64_t)device->cores) == 0 &&
        py_set_u64(d, "threads", (uint64_t)device->threads) == 0 &&
        py_set_u64(d, "capability", (uint64_t)device->capability) == 0 &&
        py_set_u64(d, "memory_bytes", device->memory_bytes) == 0 &&
        py_set_u64(d, "memory_free_bytes", device->memory_free_bytes) == 0)
        return d;
    Py_XDECREF(d);
    return NULL;
}

static PyObject *devices_result(const listing *list, const ezlda_devices_info *info)
{
    PyObject *d = PyDict_New(), *all = PyList_New(0);
    for (size_t i = 0; all && i < list->n; i++) {
        PyObject *item = device_result(&list->device[i]);
        if (!item || PyList_Append(all, item) < 0)
            Py_CLEAR(all);
        Py_XDECREF(item);
    }
    if (d && py_set(d, "devices", all) == 0 &&
        py_set_u64(d, "cuda_build", (uint64_t)info->cuda_build) == 0 &&
        py_set_u64(d, "cuda_driver", (uint64_t)info->cuda_driver) == 0 &&
        py_set_text(d, "covers", info->covers) == 0 &&
        py_set_text(d, "no_cuda", info->no_cuda) == 0 &&
        py_set_text(d, "choice", info->choice) == 0 && py_set_text(d, "why", info->why) == 0)
        return d;
    Py_XDECREF(d);
    return NULL;
}

static PyObject *devices(PyObject *module, PyObject *context)
{
    ezlda_devices_info info = {.size = sizeof info};
    ezlda_status status;
    py_call call;
    listing *list = PyMem_Calloc(1, sizeof *list);
    if (!list)
        return PyErr_NoMemory();
    PyObject *result = NULL;
    if (py_call_begin(&call, module, context) == 0) {
        PyThreadState *thread = PyEval_SaveThread();
        status = ezlda_devices(call.context, &info, add_device, list);
        PyEval_RestoreThread(thread);
        if (py_call_end(&call, status) == 0)
            result = devices_result(list, &info);
    }
    PyMem_Free(list);
    return result;
}

static PyObject *open_device(PyObject *module, PyObject *args)
{
    PyObject *context;
    const char *device;
    py_call call;
    if (!PyArg_ParseTuple(args, "Os", &context, &device) ||
        py_call_begin(&call, module, context) < 0)
        return NULL;
    PyThreadState *thread = PyEval_SaveThread();
    ezlda_status status = ezlda_context_open_device(call.context, device);
    PyEval_RestoreThread(thread);
    if (py_call_end(&call, status) < 0)
        return NULL;
    Py_RETURN_NONE;
}

PyMethodDef py_device_functions[] = {
    {"devices", devices, METH_O, "devices(context) -> dict"},
    {"open_device", open_device, METH_VARARGS, "open_device(context, device)"},
    {NULL, NULL, 0, NULL}};
