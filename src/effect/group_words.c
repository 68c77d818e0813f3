/* Counts words by topic and group in each sample, and compares the groups (Monroe, Colaresi and
 * Quinn 2008). */
#include "effect/group_words.h"

#include "numeric/portable_math.h"

#include <string.h>

void ez_group_words_free(ez_group_words *g)
{
    ez_free(g->place);
    ez_free(g->start);
    ez_free(g->word);
    ez_free(g->candidate);
    ez_free(g->count);
    ez_free(g->tokens);
    ez_free(g->mean);
    ez_free(g->square);
    ez_free(g->variance);
    ez_free(g->tokens_mean);
    ez_free(g->counts_mean);
    *g = (ez_group_words){0};
}

static ezlda_status find_candidates(ez_group_words *g, ezlda_context *context)
{
    ezlda_scored *top = NULL;
    uint32_t at = 0;
    ezlda_status status;
    EZ_TRY_GOTO(ez_array(&top, context, EZ_WORD_CANDIDATES, sizeof *top, "the words of a topic"));
    for (uint32_t t = 0; t < g->topics; t++) {
        size_t n;
        g->start[t] = at;
        EZ_TRY_GOTO(ezlda_model_top_words(top, EZ_WORD_CANDIDATES, &n, context, g->model,
                                          g->topic[t], EZLDA_BY_PROBABILITY, 1));
        for (size_t i = 0; i < n; i++, at++) {
            g->word[at] = (uint32_t)top[i].id;
            g->candidate[(size_t)t * g->n_words + top[i].id] = (uint16_t)i;
        }
    }
    g->start[g->topics] = at;
done:
    ez_free(top);
    return status;
}

ezlda_status ez_group_words_open(ez_group_words *g, ezlda_context *context,
                                 const ezlda_model *model, const uint32_t *topic, uint32_t topics,
                                 const uint16_t *group, uint32_t groups)
{
    static const char what[] = "the words of groups";
    uint32_t words = model->meta->words, all = model->meta->topics;
    size_t most = ez_product(topics, EZ_WORD_CANDIDATES);
    *g = (ez_group_words){.model = model,
                          .groups = groups,
                          .topics = topics,
                          .n_words = words,
                          .topic = topic,
                          .group = group};
    EZ_TRY(ez_array(&g->place, context, all, sizeof *g->place, what));
    memset(g->place, 0xff, all * sizeof *g->place);
    for (uint32_t t = 0; t < topics; t++)
        g->place[topic[t]] = t;
    EZ_TRY(ez_array(&g->start, context, (size_t)topics + 1, sizeof *g->start, what));
    EZ_TRY(ez_array(&g->word, context, most, sizeof *g->word, what));
    EZ_TRY(ez_array(&g->candidate, context, ez_product(topics, words), sizeof *g->candidate, what));
    memset(g->candidate, 0xff, (size_t)topics * words * sizeof *g->candidate);
    EZ_TRY(find_candidates(g, context));
    size_t cells = ez_product(groups, g->start[topics]), sums = ez_product(groups, topics);
    EZ_TRY(ez_array(&g->count, context, cells, sizeof *g->count, what));
    EZ_TRY(ez_array(&g->tokens, context, sums, sizeof *g->tokens, what));
    EZ_TRY(ez_array_zero(&g->mean, context, cells, sizeof(double), what));
    EZ_TRY(ez_array_zero(&g->square, context, cells, sizeof(double), what));
    EZ_TRY(ez_array_zero(&g->variance, context, cells, sizeof(double), what));
    EZ_TRY(ez_array_zero(&g->counts_mean, context, cells, sizeof(double), what));
    return ez_array_zero(&g->tokens_mean, context, sums, sizeof(double), what);
}

typedef struct counting {
    ez_group_words *g;
    const uint32_t *word_of;
} counting;

static void count_document(void *user, uint32_t span, const ez_chain_doc *doc)
{
    const counting *c = user;
    ez_group_words *g = c->g;
    uint32_t group = g->group[doc->doc];
    (void)span;
    if (group >= g->groups)
        return;
    for (size_t p = 0, at = 0; p < doc->pairs; p++)
        for (uint32_t i = 0; doc->known[doc->word[p]] && i < doc->count[p]; i++, at++) {
            uint32_t t = g->place[doc->topic[at]];
            if (t == UINT32_MAX)
                continue;
            uint32_t word = c->word_of[doc->word[p]];
            uint16_t place = g->candidate[(size_t)t * g->n_words + word];
#pragma omp atomic
            g->tokens[(size_t)group * g->topics + t]++;
            if (place == UINT16_MAX)
                continue;
#pragma omp atomic
            g->count[(size_t)group * g->start[g->topics] + g->start[t] + place]++;
        }
}

/* The log odds of a word in a group against the rest, in this sample. */
static void compare(ez_group_words *g, uint32_t t, uint32_t c, uint32_t group)
{
    size_t all = g->start[g->topics], cell = (size_t)group * all + c;
    double topic_tokens = 0, group_tokens = (double)g->tokens[(size_t)group * g->topics + t];
    double count = g->count[cell], others = 0;
    for (uint32_t i = 0; i < g->groups; i++) {
        topic_tokens += (double)g->tokens[(size_t)i * g->topics + t];
        others += g->count[(size_t)i * all + c];
    }
    double share = (others + 0.5) / (topic_tokens + 0.5 * (g->start[t + 1] - g->start[t] + 1));
    double prior = EZ_WORD_PRIOR * share, rest = topic_tokens - group_tokens;
    others -= count;
    double here = count + prior, there = others + prior;
    double log_odds = ez_portable_log(here / (group_tokens + EZ_WORD_PRIOR - here)) -
                      ez_portable_log(there / (rest + EZ_WORD_PRIOR - there));
    double step = log_odds - g->mean[cell];
    g->mean[cell] += step / g->samples;
    g->square[cell] += step * (log_odds - g->mean[cell]);
    g->variance[cell] += (1 / here + 1 / there - g->variance[cell]) / g->samples;
    g->counts_mean[cell] += (count - g->counts_mean[cell]) / g->samples;
}

ezlda_status ez_group_words_add(ez_group_words *g, ezlda_context *context, const ez_chain *chain)
{
    counting c = {g, ez_chain_words(chain)};
    size_t sums = (size_t)g->groups * g->topics;
    memset(g->count, 0, (size_t)g->groups * g->start[g->topics] * sizeof *g->count);
    memset(g->tokens, 0, sums * sizeof *g->tokens);
    EZ_TRY(ez_chain_visit(chain, context, count_document, &c));
    g->samples++;
    for (uint32_t t = 0; t < g->topics; t++)
        for (uint32_t i = g->start[t]; i < g->start[t + 1]; i++)
            for (uint32_t group = 0; group < g->groups; group++)
                compare(g, t, i, group);
    for (size_t i = 0; i < sums; i++)
        g->tokens_mean[i] += ((double)g->tokens[i] - g->tokens_mean[i]) / g->samples;
    return EZLDA_OK;
}

static bool before(const ezlda_group_word *a, const ezlda_group_word *b)
{
    double x = a->log_odds / a->error, y = b->log_odds / b->error;
    return x > y || (!(x < y) && a->word < b->word);
}

size_t ez_group_words_top(const ez_group_words *g, uint32_t topic, uint32_t group,
                          ezlda_group_word *out, size_t n)
{
    size_t written = 0, all = g->start[g->topics];
    double m = g->samples;
    uint32_t t = g->place[topic];
    for (uint32_t c = g->start[t]; c < g->start[t + 1]; c++) {
        size_t cell = (size_t)group * all + c, at;
        double between = m > 1 ? (1 + 1 / m) * g->square[cell] / (m - 1) : 0;
        ezlda_group_word word = {g->word[c], g->counts_mean[cell], g->mean[cell],
                                 sqrt(g->variance[cell] + between)};
        if (word.tokens < 1 || word.log_odds <= 0 || n == 0)
            continue;
        if (written < n)
            written++;
        else if (!before(&word, &out[n - 1]))
            continue;
        for (at = written - 1; at > 0 && before(&word, &out[at - 1]); at--)
            out[at] = out[at - 1];
        out[at] = word;
    }
    return written;
}
