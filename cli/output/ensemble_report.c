/* Lists the topics of a consensus, those that most models have first. */
#include "output/ensemble_report.h"

#include "cli.h"
#include "output/json_out.h"
#include "output/text_table.h"
#include "output/topic_list.h"

#include <stdlib.h>

enum { WORDS = 8 };

/* Topics by the number of models that have them, the larger topic first among equals. */
static uint32_t *topics_by_found(const ezlda_model *model, uint32_t topics)
{
    const uint32_t *found = ezlda_model_found(model);
    uint32_t *order = topics_by_size(model);
    for (uint32_t i = 1; i < topics; i++) {
        uint32_t topic = order[i], at = i;
        for (; at > 0 && found[order[at - 1]] < found[topic]; at--)
            order[at] = order[at - 1];
        order[at] = topic;
    }
    return order;
}

static const cli_column columns[] = {
    {"topic", true, 0}, {"found in", true, 0}, {"share", true, 0}, {"words", false, 0}};

static void print_closing(const char *path, const ezlda_model *model, const ezlda_model_info *info)
{
    const uint32_t *found = ezlda_model_found(model);
    uint32_t all = 0, half = 0;
    cli_text line = {0};
    for (uint32_t k = 0; k < info->topics; k++) {
        all += found[k] == info->members;
        half += 2 * found[k] >= info->members;
    }
    text_shown(&line, path);
    fprintf(cli_closing(), "%s: %u topics of %u models; %u are in all models, %u in half or more\n",
            line.data, info->topics, info->members, all, half);
    text_free(&line);
}

ezlda_status ensemble_table(const char *path, const ezlda_model *model, ezlda_context *context,
                            bool tsv)
{
    ezlda_model_info info = {.size = sizeof info};
    ezlda_model_get_info(model, &info);
    const uint32_t *found = ezlda_model_found(model);
    uint32_t *order = topics_by_found(model, info.topics);
    cli_table *table = tsv ? NULL : table_open(columns, sizeof columns / sizeof *columns);
    cli_text line = {0};
    ezlda_status status = EZLDA_OK;
    if (tsv)
        puts("topic\tfound\tmembers\tshare\twords");
    for (uint32_t i = 0; i < info.topics && status == EZLDA_OK; i++) {
        uint32_t k = order[i];
        status = topic_words(model, context, k, EZLDA_BY_PROBABILITY, 1, WORDS, &line);
        if (tsv) {
            printf("%u\t%u\t%u\t%.7g\t%s\n", k, found[k], info.members, topic_share(model, k),
                   line.data ? line.data : "");
            continue;
        }
        table_cell(table, "%u", k);
        table_cell(table, "%u of %u", found[k], info.members);
        table_cell(table, "%.2f %%", 100 * topic_share(model, k));
        table_safe(table, line.data ? line.data : "");
    }
    if (!tsv) {
        table_close(table);
        print_closing(path, model, &info);
    }
    text_free(&line);
    free(order);
    return status;
}

static ezlda_status put_topic(json_out *json, const ezlda_model *model, ezlda_context *context,
                              uint32_t topic)
{
    ezlda_scored words[WORDS];
    size_t n = 0;
    ezlda_status status =
        ezlda_model_top_words(words, WORDS, &n, context, model, topic, EZLDA_BY_PROBABILITY, 1);
    json_open(json, '{', false);
    json_put_u64(json, "topic", topic);
    json_put_u64(json, "found", ezlda_model_found(model)[topic]);
    json_put_real(json, "share", topic_share(model, topic));
    json_key(json, "words");
    json_open(json, '[', false);
    for (size_t i = 0; i < n; i++)
        json_string(json, ezlda_model_word(model, (uint32_t)words[i].id));
    json_close(json, ']');
    json_close(json, '}');
    return status;
}

ezlda_status ensemble_json(const ezlda_model *model, ezlda_context *context)
{
    ezlda_model_info info = {.size = sizeof info};
    ezlda_status status = EZLDA_OK;
    ezlda_model_get_info(model, &info);
    json_out json = {.file = stdout};
    json_open(&json, '{', true);
    json_put_u64(&json, "members", info.members);
    json_put_real(&json, "threshold", info.members_threshold);
    json_key(&json, "topics");
    json_open(&json, '[', true);
    for (uint32_t k = 0; k < info.topics && status == EZLDA_OK; k++)
        status = put_topic(&json, model, context, k);
    json_close(&json, ']');
    json_close(&json, '}');
    return status;
}
