/* Matches the topics of two models one to one by similarity, and collects pairs, topics without a
 * partner and their words. */
#include "compare/models_match.h"

#include "base/memory.h"
#include "base/options_struct.h"
#include "compare/shared_words.h"
#include "model/model_layout.h"

#include <stdbool.h>
#include <string.h>

enum { MATCH_WORDS_MOST = 1000000 };

struct ezlda_match {
    ezlda_match_info info;
    ezlda_topic_pair *pairs;
    ezlda_lone_topic *alone[2]; /* topics of a and of b without a partner */
};

void ezlda_match_options_init_sized(ezlda_match_options *options, size_t size)
{
    ezlda_match_options defaults = {.size = sizeof defaults, .threshold = 0.4, .words = 10};
    ez_options_init(options, size, &defaults, sizeof defaults);
}

void ezlda_match_free(ezlda_match *match)
{
    if (!match)
        return;
    ez_free(match->pairs);
    ez_free(match->alone[0]);
    ez_free(match->alone[1]);
    ez_free(match);
}

void ezlda_match_get_info(const ezlda_match *match, ezlda_match_info *info)
{
    ezlda_match_info full = match->info;
    ez_struct_write(info, &full, sizeof full);
}

const ezlda_topic_pair *ezlda_match_pairs(const ezlda_match *match)
{
    return match->pairs;
}

const ezlda_lone_topic *ezlda_match_alone(const ezlda_match *match, ezlda_match_side side)
{
    return side == EZLDA_OF_A || side == EZLDA_OF_B ? match->alone[side] : NULL;
}

/* ---- matching ---- */

/* The model with fewer topics is in the rows, because every row gets a column; `side` says which of
 * the two models that is. */
typedef struct matching {
    const ezlda_model *model[2]; /* the models of the rows and of the columns */
    ezlda_match_side side[2];
    uint32_t topics[2];
    ez_common_words common;
    uint32_t *table;           /* similarities; 0 with a hidden topic, which has no partner */
    uint32_t *partner[2];      /* or NO_TOPIC */
    ezlda_lone_topic *near[2]; /* for each topic the nearest of the other model */
} matching;

#define NO_TOPIC UINT32_MAX

static bool is_hidden(const matching *m, int i, uint32_t topic)
{
    return ezlda_model_topic_hidden(m->model[i], topic);
}

static void matching_free(matching *m)
{
    ez_free(m->common.in_b);
    ez_free(m->table);
    for (int i = 0; i < 2; i++) {
        ez_free(m->partner[i]);
        ez_free(m->near[i]);
    }
}

static ezlda_status matching_init(matching *m, ezlda_context *context, const ezlda_model *a,
                                  const ezlda_model *b)
{
    bool swapped = a->meta->topics > b->meta->topics;
    *m = (matching){.model = {swapped ? b : a, swapped ? a : b}};
    size_t cells;
    for (int i = 0; i < 2; i++) {
        m->side[i] = swapped == (i == 0) ? EZLDA_OF_B : EZLDA_OF_A;
        m->topics[i] = m->model[i]->meta->topics;
        EZ_TRY(ez_array(&m->partner[i], context, m->topics[i], sizeof *m->partner[i],
                        "partners of topics"));
        EZ_TRY(ez_array_zero(&m->near[i], context, m->topics[i], sizeof *m->near[i],
                             "neighbours of topics"));
    }
    if (!ez_mul_size(m->topics[0], m->topics[1], &cells))
        return ez_fail(context, EZLDA_ERROR_MEMORY, "not enough memory to compare %u and %u topics",
                       m->topics[0], m->topics[1]);
    EZ_TRY(ez_common_words_find(&m->common, context, m->model[0], m->model[1]));
    EZ_TRY(ez_array(&m->table, context, cells, sizeof *m->table, "similarities of topics"));
    return ez_topic_similarities(m->table, context, m->model[0], m->model[1], &m->common);
}

static void note_near(ezlda_lone_topic *near, uint32_t other, uint32_t similarity)
{
    double s = (double)similarity / EZ_SAME;
    if (near->nearest == NO_TOPIC || s > near->similarity) {
        near->nearest = other;
        near->similarity = s;
    }
}

/* Notes the nearest topics (ties: the smaller number). Then similarities below the threshold become
 * 0, so that no pair is given up for one that does not count. */
static void weigh(matching *m, uint32_t threshold)
{
    for (int i = 0; i < 2; i++)
        for (uint32_t k = 0; k < m->topics[i]; k++)
            m->near[i][k] = (ezlda_lone_topic){.topic = k, .nearest = NO_TOPIC};
    for (uint32_t i = 0; i < m->topics[0]; i++) {
        uint32_t *row = m->table + (size_t)i * m->topics[1];
        for (uint32_t j = 0; j < m->topics[1]; j++) {
            bool hidden[] = {is_hidden(m, 0, i), is_hidden(m, 1, j)};
            if (!hidden[1])
                note_near(&m->near[0][i], j, row[j]);
            if (!hidden[0])
                note_near(&m->near[1][j], i, row[j]);
            if (hidden[0] || hidden[1] || row[j] < threshold)
                row[j] = 0;
        }
    }
}

static void drop_weak(matching *m, uint32_t threshold)
{
    for (uint32_t j = 0; j < m->topics[1]; j++)
        m->partner[1][j] = NO_TOPIC;
    for (uint32_t i = 0; i < m->topics[0]; i++) {
        uint32_t j = m->partner[0][i];
        if (m->table[(size_t)i * m->topics[1] + j] < threshold || is_hidden(m, 0, i) ||
            is_hidden(m, 1, j))
            m->partner[0][i] = NO_TOPIC;
        else
            m->partner[1][j] = i;
    }
}

/* ---- the result ---- */

static ezlda_status collect_alone(ezlda_match *match, ezlda_context *context, const matching *m,
                                  int i)
{
    ezlda_lone_topic **alone = &match->alone[m->side[i]];
    uint32_t n = 0, most = m->topics[i] - match->info.pairs;
    EZ_TRY(ez_array(alone, context, most, sizeof **alone, "topics without a partner"));
    for (uint32_t k = 0; k < m->topics[i]; k++)
        if (m->partner[i][k] == NO_TOPIC && !is_hidden(m, i, k))
            (*alone)[n++] = m->near[i][k];
    for (uint32_t k = 0; k < n; k++)
        if ((*alone)[k].nearest == NO_TOPIC) /* all topics of the other model are hidden */
            (*alone)[k].nearest = 0;
    *(m->side[i] == EZLDA_OF_A ? &match->info.alone_a : &match->info.alone_b) = n;
    return EZLDA_OK;
}

/* Collects pairs in order of a's topic numbers. */
static ezlda_status collect_pairs(ezlda_match *match, ezlda_context *context, const matching *m)
{
    int ia = m->side[0] == EZLDA_OF_A ? 0 : 1;
    uint32_t n = 0;
    EZ_TRY(ez_array(&match->pairs, context, m->topics[0], sizeof *match->pairs, "pairs of topics"));
    for (uint32_t k = 0; k < m->topics[ia]; k++) {
        uint32_t other = m->partner[ia][k];
        if (other == NO_TOPIC)
            continue;
        size_t row = ia == 0 ? k : other, col = ia == 0 ? other : k;
        double s = (double)m->table[row * m->topics[1] + col] / EZ_SAME;
        match->pairs[n++] = (ezlda_topic_pair){.a = k, .b = other, .similarity = s};
    }
    match->info.pairs = n;
    return EZLDA_OK;
}

/* Two topics without words share all of them. */
static ezlda_status compare_words(ezlda_match *match, ezlda_context *context, const matching *m,
                                  size_t words)
{
    ez_word_sharing sharing;
    ezlda_status status;
    bool swapped = m->side[0] == EZLDA_OF_B;
    if (!words)
        return EZLDA_OK;
    EZ_TRY_GOTO(
        ez_word_sharing_init(&sharing, context, m->model[0], m->model[1], &m->common, words));
    for (uint32_t i = 0; i < match->info.pairs; i++) {
        ezlda_topic_pair *pair = &match->pairs[i];
        uint32_t row = swapped ? pair->b : pair->a, col = swapped ? pair->a : pair->b, either;
        EZ_TRY_GOTO(ez_share_words(&sharing, context, row, col, &pair->shared_words, &either));
        pair->jaccard = either ? (double)pair->shared_words / either : 1;
    }
done:
    ez_word_sharing_free(&sharing);
    return status;
}

/* The mean is over pairs with tokens: topics without any are the same by definition. */
static double mean_similarity(const ezlda_match *match, const ezlda_model *a, const ezlda_model *b)
{
    double sum = 0;
    uint32_t n = 0;
    for (uint32_t i = 0; i < match->info.pairs; i++) {
        const ezlda_topic_pair *pair = &match->pairs[i];
        if (!a->topic_tokens[pair->a] && !b->topic_tokens[pair->b])
            continue;
        sum += pair->similarity;
        n++;
    }
    return n ? sum / n : 0;
}

static void fill_info(ezlda_match_info *info, const matching *m)
{
    bool swapped = m->side[0] == EZLDA_OF_B;
    const ez_common_words *common = &m->common;
    info->topics_a = m->topics[swapped];
    info->topics_b = m->topics[!swapped];
    info->words_common = common->n;
    info->words_only_a = swapped ? common->only_b : common->only_a;
    info->words_only_b = swapped ? common->only_a : common->only_b;
    info->tokens_only_a = swapped ? common->tokens_only_b : common->tokens_only_a;
    info->tokens_only_b = swapped ? common->tokens_only_a : common->tokens_only_b;
}

static ezlda_status match_topics(ezlda_match *match, ezlda_context *context, const ezlda_model *a,
                                 const ezlda_model *b, const ezlda_match_options *options)
{
    matching m;
    ezlda_status status;
    uint32_t least = (uint32_t)(options->threshold * EZ_SAME + 0.5);
    EZ_TRY_GOTO(matching_init(&m, context, a, b));
    weigh(&m, least);
    EZ_TRY_GOTO(ez_assign(context, m.table, m.topics[0], m.topics[1], m.partner[0]));
    drop_weak(&m, least);
    EZ_TRY_GOTO(collect_pairs(match, context, &m));
    EZ_TRY_GOTO(compare_words(match, context, &m, options->words));
    for (int i = 0; i < 2; i++)
        EZ_TRY_GOTO(collect_alone(match, context, &m, i));
    fill_info(&match->info, &m);
    match->info.mean_similarity = mean_similarity(match, a, b);
done:
    matching_free(&m);
    return status;
}

static ezlda_status check_options(ezlda_match_options *out, ezlda_context *context,
                                  const ezlda_match_options *options)
{
    ezlda_match_options_init(out);
    EZ_TRY(ez_options_read(out, sizeof *out, context, options, "match"));
    if (!(out->threshold >= 0 && out->threshold <= 1))
        return ez_fail(context, EZLDA_ERROR_ARGUMENT, "threshold is %g; expected 0 to 1",
                       out->threshold);
    if (out->words > MATCH_WORDS_MOST)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT, "words is %u; expected 0 to %d", out->words,
                       MATCH_WORDS_MOST);
    return EZLDA_OK;
}

ezlda_status ezlda_model_match(ezlda_match **out, ezlda_context *context, const ezlda_model *a,
                               const ezlda_model *b, const ezlda_match_options *options)
{
    ez_clear(context);
    if (!out || !a || !b)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                       "expected two models and room for the result, found NULL");
    *out = NULL;
    ezlda_match_options checked;
    ezlda_match *match = NULL;
    EZ_TRY(check_options(&checked, context, options));
    EZ_TRY(ez_array_zero(&match, context, 1, sizeof *match, "matched topics"));
    ezlda_status status = match_topics(match, context, a, b, &checked);
    if (status == EZLDA_OK)
        *out = match;
    else
        ezlda_match_free(match);
    return status;
}

ezlda_status ez_topic_stability(double *out, ezlda_context *context,
                                const ezlda_model *const *models, size_t n)
{
    if (n < 2)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                       "stability of %zu models; expected two or more", n);
    ezlda_match_options options;
    ezlda_match_options_init(&options);
    options.threshold = 0;
    options.words = 0;
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = i + 1; j < n; j++) {
            ezlda_match *match;
            EZ_TRY(ezlda_model_match(&match, context, models[i], models[j], &options));
            sum += match->info.mean_similarity;
            ezlda_match_free(match);
        }
    }
    *out = sum / ((double)n * (double)(n - 1) / 2);
    return EZLDA_OK;
}
