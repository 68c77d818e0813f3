/* Parses blocks of triples in their two forms, and sorts triples whose documents are out of order.
 */
#include "corpus/formats/triple_blocks.h"

#include "corpus/formats/number_parse.h"

#include <inttypes.h>
#include <string.h>

/* A block with more empty documents than this is parsed as plain triples, so that they are not
 * stored one by one. */
enum { EZ_MAX_GAP = 1 << 16 };

static ezlda_status bad_triple(ezlda_context *context, const ez_triple_header *header,
                               const char *path, uint64_t line, const char *at)
{
    uint64_t value;
    for (int i = 0; i < 2; i++) {
        bool doc = (i == 0) != header->by_column;
        uint64_t most = doc ? header->docs : header->words;
        const char *end = ez_parse_whole(at, most, &value);
        if (!end || !value)
            return ez_fail_expected(context, path, line, at,
                                    "a %s number from 1 to %" PRIu64 " (header, line %" PRIu64 ")",
                                    doc ? "document" : "word", most,
                                    doc ? header->docs_line : header->words_line);
        at = ez_skip_spaces(end);
    }
    const char *count = at;
    uint32_t number;
    const char *end = count;
    if (header->kind != EZ_TRIPLE_PATTERN)
        end = ez_parse_count(count, header->kind == EZ_TRIPLE_REAL, &number);
    if (!end)
        return ez_fail_expected(context, path, line, count, EZ_EXPECTED_COUNT);
    return ez_fail_expected(context, path, line, ez_skip_spaces(end), "the end of the line");
}

/* Parses a line that is not empty and returns the start of the next one; NULL if it is not a
 * triple. */
static inline const char *parse_line(const char *at, const ez_triple_header *header,
                                     ez_triple *triple)
{
    uint64_t doc = 0, word = 0;
    bool by_column = header->by_column;
    at = ez_parse_whole(at, by_column ? header->words : header->docs, by_column ? &word : &doc);
    if (!at)
        return NULL;
    at = ez_parse_whole(ez_skip_spaces(at), by_column ? header->docs : header->words,
                        by_column ? &doc : &word);
    if (!at)
        return NULL;
    triple->count = 1;
    if (header->kind != EZ_TRIPLE_PATTERN)
        at = ez_parse_count(ez_skip_spaces(at), header->kind == EZ_TRIPLE_REAL, &triple->count);
    if (!at || !doc || !word)
        return NULL;
    triple->doc = (uint32_t)(doc - 1);
    triple->word = (uint32_t)(word - 1);
    at = ez_skip_spaces(at);
    return *at == '\n' ? at + 1 : NULL;
}

/* ---- open documents ---- */

/* Makes room for one more number; calls a function only if the buffer must grow. */
static inline ezlda_status make_room(ez_buffer *buffer, ezlda_context *context)
{
    if (buffer->capacity - buffer->used >= sizeof(uint32_t))
        return EZLDA_OK;
    return ez_buffer_reserve(buffer, context, sizeof(uint32_t));
}

static inline ezlda_status open_put(ez_open_doc *open, ezlda_context *context,
                                    const ez_triple *triple)
{
    EZ_TRY(make_room(&open->words, context));
    EZ_TRY(make_room(&open->counts, context));
    memcpy(open->words.data + open->words.used, &triple->word, sizeof triple->word);
    memcpy(open->counts.data + open->counts.used, &triple->count, sizeof triple->count);
    open->words.used += sizeof triple->word;
    open->counts.used += sizeof triple->count;
    return EZLDA_OK;
}

static void open_start(ez_open_doc *open, uint64_t doc)
{
    open->doc = doc;
    open->words.used = open->counts.used = 0;
}

ezlda_status ez_open_doc_add(ez_open_doc *open, ezlda_context *context, const ez_open_doc *more)
{
    EZ_TRY(ez_buffer_append(&open->words, context, more->words.data, more->words.used));
    return ez_buffer_append(&open->counts, context, more->counts.data, more->counts.used);
}

ezlda_status ez_open_doc_close(ez_open_doc *open, ezlda_context *context, const char *path,
                               ez_doc_run *run, ez_buffer *scratch)
{
    uint32_t *word = (uint32_t *)(void *)open->words.data,
             *count = (uint32_t *)(void *)open->counts.data;
    size_t n = open->words.used / sizeof *word;
    EZ_TRY(ez_pairs_tidy(context, word, count, &n, scratch, path, "document", open->doc + 1));
    return ez_doc_run_add(run, context, word, count, n);
}

/* ---- blocks ---- */

/* Starts the next document of a block; *empty counts the empty documents skipped so far. */
static ezlda_status next_doc(ez_triple_block *block, ezlda_context *context, const char *path,
                             uint64_t doc, uint64_t *empty)
{
    uint64_t gap = doc - block->last.doc - 1;
    if (block->last.doc != block->first.doc)
        EZ_TRY(ez_open_doc_close(&block->last, context, path, &block->between, &block->scratch));
    EZ_TRY(ez_doc_run_add_empty(&block->between, context, gap));
    *empty += gap;
    open_start(&block->last, doc);
    return EZLDA_OK;
}

ezlda_status ez_parse_ordered(ez_triple_block *block, ezlda_context *context,
                              const ez_triple_header *header, const char *path,
                              const ez_lines *lines)
{
    const char *at = lines->text, *end = at + lines->n;
    uint64_t empty = 0;
    block->n = 0;
    block->ordered = true;
    ez_doc_run_clear(&block->between);
    for (uint64_t line = lines->first_line; at < end; line++) {
        at = ez_skip_spaces(at);
        if (*at == '\n') {
            at++;
            continue;
        }
        ez_triple triple;
        const char *next = parse_line(at, header, &triple);
        if (!next)
            return bad_triple(context, header, path, line, at);
        at = next;
        if (block->n++ == 0) {
            open_start(&block->first, triple.doc);
            block->last.doc = triple.doc;
        } else if (triple.doc != block->last.doc) {
            if (triple.doc < block->last.doc || triple.doc - block->last.doc + empty > EZ_MAX_GAP)
                return ez_parse_triples(block, context, header, path, lines);
            EZ_TRY(next_doc(block, context, path, triple.doc, &empty));
        }
        EZ_TRY(open_put(triple.doc == block->first.doc ? &block->first : &block->last, context,
                        &triple));
    }
    return EZLDA_OK;
}

ezlda_status ez_parse_triples(ez_triple_block *block, ezlda_context *context,
                              const ez_triple_header *header, const char *path,
                              const ez_lines *lines)
{
    const char *at = lines->text, *end = at + lines->n;
    block->n = 0;
    block->ordered = false;
    block->triples.used = 0;
    for (uint64_t line = lines->first_line; at < end; line++) {
        at = ez_skip_spaces(at);
        if (*at == '\n') {
            at++;
            continue;
        }
        ez_triple triple;
        const char *next = parse_line(at, header, &triple);
        if (!next)
            return bad_triple(context, header, path, line, at);
        at = next;
        block->n++;
        EZ_TRY(ez_buffer_append(&block->triples, context, &triple, sizeof triple));
    }
    return EZLDA_OK;
}

void ez_triple_block_free(void *result)
{
    ez_triple_block *block = result;
    ez_free(block->first.words.data);
    ez_free(block->first.counts.data);
    ez_free(block->last.words.data);
    ez_free(block->last.counts.data);
    ez_doc_run_free(&block->between);
    ez_free(block->triples.data);
    ez_free(block->scratch.data);
}

uint64_t ez_triple_line(const ez_lines *lines, uint64_t i)
{
    uint64_t line = lines->first_line;
    for (const char *at = lines->text;; at = ez_next_line(at), line++)
        if (*ez_skip_spaces(at) != '\n' && i-- == 0)
            return line;
}

/* ---- out of order ---- */

ezlda_status ez_triples_of_corpus(ez_buffer *triples, ezlda_context *context,
                                  const ezlda_corpus *corpus)
{
    uint32_t start[EZ_CORPUS_BLOCK + 1], *word = NULL, *count = NULL;
    ezlda_status status = EZLDA_OK;
    for (uint64_t block = 0; block < ez_corpus_blocks(corpus); block++) {
        size_t pairs = (size_t)(ez_corpus_pairs_before(corpus, block + 1) -
                                ez_corpus_pairs_before(corpus, block));
        EZ_TRY_GOTO(ez_array(&word, context, pairs, sizeof *word, "a block of documents"));
        EZ_TRY_GOTO(ez_array(&count, context, pairs, sizeof *count, "a block of documents"));
        uint32_t docs = ez_corpus_decode(corpus, block, start, word, count);
        for (uint32_t doc = 0; doc < docs; doc++)
            for (uint32_t i = start[doc]; i < start[doc + 1]; i++) {
                ez_triple triple = {(uint32_t)(block * EZ_CORPUS_BLOCK + doc), word[i], count[i]};
                EZ_TRY_GOTO(ez_buffer_append(triples, context, &triple, sizeof triple));
            }
        ez_free(word);
        ez_free(count);
        word = count = NULL;
    }
done:
    ez_free(word);
    ez_free(count);
    return status;
}

/* One stable pass of a radix sort, by 16 bits of the document number. */
static ezlda_status sort_pass(ezlda_context *context, const ez_triple *from, ez_triple *to,
                              size_t n, unsigned shift)
{
    enum { DIGITS = 1 << 16 };
    size_t *start;
    EZ_TRY(ez_array_zero(&start, context, DIGITS + 1, sizeof *start, "sorting"));
    for (size_t i = 0; i < n; i++)
        start[(from[i].doc >> shift & (DIGITS - 1)) + 1]++;
    for (size_t i = 1; i < DIGITS; i++)
        start[i] += start[i - 1];
    for (size_t i = 0; i < n; i++)
        to[start[from[i].doc >> shift & (DIGITS - 1)]++] = from[i];
    ez_free(start);
    return EZLDA_OK;
}

static ezlda_status sort_triples(ezlda_context *context, ez_buffer *triples)
{
    size_t n = triples->used / sizeof(ez_triple);
    ez_triple *other, *own = (ez_triple *)(void *)triples->data;
    EZ_TRY(ez_array(&other, context, n, sizeof *other, "sorting"));
    ezlda_status status = sort_pass(context, own, other, n, 0);
    if (status == EZLDA_OK)
        status = sort_pass(context, other, own, n, 16);
    ez_free(other);
    return status;
}

static ezlda_status add_doc(ez_corpus_builder *builder, ezlda_context *context,
                            const ez_triple *triples, size_t n, const char *path, ez_open_doc *open,
                            ez_doc_run *run, ez_buffer *scratch)
{
    open->doc = triples->doc;
    open->words.used = open->counts.used = 0;
    ez_doc_run_clear(run);
    for (size_t i = 0; i < n; i++) {
        EZ_TRY(ez_buffer_append(&open->words, context, &triples[i].word, sizeof triples->word));
        EZ_TRY(ez_buffer_append(&open->counts, context, &triples[i].count, sizeof triples->count));
    }
    EZ_TRY(ez_open_doc_close(open, context, path, run, scratch));
    EZ_TRY(
        ez_corpus_builder_add_empty(builder, context, open->doc - ez_corpus_builder_docs(builder)));
    return ez_corpus_builder_add_run(builder, context, run);
}

ezlda_status ez_build_from_triples(ez_corpus_builder *builder, ezlda_context *context,
                                   ez_buffer *triples, const char *path)
{
    EZ_TRY(sort_triples(context, triples));
    const ez_triple *all = (const ez_triple *)(const void *)triples->data;
    size_t n = triples->used / sizeof *all;
    ez_open_doc open = {0};
    ez_doc_run run = {0};
    ez_buffer scratch = {0};
    ezlda_status status = EZLDA_OK;
    for (size_t i = 0, next; i < n && status == EZLDA_OK; i = next) {
        for (next = i + 1; next < n && all[next].doc == all[i].doc;)
            next++;
        status = add_doc(builder, context, all + i, next - i, path, &open, &run, &scratch);
    }
    ez_free(open.words.data);
    ez_free(open.counts.data);
    ez_doc_run_free(&run);
    ez_free(scratch.data);
    ez_free(triples->data);
    *triples = (ez_buffer){0};
    return status;
}
