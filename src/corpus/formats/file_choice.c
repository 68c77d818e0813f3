/* Matches paths against patterns to include and to exclude. */
#include "corpus/formats/file_choice.h"

#include "base/os/os_text.h"
#include "corpus/input/input.h"

#include <stdio.h>
#include <string.h>

/* Whether a pattern matches a path or a name that ends with it. */
static bool matches_end(const char *pattern, const char *path)
{
    const char *slash = strrchr(path, '/');
    return ez_os_matches(pattern, path) || (slash && ez_os_matches(pattern, slash + 1));
}

/* Whether a pattern matches a path or one of the folders above it. */
static bool matches(const char *pattern, const char *path)
{
    char above[EZ_PATH_SIZE];
    if (matches_end(pattern, path))
        return true;
    for (const char *slash = path; (slash = strchr(slash, '/')); slash++) {
        size_t n = (size_t)(slash - path);
        if (!n || n >= sizeof above)
            continue;
        memcpy(above, path, n);
        above[n] = '\0';
        if (matches_end(pattern, above))
            return true;
    }
    return false;
}

/* Whether a pattern of the list matches. */
static bool listed(const char *list, const char *path)
{
    char pattern[EZ_PATH_SIZE];
    while (*list) {
        size_t n = strcspn(list, ",");
        snprintf(pattern, sizeof pattern, "%.*s", (int)(n < sizeof pattern ? n : 0), list);
        if (*pattern && matches(pattern, path))
            return true;
        list += n + (list[n] == ',');
    }
    return false;
}

bool ez_file_chosen(ez_file_choice *choice, const char *path)
{
    while (*path == '/')
        path++;
    bool chosen = (!choice->include || listed(choice->include, path)) &&
                  !(choice->exclude && listed(choice->exclude, path));
    choice->skipped += !chosen;
    return chosen;
}
