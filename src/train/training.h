/* One training, shared by the files that carry it out. */
#ifndef EZ_TRAINING_H
#define EZ_TRAINING_H

#include "backend/backend.h"
#include "base/memory.h"
#include "train/checkpoint.h"
#include "train/converge.h"
#include "train/priors.h"
#include "train/seeds.h"

/* Everything that is freed at its end. */
typedef struct ez_training {
    ezlda_context *context;
    const ezlda_corpus *corpus;
    ezlda_train_options options;
    ez_settings settings;
    float *alpha;
    const ez_backend_ops *ops;
    ez_token_list *tokens;
    ez_backend *backend;
    double seconds_tokens, seconds_open, seconds_setup;
    double seconds; /* of sampling */
    ez_iteration last;
    uint32_t done;   /* iterations, with those of the model that it continues from */
    uint32_t before; /* iterations of that model */
    ez_buffer llpt;
    ez_seeds seeds;
    uint16_t *start_topics;
    ez_prior_fit *fit; /* NULL: the priors stay */
    ez_converge converge;
    char stopped[192];
    bool leave;                  /* the caller wants a checkpoint and no model */
    ez_checkpoints *checkpoints; /* NULL: none are written */
    ez_checkpoint *resumed;      /* what it goes on from, or NULL */
    ez_checkpoint_key key;       /* what the model depends on */
    double last_checkpoint;      /* when the last one was written */
} ez_training;

static inline double ez_share(uint64_t part, uint64_t whole)
{
    return whole ? (double)part / (double)whole : 0;
}

/* train_model.c: the model of what was trained; frees the backend and the tokens. */
ezlda_status ez_training_model(ez_training *t, ezlda_model **out);

/* train_checkpoint.c: the newest whole checkpoint taken up, where that is asked for and there is one. */
ezlda_status ez_training_resume(ez_training *t);
/* ... one written after an iteration, where it is time; or now, and waited for. */
ezlda_status ez_training_checkpoint(ez_training *t, bool now);

#endif
