"""The theorem of docs/arithmetic.md on random tokens: what is decided early is what the whole line gives.

Words and documents are drawn at random, and most draws u are put close to the end of a branch, where a bound that is too
tight would show. Decisions are those of ez_decide, and those by floats as backend/cuda/kernels/three_branch.cuh computes them."""
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

PROGRAM = r"""
#include "backend/reference/line.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST = 40 };

static uint64_t seed = 1;
static double uniform(void) { return (double)(ez_mix(seed++ * 0x9e3779b97f4a7c15u) >> 11) * 0x1p-53; }
static double between(double low, double high) { return low + (high - low) * uniform(); }
static uint32_t below(uint32_t n) { return (uint32_t)(uniform() * n); }

typedef struct token {
    uint32_t topics, w[MOST], row[64], g;
    uint64_t q[MOST], length, rest, low, high;
    uint8_t top[MOST];
    float f[MOST], alpha[MOST], least;
    int64_t own;
    int bits;
    ez_word_weights weights;
    ez_line line;
} token;

static void draw_word(token *t)
{
    float beta = (float)exp2(between(-19, 6)), rate[MOST], same = (float)exp2(between(-8, 0));
    uint32_t words = 1 + below(100000), count[MOST], equal = below(2);
    double sum = 0;
    t->least = 100;
    for (uint32_t k = 0; k < t->topics; k++) {
        count[k] = k == 0 || below(3) ? 1 + (uint32_t)exp2(between(0, 20)) : 0;
        rate[k] = ez_topic_rate(count[k] + (below(4) ? (uint64_t)exp2(between(0, 33)) : 0), words, beta);
        t->alpha[k] = equal ? same : (float)exp2(between(-19, 6));
        t->least = fminf(t->least, t->alpha[k]);
        sum += (double)t->alpha[k];
    }
    t->bits = ez_weight_bits(t->length + (below(4) ? 0 : (uint64_t)exp2(between(0, 32))), sum);
    t->weights = (ez_word_weights){.topics = t->topics, .w = t->w, .q = t->q, .is_top = t->top};
    ez_weigh_word(&t->weights, count, rate, t->alpha, beta, t->bits, t->f);
}

/* Counts of the document, the token's own among them, as a row of D. */
static void draw_document(token *t)
{
    uint32_t entries = 0;
    double most = below(5) ? 6 : 16;
    memset(t->row, 0, sizeof t->row);
    t->length = 0;
    for (uint32_t k = 0; k < t->topics; k++)
        if (k + 1 == t->topics || below(2)) {
            uint32_t n = (uint32_t)exp2(between(0, most));
            t->row[entries++] = ez_entry(k, n > EZ_ENTRY_MAX ? EZ_ENTRY_MAX : n);
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
        t->low += ez_branch(record->weight[i], i < t->g ? t->line.top_count[i] : 0, t->line.top_alpha[i]);
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
    double off = exp2(between(-36, -16)), u = (double)end / (double)of[total] * (below(2) ? 1 + off : 1 - off);
    return u < 1 ? (uint64_t)(u * 0x1p64) + below(2048) : UINT64_MAX;
}

static int decide_in_floats(const token *t, uint64_t u, float margin)
{
    const ez_word_record *record = &t->weights.record;
    float known = 0, end[EZ_TOP];
    for (uint32_t i = 0; i < EZ_TOP; i++) {
        uint32_t k = record->topic[i], count = i < t->g ? t->line.top_count[i] : 0;
        known = fmaf((float)record->weight[i], (float)count + (k < t->topics ? t->alpha[k] : 0), known);
        end[i] = known;
    }
    float low = known + (float)record->q_rest * 0x1p-14f;
    float high = fmaf((float)record->weight[t->g], (float)(uint32_t)t->rest, low);
    float at = (float)(uint32_t)(u >> 32) * 0x1p-32f, x_low = at * low * (1 - margin);
    float x_high = fmaf(at, 1 + margin, 0x1p-31f) * high;
    for (uint32_t i = 0; i < t->g; i++)
        if (x_high < end[i] && (i == 0 || x_low >= end[i - 1]))
            return (int)i;
    return EZ_UNDECIDED;
}

int main(int argc, char **argv)
{
    long tokens = argc > 1 ? atol(argv[1]) : 0, bounds = 0, wrong = 0, decided = 0, float_wrong = 0, float_decided = 0;
    double allowed = argc > 2 ? atof(argv[2]) : 0;
    for (long n = 0; n < tokens; n++) {
        token t = {.topics = 2 + below(MOST - 1), .g = 1 + below(EZ_TOP)};
        draw_document(&t);
        draw_word(&t);
        ez_make_line(&t.line, &t.weights, t.row, 64, t.own);
        bound(&t);
        bounds += t.line.total < t.low || t.line.total > t.high || t.high >> 63 != 0;
        uint64_t u = n % 4 == 3 ? ez_mix((uint64_t)n) : aimed(&t, (int)(n % 4));
        uint32_t topic = ez_find_on_line(&t.line, &t.weights, t.row, 64, t.own, u);
        int branch = ez_decide(&t.weights.record, t.line.top_count, t.line.top_alpha, (int)t.g, t.rest, u, 0);
        decided += branch != EZ_UNDECIDED;
        wrong += branch != EZ_UNDECIDED && t.weights.record.topic[branch] != topic;
        float margin = (float)(0x1p-18 + EZ_TOP / ((double)t.least * 0x1p14 * exp2(t.bits - 1)));
        if (margin > 0x1p-8f)
            continue;
        int early = decide_in_floats(&t, u, (float)(margin * allowed));
        float_decided += early != EZ_UNDECIDED;
        float_wrong += early != EZ_UNDECIDED && early != branch;
    }
    printf("%ld %ld %ld %ld %ld\n", bounds, wrong, decided, float_wrong, float_decided);
    return 0;
}
"""


@pytest.fixture(scope="module")
def tried(tmp_path_factory):
    folder = tmp_path_factory.mktemp("arithmetic")
    (folder / "theorem.c").write_text(PROGRAM)
    subprocess.run(["gcc", "-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", "-ffp-contract=off",
                    "-I", str(ROOT / "src"), "-I", str(ROOT / "include"), str(folder / "theorem.c"),
                    str(ROOT / "src" / "backend" / "reference" / "line.c"), "-o", str(folder / "theorem"), "-lm"],
                   check=True)

    def run(tokens, margin):
        out = subprocess.run([str(folder / "theorem"), str(tokens), str(margin)], check=True, stdout=subprocess.PIPE,
                             text=True).stdout
        return [int(word) for word in out.split()]
    return run


def test_what_is_decided_early_is_what_the_line_gives(tried):
    bounds, wrong, decided, float_wrong, float_decided = tried(100000, 1)
    assert (bounds, wrong, float_wrong) == (0, 0, 0)
    assert decided > 15000 and float_decided > 5000


def test_without_its_margin_floats_decide_wrongly(tried):
    assert tried(30000, 0)[3] > 100
