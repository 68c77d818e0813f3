/* Orders the words of a bundle by what each adds to the divergence from the merged bundle, so that
 * neither rare words nor words that both have in equal shares come first. */
#include "tree/node_words.h"

#include "numeric/portable_math.h"

#include <stdbool.h>

enum { MOST = EZLDA_TREE_MOST_WORDS };

/* Keeps a list of the best scores, best first; ties: the word that came first. */
static uint32_t keep(double *score, uint32_t *words, uint32_t n, uint32_t most, double x,
                     uint32_t word)
{
    if (n == most && !(x > score[n - 1]))
        return n;
    uint32_t at = n < most ? n++ : n - 1;
    for (; at > 0 && x > score[at - 1]; at--) {
        score[at] = score[at - 1];
        words[at] = words[at - 1];
    }
    score[at] = x;
    words[at] = word;
    return n;
}

uint32_t ez_node_words(const ez_bundles *b, uint32_t i, uint32_t j, uint32_t *words, uint32_t most)
{
    double score[MOST];
    uint32_t n = 0, other = 0;
    const ez_bundle_count *own = b->list[i], *theirs = b->list[j];
    double share =
        (double)(b->tokens[i] + b->tokens[j]) / (double)(b->tokens[i] ? b->tokens[i] : 1);
    for (uint32_t w = 0; most > 0 && w < b->length[i]; w++) {
        while (other < b->length[j] && theirs[other].id < own[w].id)
            other++;
        bool shared = other < b->length[j] && theirs[other].id == own[w].id;
        double count = own[w].count, all = count + (shared ? theirs[other].count : 0);
        double x = i == j ? count : count * share / all;
        if (i != j && x <= 1)
            continue;
        n = keep(score, words, n, most, i == j ? x : count * ez_portable_log(x), own[w].id);
    }
    return n;
}
