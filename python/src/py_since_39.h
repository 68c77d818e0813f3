/* Calls of Python that one extension for 3.9 and later may use, although the headers hide them from
 * it: Py_buffer entered the stable ABI in 3.11 and PyUnicode_AsUTF8AndSize in 3.10. 3.9 and 3.10
 * export the same functions, with the same layout, and will not change any more. */
#ifndef PY_SINCE_39_H
#define PY_SINCE_39_H

#if defined(Py_LIMITED_API) && Py_LIMITED_API + 0 < 0x030A0000
const char *PyUnicode_AsUTF8AndSize(PyObject *text, Py_ssize_t *size);
#endif

#if defined(Py_LIMITED_API) && Py_LIMITED_API + 0 < 0x030B0000
typedef struct {
    void *buf;
    PyObject *obj;
    Py_ssize_t len, itemsize;
    int readonly, ndim;
    char *format;
    Py_ssize_t *shape, *strides, *suboffsets;
    void *internal;
} Py_buffer;

enum { PyBUF_WRITABLE = 1, PyBUF_FORMAT = 4, PyBUF_C_CONTIGUOUS = 0x20 | 0x10 | 8 };

int PyObject_GetBuffer(PyObject *object, Py_buffer *view, int flags);
void PyBuffer_Release(Py_buffer *view);
#endif

#endif
