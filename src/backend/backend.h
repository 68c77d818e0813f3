/* What a backend does: the same passes on every device, with the same result to the last bit. */
#ifndef EZ_BACKEND_H
#define EZ_BACKEND_H

#include "backend/token_list.h"

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
} ez_settings;

typedef struct ez_iteration {
    uint64_t undecided; /* tokens that needed their document's row of D */
    uint64_t moved;     /* tokens whose topic changed */
} ez_iteration;

typedef struct ez_backend ez_backend;

typedef struct ez_backend_ops {
    const char *name;
    /* tokens and settings must outlive the backend. */
    ezlda_status (*create)(ez_backend **out, ezlda_context *context, const ez_token_list *tokens,
                           const ez_settings *settings);
    /* Gives every token its topic before the first iteration (start.h). */
    ezlda_status (*start)(ez_backend *backend, ezlda_context *context);
    /* One iteration, numbered from 1: every token drawn from the counts of the previous one. */
    ezlda_status (*iterate)(ez_backend *backend, ezlda_context *context, uint32_t iteration, ez_iteration *done);
    /* The sum over all tokens of log2 p(word | document), in fixed point (log2_fixed.h): LLPT is this over tokens. */
    ezlda_status (*score)(ez_backend *backend, ezlda_context *context, int64_t *sum);
    /* The topics of all tokens in document order. */
    ezlda_status (*topics)(ez_backend *backend, ezlda_context *context, uint16_t *out);
    void (*free)(ez_backend *backend); /* accepts NULL */
} ez_backend_ops;

/* Every backend's handle opens with its operations. */
struct ez_backend {
    const ez_backend_ops *ops;
};

extern const ez_backend_ops ez_reference_backend; /* sequential and obvious: the meaning of the program */
extern const ez_backend_ops ez_cpu_backend;       /* OpenMP and SIMD */
extern const ez_backend_ops ez_cuda_backend;      /* one NVIDIA GPU; in builds with nvcc only */

/* The backend of a name: reference, cpu, cuda. An explicit request never falls back: what this build lacks is an
 * error. "auto" takes the GPU where there is one and says what it took and why. */
ezlda_status ez_backend_find(const ez_backend_ops **out, ezlda_context *context, const char *device);

#endif
