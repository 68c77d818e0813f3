/* Decides which words are common, from the numbers of their tokens and documents. */
#include "corpus/text/stopwords/common_words.h"

#include "numeric/portable_math.h"

static const double LEAST_DOCS_SHARE = 0.2, LEAST_TOKEN_SHARE = 1e-3, LEAST_EVENNESS = 0.85;

void ez_doc_lengths_join(ez_doc_lengths *to, const ez_doc_lengths *from)
{
    for (int i = 0; i < EZ_LENGTH_BINS; i++) {
        to->docs[i] += from->docs[i];
        to->tokens[i] += from->tokens[i];
    }
    to->all_docs += from->all_docs;
    to->all_tokens += from->all_tokens;
}

/* The number of documents that would have a word which is this share of all tokens. */
static double documents_by_chance(const ez_doc_lengths *lengths, double share)
{
    double sum = 0;
    for (int i = 1; i < EZ_LENGTH_BINS; i++) {
        if (!lengths->docs[i])
            continue;
        double docs = (double)lengths->docs[i];
        double expected = share * (double)lengths->tokens[i] / docs;
        sum += docs * (1 - (expected < 700 ? ez_portable_exp(-expected) : 0));
    }
    return sum;
}

bool ez_word_is_common(const ez_doc_lengths *lengths, uint64_t tokens, uint64_t docs)
{
    double share = (double)tokens / (double)(lengths->all_tokens ? lengths->all_tokens : 1);
    if (lengths->all_docs < EZ_COMMON_LEAST_DOCS || share < LEAST_TOKEN_SHARE ||
        (double)docs < LEAST_DOCS_SHARE * (double)lengths->all_docs)
        return false;
    return (double)docs >= LEAST_EVENNESS * documents_by_chance(lengths, share);
}
