/* Files that a command writes: checked before the work begins, written completely or not at all. */
#ifndef CLI_OUTPUT_PATH_H
#define CLI_OUTPUT_PATH_H

#include "options/options.h"

/* Checks that a file can be written at path: its directory exists and is writable, and it is
 * neither a directory nor one of the inputs. 0, or an exit status after one line that names
 * `option`. Does nothing if path is NULL. */
int output_check(const cli_call *call, const char *option, const char *path);

/* Whether the path is a device, a pipe or an open descriptor, which is written directly: it cannot
 * be replaced, and a failed write cannot be repeated. */
bool output_is_direct(const char *path);

/* Writes the file through a temporary name beside it, or directly if it is a device or a pipe. 0,
 * or CLI_FAILURE after one line. */
int output_write(const char *path, const char *bytes, size_t n);

/* Removes the temporary file of an output_write that has not finished; async-signal-safe. */
void output_remove_temporary(void);

#endif
