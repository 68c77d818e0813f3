/* Computes the expected counts of topics and words, the order of topics and the salient words. */
#include "export/vis_terms.h"

#include "base/memory.h"
#include "export/export.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A number and its sort key. */
typedef struct ranked {
    double key;
    uint32_t id;
} ranked;

static int by_key(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->id > y->id) - (x->id < y->id);
}

/* Sets ids to the numbers 0 .. n-1 by rising key (ties: by number), of which the first `most` are
 * kept. */
static ezlda_status rank(ezlda_context *context, uint32_t *ids, const double *key, double sign,
                         uint32_t n, uint32_t most)
{
    ranked *all;
    EZ_TRY(ez_array(&all, context, n, sizeof *all, "an order"));
    for (uint32_t i = 0; i < n; i++)
        all[i] = (ranked){sign * key[i], i};
    qsort(all, n, sizeof *all, by_key);
    for (uint32_t i = 0; i < most && i < n; i++)
        ids[i] = all[i].id;
    ez_free(all);
    return EZLDA_OK;
}

/* The sum over documents of length * share of the topic. */
static void count_topics(ez_vis *vis)
{
    const ezlda_model *model = vis->model;
    const ez_rows *rows = &model->doc_rows;
    double weights = 0, all = 0;
    for (uint64_t d = 0; d < rows->rows; d++) {
        double weight = (ez_doc_total(model, d) - model->alpha_sum) / ez_doc_total(model, d);
        weights += weight;
        for (uint64_t e = rows->start[d]; e < rows->start[d + 1]; e++)
            vis->topic_tokens[rows->topic[e]] += weight * ez_rows_count(rows, e);
    }
    for (uint32_t k = 0; k < model->meta->topics; k++) {
        vis->topic_tokens[k] += weights * model->alpha[k];
        vis->none[k] = model->phi.beta / ez_phi_total(&model->phi, k);
        all += vis->topic_tokens[k];
    }
    for (uint32_t k = 0; k < model->meta->topics; k++)
        vis->topic_share[k] = vis->topic_tokens[k] / all;
}

/* Sums over topics as if no word had a token; each word adds the difference its tokens make. */
typedef struct without_tokens {
    double tokens;     /* sum of p * topic_tokens */
    double p;          /* sum of p */
    double divergence; /* sum of p * log(p / share) */
} without_tokens;

static without_tokens sum_without(const ez_vis *vis)
{
    without_tokens sums = {0, 0, 0};
    for (uint32_t k = 0; k < vis->model->meta->topics; k++) {
        sums.tokens += vis->none[k] * vis->topic_tokens[k];
        sums.p += vis->none[k];
        sums.divergence += vis->none[k] * log(vis->none[k] / vis->topic_share[k]);
    }
    return sums;
}

/* The expected tokens of a word and, for its saliency, the divergence of its topics from those of
 * all words. */
static double weigh_word(ez_vis *vis, uint32_t word, const without_tokens *none)
{
    const ez_rows *rows = &vis->model->phi.rows;
    double tokens = none->tokens, sum = none->p, divergence = none->divergence;
    for (uint64_t e = rows->start[word]; e < rows->start[word + 1]; e++) {
        uint32_t k = rows->topic[e];
        double more = ez_rows_count(rows, e) / ez_phi_total(&vis->model->phi, k),
               p = vis->none[k] + more;
        tokens += more * vis->topic_tokens[k];
        sum += more;
        divergence += p * log(p / vis->topic_share[k]) -
                      vis->none[k] * log(vis->none[k] / vis->topic_share[k]);
    }
    vis->word_tokens[word] = tokens;
    return divergence / sum - log(sum);
}

static ezlda_status weigh_words(ez_vis *vis, ezlda_context *context)
{
    uint32_t words = vis->model->meta->words;
    without_tokens none = sum_without(vis);
    double *saliency;
    EZ_TRY(ez_array(&saliency, context, words, sizeof *saliency, "saliencies"));
    for (uint32_t v = 0; v < words; v++) {
        saliency[v] = weigh_word(vis, v, &none);
        saliency[v] *= vis->word_tokens[v]; /* p(word), up to a factor */
        vis->all_tokens += vis->word_tokens[v];
    }
    ezlda_status status = rank(context, vis->salient, saliency, -1, words, vis->words);
    if (status == EZLDA_OK)
        status = rank(context, vis->rare, vis->word_tokens, 1, words, words);
    ez_free(saliency);
    return status;
}

static ezlda_status find_relevant(ez_vis *vis, ezlda_context *context)
{
    ezlda_status status = EZLDA_OK;
#pragma omp parallel for schedule(dynamic, 1) num_threads(ez_threads(context))
    for (uint32_t k = 0; k < vis->model->meta->topics; k++) {
        ezlda_status mine = ez_vis_relevance(vis, context, k, &vis->topic[k]);
        if (mine != EZLDA_OK) {
#pragma omp critical(ez_vis_status)
            status = mine;
        }
    }
    return status;
}

ezlda_status ez_vis_make(ez_vis *vis, ezlda_context *context, const ezlda_model *model,
                         uint32_t words, double lambda_step)
{
    uint32_t topics = model->meta->topics;
    *vis = (ez_vis){.model = model, .words = words, .lambda_step = lambda_step};
    EZ_TRY(ez_model_index(model, context, EZ_INDEX_WORDS, &vis->index));
    EZ_TRY(ez_array_zero(&vis->topic_tokens, context, topics, sizeof *vis->topic_tokens, "topics"));
    EZ_TRY(ez_array(&vis->topic_share, context, topics, sizeof *vis->topic_share, "topics"));
    EZ_TRY(ez_array(&vis->none, context, topics, sizeof *vis->none, "topics"));
    EZ_TRY(ez_array(&vis->order, context, topics, sizeof *vis->order, "topics"));
    EZ_TRY(ez_array(&vis->word_tokens, context, model->meta->words, sizeof *vis->word_tokens,
                    "words"));
    EZ_TRY(ez_array(&vis->rare, context, model->meta->words, sizeof *vis->rare, "words"));
    EZ_TRY(ez_array(&vis->salient, context, words, sizeof *vis->salient, "words"));
    EZ_TRY(ez_array_zero(&vis->topic, context, topics, sizeof *vis->topic, "topics"));
    count_topics(vis);
    EZ_TRY(rank(context, vis->order, vis->topic_share, -1, topics, topics));
    EZ_TRY(weigh_words(vis, context));
    return find_relevant(vis, context);
}

void ez_vis_free(ez_vis *vis)
{
    for (uint32_t k = 0; vis->topic && k < vis->model->meta->topics; k++) {
        ez_free(vis->topic[k].word);
        ez_free(vis->topic[k].log_p);
        ez_free(vis->topic[k].log_lift);
        ez_free(vis->topic[k].tokens);
    }
    ez_free(vis->topic_tokens);
    ez_free(vis->topic_share);
    ez_free(vis->none);
    ez_free(vis->order);
    ez_free(vis->word_tokens);
    ez_free(vis->rare);
    ez_free(vis->salient);
    ez_free(vis->topic);
}
