/* Matches a corpus' words with a model's, and removes unknown words from documents. */
#include "eval/known_words.h"

#include "base/files/content_hash.h"
#include "corpus/corpus.h"
#include "model/model_layout.h"
#include "model/word_map.h"
#include "sampler/arithmetic.h"

#include <string.h>

ezlda_status ez_known_words_make(ez_known_words *known, ezlda_context *context,
                                 const ezlda_model *model, const ezlda_corpus *corpus)
{
    ez_corpus_sizes sizes;
    ez_corpus_sizes_of(corpus, &sizes);
    *known = (ez_known_words){.words = sizes.words};
    EZ_TRY(ez_word_map(&known->word, context, corpus, model, &known->unknown_words));
    EZ_TRY(ez_array(&known->key, context, sizes.words, sizeof *known->key, "the words' hashes"));
    const uint64_t *tokens = ez_corpus_word_tokens(corpus);
    for (uint32_t w = 0; w < known->words; w++) {
        const char *text = ezlda_corpus_word(corpus, w);
        known->key[w] = ez_hash_bytes(text, strlen(text));
        *(known->word[w] == EZ_NO_WORD ? &known->unknown_tokens : &known->known_tokens) +=
            tokens[w];
        if (known->word[w] != EZ_NO_WORD && model->word_tokens[known->word[w]] == 0)
            known->unseen_tokens += tokens[w];
    }
    return EZLDA_OK;
}

void ez_known_words_free(ez_known_words *known)
{
    ez_free(known->word);
    ez_free(known->key);
    *known = (ez_known_words){0};
}

size_t ez_known_pairs(const ez_known_words *known, uint32_t *word, uint32_t *count, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (known->word[word[i]] != EZ_NO_WORD) {
            word[kept] = word[i];
            count[kept++] = count[i];
        }
    return kept;
}

uint64_t ez_known_content(const ez_known_words *known, const uint32_t *word, const uint32_t *count,
                          size_t n)
{
    uint64_t sum = 0; /* the order of the words does not matter */
    for (size_t i = 0; i < n; i++)
        if (known->word[word[i]] != EZ_NO_WORD)
            sum += ez_mix(known->key[word[i]] + count[i]);
    return ez_mix(sum);
}
