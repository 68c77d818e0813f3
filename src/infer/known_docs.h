/* Documents of a corpus as a model sees them: the tokens that can be sampled, with the model's
 * numbers of words. These are tokens of words that have tokens in the model. Those of its other
 * words, which it has not seen, say nothing about topics, but can be scored. */
#ifndef EZ_KNOWN_DOCS_H
#define EZ_KNOWN_DOCS_H

#include "corpus/corpus.h"
#include "tokens/token_list.h"

typedef struct ez_known_docs {
    const ezlda_corpus *corpus;
    uint32_t *word_of; /* the corpus' words: see word_map.h */
    uint64_t docs;
    uint64_t blocks;  /* blocks of the corpus */
    uint64_t *before; /* blocks+1: tokens that can be sampled before the block */
    uint64_t without; /* documents without such a token */
    uint64_t unseen_tokens, unknown_tokens;
    uint32_t unknown_words;
} ez_known_docs;

ezlda_status ez_known_docs_open(ez_known_docs *known, ezlda_context *context,
                                const ezlda_corpus *corpus, const ezlda_model *model);
void ez_known_docs_close(ez_known_docs *known);

/* Tokens of a document that are not sampled. */
typedef struct ez_other_tokens {
    uint64_t unseen, unknown;
} ez_other_tokens;

/* The tokens of blocks [first, last), words ordered by the model's frequencies, draws keyed by the
 * content of documents. other: one entry per document. */
ezlda_status ez_known_docs_tokens(const ez_known_docs *known, ezlda_context *context,
                                  uint64_t first, uint64_t last, const ezlda_model *model,
                                  ez_token_list **out, ez_other_tokens *other);

/* Documents before a block. */
static inline uint64_t ez_known_docs_before(const ez_known_docs *known, uint64_t block)
{
    uint64_t docs = block * EZ_CORPUS_BLOCK;
    return docs < known->docs ? docs : known->docs;
}

#endif
