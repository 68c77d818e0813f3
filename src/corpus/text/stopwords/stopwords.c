/* Finds the lists of stop words by name and reads lists from files. */
#include "corpus/text/stopwords/stopwords.h"

#include "base/os/os_files.h"
#include "corpus/input/input.h"
#include "corpus/input/utf8.h"
#include "corpus/text/tokeniser/tokeniser.h"

#include <string.h>

enum { STOP_FILE_BYTES = 16 << 20 };

const ez_stop_list *ez_stop_language(uint32_t i)
{
    static const struct {
        const ez_stop_list *lists;
        uint32_t n;
    } families[] = {{ez_stop_germanic, EZ_STOP_GERMANIC}, {ez_stop_romance, EZ_STOP_ROMANCE},
                    {ez_stop_slavic, EZ_STOP_SLAVIC},     {ez_stop_europe, EZ_STOP_EUROPE},
                    {ez_stop_asia, EZ_STOP_ASIA},         {ez_stop_pacific, EZ_STOP_PACIFIC}};
    for (size_t f = 0; f < sizeof families / sizeof *families; i -= families[f++].n)
        if (i < families[f].n)
            return &families[f].lists[i];
    return NULL;
}

const char *ezlda_language_code(uint32_t i)
{
    const ez_stop_list *list = ez_stop_language(i);
    return list ? list->code : NULL;
}

const char *ezlda_language_name(uint32_t i)
{
    const ez_stop_list *list = ez_stop_language(i);
    return list ? list->name : NULL;
}

/* Whether a word is in a list whose entries are separated by `separator`. */
static bool in_list(const char *list, const char *word, char separator)
{
    size_t n = strlen(word);
    for (const char *at = list, *next; at; at = next) {
        const char *end = strchr(at, separator);
        next = end ? end + 1 : NULL;
        if ((end ? (size_t)(end - at) : strlen(at)) == n && memcmp(at, word, n) == 0)
            return true;
    }
    return false;
}

const ez_stop_list *ez_stop_named(const char *name)
{
    for (uint32_t i = 0; *name && i < EZ_STOP_LANGUAGES; i++) {
        const ez_stop_list *list = ez_stop_language(i);
        if (strcmp(list->code, name) == 0 || strcmp(list->name, name) == 0 ||
            in_list(list->aliases, name, ' '))
            return list;
    }
    return NULL;
}

bool ez_stopwords_ask(const char *spec, const char *what)
{
    return spec && in_list(spec, what, ',');
}

typedef ezlda_status (*word_fn)(void *to, ezlda_context *context, const char *word, size_t n);

/* Calls `use` for every normalised word of a text, whatever its length. */
static ezlda_status each_word(ezlda_context *context, const char *text, size_t length, word_fn use,
                              void *to)
{
    ez_tokeniser tokeniser;
    ez_tokeniser_init(&tokeniser, false, true, true, 1);
    const char *at = text, *end = text + length, *form;
    size_t n;
    while ((form = ez_next_word(&tokeniser, &at, end, &n))) {
        char word[EZ_WORD_BYTES + 1];
        n = ez_normalise_word(&tokeniser, form, n, word);
        if (n)
            EZ_TRY(use(to, context, word, n));
    }
    return EZLDA_OK;
}

static ezlda_status add_stopword(void *to, ezlda_context *context, const char *word, size_t n)
{
    uint32_t id;
    bool added;
    return ez_strings_add(to, context, word, n, &id, &added);
}

static ezlda_status read_whole(ezlda_context *context, ez_input *input, ez_buffer *text)
{
    for (;;) {
        size_t got;
        EZ_TRY(ez_buffer_reserve(text, context, 65536));
        EZ_TRY(ez_input_read(input, context, text->data + text->used, 65536, &got));
        text->used += got;
        if (got < 65536)
            return EZLDA_OK;
        if (text->used > STOP_FILE_BYTES)
            return ez_fail(context, EZLDA_ERROR_FORMAT, "%s: too large for a list of stop words",
                           ez_input_name(input));
    }
}

static ezlda_status add_file(ez_strings *set, ezlda_context *context, const char *path)
{
    ez_input *input = NULL;
    ez_buffer text = {0};
    ezlda_status status;
    EZ_TRY_GOTO(ez_input_open(&input, context, path));
    EZ_TRY_GOTO(read_whole(context, input, &text));
    const char *at = (const char *)text.data;
    size_t bad = ez_utf8_check(at, text.used), line = 1;
    if (bad < text.used) {
        for (size_t i = 0; i < bad; i++)
            line += at[i] == '\n';
        status = ez_fail(context, EZLDA_ERROR_FORMAT, "%s:%zu: the stop words are not UTF-8 text",
                         path, line);
        goto done;
    }
    status = each_word(context, at, text.used, add_stopword, set);
done:
    ez_input_close(input);
    ez_free(text.data);
    return status;
}

ezlda_status ez_stopwords_add_list(ez_strings *set, ezlda_context *context, const char *words)
{
    return each_word(context, words, strlen(words), add_stopword, set);
}

/* A name with a dot or a slash is a file; anything else that is not a language and cannot be opened
 * is probably a misspelt language. */
static bool looks_like_language(const char *name)
{
    return !strchr(name, '.') && !ez_os_last_separator(name) && !ez_os_is_there(name);
}

static ezlda_status add_element(ez_strings *set, ezlda_context *context, const char *name)
{
    const ez_stop_list *list = ez_stop_named(name);
    if (list)
        return ez_stopwords_add_list(set, context, list->words);
    if (strcmp(name, "auto") == 0 || strcmp(name, "corpus") == 0 || strcmp(name, "none") == 0)
        return EZLDA_OK;
    if (looks_like_language(name))
        return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                       "stop words: \"%s\" is neither a language with a list nor a file "
                       "('ezlda help languages' shows the languages)",
                       name);
    return add_file(set, context, name);
}

ezlda_status ez_stopwords_add(ez_strings *set, ezlda_context *context, const char *spec)
{
    size_t size = strlen(spec) + 1;
    char *copy;
    EZ_TRY(ez_array(&copy, context, size, 1, "the list of stop words"));
    memcpy(copy, spec, size);
    ezlda_status status = EZLDA_OK;
    for (char *name = copy, *comma; name && status == EZLDA_OK; name = comma) {
        comma = strchr(name, ',');
        if (comma)
            *comma++ = '\0';
        status = add_element(set, context, name);
    }
    ez_free(copy);
    return status;
}
