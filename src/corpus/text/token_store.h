/* Tokenised documents until the vocabulary is settled: lists of provisional word numbers and the
 * fields of each document, block by block. Each worker thread numbers words on its own, so a block
 * says whose numbers it holds. The blocks are in memory up to a limit, then in a temporary file. */
#ifndef EZ_TOKEN_STORE_H
#define EZ_TOKEN_STORE_H

#include "corpus/input/spool.h"

typedef struct ez_token_block {
    uint64_t offset, bytes, docs;
    int worker;
} ez_token_block;

typedef struct ez_token_store {
    ez_spool spool;
    const unsigned char *bytes; /* set by ez_token_store_seal */
    ez_buffer blocks;           /* ez_token_block, by block number */
    uint64_t n_blocks, docs;
    uint32_t fields; /* strings kept with each document */
    /* For each worker, what EZ_OPEN_TOKEN | i stands for; NULL: there are no such tokens. */
    uint32_t *const *open_maps;
    bool gaps;   /* readers return a gap for a token that a map removes */
    bool places; /* documents have their text, and the places of their tokens in it */
} ez_token_store;

void ez_token_store_init(ez_token_store *store, uint32_t fields, size_t memory_limit);
void ez_token_store_free(ez_token_store *store);

/* Adds block `number`. Blocks may come in any order, but only one thread may call this at a time.
 */
ezlda_status ez_token_store_put(ez_token_store *store, ezlda_context *context, uint64_t number,
                                int worker, uint64_t docs, const ez_buffer *bytes);
/* Ends writing: the blocks may now be read, by several threads. */
ezlda_status ez_token_store_seal(ez_token_store *store, ezlda_context *context);

/* A document is written as its fields in order, its text if texts are kept, its tokens and its end.
 * The place of a token follows it. The caller reserves EZ_TOKEN_ROOM bytes per token before, and
 * EZ_PLACE_ROOM per place. */
enum { EZ_TOKEN_ROOM = 5, EZ_PLACE_ROOM = 15 };
/* Marks the number of a token that may prove to be a stop word; the other bits are an index into
 * the worker's list of such words (text_words.h). */
#define EZ_OPEN_TOKEN UINT32_C(0x80000000)
/* Where a token stands in the text of its document. */
typedef struct ez_token_place {
    uint64_t at;
    uint32_t bytes;
} ez_token_place;

/* Writes the text of a document before its tokens. */
ezlda_status ez_put_text(ez_buffer *to, ezlda_context *context, const char *text, size_t n);
ezlda_status ez_put_field(ez_buffer *to, ezlda_context *context, const char *value, size_t n);

/* A mark between tokens that are not neighbours in the text, as readers return it. */
#define EZ_GAP (UINT32_MAX - 1)

/* Numbers of one to three bytes follow no pattern, so that no branch depends on the length. */
static inline void ez_put_token(ez_buffer *to, uint32_t token)
{
    uint64_t x = (uint64_t)token + 2; /* 0 ends the document, 1 is a gap */
    if (x < UINT64_C(1) << 21) {
        unsigned second = x >= 1 << 7, third = x >= 1 << 14;
        unsigned char *at = to->data + to->used;
        at[0] = (unsigned char)(x | second << 7);
        at[1] = (unsigned char)(x >> 7 | third << 7);
        at[2] = (unsigned char)(x >> 14);
        to->used += 1 + second + third;
        return;
    }
    for (; x >= 0x80; x >>= 7)
        to->data[to->used++] = (unsigned char)(x | 0x80);
    to->data[to->used++] = (unsigned char)x;
}

static inline void ez_put_number(ez_buffer *to, uint64_t x)
{
    for (; x >= 0x80; x >>= 7)
        to->data[to->used++] = (unsigned char)(x | 0x80);
    to->data[to->used++] = (unsigned char)x;
}

/* before: where the token before began; 0 for the first. */
static inline void ez_put_place(ez_buffer *to, ez_token_place place, uint64_t before)
{
    ez_put_number(to, place.at - before);
    ez_put_number(to, place.bytes);
}

static inline void ez_put_gap(ez_buffer *to)
{
    to->data[to->used++] = 1;
}

static inline void ez_put_end(ez_buffer *to)
{
    to->data[to->used++] = 0;
}

/* Reads the documents of a block. map gives the current number of each word of the worker;
 * UINT32_MAX: removed. */
typedef struct ez_token_reader {
    const unsigned char *at;
    uint64_t docs_left;
    const uint32_t *map, *open_map;
    ez_buffer tokens; /* uint32_t: tokens of the document, in order, and gaps if they were put */
    size_t n;
    const char **values; /* store->fields fields of the document */
    ez_buffer places;    /* ez_token_place of each token, if the store has places; that of a gap is
                            not defined */
    const char *text;    /* of the document, if the store has places */
    size_t bytes;
} ez_token_reader;

ezlda_status ez_token_reader_init(ez_token_reader *reader, ezlda_context *context,
                                  const ez_token_store *store);
ezlda_status ez_token_reader_open(ez_token_reader *reader, ezlda_context *context,
                                  const ez_token_store *store, uint64_t number,
                                  uint32_t *const *maps);
bool ez_token_reader_next(ez_token_reader *reader, const ez_token_store *store);
static inline uint32_t *ez_tokens_of(const ez_token_reader *reader)
{
    return (uint32_t *)(void *)reader->tokens.data;
}
static inline ez_token_place *ez_places_of(const ez_token_reader *reader)
{
    return (ez_token_place *)(void *)reader->places.data;
}
void ez_token_reader_free(ez_token_reader *reader);

#endif
