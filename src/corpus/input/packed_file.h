/* Files that may be compressed: their names with and without the ending that says so. */
#ifndef EZ_PACKED_FILE_H
#define EZ_PACKED_FILE_H

#include <stdbool.h>
#include <stddef.h>

enum { EZ_PATH_SIZE = 4096 };

/* Length of a name without .gz, .zst and .xz at its end. */
size_t ez_unpacked_length(const char *name, size_t n);

/* The first `prefix` bytes of path, then name: out (EZ_PATH_SIZE) gets what is there of it,
 * compressed or not. is_it: which files count; NULL: all of them. */
bool ez_find_packed(char *out, const char *path, size_t prefix, const char *name,
                    bool (*is_it)(const char *path));

#endif
