/* How a document's S'' is laid out on the lines of its pairs, from its counts. Included by
 * pair_loops.h; the kernels define which_present(). */
#ifndef EZ_PAIR_SLOTS_H
#define EZ_PAIR_SLOTS_H

#include "backend/cpu/kernels/pair_kernels.h"

/* Which of VECTOR counts are above 0, one bit each. */
static inline uint32_t which_present(const float *count);

/* Lists the document's topics by blocks of VECTOR; returns how many topics there are. */
static inline uint32_t list_runs(ez_pair_job *job)
{
    uint32_t rank = 0, n = 0;
    for (uint32_t at = EZ_TOP % VECTOR ? 0 : EZ_TOP; at < EZ_TOP + job->topics; at += VECTOR) {
        uint32_t mask = which_present(job->count_f - EZ_TOP + at);
        job->run[n].first = at;
        job->run[n].rank = rank;
        job->run[n].mask = mask;
        n += mask > 0;
        rank += (uint32_t)__builtin_popcount(mask);
    }
    job->runs = n;
    return rank;
}

/* Lists half vectors in the order of S'', lane by lane. Sets where each lies on the line. */
static inline void order_groups(ez_pair_job *job, uint32_t topics, uint16_t *place)
{
    uint32_t n = 0, groups = (topics + EZ_LANE_WIDTH - 1) / EZ_LANE_WIDTH;
    for (uint32_t lane = 0; lane < EZ_LANES; lane++)
        for (uint32_t g = lane; g < groups; g += EZ_LANES) {
            job->group[n] = (uint16_t)(g * EZ_LANE_WIDTH);
            place[g] = (uint16_t)(n++ * EZ_LANE_WIDTH);
        }
    for (uint32_t i = 0; i < 2 * VECTOR / EZ_LANE_WIDTH; i++)
        job->group[n + i] = 0;
}

static inline void set_slots(ez_pair_job *job, const uint16_t *place)
{
    for (uint32_t r = 0; r < job->runs; r++) {
        ez_pair_run *run = &job->run[r];
        uint32_t rank = run->rank, n = 0;
        for (uint32_t mask = run->mask; mask; mask &= mask - 1, rank++) {
            uint32_t bit = (uint32_t)__builtin_ctz(mask), k = run->first + bit - EZ_TOP;
            uint32_t slot = (uint32_t)place[rank / EZ_LANE_WIDTH] + rank % EZ_LANE_WIDTH;
            run->order[n++] = (int32_t)bit;
            job->slot_name[EZ_TOP + slot] = (uint16_t)k;
            job->slot_count[slot] = job->count_f[k];
            job->slot_of[k] = slot;
        }
    }
}

static inline void make_slots(ez_pair_job *job)
{
    uint16_t place[EZ_PAIR_TOPICS / EZ_LANE_WIDTH + 1];
    job->row_vectors = (job->row_topics + EZ_PAIR_VECTOR - 1) / EZ_PAIR_VECTOR;
    for (uint32_t i = 0; i < (job->row_vectors + 2) * EZ_PAIR_VECTOR; i++) {
        job->slot_count[i] = 0;
        job->slot_name[EZ_TOP + i] = 0;
    }
    order_groups(job, job->row_topics, place);
    set_slots(job, place);
}

/* Chooses the form of a document's lines. Rows of up to 32 entries are in the order of topics, so
 * all topics may be slots. */
static inline void choose_form(ez_pair_job *job)
{
    const uint32_t ordered = EZ_LANES * EZ_LANE_WIDTH;
    job->row_topics = job->topics <= ordered ? job->topics : list_runs(job);
    if (job->row_topics <= ordered && job->topics <= EZ_PAIR_DENSE_MOST) {
        job->form = EZ_PAIR_DENSE;
        job->slots = (job->topics + EZ_PAIR_VECTOR - 1) / EZ_PAIR_VECTOR;
        return;
    }
    make_slots(job);
    bool is_long = job->row_vectors > EZ_PAIR_SLOTS / EZ_PAIR_VECTOR;
    job->form = is_long ? EZ_PAIR_ONE : EZ_PAIR_ROW;
    job->slots = is_long ? 1 : job->row_vectors;
    job->margin *= is_long ? 2 : 1;
}

#endif
