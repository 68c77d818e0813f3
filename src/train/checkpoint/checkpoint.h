/* Checkpoints: what a run needs to resume, in files of a folder. The last two are kept. Each is
 * written under a temporary name, checksummed, flushed to the disk and renamed, so that every file
 * under a final name is complete. */
#ifndef EZ_CHECKPOINT_H
#define EZ_CHECKPOINT_H

#include "base/files/container.h"
#include "base/memory.h"
#include "model/model.h"

#include <stdbool.h>

/* What a model depends on: a checkpoint can be used only by a run with an equal key. */
typedef struct ez_checkpoint_key {
    uint64_t corpus_hash, seed;
    uint64_t alpha_hash; /* hash of the values in the options */
    uint64_t seeds_hash; /* hash of the seed words; 0: none */
    uint64_t init_hash;  /* hash of the model that the run continues from; 0: none */
    double alpha_sum, beta, seed_weight;
    uint32_t topics, estimator, start;
    uint32_t optimize_interval, optimize_burn_in, symmetric_alpha;
    uint32_t fit_alpha, fit_beta; /* 1: it is fitted */
    uint32_t samples, zero;       /* samples of W, as asked for */
} ez_checkpoint_key;

/* A setting that differs between two keys, with both values. */
typedef struct ez_key_difference {
    const char *what;
    char a[32], b[32];
} ez_key_difference;

/* checkpoint_file.c: whether two values differ; fills *out. */
bool ez_numbers_differ(ez_key_difference *out, const char *what, uint64_t a, uint64_t b);
bool ez_reals_differ(ez_key_difference *out, const char *what, double a, double b);
/* checkpoint_file.c: whether two keys differ; fills *out with the first difference. */
bool ez_checkpoint_key_differs(ez_key_difference *out, const ez_checkpoint_key *a,
                               const ez_checkpoint_key *b);

/* The first section of a checkpoint. The others are alpha, the scores, the topics of all tokens in
 * document order, and the sum of the samples of W so far. */
typedef struct ez_checkpoint_meta {
    ez_checkpoint_key key;
    uint64_t tokens, undecided, moved;
    double seconds, beta;
    uint32_t done, before; /* iterations, and those of the model that was continued from */
    double converge_llpt[3], converge_moved[3];
    uint32_t converge_iteration[3], converge_scores, converge_low;
    uint32_t held_out;                     /* 1: the scores above are held-out scores */
    uint32_t end, settled, samples, words; /* as in ez_training; rows of the sum */
    char stopped[192];
} ez_checkpoint_meta;

typedef struct ez_checkpoint {
    ez_container *container;
    const ez_checkpoint_meta *meta;
    const float *alpha; /* topics */
    const ez_llpt_entry *llpt;
    size_t llpt_count;
    const uint16_t *topic; /* tokens */
    ez_count_rows sampled; /* the sum of the samples, not owned; without rows if there are none */
} ez_checkpoint;

/* Opens the newest intact checkpoint of a folder; *out is NULL if there is none. Damaged ones are
 * skipped with a note. One that cannot be read, or has another version, is an error; one with
 * another key is EZLDA_ERROR_ARGUMENT, and the message names the difference. */
ezlda_status ez_checkpoint_newest(ez_checkpoint **out, ezlda_context *context, const char *folder,
                                  const ez_checkpoint_key *key, uint64_t tokens);
void ez_checkpoint_free(ez_checkpoint *checkpoint); /* accepts NULL */

/* Writes checkpoints in a thread of its own. */
typedef struct ez_checkpoints ez_checkpoints;

/* Makes the folder, if necessary, and locks it until the end. If another run has locked it, fails
 * with EZLDA_ERROR_IO. */
ezlda_status ez_checkpoints_open(ez_checkpoints **out, ezlda_context *context, const char *folder);
/* Whether the last one is still being written. */
bool ez_checkpoints_busy(ez_checkpoints *all);
/* Becomes the owner of llpt, topic and the arrays of `sampled` (ez_array), also on failure, and
 * writes in the background. If that fails (a full disk, a removed folder), it is tried again every
 * few seconds, until the next checkpoint replaces this one. */
ezlda_status ez_checkpoints_write(ez_checkpoints *all, ezlda_context *context,
                                  const ez_checkpoint_meta *meta, const float *alpha,
                                  ez_llpt_entry *llpt, size_t llpt_count, uint16_t *topic,
                                  ez_count_rows sampled);
/* Prints a note about failures since the last call. */
void ez_checkpoints_report(ez_checkpoints *all, ezlda_context *context);
/* Waits until the last checkpoint is on the disk. If it cannot be written, prints a note, waits for
 * a minute and fails with the error message. */
ezlda_status ez_checkpoints_wait(ez_checkpoints *all, ezlda_context *context);
/* Waits for a checkpoint that is being written, but not for one that fails; accepts NULL. */
void ez_checkpoints_close(ez_checkpoints *all);

#endif
