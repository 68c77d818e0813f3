/* The corpus inside the library: an image in the corpus file's own layout, mapped from a file or
 * built in memory, so that there is one reader for both. Documents are rows of (word, count) pairs,
 * words ascending. */
#ifndef EZ_CORPUS_H
#define EZ_CORPUS_H

#include "base/context.h"
#include "corpus/bags/doc_run.h"

#include <stdbool.h>

/* Documents are decoded in blocks of this many: the unit of random access and of parallel reading.
 */
enum { EZ_CORPUS_BLOCK = 256 };

/* What a header may ask for before any content has shown it to be true; of documents and words that
 * have no content at all. Where a few bytes may ask for much, fuzzing would make nothing else. */
#ifdef EZLDA_FUZZ
enum { EZ_MAX_WORDS = 1 << 16, EZ_MOST_UNBACKED = 1 << 14 };
#else
enum { EZ_MAX_WORDS = 1 << 28, EZ_MOST_UNBACKED = 1 << 24 };
#endif
#define EZ_MAX_DOCS ((uint64_t)UINT32_MAX)

typedef struct ez_corpus_sizes {
    uint64_t docs, pairs, tokens, longest;
    uint32_t words;
    uint64_t hash;
} ez_corpus_sizes;

void ez_corpus_sizes_of(const ezlda_corpus *corpus, ez_corpus_sizes *sizes);

/* Fails where the corpus is a mapped file that was written to since. */
ezlda_status ez_corpus_unchanged(const ezlda_corpus *corpus, ezlda_context *context);

/* Number of blocks; pairs and tokens before a block (block may be the number of blocks: the
 * totals). */
uint64_t ez_corpus_blocks(const ezlda_corpus *corpus);
uint64_t ez_corpus_pairs_before(const ezlda_corpus *corpus, uint64_t block);
uint64_t ez_corpus_tokens_before(const ezlda_corpus *corpus, uint64_t block);

/* Pairs and tokens of the blocks that have most of them: the room that decoding takes. */
void ez_corpus_largest_block(const ezlda_corpus *corpus, uint64_t *pairs, uint64_t *tokens);

/* Decodes a block. row_start gets (documents in the block)+1 offsets into word/count, from 0; word
 * and count must hold ez_corpus_pairs_before(block+1) - ez_corpus_pairs_before(block) entries.
 * Thread-safe; cannot fail: the image was checked when it was opened. Of a mapped file that was
 * written to since (ez_corpus_unchanged tells) come wrong words and counts, but words of the
 * vocabulary and no more of them. Returns the number of documents. */
uint32_t ez_corpus_decode(const ezlda_corpus *corpus, uint64_t block, uint32_t *row_start,
                          uint32_t *word, uint32_t *count);

/* Whether the order of each document's words was kept, and that order. row_start and count are as
 * ez_corpus_decode gave them; token_start gets (documents in the block)+1 offsets into place, from
 * 0; place must hold ez_corpus_tokens_before(block+1) - ez_corpus_tokens_before(block) entries: for
 * each token, in order, which of its document's pairs it is, from 0. Thread-safe; cannot fail. */
bool ez_corpus_has_order(const ezlda_corpus *corpus);
void ez_corpus_order(const ezlda_corpus *corpus, uint64_t block, const uint32_t *row_start,
                     const uint32_t *count, uint64_t *token_start, uint32_t *place);

/* Lets go of the pages of a mapped corpus until they are read again. */
void ez_corpus_release_pages(const ezlda_corpus *corpus);

/* Documents [first, last) of a mapped corpus will be read soon. */
void ez_corpus_ahead(const ezlda_corpus *corpus, uint64_t first, uint64_t last);

/* Tokens of each word (words entries). */
const uint64_t *ez_corpus_word_tokens(const ezlda_corpus *corpus);

/* ---- building: documents in order, then the words ---- */

typedef struct ez_corpus_builder ez_corpus_builder;

/* n_fields named fields are kept with each document (may be 0). */
ezlda_status ez_corpus_builder_create(ez_corpus_builder **out, ezlda_context *context,
                                      const char *const *fields, uint32_t n_fields);
/* One document: n pairs, words strictly ascending, counts at least 1; values: n_fields strings
 * (NULL: ""). */
ezlda_status ez_corpus_builder_add(ez_corpus_builder *builder, ezlda_context *context,
                                   const uint32_t *word, const uint32_t *count, size_t n,
                                   const char *const *values);
/* The same with the order of its tokens, as ez_corpus_order gives it. ez_corpus_builder_keep_order
 * comes before the first document, and then every document has its order. */
void ez_corpus_builder_keep_order(ez_corpus_builder *builder);
ezlda_status ez_corpus_builder_add_ordered(ez_corpus_builder *builder, ezlda_context *context,
                                           const uint32_t *word, const uint32_t *count, size_t n,
                                           const uint32_t *place, size_t tokens,
                                           const char *const *values);
/* The rules by which text became words (a copy is kept); NULL: none. */
ezlda_status ez_corpus_builder_keep_rules(ez_corpus_builder *builder, ezlda_context *context,
                                          const ezlda_text_rules *rules);
/* So many documents without any pair (and without values). */
ezlda_status ez_corpus_builder_add_empty(ez_corpus_builder *builder, ezlda_context *context,
                                         uint64_t n);
/* Values of a field for all documents that were added, each ended by NUL, in place of those they
 * came with. */
ezlda_status ez_corpus_builder_set_field(ez_corpus_builder *builder, ezlda_context *context,
                                         uint32_t field, const char *values);
/* A run of documents that another thread may have prepared (doc_run.h), with the fields' values in
 * the run. */
ezlda_status ez_corpus_builder_add_run(ez_corpus_builder *builder, ezlda_context *context,
                                       const ez_doc_run *run);

/* Runs 0 .. n-1 made by all threads and taken in order. make may be called by any thread, with a
 * cleared run and a context of its own. */
typedef ezlda_status (*ez_make_run_fn)(void *user, ezlda_context *context, uint64_t i,
                                       ez_doc_run *run);
ezlda_status ez_corpus_builder_add_runs(ez_corpus_builder *builder, ezlda_context *context,
                                        uint64_t n, ez_make_run_fn make, void *user);

/* Takes the vocabulary (n_words strings; words NULL: "0", "1", ...) and makes the corpus; frees the
 * builder, also on failure. Words that do not ascend, an id not below n_words, strings that are not
 * UTF-8: EZLDA_ERROR_FORMAT. */
ezlda_status ez_corpus_builder_finish(ez_corpus_builder *builder, ezlda_corpus **out,
                                      ezlda_context *context, const char *const *words,
                                      uint32_t n_words);
/* The same with n_words strings one after the other, each ended by NUL. */
ezlda_status ez_corpus_builder_finish_text(ez_corpus_builder *builder, ezlda_corpus **out,
                                           ezlda_context *context, const char *words,
                                           uint32_t n_words);
uint64_t ez_corpus_builder_docs(const ez_corpus_builder *builder); /* added so far */
void ez_corpus_builder_abandon(ez_corpus_builder *builder);        /* accepts NULL */

/* The status where content came from the caller's arrays: what is wrong there is no file's fault.
 */
static inline ezlda_status ez_of_arguments(ezlda_status status)
{
    return status == EZLDA_ERROR_FORMAT ? EZLDA_ERROR_ARGUMENT : status;
}

#endif
