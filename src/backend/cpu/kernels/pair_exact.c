/* The line of a token of the pair path in integers: the contract itself, for draws that floats
 * leave open, and for scores. */
#include "backend/cpu/kernels/pair_kernels.h"
#include "backend/topic_counter.h"

/* Puts a row of D into the order of S'': lane by lane. */
static void order_row(ez_pair_job *job)
{
    const uint32_t stride = EZ_LANES * EZ_LANE_WIDTH, *row = job->row;
    uint32_t n = 0;
    for (uint32_t lane = 0; lane < EZ_LANES; lane++)
        for (uint32_t group = lane * EZ_LANE_WIDTH; group < job->entries; group += stride)
            for (uint32_t j = group; j < group + EZ_LANE_WIDTH && j < job->entries; j++) {
                uint32_t k = ez_entry_topic(row[j]);
                job->entry[n] = row[j];
                if (j == 0 || ez_entry_topic(row[j - 1]) != k)
                    job->entry_of[k] = n;
                n++;
            }
}

/* The row of a document in which no count needs several entries. */
static uint32_t make_short_row(ez_pair_job *job)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < job->topics; k++) {
        job->entry[n] = job->row[n] = ez_entry(k, job->count[k]);
        job->entry_of[k] = n;
        n += job->count[k] > 0;
    }
    return n;
}

static uint32_t make_long_row(ez_pair_job *job)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < job->topics; k++)
        if (job->count[k] > 0)
            n += ez_emit_entries(job->row + n, k, job->count[k]);
    return n;
}

void ez_pair_make_row(ez_pair_job *job)
{
    bool is_long = job->length > EZ_ENTRY_MAX;
    job->entries = is_long ? make_long_row(job) : make_short_row(job);
    if (is_long || job->entries > EZ_LANES * EZ_LANE_WIDTH)
        order_row(job);
}

static uint32_t weight_of(const ez_pair_word *word, uint32_t topic)
{
    return (uint32_t)ez_pair_weights(word)[topic];
}

/* own: the topic whose count is one less. */
static void sum_top(const ez_pair_job *job, const ez_pair_word *word, uint32_t own, uint64_t *end)
{
    end[0] = 0;
    for (int i = 0; i < EZ_TOP; i++) {
        uint32_t k = word->topic[i], weight = (uint32_t)word->weight[i];
        uint64_t alpha_part = ez_alpha_weight(weight, job->alpha_scaled[k]);
        end[i + 1] = end[i] + ez_branch(weight, job->count[k] - (k == own), alpha_part);
    }
}

void ez_pair_sum_top(const ez_pair_job *job, const ez_pair_word *word, uint64_t *end)
{
    sum_top(job, word, UINT32_MAX, end);
}

/* The term of an entry of the row of D. own_at: the entry whose count is one less. */
static uint64_t term_of(const ez_pair_job *job, const ez_pair_word *word, uint32_t own_at,
                        uint32_t j)
{
    uint64_t count = ez_entry_count(job->entry[j]) - (j == own_at);
    return count * weight_of(word, ez_entry_topic(job->entry[j]));
}

static uint64_t sum_s(const ez_pair_job *job, const ez_pair_word *word, uint32_t own_at)
{
    uint64_t s = 0;
    for (uint32_t j = 0; j < job->entries; j++)
        s += term_of(job, word, own_at, j);
    return s;
}

uint32_t ez_pair_find_q(const ez_pair_job *job, const ez_pair_word *word, uint64_t y)
{
    uint32_t k = 0;
    for (; k + 1 < job->topics; k++) {
        uint64_t term = ez_alpha_weight(weight_of(word, k), job->alpha_scaled[k]);
        if (y < term)
            break;
        y -= term;
    }
    return k;
}

uint32_t ez_pair_exact_topic(ez_pair_job *job, const ez_pair_word *word, uint32_t old, uint64_t u)
{
    uint64_t end[EZ_TOP + 1];
    if (job->entries == 0)
        ez_pair_make_row(job);
    uint32_t own = job->leave_one_out ? old : UINT32_MAX;
    uint32_t own_at = job->leave_one_out ? job->entry_of[old] : UINT32_MAX;
    sum_top(job, word, own, end);
    uint64_t s = sum_s(job, word, own_at);
    uint64_t x = ez_mulhi(u, end[EZ_TOP] + (s << EZ_ALPHA_BITS) + word->q_rest);
    for (int i = 0; i < EZ_TOP; i++)
        if (x < end[i + 1])
            return word->topic[i];
    x -= end[EZ_TOP];
    if (x >> EZ_ALPHA_BITS >= s)
        return ez_pair_find_q(job, word, x - (s << EZ_ALPHA_BITS));
    uint64_t y = x >> EZ_ALPHA_BITS;
    uint32_t j = 0;
    for (uint64_t term; y >= (term = term_of(job, word, own_at, j)); j++)
        y -= term;
    return ez_entry_topic(job->entry[j]);
}

uint64_t ez_pair_exact_total(ez_pair_job *job, const ez_pair_word *word)
{
    uint64_t end[EZ_TOP + 1];
    if (job->entries == 0)
        ez_pair_make_row(job);
    sum_top(job, word, UINT32_MAX, end);
    return end[EZ_TOP] + (sum_s(job, word, UINT32_MAX) << EZ_ALPHA_BITS) + word->q_rest;
}
