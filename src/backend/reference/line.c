/* Makes the line of a token from its word's weights and its document's row of D, and finds the
 * topic at a point of it. */
#include "backend/reference/line.h"

#include <stdbool.h>

/* Whether topic a comes before b in a row: larger f first, then the smaller topic. */
static bool before(const float *f, uint32_t a, uint32_t b)
{
    return f[a] > f[b] || (f[a] == f[b] && a < b);
}

/* The best topic that is not used yet, or `topics` if all are. */
static uint32_t best_left(const float *f, const uint8_t *used, uint32_t topics)
{
    uint32_t best = topics;
    for (uint32_t k = 0; k < topics; k++)
        if (!used[k] && (best == topics || before(f, k, best)))
            best = k;
    return best;
}

void ez_weigh_word(ez_word_weights *weights, const uint32_t *count, const float *rate,
                   const float *alpha, float beta, int weight_bits, float *f)
{
    uint32_t topics = weights->topics;
    ez_word_record *record = &weights->record;
    for (uint32_t k = 0; k < topics; k++)
        f[k] = ez_float_weight(count[k], beta, rate[k]);
    memset(weights->is_top, 0, topics);
    uint32_t first = best_left(f, weights->is_top, topics);
    record->scale = ez_power_of_two(weight_bits - ez_exponent(f[first]));
    for (uint32_t k = 0; k < topics; k++) {
        weights->w[k] = ez_weight(f[k], record->scale);
        weights->q[k] = ez_alpha_weight(weights->w[k], ez_alpha_scaled(alpha[k]));
    }
    for (int i = 0; i <= EZ_TOP; i++) {
        uint32_t k = best_left(f, weights->is_top, topics);
        record->weight[i] = k < topics ? weights->w[k] : 0;
        if (i == EZ_TOP)
            break;
        record->topic[i] = (uint16_t)k;
        if (k < topics)
            weights->is_top[k] = 1;
    }
    record->q_rest = 0;
    for (uint32_t k = 0; k < topics; k++)
        record->q_rest += weights->is_top[k] ? 0 : weights->q[k];
}

/* The count of an entry without the token itself, which is subtracted from the first entry of its
 * topic. */
static uint32_t count_without_own(const uint32_t *row, size_t j, int64_t own)
{
    uint32_t k = ez_entry_topic(row[j]), count = ez_entry_count(row[j]);
    bool first = j == 0 || ez_entry_topic(row[j - 1]) != k;
    return count > 0 && first && k == own ? count - 1 : count;
}

static uint64_t s_term(const ez_word_weights *weights, const uint32_t *row, size_t j, int64_t own)
{
    uint32_t k = ez_entry_topic(row[j]);
    return weights->is_top[k] ? 0 : (uint64_t)count_without_own(row, j, own) * weights->w[k];
}

void ez_make_line(ez_line *line, const ez_word_weights *weights, const uint32_t *row,
                  size_t entries, int64_t own)
{
    const ez_word_record *record = &weights->record;
    *line = (ez_line){0};
    for (size_t j = 0; j < entries; j++) {
        line->s += s_term(weights, row, j, own);
        for (int i = 0; i < EZ_TOP; i++)
            if (ez_entry_topic(row[j]) == record->topic[i])
                line->top_count[i] += count_without_own(row, j, own);
    }
    for (int i = 0; i < EZ_TOP; i++) {
        if (record->topic[i] < weights->topics)
            line->top_alpha[i] = weights->q[record->topic[i]];
        line->top += ez_branch(record->weight[i], line->top_count[i], line->top_alpha[i]);
    }
    line->total = line->top + (line->s << EZ_ALPHA_BITS) + record->q_rest;
}

/* The topic at y on S'', walked lane by lane. */
static uint32_t find_in_s(const ez_word_weights *weights, const uint32_t *row, size_t entries,
                          int64_t own, uint64_t y)
{
    const size_t stride = (size_t)EZ_LANES * EZ_LANE_WIDTH;
    for (size_t lane = 0; lane < EZ_LANES; lane++)
        for (size_t group = lane * EZ_LANE_WIDTH; group < entries; group += stride)
            for (size_t j = group; j < group + EZ_LANE_WIDTH; j++) {
                uint64_t term = s_term(weights, row, j, own);
                if (y < term)
                    return ez_entry_topic(row[j]);
                y -= term;
            }
    return weights->topics;
}

static uint32_t find_in_q(const ez_word_weights *weights, uint64_t y)
{
    for (uint32_t k = 0; k < weights->topics; k++) {
        uint64_t term = weights->is_top[k] ? 0 : weights->q[k];
        if (y < term)
            return k;
        y -= term;
    }
    return weights->topics;
}

uint32_t ez_find_on_line(const ez_line *line, const ez_word_weights *weights, const uint32_t *row,
                         size_t entries, int64_t own, uint64_t u)
{
    uint64_t x = ez_mulhi(u, line->total);
    for (int i = 0; i < EZ_TOP; i++) {
        uint64_t m = ez_branch(weights->record.weight[i], line->top_count[i], line->top_alpha[i]);
        if (x < m)
            return weights->record.topic[i];
        x -= m;
    }
    if (x < line->s << EZ_ALPHA_BITS)
        return find_in_s(weights, row, entries, own, x >> EZ_ALPHA_BITS);
    return find_in_q(weights, x - (line->s << EZ_ALPHA_BITS));
}
