/* A document on its way through all iterations while W is fixed: what it needs of its words is put
 * together once and stays in the cache, and a row of D meets only those weights that it has counts
 * for.
 *
 * The row of What of a word is the zero row of its exponent but for its entries: topics with a
 * count, and top topics. So S'' of all words of the document is, in the order of the line, a
 * running sum over zero rows (one for each exponent in use) plus what entries weigh more, and only
 * entries of topics that the document has are touched: those of a topic lie together. A top topic
 * weighs nothing there. */
#ifndef EZ_INFER_DOC_H
#define EZ_INFER_DOC_H

#include "backend/topic_counter.h"

#include <stdbool.h>

/* Vectors may read and write so many elements behind an array's end; no more zero rows than
 * exponents. */
enum { EZ_INFER_PAD = 8, EZ_INFER_ZEROS = 104 };

/* The entries of all words, ascending by topic. */
typedef struct ez_infer_words {
    uint64_t *start; /* words+1 */
    uint16_t *topic;
    int32_t *more; /* what they weigh more than in the zero row; a top topic weighs nothing */
    /* Zero rows in use, side by side: zero z of topic k at k * zeros + z; unused ones are 0. */
    uint32_t zeros; /* a multiple of EZ_INFER_PAD */
    uint32_t *zero_weight;
    const uint64_t *zero_q[EZ_INFER_ZEROS]; /* their alpha parts, summed up to and with the topic */
    uint8_t *zero;                          /* words */
} ez_infer_words;

/* A token: its topic, its word's weight of that, and the branch, or EZ_TOP where it is no top
 * topic. */
typedef struct ez_infer_token {
    uint32_t weight;
    uint16_t topic;
    uint16_t branch;
} ez_infer_token;

/* A word of the document: its branches, as a token on them has it, and their alpha parts. */
typedef struct ez_infer_word {
    ez_infer_token top[EZ_TOP];
    uint64_t top_alpha[EZ_TOP];
    uint64_t q_rest;
    uint32_t begin, end; /* its tokens */
    uint32_t item;       /* where its items begin, with room for all entries */
    uint32_t zero;       /* its zero row */
} ez_infer_word;

/* ... where the branches m1 .. m8 end, all of them, S'' and the line, in this iteration and with
 * nothing left out. */
typedef struct ez_infer_ends {
    uint64_t end[EZ_TOP];
    uint64_t top, s, all;
    uint64_t unused[5]; /* so that `end` never lies in two cache lines */
} ez_infer_ends;

/* ... and its entries. */
typedef struct ez_infer_entries {
    const uint16_t *topic;
    const int32_t *more;
    const uint64_t *zero_q;
    uint64_t *q_through; /* Q'' up to and with them, once has_q */
    int64_t score_scale;
    uint32_t n;
    bool has_q;
} ez_infer_entries;

/* A word while items are listed. */
typedef struct ez_infer_tally {
    uint64_t more; /* what the entries so far weigh more than the zero row, modulo 2^64 */
    uint32_t next; /* item */
    uint32_t zero; /* row */
} ez_infer_tally;

/* An entry among those of its topic. */
typedef struct ez_infer_cell {
    uint32_t word; /* of the document */
    int32_t more;
} ez_infer_cell;

/* The most that a document of the batch takes. */
typedef struct ez_infer_size {
    uint64_t tokens, words, cells, row;
} ez_infer_size;

typedef struct ez_infer_doc {
    uint64_t doc; /* its number */
    uint32_t tokens, words, topics, zeros;
    const float *alpha_scaled;
    const uint32_t *zero_weight;
    ez_infer_word *word;
    ez_infer_entries *entries;
    ez_infer_ends *ends;
    ez_infer_tally *tally;
    uint32_t *cell_start; /* topics+2 */
    ez_infer_cell *cell;
    /* Where S'' of a word has an entry, in the order of the line: S'' up to and with it; place <<
     * 32 | cell. */
    uint64_t *item_through, *item_place;
    uint64_t *q_through;
    uint64_t *zero_before; /* of all zero rows, place by place: what lies before it */
    /* Tokens: now, next, word of the document, draws, where on S'' or Q'' they fall; and which do.
     */
    ez_infer_token *token, *next;
    uint32_t *word_of;
    uint64_t *word_part, *token_part; /* of their keys */
    uint64_t *u, *y;
    uint32_t *in_s, *in_q;
    ez_topic_counter counter; /* the topics' histogram */
    uint32_t *row, *line;     /* of D: by topic, and in the order of the line */
    uint32_t row_size;
    uint32_t *place; /* topics: in line, of those in the row */
} ez_infer_doc;

/* What a token finds: where on S'', and what leave-one-out takes out of S'' there. */
typedef struct ez_s_target {
    uint64_t y, own, own_at; /* own: 0 where it is a top topic's; own_at: place << 32 */
} ez_s_target;

static inline uint64_t ez_own_from(const ez_s_target *target, uint64_t place)
{
    return place >= target->own_at ? target->own : 0;
}

#endif
