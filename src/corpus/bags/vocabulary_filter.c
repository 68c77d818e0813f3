#include "corpus/bags/vocabulary_filter.h"

#include <stdlib.h>
#include <string.h>

static int by_rank(const void *a, const void *b)
{
    const ez_candidate *x = a, *y = b;
    if (x->tokens != y->tokens)
        return x->tokens > y->tokens ? -1 : 1;
    return strcmp(x->word, y->word);
}

uint32_t ez_rank_candidates(ez_candidate *candidates, uint32_t n, uint32_t max_vocab)
{
    qsort(candidates, n, sizeof *candidates, by_rank);
    return max_vocab && n > max_vocab ? max_vocab : n;
}
