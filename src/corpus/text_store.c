/* Collects the texts of a corpus that is being built and compresses them block by block. A record
 * is the number of bytes that follow, the bytes of the text, the text, then for each token the
 * distance of its place from the one before, its bytes and its pair; all numbers are LEB128. */
#include "corpus/bags/doc_code.h"
#include "corpus/corpus_text.h"

#include <zstd.h>

/* A block ends with the document that reaches this size: small enough to be read in a moment, large
 * enough to compress well. */
enum { EZ_TEXT_BLOCK = 1 << 16, EZ_TEXT_LEVEL = 3, EZ_TEXT_BATCH = 64 };
#define EZ_RAW_LIMIT ((size_t)64 << 20)

void ez_text_store_init(ez_text_store *store)
{
    *store = (ez_text_store){.docs = 0};
    ez_spool_init(&store->raw, EZ_RAW_LIMIT);
}

void ez_text_store_free(ez_text_store *store)
{
    ez_spool_free(&store->raw);
    ez_free(store->marks.data);
    ez_free(store->record.data);
    ez_text_store_init(store);
}

static ezlda_status make_record(ez_text_store *store, ezlda_context *context, const char *text,
                                size_t bytes, const ez_text_place *places, size_t n)
{
    size_t room;
    store->record.used = 0;
    if (!ez_mul_size(n, 3 * (size_t)EZ_VARINT_BYTES, &room) ||
        !ez_add_size(room, EZ_VARINT_BYTES, &room))
        return ez_fail(context, EZLDA_ERROR_MEMORY, "a document of %zu tokens is too long", n);
    unsigned char head[EZ_VARINT_BYTES];
    EZ_TRY(ez_buffer_append(&store->record, context, head,
                            (size_t)(ez_put_varint(head, bytes) - head)));
    EZ_TRY(ez_buffer_append(&store->record, context, text, bytes));
    EZ_TRY(ez_buffer_reserve(&store->record, context, room));
    unsigned char *start = store->record.data + store->record.used, *to = start;
    uint64_t before = 0;
    for (size_t i = 0; i < n; i++) {
        to = ez_put_varint(to, places[i].at - before);
        to = ez_put_varint(to, places[i].bytes);
        to = ez_put_varint(to, places[i].pair);
        before = places[i].at;
    }
    store->record.used += (size_t)(to - start);
    return EZLDA_OK;
}

ezlda_status ez_text_store_add(ez_text_store *store, ezlda_context *context, const char *text,
                               size_t bytes, const ez_text_place *places, size_t n)
{
    const ez_text_mark *marks = (const ez_text_mark *)(const void *)store->marks.data;
    size_t n_marks = store->marks.used / sizeof *marks;
    EZ_TRY(make_record(store, context, text, bytes, places, n));
    if (!n_marks || store->raw.used - marks[n_marks - 1].raw >= EZ_TEXT_BLOCK) {
        ez_text_mark mark = {.doc = store->docs, .raw = store->raw.used};
        EZ_TRY(ez_buffer_append(&store->marks, context, &mark, sizeof mark));
    }
    unsigned char head[EZ_VARINT_BYTES];
    EZ_TRY(ez_spool_append(&store->raw, context, head,
                           (size_t)(ez_put_varint(head, store->record.used) - head)));
    store->docs++;
    return ez_spool_append(&store->raw, context, store->record.data, store->record.used);
}

/* ---- compressing ---- */

typedef struct packed_block {
    ez_buffer bytes;
    ezlda_status status;
} packed_block;

static ezlda_status pack(ZSTD_CCtx *zstd, ezlda_context *context, const void *raw, size_t n,
                         ez_buffer *to)
{
    to->used = 0;
    EZ_TRY(ez_buffer_reserve(to, context, ZSTD_compressBound(n)));
    size_t used = zstd ? ZSTD_compressCCtx(zstd, to->data, to->capacity, raw, n, EZ_TEXT_LEVEL) : 0;
    if (!zstd || ZSTD_isError(used))
        return ez_fail(context, EZLDA_ERROR_MEMORY, "not enough memory to compress text");
    to->used = used;
    return EZLDA_OK;
}

/* Packs blocks [first, first + n), each into its own buffer. */
static void pack_batch(const unsigned char *raw, ezlda_context *context, const ez_text_mark *mark,
                       int64_t n, packed_block *packed)
{
#pragma omp parallel num_threads(ez_threads(context))
    {
        ZSTD_CCtx *zstd = ZSTD_createCCtx();
#pragma omp for schedule(dynamic, 1)
        for (int64_t i = 0; i < n; i++)
            packed[i].status = pack(zstd, context, raw + mark[i].raw,
                                    (size_t)(mark[i + 1].raw - mark[i].raw), &packed[i].bytes);
        ZSTD_freeCCtx(zstd);
    }
}

static ezlda_status pack_all(ez_text_mark *mark, ezlda_context *context, uint64_t blocks,
                             const unsigned char *raw, packed_block *packed, ez_spool *to)
{
    for (uint64_t first = 0; first < blocks; first += EZ_TEXT_BATCH) {
        uint64_t left = blocks - first, n = left < EZ_TEXT_BATCH ? left : EZ_TEXT_BATCH;
        pack_batch(raw, context, mark + first, (int64_t)n, packed);
        for (uint64_t i = 0; i < n; i++) {
            EZ_TRY(packed[i].status);
            mark[first + i].bytes = to->used;
            EZ_TRY(ez_spool_append(to, context, packed[i].bytes.data, packed[i].bytes.used));
        }
    }
    mark[blocks].bytes = to->used;
    return EZLDA_OK;
}

ezlda_status ez_text_store_finish(ez_text_store *store, ezlda_context *context, ez_spool *to,
                                  ez_buffer *marks)
{
    packed_block *packed;
    const void *raw;
    ez_text_mark end = {.doc = store->docs, .raw = store->raw.used};
    EZ_TRY(ez_buffer_append(&store->marks, context, &end, sizeof end));
    EZ_TRY(ez_spool_seal(&store->raw, context, &raw));
    EZ_TRY(ez_array_zero(&packed, context, EZ_TEXT_BATCH, sizeof *packed, "texts"));
    ezlda_status status = pack_all((ez_text_mark *)(void *)store->marks.data, context,
                                   store->marks.used / sizeof end - 1, raw, packed, to);
    for (size_t i = 0; i < EZ_TEXT_BATCH; i++)
        ez_free(packed[i].bytes.data);
    ez_free(packed);
    *marks = store->marks;
    store->marks = (ez_buffer){0};
    return status;
}
