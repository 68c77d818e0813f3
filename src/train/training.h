/* One training, shared by the files that carry it out. */
#ifndef EZ_TRAINING_H
#define EZ_TRAINING_H

#include "backend/choose_device.h"
#include "base/memory.h"
#include "train/checkpoint/checkpoint.h"
#include "train/converge.h"
#include "train/out_of_core.h"
#include "train/priors/priors.h"
#include "train/seeds.h"

/* Everything that is freed at its end. */
typedef struct ez_training {
    ezlda_context *context;
    const ezlda_corpus *corpus;
    ezlda_train_options options;
    ez_device_choice device;
    ez_settings settings; /* complete when the backend is opened, constant from then on */
    ez_priors priors;     /* those of the next iteration */
    float *alpha;         /* topics: what priors.alpha points to */
    const ez_backend_ops *ops;
    ez_token_list
        *tokens; /* of this member of the group; without documents where they are out of core */
    ez_out_of_core *out_of_core; /* or NULL */
    const char *scratch;         /* folder for what grows with the tokens; NULL: memory */
    uint64_t all_tokens;         /* of the corpus */
    uint64_t first_token;        /* of this member, in document order */
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
    double
        *run_priors; /* 1+topics: beta and alpha of the run, if the model keeps others; or NULL */
    ez_converge converge;
    char stopped[192];
    bool leave;                  /* the caller wants a checkpoint and no model */
    ez_checkpoints *checkpoints; /* NULL: none are written */
    ez_checkpoint *resumed;      /* what it goes on from, at member 0, or NULL */
    bool resumes;                /* it goes on from a checkpoint */
    ez_checkpoint_key key;       /* what the model depends on */
    double last_checkpoint;      /* when the last one was written */
} ez_training;

static inline double ez_share(uint64_t part, uint64_t whole)
{
    return whole ? (double)part / (double)whole : 0;
}

/* Tokens of this member. */
static inline uint64_t ez_training_own_tokens(const ez_training *t)
{
    return t->out_of_core ? ez_source_tokens(&t->out_of_core->source) : t->tokens->tokens;
}

/* train_group.c: the token list of this member, or of the whole corpus. */
ezlda_status ez_training_tokens(ez_training *t);
/* ... `last` becomes that of all members. */
ezlda_status ez_training_sum_tallies(ez_training *t);
/* ... a flag that one member has set is set for all; at most 4. */
ezlda_status ez_training_agree(ez_training *t, bool *flag, size_t n);
/* ... the topics of the whole corpus at member 0; *out is NULL for the others. */
ezlda_status ez_training_topics(ez_training *t, uint16_t **out);
/* ... member 0's topics of the whole corpus (NULL for the others): each starts from its part. */
ezlda_status ez_training_share_topics(ez_training *t, const uint16_t *topic);

/* train_model.c: the model of what was trained; frees the backend and the tokens. */
ezlda_status ez_training_model(ez_training *t, ezlda_model **out);

/* rank_settings.c: fails where a member of the group was given something else than the others. */
ezlda_status ez_training_compare_ranks(ez_training *t);

/* train_checkpoint.c: what the model depends on, before anything has changed the priors. */
ezlda_status ez_training_key(ez_training *t);
/* ... the newest whole checkpoint taken up, where that is asked for and there is one. */
ezlda_status ez_training_resume(ez_training *t);
/* ... whether it is time for one after this iteration. */
bool ez_training_checkpoint_due(ez_training *t);
/* ... one written, beside the training; all members have a part in it. Where a member has no room
 * for its topics, all fail with EZLDA_ERROR_IO, and the training may go on. */
ezlda_status ez_training_checkpoint(ez_training *t);
ezlda_status ez_training_checkpoint_wait(ez_training *t);

#endif
