/* How far the words of topics have moved from one model to a later one of the same topics. */
#include "base/memory.h"
#include "model/model_layout.h"
#include "model/word_map.h"

#include <math.h>

typedef struct drifting {
    const ez_phi *a, *b;
    double *change; /* topics of a */
    uint32_t topics;
} drifting;

/* The share of a topic's tokens that are of a word with this count. */
static double share(const ez_phi *phi, uint32_t topic, uint32_t count)
{
    uint64_t tokens = phi->topic_tokens[topic];
    return tokens ? (double)count / (double)tokens : 0;
}

/* What a word adds to the Jensen-Shannon divergence, in bits. */
static double divergence(double p, double q)
{
    double m = (p + q) / 2, sum = 0;
    if (p > 0)
        sum += p * log2(p / m);
    if (q > 0)
        sum += q * log2(q / m);
    return sum / 2;
}

/* Adds a word: its row in a, and in b; a word that a model does not have is UINT32_MAX. */
static void add_word(const drifting *d, uint32_t in_a, uint32_t in_b)
{
    const ez_rows *a = &d->a->rows, *b = &d->b->rows;
    uint64_t i = in_a == EZ_NO_WORD ? 0 : a->start[in_a],
             j = in_b == EZ_NO_WORD ? 0 : b->start[in_b];
    uint64_t i_end = in_a == EZ_NO_WORD ? 0 : a->start[in_a + 1],
             j_end = in_b == EZ_NO_WORD ? 0 : b->start[in_b + 1];
    while (i < i_end || j < j_end) {
        uint32_t x = i < i_end ? a->topic[i] : UINT32_MAX, y = j < j_end ? b->topic[j] : UINT32_MAX;
        uint32_t topic = x < y ? x : y, before = 0, after = 0;
        if (x == topic)
            before = ez_rows_count(a, i++);
        if (y == topic)
            after = ez_rows_count(b, j++);
        if (topic < d->topics)
            d->change[topic] += divergence(before ? share(d->a, topic, before) : 0,
                                           after ? share(d->b, topic, after) : 0);
    }
}

static ezlda_status add_words(const drifting *d, ezlda_context *context, const ezlda_model *a,
                              const ezlda_model *b)
{
    ez_word_index index = {0};
    bool *seen = NULL;
    ezlda_status status;
    EZ_TRY_GOTO(ez_word_index_make(&index, context, a));
    EZ_TRY_GOTO(ez_array_zero(&seen, context, a->meta->words, sizeof *seen, "words"));
    for (uint32_t v = 0; v < b->meta->words; v++) {
        uint32_t was = ez_word_index_find(&index, ezlda_model_word(b, v));
        if (was != EZ_NO_WORD)
            seen[was] = true;
        add_word(d, was, v);
    }
    for (uint32_t v = 0; v < a->meta->words; v++)
        if (!seen[v])
            add_word(d, v, EZ_NO_WORD);
done:
    ez_word_index_free(&index);
    ez_free(seen);
    return status;
}

ezlda_status ezlda_model_drift(double *change, ezlda_context *context, const ezlda_model *before,
                               const ezlda_model *after)
{
    ez_clear(context);
    EZ_TRY(ez_needs(context, change, "room for the changes"));
    EZ_TRY(ez_needs(context, before, "a model"));
    EZ_TRY(ez_needs(context, after, "a later model"));
    if (before->meta->topics > after->meta->topics)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                       "the later model has %u topics; expected at least the %u of the other",
                       after->meta->topics, before->meta->topics);
    drifting d = {&before->phi, &after->phi, change, before->meta->topics};
    for (uint32_t k = 0; k < d.topics; k++)
        change[k] = 0;
    return add_words(&d, context, before, after);
}
