/* The draw of a document by pairs, shared by all instruction sets. The including
 * pair_kernels_*.c defines the primitives:
 *   sum_pair    the ends of a pair's top branches, and its S''
 *   count_ends  on which branch a point falls
 *
 * Loops without branches that depend on the draw come first (sums of all pairs, then the place of
 * all tokens on their lines); only the tokens that fall on S'' or Q'' are searched, one list after
 * the other. */
#include "backend/cpu/kernels/pair_kernels.h"

enum { PAIR_BATCH = 128, PAIR_AHEAD = 24 };

/* What the tokens of a pair share, before leave-one-out. */
typedef struct pair_sums {
    uint64_t end[1 + EZ_TOP]; /* 0, then m1, m1 + m2, ... */
    uint64_t s;               /* S'' */
} pair_sums;

typedef struct pair_batch {
    uint32_t pairs, n;
    uint32_t first[PAIR_BATCH + 1]; /* the token of each pair whose occurrence is 0, modulo 2^32 */
    uint8_t of[PAIR_BATCH];         /* the pair of each token */
    const ez_pair_word *word[PAIR_BATCH];
    pair_sums sums[PAIR_BATCH];
    uint16_t old[PAIR_BATCH];
    uint64_t y[PAIR_BATCH]; /* of a token on S'' or Q'': its place there */
    uint8_t s[PAIR_BATCH], q[PAIR_BATCH];
    uint32_t n_s, n_q;
} pair_batch;

static inline void sum_pair(const ez_pair_job *job, const ez_pair_word *word, pair_sums *sums);
/* How many of the eight ends from end[1] on are at most x. */
static inline uint32_t count_ends(const uint64_t *end, uint64_t x);
/* The top branch of a topic, or EZ_TOP. */
static inline uint32_t branch_of(const ez_pair_word *word, uint32_t topic);

/* A macro: gcc removes a call of a function that does nothing but prefetch. */
#define PREFETCH_WORD(job, word_at)                                                      \
    do {                                                                                 \
        const uint32_t *prefetch_at = (word_at);                                         \
        if (prefetch_at < (job)->word_end) {                                             \
            const unsigned char *line = (job)->words + (job)->word_bytes * *prefetch_at; \
            for (size_t left = (job)->prefetch_lines; left > 0; left--, line += 64)      \
                __builtin_prefetch(line, 0, 3);                                          \
        }                                                                                \
    } while (0)

/* Cuts the next tokens of the document into pairs. occurrence: that of the first of them. */
static inline void find_pairs(const ez_pair_job *job, const uint32_t *word, uint32_t occurrence,
                              pair_batch *b)
{
    uint32_t p = 0;
    b->first[0] = 0 - occurrence;
    b->of[0] = 0;
    b->word[0] = ez_pair_word_at(job, word[0]);
    for (uint32_t i = 1; i < b->n; i++) {
        bool other = word[i] != word[i - 1];
        p += other;
        b->first[p] = other ? i : b->first[p];
        b->of[i] = (uint8_t)p;
        b->word[p] = ez_pair_word_at(job, word[i]);
    }
    b->pairs = p + 1;
}

/* The draw: finds where each token falls on its line, sets the topic of those on a top branch, and
 * lists the others. */
static inline void place_tokens(const ez_pair_job *job, const uint32_t *words, uint16_t *topic,
                                pair_batch *b)
{
    const uint64_t mask = job->leave_one_out ? UINT64_MAX : 0;
    uint32_t n_s = 0, n_q = 0;
    for (uint32_t i = 0; i < b->n; i++) {
        uint32_t p = b->of[i], old = topic[i];
        const ez_pair_word *word = b->word[p];
        const uint64_t *end = b->sums[p].end;
        uint32_t own = branch_of(word, old);
        uint64_t own_top = own < EZ_TOP ? word->weight[own % EZ_TOP] : 0;
        uint64_t own_s = ez_pair_weight(ez_pair_word_blocks(word), old);
        own_top = (own_top & mask) << EZ_ALPHA_BITS;
        uint64_t s = (b->sums[p].s - (own_s & mask)) << EZ_ALPHA_BITS;
        uint64_t u = ez_draw(word->word_key, job->doc, i - b->first[p]);
        uint64_t x = ez_mulhi(u, end[EZ_TOP] - own_top + s + word->q_rest);
        /* From the own branch on, ends are those of the sums without leave-one-out. */
        x += x >= end[own] ? own_top : 0;
        uint32_t at = count_ends(end + 1, x);
        uint64_t y = x - end[EZ_TOP];
        b->old[i] = (uint16_t)old;
        topic[i] = word->topic[at % EZ_TOP];
        __builtin_prefetch(&job->next_w[job->stride * words[i] + topic[i]], 1);
        b->y[i] = y < s ? y >> EZ_ALPHA_BITS : y - s;
        b->s[n_s] = b->q[n_q] = (uint8_t)i;
        n_s += at == EZ_TOP && y < s;
        n_q += at == EZ_TOP && y >= s;
    }
    b->n_s = n_s;
    b->n_q = n_q;
}

/* The topic at y on S''. own: the topic whose count is one less. */
static inline uint32_t find_in_pair_s(const ez_pair_job *job, const ez_pair_word *word,
                                      uint32_t own, uint64_t y)
{
    const ez_pair_block *block = ez_pair_word_blocks(word);
    uint32_t last = job->entries - 1;
    uint32_t own_at = own == UINT32_MAX ? UINT32_MAX : job->entry_of[own];
    for (uint32_t j = 0; j < last; j++) {
        uint32_t k = ez_entry_topic(job->entry[j]);
        uint64_t count = ez_entry_count(job->entry[j]) - (j == own_at);
        uint64_t term = count * ez_pair_weight(block, k);
        if (y < term)
            return k;
        y -= term;
    }
    return ez_entry_topic(job->entry[last]);
}

/* The topic at y on Q''. */
static inline uint32_t find_in_pair_q(const ez_pair_job *job, const ez_pair_word *word, uint64_t y)
{
    const uint64_t *through = ez_pair_word_q(word, job->blocks);
    uint32_t b = 0, last = (uint32_t)job->blocks - 1;
    uint64_t before = 0;
    for (uint32_t i = 0; i < last; i++) {
        bool passed = through[i] <= y;
        b += passed;
        before = passed ? through[i] : before;
    }
    y -= before;
    const ez_pair_block *block = ez_pair_word_blocks(word);
    uint32_t k = b * EZ_PAIR_BLOCK, end = k + EZ_PAIR_BLOCK;
    for (end = end < job->topics ? end : job->topics; k + 1 < end; k++) {
        uint64_t term = ez_alpha_weight(ez_pair_weight(block, k), job->alpha_scaled[k]);
        if (y < term)
            break;
        y -= term;
    }
    return k;
}

static inline void search_tokens(const ez_pair_job *job, uint16_t *topic, const pair_batch *b)
{
    for (uint32_t n = 0; n < b->n_s; n++) {
        uint32_t i = b->s[n], own = job->leave_one_out ? b->old[i] : UINT32_MAX;
        topic[i] = (uint16_t)find_in_pair_s(job, b->word[b->of[i]], own, b->y[i]);
    }
    for (uint32_t n = 0; n < b->n_q; n++)
        topic[b->q[n]] = (uint16_t)find_in_pair_q(job, b->word[b->of[b->q[n]]], b->y[b->q[n]]);
}

static inline void draw_pairs(ez_pair_job *job)
{
    pair_batch b;
    for (uint32_t at = 0, occurrence; at < job->length; at += b.n) {
        const uint32_t *word = job->word + at;
        uint16_t *topic = job->topic + at;
        b.n = job->length - at < PAIR_BATCH ? job->length - at : PAIR_BATCH;
        occurrence = at > 0 && word[0] == word[-1] ? PAIR_BATCH - b.first[b.pairs - 1] : 0;
        find_pairs(job, word, occurrence, &b);
        for (uint32_t p = 0; p < b.pairs; p++) {
            PREFETCH_WORD(job, word + (p > 0 ? b.first[p] : 0) + PAIR_AHEAD);
            sum_pair(job, b.word[p], &b.sums[p]);
        }
        place_tokens(job, word, topic, &b);
        search_tokens(job, topic, &b);
        for (uint32_t i = 0; i < b.n; i++) {
            job->next_w[job->stride * word[i] + topic[i]]++;
            job->moved += topic[i] != b.old[i];
        }
    }
}

static uint64_t total_of_pair(const ez_pair_job *job, const ez_pair_word *word)
{
    pair_sums sums;
    sum_pair(job, word, &sums);
    return sums.end[EZ_TOP] + (sums.s << EZ_ALPHA_BITS) + word->q_rest;
}
