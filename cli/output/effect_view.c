/* Prints effects: a table of coefficients with the tests of terms, and the words of groups. */
#include "output/effect_view.h"

#include "cli.h"
#include "output/json_out.h"
#include "output/text_out.h"
#include "output/text_table.h"
#include "output/topic_list.h"

#include <math.h>
#include <stdlib.h>

enum { HEADING_WORDS = 6 };

static void print_heading(const effect_view *view, uint32_t topic, cli_text *line)
{
    cli_text words = {0};
    topic_name(view->model, topic, line);
    printf("\nTopic %u%s%s", topic, line->n ? ": " : "", line->n ? line->data : "");
    if (topic_words(view->model, view->context, topic, EZLDA_BY_PROBABILITY, 1, HEADING_WORDS,
                    &words) == EZLDA_OK &&
        words.n)
        printf(" (%s)", words.data);
    putchar('\n');
    text_free(&words);
}

static void p_cell(cli_table *table, double p)
{
    if (p < 0.0001)
        table_safe(table, "< 0.0001");
    else
        table_cell(table, "%.4f", p);
}

static void print_coefficients(const effect_view *view, uint32_t topic)
{
    static const cli_column columns[] = {
        {"term", false, 0}, {"estimate", true, 0}, {"error", true, 0}, {"t", true, 0},
        {"p", true, 0},     {"low", true, 0},      {"high", true, 0}};
    cli_table *table = table_open(columns, 7);
    ezlda_coefficient c;
    for (uint32_t j = 0; ezlda_effect_coefficient(&c, view->effect, topic, j, view->level); j++) {
        table_string(table, ezlda_effect_column(view->effect, j));
        if (isnan(c.estimate)) {
            for (int i = 0; i < 6; i++)
                table_safe(table, i ? "" : "depends");
            continue;
        }
        table_cell(table, "%.5f", c.estimate);
        table_cell(table, "%.5f", c.error);
        table_cell(table, "%.2f", c.t);
        p_cell(table, c.p);
        table_cell(table, "%.5f", c.low);
        table_cell(table, "%.5f", c.high);
    }
    table_close(table);
    double p;
    const char *name;
    cli_text line = {0};
    for (uint32_t t = 0; (name = ezlda_effect_term(view->effect, topic, t, &p)); t++) {
        text_clear(&line);
        text_shown(&line, name);
        printf("%s%s: %s%.4f", t ? ", " : "p of whole terms: ", line.data, p < 0.0001 ? "< " : "",
               p < 0.0001 ? 0.0001 : p);
    }
    putchar('\n');
    text_free(&line);
}

static size_t words_of(const effect_view *view, uint32_t topic, uint32_t group,
                       ezlda_group_word *word)
{
    size_t n = 0;
    return ezlda_effect_words(word, view->words, &n, view->context, view->effect, topic, group) ==
                   EZLDA_OK
               ? n
               : 0;
}

static void print_words(const effect_view *view, uint32_t topic, ezlda_group_word *word)
{
    const char *group;
    cli_text line = {0};
    for (uint32_t g = 0; (group = ezlda_effect_group(view->effect, g)); g++) {
        size_t n = words_of(view, topic, g, word);
        text_clear(&line);
        text_shown(&line, group);
        printf("words of %s:", line.data);
        for (size_t i = 0; i < n; i++) {
            text_clear(&line);
            text_shown(&line, ezlda_model_word(view->model, word[i].word));
            printf(" %s (%.1f)", line.data, word[i].log_odds / word[i].error);
        }
        puts(n ? "" : " none");
    }
    text_free(&line);
}

void effect_table(const effect_view *view)
{
    char docs[32];
    cli_text line = {0};
    ezlda_group_word *word = cli_grow(NULL, view->words + 1, sizeof *word);
    printf("%s documents", text_count(view->info.docs, docs));
    if (view->info.missing)
        printf(", %s without a value in a field are not used",
               text_count(view->info.missing, docs));
    printf("; %u samples, intervals of %g %%\n", view->info.samples, 100 * view->level);
    for (size_t i = 0; i < view->info.topics && !ferror(stdout); i++) {
        uint32_t topic = ezlda_effect_topic(view->effect, i);
        print_heading(view, topic, &line);
        print_coefficients(view, topic);
        print_words(view, topic, word);
    }
    text_free(&line);
    free(word);
}

void effect_tsv(const effect_view *view)
{
    cli_text line = {0};
    ezlda_coefficient c;
    puts("topic\tterm\testimate\terror\tdf\tt\tp\tlow\thigh");
    for (size_t i = 0; i < view->info.topics && !ferror(stdout); i++) {
        uint32_t topic = ezlda_effect_topic(view->effect, i);
        for (uint32_t j = 0; ezlda_effect_coefficient(&c, view->effect, topic, j, view->level);
             j++) {
            text_clear(&line);
            text_tsv(&line, ezlda_effect_column(view->effect, j));
            printf("%u\t%s", topic, line.data);
            if (isnan(c.estimate))
                puts("\t\t\t\t\t\t\t");
            else
                printf("\t%.9g\t%.9g\t%.9g\t%.9g\t%.9g\t%.9g\t%.9g\n", c.estimate, c.error, c.df,
                       c.t, c.p, c.low, c.high);
        }
    }
    text_free(&line);
}

static void json_coefficients(json_out *json, const effect_view *view, uint32_t topic)
{
    ezlda_coefficient c;
    const char *name;
    double p;
    json_key(json, "coefficients");
    json_open(json, '[', true);
    for (uint32_t j = 0; ezlda_effect_coefficient(&c, view->effect, topic, j, view->level); j++) {
        json_open(json, '{', false);
        json_put_string(json, "term", ezlda_effect_column(view->effect, j));
        json_put_real(json, "estimate", c.estimate);
        json_put_real(json, "error", c.error);
        json_put_real(json, "df", c.df);
        json_put_real(json, "t", c.t);
        json_put_real(json, "p", c.p);
        json_put_real(json, "low", c.low);
        json_put_real(json, "high", c.high);
        json_close(json, '}');
    }
    json_close(json, ']');
    json_key(json, "terms");
    json_open(json, '[', false);
    for (uint32_t t = 0; (name = ezlda_effect_term(view->effect, topic, t, &p)); t++) {
        json_open(json, '{', false);
        json_put_string(json, "term", name);
        json_put_real(json, "p", p);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void json_words(json_out *json, const effect_view *view, uint32_t topic,
                       ezlda_group_word *word)
{
    const char *group;
    if (!view->info.groups)
        return;
    json_key(json, "words");
    json_open(json, '{', true);
    for (uint32_t g = 0; (group = ezlda_effect_group(view->effect, g)); g++) {
        size_t n = words_of(view, topic, g, word);
        json_key(json, group);
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
    }
    json_close(json, '}');
}

void effect_json(const effect_view *view)
{
    json_out json = {.file = stdout};
    ezlda_group_word *word = cli_grow(NULL, view->words + 1, sizeof *word);
    json_open(&json, '{', true);
    json_put_string(&json, "formula", view->formula);
    json_put_u64(&json, "documents", view->info.docs);
    json_put_u64(&json, "missing", view->info.missing);
    json_put_u64(&json, "samples", view->info.samples);
    json_put_real(&json, "level", view->level);
    json_put_bool(&json, "training_corpus", view->info.training_corpus);
    json_key(&json, "topics");
    json_open(&json, '[', true);
    for (size_t i = 0; i < view->info.topics && !ferror(stdout); i++) {
        uint32_t topic = ezlda_effect_topic(view->effect, i);
        json_open(&json, '{', true);
        json_put_u64(&json, "topic", topic);
        json_put_string(&json, "name", ezlda_model_topic_name(view->model, topic));
        json_coefficients(&json, view, topic);
        json_words(&json, view, topic, word);
        json_close(&json, '}');
    }
    json_close(&json, ']');
    json_close(&json, '}');
    free(word);
}
