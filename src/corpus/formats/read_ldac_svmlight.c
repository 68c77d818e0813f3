/* Reads LDA-C and SVMlight files: one document per line, as word:count pairs. Both formats share
 * one loop; they differ in how a line is parsed. */
#include "corpus/formats/number_parse.h"
#include "corpus/formats/readers.h"
#include "corpus/formats/vocabulary_file.h"
#include "corpus/input/line_pipeline.h"
#include "corpus/input/utf8.h"

#include <inttypes.h>
#include <string.h>

/* The document of one line. The arrays are reused from line to line. */
typedef struct parsed_doc {
    ez_buffer words, counts; /* uint32_t each, word numbers as in the file */
    const char *label;
    size_t label_length;
    bool none; /* the line has no document */
} parsed_doc;

/* Parses the line at `at` (ended by '\n') into an empty document. Word numbers must be below
 * word_limit. */
typedef ezlda_status (*parse_doc_fn)(parsed_doc *parsed, ezlda_context *context, const char *path,
                                     uint64_t line, const char *at, uint32_t word_limit);

typedef struct line_format {
    parse_doc_fn parse;
    bool has_label;
    bool from_one; /* words count from 1, unless a word 0 occurs: then all count from 0 */
} line_format;

typedef struct line_reader {
    const line_format *format;
    const char *path;
    ez_vocabulary vocabulary;
    ez_corpus_builder *builder;
    uint32_t base;  /* number of the first word in the file */
    uint32_t words; /* largest word so far, counted from 0, plus 1 */
    uint64_t bytes; /* read so far */
} line_reader;

typedef struct line_block {
    uint32_t base; /* line_reader.base when the block was parsed */
    uint32_t words;
    bool zero; /* a word 0 occurred although words count from 1 */
    ez_doc_run run;
    parsed_doc parsed;
    ez_buffer scratch;
} line_block;

/* ---- parsing ---- */

/* Parses `word:count` at *at and moves *at after it. */
static ezlda_status parse_pair(parsed_doc *parsed, ezlda_context *context, const char *path,
                               uint64_t line, const char **at, uint32_t word_limit, bool real)
{
    uint64_t number;
    const char *start = *at, *colon = ez_parse_whole(start, (uint64_t)word_limit - 1, &number);
    if (!colon || *colon != ':')
        return ez_fail_expected(context, path, line, start,
                                "word:count with a word number below %u", word_limit);
    uint32_t count, word = (uint32_t)number;
    const char *end = ez_parse_count(colon + 1, real, &count);
    if (!end || *end == ':')
        return ez_fail_expected(context, path, line, colon + 1, EZ_EXPECTED_COUNT " after '%.*s'",
                                (int)(colon + 1 - start < 20 ? colon + 1 - start : 20), start);
    *at = end;
    EZ_TRY(ez_buffer_append(&parsed->words, context, &word, sizeof word));
    return ez_buffer_append(&parsed->counts, context, &count, sizeof count);
}

static ezlda_status add_label(line_block *block, ezlda_context *context, const char *path,
                              uint64_t line)
{
    const parsed_doc *parsed = &block->parsed;
    if (ez_utf8_check(parsed->label, parsed->label_length) != parsed->label_length)
        return ez_fail(context, EZLDA_ERROR_FORMAT,
                       "%s:%" PRIu64 ": expected a label in UTF-8, found other bytes", path, line);
    return ez_doc_run_add_value(&block->run, context, parsed->label, parsed->label_length);
}

static ezlda_status add_parsed(line_block *block, ezlda_context *context, const line_reader *reader,
                               uint64_t line)
{
    parsed_doc *parsed = &block->parsed;
    uint32_t *word = (uint32_t *)(void *)parsed->words.data,
             *count = (uint32_t *)(void *)parsed->counts.data;
    size_t n = parsed->words.used / sizeof *word;
    for (size_t i = 0; i < n; i++) {
        block->zero |= word[i] < block->base;
        word[i] -= block->base;
    }
    if (block->zero)
        return EZLDA_OK; /* the block is parsed again */
    EZ_TRY(ez_pairs_tidy(context, word, count, &n, &block->scratch, reader->path, "line", line));
    if (n && word[n - 1] >= block->words)
        block->words = word[n - 1] + 1;
    EZ_TRY(ez_doc_run_add(&block->run, context, word, count, n));
    return reader->format->has_label ? add_label(block, context, reader->path, line) : EZLDA_OK;
}

static ezlda_status parse_block(void *user, ezlda_context *context, const ez_lines *lines,
                                void *result)
{
    const line_reader *reader = user;
    line_block *block = result;
    const char *at = lines->text, *end = at + lines->n;
    uint32_t limit = (reader->vocabulary.path ? reader->vocabulary.n : EZ_MAX_WORDS) + reader->base;
    block->base = reader->base;
    block->words = 0;
    block->zero = false;
    ez_doc_run_clear(&block->run);
    for (uint64_t line = lines->first_line; at < end && !block->zero;
         line++, at = ez_next_line(at)) {
        block->parsed.words.used = block->parsed.counts.used = 0;
        block->parsed.none = false;
        EZ_TRY(reader->format->parse(&block->parsed, context, reader->path, line, at, limit));
        if (!block->parsed.none)
            EZ_TRY(add_parsed(block, context, reader, line));
    }
    return EZLDA_OK;
}

/* ---- adding to the corpus ---- */

static const char *const EZ_LABEL[] = {"label"};

static ezlda_status new_builder(line_reader *reader, ezlda_context *context)
{
    return ez_corpus_builder_create(&reader->builder, context, EZ_LABEL, reader->format->has_label);
}

static ezlda_status add_shifted(line_reader *reader, ezlda_context *context,
                                const ezlda_corpus *corpus, uint64_t doc, parsed_doc *parsed)
{
    size_t n = ezlda_corpus_document(corpus, doc, NULL, NULL, 0), bytes = n * sizeof(uint32_t);
    parsed->words.used = parsed->counts.used = 0;
    EZ_TRY(ez_buffer_reserve(&parsed->words, context, bytes));
    EZ_TRY(ez_buffer_reserve(&parsed->counts, context, bytes));
    uint32_t *word = (uint32_t *)(void *)parsed->words.data,
             *count = (uint32_t *)(void *)parsed->counts.data;
    ezlda_corpus_document(corpus, doc, word, count, n);
    for (size_t i = 0; i < n; i++)
        word[i]++;
    const char *value = ezlda_corpus_field_value(corpus, 0, doc);
    return ez_corpus_builder_add(reader->builder, context, word, count, n, &value);
}

/* A few bytes must not ask for gigabytes: words that are in no document also get their numbers as
 * names. */
static ezlda_status check_words(const line_reader *reader, ezlda_context *context)
{
    if (reader->vocabulary.path || reader->words <= reader->bytes + EZ_MOST_UNBACKED)
        return EZLDA_OK;
    return ez_fail(
        context, EZLDA_ERROR_FORMAT,
        "%s: a word with the number %u in so short a file: at most %d words may be in no document",
        reader->path, reader->words - 1 + reader->base, EZ_MOST_UNBACKED);
}

/* Called at the first word 0: words count from 0, so those of the documents so far are one too low.
 */
static ezlda_status count_from_zero(line_reader *reader, ezlda_context *context)
{
    ezlda_corpus *corpus = NULL;
    parsed_doc parsed = {0};
    ez_corpus_builder *builder = reader->builder;
    ez_corpus_sizes sizes = {0};
    ezlda_status status;
    EZ_TRY(check_words(reader, context));
    reader->builder = NULL;
    reader->base = 0;
    EZ_TRY_GOTO(ez_corpus_builder_finish(builder, &corpus, context, NULL, reader->words));
    EZ_TRY_GOTO(new_builder(reader, context));
    ez_corpus_sizes_of(corpus, &sizes);
    for (uint64_t doc = 0; doc < sizes.docs; doc++)
        EZ_TRY_GOTO(add_shifted(reader, context, corpus, doc, &parsed));
    reader->words += reader->words != 0;
done:
    ezlda_corpus_free(corpus);
    ez_free(parsed.words.data);
    ez_free(parsed.counts.data);
    return status;
}

static ezlda_status add_block(void *user, ezlda_context *context, const ez_lines *lines,
                              void *result)
{
    line_reader *reader = user;
    line_block *block = result;
    reader->bytes += lines->n;
    if (block->zero && reader->base)
        EZ_TRY(count_from_zero(reader, context));
    if (block->base != reader->base)
        EZ_TRY(parse_block(reader, context, lines, block));
    reader->words = block->words > reader->words ? block->words : reader->words;
    return ez_corpus_builder_add_run(reader->builder, context, &block->run);
}

static void release_block(void *result)
{
    line_block *block = result;
    ez_doc_run_free(&block->run);
    ez_free(block->parsed.words.data);
    ez_free(block->parsed.counts.data);
    ez_free(block->scratch.data);
}

/* ---- reading ---- */

static ezlda_status read_all(line_reader *reader, ezlda_context *context, ez_input *input)
{
    const ez_line_job job = {.input = input,
                             .user = reader,
                             .result_size = sizeof(line_block),
                             .parse = parse_block,
                             .add = add_block,
                             .release = release_block};
    EZ_TRY(ez_run_lines(context, &job));
    EZ_TRY(check_words(reader, context));
    uint32_t words = reader->vocabulary.n;
    if (reader->vocabulary.path && reader->words > words)
        return ez_fail(context, EZLDA_ERROR_FORMAT,
                       "%s: expected words below %u as in %s, found %u", reader->path, words,
                       reader->vocabulary.path, reader->words - 1);
    if (!ez_corpus_builder_docs(reader->builder))
        return ez_fail(context, EZLDA_ERROR_FORMAT,
                       "%s: expected one document per line, found an empty file", reader->path);
    return EZLDA_OK;
}

static ezlda_status read_documents(ezlda_corpus **out, ezlda_context *context, ez_input *input,
                                   const ezlda_import_options *options, const line_format *format)
{
    *out = NULL;
    line_reader reader = {.format = format, .path = ez_input_name(input), .base = format->from_one};
    ezlda_status status;
    EZ_TRY_GOTO(ez_vocabulary_find(&reader.vocabulary, context, input, options));
    EZ_TRY_GOTO(new_builder(&reader, context));
    EZ_TRY_GOTO(read_all(&reader, context, input));
    status = ez_vocabulary_finish(&reader.vocabulary, context, reader.builder, out, reader.words);
    reader.builder = NULL;
done:
    ez_corpus_builder_abandon(reader.builder);
    ez_vocabulary_free(&reader.vocabulary);
    return status;
}

/* ---- LDA-C ---- */

/* `M word:count ...`: M distinct words, numbered from 0. */
static ezlda_status parse_ldac_line(parsed_doc *parsed, ezlda_context *context, const char *path,
                                    uint64_t line, const char *at, uint32_t word_limit)
{
    uint64_t terms, found = 0;
    at = ez_skip_spaces(at);
    const char *end = ez_parse_whole(at, UINT32_MAX, &terms);
    if (!end || !(ez_is_space(*end) || *end == '\n'))
        return ez_fail_expected(context, path, line, at, "the number of terms of a document");
    for (at = ez_skip_spaces(end); *at != '\n'; at = ez_skip_spaces(at), found++) {
        EZ_TRY(parse_pair(parsed, context, path, line, &at, word_limit, false));
        if (!ez_is_space(*at) && *at != '\n')
            return ez_fail_expected(context, path, line, at, "a space after a count");
    }
    if (found != terms)
        return ez_fail(context, EZLDA_ERROR_FORMAT,
                       "%s:%" PRIu64 ": expected %" PRIu64
                       " terms as the line says, found %" PRIu64,
                       path, line, terms, found);
    return EZLDA_OK;
}

ezlda_status ez_read_ldac(ezlda_corpus **out, ezlda_context *context, ez_input *input,
                          const ezlda_import_options *options)
{
    const line_format format = {.parse = parse_ldac_line};
    return read_documents(out, context, input, options, &format);
}

/* ---- SVMlight ---- */

/* `label word:count ... # remark`; a line with only a remark has no document. LightLDA's lines are
 * the same, with the number of the document as its label. */
static ezlda_status parse_svmlight_line(parsed_doc *parsed, ezlda_context *context,
                                        const char *path, uint64_t line, const char *at,
                                        uint32_t word_limit)
{
    at = ez_skip_spaces(at);
    parsed->none = *at == '\n' || *at == '#';
    if (parsed->none)
        return EZLDA_OK;
    parsed->label = at;
    while (*at != '\n' && !ez_is_space(*at)) {
        if (*at == ':')
            return ez_fail_expected(context, path, line, parsed->label,
                                    "a label, then word:count pairs");
        at++;
    }
    parsed->label_length = (size_t)(at - parsed->label);
    for (at = ez_skip_spaces(at); *at != '\n' && *at != '#'; at = ez_skip_spaces(at))
        EZ_TRY(parse_pair(parsed, context, path, line, &at, word_limit, true));
    return EZLDA_OK;
}

ezlda_status ez_read_svmlight(ezlda_corpus **out, ezlda_context *context, ez_input *input,
                              const ezlda_import_options *options)
{
    const line_format format = {.parse = parse_svmlight_line, .has_label = true, .from_one = true};
    return read_documents(out, context, input, options, &format);
}
