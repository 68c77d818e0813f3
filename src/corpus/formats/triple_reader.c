/* Builds a corpus from blocks of triples (triple_blocks.h), in one pass if the documents are in
 * order, and reads the UCI format, which is a header of three numbers and triples. */
#include "corpus/formats/triple_reader.h"

#include "corpus/formats/number_parse.h"
#include "corpus/formats/readers.h"
#include "corpus/formats/triple_blocks.h"
#include "corpus/formats/vocabulary_file.h"
#include "corpus/input/line_pipeline.h"

#include <inttypes.h>

typedef struct ez_triple_state {
    const ez_triple_header *header;
    const char *path;
    ez_corpus_builder *builder;
    uint64_t n;       /* triples so far */
    ez_open_doc open; /* the last document, if `started` */
    bool started;
    const ez_vocabulary *names; /* names of the documents; NULL: none */
    bool named;                 /* the words come from a vocabulary file */
    bool unordered;             /* documents came out of order: all triples go to `triples` */
    ez_buffer triples;          /* ez_triple */
    ez_doc_run run;
    ez_buffer scratch;
} ez_triple_state;

ezlda_status ez_check_triple_header(ezlda_context *context, const ez_input *input,
                                    const ez_triple_header *header)
{
    const char *path = ez_input_name(input);
    if (header->docs > EZ_MAX_DOCS)
        return ez_fail(context, EZLDA_ERROR_FORMAT,
                       "%s:%" PRIu64 ": %" PRIu64 " documents, at most %" PRIu64 " are possible",
                       path, header->docs_line, header->docs, EZ_MAX_DOCS);
    if (header->words > EZ_MAX_WORDS)
        return ez_fail(context, EZLDA_ERROR_FORMAT,
                       "%s:%" PRIu64 ": %" PRIu64 " words, at most %d are possible", path,
                       header->words_line, header->words, EZ_MAX_WORDS);
    return EZLDA_OK;
}

static ezlda_status parse_block(void *user, ezlda_context *context, const ez_lines *lines,
                                void *result)
{
    const ez_triple_state *state = user;
    if (state->unordered)
        return ez_parse_triples(result, context, state->header, state->path, lines);
    return ez_parse_ordered(result, context, state->header, state->path, lines);
}

static ezlda_status start_corpus(ez_triple_state *state, ezlda_context *context)
{
    static const char *const fields[] = {"name"};
    return ez_corpus_builder_create(&state->builder, context, fields, state->names ? 1 : 0);
}

/* ---- in order ---- */

/* A few bytes of header must not ask for gigabytes: the number of empty documents and of unused
 * words is limited. */
static ezlda_status check_backed(const ez_triple_state *state, ezlda_context *context, uint64_t n,
                                 const char *what, uint64_t line)
{
    if (n <= state->n + EZ_MOST_UNBACKED)
        return EZLDA_OK;
    return ez_fail(context, EZLDA_ERROR_FORMAT,
                   "%s:%" PRIu64 ": %" PRIu64 " %s and %" PRIu64
                   " triples so far: at most %d %s may have none",
                   state->path, line, n, what, state->n, EZ_MOST_UNBACKED, what);
}

static ezlda_status check_words(const ez_triple_state *state, ezlda_context *context)
{
    const ez_triple_header *header = state->header;
    return state->named ? EZLDA_OK
                        : check_backed(state, context, header->words, "words", header->words_line);
}

/* Closes the open document and adds the empty ones up to `doc`. */
static ezlda_status close_up_to(ez_triple_state *state, ezlda_context *context, uint64_t doc)
{
    EZ_TRY(check_backed(state, context, doc, "documents", state->header->docs_line));
    if (state->started) {
        ez_doc_run_clear(&state->run);
        EZ_TRY(ez_open_doc_close(&state->open, context, state->path, &state->run, &state->scratch));
        EZ_TRY(ez_corpus_builder_add_run(state->builder, context, &state->run));
    }
    state->started = false;
    return ez_corpus_builder_add_empty(state->builder, context,
                                       doc - ez_corpus_builder_docs(state->builder));
}

static ezlda_status open_next(ez_triple_state *state, ezlda_context *context,
                              const ez_open_doc *doc)
{
    EZ_TRY(close_up_to(state, context, doc->doc));
    state->open.doc = doc->doc;
    state->open.words.used = state->open.counts.used = 0;
    state->started = true;
    return ez_open_doc_add(&state->open, context, doc);
}

static ezlda_status add_ordered(ez_triple_state *state, ezlda_context *context,
                                const ez_triple_block *block)
{
    if (state->started && block->first.doc == state->open.doc)
        EZ_TRY(ez_open_doc_add(&state->open, context, &block->first));
    else
        EZ_TRY(open_next(state, context, &block->first));
    if (block->last.doc == block->first.doc)
        return EZLDA_OK;
    EZ_TRY(close_up_to(state, context, block->first.doc + 1));
    EZ_TRY(ez_corpus_builder_add_run(state->builder, context, &block->between));
    return open_next(state, context, &block->last);
}

/* ---- out of order ---- */

/* Turns the corpus so far into triples again. */
static ezlda_status give_up_order(ez_triple_state *state, ezlda_context *context)
{
    EZ_TRY(check_words(state, context));
    if (state->started)
        EZ_TRY(close_up_to(state, context, state->open.doc + 1));
    ezlda_corpus *corpus = NULL;
    ez_corpus_builder *builder = state->builder;
    state->builder = NULL;
    state->unordered = true;
    EZ_TRY(
        ez_corpus_builder_finish(builder, &corpus, context, NULL, (uint32_t)state->header->words));
    ezlda_status status = ez_triples_of_corpus(&state->triples, context, corpus);
    ezlda_corpus_free(corpus);
    EZ_TRY(status);
    return start_corpus(state, context);
}

static ezlda_status too_many(const ez_triple_state *state, ezlda_context *context,
                             const ez_lines *lines)
{
    uint64_t line = ez_triple_line(lines, state->header->triples - state->n);
    return ez_fail(context, EZLDA_ERROR_FORMAT,
                   "%s:%" PRIu64 ": expected %" PRIu64 " triples as the header says (line %" PRIu64
                   "), found more",
                   state->path, line, state->header->triples, state->header->triples_line);
}

static ezlda_status add_block(void *user, ezlda_context *context, const ez_lines *lines,
                              void *result)
{
    ez_triple_state *state = user;
    ez_triple_block *block = result;
    if (block->n > state->header->triples - state->n)
        return too_many(state, context, lines);
    state->n += block->n;
    if (!block->n)
        return EZLDA_OK;
    bool back = block->ordered && state->started && block->first.doc < state->open.doc;
    if (!state->unordered && block->ordered && !back)
        return add_ordered(state, context, block);
    if (!state->unordered)
        EZ_TRY(give_up_order(state, context));
    if (block->ordered)
        EZ_TRY(ez_parse_triples(block, context, state->header, state->path, lines));
    return ez_buffer_append(&state->triples, context, block->triples.data, block->triples.used);
}

/* ---- reading ---- */

static ezlda_status read_all(ez_triple_state *state, ezlda_context *context, ez_input *input)
{
    const ez_line_job job = {.input = input,
                             .user = state,
                             .result_size = sizeof(ez_triple_block),
                             .parse = parse_block,
                             .add = add_block,
                             .release = ez_triple_block_free};
    EZ_TRY(ez_run_lines(context, &job));
    if (state->n != state->header->triples)
        return ez_fail(context, EZLDA_ERROR_FORMAT,
                       "%s:%" PRIu64 ": expected %" PRIu64
                       " triples as the header says, found only %" PRIu64,
                       state->path, state->header->triples_line, state->header->triples, state->n);
    EZ_TRY(check_words(state, context));
    EZ_TRY(
        check_backed(state, context, state->header->docs, "documents", state->header->docs_line));
    if (state->unordered)
        EZ_TRY(ez_build_from_triples(state->builder, context, &state->triples, state->path));
    return close_up_to(state, context, state->header->docs);
}

ezlda_status ez_read_triples(ezlda_corpus **out, ezlda_context *context, ez_input *input,
                             const ez_triple_header *header, const ezlda_import_options *options,
                             const ez_triple_names *names)
{
    ez_triple_state state = {.header = header, .path = ez_input_name(input), .names = names->docs};
    ez_vocabulary found = {0};
    const ez_vocabulary *words = names->words ? names->words : &found;
    ezlda_status status;
    if (!names->words)
        EZ_TRY_GOTO(ez_vocabulary_find(&found, context, input, options));
    EZ_TRY_GOTO(ez_vocabulary_expect(words, context, input, header->words));
    state.named = words->path != NULL;
    EZ_TRY_GOTO(start_corpus(&state, context));
    EZ_TRY_GOTO(read_all(&state, context, input));
    if (state.names)
        EZ_TRY_GOTO(ez_corpus_builder_set_field(state.builder, context, 0,
                                                (const char *)state.names->text.data));
    status = ez_vocabulary_finish(words, context, state.builder, out, (uint32_t)header->words);
    state.builder = NULL;
done:
    ez_corpus_builder_abandon(state.builder);
    ez_vocabulary_free(&found);
    ez_free(state.open.words.data);
    ez_free(state.open.counts.data);
    ez_free(state.triples.data);
    ez_doc_run_free(&state.run);
    ez_free(state.scratch.data);
    return status;
}

/* ---- UCI ---- */

/* Reads a line of the header: one number, spaces around it allowed. */
static ezlda_status read_uci_number(ez_input *input, ezlda_context *context, ez_lines *line,
                                    const char *what, uint64_t *value, uint64_t *where)
{
    EZ_TRY(ez_input_line(input, context, line));
    *where = line->first_line;
    if (!line->n)
        return ez_fail(context, EZLDA_ERROR_FORMAT,
                       "%s:%" PRIu64 ": expected %s, found the end of the file",
                       ez_input_name(input), line->first_line, what);
    const char *at = ez_skip_spaces(line->text),
               *end = ez_parse_whole(at, (uint64_t)1 << 59, value);
    if (end)
        end = ez_skip_spaces(end);
    if (!end || *end != '\n')
        return ez_fail_expected(context, ez_input_name(input), line->first_line, end ? end : at,
                                "%s alone on its line", what);
    return EZLDA_OK;
}

static ezlda_status read_uci_header(ez_input *input, ezlda_context *context, ez_lines *line,
                                    ez_triple_header *header)
{
    EZ_TRY(read_uci_number(input, context, line, "the number of documents", &header->docs,
                           &header->docs_line));
    EZ_TRY(read_uci_number(input, context, line, "the number of words", &header->words,
                           &header->words_line));
    EZ_TRY(read_uci_number(input, context, line, "the number of triples", &header->triples,
                           &header->triples_line));
    return ez_check_triple_header(context, input, header);
}

ezlda_status ez_read_uci(ezlda_corpus **out, ezlda_context *context, ez_input *input,
                         const ezlda_import_options *options)
{
    *out = NULL;
    ez_triple_header header = {.kind = EZ_TRIPLE_INTEGER};
    ez_lines line = {0};
    ezlda_status status = read_uci_header(input, context, &line, &header);
    ez_lines_free(&line);
    if (status != EZLDA_OK)
        return status;
    return ez_read_triples(out, context, input, &header, options, &(ez_triple_names){0});
}
