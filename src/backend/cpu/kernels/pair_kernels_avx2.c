/* The pair kernels with AVX2: eight topics at a time. */
#include "backend/cpu/kernels/pair_loops.h"

#include <immintrin.h>

static inline __m256 shifted(__m256 x, const int bytes)
{
    __m256i bits = _mm256_castps_si256(x);
    return _mm256_castsi256_ps(bytes == 4 ? _mm256_slli_si256(bits, 4) : _mm256_slli_si256(bits, 8));
}

static inline __m256 running_sums(__m256 x)
{
    x = _mm256_add_ps(x, shifted(x, 4));
    x = _mm256_add_ps(x, shifted(x, 8));
    __m256 low = _mm256_permute2f128_ps(x, x, 0x08);
    return _mm256_add_ps(x, _mm256_permute_ps(low, 0xff));
}

static inline __m256 last_of(__m256 x)
{
    return _mm256_permutevar8x32_ps(x, _mm256_set1_epi32(7));
}

static inline float first_of(__m256 x)
{
    return _mm_cvtss_f32(_mm256_castps256_ps128(x));
}

/* Eight floats by index. Loads one by one: a gather is slower on many processors. */
static inline __m256 look_up(const float *table, const uint16_t *index)
{
    __m128 low = _mm_load_ss(table + index[0]), high = _mm_load_ss(table + index[4]);
    low = _mm_insert_ps(low, _mm_load_ss(table + index[1]), 0x10);
    high = _mm_insert_ps(high, _mm_load_ss(table + index[5]), 0x10);
    low = _mm_insert_ps(low, _mm_load_ss(table + index[2]), 0x20);
    high = _mm_insert_ps(high, _mm_load_ss(table + index[6]), 0x20);
    low = _mm_insert_ps(low, _mm_load_ss(table + index[3]), 0x30);
    high = _mm_insert_ps(high, _mm_load_ss(table + index[7]), 0x30);
    return _mm256_insertf128_ps(_mm256_castps128_ps256(low), high, 1);
}

/* The counts of the top topics, of at most 32. */
static inline __m256 look_up_dense(const ez_pair_job *job, const ez_pair_word *word)
{
    __m256i topic =
        _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)(const void *)word->topic));
    __m256 in_16 = _mm256_castsi256_ps(_mm256_slli_epi32(topic, 28)),
           in_32 = _mm256_castsi256_ps(_mm256_slli_epi32(topic, 27));
    const float *count = job->count_f;
    __m256 first = _mm256_blendv_ps(
        _mm256_permutevar8x32_ps(_mm256_loadu_ps(count), topic),
        _mm256_permutevar8x32_ps(_mm256_loadu_ps(count + 8), topic), in_16);
    if (job->topics < 16)
        return first;
    __m256 second = _mm256_permutevar8x32_ps(_mm256_loadu_ps(count + 16), topic);
    if (job->topics > 24)
        second = _mm256_blendv_ps(
            second, _mm256_permutevar8x32_ps(_mm256_loadu_ps(count + 24), topic), in_16);
    return _mm256_blendv_ps(first, second, in_32);
}

static inline __m256 top_terms(const ez_pair_job *job, enum ez_pair_form form,
                               const ez_pair_word *word)
{
    __m256 count = form == EZ_PAIR_DENSE ? look_up_dense(job, word)
                                         : look_up(job->count_f, word->topic);
    return _mm256_add_ps(_mm256_mul_ps(count, _mm256_loadu_ps(word->weight)),
                         _mm256_loadu_ps(word->alpha_part));
}

static inline void gather_row(const ez_pair_job *job, const float *weight, float *row)
{
    for (const ez_pair_run *run = job->run, *end = run + job->runs; run < end; run++)
        _mm256_storeu_ps(row + run->rank,
                         _mm256_permutevar8x32_ps(_mm256_loadu_ps(weight + run->first_topic),
                                                  _mm256_loadu_si256((const void *)run->order)));
}

/* S'' in all elements. */
static inline __m256 sum_slot(const ez_pair_job *job, const float *weight)
{
    __m256 sum = _mm256_setzero_ps();
    for (uint32_t k = 0; k < job->topics; k += VECTOR)
        sum = _mm256_add_ps(sum, _mm256_mul_ps(_mm256_loadu_ps(job->count_f + k),
                                               _mm256_loadu_ps(weight + k)));
    sum = _mm256_add_ps(sum, _mm256_permute2f128_ps(sum, sum, 0x01));
    sum = _mm256_hadd_ps(sum, sum);
    return _mm256_hadd_ps(sum, sum);
}

static inline __m256 slot_terms(const ez_pair_job *job, enum ez_pair_form form,
                                const float *weight, const float *row, uint32_t v)
{
    if (form == EZ_PAIR_DENSE)
        return _mm256_mul_ps(_mm256_loadu_ps(job->count_f + v * VECTOR),
                             _mm256_loadu_ps(weight + v * VECTOR));
    __m128 low = _mm_loadu_ps(row + job->group[2 * v]);
    __m256 both = _mm256_insertf128_ps(_mm256_castps128_ps256(low),
                                       _mm_loadu_ps(row + job->group[2 * v + 1]), 1);
    return _mm256_mul_ps(both, _mm256_loadu_ps(job->slot_count + v * VECTOR));
}

static inline void make_line(const ez_pair_job *job, enum ez_pair_form form,
                             const ez_pair_word *word, const float *row, float *line)
{
    float *end = line + LINE_ENDS;
    const float *weight = ez_pair_weights(word);
    __m256 sums = running_sums(top_terms(job, form, word)), sum = last_of(sums);
    _mm256_storeu_ps(line, _mm256_set1_ps(INFINITY));
    _mm256_storeu_ps(end, sums);
    line[0] = first_of(sum);
    for (uint32_t v = 0; v < job->slots; v++) {
        if (form == EZ_PAIR_ONE) {
            sum = sums = _mm256_add_ps(sum, sum_slot(job, weight));
        } else {
            sums = running_sums(slot_terms(job, form, weight, row, v));
            sums = _mm256_add_ps(sums, sum);
            sum = last_of(sums);
        }
        end += VECTOR;
        _mm256_storeu_ps(end, sums);
        line[1 + v] = first_of(sum);
    }
    if (form == EZ_PAIR_ONE)
        *end = NAN;
    _mm256_storeu_ps(end + VECTOR, _mm256_set1_ps(NAN));
    line[LINE_TOTAL] =
        first_of(sum) + (float)(int64_t)word->q_rest * (1.0f / (1 << EZ_ALPHA_BITS));
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

static inline uint32_t count_ends(const float *line, const float *x)
{
    __m256 all = _mm256_broadcast_ss(x);
    uint32_t at = VECTOR * count_passed(line, all);
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
    b->open = open & (UINT64_MAX >> (PAIR_BATCH - b->n));
}

/* The place of y among terms that begin at `sum`; VECTOR if it is beyond, UINT32_MAX if it is not
 * sure. */
static inline uint32_t place_of(__m256 term, __m256 *sum, const pair_search *search)
{
    float end[1 + VECTOR];
    __m256 sums = _mm256_add_ps(running_sums(term), *sum), last = last_of(sums);
    if (first_of(last) <= search->y) {
        *sum = last;
        return VECTOR;
    }
    end[0] = first_of(*sum);
    _mm256_storeu_ps(end + 1, sums);
    __m256 passed = _mm256_cmp_ps(sums, _mm256_set1_ps(search->y), _CMP_LE_OQ);
    uint32_t at = (uint32_t)__builtin_popcount((uint32_t)_mm256_movemask_ps(passed));
    bool sure = (search->y - end[at] > search->margin) & (end[at + 1] - search->y > search->margin);
    return sure ? at : UINT32_MAX;
}

static inline uint32_t find_in_s(const ez_pair_job *job, const pair_search *search)
{
    float row[EZ_PAIR_TOPICS + VECTOR];
    uint32_t own = search->own == UINT32_MAX ? UINT32_MAX : job->slot_of[search->own];
    __m256i place = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    __m256i own_place = _mm256_set1_epi32((int)own);
    __m256 own_weight = search->own == UINT32_MAX ? _mm256_setzero_ps()
                                                  : _mm256_set1_ps(search->weight[search->own]);
    __m256 sum = _mm256_setzero_ps();
    gather_row(job, search->weight, row);
    for (uint32_t v = 0; v < job->row_vectors; v++) {
        __m256 same = _mm256_castsi256_ps(_mm256_cmpeq_epi32(place, own_place));
        __m256 term = _mm256_sub_ps(slot_terms(job, EZ_PAIR_ONE, NULL, row, v),
                                    _mm256_and_ps(same, own_weight));
        place = _mm256_add_epi32(place, _mm256_set1_epi32(VECTOR));
        uint32_t at = place_of(term, &sum, search);
        if (at != VECTOR)
            return at == UINT32_MAX ? at : job->slot_name[EZ_TOP + v * VECTOR + at];
    }
    return UINT32_MAX;
}

static inline uint32_t find_in_q(const ez_pair_job *job, const pair_search *search)
{
    __m256 sum = _mm256_setzero_ps();
    for (uint32_t k = 0; k < job->topics; k += VECTOR) {
        uint32_t at = place_of(_mm256_mul_ps(_mm256_loadu_ps(search->weight + k),
                                             _mm256_loadu_ps(job->alpha + k)),
                               &sum, search);
        if (at != VECTOR)
            return at == UINT32_MAX ? at : k + at;
    }
    return UINT32_MAX;
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
}

const ez_pair_kernels ez_pair_kernels_avx2 = {
    .draw = draw_document,
    .weigh = weigh_word,
};
