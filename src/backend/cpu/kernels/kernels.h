/* The interface of the kernels: the inner loops of the passes, with one implementation per
 * instruction set, all with the same result. The best one is chosen at run time. */
#ifndef EZ_KERNELS_H
#define EZ_KERNELS_H

#include "backend/cpu/kernels/pair_kernels.h"
#include "sampler/d_row.h"
#include "sampler/three_branch.h"

#include <stdbool.h>
#include <stddef.h>

/* A document on its way through early decisions. */
typedef struct ez_doc_job {
    uint64_t doc;
    uint32_t length;
    const uint32_t *word; /* its tokens' words, equal ones together */

    /* Constant during a pass of one thread: */
    const uint16_t *old;   /* the topics of the document's tokens */
    const uint32_t *count; /* its histogram over topics */
    uint32_t *next;        /* result: the new topic, or EZ_MARK | the old one */
    uint64_t iteration_key;
    const ez_word_record *record;
    const float *alpha_scaled; /* topics + 1 */
    float alpha_same;          /* the value if all alphas are equal, else 0 */
    bool leave_one_out, three_branch;
    int g;
} ez_doc_job;

struct ez_infer_doc;

/* The weights of topics without a count, for one exponent (zero_rows.c). */
typedef struct ez_zero_row {
    uint32_t *weight;    /* topics */
    uint64_t *q_through; /* topics: sum of the alpha parts up to and with the topic */
} ez_zero_row;

/* The row of What of one word: its weights by topic. */
typedef struct ez_word_view {
    const uint32_t *table; /* by topic; a top topic holds EZ_MARK | its branch */
    const ez_word_record *record;
    uint64_t top_alpha[EZ_TOP], top_alpha_sum;
    uint64_t word_key;
    uint32_t topics;
    const float *alpha_scaled; /* topics + 1 */

    /* For ez_find_q. The sums are made when the first token falls on Q''. */
    bool q_ready;
    uint64_t *q_through;     /* a dense row: sum of the alpha parts up to and with the topic */
    const ez_zero_row *zero; /* a sparse row: the zero row that it is patched into; else NULL */
    int slot;                /* the number of that zero row */
    const uint32_t *row;     /* the sparse row of W */
    uint32_t entries;
    uint32_t *patch;  /* topics of the word that differ from its zero row, ascending */
    int64_t *patch_q; /* their alpha parts less those of the zero row, summed; 0 for a top topic */
    uint32_t patches;
} ez_word_view;

/* word_table.c: the topic at y on Q''. */
uint32_t ez_find_q(ez_word_view *view, uint64_t y);

/* Where a row of D lies and its length, both in steps of EZ_ROW_STEP entries; one load reads both.
 */
typedef struct ez_row_place {
    uint32_t start, steps;
} ez_row_place;

/* Tokens of one word that are drawn together. */
typedef struct ez_word_job {
    ez_word_view *view;
    const uint32_t *doc;     /* T: document of each place */
    const uint32_t *doc_key; /* documents: see ez_token_list; or NULL */
    uint16_t *topic;         /* T */
    uint16_t topic_mask;
    uint64_t word_begin;  /* the word's first place */
    const uint32_t *list; /* places to draw, relative to `base` */
    uint32_t n;
    uint64_t base;
    const uint32_t *row;
    const ez_row_place *row_of;
    bool leave_one_out;
} ez_word_job;

/* Inference of whole documents (infer_doc.h): one iteration of a document, and its score. */
typedef struct ez_infer_kernels {
    void (*iterate)(struct ez_infer_doc *doc, uint64_t iteration_key);
    int64_t (*score)(struct ez_infer_doc *doc, double alpha_sum);
} ez_infer_kernels;

extern const ez_infer_kernels ez_infer_kernels_plain;
extern const ez_infer_kernels ez_infer_kernels_avx512;

typedef struct ez_kernels {
    const char *name;
    /* Fills job->next; returns how many tokens are undecided. */
    uint32_t (*decide)(const ez_doc_job *job);
    /* Draws the listed tokens and writes their topics; returns how many moved. */
    uint64_t (*draw)(const ez_word_job *job);
    /* The length T of a line without leave-one-out, for scoring. */
    uint64_t (*total)(const ez_word_view *view, const uint32_t *row, uint32_t steps);
    /* float_row sets f[k] of a dense row for k < topics; weight_row sets the weights and returns
     * the sum of their alpha parts. */
    void (*float_row)(const uint32_t *count, const float *rate, float beta, float *f,
                      uint32_t topics);
    uint64_t (*weight_row)(const float *f, float scale, const float *alpha_scaled, uint32_t *weight,
                           uint32_t topics);
    const ez_infer_kernels *infer;
    const ez_pair_kernels *pairs;
} ez_kernels;

extern const ez_kernels ez_kernels_plain;
extern const ez_kernels ez_kernels_avx2;
extern const ez_kernels ez_kernels_avx512;
extern const ez_kernels ez_kernels_neon;

/* The best kernels that this processor runs, or, for tests, those that the environment variable
 * EZLDA_SIMD names (plain, avx2, avx512, neon); NULL if these cannot run here. */
const ez_kernels *ez_choose_kernels(void);

#endif
