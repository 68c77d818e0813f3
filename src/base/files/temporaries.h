/* The list of files and folders that are being written under temporary names. A signal handler that
 * ends the process can have them removed. */
#ifndef EZ_TEMPORARIES_H
#define EZ_TEMPORARIES_H

#include <stdbool.h>

/* Adds a file or folder that has just been made. names: for a folder, all files that may be in it,
 * ended by NULL and valid until ez_temporary_end; NULL for a file. Returns its number. If the list
 * is full, the number is negative, and the file stays behind if a signal ends the process. */
int ez_temporary_begin(const char *path, const char *const *names);
/* Removes it from the list: it has its final name, is deleted or, for a folder, is about to be
 * renamed. False if a handler has already removed it from disk. Accepts a negative number. */
bool ez_temporary_end(int number);

#endif
