/* Files that a command writes: checked before the work begins, written whole or not at all. */
#ifndef CLI_OUTPUT_PATH_H
#define CLI_OUTPUT_PATH_H

#include "options/options.h"

/* Whether a file can be written at path: its directory exists and may be written to, it is no
 * directory itself, it is none of the inputs. 0, or an exit status after one line that names
 * `option`. path NULL: nothing to check. */
int output_check(const cli_call *call, const char *option, const char *path);

/* Whether it is a device, a pipe or an open descriptor: it cannot be replaced, and what went wrong
 * there not repeated.
 */
bool output_is_straight(const char *path);

/* Writes the file through a temporary name beside it (straight where it is a device or a pipe). 0,
 * or CLI_FAILURE after one line. */
int output_write(const char *path, const char *bytes, size_t n);

/* Removes the temporary file of an output_write that is at work; async-signal-safe. */
void output_remove_temporary(void);

#endif
