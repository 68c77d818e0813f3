/* The draw of a document by pairs, shared by all instruction sets. The including
 * pair_kernels_*.c defines VECTOR, the floats of a vector (8 or 16), and the primitives below.
 *
 * Tokens are drawn in batches, in loops without branches that depend on the draw: the lines of all
 * pairs, then the places of all tokens on their lines. Only tokens that fall on Q'', on an S'' of
 * one slot, or too close to an end to be sure are searched one by one. */
#include "backend/cpu/kernels/pair_slots.h"

#include <math.h>

enum { PAIR_BATCH = 64, PAIR_AHEAD = PAIR_BATCH };

/* A line, in floats: the last ends of its vectors of VECTOR ends, padded with infinity; LINE_TOTAL
 * and -infinity; the ends, and a vector of NaN. */
enum { LINE_TOTAL = 16, LINE_ENDS = 24, LINE_MOST = LINE_ENDS + EZ_TOP + EZ_PAIR_SLOTS + VECTOR };

/* Functions that are compiled for each form of lines. */
#define PAIR_INLINE __attribute__((always_inline)) static inline

typedef struct pair_batch {
    uint32_t pairs, n;
    uint32_t occurrence; /* occurrence of the last token */
    const ez_pair_word *pair[PAIR_BATCH];
    /* Per token: */
    const ez_pair_word *word[PAIR_BATCH];
    const float *line[PAIR_BATCH];
    uint16_t old[PAIR_BATCH];
    uint8_t at[PAIR_BATCH];
    uint64_t key[PAIR_BATCH] __attribute__((aligned(64)));
    float total[PAIR_BATCH], own[PAIR_BATCH], own_end[PAIR_BATCH]; /* its share of its line */
    float x[PAIR_BATCH + VECTOR], room[PAIR_BATCH + VECTOR], low[PAIR_BATCH], high[PAIR_BATCH];
    uint64_t open; /* tokens that are not sure */
    float lines[PAIR_BATCH * LINE_MOST];
    float slots[PAIR_BATCH * (EZ_PAIR_SLOTS + 2 * EZ_PAIR_VECTOR)];
} pair_batch;

/* Whether lines of rows are made of what gather_rows makes. */
static inline bool gathers_rows(const ez_pair_job *job);
/* Gathers the weights of the document's topics, by rank: rows of all pairs, `stride` apart. */
static inline void gather_rows(const ez_pair_job *job, const pair_batch *b, size_t stride,
                               float *rows);
/* Makes the line of a pair. row: what gather_rows made, if the form needs it. */
PAIR_INLINE void make_line(const ez_pair_job *job, enum ez_pair_form form, const ez_pair_word *word,
                           const float *row, float *line);
/* The top branch of a topic, or EZ_TOP. */
static inline uint32_t branch_of(const ez_pair_word *word, uint32_t topic);
/* Draws x of all tokens, and sets their room to the distance of x from the end of the own topic's
 * segment without the own token. */
static inline void draw_places(const ez_pair_job *job, pair_batch *b);
/* How many ends are at most x; whole vectors by their last ends. */
static inline uint32_t count_ends(const ez_pair_job *job, const float *line, const float *x);
/* Sets `open`: the tokens that are not as far from all ends as they must be. */
static inline void find_open(const ez_pair_job *job, pair_batch *b);

/* Draws a batch of dense lines pair by pair, if it has enough tokens a pair for that to be faster:
 * sets topic, and of open tokens what search_open reads. */
static inline bool draw_together(const ez_pair_job *job, const uint32_t *words, uint32_t before,
                                 uint16_t *topic, pair_batch *b);

/* A macro: gcc removes a call of a function that does nothing but prefetch. */
#define PREFETCH_WORD(job, word_at)                                                         \
    do {                                                                                    \
        const uint32_t *prefetch_at = (word_at);                                            \
        if (prefetch_at < (job)->word_end) {                                                \
            const unsigned char *line_at = (job)->words + (job)->word_bytes * *prefetch_at; \
            for (size_t left = (job)->line_bytes; left > 0; left -= 64, line_at += 64)      \
                __builtin_prefetch(line_at, 0, 3);                                          \
        }                                                                                   \
    } while (0)

/* Vectors of a line. */
static inline uint32_t line_vectors(const ez_pair_job *job)
{
    return (EZ_TOP + job->slots * EZ_PAIR_VECTOR + VECTOR - 1) / VECTOR;
}

static inline size_t line_stride(const ez_pair_job *job)
{
    return LINE_ENDS + (line_vectors(job) + 1) * VECTOR;
}

/* Where S'' ends on a line. */
static inline uint32_t line_s_end(const ez_pair_job *job)
{
    return LINE_ENDS + line_vectors(job) * VECTOR - 1;
}

/* Cuts the next tokens of the document into pairs. before: the word of the token before them. */
static inline void find_pairs(const ez_pair_job *job, const uint32_t *words, uint32_t before,
                              pair_batch *b)
{
    const size_t stride = line_stride(job);
    const float *line = b->lines;
    uint32_t p = 0, occurrence = words[0] == before ? b->occurrence + 1 : 0, last = words[0];
    for (uint32_t i = 0; i < b->n; i++) {
        uint32_t same = words[i] == last || i == 0;
        const ez_pair_word *word = ez_pair_word_at(job, words[i]);
        p += 1 - same;
        line += stride & (0 - (size_t)(1 - same));
        occurrence = i == 0 ? occurrence : (occurrence + 1) & (0 - same);
        last = words[i];
        b->pair[p] = b->word[i] = word;
        b->line[i] = line;
        b->key[i] = word->word_key + occurrence * 0x94d049bb133111ebu;
    }
    b->occurrence = occurrence;
    b->pairs = p + 1;
}

PAIR_INLINE void make_lines(const ez_pair_job *job, enum ez_pair_form form, pair_batch *b)
{
    const size_t stride = line_stride(job);
    const size_t slots = form == EZ_PAIR_ROW ? (job->row_vectors + 2) * EZ_PAIR_VECTOR : 0;
    if (form == EZ_PAIR_ROW && gathers_rows(job))
        gather_rows(job, b, slots, b->slots);
    for (uint32_t p = 0; p < b->pairs; p++)
        make_line(job, form, b->pair[p], b->slots + p * slots, b->lines + p * stride);
}

/* Looks up each token's own share of its line. */
PAIR_INLINE void find_own(const ez_pair_job *job, enum ez_pair_form form, const uint32_t *words,
                          const uint16_t *topic, pair_batch *b)
{
    for (uint32_t i = 0; i < b->n; i++) {
        uint32_t old = topic[i];
        const ez_pair_word *word = b->word[i];
        const float *line = b->line[i];
        uint32_t own = branch_of(word, old), not_top = 0 - own / EZ_TOP;
        uint32_t slot = form == EZ_PAIR_DENSE ? old : form == EZ_PAIR_ONE ? 1 : job->slot_of[old];
        PREFETCH_WORD(job, words + i + PAIR_AHEAD);
        b->old[i] = (uint16_t)old;
        b->own[i] = ez_pair_all_weights(word)[own + (old & not_top)];
        b->own_end[i] = line[LINE_ENDS + own + (slot & not_top)];
        b->total[i] = line[LINE_TOTAL];
    }
}

/* Without a branch, which compilers make of a conditional expression. */
static inline uint16_t select_topic(uint32_t first, uint32_t a, uint32_t b)
{
    uint32_t mask = 0 - first;
    return (uint16_t)((a & mask) | (b & ~mask));
}

PAIR_INLINE void search_lines(const ez_pair_job *job, enum ez_pair_form form, const uint32_t *words,
                              uint16_t *topic, pair_batch *b)
{
    for (uint32_t i = 0; i < b->n; i++) {
        const float *line = b->line[i], *end = line + LINE_ENDS;
        uint32_t at = count_ends(job, line, &b->x[i]);
        uint32_t slot = form == EZ_PAIR_DENSE ? at - EZ_TOP : job->slot_name[at];
        uint16_t k = select_topic(at < EZ_TOP, b->word[i]->topic[at % EZ_TOP], slot);
        b->low[i] = end[(ptrdiff_t)at - 1];
        b->high[i] = end[at];
        topic[i] = k;
        __builtin_prefetch(&job->next_w[job->stride * words[i] + k], 1);
    }
}

/* A place on S'' or Q'' of an open token. */
typedef struct pair_search {
    float y, margin;
    const ez_pair_word *word;
    uint32_t own; /* the topic whose count is one less */
} pair_search;

/* The topic at y on S'' of one slot, or on Q''; UINT32_MAX if it is not sure. */
static inline uint32_t find_in_s(const ez_pair_job *job, const pair_search *search);
static inline uint32_t find_in_q(const ez_pair_job *job, const pair_search *search);

static inline void draw_exactly(ez_pair_job *job, uint16_t *topic, const pair_batch *b, uint32_t i)
{
    uint64_t u = ez_mix(b->key[i] + ez_token_share(job->doc, 0));
    uint32_t k = job->large ? ez_pair_summed_topic(job, b->word[i], b->old[i], u)
                            : ez_pair_exact_topic(job, b->word[i], b->old[i], u);
    topic[i] = (uint16_t)k;
}

/* Searches the listed tokens. */
static inline void search_list(ez_pair_job *job, uint16_t *topic, const pair_batch *b,
                               uint64_t list, bool on_q)
{
    for (; list; list &= list - 1) {
        uint32_t i = (uint32_t)__builtin_ctzll(list);
        float begin = b->line[i][on_q ? line_s_end(job) : LINE_ENDS + EZ_TOP - 1];
        pair_search search = {.y = b->x[i] - begin,
                              .margin = 2 * job->margin * b->total[i] + PAIR_Q_MARGIN,
                              .word = b->word[i],
                              .own = job->leave_one_out ? b->old[i] : UINT32_MAX};
        uint32_t k = on_q ? find_in_q(job, &search) : find_in_s(job, &search);
        if (k == UINT32_MAX)
            draw_exactly(job, topic, b, i);
        else
            topic[i] = (uint16_t)k;
    }
}

/* Open tokens that are surely on Q'', or on S'' of one slot, are found there, others in integers.
 */
static inline void search_open(ez_pair_job *job, enum ez_pair_form form, uint16_t *topic,
                               pair_batch *b)
{
    const uint32_t s_end = line_s_end(job), top_end = LINE_ENDS + EZ_TOP - 1;
    uint64_t on_q = 0, on_s = 0;
    for (uint64_t open = b->open; open; open &= open - 1) {
        uint32_t i = (uint32_t)__builtin_ctzll(open);
        const float *line = b->line[i];
        float x = b->x[i], margin = job->margin * b->total[i];
        uint64_t bit = open & (0 - open);
        bool clear = b->room[i] > margin, q = x - line[s_end] > margin;
        on_q |= bit & (0 - (uint64_t)(clear & q));
        __builtin_prefetch(ez_pair_q_ends(b->word[i], job->topics));
        if (form == EZ_PAIR_ONE) {
            bool s = (x - line[top_end] > margin) & (line[s_end] - x > margin);
            on_s |= bit & (0 - (uint64_t)(clear & s));
        }
    }
    search_list(job, topic, b, on_q, true);
    if (form == EZ_PAIR_ONE)
        search_list(job, topic, b, on_s, false);
    for (uint64_t left = b->open & ~(on_q | on_s); left; left &= left - 1)
        draw_exactly(job, topic, b, (uint32_t)__builtin_ctzll(left));
}

PAIR_INLINE void draw_pairs(ez_pair_job *job, enum ez_pair_form form)
{
    pair_batch b;
    uint32_t before = UINT32_MAX;
    for (uint32_t at = 0; at < job->length; at += b.n) {
        const uint32_t *words = job->word + at;
        uint16_t *topic = job->topic + at;
        b.n = job->length - at < PAIR_BATCH ? job->length - at : PAIR_BATCH;
        if (form != EZ_PAIR_DENSE || !draw_together(job, words, before, topic, &b)) {
            find_pairs(job, words, before, &b);
            make_lines(job, form, &b);
            find_own(job, form, words, topic, &b);
            draw_places(job, &b);
            search_lines(job, form, words, topic, &b);
            find_open(job, &b);
        }
        before = words[b.n - 1];
        search_open(job, form, topic, &b);
        for (uint32_t i = 0; i < b.n; i++) {
            job->next_w[job->stride * words[i] + topic[i]]++;
            job->moved += topic[i] != b.old[i];
        }
    }
}

static void draw_dense(ez_pair_job *job)
{
    draw_pairs(job, EZ_PAIR_DENSE);
}

static void draw_row(ez_pair_job *job)
{
    draw_pairs(job, EZ_PAIR_ROW);
}

static void draw_one(ez_pair_job *job)
{
    draw_pairs(job, EZ_PAIR_ONE);
}

static void draw_document(ez_pair_job *job)
{
    choose_form(job);
    if (job->form == EZ_PAIR_DENSE)
        draw_dense(job);
    else if (job->form == EZ_PAIR_ROW)
        draw_row(job);
    else
        draw_one(job);
}
