/* One iteration of a whole document (infer_doc.h). The including infer_*.c defines the primitives:
 *   draw_all                          the draws of all tokens
 *   ends_of, branch_at                the branches m1 .. m8 of a word, and on which of them x falls
 *   sum_zero_rows                     the row of D with all zero rows
 *   count_items, first_above          searches
 *
 * Tokens are sorted by the stretches of their lines before a stretch is searched, and searches do
 * not branch on what they find, because nothing here can be predicted. */
#include "backend/cpu/inference/infer_doc.h"
#include "backend/cpu/kernels/kernels.h"
#include "sampler/log2_fixed.h"

/* Writes the row of D in the order of the line (lanes), and the place of each topic there. */
static inline void make_line(ez_infer_doc *d)
{
    uint32_t n = ez_topic_counter_entries(&d->counter, d->row), at = 0;
    for (uint32_t lane = 0; lane < EZ_LANES; lane++)
        for (uint32_t j = lane * EZ_LANE_WIDTH; j < n; j += EZ_LANES * EZ_LANE_WIDTH)
            for (uint32_t i = j; i < n && i < j + EZ_LANE_WIDTH; i++, at++) {
                d->line[at] = d->row[i];
                d->place[ez_entry_topic(d->row[i])] = at;
            }
    d->row_size = n;
}

static inline void list_items(ez_infer_doc *d)
{
    const ez_infer_cell *restrict cell = d->cell;
    ez_infer_tally *restrict tally = d->tally;
    uint64_t *restrict item_through = d->item_through, *restrict item_place = d->item_place;
    for (uint32_t w = 0; w < d->words; w++) {
        tally[w].more = 0;
        tally[w].next = d->word[w].item;
    }
    for (uint32_t i = 0; i < d->row_size; i++) {
        const uint32_t k = ez_entry_topic(d->line[i]), count = ez_entry_count(d->line[i]);
        const uint64_t *restrict zero_through = d->zero_before + ((size_t)i + 1) * d->zeros;
        for (uint32_t c = d->cell_start[k], end = d->cell_start[k + 1]; c < end; c++) {
            ez_infer_tally *at = &tally[cell[c].word];
            uint64_t more = at->more + (uint64_t)((int64_t)cell[c].more * count);
            item_through[at->next] = zero_through[at->zero] + more;
            item_place[at->next++] = (uint64_t)i << 32 | c;
            at->more = more;
        }
    }
}

static inline uint64_t s_of(const ez_infer_doc *d, uint32_t w)
{
    return d->zero_before[(size_t)d->row_size * d->zeros + d->word[w].zero] + d->tally[w].more;
}

static inline uint32_t zero_weight_of(const ez_infer_doc *d, uint32_t topic, uint32_t zero)
{
    return d->zero_weight[(size_t)topic * d->zeros + zero];
}

/* The first place in [lo, hi) at which the sum of the zero row and `more` exceeds y; there is one.
 */
static inline uint32_t find_place(const ez_infer_doc *d, uint32_t zero, uint64_t more, uint32_t lo,
                                  uint32_t hi, const ez_s_target *target)
{
    for (uint32_t n = hi - lo, half; n > 1; n -= half) {
        half = n / 2;
        uint64_t through = d->zero_before[(size_t)(lo + half) * d->zeros + zero] + more;
        through -= ez_own_from(target, (uint64_t)(lo + half - 1) << 32);
        lo += through <= target->y ? half : 0;
    }
    return lo;
}

static inline ez_infer_token find_in_s(const ez_infer_doc *d, uint32_t w, const ez_s_target *target)
{
    const ez_infer_word *word = &d->word[w];
    const uint64_t *through = d->item_through + word->item, *place = d->item_place + word->item;
    uint32_t n = d->tally[w].next - word->item, found = count_items(through, place, n, target);
    if (found < n) {
        uint32_t entry = d->line[place[found] >> 32], k = ez_entry_topic(entry);
        uint32_t weight =
            (uint32_t)d->cell[(uint32_t)place[found]].more + zero_weight_of(d, k, word->zero);
        uint64_t end = through[found] - ez_own_from(target, place[found]);
        uint64_t length = (uint64_t)ez_entry_count(entry) * weight;
        length -= place[found] >> 32 == target->own_at >> 32 ? target->own : 0;
        if (target->y >= end - length)
            return (ez_infer_token){weight, (uint16_t)k, EZ_TOP};
    }
    uint32_t first = found > 0 ? (uint32_t)(place[found - 1] >> 32) + 1 : 0;
    uint32_t last = found < n ? (uint32_t)(place[found] >> 32) : d->row_size;
    uint64_t more =
        found > 0 ? through[found - 1] - d->zero_before[(size_t)first * d->zeros + word->zero] : 0;
    uint32_t k = ez_entry_topic(d->line[find_place(d, word->zero, more, first, last, target)]);
    return (ez_infer_token){zero_weight_of(d, k, word->zero), (uint16_t)k, EZ_TOP};
}

static void sum_alpha_parts(const ez_infer_doc *d, ez_infer_entries *e, uint32_t zero)
{
    uint64_t more = 0;
    for (uint32_t i = 0; i < e->n; i++) {
        uint32_t k = e->topic[i], weight = zero_weight_of(d, k, zero) + (uint32_t)e->more[i];
        uint64_t before = k > 0 ? e->zero_q[k - 1] : 0;
        more += ez_alpha_weight(weight, d->alpha_scaled[k]) - (e->zero_q[k] - before);
        e->q_through[i] = e->zero_q[k] + more;
    }
    e->has_q = true;
}

static inline ez_infer_token find_in_q(const ez_infer_doc *d, uint32_t w, uint64_t y)
{
    ez_infer_entries *e = &d->entries[w];
    if (!e->has_q)
        sum_alpha_parts(d, e, d->word[w].zero);
    uint32_t found = first_above(e->q_through, e->n, y);
    uint64_t more = found > 0 ? e->q_through[found - 1] - e->zero_q[e->topic[found - 1]] : 0;
    uint32_t first = found > 0 ? e->topic[found - 1] + 1u : 0,
             last = found < e->n ? e->topic[found] : d->topics;
    uint32_t k = first + first_above(e->zero_q + first, last - first, y - more);
    uint32_t weight =
        zero_weight_of(d, k, d->word[w].zero) + (k == last ? (uint32_t)e->more[found] : 0);
    return (ez_infer_token){weight, (uint16_t)k, EZ_TOP};
}

/* Sets the lines of all words, before leave-one-out. */
static inline void end_lines(ez_infer_doc *d)
{
    for (uint32_t w = 0; w < d->words; w++) {
        ez_infer_ends *ends = &d->ends[w];
        ends->top = ends_of(ends, &d->word[w], d->counter.count);
        ends->s = ends->top + (s_of(d, w) << EZ_ALPHA_BITS);
        ends->all = ends->s + d->word[w].q_rest;
    }
}

/* The draw: tokens on the eight branches get their topics at once; those on S'' and on Q'' are
 * listed. */
static inline void draw_tokens(ez_infer_doc *d, uint32_t *n_s, uint32_t *n_q)
{
    const ez_infer_token *restrict token = d->token;
    const uint32_t *restrict word_of = d->word_of;
    const ez_infer_ends *restrict ends_at = d->ends;
    const ez_infer_word *restrict word = d->word;
    const uint64_t *restrict u = d->u;
    ez_infer_token *restrict next = d->next;
    uint64_t *restrict y = d->y;
    uint32_t *restrict in_s = d->in_s, *restrict in_q = d->in_q;
    uint32_t s_listed = 0, q_listed = 0;
    for (uint32_t i = 0, n = d->tokens; i < n; i++) {
        const ez_infer_ends *ends = &ends_at[word_of[i]];
        const ez_infer_token old = token[i];
        uint64_t own = (uint64_t)old.weight << EZ_ALPHA_BITS,
                 own_top = old.branch < EZ_TOP ? own : 0;
        uint64_t s_end = ends->s - own, x = ez_mulhi(u[i], ends->all - own);
        uint32_t at = branch_at(ends, x, own, old.branch);
        bool in_top = at < EZ_TOP, is_in_q = x >= s_end;
        y[i] = (x - (is_in_q ? s_end : ends->top - own_top)) >> (is_in_q ? 0 : EZ_ALPHA_BITS);
        next[i] = word[word_of[i]].top[at & (EZ_TOP - 1)];
        in_s[s_listed] = in_q[q_listed] = i;
        s_listed += !in_top & !is_in_q;
        q_listed += is_in_q;
    }
    *n_s = s_listed;
    *n_q = q_listed;
}

static void begin_iteration(ez_infer_doc *d)
{
    ez_topic_counter_clear(&d->counter);
    for (uint32_t i = 0; i < d->tokens; i++)
        ez_topic_counter_add(&d->counter, d->token[i].topic);
    make_line(d);
    sum_zero_rows(d);
    list_items(d);
}

static inline ez_s_target target_of(const ez_infer_doc *d, uint32_t i)
{
    ez_infer_token old = d->token[i];
    return (ez_s_target){d->y[i], old.branch < EZ_TOP ? 0 : old.weight,
                         (uint64_t)d->place[old.topic] << 32};
}

static void infer_iteration(ez_infer_doc *d, uint64_t iteration_key)
{
    uint32_t n_s, n_q;
    begin_iteration(d);
    draw_all(d, iteration_key);
    end_lines(d);
    draw_tokens(d, &n_s, &n_q);
    for (uint32_t n = 0; n < n_s; n++) {
        ez_s_target target = target_of(d, d->in_s[n]);
        d->next[d->in_s[n]] = find_in_s(d, d->word_of[d->in_s[n]], &target);
    }
    for (uint32_t n = 0; n < n_q; n++)
        d->next[d->in_q[n]] = find_in_q(d, d->word_of[d->in_q[n]], d->y[d->in_q[n]]);
    ez_infer_token *old = d->token;
    d->token = d->next;
    d->next = old;
}

static int64_t infer_score(ez_infer_doc *d, double alpha_sum)
{
    int64_t length = ez_log2_fixed_double((double)d->tokens + alpha_sum), sum = 0;
    begin_iteration(d);
    end_lines(d);
    for (uint32_t w = 0; w < d->words; w++) {
        int64_t tokens = d->word[w].end - d->word[w].begin;
        sum += (ez_log2_fixed(d->ends[w].all) - d->entries[w].score_scale - length) * tokens;
    }
    return sum;
}
