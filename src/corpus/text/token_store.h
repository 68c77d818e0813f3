/* Documents as the tokeniser leaves them, until the vocabulary is settled: lists of provisional
 * word numbers and the fields kept with each document, block by block. Each worker thread numbers
 * words on its own, so blocks say whose numbers they hold. In memory up to a limit, then in a
 * temporary file. */
#ifndef EZ_TOKEN_STORE_H
#define EZ_TOKEN_STORE_H

#include "corpus/input/spool.h"

typedef struct ez_token_block {
    uint64_t offset, bytes, docs;
    int worker;
} ez_token_block;

typedef struct ez_token_store {
    ez_spool spool;
    const unsigned char *bytes; /* once sealed */
    ez_buffer blocks;           /* ez_token_block, by block number */
    uint64_t n_blocks, docs;
    uint32_t fields; /* strings kept with each document */
} ez_token_store;

void ez_token_store_init(ez_token_store *store, uint32_t fields, size_t memory_limit);
void ez_token_store_free(ez_token_store *store);

/* Adds block `number`; blocks may come in any order. One thread at a time. */
ezlda_status ez_token_store_put(ez_token_store *store, ezlda_context *context, uint64_t number,
                                int worker, uint64_t docs, const ez_buffer *bytes);
/* All blocks are in: they may be read, by several threads. */
ezlda_status ez_token_store_seal(ez_token_store *store, ezlda_context *context);
const ez_token_block *ez_token_store_block(const ez_token_store *store, uint64_t number);

/* Writing a document: its fields in order, its tokens, its end. Room for tokens is made before:
 * EZ_TOKEN_ROOM each. */
enum { EZ_TOKEN_ROOM = 5 };
ezlda_status ez_put_field(ez_buffer *to, ezlda_context *context, const char *value, size_t n);

static inline void ez_put_token(ez_buffer *to, uint32_t token)
{
    uint64_t x = (uint64_t)token + 1; /* 0 ends the document */
    for (; x >= 0x80; x >>= 7)
        to->data[to->used++] = (unsigned char)(x | 0x80);
    to->data[to->used++] = (unsigned char)x;
}

static inline void ez_put_end(ez_buffer *to)
{
    to->data[to->used++] = 0;
}

/* Reading a block. map gives for each of the worker's words its number now, UINT32_MAX for none. */
typedef struct ez_token_reader {
    const unsigned char *at;
    uint64_t docs_left;
    const uint32_t *map;
    ez_buffer tokens; /* uint32_t: the document's, in order; kept over blocks */
    size_t n;
    const char **values; /* fields of the document, store->fields of them */
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
void ez_token_reader_free(ez_token_reader *reader);

#endif
