/* The wrapper around libstemmer; it turns a failed allocation into an error. */
#include "corpus/text/vocabulary/stemming.h"

#include "base/memory.h"

#include <errno.h>
#include <libstemmer.h>
#include <limits.h>
#include <stdio.h>

struct ez_stemmer {
    struct sb_stemmer *snowball;
};

/* NULL if there is no such stemmer, or, with errno = ENOMEM, if there is not enough memory. */
static struct sb_stemmer *create_snowball(const char *language)
{
    errno = 0;
    return sb_stemmer_new(language, "UTF_8");
}

bool ez_stemmer_known(const char *language)
{
    struct sb_stemmer *snowball = create_snowball(language);
    bool known = snowball || errno == ENOMEM;
    sb_stemmer_delete(snowball);
    return known;
}

void ez_stemmer_names(char *text, size_t n)
{
    size_t used = 0;
    text[0] = '\0';
    for (const char **name = sb_stemmer_list(); *name && used < n; name++) {
        int written = snprintf(text + used, n - used, "%s%s", used ? ", " : "", *name);
        used += written > 0 ? (size_t)written : 0;
    }
}

ezlda_status ez_stemmer_create(ez_stemmer **out, ezlda_context *context, const char *language)
{
    EZ_TRY(ez_array(out, context, 1, sizeof **out, "a stemmer"));
    (*out)->snowball = create_snowball(language);
    bool no_memory = errno == ENOMEM;
    if ((*out)->snowball)
        return EZLDA_OK;
    ez_stemmer_free(*out);
    *out = NULL;
    if (no_memory)
        return ez_fail(context, EZLDA_ERROR_MEMORY, "not enough memory for a stemmer");
    return ez_fail(context, EZLDA_ERROR_ARGUMENT, "no stemmer for \"%s\"", language);
}

ezlda_status ez_stem(ez_stemmer *stemmer, ezlda_context *context, const char *word, size_t n,
                     const char **stem, size_t *length)
{
    const sb_symbol *found =
        n < INT_MAX ? sb_stemmer_stem(stemmer->snowball, (const sb_symbol *)word, (int)n) : NULL;
    if (!found)
        return ez_fail(context, EZLDA_ERROR_MEMORY, "not enough memory to stem a word");
    int left = sb_stemmer_length(stemmer->snowball);
    *stem = left > 0 ? (const char *)found : word;
    *length = left > 0 ? (size_t)left : n;
    return EZLDA_OK;
}

void ez_stemmer_free(ez_stemmer *stemmer)
{
    if (!stemmer)
        return;
    sb_stemmer_delete(stemmer->snowball);
    ez_free(stemmer);
}
