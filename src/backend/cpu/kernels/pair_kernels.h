/* The interface of the pair kernels: the draw of whole documents for small K. Weights are dense by
 * topic and floats, which hold them exactly. Tokens of one word in one document (a pair) share a
 * line, whose ends are summed in floats; a draw that falls too close to an end to be sure is
 * repeated in integers. docs/arithmetic.md has the margin. */
#ifndef EZ_PAIR_KERNELS_H
#define EZ_PAIR_KERNELS_H

#include "sampler/d_row.h"
#include "sampler/three_branch.h"

#include <stdbool.h>
#include <stddef.h>

/* The most topics of the pair path. */
enum { EZ_PAIR_TOPICS = 256 };

/* Floats of a vector of the line. A line has the top topics, then up to EZ_PAIR_SLOTS slots of the
 * document's topics, in vectors whose last ends are searched first. Up to EZ_PAIR_DENSE_MOST topics
 * may all be slots. */
enum { EZ_PAIR_VECTOR = 8, EZ_PAIR_DENSE_MOST = 7 * EZ_PAIR_VECTOR };
enum { EZ_PAIR_SLOTS = 15 * EZ_PAIR_VECTOR };

/* A word. In memory the weights of all topics follow, 0 for the top topics. Floats are exact:
 * a weight has at most 24 significant bits. */
typedef struct ez_pair_word {
    uint16_t topic[EZ_TOP];   /* K1 .. K8 */
    uint64_t q_rest;          /* Q'' */
    uint64_t word_key;        /* key of the iteration */
    float alpha_part[EZ_TOP]; /* q[K1] .. q[K8] / 2^14, rounded */
    float weight[EZ_TOP];     /* a1 .. a8 */
} ez_pair_word;

/* Floats from weight[0] on, padded. */
static inline size_t ez_pair_stride(uint32_t topics)
{
    return ((size_t)topics + EZ_TOP + 15) / 16 * 16;
}

/* Bytes of a word with its weights, in whole cache lines: what every pair reads. */
static inline size_t ez_pair_line_bytes(uint32_t topics)
{
    return offsetof(ez_pair_word, weight) + ez_pair_stride(topics) * sizeof(float);
}

/* Bytes of a word with all that follows, in whole cache lines. */
static inline size_t ez_pair_word_bytes(uint32_t topics)
{
    size_t ends = 1 + ((size_t)topics + 63) / 64 * 8;
    return ez_pair_line_bytes(topics) + (ends + 15) / 16 * 16 * sizeof(float);
}

/* a1 .. a8 and the weights by topic behind them. */
static inline const float *ez_pair_all_weights(const ez_pair_word *word)
{
    const void *at = (const unsigned char *)word + offsetof(ez_pair_word, weight);
    return (const float *)at;
}

/* The weights by topic. */
static inline float *ez_pair_weights(const ez_pair_word *word)
{
    return (float *)(uintptr_t)(word + 1);
}

/* Behind the weights: 0, then the ends of blocks of eight topics on Q'', in units of 2^14, for
 * kernels that search Q'' by blocks (pair_q_blocks.h). */
static inline float *ez_pair_q_ends(const ez_pair_word *word, uint32_t topics)
{
    return (float *)(uintptr_t)((const unsigned char *)word + ez_pair_line_bytes(topics));
}

/* The slots of S'' on a line: all topics, ascending; the document's row of D, gathered; or one
 * slot, because the row is long. */
enum ez_pair_form { EZ_PAIR_DENSE, EZ_PAIR_ROW, EZ_PAIR_ONE };

/* Some topics of a block of VECTOR: which, and the rank of the first among the document's topics.
 */
typedef struct ez_pair_run {
    int32_t order[16]; /* the places of these topics in the block */
    uint32_t first;    /* the block, from weight[0] on: whole cache lines in memory */
    uint32_t rank, mask;
} ez_pair_run;

/* Relative to T: more than the errors of all float sums of a line. */
#define PAIR_MARGIN 0x1p-18f
/* In units of 2^14: more than what the rounding of all q adds. */
#define PAIR_Q_MARGIN 0.01f

/* A document that is drawn, and what documents of a thread share during a pass. */
typedef struct ez_pair_job {
    uint64_t doc; /* its number in the corpus */
    uint32_t length;
    const uint32_t *word;     /* its tokens' words, equal ones together */
    const uint32_t *word_end; /* the end of the words of all documents: those up to it may be
                                 prefetched */
    uint16_t *topic;          /* its tokens' topics: replaced by the new ones */
    const uint32_t *count;    /* topics + 1: its counts */
    const float *count_f;     /* the same as floats */
    uint32_t *row, *entry;    /* its row of D: topics ascending; in the order of S'' */
    uint32_t *entry_of;       /* topics: the entry from which leave-one-out subtracts */
    uint32_t entries;         /* 0: not made yet */
    /* How S'' is laid out, and what of a word is read. */
    enum ez_pair_form form;
    uint32_t slots;       /* vectors of S'' in a line */
    uint32_t row_vectors; /* vectors of the row of D */
    float margin;         /* PAIR_MARGIN, or infinity to draw all tokens in integers */
    bool large;           /* a topic has several entries: tokens are drawn from sums */
    /* Of a large document, the sums of the last pair: */
    const ez_pair_word *summed; /* NULL: none yet */
    uint64_t *entry_end;        /* entries: their ends on S'' */
    uint64_t top_end[EZ_TOP + 1];
    float *slot_count;   /* slots: their counts, 0 in padding */
    uint16_t *slot_name; /* EZ_TOP places without meaning, then the slots' topics */
    uint32_t *slot_of;   /* topics: their slot */
    ez_pair_run *run;    /* blocks of VECTOR topics that the document has */
    uint32_t runs, row_topics;
    uint16_t *group; /* half vectors of slots: where they lie in rank order */

    const unsigned char *words;    /* ez_pair_word, word_bytes apart */
    size_t word_bytes, line_bytes; /* of these, what every pair reads */
    uint32_t topics;
    const float *alpha;        /* topics, padded with 0 to whole vectors */
    const float *alpha_scaled; /* topics + 1, padded with 0 to whole vectors */
    uint32_t *next_w;          /* W as this thread counts it: words rows */
    size_t stride;             /* stride of these rows */
    bool leave_one_out;
    uint64_t moved; /* tokens whose topic changed, summed over documents */
} ez_pair_job;

static inline const ez_pair_word *ez_pair_word_at(const ez_pair_job *job, uint32_t word)
{
    return (const ez_pair_word *)(const void *)(job->words + job->word_bytes * word);
}

typedef struct ez_pair_kernels {
    /* Draws a document and counts its new topics. */
    void (*draw)(ez_pair_job *job);
    /* Sets a word's weights and Q'' from its float weights, which are 0 for its top topics.
     * f and alpha_scaled have whole blocks of 16, zeros at the end. */
    void (*weigh)(ez_pair_word *word, uint32_t topics, const float *f, float scale,
                  const float *alpha_scaled);
} ez_pair_kernels;

/* pair_exact.c: in integers, the topic of a token whose draw is u, and the length T of the line of
 * a pair without leave-one-out, for scoring. */
void ez_pair_make_row(ez_pair_job *job);
uint32_t ez_pair_exact_topic(ez_pair_job *job, const ez_pair_word *word, uint32_t old, uint64_t u);
uint64_t ez_pair_exact_total(ez_pair_job *job, const ez_pair_word *word);

/* end[i] = m1 + ... + mi, for i from 0 to 8, without leave-one-out. */
void ez_pair_sum_top(const ez_pair_job *job, const ez_pair_word *word, uint64_t *end);
/* The topic at y on Q''. */
uint32_t ez_pair_find_q(const ez_pair_job *job, const ez_pair_word *word, uint64_t y);

/* pair_sums.c: the same topic as ez_pair_exact_topic, for the tokens of a large document, of which
 * those of a pair come together. */
uint32_t ez_pair_summed_topic(ez_pair_job *job, const ez_pair_word *word, uint32_t old, uint64_t u);

extern const ez_pair_kernels ez_pair_kernels_plain;
extern const ez_pair_kernels ez_pair_kernels_avx2;
extern const ez_pair_kernels ez_pair_kernels_avx512;

#endif
