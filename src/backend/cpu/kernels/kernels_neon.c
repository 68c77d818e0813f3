/* The kernels with NEON (aarch64): sixteen entries of D at a time, one vector of four per lane, or
 * the eight branches as four vectors of two. There is no gather: weights and counts are loaded one
 * by one into vectors. */
#include "backend/cpu/kernels/kernel_loops.h"

#include <arm_neon.h>

/* 32-bit elements of a vector, which are one group of a lane; vectors of a step. */
enum { WIDTH = EZ_LANE_WIDTH, VECTORS = EZ_ROW_STEP / WIDTH };

/* One bit in four for each of sixteen elements that are all ones or zero: this instruction set has
 * no movemask. */
static inline uint64_t bits_of(const uint32x4_t *mask)
{
    uint8x8_t low = vmovn_u16(vcombine_u16(vmovn_u32(mask[0]), vmovn_u32(mask[1])));
    uint8x8_t high = vmovn_u16(vcombine_u16(vmovn_u32(mask[2]), vmovn_u32(mask[3])));
    uint8x8_t nibbles = vshrn_n_u16(vreinterpretq_u16_u8(vcombine_u8(low, high)), 4);
    return vget_lane_u64(vreinterpret_u64_u8(nibbles), 0) & 0x1111111111111111u;
}

static inline uint32x4_t gather(const uint32_t *table, const uint32_t *row)
{
    uint32x4_t x = vld1q_dup_u32(table + ez_entry_topic(row[0]));
    x = vld1q_lane_u32(table + ez_entry_topic(row[1]), x, 1);
    x = vld1q_lane_u32(table + ez_entry_topic(row[2]), x, 2);
    return vld1q_lane_u32(table + ez_entry_topic(row[3]), x, 3);
}

/* Sixteen entries of four lanes: adds the products to lane[0..3] without those of top topics, which
 * are returned as bits_of. */
static inline uint64_t step(const uint32_t *row, const uint32_t *table, uint64x2_t *lane)
{
    uint32x4_t top[VECTORS];
    for (int i = 0; i < VECTORS; i++) {
        uint32x4_t weight = gather(table, row + WIDTH * i);
        uint32x4_t count = vandq_u32(vld1q_u32(row + WIDTH * i), vdupq_n_u32(0xffff));
        top[i] = vcltzq_s32(vreinterpretq_s32_u32(weight));
        weight = vbicq_u32(weight, top[i]);
        lane[i] = vmlal_u32(lane[i], vget_low_u32(weight), vget_low_u32(count));
        lane[i] = vmlal_high_u32(lane[i], weight, count);
    }
    return bits_of(top);
}

/* Adds the entries of top topics to the result. top: their bits (bits_of). */
static inline void add_top_entries(const uint32_t *row, const ez_word_view *view, uint64_t top,
                                   row_result *out)
{
    for (; top; top &= top - 1) {
        uint32_t entry = row[__builtin_ctzll(top) / 4];
        uint32_t branch = view->table[ez_entry_topic(entry)] & (EZ_TOP - 1);
        out->top_sum += (uint64_t)view->record->weight[branch] * ez_entry_count(entry);
        if (out->tops < EZ_TOP)
            out->top[out->tops] = branch << 16 | ez_entry_count(entry);
        out->tops++;
    }
}

static ALWAYS_INLINE void row_sums(const uint32_t *row, uint32_t steps, const ez_word_view *view,
                                   row_result *out)
{
    uint64x2_t lane[EZ_LANES];
    uint64_t sum = 0;
    for (int i = 0; i < EZ_LANES; i++)
        lane[i] = vdupq_n_u64(0);
    out->tops = 0;
    out->top_sum = 0;
    for (uint32_t i = 0; i < steps; i++) {
        const uint32_t *at = row + (size_t)i * EZ_ROW_STEP;
        add_top_entries(at, view, step(at, view->table, lane + VECTORS * (i % 2)), out);
    }
    for (int i = 0; i < EZ_LANES; i++)
        out->through[i] = sum += vaddvq_u64(lane[i]);
}

/* The first entry of a topic that is in the row; padding is 0 and comes after all entries. */
static inline uint32_t find_entry(const uint32_t *row, uint32_t entries, uint32_t topic)
{
    for (uint32_t j = 0; j < entries; j += EZ_ROW_STEP) {
        uint32x4_t same[VECTORS];
        for (int i = 0; i < VECTORS; i++)
            same[i] = vceqq_u32(vshrq_n_u32(vld1q_u32(row + j + (uint32_t)(WIDTH * i)), 16),
                                vdupq_n_u32(topic));
        uint64_t found = bits_of(same);
        if (found)
            return j + (uint32_t)__builtin_ctzll(found) / 4;
    }
    return entries;
}

/* q of four weights, their first and last two: rounded to nearest even from the float products. */
static inline uint64x2_t round_low(float32x4_t x)
{
    return vcvtnq_u64_f64(vcvt_f64_f32(vget_low_f32(x)));
}

static inline uint64x2_t round_high(float32x4_t x)
{
    return vcvtnq_u64_f64(vcvt_high_f64_f32(x));
}

struct decide_run {
    const ez_word_record *record;
    uint64x2_t end[EZ_TOP / 2]; /* m1, m1 + m2, ... (only the alpha part from g on) */
    uint16x8_t topic, held;     /* K1 .. K8; of which the document has tokens, below g */
    uint64_t known;             /* the last end */
    uint32_t rest;
};

/* Sets the lengths of four branches from i on; returns their counts, 0 from branch g on. */
static inline uint32x4_t load_branches(const ez_doc_job *job, const ez_word_record *record, int i,
                                       uint64x2_t *branch)
{
    const uint16_t *topic = record->topic + i;
    uint32_t c[WIDTH];
    float a[WIDTH];
    for (int b = 0; b < WIDTH; b++) {
        c[b] = job->count[topic[b]];
        a[b] = job->alpha_same != 0 ? job->alpha_same : job->alpha_scaled[topic[b]];
    }
    const uint32_t index[WIDTH] = {0, 1, 2, 3};
    uint32x4_t below_g =
        vcltq_s32(vreinterpretq_s32_u32(vld1q_u32(index)), vdupq_n_s32(job->g - i));
    uint32x4_t count = vandq_u32(vld1q_u32(c), below_g), weight = vld1q_u32(record->weight + i);
    float32x4_t q = vmulq_f32(vcvtq_f32_u32(weight), vld1q_f32(a));
    branch[0] = vshlq_n_u64(vmull_u32(vget_low_u32(weight), vget_low_u32(count)), EZ_ALPHA_BITS);
    branch[1] = vshlq_n_u64(vmull_high_u32(weight, count), EZ_ALPHA_BITS);
    branch[0] = vaddq_u64(branch[0], round_low(q));
    branch[1] = vaddq_u64(branch[1], round_high(q));
    return count;
}

static inline void decide_begin(struct decide_run *run, const ez_doc_job *job, uint32_t word)
{
    const ez_word_record *record = &job->record[word];
    uint32x4_t first = load_branches(job, record, 0, run->end);
    uint32x4_t second = load_branches(job, record, WIDTH, run->end + WIDTH / 2);
    uint64x2_t sum = vdupq_n_u64(0);
    for (int i = 0; i < EZ_TOP / 2; i++) {
        uint64x2_t pair = vaddq_u64(run->end[i], vextq_u64(vdupq_n_u64(0), run->end[i], 1));
        run->end[i] = vaddq_u64(pair, sum);
        sum = vdupq_laneq_u64(run->end[i], 1);
    }
    run->known = vgetq_lane_u64(sum, 0);
    run->rest = job->length - vaddvq_u32(vaddq_u32(first, second));
    run->topic = vld1q_u16(record->topic);
    run->held =
        vcombine_u16(vmovn_u32(vtstq_u32(first, first)), vmovn_u32(vtstq_u32(second, second)));
    run->record = record;
}

/* The branch of a topic that loses a token, or EZ_TOP. */
static inline uint32_t own_branch(const struct decide_run *run, uint32_t old)
{
    uint16x8_t same = vandq_u16(vceqq_u16(run->topic, vdupq_n_u16((uint16_t)old)), run->held);
    uint64_t mask = vget_lane_u64(vreinterpret_u64_u8(vmovn_u16(same)), 0);
    return mask ? (uint32_t)__builtin_ctzll(mask) / 8 : EZ_TOP;
}

/* How many of eight ends lie at or below x. */
static inline uint64_t ends_passed(const uint64x2_t *end, uint64_t x)
{
    uint64x2_t passed = vdupq_n_u64(0);
    for (int i = 0; i < EZ_TOP / 2; i++)
        passed = vsubq_u64(passed, vcleq_u64(end[i], vdupq_n_u64(x)));
    return vaddvq_u64(passed);
}

static inline int decide_token(const struct decide_run *run, const ez_doc_job *job, uint32_t old,
                               uint64_t u)
{
    const ez_word_record *record = run->record;
    const uint64_t index[EZ_TOP] = {0, 1, 2, 3, 4, 5, 6, 7};
    uint32_t own = job->leave_one_out ? own_branch(run, old) : EZ_TOP;
    uint64_t rest = run->rest - (job->leave_one_out && own == EZ_TOP);
    uint64_t less = own < EZ_TOP ? (uint64_t)record->weight[own] << EZ_ALPHA_BITS : 0;
    uint64x2_t end[EZ_TOP / 2];
    for (int i = 0; i < EZ_TOP / 2; i++) {
        uint64x2_t behind = vcgeq_u64(vld1q_u64(index + 2 * i), vdupq_n_u64(own));
        end[i] = vsubq_u64(run->end[i], vandq_u64(behind, vdupq_n_u64(less)));
    }
    uint64_t low = run->known - less + record->q_rest;
    uint64_t high = low + (record->weight[job->g] * rest << EZ_ALPHA_BITS);
    uint64_t at_low = ends_passed(end, ez_mulhi(u, low)),
             at_high = ends_passed(end, ez_mulhi(u, high));
    uint64_t limit = job->three_branch ? 1 : (uint64_t)job->g;
    return at_low < limit && at_low == at_high ? (int)at_low : EZ_UNDECIDED;
}

#include "backend/cpu/kernels/three_branch_loop.h"

static void float_row(const uint32_t *count, const float *rate, float beta, float *f,
                      uint32_t topics)
{
    uint32_t k = 0;
    for (; k + WIDTH <= topics; k += WIDTH) {
        float32x4_t c = vaddq_f32(vcvtq_f32_u32(vld1q_u32(count + k)), vdupq_n_f32(beta));
        vst1q_f32(f + k, vmulq_f32(c, vld1q_f32(rate + k)));
    }
    for (; k < topics; k++)
        f[k] = ez_float_weight(count[k], beta, rate[k]);
}

static uint64_t weight_row(const float *f, float scale, const float *alpha_scaled, uint32_t *weight,
                           uint32_t topics)
{
    uint64x2_t sum = vdupq_n_u64(0);
    uint32_t k = 0;
    for (; k + WIDTH <= topics; k += WIDTH) {
        uint32x4_t w = vcvtnq_u32_f32(vmulq_f32(vld1q_f32(f + k), vdupq_n_f32(scale)));
        vst1q_u32(weight + k, w);
        float32x4_t q = vmulq_f32(vcvtq_f32_u32(w), vld1q_f32(alpha_scaled + k));
        sum = vaddq_u64(sum, vaddq_u64(round_low(q), round_high(q)));
    }
    uint64_t total = vaddvq_u64(sum);
    for (; k < topics; k++) {
        weight[k] = ez_weight(f[k], scale);
        total += ez_alpha_weight(weight[k], alpha_scaled[k]);
    }
    return total;
}

const ez_kernels ez_kernels_neon = {
    .name = "neon",
    .decide = decide_document,
    .draw = draw_words,
    .total = line_total,
    .float_row = float_row,
    .weight_row = weight_row,
    .infer = &ez_infer_kernels_plain,
    .pairs = &ez_pair_kernels_plain,
};
