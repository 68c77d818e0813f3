/* Finds the vocabulary that belongs to a bag of words and reads it, as a list of words or as a
 * dictionary. */
#include "corpus/formats/vocabulary_file.h"

#include "base/copy_string.h"
#include "base/os/os_files.h"
#include "corpus/formats/number_parse.h"
#include "corpus/input/input.h"
#include "corpus/input/utf8.h"
#include "corpus/text/string_table.h"

#include <inttypes.h>
#include <stdio.h>

/* ---- finding the file ---- */

enum { EZ_PICKLE = 0x80 }; /* first byte of a dictionary that gensim saved as a pickle */

static bool is_text(const char *path)
{
    FILE *file = ez_os_stream(path);
    int first = file ? fgetc(file) : 0;
    if (file)
        fclose(file);
    return first != EZ_PICKLE;
}

/* Looks for "folder/name", compressed or not, and writes the path found to out. */
static bool try_name(char *out, int folder_length, const char *folder, int length, const char *name,
                     const char *suffix)
{
    char whole[EZ_PATH_SIZE];
    int n = snprintf(whole, sizeof whole, "%.*s%s", length, name, suffix);
    return n > 0 && n < EZ_PATH_SIZE &&
           ez_find_packed(out, folder, (size_t)folder_length, whole, is_text);
}

static bool find_beside(const char *path, char *out)
{
    const char *slash = ez_os_last_separator(path), *name = slash ? slash + 1 : path;
    int folder = (int)(name - path), length = (int)ez_unpacked_length(name, strlen(name));
    if (length > 7 && !memcmp(name, "docword", 7)) {
        char other[EZ_PATH_SIZE];
        snprintf(other, sizeof other, "vocab%.*s", length - 7, name + 7);
        if (try_name(out, folder, path, (int)strlen(other), other, ""))
            return true;
    }
    int stem = length;
    for (int i = length - 1; i > 0; i--)
        if (name[i] == '.') {
            stem = i;
            break;
        }
    static const char *const suffixes[] = {".vocab", ".vocab.txt", ".dict"};
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
        if (try_name(out, folder, path, length, name, suffixes[i]) ||
            try_name(out, folder, path, stem, name, suffixes[i]))
            return true;
    return try_name(out, folder, path, 9, "vocab.txt", "");
}

/* ---- reading the file ---- */

static ezlda_status read_all(ez_input *input, ezlda_context *context, ez_buffer *all)
{
    enum { STEP = 1 << 16 };
    size_t got;
    do {
        EZ_TRY(ez_buffer_reserve(all, context, STEP));
        EZ_TRY(ez_input_read(input, context, all->data + all->used, STEP, &got));
        all->used += got;
    } while (got == STEP);
    return ez_buffer_append(all, context, "\n", all->used && all->data[all->used - 1] != '\n');
}

/* Parses a line of a dictionary: number, TAB, word, TAB, frequency. */
static bool dictionary_line(const char *at, uint64_t *number, const char **word, size_t *length)
{
    at = ez_parse_whole(at, EZ_MAX_WORDS, number);
    if (!at || *at != '\t')
        return false;
    *word = ++at;
    while (*at != '\t' && *at != '\n')
        at++;
    *length = (size_t)(at - *word);
    uint64_t frequency;
    if (*at != '\t' || !*length)
        return false;
    at = ez_parse_whole(at + 1, (uint64_t)1 << 59, &frequency);
    return at && *ez_skip_spaces(at) == '\n';
}

static bool only_a_number(const char *at)
{
    uint64_t number;
    at = ez_parse_whole(at, (uint64_t)1 << 59, &number);
    return at && *ez_skip_spaces(at) == '\n';
}

static ezlda_status add_word(ez_vocabulary *vocabulary, ezlda_context *context, uint64_t line,
                             const char *word, size_t n)
{
    if (ez_utf8_check(word, n) != n)
        return ez_fail(context, EZLDA_ERROR_FORMAT,
                       "%s:%" PRIu64 ": expected a word in UTF-8, found other bytes",
                       vocabulary->path, line);
    if (vocabulary->n == EZ_MAX_WORDS)
        return ez_fail(context, EZLDA_ERROR_FORMAT, "%s:%" PRIu64 ": more than %d words",
                       vocabulary->path, line, EZ_MAX_WORDS);
    vocabulary->n++;
    EZ_TRY(ez_buffer_append(&vocabulary->text, context, word, n));
    return ez_buffer_append(&vocabulary->text, context, "", 1);
}

static ezlda_status read_list(ez_vocabulary *vocabulary, ezlda_context *context, const char *at,
                              const char *end)
{
    while (end > at &&
           (ez_is_space(end[-1]) || (end[-1] == '\n' && end - 1 > at && end[-2] == '\n')))
        end--; /* ignore empty lines at the end */
    for (uint64_t line = 1; at < end; line++) {
        const char *next = memchr(at, '\n', (size_t)(end - at));
        size_t n = (size_t)((next ? next : end) - at);
        while (n && ez_is_space(at[n - 1]))
            n--;
        if (!n)
            return ez_fail(context, EZLDA_ERROR_FORMAT,
                           "%s:%" PRIu64 ": expected a word, found an empty line", vocabulary->path,
                           line);
        EZ_TRY(add_word(vocabulary, context, line, at, n));
        at = next ? next + 1 : end;
    }
    return EZLDA_OK;
}

typedef struct ez_entry {
    const char *word; /* NULL: none yet */
    size_t length;
    uint64_t line;
} ez_entry;

static ezlda_status fill_entries(const ez_vocabulary *vocabulary, ezlda_context *context,
                                 const char *at, const char *end, uint64_t line, ez_entry *entries,
                                 uint64_t n)
{
    for (; at < end; at = ez_next_line(at), line++) {
        uint64_t number;
        ez_entry entry = {.line = line};
        if (!dictionary_line(at, &number, &entry.word, &entry.length))
            return ez_fail_expected(context, vocabulary->path, line, at,
                                    "number<TAB>word<TAB>frequency");
        if (number >= n || entries[number].word)
            return ez_fail(context, EZLDA_ERROR_FORMAT,
                           "%s:%" PRIu64 ": expected each of the numbers 0 to %" PRIu64
                           " once, found %" PRIu64 "%s",
                           vocabulary->path, line, n - 1, number, number < n ? " again" : "");
        entries[number] = entry;
    }
    return EZLDA_OK;
}

static ezlda_status read_dictionary(ez_vocabulary *vocabulary, ezlda_context *context,
                                    const char *at, const char *end, uint64_t line)
{
    uint64_t n = 0;
    for (const char *p = at; p < end; p = ez_next_line(p))
        n++;
    ez_entry *entries;
    EZ_TRY(ez_array_zero(&entries, context, (size_t)n, sizeof *entries, "a vocabulary"));
    ezlda_status status = fill_entries(vocabulary, context, at, end, line, entries, n);
    for (uint64_t i = 0; i < n && status == EZLDA_OK; i++)
        status = add_word(vocabulary, context, entries[i].line, entries[i].word, entries[i].length);
    ez_free(entries);
    return status;
}

static ezlda_status parse_vocabulary(ez_vocabulary *vocabulary, ezlda_context *context,
                                     const char *text, size_t n)
{
    if (!n)
        return ez_fail(context, EZLDA_ERROR_FORMAT,
                       "%s: expected a vocabulary, found an empty file", vocabulary->path);
    if ((unsigned char)text[0] == EZ_PICKLE)
        return ez_fail(
            context, EZLDA_ERROR_FORMAT,
            "%s: expected a vocabulary as text, found a Python pickle (gensim: use save_as_text)",
            vocabulary->path);
    const char *end = text + n, *second = ez_next_line(text), *word;
    uint64_t number;
    size_t length;
    if (dictionary_line(text, &number, &word, &length))
        return read_dictionary(vocabulary, context, text, end, 1);
    if (second < end && only_a_number(text) && dictionary_line(second, &number, &word, &length))
        return read_dictionary(vocabulary, context, second, end, 2);
    return read_list(vocabulary, context, text, end);
}

static ezlda_status read_vocabulary(ez_vocabulary *vocabulary, ezlda_context *context,
                                    const char *path)
{
    ez_buffer text = {0};
    ez_input *input = NULL;
    ezlda_status status;
    EZ_TRY(ez_copy_string(&vocabulary->path, context, path));
    EZ_TRY_GOTO(ez_input_open(&input, context, path));
    EZ_TRY_GOTO(read_all(input, context, &text));
    size_t mark = ez_byte_order_mark((const char *)text.data, text.used);
    status =
        parse_vocabulary(vocabulary, context, (const char *)text.data + mark, text.used - mark);
done:
    ez_input_close(input);
    ez_free(text.data);
    return status;
}

/* Words with the same spelling stay separate here, but other corpora and new text match only the
 * first of them. */
static ezlda_status note_duplicates(const ez_vocabulary *vocabulary, ezlda_context *context)
{
    ez_strings table = {0};
    const char *at = (const char *)vocabulary->text.data, *twice = NULL;
    ezlda_status status = EZLDA_OK;
    for (uint32_t i = 0, id; i < vocabulary->n && status == EZLDA_OK; i++, at += strlen(at) + 1) {
        bool added = true;
        status = ez_strings_add(&table, context, at, strlen(at), &id, &added);
        twice = added || twice ? twice : at;
    }
    if (status == EZLDA_OK && twice)
        ez_warn(context,
                "%s: %u of the %u words are duplicates, first \"%s\": other corpora and new text "
                "match the first of each",
                vocabulary->path, vocabulary->n - table.n, vocabulary->n, twice);
    ez_strings_free(&table);
    return status;
}

ezlda_status ez_vocabulary_find(ez_vocabulary *vocabulary, ezlda_context *context,
                                const ez_input *input, const ezlda_import_options *options)
{
    char beside[EZ_PATH_SIZE];
    const char *path = options ? options->vocab : NULL;
    if (!path && find_beside(ez_input_name(input), beside)) {
        path = beside;
        ez_note(context, "words from %s", path);
    }
    if (!path)
        return EZLDA_OK;
    EZ_TRY(read_vocabulary(vocabulary, context, path));
    return note_duplicates(vocabulary, context);
}

ezlda_status ez_vocabulary_expect(const ez_vocabulary *vocabulary, ezlda_context *context,
                                  const ez_input *input, uint64_t words)
{
    if (!vocabulary->path || vocabulary->n == words)
        return EZLDA_OK;
    return ez_fail(context, EZLDA_ERROR_FORMAT,
                   "%s: expected %" PRIu64 " words as %s says, found %u", vocabulary->path, words,
                   ez_input_name(input), vocabulary->n);
}

ezlda_status ez_vocabulary_finish(const ez_vocabulary *vocabulary, ezlda_context *context,
                                  ez_corpus_builder *builder, ezlda_corpus **out, uint32_t n_words)
{
    if (!vocabulary->path)
        return ez_corpus_builder_finish(builder, out, context, NULL, n_words);
    return ez_corpus_builder_finish_text(builder, out, context, (const char *)vocabulary->text.data,
                                         vocabulary->n);
}

void ez_vocabulary_free(ez_vocabulary *vocabulary)
{
    ez_free(vocabulary->path);
    ez_free(vocabulary->text.data);
    *vocabulary = (ez_vocabulary){0};
}
