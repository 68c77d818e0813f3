/* Documents of a corpus as a model sees them: the tokens of words that it knows, with the model's
 * numbers. */
#ifndef EZ_KNOWN_DOCS_H
#define EZ_KNOWN_DOCS_H

#include "corpus/corpus.h"
#include "tokens/token_list.h"

typedef struct ez_known_docs {
    const ezlda_corpus *corpus;
    uint32_t *word_of; /* the corpus' words: the model's numbers, or EZ_NO_WORD */
    uint64_t docs;
    uint64_t blocks;  /* blocks of the corpus */
    uint64_t *before; /* blocks+1: known tokens before the block */
    uint64_t longest; /* most known tokens of a document */
    uint64_t without; /* documents without a known token */
    uint64_t unknown_tokens;
    uint32_t unknown_words;
} ez_known_docs;

ezlda_status ez_known_docs_open(ez_known_docs *known, ezlda_context *context,
                                const ezlda_corpus *corpus, const ezlda_model *model);
void ez_known_docs_close(ez_known_docs *known);

/* The tokens of blocks [first, last), words ordered by the model's frequencies. unknown: NULL, or
 * one number per document, which becomes the number of its tokens that the model does not know. */
ezlda_status ez_known_docs_tokens(const ez_known_docs *known, ezlda_context *context,
                                  uint64_t first, uint64_t last, uint32_t model_words,
                                  const uint64_t *frequency, ez_token_list **out,
                                  uint64_t *unknown);

/* Documents before a block. */
static inline uint64_t ez_known_docs_before(const ez_known_docs *known, uint64_t block)
{
    uint64_t docs = block * EZ_CORPUS_BLOCK;
    return docs < known->docs ? docs : known->docs;
}

#endif
