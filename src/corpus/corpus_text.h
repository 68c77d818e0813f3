/* The text of the documents of a corpus: compressed blocks of records, so that the text of any
 * document is read without the rest, and for each token its place in the text. */
#ifndef EZ_CORPUS_TEXT_H
#define EZ_CORPUS_TEXT_H

#include "base/context.h"
#include "corpus/input/spool.h"

/* Where a block begins: its first document, and the bytes before it, compressed and not. One more
 * entry has the totals. */
typedef struct ez_text_mark {
    uint64_t doc, bytes, raw;
} ez_text_mark;

/* Where a token stands in the text of its document. */
typedef struct ez_text_place {
    uint64_t at;
    uint32_t bytes, pair; /* pair: of the document, from 0 */
} ez_text_place;

/* ---- writing ---- */

/* Texts that are not compressed yet. ez_text_store_init; free with ez_text_store_free. */
typedef struct ez_text_store {
    ez_spool raw;
    ez_buffer marks;  /* ez_text_mark: of each block, `bytes` not set */
    ez_buffer record; /* the record of the document at hand */
    uint64_t docs;
} ez_text_store;

void ez_text_store_init(ez_text_store *store);
/* Adds the next document; places: in the order of the text. */
ezlda_status ez_text_store_add(ez_text_store *store, ezlda_context *context, const char *text,
                               size_t bytes, const ez_text_place *places, size_t n);
/* Compresses all blocks, on all threads. */
ezlda_status ez_text_store_finish(ez_text_store *store, ezlda_context *context, ez_spool *to,
                                  ez_buffer *marks);
void ez_text_store_free(ez_text_store *store);

/* ---- reading ---- */

bool ez_corpus_has_text(const ezlda_corpus *corpus);
/* Checks the index of the text. Texts themselves are checked when they are read. */
ezlda_status ez_corpus_check_text(const ezlda_corpus *corpus, ezlda_context *context,
                                  const char *where);

/* One thread that reads texts; the block of the last one stays in memory. Zero-initialise; free
 * with ez_doc_texts_free. */
typedef struct ez_doc_texts {
    void *zstd;
    ez_buffer raw;     /* the block */
    ez_buffer records; /* uint64_t: where the record of each document of the block begins */
    uint64_t first, n; /* documents of the block */
    uint64_t doc;      /* the last that was read */
    const char *text;
    size_t bytes;
    const unsigned char *places, *end; /* of that document */
} ez_doc_texts;

/* Reads the text of a document to reader->text and ->bytes: UTF-8 without a NUL at its end, valid
 * until the next call. EZLDA_ERROR_FORMAT if the file does not hold what the format says. */
ezlda_status ez_text_read(ez_doc_texts *reader, ezlda_context *context, const ezlda_corpus *corpus,
                          uint64_t doc);
/* Appends the places of that document's tokens (ez_text_place). count: the counts of its n pairs,
 * which become zero. */
ezlda_status ez_text_places(ez_doc_texts *reader, ezlda_context *context,
                            const ezlda_corpus *corpus, uint32_t *count, size_t n,
                            ez_buffer *places);
void ez_doc_texts_free(ez_doc_texts *reader);

#endif
