/* The inference of one whole document: all iterations while W is fixed. What the document needs of
 * its words is gathered once and stays in the cache, and a row of D uses only the weights of its
 * topics.
 *
 * The row of What of a word is the zero row of its exponent except for its entries: topics with a
 * count, and top topics. So S'' of a word is, in the order of the line, a running sum over its zero
 * row plus the differences of its entries. Only entries of topics that the document has are read,
 * and the entries of a topic lie together. A top topic has weight 0 there. */
#ifndef EZ_INFER_DOC_H
#define EZ_INFER_DOC_H

#include "backend/topic_counter.h"

#include <stdbool.h>

/* Vectors may read and write EZ_INFER_PAD elements after the end of an array; there is at most one
 * zero row per exponent. */
enum { EZ_INFER_PAD = 8, EZ_INFER_ZEROS = 104 };

/* The entries of all words, ascending by topic. */
typedef struct ez_infer_words {
    uint64_t *start; /* words+1 */
    uint16_t *topic;
    int32_t *more; /* their weight less that of the zero row; a top topic has weight 0 */
    /* The zero rows in use, interleaved: topic k of zero row z is at k * zeros + z; unused ones are
     * 0. */
    uint32_t zeros; /* a multiple of EZ_INFER_PAD */
    uint32_t *zero_weight;
    const uint64_t *zero_q[EZ_INFER_ZEROS]; /* their alpha parts, summed up to and with the topic */
    uint8_t *zero;                          /* words */
} ez_infer_words;

/* A token: its topic, the weight of that topic, and its branch, or EZ_TOP if it is not a top topic.
 */
typedef struct ez_infer_token {
    uint32_t weight;
    uint16_t topic;
    uint16_t branch;
} ez_infer_token;

/* A word of the document: its branches, in the form of a token, and their alpha parts. */
typedef struct ez_infer_word {
    ez_infer_token top[EZ_TOP];
    uint64_t top_alpha[EZ_TOP];
    uint64_t q_rest;
    uint32_t begin, end; /* its tokens */
    uint32_t item;       /* where its items begin, with room for all entries */
    uint32_t zero;       /* its zero row */
} ez_infer_word;

/* The line of a word of the document in this iteration, before leave-one-out: the ends of the
 * branches m1 .. m8, their sum, S'' and T. */
typedef struct ez_infer_ends {
    uint64_t end[EZ_TOP];
    uint64_t top, s, all;
    uint64_t unused[5]; /* keeps `end` within one cache line */
} ez_infer_ends;

/* The entries of a word of the document. */
typedef struct ez_infer_entries {
    const uint16_t *topic;
    const int32_t *more;
    const uint64_t *zero_q;
    uint64_t *q_through; /* Q'' up to and with each entry, if has_q */
    int64_t score_scale;
    uint32_t n;
    bool has_q;
} ez_infer_entries;

/* The state of a word while its items are listed. */
typedef struct ez_infer_tally {
    uint64_t more; /* the differences of the entries so far, summed modulo 2^64 */
    uint32_t next; /* its next item */
    uint32_t zero; /* its zero row */
} ez_infer_tally;

/* An entry, in an array that is ordered by topic. */
typedef struct ez_infer_cell {
    uint32_t word; /* number of the word in the document */
    int32_t more;
} ez_infer_cell;

/* The largest sizes of any document of the batch. */
typedef struct ez_infer_size {
    uint64_t tokens, words, cells, row;
} ez_infer_size;

typedef struct ez_infer_doc {
    uint64_t doc; /* what its draws are keyed by */
    uint32_t tokens, words, topics, zeros;
    const float *alpha_scaled;
    const uint32_t *zero_weight;
    ez_infer_word *word;
    ez_infer_entries *entries;
    ez_infer_ends *ends;
    ez_infer_tally *tally;
    uint32_t *cell_start; /* topics+2 */
    ez_infer_cell *cell;
    /* Items: the entries on S'' of a word, in the order of the line. S'' up to and with the item,
     * and place << 32 | cell. */
    uint64_t *item_through, *item_place;
    uint64_t *q_through;
    uint64_t *zero_before; /* for each place, the sums of all zero rows before it */
    /* Tokens: as they are and as they become, their words in the document, random numbers, points
     * on S'' or Q''; then the lists of tokens that fall there. */
    ez_infer_token *token, *next;
    uint32_t *word_of;
    uint64_t *word_part, *token_part; /* the terms of their keys */
    uint64_t *u, *y;
    uint32_t *in_s, *in_q;
    ez_topic_counter counter; /* tokens by topic */
    uint32_t *row, *line;     /* the row of D: by topic, and in the order of the line */
    uint32_t row_size;
    uint32_t *place; /* topics: the place in `line` of each topic that is in the row */
} ez_infer_doc;

/* The point on S'' that a token looks for, and what leave-one-out subtracts from S''. */
typedef struct ez_s_target {
    uint64_t y, own, own_at; /* own: 0 if the own topic is a top topic; own_at: place << 32 */
} ez_s_target;

static inline uint64_t ez_own_from(const ez_s_target *target, uint64_t place)
{
    return place >= target->own_at ? target->own : 0;
}

#endif
