/* Finds the words of a topic that are among the R most relevant for some lambda of a grid.
 *
 * Relevance is lambda*log p(word|topic) + (1-lambda)*log(p(word|topic)/p(word)). Words without a
 * token in the topic all have the same p(word|topic). Only the rarest of these can be among the
 * first or, if lambda is 1, those with the smallest numbers. So the candidates are the topic's own
 * words and R words of each of these two kinds. */
#include "export/export.h"
#include "export/vis_terms.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct candidate {
    double log_p, log_lift;
    double p;
    uint32_t word;
    bool listed;
} candidate;

typedef struct finder {
    const ez_vis *vis;
    uint32_t topic;
    candidate *all; /* by word */
    size_t n;
    double *score; /* n */
    uint32_t *top; /* R candidates, a heap with the least relevant at its root */
    uint32_t *out; /* candidates in the order of their first appearance */
    uint32_t found;
} finder;

static int by_word(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    return (x->word > y->word) - (x->word < y->word);
}

static void add_candidate(finder *f, uint32_t word, double p)
{
    double share = f->vis->word_tokens[word] / f->vis->all_tokens;
    f->all[f->n++] = (candidate){log(p), log(p / share), p, word, false};
}

/* Whether a word is among the topic's own, which are the first `own` candidates. */
static bool is_own(const finder *f, size_t own, uint32_t word)
{
    candidate key = {.word = word};
    return own && bsearch(&key, f->all, own, sizeof *f->all, by_word) != NULL;
}

/* Adds words without a token in the topic, in the given order; NULL: by number. */
static void add_others(finder *f, size_t own, const uint32_t *order)
{
    uint32_t left = f->vis->words;
    for (uint32_t i = 0; left && i < f->vis->model->meta->words; i++) {
        uint32_t word = order ? order[i] : i;
        if (is_own(f, own, word))
            continue;
        add_candidate(f, word, f->vis->none[f->topic]);
        left--;
    }
}

static void find_candidates(finder *f)
{
    const ezlda_model *model = f->vis->model;
    const ez_topic_index *index = f->vis->index;
    double total = ez_phi_total(&model->phi, f->topic);
    for (uint64_t i = index->start[f->topic]; i < index->start[f->topic + 1]; i++)
        add_candidate(f, index->row[i],
                      (ez_index_count(index, i, &model->phi.rows, f->topic) + model->phi.beta) /
                          total);
    size_t own = f->n, kept = 0;
    add_others(f, own, f->vis->rare);
    add_others(f, own, NULL);
    qsort(f->all, f->n, sizeof *f->all, by_word);
    for (size_t i = 0; i < f->n; i++)
        if (!i || f->all[i].word != f->all[kept - 1].word)
            f->all[kept++] = f->all[i];
    f->n = kept;
}

/* Candidates are by word, so ties go to the smaller number. */
static bool comes_before(const finder *f, uint32_t a, uint32_t b)
{
    return f->score[a] > f->score[b] || (f->score[a] == f->score[b] && a < b);
}

static void sink(const finder *f, uint32_t *heap, uint32_t n, uint32_t item)
{
    uint32_t at = 0;
    for (;;) {
        uint32_t child = 2 * at + 1;
        if (child >= n)
            break;
        if (child + 1 < n && comes_before(f, heap[child], heap[child + 1]))
            child++;
        if (!comes_before(f, item, heap[child]))
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = item;
}

/* The first R of all candidates, in order. */
static uint32_t select_top(finder *f)
{
    uint32_t n = 0, most = f->vis->words;
    for (uint32_t i = 0; i < f->n; i++) {
        if (n == most) {
            if (comes_before(f, i, f->top[0]))
                sink(f, f->top, n, i);
            continue;
        }
        uint32_t at = n++;
        for (; at && comes_before(f, f->top[(at - 1) / 2], i); at = (at - 1) / 2)
            f->top[at] = f->top[(at - 1) / 2];
        f->top[at] = i;
    }
    for (uint32_t left = n; left > 1; left--) {
        uint32_t last = f->top[left - 1];
        f->top[left - 1] = f->top[0];
        sink(f, f->top, left - 1, last);
    }
    return n;
}

/* The grid is NumPy's arange(0, 1 + step, step). */
static void find(finder *f)
{
    double step = f->vis->lambda_step;
    uint32_t steps = (uint32_t)ceil((1 + step) / step);
    for (uint32_t s = 0; s < steps; s++) {
        double lambda = s * step;
        for (size_t i = 0; i < f->n; i++)
            f->score[i] = lambda * f->all[i].log_p + (1 - lambda) * f->all[i].log_lift;
        uint32_t n = select_top(f);
        for (uint32_t i = 0; i < n; i++) {
            candidate *best = &f->all[f->top[i]];
            if (!best->listed)
                f->out[f->found++] = f->top[i];
            best->listed = true;
        }
    }
}

static ezlda_status copy_out(const finder *f, ezlda_context *context, ez_vis_topic *out)
{
    EZ_TRY(ez_array(&out->word, context, f->found, sizeof *out->word, "relevant words"));
    EZ_TRY(ez_array(&out->log_p, context, f->found, sizeof *out->log_p, "relevant words"));
    EZ_TRY(ez_array(&out->log_lift, context, f->found, sizeof *out->log_lift, "relevant words"));
    EZ_TRY(ez_array(&out->tokens, context, f->found, sizeof *out->tokens, "relevant words"));
    for (uint32_t i = 0; i < f->found; i++) {
        const candidate *from = &f->all[f->out[i]];
        out->word[i] = from->word;
        out->log_p[i] = from->log_p;
        out->log_lift[i] = from->log_lift;
        out->tokens[i] = from->p * f->vis->topic_tokens[f->topic];
    }
    out->n = f->found;
    return EZLDA_OK;
}

ezlda_status ez_vis_relevance(const ez_vis *vis, ezlda_context *context, uint32_t topic,
                              ez_vis_topic *out)
{
    finder f = {.vis = vis, .topic = topic};
    size_t most =
        (size_t)(vis->index->start[topic + 1] - vis->index->start[topic]) + 2 * (size_t)vis->words;
    ezlda_status status;
    EZ_TRY_GOTO(ez_array(&f.all, context, most, sizeof *f.all, "words of a topic"));
    EZ_TRY_GOTO(ez_array(&f.score, context, most, sizeof *f.score, "words of a topic"));
    EZ_TRY_GOTO(ez_array(&f.top, context, vis->words, sizeof *f.top, "words of a topic"));
    EZ_TRY_GOTO(ez_array(&f.out, context, most, sizeof *f.out, "words of a topic"));
    find_candidates(&f);
    find(&f);
    status = copy_out(&f, context, out);
done:
    ez_free(f.all);
    ez_free(f.score);
    ez_free(f.top);
    ez_free(f.out);
    return status;
}
