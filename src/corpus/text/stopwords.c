/* Finds the lists of stop words by name, reads lists from files, and guesses the language of a
 * sample. */
#include "corpus/text/stopwords.h"

#include "corpus/input/input.h"
#include "corpus/input/utf8.h"
#include "corpus/text/tokeniser.h"

#include <string.h>

/* In running text, 40 to 50 % of the words are in the list of its language, 5 to 15 % in that of a
 * related one. */
static const double CLEAR_SHARE = 0.20;
enum { STOP_FILE_BYTES = 16 << 20 };

const ez_stop_list *ez_stop_language(uint32_t i)
{
    if (i < 6)
        return &ez_stop_germanic[i];
    if (i < 10)
        return &ez_stop_romance[i - 6];
    return i < EZ_STOP_LANGUAGES ? &ez_stop_eastern[i - 10] : NULL;
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

static const ez_stop_list *list_named(const char *name)
{
    for (uint32_t i = 0; i < EZ_STOP_LANGUAGES; i++) {
        const ez_stop_list *list = ez_stop_language(i);
        if (strcmp(list->code, name) == 0 || strcmp(list->name, name) == 0)
            return list;
    }
    return NULL;
}

/* Two or three lower-case letters are a language code; anything else is a file. */
static bool looks_like_code(const char *name)
{
    size_t n = strspn(name, "abcdefghijklmnopqrstuvwxyz");
    return name[n] == '\0' && (n == 2 || n == 3);
}

static ezlda_status add_element(ez_strings *set, ezlda_context *context, const char *name)
{
    const ez_stop_list *list = list_named(name);
    if (list)
        return each_word(context, list->words, strlen(list->words), add_stopword, set);
    if (looks_like_code(name) || !*name)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                       "stop words: no language \"%s\" (en de nl sv da no fr es it pt pl cs ru fi, "
                       "auto, none, a file)",
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

typedef struct guess_target {
    ez_stop_guess *guess;
    uint32_t bit;
} guess_target;

static ezlda_status add_guess_word(void *to, ezlda_context *context, const char *word, size_t n)
{
    guess_target *target = to;
    uint32_t id;
    bool added;
    EZ_TRY(ez_strings_add(&target->guess->words, context, word, n, &id, &added));
    if (added)
        EZ_TRY(ez_buffer_append(&target->guess->masks, context, &(uint32_t){0}, sizeof(uint32_t)));
    ((uint32_t *)(void *)target->guess->masks.data)[id] |= target->bit;
    return EZLDA_OK;
}

ezlda_status ez_stop_guess_init(ez_stop_guess *guess, ezlda_context *context)
{
    for (uint32_t i = 0; i < EZ_STOP_LANGUAGES; i++) {
        guess_target target = {guess, (uint32_t)1 << i};
        const char *words = ez_stop_language(i)->words;
        EZ_TRY(each_word(context, words, strlen(words), add_guess_word, &target));
    }
    return EZLDA_OK;
}

void ez_stop_guess_feed(ez_stop_guess *guess, const char *word, size_t n)
{
    guess->tokens++;
    uint32_t id = ez_strings_find(&guess->words, word, n);
    if (id == EZ_NO_STRING)
        return;
    uint32_t mask = ((const uint32_t *)(const void *)guess->masks.data)[id];
    for (uint32_t i = 0; i < EZ_STOP_LANGUAGES; i++)
        guess->hits[i] += mask >> i & 1;
}

const ez_stop_list *ez_stop_guess_best(const ez_stop_guess *guess, double *share)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < EZ_STOP_LANGUAGES; i++)
        if (guess->hits[i] > guess->hits[best])
            best = i;
    *share = guess->tokens ? (double)guess->hits[best] / (double)guess->tokens : 0;
    return guess->tokens >= EZ_STOP_GUESS_WORDS && *share >= CLEAR_SHARE ? ez_stop_language(best)
                                                                         : NULL;
}

void ez_stop_guess_free(ez_stop_guess *guess)
{
    ez_strings_free(&guess->words);
    ez_free(guess->masks.data);
    memset(guess, 0, sizeof *guess);
}
