/* What the Windows files of this room share: wide paths and error numbers. Only they include it. */
#ifndef EZ_OS_WINDOWS_H
#define EZ_OS_WINDOWS_H

#include "base/os/os_files.h"

#include <windows.h>

/* A path in UTF-16, with room for the prefix of long paths. */
typedef struct ez_wide_path {
    wchar_t text[EZ_OS_PATH + 8];
} ez_wide_path;

/* Converts a path from UTF-8. "/" becomes "\", and a path that is too long for the usual calls gets
 * the prefix \\?\. False with errno if it is not UTF-8 or too long. */
bool ez_windows_path(ez_wide_path *wide, const char *path);
/* Converts a text from UTF-16; false with errno if it does not fit. */
bool ez_windows_text(char *text, size_t size, const wchar_t *wide);

/* Sets errno from an error of Windows, and returns -1. */
int ez_windows_fail(DWORD error);
int ez_windows_failed(void); /* from the last error */

#endif
