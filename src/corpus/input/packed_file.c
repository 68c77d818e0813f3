#include "corpus/input/packed_file.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static const char *const EZ_PACKED[] = {"", ".gz", ".zst", ".xz"};
enum { EZ_N_PACKED = sizeof EZ_PACKED / sizeof *EZ_PACKED };

size_t ez_unpacked_length(const char *name, size_t n)
{
    for (int i = 0; i < EZ_N_PACKED; i++) {
        size_t ending = strlen(EZ_PACKED[i]);
        n -= n > ending && !memcmp(name + n - ending, EZ_PACKED[i], ending) ? ending : 0;
    }
    return n;
}

bool ez_find_packed(char *out, const char *path, size_t prefix, const char *name,
                    bool (*is_it)(const char *path))
{
    struct stat info;
    for (int i = 0; i < EZ_N_PACKED; i++) {
        int n = snprintf(out, EZ_PATH_SIZE, "%.*s%s%s", (int)prefix, path, name, EZ_PACKED[i]);
        if (n > 0 && n < EZ_PATH_SIZE && stat(out, &info) == 0 && S_ISREG(info.st_mode) &&
            (!is_it || is_it(out)))
            return true;
    }
    return false;
}
