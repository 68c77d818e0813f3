/* Words that a corpus itself shows to be stop words, for languages without a list: frequent ones
 * that are spread over the documents almost as evenly as chance would spread them. A word with a
 * subject is different: it is repeated in few documents. */
#ifndef EZ_COMMON_WORDS_H
#define EZ_COMMON_WORDS_H

#include <stdbool.h>
#include <stdint.h>

/* Numbers of documents and of their tokens by length: below 16 one bin for each length, then eight
 * bins for each doubling. */
enum { EZ_LENGTH_BINS = 512 };
typedef struct ez_doc_lengths {
    uint64_t docs[EZ_LENGTH_BINS], tokens[EZ_LENGTH_BINS];
    uint64_t all_docs, all_tokens; /* documents with words, and their tokens */
} ez_doc_lengths;

static inline void ez_doc_lengths_add(ez_doc_lengths *lengths, uint64_t n)
{
    uint64_t bin = n;
    if (n >= 16) {
        unsigned log = 63u - (unsigned)__builtin_clzll(n);
        bin = 16 + (log - 4) * 8 + (n >> (log - 3) & 7);
    }
    lengths->docs[bin]++;
    lengths->tokens[bin] += n;
    lengths->all_docs += n > 0;
    lengths->all_tokens += n;
}
void ez_doc_lengths_join(ez_doc_lengths *to, const ez_doc_lengths *from);

/* A corpus of fewer documents with words has no common words. */
enum { EZ_COMMON_LEAST_DOCS = 20 };

/* Whether a word with `tokens` tokens in `docs` documents is common: in at least a fifth of the
 * documents with words, at least one in 1,000 tokens, and in at least 0.85 of the documents that it
 * would be in if its tokens were spread over all tokens at random (Poisson). */
bool ez_word_is_common(const ez_doc_lengths *lengths, uint64_t tokens, uint64_t docs);

#endif
