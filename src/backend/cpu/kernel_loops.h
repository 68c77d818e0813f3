/* The loops that all instruction sets share, written over three primitives which the including file defines:
 *   row_sums       what a row of D gives for a word
 *   decide_begin, decide_token    early decisions
 * Included once by each kernels_*.c, so the primitives are inlined. Unpredictable branches cost more here than the
 * arithmetic does: what can be counted is not compared. */
#include "backend/cpu/kernels.h"

/* What a row of D gives for a word, before a token's own count is taken out. */
typedef struct row_result {
    uint64_t through[EZ_LANES]; /* S'' by lanes, each with all lanes before it; the last is S'' */
    uint64_t top_sum;           /* m1 + ... + m8 */
    uint32_t tops, own_at;      /* entries of top topics; where the entry of topic `own` is, if it is not top */
    uint32_t top[2 * EZ_ROW_STEP]; /* (branch << 16 | count) of the first 16 of them */
} row_result;

/* a1*C1 + ... + a8*C8 is left in top_sum. */
static inline void row_sums(const uint32_t *row, uint32_t entries, const ez_word_view *view, uint32_t own,
                            row_result *out);

/* Everything of one run of equal words in a document that its tokens share. */
struct decide_run;
static inline void decide_begin(struct decide_run *run, const ez_doc_job *job, uint32_t word);
static inline int decide_token(const struct decide_run *run, const ez_doc_job *job, uint32_t old, uint64_t u);

/* The first entry of a topic in an ascending row; padding is 0 and lies behind all entries. */
static inline uint32_t find_entry(const uint32_t *row, uint32_t entries, uint32_t topic)
{
    uint32_t lo = 0, hi = entries;
    while (lo < hi) {
        uint32_t middle = (lo + hi) / 2;
        if (row[middle] != 0 && ez_entry_topic(row[middle]) < topic)
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo;
}

static inline void take_row(const ez_word_view *view, const uint32_t *row, uint32_t entries, uint32_t own,
                            row_result *result)
{
    row_sums(row, entries, view, own, result);
    result->top_sum = (result->top_sum << EZ_ALPHA_BITS) + view->top_alpha_sum;
}

static inline uint64_t s_term(const uint32_t *row, const uint32_t *table, uint32_t j, uint32_t own_at)
{
    uint32_t weight = table[ez_entry_topic(row[j])], count = ez_entry_count(row[j]) - (j == own_at);
    return weight & EZ_MARK ? 0 : (uint64_t)count * weight;
}

/* The topic at y on the S'' part. own_at: the entry whose count is one less, or `entries` for none. */
static inline uint32_t find_in_s(const uint32_t *row, uint32_t entries, const uint32_t *table,
                                 const uint64_t *through, uint32_t own_at, uint64_t own_weight, uint64_t y)
{
    uint32_t lane = 0, own_lane = own_at < entries ? own_at / EZ_LANE_WIDTH % EZ_LANES : EZ_LANES;
    uint64_t before = 0;
    for (uint32_t i = 0; i < EZ_LANES - 1; i++) {
        uint64_t end = through[i] - (i >= own_lane ? own_weight : 0);
        lane += y >= end;
        before = y >= end ? end : before;
    }
    y -= before;
    for (uint32_t j = lane * EZ_LANE_WIDTH;; j += EZ_LANES * EZ_LANE_WIDTH) {
        uint64_t first = s_term(row, table, j, own_at), second = first + s_term(row, table, j + 1, own_at);
        uint64_t third = second + s_term(row, table, j + 2, own_at), fourth = third + s_term(row, table, j + 3, own_at);
        if (y < fourth || j + EZ_LANES * EZ_LANE_WIDTH >= entries)
            return ez_entry_topic(row[j + (y >= first) + (y >= second) + (y >= third)]);
        y -= fourth;
    }
}

/* The top topic at x < m1 + ... + m8. own: the branch whose count is one less, or -1. */
static inline uint32_t find_in_top(const ez_word_view *view, const row_result *result, const uint32_t *row,
                                   uint32_t entries, int own, uint64_t x)
{
    uint32_t count[EZ_TOP] = {0};
    if (result->tops <= EZ_ROW_STEP)
        for (uint32_t j = 0; j < result->tops; j++)
            count[result->top[j] >> 16] += result->top[j] & 0xffff;
    else
        for (uint32_t j = 0; j < entries; j++)
            if (view->table[ez_entry_topic(row[j])] & EZ_MARK)
                count[view->table[ez_entry_topic(row[j])] & (EZ_TOP - 1)] += ez_entry_count(row[j]);
    int at = 0;
    uint64_t end = 0;
    for (int i = 0; i < EZ_TOP - 1; i++) {
        end += ez_branch(view->record->weight[i], count[i] - (i == own), view->top_alpha[i]);
        at += x >= end;
    }
    return view->record->topic[at];
}

static inline uint32_t draw_token(const ez_word_job *job, const row_result *result, const uint32_t *row,
                                  uint32_t entries, uint32_t old, uint64_t u)
{
    const ez_word_view *view = job->view;
    uint32_t own_weight = job->leave_one_out ? view->table[old] : 0;
    bool own_top = own_weight & EZ_MARK;
    int own_branch = own_top ? (int)(own_weight & (EZ_TOP - 1)) : -1;
    uint64_t own_top_weight = own_top ? view->record->weight[own_weight & (EZ_TOP - 1)] : 0;
    own_weight = own_top ? 0 : own_weight;
    uint64_t top = result->top_sum - (own_top_weight << EZ_ALPHA_BITS);
    uint64_t s = (result->through[EZ_LANES - 1] - own_weight) << EZ_ALPHA_BITS;
    uint64_t x = ez_mulhi(u, top + s + view->record->q_rest);
    if (x < top)
        return find_in_top(view, result, row, entries, own_branch, x);
    if (x < top + s) {
        uint32_t own_at = own_weight != 0 ? result->own_at : entries;
        return find_in_s(row, entries, view->table, result->through, own_at, own_weight, (x - top) >> EZ_ALPHA_BITS);
    }
    return (uint32_t)view->find_q(view->user, x - top - s);
}

/* Occurrence of the token at `place` among its document's tokens of this word. */
static inline uint32_t occurrence_of(const ez_word_job *job, uint64_t place)
{
    uint32_t n = 0;
    while (place > job->word_begin && job->doc[place] == job->doc[place - 1]) {
        place--;
        n++;
    }
    return n;
}

static inline void prefetch_row(const ez_word_job *job, uint32_t ahead)
{
    enum { FAR = 10 };
    if (ahead + FAR < job->n) {
        uint32_t doc = job->doc[job->base + job->list[ahead + FAR]];
        __builtin_prefetch(&job->row_start[doc]);
        __builtin_prefetch(&job->row_entries[doc]);
    }
    if (ahead < job->n) {
        const uint32_t *row = job->row + job->row_start[job->doc[job->base + job->list[ahead]]];
        __builtin_prefetch(row);
        __builtin_prefetch(row + 16);
        __builtin_prefetch(row + 32);
        __builtin_prefetch(row + 48);
    }
}

static uint64_t draw_words(const ez_word_job *job)
{
    enum { NEAR = 6 };
    uint64_t moved = 0, last_place = 0;
    uint32_t last_doc = UINT32_MAX, occurrence = 0;
    row_result result = {0};
    for (uint32_t i = 0; i < job->n; i++) {
        prefetch_row(job, i + NEAR);
        uint64_t place = job->base + job->list[i];
        uint32_t doc = job->doc[place], entries = job->row_entries[doc];
        const uint32_t *row = job->row + job->row_start[doc];
        uint32_t old = job->topic[place] & job->topic_mask;
        if (doc != last_doc) {
            take_row(job->view, row, entries, old, &result);
            occurrence = occurrence_of(job, place);
        } else {
            result.own_at = find_entry(row, entries, old);
            occurrence += (uint32_t)(place - last_place);
        }
        last_doc = doc;
        last_place = place;
        uint64_t u = ez_draw(job->view->word_key, doc, occurrence);
        uint32_t topic = draw_token(job, &result, row, entries, old, u);
        job->topic[place] = (uint16_t)topic;
        moved += topic != old;
    }
    return moved;
}

static uint64_t line_total(const ez_word_view *view, const uint32_t *row, uint32_t entries)
{
    row_result result;
    take_row(view, row, entries, 0, &result);
    return result.top_sum + (result.through[EZ_LANES - 1] << EZ_ALPHA_BITS) + view->record->q_rest;
}
