/* Reads a corpus: sizes, words, fields, and the pairs of single documents or blocks. */
#include "corpus/corpus_image.h"

#include "base/files/scratch.h"
#include "base/options_struct.h"
#include "corpus/bags/doc_code.h"

#include <string.h>

/* ---- inside the library ---- */

ezlda_status ez_corpus_unchanged(const ezlda_corpus *corpus, ezlda_context *context)
{
    return corpus->container ? ez_container_unchanged(corpus->container, context) : EZLDA_OK;
}

void ez_corpus_sizes_of(const ezlda_corpus *corpus, ez_corpus_sizes *sizes)
{
    const ez_corpus_meta *meta = &corpus->meta;
    *sizes = (ez_corpus_sizes){.docs = meta->docs,
                               .pairs = meta->pairs,
                               .tokens = meta->tokens,
                               .longest = meta->longest,
                               .words = meta->words,
                               .hash = corpus->hash};
}

uint64_t ez_corpus_blocks(const ezlda_corpus *corpus)
{
    return ez_corpus_blocks_of(corpus->meta.docs);
}

uint64_t ez_corpus_pairs_before(const ezlda_corpus *corpus, uint64_t block)
{
    return corpus->marks[block].pairs;
}

uint64_t ez_corpus_tokens_before(const ezlda_corpus *corpus, uint64_t block)
{
    return corpus->marks[block].tokens;
}

void ez_corpus_largest_block(const ezlda_corpus *corpus, uint64_t *pairs, uint64_t *tokens)
{
    *pairs = *tokens = 0;
    for (uint64_t block = 0; block < ez_corpus_blocks(corpus); block++) {
        const ez_corpus_mark *mark = &corpus->marks[block];
        uint64_t more_pairs = mark[1].pairs - mark[0].pairs,
                 more_tokens = mark[1].tokens - mark[0].tokens;
        *pairs = more_pairs > *pairs ? more_pairs : *pairs;
        *tokens = more_tokens > *tokens ? more_tokens : *tokens;
    }
}

/* Moves *at to the first pair of a document and returns the end of the document, which is never
 * after the end of the block. */
static const unsigned char *document_end(const unsigned char **at, const unsigned char *block_end)
{
    uint64_t length = 0;
    if (*at < block_end)
        *at = ez_get_varint(*at, &length);
    uint64_t left = *at < block_end ? (uint64_t)(block_end - *at) : 0;
    return *at + (length < left ? length : left);
}

/* Reads a pair and returns the next one. *next is the smallest word that the pair can have, then
 * that of the next pair. The word is always below `words`, even if the file has changed. */
static const unsigned char *read_pair(const unsigned char *at, uint64_t words, uint64_t *next,
                                      uint32_t *word, uint32_t *count)
{
    uint64_t code, more;
    at = ez_get_varint(at, &code);
    *next += code >> 1;
    *word = *next < words ? (uint32_t)*next : 0;
    (*next)++;
    *count = 1;
    if (code & 1) {
        at = ez_get_varint(at, &more);
        *count = (uint32_t)more + 2;
    }
    return at;
}

uint32_t ez_corpus_decode(const ezlda_corpus *corpus, uint64_t block, uint32_t *doc_start,
                          uint32_t *word, uint32_t *count)
{
    uint32_t docs = ez_corpus_block_docs(corpus, block), n = 0;
    const ez_corpus_mark *mark = &corpus->marks[block];
    const unsigned char *at = corpus->doc_bytes + mark->bytes,
                        *block_end = corpus->doc_bytes + mark[1].bytes;
    uint64_t most = mark[1].pairs - mark->pairs;
    doc_start[0] = 0;
    for (uint32_t doc = 0; doc < docs; doc++) {
        const unsigned char *end = document_end(&at, block_end);
        uint64_t next = 0;
        for (; at < end && n < most; n++)
            at = read_pair(at, corpus->meta.words, &next, &word[n], &count[n]);
        doc_start[doc + 1] = n;
    }
    return docs;
}

const uint64_t *ez_corpus_word_tokens(const ezlda_corpus *corpus)
{
    return corpus->word_tokens;
}

/* ---- public ---- */

void ezlda_corpus_get_info(const ezlda_corpus *corpus, ezlda_corpus_info *info)
{
    if (!corpus || !info)
        return;
    const ez_corpus_meta *meta = &corpus->meta;
    ezlda_corpus_info all = {.size = sizeof all,
                             .docs = meta->docs,
                             .empty_docs = meta->empty_docs,
                             .words = meta->words,
                             .pairs = meta->pairs,
                             .tokens = meta->tokens,
                             .longest = meta->longest,
                             .hash = corpus->hash,
                             .bytes = corpus->file_bytes,
                             .fields = meta->fields,
                             .has_order = ez_corpus_has_order(corpus),
                             .has_text = ez_corpus_has_text(corpus),
                             .text_bytes = corpus->text_size};
    ez_struct_write(info, &all, sizeof all);
}

const ezlda_text_rules *ezlda_corpus_text_rules(const ezlda_corpus *corpus)
{
    return corpus ? corpus->rules : NULL;
}

const char *ezlda_corpus_word(const ezlda_corpus *corpus, uint32_t word)
{
    return corpus && word < corpus->meta.words ? ez_column_at(&corpus->words, word) : NULL;
}

const char *ezlda_corpus_field(const ezlda_corpus *corpus, uint32_t field)
{
    return corpus && field < corpus->meta.fields ? ez_column_at(&corpus->field_names, field) : NULL;
}

const char *ezlda_corpus_field_value(const ezlda_corpus *corpus, uint32_t field, uint64_t doc)
{
    if (!corpus || field >= corpus->meta.fields || doc >= corpus->meta.docs)
        return "";
    return ez_column_at(&corpus->fields[field], doc);
}

size_t ezlda_corpus_document(const ezlda_corpus *corpus, uint64_t doc, uint32_t *word,
                             uint32_t *count, size_t capacity)
{
    if (!corpus || doc >= corpus->meta.docs)
        return 0;
    const ez_corpus_mark *mark = &corpus->marks[doc / EZ_CORPUS_BLOCK];
    const unsigned char *at = corpus->doc_bytes + mark->bytes,
                        *block_end = corpus->doc_bytes + mark[1].bytes;
    for (uint64_t skip = doc % EZ_CORPUS_BLOCK; skip; skip--)
        at = document_end(&at, block_end);
    const unsigned char *end = document_end(&at, block_end);
    uint64_t next = 0;
    size_t n = 0;
    for (uint32_t one_word, its_count; at < end; n++) {
        at = read_pair(at, corpus->meta.words, &next, &one_word, &its_count);
        if (n < capacity) {
            word[n] = one_word;
            count[n] = its_count;
        }
    }
    return n;
}

void ezlda_corpus_free(ezlda_corpus *corpus)
{
    if (!corpus)
        return;
    for (uint32_t i = 0; i < corpus->n_column_builders; i++)
        ez_column_builder_free(&corpus->column_builders[i]);
    ez_free(corpus->column_builders);
    ez_spool_free(&corpus->doc_spool);
    ez_spool_free(&corpus->order_spool);
    ez_free(corpus->mark_buffer.data);
    ez_free(corpus->order_mark_buffer.data);
    ez_spool_free(&corpus->text_spool);
    ez_free(corpus->text_mark_buffer.data);
    ez_free(corpus->rules_buffer.data);
    ez_free(corpus->word_tokens);
    ez_free(corpus->fields);
    ez_container_free(corpus->container);
    ez_free(corpus);
}

void ez_corpus_release_pages(const ezlda_corpus *corpus)
{
    if (corpus->container)
        ez_container_release_pages(corpus->container);
}

void ez_corpus_ahead(const ezlda_corpus *corpus, uint64_t first, uint64_t last)
{
    const ez_corpus_mark *begin = &corpus->marks[first / EZ_CORPUS_BLOCK],
                         *end = &corpus->marks[ez_corpus_blocks_of(last)];
    if (corpus->container && last > first)
        ez_scratch_ahead(corpus->doc_bytes + begin->bytes, (size_t)(end->bytes - begin->bytes));
}
