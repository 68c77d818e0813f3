/* The regression of the documents' shares on a design, as part of a chain: the coefficients are
 * drawn given the shares, and the prior of a document's topics is what the coefficients predict for
 * it, so that no document is pulled towards the mean of all. Coefficients of the kept samples are
 * pooled by Rubin's rules. docs/certainty.md has the formulas. */
#ifndef EZ_REGRESSION_H
#define EZ_REGRESSION_H

#include "effect/design.h"
#include "posterior/chain.h"

typedef struct ez_regression {
    const ez_design *design;
    const ezlda_model *model;
    uint32_t topics, columns; /* columns: with the intercept, which is number 0 */
    double alpha_sum;         /* of the prior of a document; fitted in each round */
    double *now;              /* columns x topics: the coefficients that priors follow from */
    uint32_t samples, kept;
    double *coefficient; /* samples x columns x topics */
    double *residual;    /* samples x topics: variance of a document's share about its prediction */
    double *unsure;      /* samples x topics: mean variance of a share given the topics of tokens */
    uint64_t seed;
} ez_regression;

ezlda_status ez_regression_open(ez_regression *r, ezlda_context *context, const ez_design *design,
                                const ezlda_model *model, uint32_t samples, uint64_t seed);
void ez_regression_close(ez_regression *r);

/* The prior of a document: ez_chain_prior_fn, user an ez_regression. */
void ez_regression_prior(const void *user, uint64_t doc, double *alpha);

/* Fits the coefficients to the chain's present state, keeps them if `keep`, and draws those of the
 * next steps. */
ezlda_status ez_regression_update(ez_regression *r, ezlda_context *context, const ez_chain *chain,
                                  uint32_t round, bool keep);

/* A linear combination of coefficients, `weight` (columns of them), pooled over the samples. */
typedef struct ez_pooled {
    double estimate, error, df;
} ez_pooled;

ez_pooled ez_regression_pool(const ez_regression *r, uint32_t topic, const double *weight);
/* The same if the variances of the documents that matter are `scale` times those of all. */
ez_pooled ez_regression_pool_scaled(const ez_regression *r, uint32_t topic, const double *weight,
                                    double scale);
/* The p-value of the test that all coefficients of a term are 0. */
double ez_regression_test(const ez_regression *r, uint32_t topic, uint32_t term);
/* The interval of a level. */
void ez_pooled_interval(const ez_pooled *pooled, double level, double *low, double *high);

#endif
