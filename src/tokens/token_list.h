/* The token list T and its indices, made once and read by the backends of the host; others make
 * their own.
 *
 * Words are relabelled by falling frequency (ties: the corpus' order): that of the corpus, or,
 * where documents meet a model, that of the model. A token has a place in document order (documents
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
    uint64_t all_docs; /* of the corpus that this is a part of; docs where it is the whole */
    uint32_t words;
    uint64_t *doc_start;     /* docs+1: in document order */
    uint32_t *word;          /* tokens, in document order: relabelled word */
    uint64_t *word_start;    /* words+1: in T */
    uint32_t *doc;           /* tokens, in T: document; NULL until the list is indexed */
    uint32_t *original;      /* words: the corpus' number of a relabelled word */
    uint32_t *doc_frequency; /* words: documents that hold the word; NULL until the list is indexed
                                or it was given */
    uint64_t *frequency; /* words: what they are ordered by, where that is not their tokens here;
                            else NULL */
    uint64_t first_doc;  /* number of the first document, by which draws are keyed */
    uint32_t blocks;
    uint64_t *block_doc; /* blocks+1: first document */
    uint32_t *cursor; /* blocks * words: place in T, once has_cursors; before, tokens by the corpus'
                         numbers */
    bool has_cursors;
} ez_token_list;

/* EZLDA_ERROR_UNSUPPORTED where a list cannot have so many. */
ezlda_status ez_token_list_check(ezlda_context *context, uint64_t docs, uint64_t tokens);

/* Takes over doc_start (docs+1) and word (all tokens in document order, words numbered as in the
 * corpus, a document's equal words together), both from ez_array, on failure too. */
ezlda_status ez_token_list_create(ez_token_list **out, ezlda_context *context, uint64_t docs,
                                  uint32_t words, uint64_t *doc_start, uint32_t *word);

/* Documents that are a part of a larger corpus, or that meet a model: what is the same for all
 * parts. */
typedef struct ez_token_subset {
    const uint64_t
        *frequency; /* words, copied: what they are ordered by; NULL: their tokens here */
    const uint32_t *doc_frequency; /* words, copied: documents of all that hold the word; NULL:
                                      those here count */
    uint64_t first_doc;
    uint64_t all_docs; /* 0: those here */
    uint64_t longest;  /* tokens of the longest document of all */
} ez_token_subset;
ezlda_status ez_token_list_create_subset(ez_token_list **out, ezlda_context *context, uint64_t docs,
                                         uint32_t words, uint64_t *doc_start, uint32_t *word,
                                         const ez_token_subset *subset);

/* Makes the cursors, where that was not done before. */
ezlda_status ez_token_list_cursors(ez_token_list *tokens, ezlda_context *context);
/* Makes T, the cursors and the document frequencies, where that was not done before. */
ezlda_status ez_token_list_index(ez_token_list *tokens, ezlda_context *context);
void ez_token_list_free(ez_token_list *tokens);

/* The frequency by which words are ordered: it falls. */
static inline uint64_t ez_word_frequency(const ez_token_list *tokens, uint32_t word)
{
    return tokens->frequency ? tokens->frequency[word]
                             : tokens->word_start[word + 1] - tokens->word_start[word];
}

/* The first word, from `from` on, that is no more frequent. */
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

/* The first token of a block, in document order; of the number of blocks: all. */
static inline uint64_t ez_block_first(const ez_token_list *tokens, uint32_t block)
{
    return tokens->doc_start[tokens->block_doc[block]];
}

/* The cursors of a block (words entries). */
static inline const uint32_t *ez_block_cursor(const ez_token_list *tokens, uint32_t block)
{
    return tokens->cursor + (size_t)block * tokens->words;
}

/* The word a document is best known by, its largest count * log2(all_docs / documents with the
 * word), and the next ones: writes up to n relabelled words by falling salience (ties: the smaller
 * word) and returns how many. `scratch` must hold as many entries as the document has distinct
 * words. */
typedef struct ez_salient {
    int64_t salience;
    uint32_t word;
} ez_salient;
uint32_t ez_salient_words(const ez_token_list *tokens, uint64_t doc, uint32_t *out, uint32_t n,
                          ez_salient *scratch);

#endif
