/* ezlda topics: prints the top words of topics. */
#include "cli.h"
#include "options/list_options.h"
#include "options/number_list.h"
#include "output/json_out.h"
#include "output/text_out.h"
#include "output/text_table.h"
#include "output/topic_list.h"

#include <stdio.h>
#include <stdlib.h>

typedef enum topics_sort { SORT_NUMBER, SORT_SHARE } topics_sort;

typedef struct topics_settings {
    cli_common common;
    ezlda_word_order by;
    double lambda;
    uint32_t words;
    const char *topic;
    topics_sort sort;
    list_settings list;
} topics_settings;

static const char *const orders[] = {"probability", "relevance", "lift", NULL};
static const char *const sorts[] = {"number", "share", NULL};

#define SETTING(field) .target = offsetof(topics_settings, field)

static const cli_option topics_options[] = {
    {.name = "words",
     .letter = 'n',
     .type = CLI_U32,
     .argument = "N",
     SETTING(words),
     .least = 1,
     .most = 1000000,
     .help = "words per topic"},
    {.name = "by",
     .type = CLI_CHOICE,
     .argument = "ORDER",
     SETTING(by),
     .choices = orders,
     .help = "order of the words: by p(word | topic), by relevance (see --lambda), or by lift, "
             "p(word | topic) / p(word)"},
    {.name = "lambda",
     .type = CLI_REAL,
     .argument = "L",
     SETTING(lambda),
     .most = 1,
     .help =
         "order by relevance, L*log p(word | topic) + (1-L)*log lift; 1 is probability, 0 is lift"},
    {.name = "topic",
     .letter = 't',
     .type = CLI_TEXT,
     .argument = "T,...",
     SETTING(topic),
     .unset = "all",
     .help = "show only these topics, with the figures of each word: numbers from 0 and ranges, as "
             "3,7-9"},
    {.name = "sort",
     .type = CLI_CHOICE,
     .argument = "ORDER",
     SETTING(sort),
     .choices = sorts,
     .help = "order of the topics: by number, or the largest share of the tokens first"},
    {0}};

static const cli_section topics_sections[] = {{"Topics", topics_options, 0},
                                              {"", list_options, offsetof(topics_settings, list)},
                                              {"General", cli_common_options, 0},
                                              {0}};

static void topics_defaults(void *target)
{
    topics_settings *settings = target;
    settings->words = 10;
    settings->lambda = 0.6;
}

/* ---- outputs ---- */

/* What all outputs need: the model, its topics in the order asked for, memory for the words of one
 * topic. */
typedef struct topics_view {
    const ezlda_model *model;
    ezlda_context *context;
    const topics_settings *settings;
    uint32_t *topics;
    size_t n_topics;
    ezlda_scored *words;
    size_t n_words;
} topics_view;

static ezlda_status load_words(topics_view *view, uint32_t topic)
{
    const topics_settings *s = view->settings;
    return ezlda_model_top_words(view->words, s->words, &view->n_words, view->context, view->model,
                                 topic, s->by, s->lambda);
}

static const char *word_of(const topics_view *view, size_t i)
{
    return ezlda_model_word(view->model, (uint32_t)view->words[i].id);
}

/* The models that a consensus was made of. */
static uint32_t members_of(const ezlda_model *model)
{
    ezlda_model_info info = {.size = sizeof info};
    ezlda_model_get_info(model, &info);
    return info.members;
}

static ezlda_status print_overview(topics_view *view)
{
    bool named = topics_have_names(view->model);
    const uint32_t *found = ezlda_model_found(view->model);
    cli_column columns[6] = {{"topic", true, 0}, {"share", true, 0}, {"tokens", true, 0}};
    size_t n = 3;
    if (found)
        columns[n++] = (cli_column){"found in", true, 0};
    if (named)
        columns[n++] = (cli_column){"name", false, 0};
    columns[n++] = (cli_column){"words", false, 0};
    cli_table *table = table_open(columns, n);
    cli_text line = {0}, name = {0};
    char count[32];
    ezlda_status status = EZLDA_OK;
    const topics_settings *s = view->settings;
    for (size_t i = 0; i < view->n_topics && !ferror(stdout); i++) {
        uint32_t topic = view->topics[i];
        status = topic_words(view->model, view->context, topic, s->by, s->lambda, s->words, &line);
        if (status != EZLDA_OK)
            break;
        table_cell(table, "%u", topic);
        table_cell(table, "%.2f %%", 100 * topic_share(view->model, topic));
        table_cell(table, "%s", text_count(ezlda_model_topic_tokens(view->model)[topic], count));
        if (found)
            table_cell(table, "%u of %u", found[topic], members_of(view->model));
        topic_name(view->model, topic, &name);
        if (named)
            table_safe(table, name.data ? name.data : "");
        table_safe(table, line.data);
    }
    table_close(table);
    text_free(&name);
    text_free(&line);
    return status;
}

static void print_topic(topics_view *view, uint32_t topic)
{
    const cli_column columns[] = {{"word", false, 60},
                                  {"tokens", true, 0},
                                  {"p(word | topic)", true, 0},
                                  {orders[view->settings->by], true, 0}};
    char count[32];
    cli_text name = {0};
    topic_name(view->model, topic, &name);
    printf("topic %u%s%s: %s tokens, %.2f %% of all, alpha %.6g", topic, name.n ? ", " : "",
           name.n ? name.data : "", text_count(ezlda_model_topic_tokens(view->model)[topic], count),
           100 * topic_share(view->model, topic), ezlda_model_alpha(view->model)[topic]);
    if (ezlda_model_found(view->model))
        printf(", found in %u of %u models", ezlda_model_found(view->model)[topic],
               members_of(view->model));
    putchar('\n');
    text_free(&name);
    cli_table *table = table_open(columns, view->settings->by == EZLDA_BY_PROBABILITY ? 3 : 4);
    for (size_t i = 0; i < view->n_words; i++) {
        table_string(table, word_of(view, i));
        table_cell(table, "%s", text_count(view->words[i].count, count));
        table_cell(table, "%.6f", view->words[i].probability);
        if (view->settings->by != EZLDA_BY_PROBABILITY)
            table_cell(table, "%.4f", view->words[i].score);
    }
    table_close(table);
}

static ezlda_status print_details(topics_view *view)
{
    for (size_t i = 0; i < view->n_topics && !ferror(stdout); i++) {
        ezlda_status status = load_words(view, view->topics[i]);
        if (status != EZLDA_OK)
            return status;
        if (i)
            putchar('\n');
        print_topic(view, view->topics[i]);
    }
    return EZLDA_OK;
}

static void tsv_names(const ezlda_model *model, uint32_t topic, cli_text *line)
{
    text_clear(line);
    text_put(line, "\t", 1);
    text_tsv(line, ezlda_model_topic_name(model, topic));
    text_put(line, "\t", 1);
    text_tsv(line, ezlda_model_topic_group(model, topic));
    fputs(line->data, stdout);
}

static ezlda_status print_tsv(topics_view *view)
{
    cli_text word = {0};
    ezlda_status status = EZLDA_OK;
    bool named = topics_have_names(view->model);
    printf("topic\trank\tword\ttokens\tprobability\tscore%s\n", named ? "\tname\tgroup" : "");
    for (size_t i = 0; i < view->n_topics && !ferror(stdout); i++) {
        status = load_words(view, view->topics[i]);
        for (size_t j = 0; status == EZLDA_OK && j < view->n_words; j++) {
            const ezlda_scored *w = &view->words[j];
            text_clear(&word);
            text_tsv(&word, word_of(view, j));
            printf("%u\t%zu\t%s\t%llu\t%.9g\t%.9g", view->topics[i], j + 1, word.data,
                   (unsigned long long)w->count, w->probability, w->score);
            if (named)
                tsv_names(view->model, view->topics[i], &word);
            putchar('\n');
        }
    }
    text_free(&word);
    return status;
}

static void json_topic(json_out *json, const topics_view *view, uint32_t topic)
{
    json_open(json, '{', true);
    json_put_u64(json, "topic", topic);
    if (*ezlda_model_topic_name(view->model, topic))
        json_put_string(json, "name", ezlda_model_topic_name(view->model, topic));
    if (*ezlda_model_topic_group(view->model, topic))
        json_put_string(json, "group", ezlda_model_topic_group(view->model, topic));
    json_put_u64(json, "tokens", ezlda_model_topic_tokens(view->model)[topic]);
    json_put_real(json, "share", topic_share(view->model, topic));
    json_put_real(json, "alpha", ezlda_model_alpha(view->model)[topic]);
    if (ezlda_model_found(view->model))
        json_put_u64(json, "found", ezlda_model_found(view->model)[topic]);
    json_key(json, "words");
    json_open(json, '[', true);
    for (size_t i = 0; i < view->n_words; i++) {
        json_open(json, '{', false);
        json_put_string(json, "word", word_of(view, i));
        json_put_u64(json, "tokens", view->words[i].count);
        json_put_real(json, "probability", view->words[i].probability);
        json_put_real(json, "score", view->words[i].score);
        json_close(json, '}');
    }
    json_close(json, ']');
    json_close(json, '}');
}

static ezlda_status print_json(topics_view *view)
{
    json_out json = {.file = stdout};
    ezlda_status status = EZLDA_OK;
    json_open(&json, '{', true);
    json_put_string(&json, "by", orders[view->settings->by]);
    if (view->settings->by == EZLDA_BY_RELEVANCE) {
        json_put_real(&json, "lambda", view->settings->lambda);
    }
    if (ezlda_model_found(view->model))
        json_put_u64(&json, "members", members_of(view->model));
    json_key(&json, "topics");
    json_open(&json, '[', true);
    for (size_t i = 0; i < view->n_topics && status == EZLDA_OK && !ferror(stdout); i++) {
        status = load_words(view, view->topics[i]);
        if (status == EZLDA_OK)
            json_topic(&json, view, view->topics[i]);
    }
    json_close(&json, ']');
    json_close(&json, '}');
    return status;
}

/* ---- the command ---- */

/* The topics asked for, in the order of --sort; NULL after a misuse was reported. */
static uint32_t *selected_topics(const cli_call *call, const topics_settings *settings,
                                 const ezlda_model *model, size_t *n)
{
    ezlda_model_info info = {.size = sizeof info};
    ezlda_model_get_info(model, &info);
    uint32_t *order = topics_by_size(model);
    for (uint32_t k = 0; settings->sort == SORT_NUMBER && k < info.topics; k++)
        order[k] = k;
    *n = settings->topic ? info.topics : topics_shown(model, order, info.topics);
    if (!settings->topic)
        return order;
    bool *wanted = number_list(call, "--topic", settings->topic, info.topics);
    *n = 0;
    for (uint32_t i = 0; wanted && i < info.topics; i++)
        if (wanted[order[i]])
            order[(*n)++] = order[i];
    if (wanted) {
        free(wanted);
        return order;
    }
    free(order);
    return NULL;
}

static int print_topics(const cli_call *call, const ezlda_model *model, ezlda_context *context)
{
    const topics_settings *settings = call->settings;
    topics_view view = {.model = model, .context = context, .settings = settings};
    view.topics = selected_topics(call, settings, model, &view.n_topics);
    if (!view.topics)
        return CLI_USAGE;
    view.words = cli_zeroed(settings->words, sizeof *view.words);
    ezlda_status status = settings->list.json  ? print_json(&view)
                          : settings->list.tsv ? print_tsv(&view)
                          : settings->topic    ? print_details(&view)
                                               : print_overview(&view);
    free(view.topics);
    free(view.words);
    return status == EZLDA_OK ? CLI_SUCCESS : cli_fail_library(context, status);
}

static int run_topics(cli_call *call, ezlda_context *context)
{
    topics_settings *settings = call->settings;
    int exit_status = list_check(call, &settings->list);
    if (exit_status)
        return exit_status;
    if (cli_given(call, "lambda") && !cli_given(call, "by"))
        settings->by = EZLDA_BY_RELEVANCE;
    if (cli_given(call, "lambda") && settings->by != EZLDA_BY_RELEVANCE)
        return cli_misuse(call->command, "--lambda is for --by relevance, found --by %s",
                          orders[settings->by]);
    ezlda_model *model;
    ezlda_status status = cli_load_model(&model, context, call);
    if (status != EZLDA_OK)
        return cli_fail_library(context, status);
    exit_status = print_topics(call, model, context);
    ezlda_model_free(model);
    return exit_status;
}

const cli_command cmd_topics = {
    .name = "topics",
    .operands = "MODEL [OPTION]...",
    .summary = "show the words of a model's topics",
    .description = "Shows each topic with its top words, by probability, relevance or lift. Topics "
                   "are numbered from 0, as in all other commands. With --topic, each word has a "
                   "line with its figures. --tsv prints one line per word of each topic.",
    .examples = "ezlda topics kos.ezm\nezlda topics kos.ezm --lambda 0.6 -n 20 --sort share\n"
                "ezlda topics kos.ezm --topic 3,7-9\nezlda topics kos.ezm --json > topics.json",
    .sections = topics_sections,
    .settings_size = sizeof(topics_settings),
    .defaults = topics_defaults,
    .run = run_topics,
    .min_operands = 1,
    .max_operands = 1,
    .operand_name = "model",
};
