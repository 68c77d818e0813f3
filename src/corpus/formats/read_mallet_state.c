/* Reads MALLET's state: first the header with the priors, then one token per line. Threads parse
 * blocks of lines; the calling thread puts documents and vocabulary together, in the order of the
 * file. */
#include "base/os/os_text.h"
#include "corpus/formats/mallet_state.h"
#include "corpus/formats/number_parse.h"
#include "corpus/formats/readers.h"
#include "corpus/input/line_pipeline.h"
#include "corpus/input/utf8.h"
#include "corpus/text/string_table.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A state may skip at most EZ_STATE_MAX_GAP numbers of documents or words at once: larger gaps are
 * damage and would cost memory. */
enum { EZ_STATE_TOPIC_LIMIT = 65536, EZ_STATE_MAX_GAP = 1 << 20 };

/* ---- header ---- */

typedef struct header_reader {
    ezlda_context *context;
    const char *path;
    void *plain; /* numbers have a decimal point, whatever the locale of the process is */
    ez_mallet_state *state;
} header_reader;

/* Parses a finite number above 0 at *at and moves *at after it. The text ends with a newline and a
 * NUL. */
static ezlda_status parse_prior(const header_reader *r, const ez_lines *line, const char **at,
                                double *value)
{
    char *end;
    *value = ez_os_plain_real(*at, &end, r->plain);
    if (end == *at || !(ez_is_space(*end) || *end == '\n') || !(*value > 0) || !isfinite(*value))
        return ez_fail_expected(r->context, r->path, line->first_line, *at, "a number above 0");
    *at = end;
    return EZLDA_OK;
}

static ezlda_status parse_alpha(const header_reader *r, const ez_lines *line, const char *at)
{
    ez_buffer values = {0};
    ezlda_status status = EZLDA_OK;
    uint32_t topics = 0;
    for (at = ez_skip_spaces(at); *at != '\n' && status == EZLDA_OK;
         at = ez_skip_spaces(at), topics++) {
        double value = 0;
        status =
            topics < EZ_STATE_TOPIC_LIMIT
                ? parse_prior(r, line, &at, &value)
                : ez_fail(r->context, EZLDA_ERROR_FORMAT, "%s:%" PRIu64 ": more than %d topics",
                          r->path, line->first_line, EZ_STATE_TOPIC_LIMIT);
        if (status == EZLDA_OK)
            status = ez_buffer_append(&values, r->context, &value, sizeof value);
    }
    if (status == EZLDA_OK && !topics)
        status =
            ez_fail_expected(r->context, r->path, line->first_line, at, "the alpha of each topic");
    ez_free(r->state->alpha);
    r->state->alpha = (double *)(void *)values.data;
    r->state->topics = topics;
    r->state->has_alpha = status == EZLDA_OK;
    return status;
}

static ezlda_status parse_header_line(const header_reader *r, const ez_lines *line)
{
    const char *text = line->text;
    if (strncmp(text, "#alpha :", 8) == 0)
        return parse_alpha(r, line, text + 8);
    if (strncmp(text, "#beta :", 7) != 0)
        return EZLDA_OK;
    const char *at = ez_skip_spaces(text + 7);
    EZ_TRY(parse_prior(r, line, &at, &r->state->beta));
    r->state->has_beta = true;
    at = ez_skip_spaces(at);
    return *at == '\n'
               ? EZLDA_OK
               : ez_fail_expected(r->context, r->path, line->first_line, at, "nothing after beta");
}

static ezlda_status check_first_line(const header_reader *r, const ez_lines *line)
{
    if (line->n > strlen(EZ_MALLET_STATE_MARK) &&
        strncmp(line->text, EZ_MALLET_STATE_MARK, strlen(EZ_MALLET_STATE_MARK)) == 0)
        return EZLDA_OK;
    return ez_fail(r->context, EZLDA_ERROR_FORMAT,
                   "%s:1: expected '%s', the header of a MALLET state", r->path,
                   EZ_MALLET_STATE_MARK);
}

/* Appends a NUL, at which reading a number stops in any case. */
static ezlda_status terminate_line(const header_reader *r, ez_lines *line)
{
    if (line->n < line->capacity) {
        line->text[line->n] = '\0';
        return EZLDA_OK;
    }
    char *copy;
    EZ_TRY(ez_array(&copy, r->context, line->n + 1, 1, "a line"));
    memcpy(copy, line->text, line->n);
    copy[line->n] = '\0';
    ez_free(line->text);
    line->text = copy;
    line->capacity = line->n + 1;
    return EZLDA_OK;
}

static ezlda_status read_header_lines(const header_reader *r, ez_input *input, ez_lines *line)
{
    const unsigned char *head;
    size_t n;
    for (bool first = true;; first = false) {
        EZ_TRY(ez_input_peek(input, r->context, &head, &n));
        if (!first && (!n || head[0] != '#'))
            return EZLDA_OK;
        EZ_TRY(ez_input_line(input, r->context, line));
        EZ_TRY(terminate_line(r, line));
        EZ_TRY(first ? check_first_line(r, line) : parse_header_line(r, line));
    }
}

static ezlda_status read_header(ez_mallet_state *state, ezlda_context *context, ez_input *input)
{
    header_reader r = {context, ez_input_name(input), ez_os_plain_open(), state};
    if (!r.plain)
        return ez_fail(context, EZLDA_ERROR_MEMORY, "not enough memory for a locale");
    ez_lines line = {0};
    ezlda_status status = read_header_lines(&r, input, &line);
    ez_lines_free(&line);
    ez_os_plain_close(r.plain);
    return status;
}

/* ---- tokens ---- */

typedef struct state_token {
    uint32_t doc, word, topic;
    uint32_t line;                           /* number in its block, from 0 */
    uint32_t source, source_n, type, type_n; /* offsets and lengths in the block's text */
} state_token;

typedef struct state_reader {
    const char *path;
    ez_mallet_state *state;
    uint32_t topic_limit; /* topics must be below this: the number in the header, or the most that
                             are allowed */
    ez_corpus_builder *builder;
    ez_strings words;
    ez_buffer word_string; /* uint32_t: the string of each word number; EZ_NO_STRING: none yet */
    ez_buffer string_word; /* uint32_t: the word number of each string */
    bool open;             /* a document is being collected in the members below */
    uint32_t doc;
    ez_buffer name;               /* ended by NUL */
    ez_buffer keys, topics;       /* uint64_t: word << 32 | position; uint32_t: topic by position */
    ez_buffer pairs, pair_counts; /* uint32_t: the document as pairs */
} state_reader;

/* ---- parsing ---- */

/* The last field before *end; *end moves to the start of the field. Nothing before `line` is read.
 */
static const char *last_field(const char *line, const char **end, uint32_t *n)
{
    while (*end > line && ez_is_space((*end)[-1]))
        --*end;
    const char *at = *end;
    while (at > line && !ez_is_space(at[-1]))
        at--;
    *n = (uint32_t)(*end - at);
    *end = at;
    return at;
}

/* Parses a field that is one whole number. */
static ezlda_status parse_number(const state_reader *r, ezlda_context *context, uint64_t line,
                                 const char *at, uint64_t most, const char *what, uint32_t *value)
{
    uint64_t number;
    const char *end = ez_parse_whole(at, most, &number);
    if (!end || !(ez_is_space(*end) || *end == '\n'))
        return ez_fail_expected(context, r->path, line, at,
                                "%s (a whole number from 0 to %" PRIu64 ")", what, most);
    *value = (uint32_t)number;
    return EZLDA_OK;
}

/* Splits the line from the right: a source may contain spaces, the other fields may not. */
static ezlda_status parse_token(const state_reader *r, ezlda_context *context, const char *text,
                                const char *line, uint64_t number, state_token *token)
{
    const char *end = ez_next_line(line) - 1, *topic, *type, *word, *position;
    uint32_t n, unused;
    topic = last_field(line, &end, &n);
    type = last_field(line, &end, &token->type_n);
    word = last_field(line, &end, &n);
    position = last_field(line, &end, &n);
    const char *source = line + strcspn(line, " \t\r\n");
    source = ez_skip_spaces(source);
    while (end > source && ez_is_space(end[-1]))
        end--;
    if (end <= source || position <= source)
        return ez_fail_expected(context, r->path, number, line,
                                "six fields: doc source pos typeindex type topic");
    EZ_TRY(parse_number(r, context, number, line, EZ_MAX_DOCS - 1, "a document's number",
                        &token->doc));
    EZ_TRY(parse_number(r, context, number, position, UINT32_MAX, "a position", &unused));
    EZ_TRY(parse_number(r, context, number, word, EZ_MAX_WORDS - 1, "a word's number (typeindex)",
                        &token->word));
    EZ_TRY(parse_number(r, context, number, topic, r->topic_limit - 1, "a topic", &token->topic));
    token->source = (uint32_t)(source - text);
    token->source_n = (uint32_t)(end - source);
    token->type = (uint32_t)(type - text);
    return EZLDA_OK;
}

static ezlda_status parse_block(void *user, ezlda_context *context, const ez_lines *lines,
                                void *result)
{
    const state_reader *r = user;
    ez_buffer *tokens = result;
    const char *at = lines->text, *end = at + lines->n;
    tokens->used = 0;
    for (uint32_t i = 0; at < end; i++, at = ez_next_line(at)) {
        state_token token = {.line = i};
        if (*ez_skip_spaces(at) == '\n')
            continue;
        EZ_TRY(parse_token(r, context, lines->text, at, lines->first_line + i, &token));
        EZ_TRY(ez_buffer_append(tokens, context, &token, sizeof token));
    }
    return EZLDA_OK;
}

static void release_block(void *result)
{
    ez_free(((ez_buffer *)result)->data);
}

/* ---- vocabulary ---- */

static ezlda_status new_word(state_reader *r, ezlda_context *context, uint64_t line, uint32_t word,
                             const char *text, size_t n)
{
    uint32_t id, none = EZ_NO_STRING, known = (uint32_t)(r->word_string.used / sizeof none);
    bool added;
    if (word > known && word - known > EZ_STATE_MAX_GAP)
        return ez_fail(context, EZLDA_ERROR_FORMAT,
                       "%s:%" PRIu64
                       ": expected word numbers without large gaps, found %u where %u is next",
                       r->path, line, word, known);
    if (ez_utf8_check(text, n) != n)
        return ez_fail(context, EZLDA_ERROR_FORMAT,
                       "%s:%" PRIu64 ": expected a word in UTF-8, found other bytes", r->path,
                       line);
    EZ_TRY(ez_strings_add(&r->words, context, text, n, &id, &added));
    if (!added)
        return ez_fail(context, EZLDA_ERROR_FORMAT,
                       "%s:%" PRIu64 ": the word '%.*s' has the number %u, but had %u before",
                       r->path, line, (int)(n < 80 ? n : 80), text, word,
                       ((uint32_t *)(void *)r->string_word.data)[id]);
    EZ_TRY(ez_buffer_append(&r->string_word, context, &word, sizeof word));
    while (r->word_string.used / sizeof none <= word)
        EZ_TRY(ez_buffer_append(&r->word_string, context, &none, sizeof none));
    ((uint32_t *)(void *)r->word_string.data)[word] = id;
    return EZLDA_OK;
}

static ezlda_status check_word(state_reader *r, ezlda_context *context, uint64_t line,
                               uint32_t word, const char *text, size_t n)
{
    const uint32_t *string = (const uint32_t *)(const void *)r->word_string.data;
    if (word >= r->word_string.used / sizeof *string || string[word] == EZ_NO_STRING)
        return new_word(r, context, line, word, text, n);
    size_t known_n;
    const char *known = ez_strings_get(&r->words, string[word], &known_n);
    if (known_n == n && memcmp(known, text, n) == 0)
        return EZLDA_OK;
    return ez_fail(context, EZLDA_ERROR_FORMAT,
                   "%s:%" PRIu64 ": expected word number %u to be '%.*s' as before, found '%.*s'",
                   r->path, line, word, (int)(known_n < 80 ? known_n : 80), known,
                   (int)(n < 80 ? n : 80), text);
}

/* Writes all words by number, each ended by NUL. */
static ezlda_status list_words(const state_reader *r, ezlda_context *context, ez_buffer *text,
                               uint32_t *gaps)
{
    const uint32_t *string = (const uint32_t *)(const void *)r->word_string.data;
    uint32_t words = (uint32_t)(r->word_string.used / sizeof *string);
    *gaps = 0;
    for (uint32_t v = 0; v < words; v++) {
        char number[16];
        size_t n = (size_t)snprintf(number, sizeof number, "#%u", v);
        const char *word = number;
        if (string[v] != EZ_NO_STRING)
            word = ez_strings_get(&r->words, string[v], &n);
        else
            ++*gaps;
        EZ_TRY(ez_buffer_append(text, context, word, n));
        EZ_TRY(ez_buffer_append(text, context, "", 1));
    }
    return EZLDA_OK;
}

/* ---- documents ---- */

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Sorts the tokens of the open document by word, those of one word in the order of the file; makes
 * the pairs and appends the topics in that order. */
static ezlda_status close_tokens(state_reader *r, ezlda_context *context)
{
    uint64_t *key = (uint64_t *)(void *)r->keys.data;
    const uint32_t *topic = (const uint32_t *)(const void *)r->topics.data;
    size_t n = r->keys.used / sizeof *key;
    qsort(key, n, sizeof *key, by_value);
    r->pairs.used = r->pair_counts.used = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t word = (uint32_t)(key[i] >> 32), one = 1;
        uint16_t its = (uint16_t)topic[(uint32_t)key[i]];
        EZ_TRY(ez_buffer_append(&r->state->topic, context, &its, sizeof its));
        if (i && word == (uint32_t)(key[i - 1] >> 32)) {
            ((uint32_t *)(void *)r->pair_counts.data)[r->pair_counts.used / sizeof one - 1]++;
            continue;
        }
        EZ_TRY(ez_buffer_append(&r->pairs, context, &word, sizeof word));
        EZ_TRY(ez_buffer_append(&r->pair_counts, context, &one, sizeof one));
    }
    return EZLDA_OK;
}

static ezlda_status close_document(state_reader *r, ezlda_context *context)
{
    if (!r->open)
        return EZLDA_OK;
    EZ_TRY(close_tokens(r, context));
    const char *name = (const char *)r->name.data;
    r->open = false;
    return ez_corpus_builder_add(r->builder, context, (const uint32_t *)(const void *)r->pairs.data,
                                 (const uint32_t *)(const void *)r->pair_counts.data,
                                 r->pairs.used / sizeof(uint32_t), &name);
}

static ezlda_status open_document(state_reader *r, ezlda_context *context, uint64_t line,
                                  uint32_t doc, const char *source, size_t n)
{
    uint64_t next = ez_corpus_builder_docs(r->builder);
    if (doc < next || doc - next > EZ_STATE_MAX_GAP)
        return ez_fail(context, EZLDA_ERROR_FORMAT,
                       "%s:%" PRIu64 ": expected documents in order, found %u where %" PRIu64
                       " is next",
                       r->path, line, doc, next);
    if (ez_utf8_check(source, n) != n)
        return ez_fail(context, EZLDA_ERROR_FORMAT,
                       "%s:%" PRIu64 ": expected a source in UTF-8, found other bytes", r->path,
                       line);
    EZ_TRY(ez_corpus_builder_add_empty(r->builder, context, doc - next));
    bool none = n == 2 && memcmp(source, "NA", 2) == 0;
    r->open = true;
    r->doc = doc;
    r->keys.used = r->topics.used = r->name.used = 0;
    EZ_TRY(ez_buffer_append(&r->name, context, source, none ? 0 : n));
    return ez_buffer_append(&r->name, context, "", 1);
}

static ezlda_status add_token(state_reader *r, ezlda_context *context, const ez_lines *lines,
                              const state_token *token)
{
    uint64_t line = lines->first_line + token->line;
    if (!r->open || token->doc != r->doc) {
        EZ_TRY(close_document(r, context));
        EZ_TRY(open_document(r, context, line, token->doc, lines->text + token->source,
                             token->source_n));
    }
    EZ_TRY(check_word(r, context, line, token->word, lines->text + token->type, token->type_n));
    uint64_t position = r->keys.used / sizeof(uint64_t),
             key = (uint64_t)token->word << 32 | position;
    if (position == UINT32_MAX)
        return ez_fail(context, EZLDA_ERROR_FORMAT,
                       "%s:%" PRIu64 ": a document of more than %u tokens", r->path, line,
                       UINT32_MAX);
    if (token->topic >= r->state->topics)
        r->state->topics = token->topic + 1;
    EZ_TRY(ez_buffer_append(&r->keys, context, &key, sizeof key));
    return ez_buffer_append(&r->topics, context, &token->topic, sizeof token->topic);
}

static ezlda_status add_block(void *user, ezlda_context *context, const ez_lines *lines,
                              void *result)
{
    const ez_buffer *tokens = result;
    const state_token *token = (const state_token *)(const void *)tokens->data;
    for (size_t i = 0; i < tokens->used / sizeof *token; i++)
        EZ_TRY(add_token(user, context, lines, &token[i]));
    return EZLDA_OK;
}

/* ---- reading ---- */

static ezlda_status finish(state_reader *r, ezlda_corpus **out, ezlda_context *context)
{
    ez_buffer text = {0};
    uint32_t gaps, words = (uint32_t)(r->word_string.used / sizeof(uint32_t));
    EZ_TRY(close_document(r, context));
    if (!words)
        return ez_fail(context, EZLDA_ERROR_FORMAT,
                       "%s: expected one line per token after the header, found none", r->path);
    ezlda_status status = list_words(r, context, &text, &gaps);
    if (status == EZLDA_OK) {
        ez_corpus_builder *builder = r->builder;
        r->builder = NULL;
        status =
            ez_corpus_builder_finish_text(builder, out, context, (const char *)text.data, words);
    }
    if (status == EZLDA_OK && gaps)
        ez_note(context, "%s: %u of %u word numbers have no token: these words are called #NUMBER",
                r->path, gaps, words);
    ez_free(text.data);
    return status;
}

static ezlda_status read_all(state_reader *r, ezlda_corpus **out, ezlda_context *context,
                             ez_input *input)
{
    static const char *const fields[] = {"name"};
    const ez_line_job job = {.input = input,
                             .user = r,
                             .result_size = sizeof(ez_buffer),
                             .parse = parse_block,
                             .add = add_block,
                             .release = release_block};
    EZ_TRY(read_header(r->state, context, input));
    r->topic_limit = r->state->has_alpha ? r->state->topics : EZ_STATE_TOPIC_LIMIT;
    EZ_TRY(ez_corpus_builder_create(&r->builder, context, fields, 1));
    EZ_TRY(ez_run_lines(context, &job));
    return finish(r, out, context);
}

/* Fills in default priors if the state has none. */
static ezlda_status add_priors(ez_mallet_state *state, ezlda_context *context, const char *path)
{
    if (state->has_alpha && state->has_beta)
        return EZLDA_OK;
    if (!state->has_alpha)
        EZ_TRY(ez_array(&state->alpha, context, state->topics, sizeof *state->alpha, "alpha"));
    for (uint32_t k = 0; !state->has_alpha && k < state->topics; k++)
        state->alpha[k] = 50.0 / state->topics;
    if (!state->has_beta)
        state->beta = 0.01;
    ez_note(context, "%s: the state has no priors: alpha is %g for each of %u topics, beta %g",
            path, state->alpha[0], state->topics, state->beta);
    return EZLDA_OK;
}

ezlda_status ez_mallet_state_read(ezlda_corpus **out, ez_mallet_state *state,
                                  ezlda_context *context, ez_input *input)
{
    state_reader r = {.path = ez_input_name(input), .state = state};
    *out = NULL;
    ezlda_status status = read_all(&r, out, context, input);
    if (status == EZLDA_OK)
        status = add_priors(state, context, r.path);
    if (status != EZLDA_OK) {
        ezlda_corpus_free(*out);
        *out = NULL;
    }
    ez_corpus_builder_abandon(r.builder);
    ez_strings_free(&r.words);
    ez_buffer *buffers[] = {&r.word_string, &r.string_word, &r.name,       &r.keys,
                            &r.topics,      &r.pairs,       &r.pair_counts};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        ez_free(buffers[i]->data);
    return status;
}

void ez_mallet_state_free(ez_mallet_state *state)
{
    ez_free(state->alpha);
    ez_free(state->topic.data);
    *state = (ez_mallet_state){0};
}

ezlda_status ez_read_mallet_state(ezlda_corpus **out, ezlda_context *context, ez_input *input,
                                  const ezlda_import_options *options)
{
    (void)options;
    ez_mallet_state state = {0};
    ezlda_status status = ez_mallet_state_read(out, &state, context, input);
    if (status == EZLDA_OK)
        ez_note(context,
                "%s: only the documents are used; import with --model FILE keeps the topics of "
                "their tokens",
                ez_input_name(input));
    ez_mallet_state_free(&state);
    return status;
}
