/* What a backend does: the same passes on every device, with the same result to the last bit. */
#ifndef EZ_BACKEND_H
#define EZ_BACKEND_H

#include "backend/histograms.h"
#include "cluster/group.h"
#include "tokens/token_list.h"
#include "tokens/token_source.h"

#include <stdbool.h>

/* The paper dissects words of more tokens. */
enum { EZ_SPLIT_REGION = 10000 };

/* Devices that one process trains on. */
enum { EZ_DEVICES_MAX = 64 };

/* Counts that rows of W have besides those of the tokens: of a model that meets new documents, or
 * of seeds. Words are relabelled ones; a topic occurs once in a row. */
typedef struct ez_base_counts {
    const uint64_t *start; /* words+1 */
    const uint16_t *topic;
    const uint32_t *count; /* not 0 */
} ez_base_counts;

typedef struct ez_settings {
    uint32_t topics;
    uint64_t seed;
    const float *alpha; /* topics values; they must outlive the backend */
    double alpha_sum;   /* of these floats, added in order */
    float beta;
    ezlda_estimator estimator;
    ezlda_start start;
    ezlda_sampler sampler;
    int g; /* 1 .. 8; 0: the backend chooses */
    ezlda_w_format w_format;
    ezlda_balance balance; /* of the cuda backend, as is */
    bool loose_records;    /* words' records as an array for each field, and not packed */
    uint32_t region;       /* tokens of a region; 0: EZ_SPLIT_REGION at most */
    int device_number;     /* of the cuda backend: N of cuda:N */
    int devices;           /* of several: how many, and which */
    int device_list[EZ_DEVICES_MAX];
    uint64_t device_memory;   /* bytes that it may take; 0: what is free */
    unsigned memory_halvings; /* of what it may take and of what is free: only so much is taken */
    bool dealt; /* a GPU of several ranks: where it has less room than it said, less is taken */
    const uint16_t *start_topics; /* tokens, in document order: topics before the first iteration;
                                     NULL: see start */
    const ez_base_counts *base;   /* or NULL */
    bool histograms;              /* will be asked for */
    /* All documents, in parts that are loaded in turn: the token list has none, and knows what all
     * parts share. NULL: the token list has them. Of the cpu backend, where W is not fixed. */
    ez_token_source *source;
    ezlda_group
        *group; /* whose members have the other documents, or NULL: W is the sum of all of theirs */
    /* W is the base alone, and stays: tokens are of words that it has counts of, and no word's
     * counts there are more than the frequency that the token list orders it by. */
    bool fixed;
} ez_settings;

typedef struct ez_iteration {
    uint64_t undecided; /* tokens that needed their document's row of D */
    uint64_t moved;     /* tokens whose topic changed */
} ez_iteration;

typedef struct ez_device_memory {
    uint64_t bytes, peak, free; /* in use, at its peak, and what else is free */
    uint32_t chunks;            /* in which the corpus passes through */
} ez_device_memory;

typedef struct ez_backend ez_backend;
struct ez_sampling;

typedef struct ez_backend_ops {
    const char *name;
    /* tokens and settings must outlive the backend, which may index the tokens. */
    ezlda_status (*create)(ez_backend **out, ezlda_context *context, ez_token_list *tokens,
                           const ez_settings *settings);
    /* Gives every token its topic before the first iteration (start.h). */
    ezlda_status (*start)(ez_backend *backend, ezlda_context *context);
    /* One iteration, numbered from 1: every token drawn from the counts of the previous one. */
    ezlda_status (*iterate)(ez_backend *backend, ezlda_context *context, uint32_t iteration,
                            ez_iteration *done);
    /* The settings' alpha, alpha_sum and beta have changed. */
    ezlda_status (*priors)(ez_backend *backend, ezlda_context *context);
    /* How often each count occurs in D and W (histograms.h). */
    ezlda_status (*histograms)(ez_backend *backend, ezlda_context *context, ez_histograms *out);
    /* The sum over all tokens of log2 p(word | document), in fixed point (log2_fixed.h): LLPT is
     * this over tokens. */
    ezlda_status (*score)(ez_backend *backend, ezlda_context *context, int64_t *sum);
    /* The topics of all tokens in document order. */
    ezlda_status (*topics)(ez_backend *backend, ezlda_context *context, uint16_t *out);
    /* Start, and all iterations that a sampling asks for (sampling.h), where W is fixed. The topics
     * that the backend has afterwards are undefined. NULL: iteration by iteration is as good. */
    ezlda_status (*sample)(ez_backend *backend, ezlda_context *context,
                           struct ez_sampling *sampling);
    /* Device memory. NULL for backends that have none. */
    void (*memory)(const ez_backend *backend, ez_device_memory *out);
    void (*free)(ez_backend *backend); /* accepts NULL */
} ez_backend_ops;

/* Every backend's handle opens with its operations. */
struct ez_backend {
    const ez_backend_ops *ops;
};

extern const ez_backend_ops
    ez_reference_backend;                   /* sequential and obvious: the meaning of the program */
extern const ez_backend_ops ez_cpu_backend; /* OpenMP and SIMD */
extern const ez_backend_ops ez_cuda_backend;         /* one NVIDIA GPU; in builds with nvcc only */
extern const ez_backend_ops ez_cuda_members_backend; /* several of them */

/* Base entries of a word; one member of a group adds them. */
static inline uint64_t ez_base_entries(const ez_settings *settings, uint32_t word)
{
    return settings->base ? settings->base->start[word + 1] - settings->base->start[word] : 0;
}

/* The backend of a device: auto, cuda, cuda:N, cuda:N,N,..., cuda:all, cpu or reference, and the
 * number of the (first) device. An explicit request never falls back: what this build or this
 * machine lacks is an error, found here as far as that is cheap. NULL and "auto" give the first GPU
 * that this build serves, else the CPU; "cuda" the first such GPU. */
ezlda_status ez_backend_find(const ez_backend_ops **out, int *number, ezlda_context *context,
                             const char *device);

/* The device that process `index` of several on a machine takes, where `device` leaves the choice
 * (auto, cuda): GPUs that can be used are dealt out in turn. Else, and where there is none, it is
 * `device` itself. */
const char *ez_backend_deal(const char *device, int index, char *room, size_t size);

/* Creates the backend of a device and notes in settings->device_number which one it is. "auto" says
 * what it took and why: GPUs in their order, those that cannot be used or have no room left out,
 * and the CPU where there is none. A GPU that turns out to have less room than it said is tried
 * again with less of it first. */
ezlda_status ez_backend_open(ez_backend **out, ezlda_context *context, const char *device,
                             ez_token_list *tokens, ez_settings *settings);

#endif
