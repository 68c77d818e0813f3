/* The pair kernels with AVX-512 (F, DQ, BW, VL): sixteen topics at a time. */
enum { VECTOR = 16 };
#include "backend/cpu/kernels/look_up_eight.h"
#include "backend/cpu/kernels/pair_loops.h"
#include "backend/cpu/kernels/pair_q_blocks.h"

#include <string.h>

static inline uint32_t which_present(const float *count)
{
    return _mm512_cmp_ps_mask(_mm512_loadu_ps(count), _mm512_setzero_ps(), _CMP_GT_OQ);
}

static inline __m512 shifted(__m512 x, const int by)
{
    const __m512i zero = _mm512_setzero_si512();
    __m512i bits = _mm512_castps_si512(x);
    switch (by) {
    case 1: return _mm512_castsi512_ps(_mm512_alignr_epi32(bits, zero, 15));
    case 2: return _mm512_castsi512_ps(_mm512_alignr_epi32(bits, zero, 14));
    case 4: return _mm512_castsi512_ps(_mm512_alignr_epi32(bits, zero, 12));
    default: return _mm512_castsi512_ps(_mm512_alignr_epi32(bits, zero, 8));
    }
}

static inline __m512 running_sums(__m512 x)
{
    x = _mm512_add_ps(x, shifted(x, 1));
    x = _mm512_add_ps(x, shifted(x, 2));
    x = _mm512_add_ps(x, shifted(x, 4));
    return _mm512_add_ps(x, shifted(x, 8));
}

static inline __m512 last_of(__m512 x)
{
    return _mm512_permutexvar_ps(_mm512_set1_epi32(15), x);
}

static inline float first_of(__m512 x)
{
    return _mm_cvtss_f32(_mm512_castps512_ps128(x));
}

static inline __m512 join(__m256 low, __m256 high)
{
    return _mm512_insertf32x8(_mm512_castps256_ps512(low), high, 1);
}

/* Selects from 32 floats by the lower five bits of the indices. */
static inline __m512 of_32(const float *table, __m512i index)
{
    return _mm512_permutex2var_ps(_mm512_loadu_ps(table), index, _mm512_loadu_ps(table + 16));
}

/* Selects from `vectors` vectors by index: faster than a gather. */
static inline __m512 look_up_16(const float *table, uint32_t vectors, __m512i index)
{
    if (vectors == 1)
        return _mm512_permutexvar_ps(index, _mm512_loadu_ps(table));
    __m512 found = of_32(table, index);
    for (uint32_t v = 2; v < vectors; v += 2) {
        __m512 more = v + 1 < vectors
                          ? of_32(table + 16 * (size_t)v, index)
                          : _mm512_permutexvar_ps(index, _mm512_loadu_ps(table + 16 * (size_t)v));
        __mmask16 from_here = _mm512_cmpge_epi32_mask(index, _mm512_set1_epi32(16 * (int)v));
        found = _mm512_mask_mov_ps(found, from_here, more);
    }
    return found;
}

/* Vectors from weight[0] on, and from count_f[-EZ_TOP] on. */
static inline uint32_t table_vectors(const ez_pair_job *job)
{
    return (job->topics + EZ_TOP + VECTOR - 1) / VECTOR;
}

/* The counts of the top topics. */
static inline __m256 top_counts(const ez_pair_job *job, const ez_pair_word *word)
{
    if (job->topics >= 128 - EZ_TOP)
        return look_up_eight(job->count_f, word->topic);
    __m512i index = _mm512_zextsi256_si512(
        _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)(const void *)word->topic)));
    index = _mm512_add_epi32(index, _mm512_set1_epi32(EZ_TOP));
    const uint32_t vectors = (job->topics + EZ_TOP) / VECTOR + 1; /* an empty slot is topic K */
    return _mm512_castps512_ps256(look_up_16(job->count_f - EZ_TOP, vectors, index));
}

/* The weights of slots, from place 16 * v of the line on. */
static inline __m512 slot_weights(const ez_pair_job *job, const ez_pair_word *word, uint32_t v)
{
    const void *names = job->slot_name + (size_t)v * VECTOR;
    __m512i topic = _mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)names));
    return look_up_16(ez_pair_all_weights(word), table_vectors(job),
                      _mm512_add_epi32(topic, _mm512_set1_epi32(EZ_TOP)));
}

/* For few topics, weights are picked from all vectors of weights. */
static inline bool gathers_rows(const ez_pair_job *job)
{
    return table_vectors(job) > 4;
}

static inline void gather_rows(const ez_pair_job *job, const pair_batch *b, size_t stride,
                               float *rows)
{
    for (const ez_pair_run *run = job->run, *end = run + job->runs; run < end; run++) {
        const __m512i order = _mm512_loadu_si512(run->order);
        float *row = rows + run->rank;
        for (uint32_t p = 0; p < b->pairs; p++, row += stride)
            _mm512_storeu_ps(
                row, _mm512_permutexvar_ps(
                         order, _mm512_loadu_ps(ez_pair_all_weights(b->pair[p]) + run->first)));
    }
    for (uint32_t p = 0; p < b->pairs; p++)
        _mm512_storeu_ps(rows + p * stride + job->row_topics, _mm512_setzero_ps());
}

/* Eight weights of a row in the order of S''. */
static inline __m256 ordered_eight(const float *row, const uint16_t *group)
{
    __m128 low = _mm_loadu_ps(row + group[0]);
    return _mm256_insertf128_ps(_mm256_castps128_ps256(low), _mm_loadu_ps(row + group[1]), 1);
}

/* The same from place 16 * v of the line on, v > 0. */
static inline __m512 ordered_weights(const ez_pair_job *job, const float *row, uint32_t v)
{
    const uint16_t *group = job->group + 4 * (size_t)v - 2;
    return join(ordered_eight(row, group), ordered_eight(row, group + 2));
}

/* S''. */
static inline float sum_slot(const ez_pair_job *job, const ez_pair_word *word)
{
    __m512 sum = _mm512_setzero_ps();
    const float *count = job->count_f - EZ_TOP;
    for (uint32_t v = 0; v < table_vectors(job); v++)
        sum = _mm512_add_ps(
            sum, _mm512_mul_ps(_mm512_loadu_ps(count + (size_t)v * VECTOR),
                               _mm512_loadu_ps(ez_pair_all_weights(word) + (size_t)v * VECTOR)));
    return _mm512_reduce_add_ps(sum);
}

PAIR_INLINE __m512 first_terms(const ez_pair_job *job, enum ez_pair_form form,
                               const ez_pair_word *word, const float *row)
{
    __m512 weight = _mm512_loadu_ps(ez_pair_all_weights(word));
    __m256 top = top_counts(job, word), slot = _mm256_setzero_ps();
    if (form == EZ_PAIR_DENSE)
        slot = _mm256_loadu_ps(job->count_f);
    if (form == EZ_PAIR_ROW) {
        slot = _mm256_loadu_ps(job->slot_count);
        weight = gathers_rows(job) ? _mm512_insertf32x8(weight, ordered_eight(row, job->group), 1)
                                   : _mm512_mask_mov_ps(weight, 0xff00, slot_weights(job, word, 0));
    }
    __m512 alpha_part = _mm512_zextps256_ps512(_mm256_loadu_ps(word->alpha_part));
    return _mm512_add_ps(_mm512_mul_ps(join(top, slot), weight), alpha_part);
}

PAIR_INLINE void make_line(const ez_pair_job *job, enum ez_pair_form form, const ez_pair_word *word,
                           const float *row, float *line)
{
    float *end = line + LINE_ENDS;
    const uint32_t vectors = line_vectors(job);
    __m512 sums = running_sums(first_terms(job, form, word, row)), sum;
    if (form == EZ_PAIR_ONE)
        sums =
            _mm512_add_ps(sums, _mm512_maskz_mov_ps(0xff00, _mm512_set1_ps(sum_slot(job, word))));
    sum = last_of(sums);
    _mm256_storeu_ps(line, _mm256_set1_ps(INFINITY));
    _mm512_storeu_ps(end, sums);
    line[0] = first_of(sum);
    for (uint32_t v = 1; v < vectors; v++) {
        __m512 w, count;
        if (form == EZ_PAIR_DENSE) {
            w = _mm512_loadu_ps(ez_pair_all_weights(word) + (size_t)v * VECTOR);
            count = _mm512_loadu_ps(job->count_f + (size_t)v * VECTOR - EZ_TOP);
        } else {
            w = gathers_rows(job) ? ordered_weights(job, row, v) : slot_weights(job, word, v);
            count = _mm512_loadu_ps(job->slot_count + (size_t)v * VECTOR - EZ_TOP);
        }
        sums = running_sums(_mm512_mul_ps(count, w));
        sums = _mm512_add_ps(sums, sum);
        sum = last_of(sums);
        end += VECTOR;
        _mm512_storeu_ps(end, sums);
        line[v] = first_of(sum);
    }
    if (form == EZ_PAIR_ONE)
        end[EZ_TOP] = NAN;
    _mm512_storeu_ps(end + VECTOR, _mm512_set1_ps(NAN));
    line[LINE_TOTAL] = first_of(sum) + (float)(int64_t)word->q_rest * (1.0f / (1 << EZ_ALPHA_BITS));
    line[LINE_ENDS - 1] = -INFINITY;
}

static inline uint32_t branch_of(const ez_pair_word *word, uint32_t topic)
{
    __m128i topics = _mm_loadu_si128((const __m128i *)(const void *)word->topic);
    __mmask8 same = _mm_cmpeq_epi16_mask(topics, _mm_set1_epi16((short)topic));
    return (uint32_t)__builtin_ctz((uint32_t)same | 1u << EZ_TOP);
}

static inline __m512i mix(__m512i x)
{
    const __m512i c = _mm512_set1_epi64((long long)0xd6e8feb86659fd93u);
    x = _mm512_mullo_epi64(_mm512_xor_si512(x, _mm512_srli_epi64(x, 32)), c);
    x = _mm512_mullo_epi64(_mm512_xor_si512(x, _mm512_srli_epi64(x, 32)), c);
    return _mm512_xor_si512(x, _mm512_srli_epi64(x, 32));
}

/* Eight draws as floats from 0 to 1: their upper 31 bits. */
static inline __m256 draws(const uint64_t *key, __m512i share)
{
    __m512i u = mix(_mm512_add_epi64(_mm512_loadu_si512(key), share));
    __m256i upper = _mm512_cvtepi64_epi32(_mm512_srli_epi64(u, 33));
    return _mm256_mul_ps(_mm256_cvtepi32_ps(upper), _mm256_set1_ps(0x1p-31f));
}

static inline void draw_places(const ez_pair_job *job, pair_batch *b)
{
    const __mmask16 once = job->leave_one_out ? 0xffff : 0;
    const __m512i share = _mm512_set1_epi64((long long)ez_token_share(job->doc, 0));
    for (uint32_t i = 0; i < b->n; i += VECTOR) {
        __m512 own = _mm512_maskz_loadu_ps(once, b->own + i);
        __m512 reduced = _mm512_sub_ps(_mm512_loadu_ps(b->own_end + i), own);
        __m512 total = _mm512_sub_ps(_mm512_loadu_ps(b->total + i), own);
        __m512 u = join(draws(b->key + i, share), draws(b->key + i + 8, share));
        __m512 x = _mm512_mul_ps(u, total);
        _mm512_storeu_ps(b->room + i, _mm512_abs_ps(_mm512_sub_ps(x, reduced)));
        __mmask16 after = _mm512_cmp_ps_mask(x, reduced, _CMP_GE_OQ);
        _mm512_storeu_ps(b->x + i, _mm512_mask_add_ps(x, after, x, own));
    }
}

static inline uint32_t count_ends(const ez_pair_job *job, const float *line, const float *x)
{
    (void)job;
    __m256 lasts = _mm256_loadu_ps(line);
    __mmask8 whole = _mm256_cmp_ps_mask(lasts, _mm256_broadcast_ss(x), _CMP_LE_OQ);
    uint32_t at = VECTOR * (uint32_t)__builtin_popcount(whole);
    __mmask16 passed =
        _mm512_cmp_ps_mask(_mm512_loadu_ps(line + LINE_ENDS + at), _mm512_set1_ps(*x), _CMP_LE_OQ);
    return at + (uint32_t)__builtin_popcount(passed);
}

static inline void find_open(const ez_pair_job *job, pair_batch *b)
{
    const __m512 margin = _mm512_set1_ps(job->margin);
    uint64_t sure = 0;
    for (uint32_t i = 0; i < b->n; i += VECTOR) {
        __m512 x = _mm512_loadu_ps(b->x + i), room = _mm512_loadu_ps(b->room + i);
        __m512 least = _mm512_mul_ps(_mm512_loadu_ps(b->total + i), margin);
        room = _mm512_min_ps(room, _mm512_sub_ps(x, _mm512_loadu_ps(b->low + i)));
        room = _mm512_min_ps(room, _mm512_sub_ps(_mm512_loadu_ps(b->high + i), x));
        sure |= (uint64_t)_mm512_cmp_ps_mask(room, least, _CMP_GT_OQ) << i;
    }
    b->open = b->n > 0 ? ~sure & (UINT64_MAX >> (PAIR_BATCH - b->n)) : 0;
}

#include "backend/cpu/kernels/pair_groups_avx512.h"

/* A running search for y among terms; no branch depends on y. */
typedef struct place_search {
    __m512 sum;
    float end[VECTOR + EZ_PAIR_TOPICS + 3 * VECTOR]; /* ends[VECTOR - 1] is 0 */
    uint32_t n, at;
} place_search;

static inline void begin_search(place_search *p)
{
    p->sum = _mm512_setzero_ps();
    p->n = p->at = 0;
    p->end[VECTOR - 1] = 0;
}

static inline void add_terms(place_search *p, __m512 term, float y)
{
    __m512 sums = _mm512_add_ps(running_sums(term), p->sum);
    __mmask16 passed = _mm512_cmp_ps_mask(sums, _mm512_set1_ps(y), _CMP_LE_OQ);
    p->sum = last_of(sums);
    p->n += VECTOR;
    _mm512_storeu_ps(p->end + p->n, sums);
    p->at += (uint32_t)__builtin_popcount(passed);
}

/* UINT32_MAX if the place is not sure. */
static inline uint32_t place_of(const place_search *p, const pair_search *search)
{
    const float *end = p->end + VECTOR + p->at;
    if (p->at >= p->n)
        return UINT32_MAX;
    bool sure = (search->y - end[-1] > search->margin) & (end[0] - search->y > search->margin);
    return sure ? p->at : UINT32_MAX;
}

static inline uint32_t find_in_s(const ez_pair_job *job, const pair_search *search)
{
    const ez_pair_word *word = search->word;
    place_search p;
    begin_search(&p);
    const __m512i own = _mm512_set1_epi32((int)search->own);
    const uint32_t vectors = (EZ_TOP + job->row_vectors * EZ_PAIR_VECTOR + VECTOR - 1) / VECTOR;
    for (uint32_t v = 0; v < vectors; v++) {
        const void *names = job->slot_name + (size_t)v * VECTOR;
        __m512i topic = _mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)names));
        __m512 count = _mm512_loadu_ps(job->slot_count - EZ_TOP + (size_t)v * VECTOR);
        __mmask16 same = _mm512_cmpeq_epi32_mask(topic, own) &
                         _mm512_cmp_ps_mask(count, _mm512_setzero_ps(), _CMP_GT_OQ);
        count = _mm512_mask_sub_ps(count, same, count, _mm512_set1_ps(1));
        add_terms(&p, _mm512_mul_ps(count, slot_weights(job, word, v)), search->y);
    }
    uint32_t at = place_of(&p, search);
    return at == UINT32_MAX ? at : job->slot_name[at];
}

static inline uint32_t find_in_q(const ez_pair_job *job, const pair_search *search)
{
    return find_in_q_blocks(job, search->word, search->y, search->margin);
}

static void weigh_word(ez_pair_word *word, uint32_t topics, const float *f, float scale,
                       const float *alpha_scaled)
{
    float *weight = ez_pair_weights(word);
    __m512i sum = _mm512_setzero_si512();
    for (uint32_t k = 0; k < topics; k += 8) {
        __m256 scaled = _mm256_mul_ps(_mm256_loadu_ps(f + k), _mm256_set1_ps(scale));
        __m256 w = _mm256_cvtepi32_ps(_mm256_cvtps_epi32(scaled));
        _mm256_storeu_ps(weight + k, w);
        __m256 q = _mm256_mul_ps(w, _mm256_loadu_ps(alpha_scaled + k));
        sum = _mm512_add_epi64(sum, _mm512_cvtps_epu64(q));
    }
    word->q_rest = (uint64_t)_mm512_reduce_add_epi64(sum);
    make_q_ends(word, topics, alpha_scaled);
}

const ez_pair_kernels ez_pair_kernels_avx512 = {
    .draw = draw_document,
    .weigh = weigh_word,
};
