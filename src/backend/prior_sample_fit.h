/* The prior sample: documents that are removed from W for a while, to see how well the counts of
 * all others suit them. Fits of the priors and the held-out score are made on them. A backend may
 * do this where its counts are; train/priors/prior_sample_on_host.c does it for the others. All
 * give the same bits. */
#ifndef EZ_PRIOR_SAMPLE_FIT_H
#define EZ_PRIOR_SAMPLE_FIT_H

#include "backend/backend.h"
#include "sampler/count_cells.h"

/* The documents, of all ranks. Words are numbered as in the run's list, and relabelled by their
 * frequency in the other documents. */
typedef struct ez_prior_sample_docs {
    ez_token_list *tokens; /* without tokens of words that only these documents have */
    const uint64_t *rest;  /* words of the run: tokens in the other documents */
    const uint64_t *place; /* this rank's part of `tokens`: places in its document order */
    uint64_t places;
    const uint64_t *dropped; /* places of this rank's tokens that `tokens` does not have */
    uint64_t n_dropped;
    /* Half of the tokens, from which the other half is predicted: NULL if there is no score. */
    ez_token_list *observed;
    const uint64_t *scored_start; /* documents+1: places in `scored` */
    const uint32_t *scored;       /* the other half, by document: relabelled words */
} ez_prior_sample_docs;

/* The held-out score: iterations on the observed half, and the samples over which a document's
 * topics are averaged. */
enum { EZ_SCORE_ITERATIONS = 20, EZ_SCORE_SAMPLES = 5, EZ_SCORE_THIN = 2 };

/* What a fit needs to know of the documents' topics. */
typedef struct ez_prior_sample_counts {
    ez_histograms *docs; /* the caller's; `docs` and `docs_more` are filled */
    uint64_t *met;       /* EZ_COUNT_CELLS: tokens by the count of their word and topic in W */
    uint64_t *own;       /* topics: tokens of the documents */
    uint64_t *rest;      /* topics: tokens of the other documents */
} ez_prior_sample_counts;

typedef struct ez_prior_sample_fit ez_prior_sample_fit;
typedef struct ez_prior_sample_ops {
    /* Removes the documents from W and n, and draws first topics for their tokens. The backend is
     * used for nothing else until the call of `end`. */
    ezlda_status (*begin)(ez_prior_sample_fit *fit, ezlda_context *context);
    /* Draws the topics of the documents in `iterations` iterations that follow iteration `done`. */
    ezlda_status (*sample)(ez_prior_sample_fit *fit, ezlda_context *context,
                           const ez_priors *priors, uint32_t done, uint32_t iterations);
    ezlda_status (*counts)(ez_prior_sample_fit *fit, ezlda_context *context,
                           ez_prior_sample_counts *out);
    /* The sum of log2 p(word | document) over the scored half, in fixed point. Topics of the
     * documents stay as they are. */
    ezlda_status (*score)(ez_prior_sample_fit *fit, ezlda_context *context, const ez_priors *priors,
                          int64_t *sum);
    /* Puts the documents back. After a failure of another operation it is not called, and the
     * backend is of no more use. */
    ezlda_status (*end)(ez_prior_sample_fit *fit, ezlda_context *context);
    void (*free)(ez_prior_sample_fit *fit); /* accepts NULL */
} ez_prior_sample_ops;

/* Every handle begins with its operations. */
struct ez_prior_sample_fit {
    const ez_prior_sample_ops *ops;
};

#endif
