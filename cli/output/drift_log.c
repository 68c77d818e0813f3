/* Writes the tokens and the words of every topic before and after an update. */
#include "output/drift_log.h"

#include "cli.h"
#include "output/json_out.h"
#include "output/output_path.h"
#include "output/text_out.h"
#include "output/text_table.h"
#include "platform.h"

#include <stdlib.h>
#include <string.h>

enum { WORDS = 10, MOST_PRINTED = 5 };

typedef struct first_words {
    const ezlda_model *model;
    ezlda_scored word[WORDS];
    size_t n;
} first_words;

static bool has(const first_words *list, const char *word)
{
    for (size_t i = 0; i < list->n; i++)
        if (strcmp(ezlda_model_word(list->model, (uint32_t)list->word[i].id), word) == 0)
            return true;
    return false;
}

/* The words of one list that the other does not have. */
static void put_difference(json_out *json, const char *key, const first_words *of,
                           const first_words *without)
{
    json_key(json, key);
    json_open(json, '[', false);
    for (size_t i = 0; i < of->n; i++) {
        const char *word = ezlda_model_word(of->model, (uint32_t)of->word[i].id);
        if (!has(without, word))
            json_string(json, word);
    }
    json_close(json, ']');
}

/* Tokens of each topic in the model's documents; freed with free. */
static uint64_t *document_tokens(const ezlda_model *model, const ezlda_model_info *info)
{
    uint64_t *sum = cli_zeroed(info->topics, sizeof *sum);
    uint32_t *topic = cli_zeroed(info->topics, sizeof *topic),
             *count = cli_zeroed(info->topics, sizeof *count);
    for (uint64_t d = 0; d < info->docs; d++) {
        size_t n = ezlda_model_doc_topics(model, d, topic, count, info->topics);
        for (size_t i = 0; i < n; i++)
            sum[topic[i]] += count[i];
    }
    free(topic);
    free(count);
    return sum;
}

static ezlda_status read_words(ezlda_context *context, first_words *words, uint32_t topic)
{
    return ezlda_model_top_words(words->word, WORDS, &words->n, context, words->model, topic,
                                 EZLDA_BY_PROBABILITY, 1);
}

static ezlda_status put_topic(FILE *file, ezlda_context *context, first_words *before,
                              first_words *after, uint32_t topic, uint64_t tokens_new,
                              double change)
{
    json_out json = {.file = file};
    first_words *both[] = {before, after};
    for (int i = 0; i < 2; i++) {
        ezlda_status status = read_words(context, both[i], topic);
        if (status != EZLDA_OK)
            return status;
    }
    json_open(&json, '{', false);
    json_put_u64(&json, "topic", topic);
    if (*ezlda_model_topic_name(after->model, topic))
        json_put_string(&json, "name", ezlda_model_topic_name(after->model, topic));
    json_put_u64(&json, "tokens_before", ezlda_model_topic_tokens(before->model)[topic]);
    json_put_u64(&json, "tokens_after", ezlda_model_topic_tokens(after->model)[topic]);
    json_put_u64(&json, "tokens_new", tokens_new);
    json_put_real(&json, "change", change);
    put_difference(&json, "came_in", after, before);
    put_difference(&json, "fell_out", before, after);
    json_close(&json, '}');
    return EZLDA_OK;
}

/* The topic that changed most and is not hidden; `topics`: none changed. */
static uint32_t most_changed(const ezlda_model *model, const double *change, uint32_t topics)
{
    uint32_t most = topics;
    for (uint32_t k = 0; k < topics; k++)
        if (change[k] > 0 && !ezlda_model_topic_hidden(model, k) &&
            (most == topics || change[k] > change[most]))
            most = k;
    return most;
}

static void put_row(cli_table *table, const first_words *was, const first_words *is, uint32_t topic,
                    double change)
{
    cli_text words = {0};
    for (size_t i = 0; i < is->n; i++) {
        const char *word = ezlda_model_word(is->model, (uint32_t)is->word[i].id);
        if (!has(was, word))
            text_printf(&words, "%s%s", words.n ? " " : "", word);
    }
    table_cell(table, "%u", topic);
    table_cell(table, "%.3f", change);
    table_string(table, words.n ? words.data : "-");
    text_free(&words);
}

ezlda_status drift_print(ezlda_context *context, const ezlda_model *before,
                         const ezlda_model *after)
{
    static const cli_column columns[] = {
        {"topic", true, 0}, {"change", true, 0}, {"words that came in", false, 0}};
    ezlda_model_info info = {.size = sizeof info};
    ezlda_model_get_info(after, &info);
    first_words was = {.model = before}, is = {.model = after};
    double *change = cli_zeroed(info.topics, sizeof *change);
    ezlda_status status = ezlda_model_drift(change, context, before, after);
    puts("\nTopics whose words changed most (0: not at all, 1: other words):");
    cli_table *table = table_open(columns, 3);
    for (int i = 0; i < MOST_PRINTED && status == EZLDA_OK; i++) {
        uint32_t topic = most_changed(after, change, info.topics);
        if (topic == info.topics)
            break;
        status = read_words(context, &was, topic);
        if (status == EZLDA_OK)
            status = read_words(context, &is, topic);
        if (status == EZLDA_OK)
            put_row(table, &was, &is, topic, change[topic]);
        change[topic] = -1;
    }
    table_close(table);
    free(change);
    return status;
}

int drift_log_write(const char *path, ezlda_context *context, const ezlda_model *before,
                    const ezlda_model *after)
{
    ezlda_model_info info = {.size = sizeof info};
    ezlda_model_get_info(after, &info);
    first_words was = {.model = before}, is = {.model = after};
    double *change = cli_zeroed(info.topics, sizeof *change);
    uint64_t *added = document_tokens(after, &info);
    platform_memory memory = {0};
    ezlda_status status = ezlda_model_drift(change, context, before, after);
    bool open = platform_memory_open(&memory);
    for (uint32_t k = 0; open && k < info.topics && status == EZLDA_OK; k++)
        if (!ezlda_model_topic_hidden(after, k))
            status = put_topic(memory.file, context, &was, &is, k, added[k], change[k]);
    bool complete = open && platform_memory_close(&memory);
    int exit_status = status != EZLDA_OK ? cli_fail_library(context, status)
                      : complete         ? output_write(path, memory.bytes, memory.n)
                                         : cli_fail("not enough memory");
    free(memory.bytes);
    free(change);
    free(added);
    return exit_status;
}
