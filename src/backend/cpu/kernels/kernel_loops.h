/* The words pass of one word, shared by all instruction sets. The draw is in draw_batch. The
 * including kernels_*.c defines the primitives:
 *   row_sums                    what a row of D gives for a word
 *   find_entry                  the first entry of a topic
 *   decide_begin, decide_token  early decisions (three_branch_loop.h)
 *
 * Branches that cannot be predicted cost more here than the arithmetic, and a row costs a cache
 * miss. So tokens are drawn in batches: rows of the next batch are prefetched while this one is
 * worked on, rows of one length are summed together, and tokens are sorted by the three
 * stretches of the line before any stretch is searched. */
#include "backend/cpu/kernels/kernels.h"

enum { BATCH = 64 };

/* What a row of D gives for a word, before leave-one-out. */
typedef struct row_result {
    uint64_t through[EZ_LANES]; /* S'' by lanes, each with all lanes before it; the last is S'' */
    uint64_t top_sum;           /* a1*C1 + ... + a8*C8 */
    uint32_t tops;              /* entries of top topics */
    uint32_t top[2 * EZ_TOP];   /* (branch << 16 | count) of these, if they are at most eight */
} row_result;

#define ALWAYS_INLINE inline __attribute__((always_inline))

static ALWAYS_INLINE void row_sums(const uint32_t *row, uint32_t steps, const ez_word_view *view,
                                   row_result *out);
static inline uint32_t find_entry(const uint32_t *row, uint32_t entries, uint32_t topic);

/* Tokens that are drawn together; token i uses result[of[i]], which tokens of one document share.
 */
typedef struct batch {
    uint32_t n, rows;
    uint64_t place[BATCH];
    uint32_t doc_key[BATCH], occurrence[BATCH];
    uint8_t of[BATCH];
    const uint32_t *row[BATCH]; /* the row of D of each result */
    uint32_t steps[BATCH];
    row_result result[BATCH];
    /* Per token, once its line is known: */
    uint64_t y[BATCH];
    uint32_t old[BATCH], topic[BATCH];
} batch;

/* The occurrence of the token at `place` among its document's tokens of this word. They lie
 * together and may be millions, so the first one is found by doubling steps back and a binary
 * search between the last two. */
static inline uint32_t occurrence_of(const ez_word_job *job, uint64_t place)
{
    const uint32_t *at = job->doc + place;
    uint64_t room = place - job->word_begin, in = 0, out = 1;
    for (; out <= room && *(at - out) == *at; out *= 2)
        in = out;
    out = out <= room ? out : room + 1;
    while (out - in > 1) {
        uint64_t middle = in + (out - in) / 2;
        if (*(at - middle) == *at)
            in = middle;
        else
            out = middle;
    }
    return (uint32_t)in;
}

/* Prefetches the places of the rows of the batch that begins at token `first`. A macro, as
 * PREFETCH_ROW: gcc removes a call of a function that does nothing but prefetch. */
#define PREFETCH_PLACES(job, first)                                                      \
    for (uint32_t place_at = (first); place_at < (first) + BATCH && place_at < (job)->n; \
         place_at++)                                                                     \
    __builtin_prefetch(&(job)->row_of[(job)->doc[(job)->base + (job)->list[place_at]]], 0, 2)

/* Most rows are short: four cache lines are prefetched whatever the length. */
#define PREFETCH_ROW(row, steps)                                                 \
    do {                                                                         \
        __builtin_prefetch((row), 0, 2);                                         \
        __builtin_prefetch((row) + EZ_ROW_STEP, 0, 2);                           \
        __builtin_prefetch((row) + 2 * (size_t)EZ_ROW_STEP, 0, 2);               \
        __builtin_prefetch((row) + 3 * (size_t)EZ_ROW_STEP, 0, 2);               \
        for (uint32_t step_at = 4; step_at < (steps) && step_at < 16; step_at++) \
            __builtin_prefetch((row) + (size_t)step_at * EZ_ROW_STEP, 0, 2);     \
    } while (0)

/* Gathers the tokens from `first` on and prefetches their rows. */
static inline void gather_batch(const ez_word_job *job, uint32_t first, batch *b)
{
    uint32_t last_doc = UINT32_MAX, key = 0;
    b->n = job->n - first < BATCH ? job->n - first : BATCH;
    b->rows = 0;
    for (uint32_t i = 0; i < b->n; i++) {
        uint64_t place = job->base + job->list[first + i];
        uint32_t doc = job->doc[place];
        b->place[i] = place;
        if (doc != last_doc) {
            key = job->doc_key ? job->doc_key[doc] : doc;
            ez_row_place at = job->row_of[doc];
            const uint32_t *row = job->row + (size_t)at.start * EZ_ROW_STEP;
            b->row[b->rows] = row;
            b->steps[b->rows++] = at.steps;
            b->occurrence[i] = occurrence_of(job, place);
            PREFETCH_ROW(row, at.steps);
        } else {
            b->occurrence[i] = b->occurrence[i - 1] + (uint32_t)(place - b->place[i - 1]);
        }
        b->doc_key[i] = key;
        b->of[i] = (uint8_t)(b->rows - 1);
        last_doc = doc;
    }
}

static ALWAYS_INLINE void sum_listed(const ez_word_view *view, batch *b, const uint8_t *list,
                                     uint32_t n, uint32_t steps)
{
    for (uint32_t i = 0; i < n; i++)
        row_sums(b->row[list[i]], steps, view, &b->result[list[i]]);
}

/* Sums rows of one length together: the loop over a row then has no branch. */
static inline void sum_rows(const ez_word_view *view, batch *b)
{
    enum { LENGTHS = 6 };
    uint8_t list[LENGTHS + 1][BATCH];
    uint32_t n[LENGTHS + 1] = {0};
    for (uint32_t r = 0; r < b->rows; r++) {
        uint32_t length = b->steps[r] < LENGTHS ? b->steps[r] : 0;
        list[length][n[length]++] = (uint8_t)r;
    }
    sum_listed(view, b, list[1], n[1], 1);
    sum_listed(view, b, list[2], n[2], 2);
    sum_listed(view, b, list[3], n[3], 3);
    sum_listed(view, b, list[4], n[4], 4);
    sum_listed(view, b, list[5], n[5], 5);
    for (uint32_t i = 0; i < n[0]; i++)
        row_sums(b->row[list[0][i]], b->steps[list[0][i]], view, &b->result[list[0][i]]);
}

static inline uint64_t s_term(const uint32_t *row, const uint32_t *table, uint32_t j,
                              uint32_t own_at)
{
    uint32_t weight = table[ez_entry_topic(row[j])], count = ez_entry_count(row[j]) - (j == own_at);
    return weight & EZ_MARK ? 0 : (uint64_t)count * weight;
}

/* The topic at y on S''. own: the topic whose count is one less, or UINT32_MAX. */
static inline uint32_t find_in_s(const uint32_t *row, uint32_t entries, const uint32_t *table,
                                 const uint64_t *through, uint32_t own, uint64_t y)
{
    const uint32_t stride = EZ_LANES * EZ_LANE_WIDTH;
    uint32_t own_at = own == UINT32_MAX ? UINT32_MAX : find_entry(row, entries, own);
    uint32_t lane = 0, own_lane = own == UINT32_MAX ? EZ_LANES : own_at / EZ_LANE_WIDTH % EZ_LANES;
    uint64_t before = 0, own_weight = own == UINT32_MAX ? 0 : table[own];
    for (uint32_t i = 0; i < EZ_LANES - 1; i++) {
        uint64_t end = through[i] - (i >= own_lane ? own_weight : 0);
        lane += y >= end;
        before = y >= end ? end : before;
    }
    y -= before;
    for (uint32_t j = lane * EZ_LANE_WIDTH;; j += stride) {
        uint64_t first = s_term(row, table, j, own_at),
                 second = first + s_term(row, table, j + 1, own_at);
        uint64_t third = second + s_term(row, table, j + 2, own_at),
                 fourth = third + s_term(row, table, j + 3, own_at);
        if (y < fourth || j + stride >= entries)
            return ez_entry_topic(row[j + (y >= first) + (y >= second) + (y >= third)]);
        y -= fourth;
    }
}

/* C1 .. C8 of a row. */
static inline void top_counts(const ez_word_view *view, const row_result *result,
                              const uint32_t *row, uint32_t entries, uint32_t *count)
{
    memset(count, 0, EZ_TOP * sizeof *count);
    if (result->tops <= EZ_TOP) {
        for (uint32_t j = 0; j < result->tops; j++)
            count[result->top[j] >> 16] += result->top[j] & 0xffff;
        return;
    }
    for (uint32_t j = 0; j < entries; j++) {
        uint32_t weight = view->table[ez_entry_topic(row[j])];
        if (weight & EZ_MARK)
            count[weight & (EZ_TOP - 1)] += ez_entry_count(row[j]);
    }
}

/* The top topic at x < m1 + ... + m8. own: the topic whose count is one less, or UINT32_MAX. */
static inline uint32_t find_in_top(const ez_word_view *view, const row_result *result,
                                   const uint32_t *row, uint32_t entries, uint32_t own, uint64_t x)
{
    uint32_t count[EZ_TOP];
    top_counts(view, result, row, entries, count);
    if (own != UINT32_MAX && view->table[own] & EZ_MARK)
        count[view->table[own] & (EZ_TOP - 1)]--;
    int at = 0;
    uint64_t end = 0;
    for (int i = 0; i < EZ_TOP - 1; i++) {
        end += ez_branch(view->record->weight[i], count[i], view->top_alpha[i]);
        at += x >= end;
    }
    return view->record->topic[at];
}

/* Which tokens fall on the top branches, on S'' and on Q''. */
typedef struct stretches {
    uint8_t top[BATCH], s[BATCH], q[BATCH];
    uint32_t n_top, n_s, n_q;
} stretches;

/* The draw: finds where each token falls on its line, and lists the tokens of each stretch. */
static inline void draw_batch(const ez_word_job *job, batch *b, stretches *to)
{
    const ez_word_view *view = job->view;
    const uint32_t mark = job->leave_one_out ? UINT32_MAX : 0;
    to->n_top = to->n_s = to->n_q = 0;
    for (uint32_t i = 0; i < b->n; i++) {
        const row_result *result = &b->result[b->of[i]];
        uint32_t old = job->topic[b->place[i]] & job->topic_mask;
        uint32_t own = view->table[old] & mark, branch = own & (EZ_TOP - 1);
        uint64_t own_top = own & EZ_MARK ? view->record->weight[branch] : 0,
                 own_s = own & EZ_MARK ? 0 : own;
        uint64_t top = ((result->top_sum - own_top) << EZ_ALPHA_BITS) + view->top_alpha_sum;
        uint64_t s = (result->through[EZ_LANES - 1] - own_s) << EZ_ALPHA_BITS;
        uint64_t u = ez_draw(view->word_key, b->doc_key[i], b->occurrence[i]);
        uint64_t x = ez_mulhi(u, top + s + view->record->q_rest);
        bool in_top = x < top, in_q = x >= top + s;
        b->old[i] = old;
        b->y[i] = in_top ? x : in_q ? x - top - s : (x - top) >> EZ_ALPHA_BITS;
        to->top[to->n_top] = to->s[to->n_s] = to->q[to->n_q] = (uint8_t)i;
        to->n_top += in_top;
        to->n_q += in_q;
        to->n_s += !in_top && !in_q;
    }
}

/* Sets the topics of the tokens that draw_batch has listed. */
static inline void find_topics(const ez_word_job *job, batch *b, const stretches *to)
{
    const ez_word_view *view = job->view;
    for (uint32_t n = 0; n < to->n_s; n++) {
        uint32_t i = to->s[n], r = b->of[i], old = b->old[i];
        bool own = job->leave_one_out && !(view->table[old] & EZ_MARK);
        b->topic[i] = find_in_s(b->row[r], b->steps[r] * EZ_ROW_STEP, view->table,
                                b->result[r].through, own ? old : UINT32_MAX, b->y[i]);
    }
    for (uint32_t n = 0; n < to->n_top; n++) {
        uint32_t i = to->top[n], r = b->of[i];
        b->topic[i] = find_in_top(view, &b->result[r], b->row[r], b->steps[r] * EZ_ROW_STEP,
                                  job->leave_one_out ? b->old[i] : UINT32_MAX, b->y[i]);
    }
    for (uint32_t n = 0; n < to->n_q; n++)
        b->topic[to->q[n]] = ez_find_q(job->view, b->y[to->q[n]]);
}

static uint64_t draw_words(const ez_word_job *job)
{
    batch two[2];
    stretches to;
    uint64_t moved = 0;
    PREFETCH_PLACES(job, 0);
    PREFETCH_PLACES(job, BATCH);
    gather_batch(job, 0, &two[0]);
    for (uint32_t first = 0, turn = 0; first < job->n; first += BATCH, turn ^= 1) {
        batch *b = &two[turn];
        if (first + BATCH < job->n) {
            PREFETCH_PLACES(job, first + 2 * BATCH);
            gather_batch(job, first + BATCH, &two[turn ^ 1]);
        }
        sum_rows(job->view, b);
        draw_batch(job, b, &to);
        find_topics(job, b, &to);
        for (uint32_t i = 0; i < b->n; i++) {
            job->topic[b->place[i]] = (uint16_t)b->topic[i];
            moved += b->topic[i] != b->old[i];
        }
    }
    return moved;
}

static uint64_t line_total(const ez_word_view *view, const uint32_t *row, uint32_t steps)
{
    row_result result;
    row_sums(row, steps, view, &result);
    uint64_t s = result.top_sum + result.through[EZ_LANES - 1];
    return (s << EZ_ALPHA_BITS) + view->top_alpha_sum + view->record->q_rest;
}
