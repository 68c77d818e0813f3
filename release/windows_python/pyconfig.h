/* What Python.h has to know about 64-bit Windows and MinGW-w64. The other headers of Python are the
 * same on every system; this one is made by a configuration, and Debian's is for Linux. */
#ifndef PYCONFIG_WINDOWS_H
#define PYCONFIG_WINDOWS_H

#define MS_WINDOWS
#define MS_WIN64
#define Py_ENABLE_SHARED /* the functions are in a DLL */
#define HAVE_DECLSPEC_DLL
#define HAVE_SSIZE_T 1
#define SIZEOF_SHORT 2
#define SIZEOF_INT 4
#define SIZEOF_LONG 4
#define SIZEOF_LONG_LONG 8
#define SIZEOF_SIZE_T 8
#define SIZEOF_VOID_P 8
#define SIZEOF_WCHAR_T 2

#endif
