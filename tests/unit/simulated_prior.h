/* Corpora drawn from the prior of LDA, the exact sampler of their topics, and figures of a sample
 * that do not depend on the numbering of topics: what a calibration of a sampler needs. Topics
 * that are drawn together with the words are a draw from the posterior given those words, so a
 * sampler that starts from them and is exact keeps every figure's distribution. */
#ifndef SIMULATED_PRIOR_H
#define SIMULATED_PRIOR_H

#include "sampler/arithmetic.h"

#include <math.h>
#include <string.h>

enum { SIM_TOKENS = 4096, SIM_WORDS = 512, SIM_TOPICS = 16, SIM_DOCS = 256 };

typedef struct sim_shape {
    uint32_t docs, length, words, topics;
    double alpha, beta; /* of each topic and of each word */
} sim_shape;

/* The words of a document ascend. W and n follow the topics; see sim_count. */
typedef struct simulation {
    sim_shape shape;
    uint32_t tokens;
    uint64_t random; /* state of the draws */
    uint32_t word[SIM_TOKENS];
    uint16_t topic[SIM_TOKENS];
    uint32_t D[SIM_DOCS][SIM_TOPICS], W[SIM_WORDS][SIM_TOPICS], n[SIM_TOPICS];
} simulation;

static inline double sim_uniform(simulation *s)
{
    return (double)(ez_mix(s->random += 0x9e3779b97f4a7c15) >> 11) * 0x1p-53;
}

/* A draw from weights. */
static inline uint32_t sim_pick(simulation *s, const double *weight, uint32_t n)
{
    double sum = 0;
    uint32_t i = 0;
    for (uint32_t j = 0; j < n; j++)
        sum += weight[j];
    for (double x = sim_uniform(s) * sum; i + 1 < n && (x -= weight[i]) >= 0;)
        i++;
    return i;
}

static inline void sim_add(simulation *s, uint32_t d, uint32_t v, uint32_t k, uint32_t by)
{
    s->D[d][k] += by;
    s->W[v][k] += by;
    s->n[k] += by;
}

/* Counts from the topics. */
static inline void sim_count(simulation *s)
{
    memset(s->D, 0, sizeof s->D);
    memset(s->W, 0, sizeof s->W);
    memset(s->n, 0, sizeof s->n);
    for (uint32_t i = 0; i < s->tokens; i++)
        sim_add(s, i / s->shape.length, s->word[i], s->topic[i], 1);
}

/* Sorts a document by word. Topics of equal words may change places: their order means nothing. */
static inline void sim_sort(simulation *s, uint32_t from, uint32_t to)
{
    for (uint32_t i = from + 1; i < to; i++)
        for (uint32_t j = i; j > from && s->word[j - 1] > s->word[j]; j--) {
            uint32_t v = s->word[j];
            uint16_t k = s->topic[j];
            s->word[j] = s->word[j - 1], s->topic[j] = s->topic[j - 1];
            s->word[j - 1] = v, s->topic[j - 1] = k;
        }
}

/* Draws topics and words. Polya's urns are Dirichlet priors with theta and phi integrated out, and
 * need only sums and products of doubles. */
static inline void sim_draw(simulation *s, const sim_shape *shape, uint64_t seed)
{
    double weight[SIM_WORDS > SIM_TOPICS ? SIM_WORDS : SIM_TOPICS];
    memset(s, 0, sizeof *s);
    s->shape = *shape;
    s->tokens = shape->docs * shape->length;
    s->random = ez_mix(seed);
    for (uint32_t i = 0; i < s->tokens; i++) {
        uint32_t d = i / shape->length;
        for (uint32_t k = 0; k < shape->topics; k++)
            weight[k] = s->D[d][k] + shape->alpha;
        uint32_t k = sim_pick(s, weight, shape->topics);
        for (uint32_t v = 0; v < shape->words; v++)
            weight[v] = s->W[v][k] + shape->beta;
        s->word[i] = sim_pick(s, weight, shape->words);
        s->topic[i] = (uint16_t)k;
        sim_add(s, d, s->word[i], k, 1);
    }
    for (uint32_t d = 0; d < shape->docs; d++)
        sim_sort(s, d * shape->length, (d + 1) * shape->length);
}

/* One sweep of collapsed Gibbs sampling, the exact sampler: every draw sees the counts of all
 * others. */
static inline void sim_gibbs(simulation *s)
{
    double weight[SIM_TOPICS];
    for (uint32_t i = 0; i < s->tokens; i++) {
        uint32_t d = i / s->shape.length, v = s->word[i];
        sim_add(s, d, v, s->topic[i], UINT32_MAX);
        for (uint32_t k = 0; k < s->shape.topics; k++)
            weight[k] = (s->D[d][k] + s->shape.alpha) * (s->W[v][k] + s->shape.beta) /
                        (s->n[k] + s->shape.words * s->shape.beta);
        s->topic[i] = (uint16_t)sim_pick(s, weight, s->shape.topics);
        sim_add(s, d, v, s->topic[i], 1);
    }
}

/* ---- figures ---- */

enum { FIGURE_DOCS, FIGURE_WORDS, FIGURE_ONE_DOC, FIGURE_PAIR, FIGURE_JOINT, FIGURES };

static const char *const figure_names[FIGURES] = {
    "two tokens of a document share a topic", "two tokens of a word share a topic",
    "the same in document 0", "first and last token of document 0 share a topic",
    "log of the joint probability"};

/* log of x (x+1) ... (x+n-1). */
static inline double sim_rising(double x, uint32_t n)
{
    double sum = 0;
    for (uint32_t i = 0; i < n; i++)
        sum += log(x + i);
    return sum;
}

/* Up to a constant; in steps of 1e-6, so that equal samples have equal values. */
static inline double sim_joint(const simulation *s)
{
    double sum = 0;
    for (uint32_t d = 0; d < s->shape.docs; d++)
        for (uint32_t k = 0; k < s->shape.topics; k++)
            sum += sim_rising(s->shape.alpha, s->D[d][k]);
    for (uint32_t k = 0; k < s->shape.topics; k++) {
        for (uint32_t v = 0; v < s->shape.words; v++)
            sum += sim_rising(s->shape.beta, s->W[v][k]);
        sum -= sim_rising(s->shape.beta * s->shape.words, s->n[k]);
    }
    return nearbyint(sum * 1e6) * 1e-6;
}

/* The share of the ordered pairs of different tokens of a row that has one topic; over several
 * rows, the share of all their pairs. */
static inline double sim_shared(const uint32_t (*row)[SIM_TOPICS], uint32_t rows)
{
    double same = 0, pairs = 0;
    for (uint32_t r = 0; r < rows; r++) {
        double length = 0;
        for (uint32_t k = 0; k < SIM_TOPICS; k++) {
            length += row[r][k];
            same += row[r][k] * (row[r][k] - 1.0);
        }
        pairs += length * (length - 1);
    }
    return pairs > 0 ? same / pairs : 1;
}

/* All figures of the topics; the counts must be theirs. */
static inline void sim_figures(const simulation *s, double *out)
{
    out[FIGURE_DOCS] = sim_shared((const uint32_t(*)[SIM_TOPICS])s->D, s->shape.docs);
    out[FIGURE_WORDS] = sim_shared((const uint32_t(*)[SIM_TOPICS])s->W, s->shape.words);
    out[FIGURE_ONE_DOC] = sim_shared((const uint32_t(*)[SIM_TOPICS])s->D, 1);
    out[FIGURE_PAIR] = s->topic[0] == s->topic[s->shape.length - 1];
    out[FIGURE_JOINT] = sim_joint(s);
}

/* ---- calibration ---- */

/* Samples of a chain and the bins of ranks: a rank is 0 .. SIM_SAMPLES. */
enum { SIM_SAMPLES = 9, SIM_RANKS = SIM_SAMPLES + 1 };

/* What the simulations say about one figure. */
typedef struct calibration {
    uint32_t n, rank[SIM_RANKS];
    double truth, sample;  /* sums over simulations: the drawn topics' value; the chain's mean */
    double shift, shift_2; /* sums of their difference and of its square */
    double within;         /* sum of the variance within a chain */
} calibration;

/* Adds one simulation: the figure of the drawn topics, and of the chain's samples. Ties are broken
 * by u in [0, 1). */
static inline void calibration_add(calibration *c, double truth, const double *sample, double u)
{
    uint32_t below = 0, equal = 0;
    double mean = 0, square = 0;
    for (uint32_t i = 0; i < SIM_SAMPLES; i++) {
        below += sample[i] < truth;
        equal += sample[i] == truth;
        mean += sample[i] / SIM_SAMPLES;
    }
    for (uint32_t i = 0; i < SIM_SAMPLES; i++)
        square += (sample[i] - mean) * (sample[i] - mean) / (SIM_SAMPLES - 1);
    c->n++;
    c->rank[below + (uint32_t)(u * (equal + 1))]++;
    c->truth += truth, c->sample += mean, c->within += square;
    c->shift += mean - truth, c->shift_2 += (mean - truth) * (mean - truth);
}

/* Chi-square of the ranks against equal shares: SIM_SAMPLES degrees of freedom if exact. */
static inline double calibration_chi_square(const calibration *c)
{
    double expected = (double)c->n / SIM_RANKS, sum = 0;
    for (uint32_t i = 0; i < SIM_RANKS; i++)
        sum += (c->rank[i] - expected) * (c->rank[i] - expected) / expected;
    return sum;
}

/* The mean difference between samples and truth, in its standard errors. */
static inline double calibration_score(const calibration *c)
{
    double mean = c->shift / c->n, variance = c->shift_2 / c->n - mean * mean;
    return variance > 0 ? mean / sqrt(variance / c->n) : 0;
}

#endif
