/* Keeps the words that stand for stems, and writes and reads them as a setting. */
#include "corpus/text/vocabulary/shown_forms.h"

#include <stdlib.h>
#include <string.h>

ezlda_status ez_stem_unless(ez_stemmer *stemmer, ezlda_context *context,
                            const ez_strings *unstemmed, const char **word, size_t *n)
{
    if (ez_strings_find(unstemmed, *word, *n) != EZ_NO_STRING)
        return EZLDA_OK;
    return ez_stem(stemmer, context, *word, *n, word, n);
}

static ezlda_status add_form(ez_shown *shown, ezlda_context *context, const char *form, size_t n,
                             ez_stemmer *stemmer, const ez_strings *unstemmed)
{
    const char *stem = form;
    size_t length = n;
    uint32_t id;
    bool added;
    EZ_TRY(ez_stem_unless(stemmer, context, unstemmed, &stem, &length));
    /* Both tables must have the same numbers, whatever a file says. */
    if (ez_strings_find(&shown->stems, stem, length) != EZ_NO_STRING ||
        ez_strings_find(&shown->forms, form, n) != EZ_NO_STRING)
        return EZLDA_OK;
    EZ_TRY(ez_strings_add(&shown->stems, context, stem, length, &id, &added));
    return ez_strings_add(&shown->forms, context, form, n, &id, &added);
}

ezlda_status ez_shown_read(ez_shown *shown, ezlda_context *context, const char *list,
                           ez_stemmer *stemmer, const ez_strings *unstemmed)
{
    while (list && *list) {
        size_t n = strcspn(list, " ");
        if (n)
            EZ_TRY(add_form(shown, context, list, n, stemmer, unstemmed));
        list += n + (list[n] == ' ');
    }
    return EZLDA_OK;
}

const char *ez_shown_form(const ez_shown *shown, const char *stem, size_t n)
{
    uint32_t id = ez_strings_find(&shown->stems, stem, n);
    return id == EZ_NO_STRING ? NULL : ez_strings_get(&shown->forms, id, NULL);
}

void ez_shown_free(ez_shown *shown)
{
    ez_strings_free(&shown->stems);
    ez_strings_free(&shown->forms);
}

static int by_bytes(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

ezlda_status ez_shown_write(ez_buffer *to, ezlda_context *context, const char **forms, size_t n)
{
    if (n > 1)
        qsort(forms, n, sizeof *forms, by_bytes);
    for (size_t i = 0; i < n; i++) {
        EZ_TRY(ez_buffer_append(to, context, " ", i > 0));
        EZ_TRY(ez_buffer_append(to, context, forms[i], strlen(forms[i])));
    }
    return ez_buffer_append(to, context, "", 1);
}

bool ez_shown_before(uint64_t tokens, const char *form, uint64_t other_tokens, const char *other)
{
    size_t n = strlen(form), m = strlen(other);
    if (tokens != other_tokens)
        return tokens > other_tokens;
    return n != m ? n < m : strcmp(form, other) < 0;
}
