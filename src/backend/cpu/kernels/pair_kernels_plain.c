/* The pair kernels in plain C, for any processor. Loops over a vector are written so that a
 * compiler makes vectors of them. */
enum { VECTOR = 8 };
#include "backend/cpu/kernels/pair_loops.h"

static inline uint32_t which_present(const float *count)
{
    uint32_t mask = 0;
    for (uint32_t i = 0; i < VECTOR; i++)
        mask |= (uint32_t)(count[i] > 0) << i;
    return mask;
}

/* end[i] = before + (term[0] + ... + term[i]), in few roundings. */
static inline float running_sums(const float *term, float before, float *end)
{
    float sum = 0;
    for (int i = 0; i < VECTOR; i++) {
        sum += term[i];
        end[i] = before + sum;
    }
    return end[VECTOR - 1];
}

static inline bool gathers_rows(const ez_pair_job *job)
{
    (void)job;
    return true;
}

static inline void gather_row(const ez_pair_job *job, const float *weight, float *row)
{
    for (uint32_t r = 0; r < job->runs; r++) {
        uint32_t rank = job->run[r].rank;
        for (uint32_t mask = job->run[r].mask; mask; mask &= mask - 1)
            row[rank++] = weight[job->run[r].first + (uint32_t)__builtin_ctz(mask) - EZ_TOP];
    }
    for (uint32_t i = 0; i < EZ_LANE_WIDTH; i++)
        row[job->row_topics + i] = 0;
}

static inline void gather_rows(const ez_pair_job *job, const pair_batch *b, size_t stride,
                               float *rows)
{
    for (uint32_t p = 0; p < b->pairs; p++)
        gather_row(job, ez_pair_weights(b->pair[p]), rows + p * stride);
}

static inline float sum_slot(const ez_pair_job *job, const float *weight)
{
    float sum[VECTOR] = {0};
    for (uint32_t k = 0; k < job->topics; k += VECTOR)
        for (uint32_t i = 0; i < VECTOR; i++)
            sum[i] += job->count_f[k + i] * weight[k + i];
    return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
}

static inline void slot_terms(const ez_pair_job *job, enum ez_pair_form form, const float *weight,
                              const float *row, uint32_t v, float *term)
{
    for (uint32_t i = 0; i < VECTOR; i++)
        if (form == EZ_PAIR_DENSE)
            term[i] = job->count_f[v * VECTOR + i] * weight[v * VECTOR + i];
        else
            term[i] = job->slot_count[v * VECTOR + i] *
                      row[job->group[2 * v + i / EZ_LANE_WIDTH] + i % EZ_LANE_WIDTH];
}

PAIR_INLINE void make_line(const ez_pair_job *job, enum ez_pair_form form, const ez_pair_word *word,
                           const float *row, float *line)
{
    float term[VECTOR], *end = line + LINE_ENDS;
    const float *weight = ez_pair_weights(word);
    for (int i = 0; i < VECTOR; i++) {
        line[i] = line[VECTOR + i] = INFINITY;
        term[i] = job->count_f[word->topic[i]] * word->weight[i] + word->alpha_part[i];
    }
    float sum = running_sums(term, 0, end);
    line[0] = sum;
    for (uint32_t v = 0; v < job->slots; v++) {
        end += VECTOR;
        if (form == EZ_PAIR_ONE) {
            sum += sum_slot(job, weight);
            for (int i = 0; i < VECTOR; i++)
                end[i] = sum;
        } else {
            slot_terms(job, form, weight, row, v, term);
            sum = running_sums(term, sum, end);
        }
        line[1 + v] = sum;
    }
    if (form == EZ_PAIR_ONE)
        *end = NAN;
    for (int i = 0; i < VECTOR; i++)
        end[VECTOR + i] = NAN;
    line[LINE_TOTAL] = sum + (float)(int64_t)word->q_rest * (1.0f / (1 << EZ_ALPHA_BITS));
    line[LINE_ENDS - 1] = -INFINITY;
}

static inline uint32_t branch_of(const ez_pair_word *word, uint32_t topic)
{
    uint32_t branch = EZ_TOP;
    for (uint32_t i = 0; i < EZ_TOP; i++)
        branch = word->topic[i] == topic ? i : branch;
    return branch;
}

static inline void draw_places(const ez_pair_job *job, pair_batch *b)
{
    const uint64_t share = ez_token_share(job->doc, 0);
    for (uint32_t i = 0; i < b->n; i++) {
        float own = job->leave_one_out ? b->own[i] : 0, reduced = b->own_end[i] - own;
        float u = (float)(int32_t)(ez_mix(b->key[i] + share) >> 33) * 0x1p-31f;
        float x = u * (b->total[i] - own);
        b->room[i] = fabsf(x - reduced);
        b->x[i] = x + (x >= reduced ? own : 0);
    }
}

static inline uint32_t count_passed(const float *end, float x)
{
    uint32_t n = 0;
    for (int i = 0; i < VECTOR; i++)
        n += end[i] <= x;
    return n;
}

static inline uint32_t count_ends(const ez_pair_job *job, const float *line, const float *x)
{
    uint32_t at = VECTOR * count_passed(line, *x);
    if (line_vectors(job) > VECTOR)
        at += VECTOR * count_passed(line + VECTOR, *x);
    return at + count_passed(line + LINE_ENDS + at, *x);
}

static inline void find_open(const ez_pair_job *job, pair_batch *b)
{
    b->open = 0;
    for (uint32_t i = 0; i < b->n; i++) {
        float margin = job->margin * b->total[i], x = b->x[i];
        bool sure = b->room[i] > margin && x - b->low[i] > margin && b->high[i] - x > margin;
        b->open |= (uint64_t)!sure << i;
    }
}

static inline bool draw_together(const ez_pair_job *job, const uint32_t *words, uint32_t before,
                                 uint16_t *topic, pair_batch *b)
{
    (void)job, (void)words, (void)before, (void)topic, (void)b;
    return false;
}

/* The place of y among terms that begin at `sum`; VECTOR if it is beyond, UINT32_MAX if it is not
 * sure. */
static inline uint32_t place_of(const float *term, float *sum, const pair_search *search)
{
    float end[VECTOR], before = *sum;
    *sum = running_sums(term, before, end);
    if (*sum <= search->y)
        return VECTOR;
    uint32_t at = count_passed(end, search->y);
    float low = at == 0 ? before : end[at - 1];
    bool sure = search->y - low > search->margin && end[at] - search->y > search->margin;
    return sure ? at : UINT32_MAX;
}

static inline uint32_t find_in_s(const ez_pair_job *job, const pair_search *search)
{
    float row[EZ_PAIR_TOPICS + VECTOR], term[VECTOR], sum = 0;
    uint32_t own = search->own == UINT32_MAX ? UINT32_MAX : job->slot_of[search->own];
    gather_row(job, ez_pair_weights(search->word), row);
    for (uint32_t v = 0; v < job->row_vectors; v++) {
        slot_terms(job, EZ_PAIR_ONE, NULL, row, v, term);
        if (own / VECTOR == v)
            term[own % VECTOR] -= ez_pair_weights(search->word)[search->own];
        uint32_t at = place_of(term, &sum, search);
        if (at != VECTOR)
            return at == UINT32_MAX ? at : job->slot_name[EZ_TOP + v * VECTOR + at];
    }
    return UINT32_MAX;
}

static inline uint32_t find_in_q(const ez_pair_job *job, const pair_search *search)
{
    float term[VECTOR], sum = 0;
    for (uint32_t k = 0; k < job->topics; k += VECTOR) {
        for (uint32_t i = 0; i < VECTOR; i++)
            term[i] = ez_pair_weights(search->word)[k + i] * job->alpha[k + i];
        uint32_t at = place_of(term, &sum, search);
        if (at != VECTOR)
            return at == UINT32_MAX ? at : k + at;
    }
    return UINT32_MAX;
}

static void weigh_word(ez_pair_word *word, uint32_t topics, const float *f, float scale,
                       const float *alpha_scaled)
{
    float *weight = ez_pair_weights(word);
    uint64_t sum = 0;
    for (uint32_t k = 0; k < topics; k++) {
        uint32_t w = ez_weight(f[k], scale);
        weight[k] = (float)w;
        sum += ez_alpha_weight(w, alpha_scaled[k]);
    }
    word->q_rest = sum;
}

const ez_pair_kernels ez_pair_kernels_plain = {
    .draw = draw_document,
    .weigh = weigh_word,
};
