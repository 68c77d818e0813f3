/* The kernels with AVX2: eight entries of D at a time, or the eight branches as two vectors of
 * four. All sums stay below 2^63, so the signed comparisons of this instruction set suffice. */
#include "backend/cpu/kernels/kernel_loops.h"

#include <immintrin.h>

static inline __m256i load256(const void *at)
{
    return _mm256_loadu_si256((const __m256i *)at);
}

/* Eight entries: the products are added to sums, those of top topics go to out->top instead. */
static inline __m256i step(const uint32_t *row, const ez_word_view *view, __m256i sums,
                           row_result *out)
{
    __m256i entry = load256(row);
    __m256i weight =
        _mm256_i32gather_epi32((const int *)view->table, _mm256_srli_epi32(entry, 16), 4);
    __m256i count = _mm256_and_si256(entry, _mm256_set1_epi32(0xffff));
    __m256i padding = _mm256_cmpeq_epi32(count, _mm256_setzero_si256());
    unsigned top =
        (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_andnot_si256(padding, weight)));
    weight = _mm256_andnot_si256(_mm256_srai_epi32(weight, 31), weight);
    for (; top; top &= top - 1) {
        uint32_t e = row[__builtin_ctz(top)],
                 branch = view->table[ez_entry_topic(e)] & (EZ_TOP - 1);
        out->top_sum += (uint64_t)view->record->weight[branch] * ez_entry_count(e);
        if (out->tops < EZ_TOP)
            out->top[out->tops] = branch << 16 | ez_entry_count(e);
        out->tops++;
    }
    __m256i even = _mm256_mul_epu32(weight, count);
    __m256i odd = _mm256_mul_epu32(_mm256_srli_epi64(weight, 32), _mm256_srli_epi64(count, 32));
    return _mm256_add_epi64(sums, _mm256_add_epi64(even, odd));
}

static ALWAYS_INLINE void row_sums(const uint32_t *row, uint32_t steps, const ez_word_view *view,
                                   row_result *out)
{
    __m256i lane[4];
    uint64_t part[16], sum = 0;
    for (int i = 0; i < 4; i++)
        lane[i] = _mm256_setzero_si256();
    out->tops = 0;
    out->top_sum = 0;
    for (uint32_t i = 0; i < steps; i++) {
        const uint32_t *at = row + (size_t)i * EZ_ROW_STEP;
        __m256i *sums = lane + 2 * (size_t)(i % 2);
        sums[0] = step(at, view, sums[0], out);
        sums[1] = step(at + 8, view, sums[1], out);
    }
    for (size_t i = 0; i < 4; i++)
        _mm256_storeu_si256((__m256i *)(void *)(part + 4 * i), lane[i]);
    for (size_t i = 0; i < EZ_LANES; i++)
        out->through[i] = sum += part[2 * i] + part[2 * i + 1];
}

/* The first entry of a topic that is in the row; padding is 0 and comes after all entries. */
static inline uint32_t find_entry(const uint32_t *row, uint32_t entries, uint32_t topic)
{
    for (uint32_t j = 0; j < entries; j += 8) {
        __m256i same = _mm256_cmpeq_epi32(_mm256_srli_epi32(load256(row + j), 16),
                                          _mm256_set1_epi32((int)topic));
        unsigned found = (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(same));
        if (found)
            return j + (uint32_t)__builtin_ctz(found);
    }
    return entries;
}

/* Non-negative floats below 2^52 to integers, to nearest even: in the mantissa of a double plus
 * 2^52. */
static inline __m256i round_to_u64(__m128 x)
{
    const __m256d magic = _mm256_set1_pd(0x1p52);
    __m256i bits = _mm256_castpd_si256(_mm256_add_pd(_mm256_cvtps_pd(x), magic));
    return _mm256_xor_si256(bits, _mm256_castpd_si256(magic));
}

struct decide_run {
    const ez_word_record *record;
    uint64_t branch[EZ_TOP]; /* m1 .. m8 (only the alpha part from g on) */
    uint32_t rest, held; /* held: bits of the top topics below g of which the document has tokens */
};

static inline void decide_begin(struct decide_run *run, const ez_doc_job *job, uint32_t word)
{
    const ez_word_record *record = &job->record[word];
    __m256i topic =
        _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)(const void *)record->topic));
    __m256i below_g =
        _mm256_cmpgt_epi32(_mm256_set1_epi32(job->g), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
    __m256i count =
        _mm256_and_si256(below_g, _mm256_i32gather_epi32((const int *)job->count, topic, 4));
    __m256i weight = load256(record->weight);
    __m256 alpha = job->alpha_same != 0 ? _mm256_set1_ps(job->alpha_same)
                                        : _mm256_i32gather_ps(job->alpha_scaled, topic, 4);
    __m256 q = _mm256_mul_ps(_mm256_cvtepi32_ps(weight), alpha);
    for (int half = 0; half < 2; half++) {
        __m128i w = half ? _mm256_extracti128_si256(weight, 1) : _mm256_castsi256_si128(weight);
        __m128i c = half ? _mm256_extracti128_si256(count, 1) : _mm256_castsi256_si128(count);
        __m256i s = _mm256_mul_epu32(_mm256_cvtepu32_epi64(w), _mm256_cvtepu32_epi64(c));
        __m256i alpha_part =
            round_to_u64(half ? _mm256_extractf128_ps(q, 1) : _mm256_castps256_ps128(q));
        s = _mm256_add_epi64(_mm256_slli_epi64(s, EZ_ALPHA_BITS), alpha_part);
        _mm256_storeu_si256((__m256i *)(void *)(run->branch + 4 * (size_t)half), s);
    }
    __m256i none = _mm256_cmpeq_epi32(count, _mm256_setzero_si256());
    run->held = ~(unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(none)) & 0xff;
    uint32_t counts[EZ_TOP];
    _mm256_storeu_si256((__m256i *)(void *)counts, count);
    run->rest = job->length;
    for (int i = 0; i < EZ_TOP; i++)
        run->rest -= counts[i];
    run->record = record;
}

static inline int decide_token(const struct decide_run *run, const ez_doc_job *job, uint32_t old,
                               uint64_t u)
{
    const ez_word_record *record = run->record;
    uint64_t end[EZ_TOP], known = 0, rest = run->rest;
    unsigned own = 0;
    if (job->leave_one_out) {
        __m128i topics = _mm_loadu_si128((const __m128i *)(const void *)record->topic);
        __m128i same = _mm_cmpeq_epi16(topics, _mm_set1_epi16((short)old));
        own = (unsigned)_mm_movemask_epi8(_mm_packs_epi16(same, same)) & run->held;
        rest -= own == 0;
    }
    for (int i = 0; i < EZ_TOP; i++) {
        known +=
            run->branch[i] - ((uint64_t)(own >> i & 1 ? record->weight[i] : 0) << EZ_ALPHA_BITS);
        end[i] = known;
    }
    uint64_t low = known + record->q_rest,
             high = low + (record->weight[job->g] * rest << EZ_ALPHA_BITS);
    __m256i x_low = _mm256_set1_epi64x((long long)ez_mulhi(u, low));
    __m256i x_high = _mm256_set1_epi64x((long long)ez_mulhi(u, high));
    __m256i first = load256(end), second = load256(end + 4);
    unsigned at_low =
        (unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpgt_epi64(first, x_low))) |
        (unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpgt_epi64(second, x_low))) << 4;
    unsigned at_high =
        (unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpgt_epi64(first, x_high))) |
        (unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpgt_epi64(second, x_high))) << 4;
    int at = __builtin_ctz(at_low | 1u << EZ_TOP), limit = job->three_branch ? 1 : job->g;
    return at < limit && at_low == at_high ? at : EZ_UNDECIDED;
}

#include "backend/cpu/kernels/three_branch_loop.h"

/* Left to the compiler: AVX2 converts signed integers only, and counts may use the 32nd bit. */
static void float_row(const uint32_t *count, const float *rate, float beta, float *f,
                      uint32_t topics)
{
    for (uint32_t k = 0; k < topics; k++)
        f[k] = ez_float_weight(count[k], beta, rate[k]);
}

static uint64_t weight_row(const float *f, float scale, const float *alpha_scaled, uint32_t *weight,
                           uint32_t topics)
{
    __m256i sum = _mm256_setzero_si256();
    uint32_t k = 0;
    for (; k + 8 <= topics; k += 8) {
        __m256i w =
            _mm256_cvtps_epi32(_mm256_mul_ps(_mm256_loadu_ps(f + k), _mm256_set1_ps(scale)));
        _mm256_storeu_si256((__m256i *)(void *)(weight + k), w);
        __m256 q = _mm256_mul_ps(_mm256_cvtepi32_ps(w), _mm256_loadu_ps(alpha_scaled + k));
        sum = _mm256_add_epi64(sum, round_to_u64(_mm256_castps256_ps128(q)));
        sum = _mm256_add_epi64(sum, round_to_u64(_mm256_extractf128_ps(q, 1)));
    }
    uint64_t quarter[4], total = 0;
    _mm256_storeu_si256((__m256i *)(void *)quarter, sum);
    for (int i = 0; i < 4; i++)
        total += quarter[i];
    for (; k < topics; k++) {
        weight[k] = ez_weight(f[k], scale);
        total += ez_alpha_weight(weight[k], alpha_scaled[k]);
    }
    return total;
}

const ez_kernels ez_kernels_avx2 = {
    .name = "avx2",
    .decide = decide_document,
    .draw = draw_words,
    .total = line_total,
    .float_row = float_row,
    .weight_row = weight_row,
    .infer = &ez_infer_kernels_plain,
    .pairs = &ez_pair_kernels_avx2,
};
