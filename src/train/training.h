/* The state of one run, shared by the files of this folder. */
#ifndef EZ_TRAINING_H
#define EZ_TRAINING_H

#include "backend/choose_device.h"
#include "base/memory.h"
#include "train/checkpoint/checkpoint.h"
#include "train/converge.h"
#include "train/counts/word_samples.h"
#include "train/out_of_core.h"
#include "train/priors/priors.h"
#include "train/seeds.h"
#include "train/update/past.h"

/* One run, from the options to the model. */
typedef struct ez_training {
    ezlda_context *context;
    const ezlda_corpus *corpus;
    ezlda_train_options options;
    ez_device_choice device;
    ezlda_start asked_start; /* may be auto; options.start is not */
    ez_settings settings;    /* complete when the backend is opened, constant from then on */
    ez_priors priors;        /* those of the next iteration */
    float *alpha;            /* topics: what priors.alpha points to */
    const ez_backend_ops *ops;
    ez_token_list *tokens; /* documents of this rank; without documents if the run is out of core */
    ez_out_of_core *out_of_core; /* or NULL */
    const char *scratch;         /* folder for data that grows with the tokens; NULL: memory */
    uint64_t all_tokens;         /* tokens of the corpus */
    uint64_t first_token;        /* first token of this rank, in document order */
    ez_backend *backend;
    double seconds_tokens, seconds_open, seconds_setup, seconds_checks;
    double seconds; /* seconds of sampling */
    ez_iteration last;
    uint32_t done;           /* iterations, with those of the model that the run continues from */
    uint32_t before;         /* iterations of that model */
    uint32_t end;            /* the run ends after this iteration; earlier once it has settled */
    uint32_t settled;        /* the iteration after which the run settled; 0: not yet */
    ez_word_samples samples; /* the sum is at the root only */
    ez_buffer llpt;
    ez_seeds seeds;
    ez_past *past; /* counts of earlier documents, not owned; NULL: there are none */
    uint16_t *start_topics;
    ez_prior_plan plan; /* what the checks of the run do */
    ez_prior_fit *fit;  /* NULL: there are no checks */
    uint32_t least;     /* a run whose length is not given does not end before; 0: it is given */
    double *run_priors; /* 1+topics: beta and alpha of the run; NULL: the model has the same */
    ez_converge converge;
    uint32_t checked; /* the iteration of the last held-out score; 0: there is none */
    double held_out;  /* that score: bits per token */
    char stopped[192];
    bool leave;                  /* the caller asks for a checkpoint instead of a model */
    ez_checkpoints *checkpoints; /* NULL: none are written */
    ez_checkpoint *resumed; /* the checkpoint that the run resumes from, at the root; or NULL */
    bool resumes;           /* the run resumes from a checkpoint */
    ez_checkpoint_key key;  /* what the model depends on */
    double last_checkpoint; /* when the last one was written */
} ez_training;

/* What the caller's progress function is given: it leads a snapshot back to the run. */
typedef struct ez_training_progress {
    ezlda_progress shown; /* the first member: a pointer to it is a pointer to the whole */
    ez_training *training;
} ez_training_progress;

static inline double ez_share(uint64_t part, uint64_t whole)
{
    return whole ? (double)part / (double)whole : 0;
}

/* Tokens of this rank. */
static inline uint64_t ez_training_own_tokens(const ez_training *t)
{
    return t->out_of_core ? ez_source_tokens(&t->out_of_core->source) : t->tokens->tokens;
}

/* train.c: ezlda_train on a corpus that has all words of the past. past may be NULL. */
ezlda_status ez_train(ezlda_model **out, ezlda_context *context, const ezlda_corpus *corpus,
                      const ezlda_train_options *options, ez_past *past);

/* train_group.c: loads the documents of this rank. */
ezlda_status ez_training_tokens(ez_training *t);
/* train_group.c: sums t->last over the ranks. */
ezlda_status ez_training_sum_tallies(ez_training *t);
/* train_group.c: sets flags for all ranks that one rank has set; n <= 4. */
ezlda_status ez_training_agree(ez_training *t, bool *flag, size_t n);
/* train_group.c: collects the topics of the whole corpus at the root; *out is NULL at the others.
 */
ezlda_status ez_training_topics(ez_training *t, uint16_t **out);
/* train_group.c: sends the root's topics of the whole corpus (NULL at the others) to all ranks;
 * each keeps those of its shard to start from. */
ezlda_status ez_training_share_topics(ez_training *t, const uint16_t *topic);

/* train_model.c: fills in what a model keeps beside the counts and the samples. */
ezlda_status ez_training_parts(ez_training *t, ezlda_context *context, ez_model_parts *parts);
/* train_model.c: makes the model; frees the backend and the tokens. */
ezlda_status ez_training_model(ez_training *t, ezlda_model **out);

/* rank_settings.c: fails if a rank was given another corpus or other options. */
ezlda_status ez_training_compare_ranks(ez_training *t);

/* train_checkpoint.c: sets t->key, before anything changes the priors. */
ezlda_status ez_training_key(ez_training *t);
/* train_checkpoint.c: resumes from the newest intact checkpoint, if that is asked for and there is
 * one. */
ezlda_status ez_training_resume(ez_training *t);
/* train_checkpoint.c: whether a checkpoint is due after this iteration. */
bool ez_training_checkpoint_due(ez_training *t);
/* train_checkpoint.c: writes a checkpoint in the background; all ranks must call it. If a rank has
 * no room for its topics, all fail with EZLDA_ERROR_IO, and the run may continue. */
ezlda_status ez_training_checkpoint(ez_training *t);
ezlda_status ez_training_checkpoint_wait(ez_training *t);

#endif
