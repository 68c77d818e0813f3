/* Stores tokenised documents in a spool and reads them back with words mapped. */
#include "corpus/text/token_store.h"

#include <string.h>

void ez_token_store_init(ez_token_store *store, uint32_t fields, size_t memory_limit)
{
    memset(store, 0, sizeof *store);
    ez_spool_init(&store->spool, memory_limit);
    store->fields = fields;
}

void ez_token_store_free(ez_token_store *store)
{
    ez_spool_free(&store->spool);
    ez_free(store->blocks.data);
    memset(&store->blocks, 0, sizeof store->blocks);
}

static ez_token_block *blocks_of(const ez_token_store *store)
{
    return (ez_token_block *)(void *)store->blocks.data;
}

ezlda_status ez_token_store_put(ez_token_store *store, ezlda_context *context, uint64_t number,
                                int worker, uint64_t docs, const ez_buffer *bytes)
{
    static const ez_token_block none = {0};
    for (; store->n_blocks <= number; store->n_blocks++)
        EZ_TRY(ez_buffer_append(&store->blocks, context, &none, sizeof none));
    blocks_of(store)[number] = (ez_token_block){store->spool.used, bytes->used, docs, worker};
    store->docs += docs;
    return ez_spool_append(&store->spool, context, bytes->data, bytes->used);
}

ezlda_status ez_token_store_seal(ez_token_store *store, ezlda_context *context)
{
    const void *bytes;
    EZ_TRY(ez_spool_seal(&store->spool, context, &bytes));
    store->bytes = bytes;
    return EZLDA_OK;
}

ezlda_status ez_put_field(ez_buffer *to, ezlda_context *context, const char *value, size_t n)
{
    EZ_TRY(ez_buffer_append(to, context, value, n));
    return ez_buffer_append(to, context, "", 1);
}

ezlda_status ez_put_text(ez_buffer *to, ezlda_context *context, const char *text, size_t n)
{
    EZ_TRY(ez_buffer_reserve(to, context, EZ_PLACE_ROOM));
    ez_put_number(to, n);
    return ez_buffer_append(to, context, text, n);
}

ezlda_status ez_token_reader_init(ez_token_reader *reader, ezlda_context *context,
                                  const ez_token_store *store)
{
    memset(reader, 0, sizeof *reader);
    return ez_array(&reader->values, context, store->fields, sizeof *reader->values,
                    "document fields");
}

void ez_token_reader_free(ez_token_reader *reader)
{
    ez_free(reader->tokens.data);
    ez_free(reader->places.data);
    ez_free(reader->values);
    memset(reader, 0, sizeof *reader);
}

ezlda_status ez_token_reader_open(ez_token_reader *reader, ezlda_context *context,
                                  const ez_token_store *store, uint64_t number,
                                  uint32_t *const *maps)
{
    const ez_token_block *block = &blocks_of(store)[number];
    size_t room;
    reader->at = store->bytes + block->offset;
    reader->docs_left = block->docs;
    reader->map = maps[block->worker];
    reader->open_map = store->open_maps ? store->open_maps[block->worker] : NULL;
    /* A token has at least one byte. */
    if (!ez_mul_size((size_t)block->bytes, sizeof(uint32_t), &room))
        return ez_fail(context, EZLDA_ERROR_MEMORY, "not enough memory for a document");
    EZ_TRY(ez_buffer_reserve(&reader->tokens, context, room));
    /* A token with its place has three bytes. */
    size_t places =
        store->places ? ez_product((size_t)block->bytes / 3 + 1, sizeof(ez_token_place)) : 0;
    size_t gaps =
        store->places && store->gaps ? room * (sizeof(ez_token_place) / sizeof(uint32_t)) : 0;
    return ez_buffer_reserve(&reader->places, context, places > gaps ? places : gaps);
}

/* Numbers of one to three bytes follow no pattern, so that no branch depends on the length. */
static inline uint64_t read_number(const unsigned char **at, const unsigned char *end)
{
    const unsigned char *p = *at;
    if (end - p >= 3) {
        uint32_t first = p[0], second = first >> 7, third = second & p[1] >> 7;
        if (!(third & p[2] >> 7)) {
            *at = p + 1 + second + third;
            return (first & 0x7f) | (p[1] & 0x7fu & -second) << 7 | (p[2] & 0x7fu & -third) << 14;
        }
    }
    uint64_t x = *p & 0x7f;
    for (unsigned shift = 7; *p++ & 0x80; shift += 7)
        x |= (uint64_t)(*p & 0x7f) << shift;
    *at = p;
    return x;
}

/* What a number that is not the end of a document stands for. */
static inline uint32_t map_token(const ez_token_reader *reader, uint64_t written)
{
    if (written == 1)
        return EZ_GAP;
    uint32_t token = (uint32_t)(written - 2);
    return token & EZ_OPEN_TOKEN ? reader->open_map[token & ~EZ_OPEN_TOKEN] : reader->map[token];
}

bool ez_token_reader_next(ez_token_reader *reader, const ez_token_store *store)
{
    if (!reader->docs_left)
        return false;
    reader->docs_left--;
    for (uint32_t i = 0; i < store->fields; i++) {
        reader->values[i] = (const char *)reader->at;
        reader->at += strlen(reader->values[i]) + 1;
    }
    uint32_t *tokens = ez_tokens_of(reader);
    ez_token_place *places = ez_places_of(reader), place = {0};
    size_t n = 0;
    const unsigned char *at = reader->at, *end = store->bytes + store->spool.used;
    if (store->places) {
        reader->bytes = (size_t)read_number(&at, end);
        reader->text = (const char *)at;
        at += reader->bytes;
    }
    for (uint64_t token; (token = read_number(&at, end));) {
        uint32_t mapped = map_token(reader, token);
        if (store->places && token != 1) {
            place.at += read_number(&at, end);
            place.bytes = (uint32_t)read_number(&at, end);
        }
        if (store->places)
            places[n] = place;
        if (mapped == UINT32_MAX && store->gaps)
            mapped = EZ_GAP;
        tokens[n] = mapped;
        n += mapped != UINT32_MAX;
    }
    reader->at = at;
    reader->n = n;
    return true;
}
