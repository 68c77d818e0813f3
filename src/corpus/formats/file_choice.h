/* Which files of a folder or archive are read: patterns to include and to exclude. */
#ifndef EZ_FILE_CHOICE_H
#define EZ_FILE_CHOICE_H

#include <stdbool.h>
#include <stdint.h>

/* Lists of patterns as of the shell (*, ?, [a-z]), separated by commas; NULL: none. */
typedef struct ez_file_choice {
    const char *include, *exclude;
    uint64_t skipped; /* files that were not chosen */
} ez_file_choice;

/* Whether a file is read, by its path below the folder. A pattern means the whole path, the name of
 * the file, or the path or name of a folder that holds it. */
bool ez_file_chosen(ez_file_choice *choice, const char *path);

#endif
