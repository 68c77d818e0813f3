/* Computes the weights of topics and words, and the probability of a word in a document. */
#include "eval/topic_weights.h"

#include "model/model_layout.h"

#include <math.h>

static void make_rates(ez_topic_weights *weights, const uint64_t *topic_tokens)
{
    double vocabulary = (double)weights->words * weights->beta, sum = 0;
    for (uint32_t k = 0; k < weights->topics; k++) {
        weights->rate[k] = 1 / ((double)topic_tokens[k] + vocabulary);
        sum += weights->alpha[k] * weights->rate[k];
    }
    weights->smooth = weights->beta * sum;
}

static double alpha_part(const ez_topic_weights *weights, uint32_t word)
{
    const ez_rows *rows = weights->rows;
    double sum = weights->smooth;
    for (uint64_t i = rows->start[word]; i < rows->start[word + 1]; i++) {
        uint32_t k = rows->topic[i];
        sum += weights->alpha[k] * weights->rate[k] * ez_rows_count(rows, i);
    }
    return sum;
}

static void make_words(ez_topic_weights *weights, ezlda_context *context, const ezlda_model *model)
{
    double beta = model->meta->beta;
    double all = (double)model->meta->tokens + (double)weights->words * beta;
#pragma omp parallel for schedule(dynamic, 256) num_threads(ez_threads(context))
    for (uint32_t w = 0; w < weights->words; w++) {
        weights->alpha_part[w] = alpha_part(weights, w);
        weights->unigram[w] = log(((double)model->word_tokens[w] + beta) / all);
    }
}

ezlda_status ez_topic_weights_make(ez_topic_weights *weights, ezlda_context *context,
                                   const ezlda_model *model)
{
    const ez_model_meta *meta = model->meta;
    *weights = (ez_topic_weights){
        .rows = &model->phi.rows,
        .topics = meta->topics,
        .words = meta->words,
        .beta = model->phi.beta,
        .alpha_sum = model->alpha_sum,
        .alpha = model->alpha,
    };
    EZ_TRY(
        ez_array(&weights->rate, context, weights->topics, sizeof *weights->rate, "topic weights"));
    EZ_TRY(ez_array(&weights->alpha_part, context, weights->words, sizeof *weights->alpha_part,
                    "word weights"));
    EZ_TRY(ez_array(&weights->unigram, context, weights->words, sizeof *weights->unigram,
                    "word weights"));
    make_rates(weights, model->phi.topic_tokens);
    make_words(weights, context, model);
    return EZLDA_OK;
}

void ez_topic_weights_free(ez_topic_weights *weights)
{
    ez_free(weights->rate);
    ez_free(weights->alpha_part);
    ez_free(weights->unigram);
    *weights = (ez_topic_weights){0};
}

/* The first entry from `at` on whose topic is at least k, found in doubling steps: cheap if it is
 * near. */
static uint64_t seek(const uint16_t *topic, uint64_t at, uint64_t end, uint32_t k)
{
    uint64_t step = 1, low = at;
    while (at < end && topic[at] < k) {
        low = at + 1;
        at = end - at > step ? at + step : end;
        step *= 2;
    }
    while (low < at) {
        uint64_t middle = low + (at - low) / 2;
        if (topic[middle] < k)
            low = middle + 1;
        else
            at = middle;
    }
    return low;
}

double ez_word_probability(const ez_topic_weights *weights, const ez_doc_weights *doc,
                           uint32_t word)
{
    const ez_rows *rows = weights->rows;
    uint64_t at = rows->start[word], end = rows->start[word + 1];
    double sum = 0;
    for (size_t i = 0; i < doc->n && at < end; i++) {
        at = seek(rows->topic, at, end, doc->topic[i]);
        if (at < end && rows->topic[at] == doc->topic[i])
            sum += doc->weight[i] * ez_rows_count(rows, at);
    }
    return (weights->alpha_part[word] + doc->beta_part + sum) / doc->total;
}
