/* The interface of a backend: its settings and its operations. A backend carries out the passes of
 * an iteration on one kind of device; all backends give the same result to the last bit. */
#ifndef EZ_BACKEND_H
#define EZ_BACKEND_H

#include "backend/histograms.h"
#include "backend/w_counts.h"
#include "cluster/group.h"
#include "tokens/token_list.h"
#include "tokens/token_source.h"

#include <stdbool.h>

/* The paper cuts words with more tokens than this into regions. */
enum { EZ_SPLIT_REGION = 10000 };

/* The most GPUs that one process trains on. */
enum { EZ_DEVICES_MAX = 64 };

/* Counts that rows of W have besides those of the tokens: the counts of a model to which new
 * documents are fitted, or of seeds. Words are numbered as in the token list; a topic occurs once
 * in a row of W. */
typedef struct ez_base_counts {
    const uint64_t *start; /* words+1 */
    const uint16_t *topic;
    const uint32_t *count; /* not 0 */
    /* topics: n of the base, if it has rows only for words that have tokens; else NULL, and n is
     * the sum of the rows. W must be fixed. */
    const uint64_t *topic_tokens;
} ez_base_counts;

/* The priors. A backend keeps the pointer: alpha must outlive it, and may change only right before
 * a call of its operation `priors`. */
typedef struct ez_priors {
    const float *alpha; /* topics values */
    double alpha_sum;   /* the sum of these floats, added in order */
    float beta;
} ez_priors;

/* The GPUs that a backend uses. The other backends ignore it. */
typedef struct ez_gpus {
    int n, number[EZ_DEVICES_MAX]; /* a number may occur several times */
    unsigned memory_halvings;      /* how often to halve the memory that would be used, because the
                                      device turned out to have less */
} ez_gpus;

/* What a backend is asked to do. Constant while the backend exists. */
typedef struct ez_settings {
    uint32_t topics;
    uint64_t seed;
    ez_priors priors; /* those before the first iteration */
    ezlda_estimator estimator;
    ezlda_start start;
    ezlda_sampler sampler;
    int g; /* 1 .. 8; 0: the backend chooses */
    ezlda_w_format w_format;
    ezlda_balance balance;        /* applies to GPUs only */
    bool loose_records;           /* GPUs: one array per field of the words' records, not packed */
    uint32_t region;              /* tokens of a region; 0: EZ_SPLIT_REGION at most */
    uint64_t device_memory;       /* GPUs: bytes that may be used; 0: what is free */
    const uint16_t *start_topics; /* tokens, in document order: topics before the first iteration;
                                     NULL: see start */
    const ez_base_counts *base;   /* or NULL */
    bool histograms;              /* the operation `histograms` will be called */
    /* All documents, in chunks that are loaded in turn; the token list then has no documents but
     * knows what all chunks share. NULL: the token list has them. For the cpu backend, if W is not
     * fixed. */
    ez_token_source *source;
    ezlda_group *group; /* its ranks have the other shards, and W is the sum over them; or NULL */
    /* W is the base alone and does not change: every token is of a word that has counts there, and
     * a word has no more counts there than the frequency by which the token list orders it. */
    bool fixed;
} ez_settings;

/* What one iteration did. */
typedef struct ez_iteration {
    uint64_t undecided; /* open tokens: those that needed their document's row of D */
    uint64_t moved;     /* tokens whose topic changed */
} ez_iteration;

typedef struct ez_device_memory {
    uint64_t bytes, peak, free; /* in use now, in use at most, and free besides */
    uint32_t chunks;            /* number of chunks in which the corpus passes through the device */
} ez_device_memory;

typedef struct ez_backend ez_backend;
struct ez_sampling;
struct ez_prior_sample_fit;
struct ez_prior_sample_docs;

typedef struct ez_backend_ops {
    const char *name;
    /* tokens and settings must outlive the backend, which may index the tokens. gpus is read
     * during the call only; NULL: cuda:0. */
    ezlda_status (*create)(ez_backend **out, ezlda_context *context, ez_token_list *tokens,
                           const ez_settings *settings, const ez_gpus *gpus);
    /* Gives every token its topic before the first iteration (start.h). */
    ezlda_status (*start)(ez_backend *backend, ezlda_context *context);
    /* One iteration, numbered from 1: draws every token from the counts of the previous one. */
    ezlda_status (*iterate)(ez_backend *backend, ezlda_context *context, uint32_t iteration,
                            ez_iteration *done);
    /* Changes the priors for the iterations to come. */
    ezlda_status (*priors)(ez_backend *backend, ezlda_context *context, const ez_priors *priors);
    /* Counts how often each count occurs in D and, unless W is fixed, in W (histograms.h). */
    ezlda_status (*histograms)(ez_backend *backend, ezlda_context *context, ez_histograms *out);
    /* Rows of W, as the last iteration left them, and n: row i is that of word[i], `rows` in all.
     * Counts are those of all ranks, with the base. */
    ezlda_status (*counts)(ez_backend *backend, ezlda_context *context, const uint32_t *word,
                           uint32_t rows, ez_w_counts *out);
    /* Opens what fits the prior sample to W without it (prior_sample_fit.h); docs must outlive it,
     * and it must be freed before the backend. *out stays NULL if the host has to do it. NULL: it
     * always has to. */
    ezlda_status (*prior_sample)(ez_backend *backend, ezlda_context *context,
                                 const struct ez_prior_sample_docs *docs,
                                 struct ez_prior_sample_fit **out);
    /* The sum over all tokens of log2 p(word | document), in fixed point (log2_fixed.h); LLPT is
     * this sum divided by the tokens. */
    ezlda_status (*score)(ez_backend *backend, ezlda_context *context, int64_t *sum);
    /* The topics of all tokens in document order. */
    ezlda_status (*topics)(ez_backend *backend, ezlda_context *context, uint16_t *out);
    /* Start and all iterations of a sampling (sampling.h), if W is fixed. The topics of the backend
     * are undefined afterwards. NULL: the backend has no faster way than one iteration at a time.
     */
    ezlda_status (*sample)(ez_backend *backend, ezlda_context *context,
                           struct ez_sampling *sampling);
    /* Device memory. NULL for backends that have none. */
    void (*memory)(const ez_backend *backend, ez_device_memory *out);
    void (*free)(ez_backend *backend); /* accepts NULL */
} ez_backend_ops;

/* Every backend's handle begins with its operations. */
struct ez_backend {
    const ez_backend_ops *ops;
};

extern const ez_backend_ops ez_reference_backend;   /* sequential and obvious: defines the result */
extern const ez_backend_ops ez_cpu_backend;         /* OpenMP and SIMD */
extern const ez_backend_ops ez_cuda_backend;        /* one NVIDIA GPU; in builds with nvcc only */
extern const ez_backend_ops ez_cuda_shards_backend; /* several of them */

/* Base entries of a word; only the root adds them to its W. */
static inline uint64_t ez_base_entries(const ez_settings *settings, uint32_t word)
{
    return settings->base ? settings->base->start[word + 1] - settings->base->start[word] : 0;
}

#endif
