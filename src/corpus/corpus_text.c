/* Reads the texts of a corpus. What a file holds is checked block by block, when it is read. */
#include "corpus/corpus_text.h"

#include "corpus/bags/doc_code.h"
#include "corpus/corpus_image.h"
#include "corpus/input/utf8.h"

#include <inttypes.h>
#include <string.h>
#include <zstd.h>

/* zstd packs at most 128 KiB into four bytes. */
enum { EZ_TEXT_RATIO = 1 << 15 };

bool ez_corpus_has_text(const ezlda_corpus *corpus)
{
    return corpus->text_marks != NULL;
}

static bool marks_good(const ez_text_mark *mark, uint64_t blocks, const ezlda_corpus *corpus)
{
    if (mark->doc || mark->bytes || mark->raw || mark[blocks].doc != corpus->meta.docs ||
        mark[blocks].bytes != corpus->text_size)
        return false;
    for (uint64_t i = 0; i < blocks; i++, mark++) {
        if (mark[1].doc <= mark->doc || mark[1].bytes <= mark->bytes || mark[1].raw <= mark->raw)
            return false;
        /* A document has at least two bytes. */
        uint64_t docs = mark[1].doc - mark->doc, bytes = mark[1].bytes - mark->bytes,
                 raw = mark[1].raw - mark->raw;
        if (docs > raw / 2 || raw / EZ_TEXT_RATIO > bytes)
            return false;
    }
    return true;
}

ezlda_status ez_corpus_check_text(const ezlda_corpus *corpus, ezlda_context *context,
                                  const char *where)
{
    if (!corpus->text_marks || marks_good(corpus->text_marks, corpus->text_blocks, corpus))
        return EZLDA_OK;
    return ez_fail(context, EZLDA_ERROR_FORMAT, "%s: the index of its texts does not fit them",
                   where);
}

/* ---- reading ---- */

static ezlda_status bad_text(const ezlda_corpus *corpus, ezlda_context *context, uint64_t doc)
{
    const char *path = corpus->container ? ez_container_path(corpus->container) : "";
    return ez_fail(context, EZLDA_ERROR_FORMAT,
                   "%s: the text of document %" PRIu64 " is not as the format says",
                   *path ? path : "corpus in memory", doc);
}

void ez_doc_texts_free(ez_doc_texts *reader)
{
    ZSTD_freeDCtx(reader->zstd);
    ez_free(reader->raw.data);
    ez_free(reader->records.data);
    *reader = (ez_doc_texts){0};
}

/* The block of a document. */
static uint64_t block_of(const ezlda_corpus *corpus, uint64_t doc)
{
    uint64_t low = 0;
    for (uint64_t step = corpus->text_blocks; step > 1;) {
        uint64_t half = step / 2;
        low = corpus->text_marks[low + half].doc <= doc ? low + half : low;
        step -= half;
    }
    return low;
}

/* Lists where the records of the block begin; false if they do not fill it. */
static bool list_records(ez_doc_texts *reader)
{
    const unsigned char *start = reader->raw.data, *end = start + reader->raw.used, *at = start;
    uint64_t *record = (uint64_t *)(void *)reader->records.data, length;
    for (uint64_t i = 0; i < reader->n; i++) {
        record[i] = (uint64_t)(at - start);
        at = ez_check_varint(at, end, &length);
        if (!at || !length || length > (uint64_t)(end - at))
            return false;
        at += length;
    }
    return at == end;
}

static ezlda_status load_block(ez_doc_texts *reader, ezlda_context *context,
                               const ezlda_corpus *corpus, uint64_t doc)
{
    const ez_text_mark *mark = &corpus->text_marks[block_of(corpus, doc)];
    size_t raw = (size_t)(mark[1].raw - mark->raw), bytes = (size_t)(mark[1].bytes - mark->bytes);
    reader->n = reader->raw.used = reader->records.used = 0;
    if (!reader->zstd)
        reader->zstd = ZSTD_createDCtx();
    if (!reader->zstd)
        return ez_fail(context, EZLDA_ERROR_MEMORY, "not enough memory to decompress text");
    const unsigned char *from = corpus->text_bytes + mark->bytes;
    if (ZSTD_getFrameContentSize(from, bytes) != raw)
        return bad_text(corpus, context, doc);
    EZ_TRY(ez_buffer_reserve(&reader->raw, context, raw));
    EZ_TRY(ez_buffer_reserve(&reader->records, context,
                             ez_product((size_t)(mark[1].doc - mark->doc), sizeof(uint64_t))));
    if (ZSTD_decompressDCtx(reader->zstd, reader->raw.data, raw, from, bytes) != raw)
        return bad_text(corpus, context, doc);
    reader->raw.used = raw;
    reader->first = mark->doc;
    reader->n = mark[1].doc - mark->doc;
    if (list_records(reader))
        return EZLDA_OK;
    reader->n = 0;
    return bad_text(corpus, context, doc);
}

ezlda_status ez_text_read(ez_doc_texts *reader, ezlda_context *context, const ezlda_corpus *corpus,
                          uint64_t doc)
{
    if (doc < reader->first || doc - reader->first >= reader->n)
        EZ_TRY(load_block(reader, context, corpus, doc));
    const uint64_t *record = (const uint64_t *)(const void *)reader->records.data;
    const unsigned char *end = reader->raw.data + reader->raw.used;
    uint64_t length = 0, bytes;
    const unsigned char *at =
        ez_check_varint(reader->raw.data + record[doc - reader->first], end, &length);
    end = at + length;
    at = ez_check_varint(at, end, &bytes);
    if (!at || bytes > (uint64_t)(end - at) || ez_utf8_check((const char *)at, bytes) != bytes)
        return bad_text(corpus, context, doc);
    reader->doc = doc;
    reader->text = (const char *)at;
    reader->bytes = (size_t)bytes;
    reader->places = at + bytes;
    reader->end = end;
    return EZLDA_OK;
}

static bool begins_character(const char *text, uint64_t at, uint64_t bytes)
{
    return at == bytes || ((unsigned char)text[at] & 0xc0) != 0x80;
}

/* Reads a place and moves *at after it; false if it is not in the text. */
static bool next_place(const ez_doc_texts *reader, const unsigned char **at, ez_text_place *place)
{
    uint64_t distance, length, pair;
    if (!(*at = ez_check_varint(*at, reader->end, &distance)) ||
        !(*at = ez_check_varint(*at, reader->end, &length)) ||
        !(*at = ez_check_varint(*at, reader->end, &pair)))
        return false;
    place->at += distance;
    if (place->at > reader->bytes || length > reader->bytes - place->at || !length ||
        length > UINT32_MAX || pair > UINT32_MAX)
        return false;
    place->bytes = (uint32_t)length;
    place->pair = (uint32_t)pair;
    return begins_character(reader->text, place->at, reader->bytes) &&
           begins_character(reader->text, place->at + length, reader->bytes);
}

ezlda_status ez_text_places(ez_doc_texts *reader, ezlda_context *context,
                            const ezlda_corpus *corpus, uint32_t *count, size_t n,
                            ez_buffer *places)
{
    ez_text_place place = {0};
    uint64_t left = 0;
    for (size_t i = 0; i < n; i++)
        left += count[i];
    for (const unsigned char *at = reader->places; at < reader->end; left--) {
        if (!next_place(reader, &at, &place) || place.pair >= n || !count[place.pair])
            return bad_text(corpus, context, reader->doc);
        count[place.pair]--;
        EZ_TRY(ez_buffer_append(places, context, &place, sizeof place));
    }
    return left ? bad_text(corpus, context, reader->doc) : EZLDA_OK;
}

/* ---- public ---- */

typedef struct owned_text {
    ezlda_doc_text shown;
    ez_buffer text, places;
} owned_text;

/* Replaces pairs by words. */
static ezlda_status read_places(ez_doc_texts *reader, ezlda_context *context,
                                const ezlda_corpus *corpus, owned_text *to)
{
    size_t n = ezlda_corpus_document(corpus, reader->doc, NULL, NULL, 0);
    uint32_t *word = NULL, *count = NULL;
    ez_buffer found = {0};
    ezlda_status status;
    EZ_TRY_GOTO(ez_array(&word, context, n, sizeof *word, "words of a document"));
    EZ_TRY_GOTO(ez_array(&count, context, n, sizeof *count, "words of a document"));
    ezlda_corpus_document(corpus, reader->doc, word, count, n);
    EZ_TRY_GOTO(ez_text_places(reader, context, corpus, count, n, &found));
    const ez_text_place *place = (const ez_text_place *)(const void *)found.data;
    for (size_t i = 0; i < found.used / sizeof *place && status == EZLDA_OK; i++) {
        ezlda_text_place one = {place[i].at, place[i].bytes, word[place[i].pair]};
        status = ez_buffer_append(&to->places, context, &one, sizeof one);
    }
done:
    ez_free(word);
    ez_free(count);
    ez_free(found.data);
    return status;
}

static ezlda_status read_owned(ez_doc_texts *reader, ezlda_context *context,
                               const ezlda_corpus *corpus, uint64_t doc, owned_text *to)
{
    EZ_TRY(ez_text_read(reader, context, corpus, doc));
    EZ_TRY(ez_buffer_append(&to->text, context, reader->text, reader->bytes));
    EZ_TRY(ez_buffer_append(&to->text, context, "", 1));
    EZ_TRY(read_places(reader, context, corpus, to));
    EZ_TRY(ez_corpus_unchanged(corpus, context)); /* otherwise the words cannot be trusted */
    to->shown.text = (const char *)to->text.data;
    to->shown.bytes = to->text.used - 1;
    to->shown.places = (const ezlda_text_place *)(const void *)to->places.data;
    to->shown.n_places = to->places.used / sizeof(ezlda_text_place);
    return EZLDA_OK;
}

ezlda_status ezlda_corpus_doc_text(ezlda_doc_text **out, ezlda_context *context,
                                   const ezlda_corpus *corpus, uint64_t doc)
{
    owned_text *text;
    ez_doc_texts reader = {0};
    ez_clear(context);
    EZ_TRY(ez_needs(context, out, "a place for the text"));
    *out = NULL;
    EZ_TRY(ez_needs(context, corpus, "a corpus"));
    if (doc >= corpus->meta.docs)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                       "document %" PRIu64 ": the corpus has %" PRIu64 " documents", doc,
                       corpus->meta.docs);
    if (!ez_corpus_has_text(corpus))
        return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                       "the corpus has no text of its documents: it was read without keep_text");
    EZ_TRY(ez_array_zero(&text, context, 1, sizeof *text, "the text of a document"));
    ezlda_status status = read_owned(&reader, context, corpus, doc, text);
    ez_doc_texts_free(&reader);
    if (status == EZLDA_OK)
        *out = &text->shown;
    else
        ezlda_doc_text_free(&text->shown);
    return status;
}

void ezlda_doc_text_free(ezlda_doc_text *text)
{
    if (!text)
        return;
    owned_text *owned = (owned_text *)(void *)text;
    ez_free(owned->text.data);
    ez_free(owned->places.data);
    ez_free(owned);
}
