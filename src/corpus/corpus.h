/* The corpus inside the library: an image in the layout of the corpus file, mapped from a file or
 * built in memory, so that one reader serves both. A document is a list of (word, count) pairs,
 * words ascending. */
#ifndef EZ_CORPUS_H
#define EZ_CORPUS_H

#include "base/context.h"
#include "corpus/bags/doc_run.h"
#include "corpus/corpus_text.h"

#include <stdbool.h>

/* Documents are decoded in blocks of this many, the unit of random access and of parallel reading.
 */
enum { EZ_CORPUS_BLOCK = 256 };

/* Limits on what a header may claim: EZ_MAX_WORDS words, and EZ_MOST_UNBACKED documents or words
 * that no content backs. Fuzzing has low limits; otherwise it would spend its time on a few bytes
 * that claim much. */
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

/* Fails if the corpus is a mapped file that was written to since it was opened. */
ezlda_status ez_corpus_unchanged(const ezlda_corpus *corpus, ezlda_context *context);

/* The number of blocks; the pairs and tokens before a block. `block` may be the number of blocks,
 * which gives the totals. */
uint64_t ez_corpus_blocks(const ezlda_corpus *corpus);
uint64_t ez_corpus_pairs_before(const ezlda_corpus *corpus, uint64_t block);
uint64_t ez_corpus_tokens_before(const ezlda_corpus *corpus, uint64_t block);

/* The most pairs, and the most tokens, of any block: the room that decoding needs. */
void ez_corpus_largest_block(const ezlda_corpus *corpus, uint64_t *pairs, uint64_t *tokens);

/* Decodes a block and returns its number of documents. doc_start gets (documents in the block)+1
 * offsets into word and count, from 0; word and count must hold ez_corpus_pairs_before(block+1) -
 * ez_corpus_pairs_before(block) entries. Thread-safe; cannot fail, because the image was checked
 * when it was opened. A mapped file that was written to since (see ez_corpus_unchanged) gives wrong
 * words and counts, but never words outside the vocabulary or more pairs than before. */
uint32_t ez_corpus_decode(const ezlda_corpus *corpus, uint64_t block, uint32_t *doc_start,
                          uint32_t *word, uint32_t *count);

/* Whether the order of words in documents was kept, and that order. doc_start and count are those
 * of ez_corpus_decode. token_start gets (documents in the block)+1 offsets into pair_of, from 0.
 * pair_of must hold ez_corpus_tokens_before(block+1) - ez_corpus_tokens_before(block) entries and
 * gets, for each token in order, the index of its pair in the document, from 0. Thread-safe; cannot
 * fail. */
bool ez_corpus_has_order(const ezlda_corpus *corpus);
void ez_corpus_order(const ezlda_corpus *corpus, uint64_t block, const uint32_t *doc_start,
                     const uint32_t *count, uint64_t *token_start, uint32_t *pair_of);

/* The hash of what the corpus hash does not cover: the names and values of all fields, the order of
 * words and the texts. */
ezlda_status ez_corpus_kept_hash(const ezlda_corpus *corpus, ezlda_context *context,
                                 uint64_t *hash);

/* Releases the memory of a mapped corpus until it is read again. */
void ez_corpus_release_pages(const ezlda_corpus *corpus);

/* Starts reading documents [first, last) of a mapped corpus, which will be used soon. */
void ez_corpus_ahead(const ezlda_corpus *corpus, uint64_t first, uint64_t last);

/* The number of tokens of each word. */
const uint64_t *ez_corpus_word_tokens(const ezlda_corpus *corpus);

/* ---- building: documents in order, then the words ---- */

typedef struct ez_corpus_builder ez_corpus_builder;

/* Each document has n_fields named fields (may be 0). */
ezlda_status ez_corpus_builder_create(ez_corpus_builder **out, ezlda_context *context,
                                      const char *const *fields, uint32_t n_fields);
/* Adds a document: n pairs, words strictly ascending, counts at least 1; values: n_fields strings
 * (NULL: ""). */
ezlda_status ez_corpus_builder_add(ez_corpus_builder *builder, ezlda_context *context,
                                   const uint32_t *word, const uint32_t *count, size_t n,
                                   const char *const *values);
/* The same with the order of its tokens, as in ez_corpus_order. Call ez_corpus_builder_keep_order
 * before the first document; then every document must have its order. */
void ez_corpus_builder_keep_order(ez_corpus_builder *builder);
ezlda_status ez_corpus_builder_add_ordered(ez_corpus_builder *builder, ezlda_context *context,
                                           const uint32_t *word, const uint32_t *count, size_t n,
                                           const uint32_t *pair_of, size_t tokens,
                                           const char *const *values);
/* The text of the last document. Call ez_corpus_builder_keep_text before the first one; then every
 * document must have its text. */
void ez_corpus_builder_keep_text(ez_corpus_builder *builder);
ezlda_status ez_corpus_builder_add_text(ez_corpus_builder *builder, ezlda_context *context,
                                        const char *text, size_t bytes, const ez_text_place *places,
                                        size_t n);
/* Stores a copy of the rules by which text became words; NULL: none. */
ezlda_status ez_corpus_builder_keep_rules(ez_corpus_builder *builder, ezlda_context *context,
                                          const ezlda_text_rules *rules);
/* Adds n documents without pairs and values. */
ezlda_status ez_corpus_builder_add_empty(ez_corpus_builder *builder, ezlda_context *context,
                                         uint64_t n);
/* Replaces the values of a field of all documents so far; each value is ended by NUL. */
ezlda_status ez_corpus_builder_set_field(ez_corpus_builder *builder, ezlda_context *context,
                                         uint32_t field, const char *values);
/* Adds documents with their values that another thread may have encoded (doc_run.h). */
ezlda_status ez_corpus_builder_add_run(ez_corpus_builder *builder, ezlda_context *context,
                                       const ez_doc_run *run);

/* Adds runs 0 to n-1 in order, made by all threads. `make` is called on any thread, with a cleared
 * run and a context of its own. */
typedef ezlda_status (*ez_make_run_fn)(void *user, ezlda_context *context, uint64_t i,
                                       ez_doc_run *run);
ezlda_status ez_corpus_builder_add_runs(ez_corpus_builder *builder, ezlda_context *context,
                                        uint64_t n, ez_make_run_fn make, void *user);

/* Makes the corpus with this vocabulary (n_words strings; words NULL: "0", "1", ...) and frees the
 * builder, also on failure. Fails with EZLDA_ERROR_FORMAT if words do not ascend, a word is not
 * below n_words, or a string is not UTF-8. */
ezlda_status ez_corpus_builder_finish(ez_corpus_builder *builder, ezlda_corpus **out,
                                      ezlda_context *context, const char *const *words,
                                      uint32_t n_words);
/* The same; `words` is n_words strings one after the other, each ended by NUL. */
ezlda_status ez_corpus_builder_finish_text(ez_corpus_builder *builder, ezlda_corpus **out,
                                           ezlda_context *context, const char *words,
                                           uint32_t n_words);
uint64_t ez_corpus_builder_docs(const ez_corpus_builder *builder); /* added so far */
void ez_corpus_builder_abandon(ez_corpus_builder *builder);        /* accepts NULL */

/* The status for content from the caller's arrays: an error there is one of the arguments, not of a
 * file. */
static inline ezlda_status ez_as_argument_error(ezlda_status status)
{
    return status == EZLDA_ERROR_FORMAT ? EZLDA_ERROR_ARGUMENT : status;
}

#endif
