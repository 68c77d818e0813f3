/* Orders topics by size, and lists them with their top words. */
#include "output/topic_list.h"

#include "cli.h"
#include "output/text_table.h"

#include <stdlib.h>

typedef struct sized_topic {
    uint64_t tokens;
    uint32_t topic;
} sized_topic;

static int larger_first(const void *a, const void *b)
{
    const sized_topic *x = a, *y = b;
    if (x->tokens != y->tokens)
        return x->tokens < y->tokens ? 1 : -1;
    return x->topic < y->topic ? -1 : x->topic > y->topic;
}

uint32_t *topics_by_size(const ezlda_model *model)
{
    ezlda_model_info info = {.size = sizeof info};
    ezlda_model_get_info(model, &info);
    const uint64_t *tokens = ezlda_model_topic_tokens(model);
    sized_topic *sized = cli_zeroed(info.topics, sizeof *sized);
    uint32_t *order = cli_zeroed(info.topics, sizeof *order);
    for (uint32_t k = 0; k < info.topics; k++)
        sized[k] = (sized_topic){tokens[k], k};
    qsort(sized, info.topics, sizeof *sized, larger_first);
    for (uint32_t k = 0; k < info.topics; k++)
        order[k] = sized[k].topic;
    free(sized);
    return order;
}

size_t topics_shown(const ezlda_model *model, uint32_t *topics, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (!ezlda_model_topic_hidden(model, topics[i]))
            topics[kept++] = topics[i];
    return kept;
}

void topic_name(const ezlda_model *model, uint32_t topic, cli_text *line)
{
    const char *name = ezlda_model_topic_name(model, topic),
               *group = ezlda_model_topic_group(model, topic);
    text_clear(line);
    text_shown(line, name);
    if (*group) {
        text_put(line, " (", *name ? 2 : 0);
        text_shown(line, group);
        text_put(line, ")", *name ? 1 : 0);
    }
}

bool topics_have_names(const ezlda_model *model)
{
    ezlda_model_info info = {.size = sizeof info};
    ezlda_model_get_info(model, &info);
    for (uint32_t k = 0; k < info.topics; k++)
        if (*ezlda_model_topic_name(model, k) || *ezlda_model_topic_group(model, k))
            return true;
    return false;
}

double topic_share(const ezlda_model *model, uint32_t topic)
{
    ezlda_model_info info = {.size = sizeof info};
    ezlda_model_get_info(model, &info);
    return info.tokens ? (double)ezlda_model_topic_tokens(model)[topic] / (double)info.tokens : 0;
}

ezlda_status topic_words(const ezlda_model *model, ezlda_context *context, uint32_t topic,
                         ezlda_word_order order, double lambda, size_t n, cli_text *line)
{
    ezlda_scored *words = cli_zeroed(n, sizeof *words);
    size_t written = 0;
    ezlda_status status =
        ezlda_model_top_words(words, n, &written, context, model, topic, order, lambda);
    text_clear(line);
    for (size_t i = 0; status == EZLDA_OK && i < written; i++) {
        text_put(line, " ", i ? 1 : 0);
        text_shown(line, ezlda_model_word(model, (uint32_t)words[i].id));
    }
    free(words);
    return status;
}

static const cli_column largest_columns[] = {
    {"topic", true, 0}, {"share", true, 0}, {"name", false, 0}, {"words", false, 0}};
static const cli_column unnamed_columns[] = {
    {"topic", true, 0}, {"share", true, 0}, {"words", false, 0}};

void topic_list_largest(const ezlda_model *model, ezlda_context *context, uint32_t n, size_t words)
{
    ezlda_model_info info = {.size = sizeof info};
    ezlda_model_get_info(model, &info);
    uint32_t *order = topics_by_size(model);
    size_t shown = topics_shown(model, order, info.topics);
    bool named = topics_have_names(model);
    cli_table *table = table_open(named ? largest_columns : unnamed_columns, named ? 4 : 3);
    cli_text line = {0}, name = {0};
    for (uint32_t i = 0; i < n && i < shown; i++) {
        if (topic_words(model, context, order[i], EZLDA_BY_PROBABILITY, 1, words, &line) !=
            EZLDA_OK)
            break;
        table_cell(table, "%u", order[i]);
        table_cell(table, "%.1f %%", 100 * topic_share(model, order[i]));
        topic_name(model, order[i], &name);
        if (named)
            table_safe(table, name.data ? name.data : "");
        table_safe(table, line.data);
    }
    table_close(table);
    text_free(&name);
    text_free(&line);
    free(order);
}
