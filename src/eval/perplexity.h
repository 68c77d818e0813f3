/* Perplexity from the scores of documents, and its standard error over the choice of documents. */
#ifndef EZ_PERPLEXITY_H
#define EZ_PERPLEXITY_H

#include <math.h>
#include <stdint.h>

/* One document's scored tokens, and their log-likelihoods by the model and by word frequencies
 * alone. */
typedef struct ez_doc_score {
    uint64_t tokens;
    double model, unigram;
} ez_doc_score;

/* Sums over documents of n tokens and log-likelihood l. Zero-initialise; add in a fixed order. */
typedef struct ez_score_sums {
    uint64_t docs, tokens;
    double l, ll, ln, nn;
} ez_score_sums;

static inline void ez_score_add(ez_score_sums *sums, uint64_t tokens, double l)
{
    double n = (double)tokens;
    sums->docs++;
    sums->tokens += tokens;
    sums->l += l;
    sums->ll += l * l;
    sums->ln += l * n;
    sums->nn += n * n;
}

static inline double ez_perplexity(const ez_score_sums *sums)
{
    return sums->tokens ? exp(-sums->l / (double)sums->tokens) : NAN;
}

/* The standard error of r = sum of l / sum of n, a ratio over a sample of documents: var(r) ~
 * D/(D-1) * sum of (l - r*n)^2 / (sum of n)^2. If l is the difference between two models, this is
 * the error of their difference, paired by document. NaN for fewer than two documents. */
static inline double ez_ratio_error(const ez_score_sums *sums)
{
    if (sums->docs < 2 || !sums->tokens)
        return NAN;
    double d = (double)sums->docs, n = (double)sums->tokens, r = sums->l / n;
    double rest = sums->ll - 2 * r * sums->ln + r * r * sums->nn;
    return sqrt(d / (d - 1) * (rest > 0 ? rest : 0)) / n;
}

/* By the delta method, the error of exp(-r) is exp(-r) times the error of r. */
static inline double ez_perplexity_error(const ez_score_sums *sums)
{
    return ez_perplexity(sums) * ez_ratio_error(sums);
}

#endif
