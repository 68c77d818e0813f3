/* The CUDA backend's handle, shared by its files. */
#ifndef EZ_CUDA_STATE_H
#define EZ_CUDA_STATE_H

#include "backend/backend.h"
#include "backend/cuda/device.h"
#include "backend/cuda/kernels/index_state.h"

/* A launch: a kernel and the part of the documents, words or tasks that it covers. */
typedef struct ez_launch {
    ez_kernel kernel;
    unsigned blocks; /* 0: nothing to do */
    uint32_t first, last;
    int counter; /* of work taken */
} ez_launch;

enum { EZ_LAUNCHES_MAX = 4 };

/* A pass: its launches. */
typedef struct ez_pass {
    ez_launch launch[EZ_LAUNCHES_MAX];
    int launches;
} ez_pass;

typedef struct ez_cuda {
    ez_backend base;
    const ez_token_list *tokens;
    const ez_settings *settings;
    ez_device device;
    ez_device_state state;
    ez_index_state index;
    int launches; /* of all passes */
    ez_pass rates, prepare, documents, words, clear, count;
    uint64_t long_doc_tokens; /* of the documents that start on the host */
    bool no_decisions;        /* early decisions were found not to pay */
    double seconds;           /* of the last iteration that was no trial */
} ez_cuda;

/* ---- cuda_index.c: the corpus on the device ---------------------------------------------------------------------- */

/* Documents in the device's order, T, the inverted index. */
ezlda_status ez_cuda_index(ez_cuda *c, ezlda_context *context);
/* The topics before the first iteration. */
ezlda_status ez_cuda_start_topics(ez_cuda *c, ezlda_context *context);
/* The topics in the corpus' document order. */
ezlda_status ez_cuda_read_topics(ez_cuda *c, ezlda_context *context, uint16_t *out);

/* ---- cuda_plan.c: memory and kernels ----------------------------------------------------------------------------- */

/* What the training needs of the device, checked before anything is allocated. */
ezlda_status ez_cuda_check_memory(ez_cuda *c, ezlda_context *context);
/* Groups that the row of a document of this length may take. */
uint64_t ez_cuda_row_room(const ez_cuda *c, uint64_t length);
/* Room for the counts, the priors uploaded. */
ezlda_status ez_cuda_allocate(ez_cuda *c, ezlda_context *context);
/* Kernels for this corpus and K: what fits on chip stays there. */
ezlda_status ez_cuda_choose_kernels(ez_cuda *c, ezlda_context *context);

#endif
