/* The state of the kernels that fit the prior sample: documents that are removed from W for a while
 * (backend/prior_sample_fit.h). Words are numbered by a list of the words that these documents
 * have. Pointers are device pointers. */
#ifndef EZ_PRIOR_SAMPLE_STATE_H
#define EZ_PRIOR_SAMPLE_STATE_H

#include "backend/cuda/kernels/device_state.h"

/* Threads of a block that works on a word, and on a document. */
enum { EZ_PRIOR_SAMPLE_WORD_THREADS = 256, EZ_PRIOR_SAMPLE_DOC_THREADS = 128 };

/* Topics per partial sum of Q''. */
enum { EZ_PRIOR_SAMPLE_STEP = 128, EZ_PRIOR_SAMPLE_STEPS_MAX = 65536 / EZ_PRIOR_SAMPLE_STEP };

/* Which of 32 topics have a copied entry, and the entries before the first of them. */
typedef struct ez_topic_rank {
    uint32_t set, before;
} ez_topic_rank;

/* The words that the documents have. If the run's row of W is dense, the documents' tokens are
 * subtracted from it in place; otherwise a copy without them is made, topics ascending. */
typedef struct ez_prior_sample_words {
    uint32_t n;
    uint32_t *run;       /* n: number in the run's list */
    uint32_t *label;     /* n: number that keys draws */
    uint32_t *own_start; /* n+1: places in own_token */
    uint32_t *own_token; /* the documents' tokens, by word */
    uint32_t *row_start; /* n+1: room for copied entries */
    uint32_t *entries;   /* n: copied entries */
    uint32_t *total;     /* n: tokens outside the documents */
    ez_topic_rank *rank; /* n * groups: finds a copied entry by its topic; NULL: search for it */
    uint32_t groups;     /* groups of 32 topics */
    uint16_t *row_topic;
    uint32_t *row_count;
    ez_word_record *record;
    unsigned long long *q_through; /* n * steps: Q'' up to and with each step */
    uint32_t steps;                /* steps of EZ_PRIOR_SAMPLE_STEP topics */
} ez_prior_sample_words;

/* Documents whose topics are drawn. */
typedef struct ez_prior_sample_list {
    uint32_t docs, tokens;
    uint32_t *start;      /* docs+1 */
    uint32_t *doc;        /* tokens */
    uint32_t *word;       /* tokens */
    uint32_t *occurrence; /* tokens */
    uint16_t *topic;      /* tokens */
    uint32_t *row;        /* tokens: rows of D, entries in the order of S'' */
    uint32_t *entries;    /* docs: of its row */
} ez_prior_sample_list;

typedef struct ez_prior_sample_state {
    uint32_t topics, all_words; /* all_words: V */
    ez_device_w w;              /* W of the run */
    ez_prior_sample_words words;
    ez_prior_sample_list list; /* documents of this launch */
    uint16_t *own_topic;       /* the documents' topics in the run, before they are removed */
    uint32_t own_tokens;
    uint32_t put_back;           /* for ez_prior_sample_remove: add, do not subtract */
    unsigned long long *removed; /* topics: tokens to subtract from n */
    /* For the present priors. */
    int weight_bits;
    float beta;
    double alpha_sum;
    float *alpha;                     /* topics */
    float *rate;                      /* topics */
    unsigned long long *topic_tokens; /* topics: n without the documents */
    /* Draws. */
    uint64_t seed;
    uint64_t key;     /* key of this iteration */
    uint16_t *keep;   /* tokens: a copy of their new topics; NULL: none */
    uint32_t samples; /* samples of the score */
    uint16_t *sample; /* samples * tokens */
    /* What the fit reads: zeroed before. */
    ez_histogram_arrays histograms; /* words: EZ_COUNT_CELLS cells of counts met, and the length of
                                       the list */
    unsigned long long *own;        /* topics: tokens of the documents */
    /* The score. */
    uint32_t *scored_start; /* docs+1 */
    uint32_t *scored;       /* words */
    long long *score_sum;
    double *weight; /* one row of K per block of ez_prior_sample_score */
    /* One row of K per block, zero between documents and words. */
    uint32_t *counts;
} ez_prior_sample_state;

/* Copies topics of tokens of the run: ez_prior_sample_gather. */
typedef struct ez_gather_state {
    uint32_t n;
    uint32_t *token;       /* in the device's document order */
    const uint32_t *place; /* places of the run */
    const uint16_t *topic; /* topics of the run, in T */
    uint32_t mask;
    uint16_t *out;
} ez_gather_state;

#endif
