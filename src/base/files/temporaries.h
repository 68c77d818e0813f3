/* Files and folders that are being written under temporary names: whoever ends the process by a
 * signal's handler can have them removed. */
#ifndef EZ_TEMPORARIES_H
#define EZ_TEMPORARIES_H

#include <stdbool.h>

/* Notes one that has just been made. names: of a folder, all files that may be in it, ended by
 * NULL, valid to its end; NULL: a file. Returns its number; one that finds no room (a negative
 * number) stays behind where a signal ends the process. */
int ez_temporary_begin(const char *path, const char *const *names);
/* It has its own name now, is gone, or (a folder) is about to be renamed. False: it was removed
 * before. Accepts a negative number. */
bool ez_temporary_end(int number);
/* Removes the files of a folder that have these names, and the folder; async-signal-safe. */
void ez_remove_folder(const char *path, const char *const *names);

#endif
