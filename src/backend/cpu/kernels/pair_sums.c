/* The topics of a document with counts above EZ_ENTRY_MAX, whose row of D has several entries of a
 * topic. Floats do not follow their order, so all tokens are drawn in integers: the ends of a
 * pair's entries on S'' are summed once, and the entry of each token is searched by halves. */
#include "backend/cpu/kernels/pair_kernels.h"

/* The sums of a pair, without leave-one-out. */
static void sum_pair(ez_pair_job *job, const ez_pair_word *word)
{
    if (job->entries == 0)
        ez_pair_make_row(job);
    ez_pair_sum_top(job, word, job->top_end);
    const float *weight = ez_pair_weights(word);
    uint64_t sum = 0;
    for (uint32_t j = 0; j < job->entries; j++) {
        uint64_t count = ez_entry_count(job->entry[j]);
        sum += count * (uint32_t)weight[ez_entry_topic(job->entry[j])];
        job->entry_end[j] = sum;
    }
    job->summed = word;
}

/* The first entry that ends after y. */
static uint32_t entry_at(const ez_pair_job *job, uint64_t y)
{
    uint32_t first = 0, n = job->entries;
    while (n > 1) {
        uint32_t half = n / 2;
        first += job->entry_end[first + half - 1] <= y ? half : 0;
        n -= half;
    }
    return first;
}

/* What leave-one-out subtracts: from the ends of the top topics behind own_top, or else from the
 * entries behind own_at. */
typedef struct own_share {
    uint32_t top, at; /* EZ_TOP or the number of entries: none */
    uint64_t on_top, on_s;
} own_share;

static own_share find_own(const ez_pair_job *job, const ez_pair_word *word, uint32_t old)
{
    own_share own = {.top = EZ_TOP, .at = job->entries};
    if (!job->leave_one_out)
        return own;
    for (uint32_t i = 0; i < EZ_TOP; i++)
        if (word->topic[i] == old) {
            own.top = i;
            own.on_top = (uint64_t)word->weight[i] << EZ_ALPHA_BITS;
            return own;
        }
    own.at = job->entry_of[old];
    own.on_s = (uint64_t)ez_pair_weights(word)[old];
    return own;
}

uint32_t ez_pair_summed_topic(ez_pair_job *job, const ez_pair_word *word, uint32_t old, uint64_t u)
{
    if (job->summed != word)
        sum_pair(job, word);
    own_share own = find_own(job, word, old);
    uint64_t top = job->top_end[EZ_TOP] - own.on_top;
    uint64_t s = job->entry_end[job->entries - 1] - own.on_s;
    uint64_t x = ez_mulhi(u, top + (s << EZ_ALPHA_BITS) + word->q_rest);
    if (x < top) {
        uint32_t i = 0;
        while (x >= job->top_end[i + 1] - (i >= own.top ? own.on_top : 0))
            i++;
        return word->topic[i];
    }
    x -= top;
    if (x >> EZ_ALPHA_BITS >= s)
        return ez_pair_find_q(job, word, x - (s << EZ_ALPHA_BITS));
    uint64_t y = x >> EZ_ALPHA_BITS;
    if (own.at < job->entries && y >= job->entry_end[own.at] - own.on_s)
        y += own.on_s;
    return ez_entry_topic(job->entry[entry_at(job, y)]);
}
