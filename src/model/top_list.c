/* The first words and documents of a topic, best first; ties by the smaller number. */
#include "model/edits/edit_text.h"
#include "model/topic_index.h"

#include <math.h>

/* The best items so far: a heap in the caller's array, with the worst of them at the root. */
typedef struct top_heap {
    ezlda_scored *item;
    size_t n, capacity;
} top_heap;

static int comes_before(const ezlda_scored *a, const ezlda_scored *b)
{
    return a->score > b->score || (a->score == b->score && a->id < b->id);
}

/* Puts an item at the root of the first n and moves it down below all worse ones. */
static void sink(ezlda_scored *heap, size_t n, ezlda_scored item)
{
    size_t at = 0;
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= n)
            break;
        if (child + 1 < n && comes_before(&heap[child], &heap[child + 1]))
            child++;
        if (!comes_before(&item, &heap[child]))
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = item;
}

static void offer(top_heap *top, const ezlda_scored *item)
{
    if (top->n == top->capacity) {
        if (top->n && comes_before(item, &top->item[0]))
            sink(top->item, top->n, *item);
        return;
    }
    size_t at = top->n++;
    for (; at && comes_before(&top->item[(at - 1) / 2], item); at = (at - 1) / 2)
        top->item[at] = top->item[(at - 1) / 2];
    top->item[at] = *item;
}

static void sort(top_heap *top)
{
    for (size_t n = top->n; n > 1; n--) {
        ezlda_scored last = top->item[n - 1];
        top->item[n - 1] = top->item[0];
        sink(top->item, n - 1, last);
    }
}

static ezlda_status check_request(const ezlda_model *model, ezlda_context *context, uint32_t topic,
                                  const ezlda_scored *out, size_t n, size_t *written)
{
    if (!model || !written || (!out && n))
        return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                       "expected a model and room for the result, found NULL");
    *written = 0;
    if (topic >= model->meta->topics)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT, "topic %u: expected one below %u", topic,
                       model->meta->topics);
    return EZLDA_OK;
}

static ezlda_status check_order(ezlda_context *context, ezlda_word_order order, double lambda)
{
    if (order != EZLDA_BY_PROBABILITY && order != EZLDA_BY_RELEVANCE && order != EZLDA_BY_LIFT)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                       "order %d: expected probability, relevance or lift", (int)order);
    if (order == EZLDA_BY_RELEVANCE && !(lambda >= 0 && lambda <= 1))
        return ez_fail(context, EZLDA_ERROR_ARGUMENT, "lambda %g: expected 0 to 1", lambda);
    return EZLDA_OK;
}

/* phi = p(word|topic), p = p(word). */
static double word_score(ezlda_word_order order, double lambda, double phi, double p)
{
    if (order == EZLDA_BY_RELEVANCE)
        return lambda * log(phi) + (1 - lambda) * log(phi / p);
    return order == EZLDA_BY_LIFT ? phi / p : phi;
}

static ezlda_scored score_word(const ezlda_model *model, uint32_t word, double probability,
                               ezlda_word_order order, double lambda, double tokens)
{
    return (ezlda_scored){
        .id = word,
        .probability = probability,
        .score = word_score(order, lambda, probability, (double)model->word_tokens[word] / tokens)};
}

ezlda_status ezlda_model_top_words(ezlda_scored *out, size_t n, size_t *written,
                                   ezlda_context *context, const ezlda_model *model, uint32_t topic,
                                   ezlda_word_order order, double lambda)
{
    ez_clear(context);
    const ez_topic_index *index;
    EZ_TRY(check_request(model, context, topic, out, n, written));
    EZ_TRY(check_order(context, order, lambda));
    EZ_TRY(ez_model_index(model, context, EZ_INDEX_WORDS, &index));
    const ez_phi *phi = &model->phi;
    double total = ez_phi_total(phi, topic), tokens = (double)model->meta->tokens;
    uint32_t head[EZ_FIRST_WORDS];
    size_t first =
        ez_edits_first(model->edits, topic, head, n < EZ_FIRST_WORDS ? n : EZ_FIRST_WORDS);
    top_heap top = {out ? out + first : out, 0, n - first};
    for (uint64_t i = index->start[topic]; i < index->start[topic + 1]; i++) {
        if (ez_edits_word(model->edits, topic, index->row[i]))
            continue;
        ezlda_scored item = score_word(
            model, index->row[i], (ez_index_count(index, i, &phi->rows, topic) + phi->beta) / total,
            order, lambda, tokens);
        offer(&top, &item);
    }
    sort(&top);
    for (size_t i = 0; i < first; i++)
        out[i] = score_word(model, head[i],
                            (ez_rows_find(&phi->rows, head[i], topic) + phi->beta) / total, order,
                            lambda, tokens);
    top.n += first;
    for (size_t i = 0; i < top.n; i++)
        out[i].count = ez_rows_find(&model->word_rows, out[i].id, topic);
    *written = top.n;
    return EZLDA_OK;
}

ezlda_status ezlda_model_top_docs(ezlda_scored *out, size_t n, size_t *written,
                                  ezlda_context *context, const ezlda_model *model, uint32_t topic)
{
    ez_clear(context);
    const ez_topic_index *index;
    EZ_TRY(check_request(model, context, topic, out, n, written));
    EZ_TRY(ez_model_index(model, context, EZ_INDEX_DOCS, &index));
    top_heap top = {out, 0, n};
    for (uint64_t i = index->start[topic]; i < index->start[topic + 1]; i++) {
        ezlda_scored item = {.id = index->row[i],
                             .count = ez_index_count(index, i, &model->doc_rows, topic)};
        double length = (double)ezlda_model_doc_tokens(model, item.id);
        item.probability = ((double)item.count + model->alpha[topic]) / (length + model->alpha_sum);
        item.score = item.probability;
        offer(&top, &item);
    }
    sort(&top);
    *written = top.n;
    return EZLDA_OK;
}
