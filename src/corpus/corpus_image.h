/* A corpus as the library holds it: arrays in the layout of the corpus file (docs/formats.md),
 * mapped from the file or built in memory. */
#ifndef EZ_CORPUS_IMAGE_H
#define EZ_CORPUS_IMAGE_H

#include "base/files/container.h"
#include "corpus/corpus.h"
#include "corpus/corpus_text.h"
#include "corpus/string_column.h"

/* The bytes, pairs and tokens before a block of EZ_CORPUS_BLOCK documents; one more entry has the
 * totals. */
typedef struct ez_corpus_mark {
    uint64_t bytes, pairs, tokens;
} ez_corpus_mark;

typedef struct ez_corpus_meta {
    uint64_t docs, empty_docs, pairs, tokens, longest;
    uint32_t words, fields;
    uint32_t block_docs;   /* EZ_CORPUS_BLOCK */
    uint32_t string_group; /* EZ_COLUMN_GROUP */
    uint64_t zero;
} ez_corpus_meta;

_Static_assert(sizeof(ez_corpus_meta) == 64, "as written");

struct ezlda_corpus {
    ez_corpus_meta meta;
    const unsigned char *doc_bytes;
    uint64_t doc_size;
    const ez_corpus_mark *marks;
    const unsigned char *order_bytes;
    uint64_t order_size;
    const uint64_t *order_marks; /* bytes of the order before each block, and of all; NULL: none */
    const unsigned char *text_bytes;
    uint64_t text_size, text_blocks;
    const ez_text_mark *text_marks; /* text_blocks + 1; NULL: no text was kept */
    const ezlda_text_rules *rules;  /* NULL: none */
    ez_column words;
    ez_column field_names;
    ez_column *fields;     /* owned */
    uint64_t *word_tokens; /* owned */
    uint64_t hash;
    uint64_t file_bytes;

    ez_container *container; /* set for a mapped corpus; a built one has the fields below instead */
    ez_spool doc_spool, order_spool, text_spool;
    ez_buffer mark_buffer, order_mark_buffer, text_mark_buffer, rules_buffer;
    ez_column_builder *column_builders; /* words, field names, fields */
    uint32_t n_column_builders;
};

static inline uint64_t ez_corpus_blocks_of(uint64_t docs)
{
    return docs / EZ_CORPUS_BLOCK + (docs % EZ_CORPUS_BLOCK != 0);
}

static inline uint32_t ez_corpus_block_docs(const ezlda_corpus *corpus, uint64_t block)
{
    uint64_t left = corpus->meta.docs - block * EZ_CORPUS_BLOCK;
    return (uint32_t)(left < EZ_CORPUS_BLOCK ? left : EZ_CORPUS_BLOCK);
}

/* Checks all documents, words and fields, and counts the tokens of each word. Messages begin with
 * `where`. */
ezlda_status ez_corpus_check(ezlda_corpus *corpus, ezlda_context *context, const char *where);

/* Checks the order of the tokens, if there is one, against the documents, which must have been
 * checked. */
ezlda_status ez_corpus_check_order(const ezlda_corpus *corpus, ezlda_context *context,
                                   const char *where);

/* Sets hash and file_bytes from the content hashes of the documents and of the text of the words.
 */
void ez_corpus_seal(ezlda_corpus *corpus, uint64_t docs_hash, uint64_t words_hash);

#endif
