/* Reads tables of lemmas from files and from the rules of text, looks words up, and writes the part
 * of a table that a corpus keeps. */
#include "corpus/text/vocabulary/lemmas.h"

#include "corpus/input/input.h"
#include "corpus/input/utf8.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES = 1 << 20 };

static const uint32_t *word_numbers(const ez_lemmas *lemmas)
{
    return (const uint32_t *)(const void *)lemmas->word_of.data;
}

static ezlda_status add_entry(ez_lemmas *lemmas, ezlda_context *context, const char *form,
                              size_t form_bytes, const char *lemma, size_t lemma_bytes)
{
    uint32_t form_id, word;
    bool added;
    if (ez_strings_find(&lemmas->forms, form, form_bytes) != EZ_NO_STRING)
        return EZLDA_OK;
    /* The arrays stay equally long if memory ends in between. */
    EZ_TRY(ez_strings_add(&lemmas->words, context, lemma, lemma_bytes, &word, &added));
    EZ_TRY(ez_buffer_append(&lemmas->word_of, context, &word, sizeof word));
    return ez_strings_add(&lemmas->forms, context, form, form_bytes, &form_id, &added);
}

/* ---- files ---- */

/* The only word of a text, normalised; 0 if there is none, or several. */
static size_t only_word(const ez_tokeniser *tokeniser, const char *at, const char *end, char *word)
{
    size_t n, more;
    const char *form = ez_next_word(tokeniser, &at, end, &n);
    if (!form || ez_next_word(tokeniser, &at, end, &more))
        return 0;
    n = ez_normalise_word(tokeniser, form, n, word);
    return memchr(word, ' ', n) ? 0 : n; /* the setting could not hold it */
}

static ezlda_status read_line(ez_lemmas *lemmas, ezlda_context *context, const char *path,
                              uint64_t number, const char *at, const char *end,
                              const ez_tokeniser *tokeniser)
{
    char form[EZ_WORD_BYTES + 1], lemma[EZ_WORD_BYTES + 1];
    if (end > at && end[-1] == '\r')
        end--;
    if (at == end)
        return EZLDA_OK;
    const char *tab = memchr(at, '\t', (size_t)(end - at)), *right = tab ? tab + 1 : end;
    if (!tab || tab == at || right == end || memchr(right, '\t', (size_t)(end - right)))
        return ez_fail(context, EZLDA_ERROR_FORMAT,
                       "%s:%" PRIu64 ": expected a form, a tab and its lemma, found \"%.*s\"", path,
                       number, (int)(end - at < 60 ? end - at : 60), at);
    size_t n = only_word(tokeniser, at, tab, form),
           m = n ? only_word(tokeniser, right, end, lemma) : 0;
    return m ? add_entry(lemmas, context, form, n, lemma, m) : EZLDA_OK;
}

static ezlda_status read_block(ez_lemmas *lemmas, ezlda_context *context, const char *path,
                               const ez_lines *lines, const ez_tokeniser *tokeniser)
{
    const char *at = lines->text, *end = at + lines->n;
    uint64_t number = lines->first_line;
    size_t good = ez_utf8_check(at, lines->n);
    if (good < lines->n)
        return ez_fail(context, EZLDA_ERROR_FORMAT,
                       "%s:%" PRIu64 ": expected a form, a tab and its lemma in UTF-8, found other "
                       "bytes",
                       path, number + ez_count_lines(at, good));
    if (number == 1)
        at += ez_byte_order_mark(at, lines->n);
    for (; at < end; number++) {
        const char *next = memchr(at, '\n', (size_t)(end - at));
        EZ_TRY(read_line(lemmas, context, path, number, at, next, tokeniser));
        at = next + 1;
    }
    return EZLDA_OK;
}

ezlda_status ez_lemmas_read(ez_lemmas *lemmas, ezlda_context *context, const char *path,
                            const ez_tokeniser *tokeniser)
{
    ez_tokeniser any = *tokeniser;
    ez_input *input = NULL;
    ez_lines lines = {0};
    ezlda_status status;
    any.min_length = 1;
    any.underscores = true;
    EZ_TRY_GOTO(ez_input_open(&input, context, path));
    do {
        EZ_TRY_GOTO(ez_input_lines(input, context, BLOCK_BYTES, &lines));
        EZ_TRY_GOTO(read_block(lemmas, context, path, &lines, &any));
    } while (lines.n);
    if (!lemmas->forms.n)
        status = ez_fail(context, EZLDA_ERROR_FORMAT,
                         "%s: expected lines of a form, a tab and its lemma, found none", path);
done:
    ez_lines_free(&lines);
    ez_input_close(input);
    return status;
}

/* ---- the setting ---- */

ezlda_status ez_lemmas_read_list(ez_lemmas *lemmas, ezlda_context *context, const char *list)
{
    while (list && *list) {
        size_t lemma = strcspn(list, " \n");
        const char *at = list + lemma;
        while (*at == ' ') {
            size_t n = strcspn(++at, " \n");
            if (n && lemma)
                EZ_TRY(add_entry(lemmas, context, at, n, list, lemma));
            at += n;
        }
        list = at + (*at == '\n');
    }
    return EZLDA_OK;
}

void ez_lemma_of(const ez_lemmas *lemmas, const char **word, size_t *n)
{
    uint32_t form = ez_strings_find(&lemmas->forms, *word, *n);
    if (form != EZ_NO_STRING)
        *word = ez_strings_get(&lemmas->words, word_numbers(lemmas)[form], n);
}

typedef struct entry {
    const char *lemma, *form;
} entry;

static int by_lemma(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    int order = strcmp(x->lemma, y->lemma);
    return order ? order : strcmp(x->form, y->form);
}

/* The entries to write: not those of forms that are their own lemmas. */
static size_t choose_entries(const ez_lemmas *lemmas, const unsigned char *marked, entry *entries)
{
    size_t n = 0;
    for (uint32_t i = 0; i < lemmas->forms.n; i++) {
        uint32_t word = word_numbers(lemmas)[i];
        entry one = {ez_strings_get(&lemmas->words, word, NULL),
                     ez_strings_get(&lemmas->forms, i, NULL)};
        if ((!marked || marked[word]) && strcmp(one.lemma, one.form) != 0)
            entries[n++] = one;
    }
    if (n > 1)
        qsort(entries, n, sizeof *entries, by_lemma);
    return n;
}

ezlda_status ez_lemmas_write(const ez_lemmas *lemmas, ezlda_context *context,
                             const unsigned char *marked, ez_buffer *to)
{
    entry *entries;
    EZ_TRY(ez_array(&entries, context, lemmas->forms.n, sizeof *entries, "lemmas"));
    size_t n = choose_entries(lemmas, marked, entries);
    ezlda_status status = EZLDA_OK;
    for (size_t i = 0; i < n && status == EZLDA_OK; i++) {
        if (!i || entries[i].lemma != entries[i - 1].lemma) {
            if (i)
                EZ_TRY_GOTO(ez_buffer_append(to, context, "\n", 1));
            EZ_TRY_GOTO(ez_buffer_append(to, context, entries[i].lemma, strlen(entries[i].lemma)));
        }
        EZ_TRY_GOTO(ez_buffer_append(to, context, " ", 1));
        status = ez_buffer_append(to, context, entries[i].form, strlen(entries[i].form));
    }
    if (status == EZLDA_OK)
        status = ez_buffer_append(to, context, "", 1);
done:
    ez_free(entries);
    return status;
}

void ez_lemmas_free(ez_lemmas *lemmas)
{
    ez_strings_free(&lemmas->forms);
    ez_strings_free(&lemmas->words);
    ez_free(lemmas->word_of.data);
    *lemmas = (ez_lemmas){0};
}
