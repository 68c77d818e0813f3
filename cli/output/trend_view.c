/* Prints trends: a table and the bursts of each topic for people, all shares as TSV and JSON. */
#include "cli.h"
#include "output/effect_view.h"
#include "output/json_out.h"
#include "output/text_out.h"
#include "output/text_table.h"
#include "output/topic_list.h"

#include <math.h>
#include <stdlib.h>

static ezlda_share share_of(const trend_view *view, uint32_t topic, uint32_t period)
{
    ezlda_share share;
    ezlda_trend_share(&share, view->trend, topic, period, view->level);
    return share;
}

static void put_words(const trend_view *view, uint32_t topic, uint32_t period,
                      ezlda_group_word *word, cli_text *line)
{
    size_t n = 0;
    text_clear(line);
    if (ezlda_trend_words(word, view->words, &n, view->context, view->trend, topic, period) !=
        EZLDA_OK)
        n = 0;
    for (size_t i = 0; i < n; i++) {
        text_put(line, " ", i ? 1 : 0);
        text_shown(line, ezlda_model_word(view->model, word[i].word));
    }
    text_put(line, "", 0);
}

static void print_topic(const trend_view *view, uint32_t topic, ezlda_group_word *word)
{
    static const cli_column columns[] = {{"period", false, 0}, {"documents", true, 0},
                                         {"share", true, 0},   {"low", true, 0},
                                         {"high", true, 0},    {"words", false, 0}};
    cli_text line = {0};
    topic_name(view->model, topic, &line);
    printf("\nTopic %u%s%s", topic, line.n ? ": " : "", line.n ? line.data : "");
    if (topic_words(view->model, view->context, topic, EZLDA_BY_PROBABILITY, 1, 6, &line) ==
            EZLDA_OK &&
        line.n)
        printf(" (%s)", line.data);
    putchar('\n');
    cli_table *table = table_open(columns, 6);
    for (uint32_t t = 0; t < view->info.periods; t++) {
        ezlda_share share = share_of(view, topic, t);
        table_safe(table, share.text);
        table_cell(table, "%llu", (unsigned long long)share.docs);
        if (isnan(share.share)) {
            for (int i = 0; i < 4; i++)
                table_safe(table, "");
            continue;
        }
        table_cell(table, "%.2f %%", 100 * share.share);
        table_cell(table, "%.2f %%", 100 * share.low);
        table_cell(table, "%.2f %%", 100 * share.high);
        put_words(view, topic, t, word, &line);
        table_safe(table, line.n ? line.data : "");
    }
    table_close(table);
    ezlda_burst burst;
    for (size_t i = 0; ezlda_trend_burst(&burst, view->trend, i); i++)
        if (burst.topic == topic)
            printf("burst: %s to %s (weight %.1f)\n", share_of(view, topic, burst.first).text,
                   share_of(view, topic, burst.last).text, burst.weight);
    text_free(&line);
}

void trend_table(const trend_view *view)
{
    char docs[32];
    ezlda_group_word *word = cli_grow(NULL, view->words + 1, sizeof *word);
    printf("%s documents", text_count(view->info.docs, docs));
    if (view->info.missing)
        printf(", %s without a date are not used", text_count(view->info.missing, docs));
    printf("; %u periods by %s; %u samples, intervals of %g %%\n", view->info.periods,
           view->info.step, view->info.samples, 100 * view->level);
    for (size_t i = 0; i < view->info.topics && !ferror(stdout); i++)
        print_topic(view, ezlda_trend_topic(view->trend, i), word);
    free(word);
}

void trend_tsv(const trend_view *view)
{
    ezlda_group_word *word = cli_grow(NULL, view->words + 1, sizeof *word);
    cli_text line = {0};
    puts("topic\tperiod\tdocuments\tshare\terror\tlow\thigh\tburst\twords");
    for (size_t i = 0; i < view->info.topics && !ferror(stdout); i++) {
        uint32_t topic = ezlda_trend_topic(view->trend, i);
        for (uint32_t t = 0; t < view->info.periods; t++) {
            ezlda_share share = share_of(view, topic, t);
            ezlda_burst burst;
            bool bursting = false;
            for (size_t b = 0; ezlda_trend_burst(&burst, view->trend, b); b++)
                bursting =
                    bursting || (burst.topic == topic && t >= burst.first && t <= burst.last);
            printf("%u\t%s\t%llu", topic, share.text, (unsigned long long)share.docs);
            if (isnan(share.share)) {
                puts("\t\t\t\t\t0\t");
                continue;
            }
            put_words(view, topic, t, word, &line);
            printf("\t%.9g\t%.9g\t%.9g\t%.9g\t%d\t%s\n", share.share, share.error, share.low,
                   share.high, bursting, line.n ? line.data : "");
        }
    }
    text_free(&line);
    free(word);
}

static void json_period(json_out *json, const trend_view *view, uint32_t topic, uint32_t period,
                        ezlda_group_word *word)
{
    ezlda_share share = share_of(view, topic, period);
    size_t n = 0;
    json_open(json, '{', false);
    json_put_string(json, "period", share.text);
    json_put_u64(json, "documents", share.docs);
    json_put_real(json, "share", share.share);
    json_put_real(json, "error", share.error);
    json_put_real(json, "low", share.low);
    json_put_real(json, "high", share.high);
    if (ezlda_trend_words(word, view->words, &n, view->context, view->trend, topic, period) !=
        EZLDA_OK)
        n = 0;
    json_key(json, "words");
    json_open(json, '[', false);
    for (size_t i = 0; i < n; i++) {
        json_open(json, '{', false);
        json_put_string(json, "word", ezlda_model_word(view->model, word[i].word));
        json_put_real(json, "tokens", word[i].tokens);
        json_put_real(json, "log_odds", word[i].log_odds);
        json_put_real(json, "error", word[i].error);
        json_close(json, '}');
    }
    json_close(json, ']');
    json_close(json, '}');
}

static void json_bursts(json_out *json, const trend_view *view, uint32_t topic)
{
    ezlda_burst burst;
    json_key(json, "bursts");
    json_open(json, '[', false);
    for (size_t i = 0; ezlda_trend_burst(&burst, view->trend, i); i++) {
        if (burst.topic != topic)
            continue;
        json_open(json, '{', false);
        json_put_string(json, "first", share_of(view, topic, burst.first).text);
        json_put_string(json, "last", share_of(view, topic, burst.last).text);
        json_put_real(json, "weight", burst.weight);
        json_close(json, '}');
    }
    json_close(json, ']');
}

void trend_json(const trend_view *view)
{
    json_out json = {.file = stdout};
    ezlda_group_word *word = cli_grow(NULL, view->words + 1, sizeof *word);
    json_open(&json, '{', true);
    json_put_string(&json, "field", view->field);
    json_put_string(&json, "step", view->info.step);
    json_put_u64(&json, "documents", view->info.docs);
    json_put_u64(&json, "missing", view->info.missing);
    json_put_u64(&json, "samples", view->info.samples);
    json_put_real(&json, "level", view->level);
    json_key(&json, "topics");
    json_open(&json, '[', true);
    for (size_t i = 0; i < view->info.topics && !ferror(stdout); i++) {
        uint32_t topic = ezlda_trend_topic(view->trend, i);
        json_open(&json, '{', true);
        json_put_u64(&json, "topic", topic);
        json_put_string(&json, "name", ezlda_model_topic_name(view->model, topic));
        json_bursts(&json, view, topic);
        json_key(&json, "periods");
        json_open(&json, '[', true);
        for (uint32_t t = 0; t < view->info.periods; t++)
            json_period(&json, view, topic, t, word);
        json_close(&json, ']');
        json_close(&json, '}');
    }
    json_close(&json, ']');
    json_close(&json, '}');
    free(word);
}
