/* The token list T and its indices. They are made once and read by the backends of the host; GPUs
 * make their own.
 *
 * Words are relabelled by falling frequency (ties: the corpus' order), in the corpus or, if
 * documents are fitted to a model, in the model. A token has a place in document order (documents
 * as in the corpus, their words ascending by the corpus' numbers) and a place in T, which is sorted
 * by word, then by document. Documents are cut into blocks of similar token counts; for each block
 * and word the place in T of the word's first token there is kept, so walking a block with these
 * cursors is the paper's inverted index. */
#ifndef EZ_TOKEN_LIST_H
#define EZ_TOKEN_LIST_H

#include "base/context.h"

#include <stdbool.h>

typedef struct ez_token_list {
    uint64_t docs, tokens, longest;
    uint64_t all_docs; /* documents of the whole corpus */
    uint32_t words;
    uint64_t *doc_start;     /* docs+1: in document order */
    uint32_t *word;          /* tokens, in document order: relabelled word */
    uint64_t *word_start;    /* words+1: in T */
    uint32_t *doc;           /* tokens, in T: document; NULL until the list is indexed */
    uint32_t *original;      /* words: the corpus' number of a relabelled word */
    uint32_t *doc_frequency; /* words: documents that hold the word; NULL until the list is
                                indexed, unless it was given */
    uint64_t *frequency; /* words: what they are ordered by; NULL: by their tokens in this list */
    uint64_t first_doc;  /* number of the first document in the corpus; draws are keyed by it */
    uint32_t *doc_key;   /* docs: what draws are keyed by instead of document numbers, if documents
                            are fitted to a model; or NULL */
    uint32_t blocks;
    uint64_t *block_doc; /* blocks+1: first document */
    /* blocks * words: places in T if has_cursors; before that, tokens by block and by the corpus'
     * numbers of words. */
    uint32_t *cursor;
    bool has_cursors;
} ez_token_list;

/* Fails with EZLDA_ERROR_UNSUPPORTED if a list cannot have that many. */
ezlda_status ez_token_list_check(ezlda_context *context, uint64_t docs, uint64_t tokens);

/* Becomes the owner of doc_start (docs+1) and word (all tokens in document order, words numbered as
 * in the corpus, a document's equal words together), both from ez_array, also on failure. */
ezlda_status ez_token_list_create(ez_token_list **out, ezlda_context *context, uint64_t docs,
                                  uint32_t words, uint64_t *doc_start, uint32_t *word);

/* What a list knows of more than its own documents: if it is a shard or chunk of a larger corpus,
 * or if its documents are fitted to a model. */
typedef struct ez_token_subset {
    const uint64_t *frequency;     /* words, copied: what they are ordered by; NULL: their tokens
                                  in this list */
    const uint32_t *doc_frequency; /* words, copied: documents of the whole corpus that hold the
                                      word; NULL: counted in this list */
    const uint32_t *doc_key;       /* docs, copied; NULL: draws are keyed by document numbers */
    uint64_t first_doc;
    uint64_t all_docs; /* documents of the whole corpus; 0: those of this list */
    uint64_t longest;  /* tokens of the longest document of the whole corpus */
} ez_token_subset;
ezlda_status ez_token_list_create_subset(ez_token_list **out, ezlda_context *context, uint64_t docs,
                                         uint32_t words, uint64_t *doc_start, uint32_t *word,
                                         const ez_token_subset *subset);

/* What a document of these tokens is keyed by if its number must not matter. Equal words lie
 * together. */
uint32_t ez_content_key(const uint32_t *word, uint64_t n);
/* Keys the draws of documents by their words and counts instead of by their numbers. */
ezlda_status ez_token_list_key_documents(ez_token_list *tokens, ezlda_context *context);
/* Makes the cursors, unless they exist. */
ezlda_status ez_token_list_cursors(ez_token_list *tokens, ezlda_context *context);
/* Makes T, the cursors and the document frequencies, unless they exist. */
ezlda_status ez_token_list_index(ez_token_list *tokens, ezlda_context *context);
void ez_token_list_free(ez_token_list *tokens);

/* What the draws of a document's tokens are keyed by: this base, and what is added to it. */
static inline uint64_t ez_doc_key_base(const ez_token_list *tokens)
{
    return tokens->doc_key ? 0 : tokens->first_doc;
}

static inline uint64_t ez_doc_key(const ez_token_list *tokens, uint64_t doc)
{
    return ez_doc_key_base(tokens) + (tokens->doc_key ? tokens->doc_key[doc] : doc);
}

/* The frequency by which words are ordered; it never rises from one word to the next. */
static inline uint64_t ez_word_frequency(const ez_token_list *tokens, uint32_t word)
{
    return tokens->frequency ? tokens->frequency[word]
                             : tokens->word_start[word + 1] - tokens->word_start[word];
}

/* The first word, from `from` on, with at most this frequency. */
static inline uint32_t ez_first_word_within(const ez_token_list *tokens, uint32_t from,
                                            uint64_t frequency)
{
    while (from < tokens->words && ez_word_frequency(tokens, from) > frequency)
        from++;
    return from;
}

/* Words that a thread sums over all blocks at a time. */
enum { EZ_WORDS_AT_ONCE = 1024 };

static inline uint32_t ez_words_end(const ez_token_list *t, uint32_t first)
{
    return t->words - first < EZ_WORDS_AT_ONCE ? t->words : first + EZ_WORDS_AT_ONCE;
}

/* The first token of a block, in document order; for `blocks` it is the number of tokens. */
static inline uint64_t ez_block_first(const ez_token_list *tokens, uint32_t block)
{
    return tokens->doc_start[tokens->block_doc[block]];
}

/* The cursors of a block (words entries). */
static inline const uint32_t *ez_block_cursor(const ez_token_list *tokens, uint32_t block)
{
    return tokens->cursor + (size_t)block * tokens->words;
}

/* The most characteristic words of a document: salience is count * log2(all_docs / documents with
 * the word). Writes up to n relabelled words by falling salience (ties: the smaller word) and
 * returns how many. `scratch` must hold as many entries as the document has distinct words. */
typedef struct ez_salient {
    int64_t salience;
    uint32_t word;
} ez_salient;
uint32_t ez_salient_words(const ez_token_list *tokens, uint64_t doc, uint32_t *out, uint32_t n,
                          ez_salient *scratch);

#endif
