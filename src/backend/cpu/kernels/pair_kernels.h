/* The interface of the pair kernels: the draw of whole documents for small K. Everything is dense
 * by topic: a document's counts, and a word's weights in two planes of 15 bits, so that S'' is a
 * few multiply-adds of 16-bit numbers. Tokens of one word in one document (a pair) share them. */
#ifndef EZ_PAIR_KERNELS_H
#define EZ_PAIR_KERNELS_H

#include "sampler/d_row.h"
#include "sampler/three_branch.h"

#include <stdbool.h>
#include <stddef.h>

/* Topics are stored in blocks. A document of up to EZ_PAIR_LENGTH tokens is drawn by the kernels:
 * its counts are below 2^15 and its sums of 15-bit weights below 2^31. */
enum { EZ_PAIR_BLOCK = 16, EZ_PAIR_LENGTH = 32767, EZ_PLANE_BITS = 15 };

/* A word. In memory its blocks follow, then Q'' through the end of each block (see below). */
typedef struct ez_pair_word {
    uint16_t topic[EZ_TOP];      /* K1 .. K8 */
    uint32_t weight[EZ_TOP];     /* a1 .. a8 */
    uint64_t alpha_part[EZ_TOP]; /* q[K1] .. q[K8] */
    uint64_t q_rest;             /* Q'' */
    uint64_t word_key;           /* of the iteration */
} ez_pair_word;

/* The weights of 16 topics: w = high << 15 | low; 0 for the top topics, which have their own. A
 * weight is below 2^30: f is below 2^e and has 24 bits, so f * 2^(30-e) is at most 2^30 - 64. */
typedef struct ez_pair_block {
    int16_t low[EZ_PAIR_BLOCK], high[EZ_PAIR_BLOCK];
} ez_pair_block;

static inline size_t ez_pair_blocks(uint32_t topics)
{
    return ((size_t)topics + EZ_PAIR_BLOCK - 1) / EZ_PAIR_BLOCK;
}

/* Bytes of a word with all that follows, in whole cache lines. */
static inline size_t ez_pair_word_bytes(uint32_t topics)
{
    size_t blocks = ez_pair_blocks(topics);
    size_t bytes = sizeof(ez_pair_word) + blocks * (sizeof(ez_pair_block) + sizeof(uint64_t));
    return (bytes + 63) / 64 * 64;
}

static inline ez_pair_block *ez_pair_word_blocks(const ez_pair_word *word)
{
    return (ez_pair_block *)(word + 1);
}

static inline uint64_t *ez_pair_word_q(const ez_pair_word *word, size_t blocks)
{
    return (uint64_t *)(ez_pair_word_blocks(word) + blocks);
}

static inline uint32_t ez_pair_weight(const ez_pair_block *block, uint32_t topic)
{
    const ez_pair_block *at = block + topic / EZ_PAIR_BLOCK;
    uint32_t i = topic % EZ_PAIR_BLOCK;
    return (uint32_t)at->high[i] << EZ_PLANE_BITS | (uint32_t)at->low[i];
}

/* A document that is drawn, and what documents of a thread share during a pass. */
typedef struct ez_pair_job {
    uint64_t doc; /* its number in the corpus */
    uint32_t length;
    const uint32_t *word;       /* its tokens' words, equal ones together */
    const uint32_t *word_end;   /* the end of the words of all documents: those up to it may be
                                   prefetched */
    uint16_t *topic;            /* its tokens' topics: replaced by the new ones */
    const int16_t *count;       /* its counts: blocks * 16 and one block of zeros */
    const uint32_t *long_count; /* the same for a document above EZ_PAIR_LENGTH tokens, which has
                                   no `count` */
    const uint32_t *entry;      /* its row of D in the order of S'' */
    const uint32_t *entry_of;   /* topics: the entry from which leave-one-out subtracts */
    uint32_t entries;

    const unsigned char *words; /* ez_pair_word, word_bytes apart */
    size_t word_bytes, blocks;
    size_t prefetch_lines; /* cache lines of a word that every pair reads */
    uint32_t topics;
    const float *alpha_scaled; /* topics + 1 */
    uint32_t *next_w;          /* W as this thread counts it: words rows */
    size_t stride;             /* of these rows */
    bool leave_one_out;
    uint64_t moved; /* tokens whose topic changed, summed over documents */
} ez_pair_job;

static inline const ez_pair_word *ez_pair_word_at(const ez_pair_job *job, uint32_t word)
{
    return (const ez_pair_word *)(const void *)(job->words + job->word_bytes * word);
}

typedef struct ez_pair_kernels {
    /* Draws a document and counts its new topics. Only the plain kernels draw long documents. */
    void (*draw)(ez_pair_job *job);
    /* The length T of the line of a pair without leave-one-out, for scoring. */
    uint64_t (*total)(const ez_pair_job *job, const ez_pair_word *word);
    /* Sets a word's blocks and sums of Q'' from its float weights, which are 0 for its top topics.
     * f and alpha_scaled have whole blocks, zeros at the end. */
    void (*weigh)(ez_pair_word *word, size_t blocks, const float *f, float scale,
                  const float *alpha_scaled);
} ez_pair_kernels;

extern const ez_pair_kernels ez_pair_kernels_plain;
extern const ez_pair_kernels ez_pair_kernels_avx2;
extern const ez_pair_kernels ez_pair_kernels_avx512;

#endif
