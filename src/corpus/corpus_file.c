/* Writes and reads corpus files (.ezc): a container with one section for each array of the image
 * (docs/formats.md). */
#include "corpus/corpus_image.h"

#include "base/files/content_hash.h"
#include "corpus/formats/readers.h"
#include "corpus/text/rules/text_rules.h"

#include <string.h>

static const char EZ_CORPUS_MAGIC[8] = "EZLDACRP";
enum { EZ_CORPUS_VERSION = 1 };

enum {
    EZ_SECTION_META = EZ_TAG('M', 'E', 'T', 'A'),
    EZ_SECTION_DOCS = EZ_TAG('D', 'O', 'C', 'S'),
    EZ_SECTION_MARKS = EZ_TAG('I', 'N', 'D', 'X'),
    EZ_SECTION_ORDER = EZ_TAG('O', 'R', 'D', 'R'), /* with the next section, or neither */
    EZ_SECTION_ORDER_MARKS = EZ_TAG('O', 'I', 'D', 'X'),
    EZ_SECTION_TEXT = EZ_TAG('T', 'E', 'X', 'T'), /* with the next section, or neither */
    EZ_SECTION_TEXT_MARKS = EZ_TAG('T', 'I', 'D', 'X'),
    EZ_SECTION_RULES = EZ_TAG('R', 'U', 'L', 'E'), /* only if the words come from text */
    EZ_SECTION_WORD_INDEX = EZ_TAG('W', 'I', 'D', 'X'),
    EZ_SECTION_WORD_TEXT = EZ_TAG('W', 'T', 'X', 'T'),
    EZ_SECTION_NAME_INDEX = EZ_TAG('N', 'I', 'D', 'X'),
    EZ_SECTION_NAME_TEXT = EZ_TAG('N', 'T', 'X', 'T'),
    EZ_SECTION_FIELD_INDEX = EZ_TAG('F', 'I', 'D', 'X'),
    EZ_SECTION_FIELD_TEXT = EZ_TAG('F', 'T', 'X', 'T')
};

static uint64_t index_bytes(uint64_t strings)
{
    return (ez_column_groups(strings) + 1) * sizeof(uint64_t);
}

static uint64_t marks_bytes(uint64_t docs)
{
    return (ez_corpus_blocks_of(docs) + 1) * sizeof(ez_corpus_mark);
}

static uint64_t order_marks_bytes(uint64_t docs)
{
    return (ez_corpus_blocks_of(docs) + 1) * sizeof(uint64_t);
}

static uint64_t text_marks_bytes(uint64_t blocks)
{
    return (blocks + 1) * sizeof(ez_text_mark);
}

void ez_corpus_seal(ezlda_corpus *corpus, uint64_t docs_hash, uint64_t words_hash)
{
    const ez_corpus_meta *meta = &corpus->meta;
    const uint64_t content[4] = {meta->docs, docs_hash, meta->words, words_hash};
    corpus->hash = ez_hash_bytes(content, sizeof content);
    uint64_t field_bytes = 0;
    for (uint32_t f = 0; f < meta->fields; f++)
        field_bytes += corpus->fields[f].bytes;
    uint64_t sections[14] = {sizeof *meta,
                             corpus->doc_size,
                             marks_bytes(meta->docs),
                             index_bytes(meta->words),
                             corpus->words.bytes,
                             index_bytes(meta->fields),
                             corpus->field_names.bytes,
                             meta->fields * index_bytes(meta->docs),
                             field_bytes};
    size_t n = 9;
    if (corpus->order_marks) {
        sections[n++] = corpus->order_size;
        sections[n++] = order_marks_bytes(meta->docs);
    }
    if (corpus->text_marks) {
        sections[n++] = corpus->text_size;
        sections[n++] = text_marks_bytes(corpus->text_blocks);
    }
    if (corpus->rules)
        sections[n++] = ez_text_rules_bytes(corpus->rules);
    corpus->file_bytes = ez_container_size_of(sections, n);
}

/* ---- writing ---- */

static ezlda_status put(ez_container_writer *writer, ezlda_context *context, uint32_t tag,
                        const void *bytes, uint64_t n)
{
    EZ_TRY(ez_container_begin(writer, context, tag));
    return ez_container_write(writer, context, bytes, (size_t)n);
}

static ezlda_status put_column(ez_container_writer *writer, ezlda_context *context,
                               uint32_t index_tag, uint32_t text_tag, const ez_column *column)
{
    EZ_TRY(put(writer, context, index_tag, column->index, index_bytes(column->n)));
    return put(writer, context, text_tag, column->text, column->bytes);
}

static ezlda_status put_fields(ez_container_writer *writer, ezlda_context *context,
                               const ezlda_corpus *corpus)
{
    EZ_TRY(ez_container_begin(writer, context, EZ_SECTION_FIELD_INDEX));
    for (uint32_t f = 0; f < corpus->meta.fields; f++)
        EZ_TRY(ez_container_write(writer, context, corpus->fields[f].index,
                                  (size_t)index_bytes(corpus->meta.docs)));
    EZ_TRY(ez_container_begin(writer, context, EZ_SECTION_FIELD_TEXT));
    for (uint32_t f = 0; f < corpus->meta.fields; f++)
        EZ_TRY(ez_container_write(writer, context, corpus->fields[f].text,
                                  (size_t)corpus->fields[f].bytes));
    return EZLDA_OK;
}

static ezlda_status put_order(ez_container_writer *writer, ezlda_context *context,
                              const ezlda_corpus *corpus)
{
    if (!corpus->order_marks)
        return EZLDA_OK;
    EZ_TRY(put(writer, context, EZ_SECTION_ORDER, corpus->order_bytes, corpus->order_size));
    return put(writer, context, EZ_SECTION_ORDER_MARKS, corpus->order_marks,
               order_marks_bytes(corpus->meta.docs));
}

static ezlda_status put_text(ez_container_writer *writer, ezlda_context *context,
                             const ezlda_corpus *corpus)
{
    if (!corpus->text_marks)
        return EZLDA_OK;
    EZ_TRY(put(writer, context, EZ_SECTION_TEXT, corpus->text_bytes, corpus->text_size));
    return put(writer, context, EZ_SECTION_TEXT_MARKS, corpus->text_marks,
               text_marks_bytes(corpus->text_blocks));
}

static ezlda_status put_all(ez_container_writer *writer, ezlda_context *context,
                            const ezlda_corpus *corpus)
{
    EZ_TRY(put(writer, context, EZ_SECTION_META, &corpus->meta, sizeof corpus->meta));
    EZ_TRY(put(writer, context, EZ_SECTION_DOCS, corpus->doc_bytes, corpus->doc_size));
    EZ_TRY(put(writer, context, EZ_SECTION_MARKS, corpus->marks, marks_bytes(corpus->meta.docs)));
    EZ_TRY(
        put_column(writer, context, EZ_SECTION_WORD_INDEX, EZ_SECTION_WORD_TEXT, &corpus->words));
    EZ_TRY(put_column(writer, context, EZ_SECTION_NAME_INDEX, EZ_SECTION_NAME_TEXT,
                      &corpus->field_names));
    EZ_TRY(put_fields(writer, context, corpus));
    EZ_TRY(put_order(writer, context, corpus));
    EZ_TRY(put_text(writer, context, corpus));
    if (!corpus->rules)
        return EZLDA_OK;
    return put(writer, context, EZ_SECTION_RULES, corpus->rules,
               ez_text_rules_bytes(corpus->rules));
}

ezlda_status ezlda_corpus_save(ezlda_context *context, const ezlda_corpus *corpus, const char *path)
{
    ez_clear(context);
    if (!corpus || !path)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                       "a corpus and a path are needed to save a corpus");
    ez_container_writer *writer;
    EZ_TRY(ez_container_writer_open(&writer, context, path, EZ_CORPUS_MAGIC, EZ_CORPUS_VERSION));
    ezlda_status status = put_all(writer, context, corpus);
    if (status == EZLDA_OK)
        return ez_container_finish(writer, context, NULL);
    ez_container_writer_abandon(writer);
    return status;
}

/* ---- reading ---- */

static ezlda_status bad(const ezlda_corpus *corpus, ezlda_context *context, const char *what)
{
    return ez_fail(context, EZLDA_ERROR_FORMAT, "%s: not a corpus as the format says: %s",
                   ez_container_path(corpus->container), what);
}

static ezlda_status missing(const ezlda_corpus *corpus, ezlda_context *context)
{
    return bad(corpus, context, "a section is missing or has the wrong size");
}

/* A section of the expected size; NULL if there is none. */
static const void *get(const ezlda_corpus *corpus, uint32_t tag, uint64_t expected)
{
    uint64_t bytes;
    const void *section = ez_container_section(corpus->container, tag, &bytes);
    return bytes == expected ? section : NULL;
}

static ezlda_status get_column(const ezlda_corpus *corpus, ezlda_context *context,
                               uint32_t index_tag, uint32_t text_tag, uint64_t n, ez_column *column)
{
    column->n = n;
    column->index = get(corpus, index_tag, index_bytes(n));
    column->text = ez_container_section(corpus->container, text_tag, &column->bytes);
    return column->index && column->text ? EZLDA_OK : missing(corpus, context);
}

static ezlda_status get_meta(ezlda_corpus *corpus, ezlda_context *context)
{
    ez_corpus_meta *meta = &corpus->meta;
    const void *section = get(corpus, EZ_SECTION_META, sizeof *meta);
    corpus->doc_bytes = ez_container_section(corpus->container, EZ_SECTION_DOCS, &corpus->doc_size);
    if (!section || !corpus->doc_bytes)
        return missing(corpus, context);
    memcpy(meta, section, sizeof *meta);
    uint64_t text;
    ez_container_section(corpus->container, EZ_SECTION_WORD_TEXT, &text);
    /* A document, a word and the value of a field each have at least one byte: no total is larger
     * than the file. */
    if (meta->docs > corpus->doc_size || meta->words > text || meta->words > EZ_MAX_WORDS)
        return bad(corpus, context, "it states more documents or words than there are");
    ez_container_section(corpus->container, EZ_SECTION_NAME_TEXT, &text);
    if (meta->fields > text)
        return bad(corpus, context, "it states more fields than there are");
    if (meta->block_docs != EZ_CORPUS_BLOCK || meta->string_group != EZ_COLUMN_GROUP || meta->zero)
        return bad(corpus, context, "it was written with other constants");
    const void *marks = get(corpus, EZ_SECTION_MARKS, marks_bytes(meta->docs));
    if (!marks)
        return missing(corpus, context);
    /* A copy, so that array sizes stay right even if another process writes to the file. */
    EZ_TRY(ez_buffer_append(&corpus->mark_buffer, context, marks, (size_t)marks_bytes(meta->docs)));
    corpus->marks = (const ez_corpus_mark *)(const void *)corpus->mark_buffer.data;
    return EZLDA_OK;
}

/* All fields share two sections: the indices one after the other, and the texts. */
static ezlda_status get_fields(ezlda_corpus *corpus, ezlda_context *context)
{
    const ez_corpus_meta *meta = &corpus->meta;
    uint64_t bytes, each = index_bytes(meta->docs), all;
    if (__builtin_mul_overflow(each, meta->fields, &all))
        return bad(corpus, context, "it states more fields than there are");
    const uint64_t *index = get(corpus, EZ_SECTION_FIELD_INDEX, all);
    const char *text = ez_container_section(corpus->container, EZ_SECTION_FIELD_TEXT, &bytes);
    if (!index || !text)
        return missing(corpus, context);
    EZ_TRY(ez_array(&corpus->fields, context, meta->fields, sizeof *corpus->fields, "the fields"));
    uint64_t at = 0, step = each / sizeof *index;
    for (uint32_t f = 0; f < meta->fields; f++, index += step) {
        uint64_t size = index[step - 1];
        if (size > bytes - at)
            return bad(corpus, context, "its fields are longer than their text");
        corpus->fields[f] =
            (ez_column){.n = meta->docs, .index = index, .text = text + at, .bytes = size};
        at += size;
    }
    return at == bytes ? EZLDA_OK : bad(corpus, context, "its fields are shorter than their text");
}

static ezlda_status get_order(ezlda_corpus *corpus, ezlda_context *context)
{
    uint64_t bytes;
    corpus->order_bytes =
        ez_container_section(corpus->container, EZ_SECTION_ORDER, &corpus->order_size);
    if (!corpus->order_bytes &&
        !ez_container_section(corpus->container, EZ_SECTION_ORDER_MARKS, &bytes))
        return EZLDA_OK;
    corpus->order_marks = get(corpus, EZ_SECTION_ORDER_MARKS, order_marks_bytes(corpus->meta.docs));
    return corpus->order_bytes && corpus->order_marks ? EZLDA_OK : missing(corpus, context);
}

static ezlda_status get_text(ezlda_corpus *corpus, ezlda_context *context)
{
    uint64_t bytes;
    corpus->text_bytes =
        ez_container_section(corpus->container, EZ_SECTION_TEXT, &corpus->text_size);
    const void *marks = ez_container_section(corpus->container, EZ_SECTION_TEXT_MARKS, &bytes);
    if (!corpus->text_bytes && !marks)
        return EZLDA_OK;
    if (!corpus->text_bytes || !marks || !bytes || bytes % sizeof(ez_text_mark))
        return missing(corpus, context);
    corpus->text_blocks = bytes / sizeof(ez_text_mark) - 1;
    /* A copy, as of the other marks. */
    EZ_TRY(ez_buffer_append(&corpus->text_mark_buffer, context, marks, (size_t)bytes));
    corpus->text_marks = (const ez_text_mark *)(const void *)corpus->text_mark_buffer.data;
    return EZLDA_OK;
}

static ezlda_status get_rules(ezlda_corpus *corpus, ezlda_context *context)
{
    uint64_t bytes;
    corpus->rules = ez_container_section(corpus->container, EZ_SECTION_RULES, &bytes);
    if (corpus->rules && !ez_text_rules_good(corpus->rules, bytes))
        return bad(corpus, context, "the rules by which its words were made are not right");
    return EZLDA_OK;
}

static ezlda_status open_image(ezlda_corpus *corpus, ezlda_context *context, const char *path)
{
    EZ_TRY(
        ez_container_open(&corpus->container, context, path, EZ_CORPUS_MAGIC, EZ_CORPUS_VERSION));
    EZ_TRY(get_meta(corpus, context));
    const ez_corpus_meta *meta = &corpus->meta;
    EZ_TRY(get_column(corpus, context, EZ_SECTION_WORD_INDEX, EZ_SECTION_WORD_TEXT, meta->words,
                      &corpus->words));
    EZ_TRY(get_column(corpus, context, EZ_SECTION_NAME_INDEX, EZ_SECTION_NAME_TEXT, meta->fields,
                      &corpus->field_names));
    EZ_TRY(get_fields(corpus, context));
    EZ_TRY(get_order(corpus, context));
    EZ_TRY(get_text(corpus, context));
    EZ_TRY(get_rules(corpus, context));
    return ez_corpus_check(corpus, context, ez_container_path(corpus->container));
}

ezlda_status ez_read_corpus_file(ezlda_corpus **out, ezlda_context *context, const char *path)
{
    *out = NULL;
    ezlda_corpus *corpus;
    EZ_TRY(ez_array_zero(&corpus, context, 1, sizeof *corpus, "a corpus"));
    ez_spool_init(&corpus->doc_spool, EZ_SPOOL_LIMIT);
    ez_spool_init(&corpus->order_spool, EZ_SPOOL_LIMIT);
    ez_spool_init(&corpus->text_spool, EZ_SPOOL_LIMIT);
    ezlda_status status = open_image(corpus, context, path);
    if (status != EZLDA_OK) {
        ezlda_corpus_free(corpus);
        return status;
    }
    ez_corpus_seal(corpus, ez_container_section_hash(corpus->container, EZ_SECTION_DOCS),
                   ez_container_section_hash(corpus->container, EZ_SECTION_WORD_TEXT));
    *out = corpus;
    return EZLDA_OK;
}
