/* The pair kernels with AVX2: eight topics at a time. */
enum { VECTOR = 8 };
#include "backend/cpu/kernels/look_up_eight.h"
#include "backend/cpu/kernels/pair_loops.h"
#include "backend/cpu/kernels/pair_q_blocks.h"

static inline uint32_t which_present(const float *count)
{
    __m256 present = _mm256_cmp_ps(_mm256_loadu_ps(count), _mm256_setzero_ps(), _CMP_GT_OQ);
    return (uint32_t)_mm256_movemask_ps(present);
}

static inline float first_of(__m256 x)
{
    return _mm_cvtss_f32(_mm256_castps256_ps128(x));
}

/* The counts of the top topics, of at most 32. */
static inline __m256 look_up_dense(const ez_pair_job *job, const ez_pair_word *word)
{
    __m256i topic =
        _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)(const void *)word->topic));
    __m256 in_16 = _mm256_castsi256_ps(_mm256_slli_epi32(topic, 28)),
           in_32 = _mm256_castsi256_ps(_mm256_slli_epi32(topic, 27));
    const float *count = job->count_f;
    __m256 first =
        _mm256_blendv_ps(_mm256_permutevar8x32_ps(_mm256_loadu_ps(count), topic),
                         _mm256_permutevar8x32_ps(_mm256_loadu_ps(count + 8), topic), in_16);
    if (job->topics < 16)
        return first;
    __m256 second = _mm256_permutevar8x32_ps(_mm256_loadu_ps(count + 16), topic);
    if (job->topics > 24)
        second = _mm256_blendv_ps(
            second, _mm256_permutevar8x32_ps(_mm256_loadu_ps(count + 24), topic), in_16);
    return _mm256_blendv_ps(first, second, in_32);
}

static inline __m256 top_terms(const ez_pair_job *job, const ez_pair_word *word)
{
    __m256 count = job->topics <= EZ_LANES * EZ_LANE_WIDTH
                       ? look_up_dense(job, word)
                       : look_up_eight(job->count_f, word->topic);
    return _mm256_add_ps(_mm256_mul_ps(count, _mm256_loadu_ps(word->weight)),
                         _mm256_loadu_ps(word->alpha_part));
}

static inline bool gathers_rows(const ez_pair_job *job)
{
    (void)job;
    return true;
}

static inline void gather_row(const ez_pair_job *job, const float *weight, float *row)
{
    for (const ez_pair_run *run = job->run, *end = run + job->runs; run < end; run++)
        _mm256_storeu_ps(row + run->rank,
                         _mm256_permutevar8x32_ps(_mm256_loadu_ps(weight - EZ_TOP + run->first),
                                                  _mm256_loadu_si256((const void *)run->order)));
    _mm256_storeu_ps(row + job->row_topics, _mm256_setzero_ps());
}

static inline __m256i order_of(const ez_pair_run *run)
{
    return _mm256_loadu_si256((const void *)run->order);
}

/* Two runs of all pairs at a time, which often share a cache line. */
static inline void gather_rows(const ez_pair_job *job, const pair_batch *b, size_t stride,
                               float *rows)
{
    const uint32_t pairs = b->pairs;
    for (uint32_t r = 0; r < job->runs; r += 2) {
        const ez_pair_run *run = job->run + r, *next = run + (r + 1 < job->runs);
        const __m256i order = order_of(run), next_order = order_of(next);
        float *row = rows + run->rank;
        const size_t first = run->first, further = next->first, step = next->rank - run->rank;
        for (uint32_t p = 0; p < pairs; p++, row += stride) {
            const float *weight = ez_pair_all_weights(b->pair[p]);
            _mm256_storeu_ps(row, _mm256_permutevar8x32_ps(_mm256_loadu_ps(weight + first), order));
            _mm256_storeu_ps(row + step, _mm256_permutevar8x32_ps(_mm256_loadu_ps(weight + further),
                                                                  next_order));
        }
    }
    for (uint32_t p = 0; p < pairs; p++)
        _mm256_storeu_ps(rows + p * stride + job->row_topics, _mm256_setzero_ps());
}

/* S'' in all elements. */
static inline __m256 sum_slot(const ez_pair_job *job, const float *weight)
{
    __m256 sum = _mm256_setzero_ps();
    for (uint32_t k = 0; k < job->topics; k += VECTOR)
        sum = _mm256_add_ps(
            sum, _mm256_mul_ps(_mm256_loadu_ps(job->count_f + k), _mm256_loadu_ps(weight + k)));
    sum = _mm256_add_ps(sum, _mm256_permute2f128_ps(sum, sum, 0x01));
    sum = _mm256_hadd_ps(sum, sum);
    return _mm256_hadd_ps(sum, sum);
}

/* Eight weights of a row in the order of S''. */
static inline __m256 ordered_weights(const ez_pair_job *job, const float *row, uint32_t v)
{
    __m128 low = _mm_loadu_ps(row + job->group[2 * (size_t)v]);
    return _mm256_insertf128_ps(_mm256_castps128_ps256(low),
                                _mm_loadu_ps(row + job->group[2 * (size_t)v + 1]), 1);
}

PAIR_INLINE __m256 slot_terms(const ez_pair_job *job, enum ez_pair_form form, const float *weight,
                              const float *row, uint32_t v)
{
    if (form == EZ_PAIR_DENSE)
        return _mm256_mul_ps(_mm256_loadu_ps(job->count_f + (size_t)v * VECTOR),
                             _mm256_loadu_ps(weight + (size_t)v * VECTOR));
    return _mm256_mul_ps(ordered_weights(job, row, v),
                         _mm256_loadu_ps(job->slot_count + (size_t)v * VECTOR));
}

PAIR_INLINE void make_line(const ez_pair_job *job, enum ez_pair_form form, const ez_pair_word *word,
                           const float *row, float *line)
{
    float *end = line + LINE_ENDS;
    const float *weight = ez_pair_weights(word);
    __m256 sums = running_sums_of_eight(top_terms(job, word)), sum = last_of_eight(sums);
    _mm256_storeu_ps(line, _mm256_set1_ps(INFINITY));
    _mm256_storeu_ps(line + VECTOR, _mm256_set1_ps(INFINITY));
    _mm256_storeu_ps(end, sums);
    line[0] = first_of(sum);
    for (uint32_t v = 0; v < job->slots; v++) {
        if (form == EZ_PAIR_ONE) {
            sum = sums = _mm256_add_ps(sum, sum_slot(job, weight));
        } else {
            sums = running_sums_of_eight(slot_terms(job, form, weight, row, v));
            sums = _mm256_add_ps(sums, sum);
            sum = last_of_eight(sums);
        }
        end += VECTOR;
        _mm256_storeu_ps(end, sums);
        line[1 + v] = first_of(sum);
    }
    if (form == EZ_PAIR_ONE)
        *end = NAN;
    _mm256_storeu_ps(end + VECTOR, _mm256_set1_ps(NAN));
    line[LINE_TOTAL] = first_of(sum) + (float)(int64_t)word->q_rest * (1.0f / (1 << EZ_ALPHA_BITS));
    line[LINE_ENDS - 1] = -INFINITY;
}

static inline uint32_t branch_of(const ez_pair_word *word, uint32_t topic)
{
    __m128i topics = _mm_loadu_si128((const __m128i *)(const void *)word->topic);
    __m128i same = _mm_cmpeq_epi16(topics, _mm_set1_epi16((short)topic));
    return (uint32_t)__builtin_ctz((uint32_t)_mm_movemask_epi8(same) | 1u << 2 * EZ_TOP) / 2;
}

static inline __m256i times(__m256i x)
{
    const __m256i c = _mm256_set1_epi64x((long long)0xd6e8feb86659fd93u);
    const __m256i c_high = _mm256_set1_epi64x(0xd6e8feb8);
    __m256i x_high = _mm256_srli_epi64(x, 32);
    __m256i middle = _mm256_add_epi64(_mm256_mul_epu32(x, c_high), _mm256_mul_epu32(x_high, c));
    return _mm256_add_epi64(_mm256_mul_epu32(x, c), _mm256_slli_epi64(middle, 32));
}

static inline __m256i mix(__m256i x)
{
    x = times(_mm256_xor_si256(x, _mm256_srli_epi64(x, 32)));
    x = times(_mm256_xor_si256(x, _mm256_srli_epi64(x, 32)));
    return _mm256_xor_si256(x, _mm256_srli_epi64(x, 32));
}

/* Eight draws as floats from 0 to 1: their upper 31 bits. */
static inline __m256 draws(const uint64_t *key, __m256i share)
{
    __m256i a = mix(_mm256_add_epi64(_mm256_load_si256((const __m256i *)(const void *)key), share));
    __m256i b =
        mix(_mm256_add_epi64(_mm256_load_si256((const __m256i *)(const void *)(key + 4)), share));
    __m256 high = _mm256_shuffle_ps(_mm256_castsi256_ps(a), _mm256_castsi256_ps(b), 0xdd);
    __m256i ordered = _mm256_permute4x64_epi64(_mm256_castps_si256(high), 0xd8);
    return _mm256_mul_ps(_mm256_cvtepi32_ps(_mm256_srli_epi32(ordered, 1)),
                         _mm256_set1_ps(0x1p-31f));
}

static inline void draw_places(const ez_pair_job *job, pair_batch *b)
{
    const __m256 once = _mm256_castsi256_ps(_mm256_set1_epi32(job->leave_one_out ? -1 : 0));
    const __m256i share = _mm256_set1_epi64x((long long)ez_token_share(job->doc, 0));
    for (uint32_t i = 0; i < b->n; i += VECTOR) {
        __m256 own = _mm256_and_ps(_mm256_loadu_ps(b->own + i), once);
        __m256 reduced = _mm256_sub_ps(_mm256_loadu_ps(b->own_end + i), own);
        __m256 total = _mm256_sub_ps(_mm256_loadu_ps(b->total + i), own);
        __m256 x = _mm256_mul_ps(draws(b->key + i, share), total);
        __m256 room = _mm256_sub_ps(x, reduced), after = _mm256_cmp_ps(x, reduced, _CMP_GE_OQ);
        _mm256_storeu_ps(b->room + i, _mm256_andnot_ps(_mm256_set1_ps(-0.0f), room));
        _mm256_storeu_ps(b->x + i, _mm256_add_ps(x, _mm256_and_ps(after, own)));
    }
}

static inline uint32_t count_passed(const float *end, __m256 x)
{
    __m256 passed = _mm256_cmp_ps(_mm256_loadu_ps(end), x, _CMP_LE_OQ);
    return (uint32_t)__builtin_popcount((uint32_t)_mm256_movemask_ps(passed));
}

static inline uint32_t count_ends(const ez_pair_job *job, const float *line, const float *x)
{
    __m256 all = _mm256_broadcast_ss(x);
    uint32_t at = VECTOR * count_passed(line, all);
    if (line_vectors(job) > VECTOR)
        at += VECTOR * count_passed(line + VECTOR, all);
    return at + count_passed(line + LINE_ENDS + at, all);
}

static inline void find_open(const ez_pair_job *job, pair_batch *b)
{
    const __m256 margin = _mm256_set1_ps(job->margin);
    uint64_t open = 0;
    for (uint32_t i = 0; i < b->n; i += VECTOR) {
        __m256 x = _mm256_loadu_ps(b->x + i), room = _mm256_loadu_ps(b->room + i);
        room = _mm256_min_ps(room, _mm256_sub_ps(x, _mm256_loadu_ps(b->low + i)));
        room = _mm256_min_ps(room, _mm256_sub_ps(_mm256_loadu_ps(b->high + i), x));
        __m256 least = _mm256_mul_ps(_mm256_loadu_ps(b->total + i), margin);
        uint32_t sure = (uint32_t)_mm256_movemask_ps(_mm256_cmp_ps(room, least, _CMP_GT_OQ));
        open |= (uint64_t)(~sure & 0xff) << i;
    }
    b->open = b->n > 0 ? open & (UINT64_MAX >> (PAIR_BATCH - b->n)) : 0;
}

static inline bool draw_together(const ez_pair_job *job, const uint32_t *words, uint32_t before,
                                 uint16_t *topic, pair_batch *b)
{
    (void)job, (void)words, (void)before, (void)topic, (void)b;
    return false;
}

/* Terms a[i] * b[i] in `vectors` vectors, from which own_weight is subtracted at the place `own`.
 */
typedef struct term_list {
    const float *a, *b;
    uint32_t vectors, own;
    __m256 own_weight;
} term_list;

static inline __m256 terms_at(const term_list *list, uint32_t v)
{
    if (v >= list->vectors)
        return _mm256_setzero_ps();
    return _mm256_mul_ps(_mm256_loadu_ps(list->a + (size_t)v * VECTOR),
                         _mm256_loadu_ps(list->b + (size_t)v * VECTOR));
}

/* The terms, or sums of vectors, without the own weight; `at`: the place of it. */
static inline __m256 without_own(const term_list *list, __m256 x, uint32_t at)
{
    const __m256i places = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    __m256i same = _mm256_cmpeq_epi32(places, _mm256_set1_epi32((int)at));
    return _mm256_sub_ps(x, _mm256_and_ps(_mm256_castsi256_ps(same), list->own_weight));
}

/* Sums whole vectors: through[v] is the sum before vector v. Returns how many are at most y. */
static inline uint32_t sum_vectors(const term_list *list, float y, float *through)
{
    __m256 sum = _mm256_setzero_ps();
    uint32_t passed = 0;
    through[0] = 0;
    for (uint32_t v = 0; v < list->vectors; v += VECTOR) {
        __m256 term[VECTOR];
        for (uint32_t i = 0; i < VECTOR; i++)
            term[i] = terms_at(list, v + i);
        __m256 sums = without_own(list, sums_of_vectors(term), list->own / VECTOR - v);
        sums = _mm256_add_ps(running_sums_of_eight(sums), sum);
        sum = last_of_eight(sums);
        _mm256_storeu_ps(through + 1 + v, sums);
        passed += passed_by(sums, _mm256_set1_ps(y));
    }
    return passed;
}

/* The place of y among terms; UINT32_MAX if it is not sure. No branch depends on y. */
static inline uint32_t place_of(const term_list *list, const pair_search *search)
{
    float through[EZ_PAIR_TOPICS / VECTOR + 2 * VECTOR], end[1 + VECTOR];
    uint32_t v = sum_vectors(list, search->y, through);
    if (v >= list->vectors)
        return UINT32_MAX;
    __m256 sums =
        running_sums_of_eight(without_own(list, terms_at(list, v), list->own - v * VECTOR));
    float y = search->y - through[v];
    end[0] = 0;
    _mm256_storeu_ps(end + 1, sums);
    uint32_t at = passed_by(sums, _mm256_set1_ps(y));
    if (at == VECTOR)
        return UINT32_MAX;
    bool sure = (y - end[at] > search->margin) & (end[at + 1] - y > search->margin);
    return sure ? v * VECTOR + at : UINT32_MAX;
}

static inline uint32_t find_in_s(const ez_pair_job *job, const pair_search *search)
{
    bool loo = search->own != UINT32_MAX;
    const float *weight = ez_pair_weights(search->word);
    float own_weight = loo ? weight[search->own] : 0;
    uint32_t own = loo ? search->own : 0, at;
    float row[EZ_PAIR_TOPICS + VECTOR], ordered[EZ_PAIR_TOPICS + 8 * VECTOR];
    gather_row(job, weight, row);
    for (uint32_t v = 0; v < job->row_vectors; v++)
        _mm256_storeu_ps(ordered + (size_t)v * VECTOR, ordered_weights(job, row, v));
    term_list list = {.a = job->slot_count,
                      .b = ordered,
                      .vectors = job->row_vectors,
                      .own = job->slot_of[own],
                      .own_weight = _mm256_set1_ps(own_weight)};
    at = place_of(&list, search);
    return at == UINT32_MAX ? at : job->slot_name[EZ_TOP + at];
}

static inline uint32_t find_in_q(const ez_pair_job *job, const pair_search *search)
{
    return find_in_q_blocks(job, search->word, search->y, search->margin);
}

/* The alpha parts of eight weights, four sums. Floats below 2^52 are rounded to integers in the
 * mantissa of a double plus 2^52. */
static inline __m256i alpha_parts(__m256 w, const float *alpha_scaled)
{
    const __m256d magic = _mm256_set1_pd(0x1p52);
    __m256 q = _mm256_mul_ps(w, _mm256_loadu_ps(alpha_scaled));
    __m256d low = _mm256_add_pd(_mm256_cvtps_pd(_mm256_castps256_ps128(q)), magic),
            high = _mm256_add_pd(_mm256_cvtps_pd(_mm256_extractf128_ps(q, 1)), magic);
    const __m256i bits = _mm256_castpd_si256(magic);
    return _mm256_add_epi64(_mm256_xor_si256(_mm256_castpd_si256(low), bits),
                            _mm256_xor_si256(_mm256_castpd_si256(high), bits));
}

static inline uint64_t sum_of(__m256i x)
{
    __m128i two = _mm_add_epi64(_mm256_castsi256_si128(x), _mm256_extracti128_si256(x, 1));
    return (uint64_t)_mm_cvtsi128_si64(two) + (uint64_t)_mm_extract_epi64(two, 1);
}

static void weigh_word(ez_pair_word *word, uint32_t topics, const float *f, float scale,
                       const float *alpha_scaled)
{
    const __m256 by = _mm256_set1_ps(scale);
    float *weight = ez_pair_weights(word);
    __m256i sum = _mm256_setzero_si256();
    for (uint32_t k = 0; k < topics; k += EZ_PAIR_VECTOR) {
        __m256i whole = _mm256_cvtps_epi32(_mm256_mul_ps(_mm256_loadu_ps(f + k), by));
        __m256 w = _mm256_cvtepi32_ps(whole);
        _mm256_storeu_ps(weight + k, w);
        sum = _mm256_add_epi64(sum, alpha_parts(w, alpha_scaled + k));
    }
    word->q_rest = sum_of(sum);
    make_q_ends(word, topics, alpha_scaled);
}

const ez_pair_kernels ez_pair_kernels_avx2 = {
    .draw = draw_document,
    .weigh = weigh_word,
};
