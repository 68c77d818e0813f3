/* Finds the table of lemmas that an option names: a file, or a language with a table in a folder of
 * data. */
#include "corpus/text/vocabulary/lemmas.h"

#include "base/copy_string.h"
#include "base/os/os_files.h"
#include "corpus/text/stopwords/stopwords.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_BYTES = 4096 };

/* The i-th folder that may hold tables; false after the last. "" if it is not set. */
static bool data_folder(int i, char *folder)
{
    static const char *const system[] = {"/usr/local/share/ezlda", "/usr/share/ezlda"};
    const char *named = getenv("EZLDA_DATA"), *data = getenv("XDG_DATA_HOME"),
               *home = getenv("HOME");
    *folder = '\0';
    if (i == 0 && named)
        snprintf(folder, PATH_BYTES, "%s", named);
    else if (i == 1 && data && *data)
        snprintf(folder, PATH_BYTES, "%s/ezlda", data);
    else if (i == 1 && home && *home)
        snprintf(folder, PATH_BYTES, "%s/.local/share/ezlda", home);
    else if (i > 1 && i < 4)
        snprintf(folder, PATH_BYTES, "%s", system[i - 2]);
    return i < 4;
}

static bool find_table(const char *language, char *path)
{
    static const char *const endings[] = {".tsv", ".tsv.gz", ".tsv.zst", ".tsv.xz"};
    char folder[PATH_BYTES];
    for (int i = 0; data_folder(i, folder); i++) {
        for (size_t j = 0; *folder && j < sizeof endings / sizeof *endings; j++) {
            int n = snprintf(path, PATH_BYTES, "%s/lemmas/%s%s", folder, language, endings[j]);
            if (n < PATH_BYTES && ez_os_is_readable(path))
                return true;
        }
    }
    return false;
}

ezlda_status ez_lemmas_find(char **path, ezlda_context *context, const char *spec)
{
    char found[PATH_BYTES];
    if (strpbrk(spec, "./") || ez_os_is_there(spec))
        return ez_copy_string(path, context, spec);
    const ez_stop_list *list = ez_stop_named(spec);
    if (find_table(list ? list->code : spec, found))
        return ez_copy_string(path, context, found);
    return ez_fail(
        context, EZLDA_ERROR_ARGUMENT,
        "lemmas: \"%s\" is neither a file nor a language with a table in "
        "~/.local/share/ezlda/lemmas or $EZLDA_DATA/lemmas (scripts/lemma_table.py makes "
        "one)",
        spec);
}
