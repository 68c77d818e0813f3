/* The kernels with AVX-512 (F, DQ, BW, VL): sixteen entries of D or eight branches at a time. */
#include "backend/cpu/kernels/avx512_sums.h"
#include "backend/cpu/kernels/kernel_loops.h"

/* Sixteen entries: the products are added to sums, those of top topics are packed behind out->top
 * instead. */
static ALWAYS_INLINE __m512i step(const uint32_t *row, const uint32_t *table, __m512i sums,
                                  row_result *out)
{
    __m512i entry = _mm512_loadu_si512(row);
    __m512i weight = _mm512_i32gather_epi32(_mm512_srli_epi32(entry, 16), table, 4);
    __m512i count = _mm512_and_si512(entry, _mm512_set1_epi32(0xffff));
    __mmask16 top = _mm512_mask_test_epi32_mask(_mm512_movepi32_mask(weight), count, count);
    __m512i packed = _mm512_or_si512(_mm512_slli_epi32(weight, 16), count);
    uint32_t room = out->tops < EZ_TOP ? out->tops : EZ_TOP;
    __m256i first = _mm512_castsi512_si256(_mm512_maskz_compress_epi32(top, packed));
    _mm256_storeu_si256((__m256i *)(void *)(out->top + room), first);
    out->tops += (uint32_t)__builtin_popcount(top);
    weight = _mm512_maskz_mov_epi32((__mmask16)~top, weight);
    __m512i even = _mm512_mul_epu32(weight, count);
    __m512i odd = _mm512_mul_epu32(_mm512_srli_epi64(weight, 32), _mm512_srli_epi64(count, 32));
    return _mm512_add_epi64(sums, _mm512_add_epi64(even, odd));
}

/* a1*C1 + ... + a8*C8. A count in several entries may bring more than eight. */
static inline uint64_t sum_top(const uint32_t *row, uint32_t entries, const ez_word_view *view,
                               const row_result *out)
{
    if (__builtin_expect(out->tops <= EZ_TOP, 1)) {
        __mmask8 live = (__mmask8)((1u << out->tops) - 1);
        __m256i packed = _mm256_maskz_loadu_epi32(live, out->top);
        __m256i weight = _mm256_loadu_si256((const __m256i *)(const void *)view->record->weight);
        weight = _mm256_permutexvar_epi32(_mm256_srli_epi32(packed, 16), weight);
        __m256i count = _mm256_and_si256(packed, _mm256_set1_epi32(0xffff));
        __m512i product =
            _mm512_mul_epu32(_mm512_cvtepu32_epi64(weight), _mm512_cvtepu32_epi64(count));
        return (uint64_t)_mm512_reduce_add_epi64(product);
    }
    uint64_t sum = 0;
    for (uint32_t j = 0; j < entries; j++) {
        uint32_t weight = view->table[ez_entry_topic(row[j])];
        if (weight & EZ_MARK)
            sum += (uint64_t)view->record->weight[weight & (EZ_TOP - 1)] * ez_entry_count(row[j]);
    }
    return sum;
}

static ALWAYS_INLINE void row_sums(const uint32_t *row, uint32_t steps, const ez_word_view *view,
                                   row_result *out)
{
    const __m512i lanes_in_order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
    __m512i low = _mm512_setzero_si512(), high = low;
    uint32_t i = 0;
    out->tops = 0;
    for (; i + 2 <= steps; i += 2) {
        low = step(row + (size_t)i * EZ_ROW_STEP, view->table, low, out);
        high = step(row + ((size_t)i + 1) * EZ_ROW_STEP, view->table, high, out);
    }
    if (i < steps)
        low = step(row + (size_t)i * EZ_ROW_STEP, view->table, low, out);
    /* A lane's products lie in two neighbouring elements. */
    __m512i lane =
        _mm512_add_epi64(_mm512_unpacklo_epi64(low, high), _mm512_unpackhi_epi64(low, high));
    _mm512_storeu_si512(out->through, prefix_sum(_mm512_permutexvar_epi64(lanes_in_order, lane)));
    out->top_sum = sum_top(row, steps * EZ_ROW_STEP, view, out);
}

/* The first entry of a topic that is in the row; padding is 0 and comes after all entries. */
static inline uint32_t find_entry(const uint32_t *row, uint32_t entries, uint32_t topic)
{
    for (uint32_t j = 0; j < entries; j += 16) {
        __m512i topics = _mm512_srli_epi32(_mm512_loadu_si512(row + j), 16);
        __mmask16 same = _mm512_cmpeq_epi32_mask(topics, _mm512_set1_epi32((int)topic));
        if (same)
            return j + (uint32_t)__builtin_ctz(same);
    }
    return entries;
}

struct decide_run {
    __m512i weight; /* a1 .. a8 */
    __m512i branch; /* m1 .. m8 (only the alpha part from g on) */
    __m256i topic;  /* K1 .. K8 */
    __mmask8 held;  /* the top topics below g of which the document has tokens */
    uint64_t q_rest, bound;
    uint32_t rest;
};

static inline void decide_begin(struct decide_run *run, const ez_doc_job *job, uint32_t word)
{
    const ez_word_record *record = &job->record[word];
    __mmask8 below_g = (__mmask8)((1u << job->g) - 1);
    run->topic =
        _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)(const void *)record->topic));
    __m256i count = _mm256_maskz_mov_epi32(
        below_g, _mm256_i32gather_epi32((const int *)job->count, run->topic, 4));
    __m256i weight = _mm256_loadu_si256((const __m256i *)(const void *)record->weight);
    __m256 alpha = job->alpha_same != 0 ? _mm256_set1_ps(job->alpha_same)
                                        : _mm256_i32gather_ps(job->alpha_scaled, run->topic, 4);
    __m512i q = _mm512_cvtps_epu64(_mm256_mul_ps(_mm256_cvtepi32_ps(weight), alpha));
    run->weight = _mm512_cvtepu32_epi64(weight);
    __m512i s = _mm512_mul_epu32(run->weight, _mm512_cvtepu32_epi64(count));
    run->branch = _mm512_add_epi64(_mm512_slli_epi64(s, EZ_ALPHA_BITS), q);
    run->held = _mm256_test_epi32_mask(count, count);
    run->rest = job->length - (uint32_t)_mm512_reduce_add_epi64(_mm512_cvtepu32_epi64(count));
    run->q_rest = record->q_rest;
    run->bound = record->weight[job->g];
}

static inline int decide_token(const struct decide_run *run, const ez_doc_job *job, uint32_t old,
                               uint64_t u)
{
    __m512i branch = run->branch;
    uint64_t rest = run->rest;
    if (job->leave_one_out) {
        __mmask8 own =
            _mm256_mask_cmpeq_epi32_mask(run->held, run->topic, _mm256_set1_epi32((int)old));
        branch = _mm512_mask_sub_epi64(branch, own, branch,
                                       _mm512_slli_epi64(run->weight, EZ_ALPHA_BITS));
        rest -= own == 0;
    }
    __m512i end = prefix_sum(branch);
    uint64_t known = last_of(end);
    uint64_t low = known + run->q_rest, high = low + (run->bound * rest << EZ_ALPHA_BITS);
    uint64_t x_low = ez_mulhi(u, low), x_high = ez_mulhi(u, high);
    unsigned passed_low = _mm512_cmple_epu64_mask(end, _mm512_set1_epi64((long long)x_low));
    unsigned passed_high = _mm512_cmple_epu64_mask(end, _mm512_set1_epi64((long long)x_high));
    int at = __builtin_popcount(passed_low), limit = job->three_branch ? 1 : job->g;
    return at < limit && passed_low == passed_high ? at : EZ_UNDECIDED;
}

#include "backend/cpu/kernels/three_branch_loop.h"

/* Rows are padded to sixteen entries, so whole vectors may be read and written. */
static void float_row(const uint32_t *count, const float *rate, float beta, float *f,
                      uint32_t topics)
{
    for (uint32_t k = 0; k < topics; k += 16) {
        __m512 c = _mm512_cvtepu32_ps(_mm512_loadu_si512(count + k));
        c = _mm512_add_ps(c, _mm512_set1_ps(beta));
        _mm512_storeu_ps(f + k, _mm512_mul_ps(c, _mm512_loadu_ps(rate + k)));
    }
}

static uint64_t weight_row(const float *f, float scale, const float *alpha_scaled, uint32_t *weight,
                           uint32_t topics)
{
    __m512i sum = _mm512_setzero_si512();
    for (uint32_t k = 0; k < topics; k += 16) {
        uint32_t left = topics - k;
        __mmask16 live = left < 16 ? (__mmask16)((1u << left) - 1) : (__mmask16)0xffff;
        __m512 scaled = _mm512_mul_ps(_mm512_maskz_loadu_ps(live, f + k), _mm512_set1_ps(scale));
        __m512i w = _mm512_cvtps_epu32(scaled);
        _mm512_storeu_si512(weight + k, w);
        __m512 q =
            _mm512_mul_ps(_mm512_cvtepu32_ps(w), _mm512_maskz_loadu_ps(live, alpha_scaled + k));
        sum = _mm512_add_epi64(sum, _mm512_cvtps_epu64(_mm512_castps512_ps256(q)));
        sum = _mm512_add_epi64(sum, _mm512_cvtps_epu64(_mm512_extractf32x8_ps(q, 1)));
    }
    return (uint64_t)_mm512_reduce_add_epi64(sum);
}

const ez_kernels ez_kernels_avx512 = {
    .name = "avx512",
    .decide = decide_document,
    .draw = draw_words,
    .total = line_total,
    .float_row = float_row,
    .weight_row = weight_row,
    .infer = &ez_infer_kernels_avx512,
    .pairs = &ez_pair_kernels_avx512,
};
