/* The theorem of docs/arithmetic.md on random tokens: an early decision gives the topic that the
 * whole line gives.
 *
 *     theorem TOKENS MARGIN
 *
 * Words and documents are drawn at random. Three of four draws u are put close to the end of a
 * branch, where a bound that is too tight would show. Integers decide by ez_decide
 * (sampler/three_branch.h), floats by ez_decide_token, the function of the kernels
 * (backend/cuda/kernels/three_branch.cuh), which the emulator's headers compile for the CPU; the
 * whole line comes from the reference backend. MARGIN scales the margin of the floats: 1 is the
 * real one, 0 none.
 *
 * Prints: totals outside their bounds, wrong integer decisions, integer decisions, wrong float
 * decisions, float decisions. */
#include "backend/cuda/kernels/three_branch.cuh"

extern "C" {
#include "backend/reference/line.h"
}

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 40, ROW = 64 };

static uint64_t seed = 1;

static double uniform()
{
    return (double)(ez_mix(seed++ * 0x9e3779b97f4a7c15u) >> 11) * 0x1p-53;
}

static double between(double low, double high)
{
    return low + (high - low) * uniform();
}

static uint32_t below(uint32_t n)
{
    return (uint32_t)(uniform() * n);
}

struct token {
    uint32_t topics, w[MOST], row[ROW], g;
    uint64_t q[MOST], length, rest, low, high;
    uint8_t top[MOST];
    float f[MOST], alpha[MOST + 1],
        least;  /* alpha[topics] belongs to the empty slots of a record */
    bool equal; /* one alpha for all topics */
    int64_t own;
    int bits;
    ez_word_weights weights;
    ez_line line;
};

static void draw_word(token *t)
{
    float beta = (float)exp2(between(-19, 6)), rate[MOST], same = (float)exp2(between(-8, 0));
    uint32_t words = 1 + below(100000), count[MOST];
    double sum = 0;
    t->least = 100;
    t->equal = below(2);
    for (uint32_t k = 0; k < t->topics; k++) {
        count[k] = k == 0 || below(3) ? 1 + (uint32_t)exp2(between(0, 20)) : 0;
        rate[k] =
            ez_topic_rate(count[k] + (below(4) ? (uint64_t)exp2(between(0, 33)) : 0), words, beta);
        t->alpha[k] = t->equal ? same : (float)exp2(between(-19, 6));
        t->least = fminf(t->least, t->alpha[k]);
        sum += (double)t->alpha[k];
    }
    t->bits = ez_weight_bits(t->length + (below(4) ? 0 : (uint64_t)exp2(between(0, 32))), sum);
    t->weights.topics = t->topics;
    t->weights.w = t->w;
    t->weights.q = t->q;
    t->weights.is_top = t->top;
    ez_weigh_word(&t->weights, count, rate, t->alpha, beta, t->bits, t->f);
}

/* Counts of the document, the token's own among them, as a row of D. */
static void draw_document(token *t)
{
    uint32_t entries = 0;
    double most = below(5) ? 6 : 16;
    for (uint32_t k = 0; k < t->topics; k++)
        if (k + 1 == t->topics || below(2)) {
            uint32_t n = (uint32_t)exp2(between(0, most));
            t->row[entries++] = ez_entry(k, n > EZ_ENTRY_MAX ? (uint32_t)EZ_ENTRY_MAX : n);
            t->length += ez_entry_count(t->row[entries - 1]);
        }
    t->own = below(2) ? (int64_t)ez_entry_topic(t->row[below(entries)]) : -1;
}

static void bound(token *t)
{
    const ez_word_record *record = &t->weights.record;
    t->rest = t->length - (t->own >= 0);
    t->low = record->q_rest;
    for (uint32_t i = 0; i < EZ_TOP; i++) {
        t->rest -= i < t->g ? t->line.top_count[i] : 0;
        t->low +=
            ez_branch(record->weight[i], i < t->g ? t->line.top_count[i] : 0, t->line.top_alpha[i]);
    }
    t->high = t->low + (record->weight[t->g] * t->rest << EZ_ALPHA_BITS);
}

/* A draw near the end of a branch, as seen from one of the totals. */
static uint64_t aimed(const token *t, int total)
{
    const ez_word_record *record = &t->weights.record;
    uint64_t end = 0, of[] = {t->low, t->high, t->line.total};
    for (uint32_t i = 0, last = below(t->g); i <= last; i++)
        end += ez_branch(record->weight[i], t->line.top_count[i], t->line.top_alpha[i]);
    double off = exp2(between(-36, -16)),
           u = (double)end / (double)of[total] * (below(2) ? 1 + off : 1 - off);
    return u < 1 ? (uint64_t)(u * 0x1p64) + below(2048) : UINT64_MAX;
}

/* The document's counts, as kernels look them up. */
struct row_counts {
    const uint32_t *row;
    uint32_t at(uint32_t topic) const
    {
        for (uint32_t i = 0; i < ROW; i++)
            if (ez_entry_count(row[i]) && ez_entry_topic(row[i]) == topic)
                return ez_entry_count(row[i]);
        return 0;
    }
};

/* The key whose draw is u: ez_mix is a bijection. */
static uint64_t key_of(uint64_t u)
{
    uint64_t inverse = 0xd6e8feb86659fd93u; /* Newton's iteration modulo 2^64 */
    for (int i = 0; i < 6; i++)
        inverse *= 2 - 0xd6e8feb86659fd93u * inverse;
    for (int i = 0; i < 2; i++)
        u = (u ^ u >> 32) * inverse;
    return u ^ u >> 32;
}

/* The topic that the kernels' function decides on, or EZ_MARK | the old one. */
static uint32_t decide_in_floats(const token *t, uint64_t u, float margin)
{
    const ez_word_record *record = &t->weights.record;
    ez_decide_record floats = {};
    memcpy(floats.topic, record->topic, sizeof floats.topic);
    for (uint32_t i = 0; i <= EZ_TOP; i++)
        floats.weight[i] = (float)record->weight[i];
    floats.q_rest = (float)record->q_rest * 0x1p-14f;
    floats.word_key = key_of(u);
    ez_device_state s = {};
    s.w.topics = t->topics;
    s.w.words = 1;
    s.rules.g = (int)t->g;
    s.rules.leave_one_out = t->own >= 0;
    s.priors.margin = margin;
    s.priors.alpha = const_cast<float *>(t->alpha);
    s.records.decide = &floats;
    ez_doc_view doc = {0, (uint32_t)t->length};
    ez_doc_token at = {0, t->own >= 0 ? (uint32_t)t->own : 0, 0};
    if (t->equal && t->g == EZ_TOP) { /* as the documents pass chooses */
        s.priors.alpha_one = t->alpha[0];
        return ez_decide_token<true>(s, row_counts{t->row}, doc, at);
    }
    return ez_decide_token<false>(s, row_counts{t->row}, doc, at);
}

int main(int argc, char **argv)
{
    long tokens = argc > 1 ? atol(argv[1]) : 0;
    long bounds = 0, wrong = 0, decided = 0, float_wrong = 0, float_decided = 0, unlike = 0;
    double allowed = argc > 2 ? atof(argv[2]) : 0;
    for (long n = 0; n < tokens; n++) {
        token t = {};
        t.topics = 2 + below(MOST - 1);
        t.g = 1 + below(EZ_TOP);
        draw_document(&t);
        draw_word(&t);
        ez_make_line(&t.line, &t.weights, t.row, ROW, t.own);
        bound(&t);
        bounds += t.line.total < t.low || t.line.total > t.high || t.high >> 63 != 0;
        uint64_t u = n % 4 == 3 ? ez_mix((uint64_t)n) : aimed(&t, (int)(n % 4));
        unlike += ez_draw(key_of(u), 0, 0) != u;
        uint32_t topic = ez_find_on_line(&t.line, &t.weights, t.row, ROW, t.own, u);
        int branch = ez_decide(&t.weights.record, t.line.top_count, t.line.top_alpha, (int)t.g,
                               t.rest, u, 0);
        decided += branch != EZ_UNDECIDED;
        wrong += branch != EZ_UNDECIDED && t.weights.record.topic[branch] != topic;
        float margin = (float)(0x1p-18 + EZ_TOP / ((double)t.least * 0x1p14 * exp2(t.bits - 1)));
        if (margin > 0x1p-8f)
            continue;
        uint32_t early = decide_in_floats(&t, u, (float)(margin * allowed));
        float_decided += !(early & EZ_MARK);
        float_wrong += !(early & EZ_MARK) &&
                       (branch == EZ_UNDECIDED || t.weights.record.topic[branch] != early);
    }
    printf("%ld %ld %ld %ld %ld\n", bounds, wrong, decided, float_wrong, float_decided);
    return unlike != 0;
}
