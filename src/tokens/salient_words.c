/* Finds the most characteristic words of a document, from its counts and the words' document
 * frequencies. */
#include "tokens/token_list.h"

#include "sampler/log2_fixed.h"

#include <stdlib.h>

static int by_falling_salience(const void *a, const void *b)
{
    const ez_salient *x = a, *y = b;
    if (x->salience != y->salience)
        return x->salience > y->salience ? -1 : 1;
    return x->word < y->word ? -1 : x->word > y->word;
}

uint32_t ez_salient_words(const ez_token_list *tokens, uint64_t doc, uint32_t *out, uint32_t n,
                          ez_salient *scratch)
{
    uint32_t distinct = 0;
    int64_t log_docs = ez_log2_fixed(tokens->all_docs);
    for (uint64_t i = tokens->doc_start[doc]; i < tokens->doc_start[doc + 1];) {
        uint32_t v = tokens->word[i];
        uint64_t first = i;
        while (i < tokens->doc_start[doc + 1] && tokens->word[i] == v)
            i++;
        int64_t rarity = log_docs - ez_log2_fixed(tokens->doc_frequency[v]);
        scratch[distinct++] = (ez_salient){(int64_t)(i - first) * rarity, v};
    }
    if (n > distinct)
        n = distinct;
    if (n == 1) {
        for (uint32_t i = 1; i < distinct; i++)
            if (by_falling_salience(&scratch[i], &scratch[0]) < 0)
                scratch[0] = scratch[i];
    } else {
        qsort(scratch, distinct, sizeof *scratch, by_falling_salience);
    }
    for (uint32_t i = 0; i < n; i++)
        out[i] = scratch[i].word;
    return n;
}
