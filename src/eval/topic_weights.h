/* The topics' words as probabilities: phi[k][w] = (W[w][k] + beta) * rate[k], rate[k] = 1 / (n[k] +
 * V*beta), with the counts and the beta of model/phi.h.
 *
 * A word's probability in a document is a sum over all topics, most of which have no token in the
 * document. These topics are summed up in alpha_part, one number per word, so that a word costs the
 * topics of the document and not K. */
#ifndef EZ_TOPIC_WEIGHTS_H
#define EZ_TOPIC_WEIGHTS_H

#include "base/memory.h"
#include "model/model_rows.h"

typedef struct ez_topic_weights {
    const ez_rows *rows; /* rows of phi */
    uint32_t topics, words;
    double beta, alpha_sum;
    const double *alpha;
    double *rate;       /* topics */
    double *alpha_part; /* words: sum over k of alpha[k] * phi[k][w] */
    double smooth;      /* the same for a word without tokens: beta * sum of alpha[k] * rate[k] */
    double *unigram;    /* words: log((tokens of w + beta) / (N + V*beta)), the unigram model of the
                           training corpus, with the model's beta */
} ez_topic_weights;

/* Zero-initialise; ez_topic_weights_free afterwards, also after an error. The model must outlive
 * the weights. */
ezlda_status ez_topic_weights_make(ez_topic_weights *weights, ezlda_context *context,
                                   const ezlda_model *model);
void ez_topic_weights_free(ez_topic_weights *weights);

/* A document's topics: n of them, ascending, weight = count * rate. */
typedef struct ez_doc_weights {
    size_t n;
    const uint32_t *topic;
    const double *weight;
    double beta_part; /* beta * sum of the weights */
    double total;     /* tokens + sum of alpha */
} ez_doc_weights;

/* p(word | document) = sum over k of theta[k] * phi[k][w], theta[k] = (count + alpha[k]) / (tokens
 * + sum of alpha). */
double ez_word_probability(const ez_topic_weights *weights, const ez_doc_weights *doc,
                           uint32_t word);

#endif
