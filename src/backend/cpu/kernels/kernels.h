/* The inner loops, one implementation an instruction set, all with the same result; chosen at run
 * time. */
#ifndef EZ_KERNELS_H
#define EZ_KERNELS_H

#include "sampler/d_row.h"
#include "sampler/three_branch.h"

#include <stdbool.h>
#include <stddef.h>

/* A document on its way through early decisions. */
typedef struct ez_doc_job {
    uint64_t doc, iteration_key;
    uint32_t length;
    const uint32_t *word;  /* its tokens' words, equal ones together */
    const uint16_t *old;   /* ... and topics */
    const uint32_t *count; /* its histogram over topics */
    const ez_word_record *record;
    const float *alpha_scaled; /* topics + 1 */
    float alpha_same;          /* where all alphas are equal, else 0 */
    bool leave_one_out, three_branch;
    int g;
    uint32_t *next; /* result: the topic, or EZ_MARK | old topic */
} ez_doc_job;

struct ez_infer_doc;

/* The weights of a word by topic; a top topic holds EZ_MARK | its branch. */
typedef struct ez_word_view {
    const uint32_t *table;
    const ez_word_record *record;
    uint64_t top_alpha[EZ_TOP], top_alpha_sum;
    uint64_t word_key;
    uint32_t (*find_q)(void *user, uint64_t y); /* topic at y on the Q'' part */
    void *user;
    uint32_t word;
    int slot;         /* of the zero row, or -1 for a dense row */
    uint32_t patches; /* topics that differ from the zero row */
    bool q_ready;
} ez_word_view;

/* Where a row of D lies and how long it is, in steps of EZ_ROW_STEP entries: one load finds both.
 */
typedef struct ez_row_place {
    uint32_t start, steps;
} ez_row_place;

/* Tokens of one word on their way to a topic. */
typedef struct ez_word_job {
    const ez_word_view *view;
    const uint32_t *doc; /* T: document of each place */
    uint16_t *topic;     /* T */
    uint16_t topic_mask;
    uint64_t word_begin;  /* the word's first place */
    const uint32_t *list; /* places to draw, relative to `base` */
    uint32_t n;
    uint64_t base;
    const uint32_t *row;
    const ez_row_place *row_of;
    bool leave_one_out;
} ez_word_job;

/* Documents that are taken whole (infer_doc.h): one iteration, and their part of the score. */
typedef struct ez_infer_kernels {
    void (*iterate)(struct ez_infer_doc *doc, uint64_t iteration_key);
    int64_t (*score)(struct ez_infer_doc *doc, double alpha_sum);
} ez_infer_kernels;

extern const ez_infer_kernels ez_infer_kernels_plain;
extern const ez_infer_kernels ez_infer_kernels_avx512;

typedef struct ez_kernels {
    const char *name;
    /* Fills job->next; returns how many are undecided. */
    uint32_t (*decide)(const ez_doc_job *job);
    /* Draws the listed tokens and writes their topics; returns how many moved. */
    uint64_t (*draw)(const ez_word_job *job);
    /* T of one document's line, nothing left out: for scoring. */
    uint64_t (*total)(const ez_word_view *view, const uint32_t *row, uint32_t steps);
    /* f[k] of a dense row for k < topics; then the weights, and the sum of their alpha parts. */
    void (*float_row)(const uint32_t *count, const float *rate, float beta, float *f,
                      uint32_t topics);
    uint64_t (*weight_row)(const float *f, float scale, const float *alpha_scaled, uint32_t *weight,
                           uint32_t topics);
    const ez_infer_kernels *whole;
} ez_kernels;

extern const ez_kernels ez_kernels_plain;
extern const ez_kernels ez_kernels_avx2;
extern const ez_kernels ez_kernels_avx512;
extern const ez_kernels ez_kernels_neon;

/* The best that this processor runs, or the one named by the environment variable EZLDA_SIMD
 * (plain, avx2, avx512, neon) for tests; NULL where that one cannot run here. */
const ez_kernels *ez_choose_kernels(void);

#endif
