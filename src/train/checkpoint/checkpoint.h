/* Checkpoints: what a training needs to go on, in files of a folder. The last two are kept; each is
 * written under a temporary name, checksummed, flushed to the disk and renamed, so that what is
 * there is whole. */
#ifndef EZ_CHECKPOINT_H
#define EZ_CHECKPOINT_H

#include "base/files/container.h"
#include "base/memory.h"
#include "model/model.h"

#include <stdbool.h>

/* What a model depends on: a checkpoint is good only for a training that has the same. */
typedef struct ez_checkpoint_key {
    uint64_t corpus_hash, seed;
    uint64_t alpha_hash; /* of the values that were asked for */
    uint64_t seeds_hash; /* of the seed words; 0: none */
    uint64_t init_hash;  /* of the model that was continued from; 0: none */
    double alpha_sum, beta, seed_weight;
    uint32_t topics, estimator, start;
    uint32_t optimize_interval, optimize_burn_in, symmetric_alpha;
} ez_checkpoint_key;

/* A setting that is not the same in two of them, with both values. */
typedef struct ez_key_difference {
    const char *what;
    char a[32], b[32];
} ez_key_difference;

/* Whether there is one. */
bool ez_numbers_differ(ez_key_difference *out, const char *what, uint64_t a, uint64_t b);
bool ez_reals_differ(ez_key_difference *out, const char *what, double a, double b);
/* ... of the settings of two keys; the first is told. */
bool ez_checkpoint_key_differs(ez_key_difference *out, const ez_checkpoint_key *a,
                               const ez_checkpoint_key *b);

/* What else is kept; the rest of the file are alpha, the scores and the topics of all tokens in
 * document order. */
typedef struct ez_checkpoint_meta {
    ez_checkpoint_key key;
    uint64_t tokens, undecided, moved;
    double seconds, beta;
    uint32_t done, before; /* iterations, and those of the model that was continued from */
    double converge_llpt[3], converge_moved[3];
    uint32_t converge_iteration[3], converge_scores, converge_low, zero;
} ez_checkpoint_meta;

typedef struct ez_checkpoint {
    ez_container *container;
    const ez_checkpoint_meta *meta;
    const float *alpha; /* topics */
    const ez_llpt_entry *llpt;
    size_t llpt_count;
    const uint16_t *topic; /* tokens */
} ez_checkpoint;

/* The newest whole checkpoint of a folder; *out NULL where there is none. Damaged ones are noted
 * and passed over; one that cannot be read, or is of another version, is an error. One of another
 * training is EZLDA_ERROR_ARGUMENT, and what differs is named. */
ezlda_status ez_checkpoint_newest(ez_checkpoint **out, ezlda_context *context, const char *folder,
                                  const ez_checkpoint_key *key, uint64_t tokens);
void ez_checkpoint_free(ez_checkpoint *checkpoint); /* accepts NULL */

/* Writing: a thread of its own. */
typedef struct ez_checkpoints ez_checkpoints;

/* Makes the folder, if need be, and holds it to the end: one that another training holds is
 * EZLDA_ERROR_IO. */
ezlda_status ez_checkpoints_open(ez_checkpoints **out, ezlda_context *context, const char *folder);
/* Whether the last one is still being written. */
bool ez_checkpoints_busy(ez_checkpoints *all);
/* Takes over llpt and topic (ez_array), on failure too, and writes in the background. What cannot
 * be written (a full disk, a folder that is gone) is tried again every few seconds, until the next
 * one takes its place. */
ezlda_status ez_checkpoints_write(ez_checkpoints *all, ezlda_context *context,
                                  const ez_checkpoint_meta *meta, const float *alpha,
                                  ez_llpt_entry *llpt, size_t llpt_count, uint16_t *topic);
/* Tells the context's user about failures since the last call. */
void ez_checkpoints_tell(ez_checkpoints *all, ezlda_context *context);
/* Waits until the last one is on the disk: where it cannot be written, for a minute, and the
 * context's user is told; then fails with its message. */
ezlda_status ez_checkpoints_wait(ez_checkpoints *all, ezlda_context *context);
/* Waits for what is being written, but not for what fails; accepts NULL. */
void ez_checkpoints_close(ez_checkpoints *all);

#endif
