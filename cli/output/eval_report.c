/* Prints the scores of `ezlda eval` as tables for people. */
#include "output/eval_report.h"

#include "output/text_out.h"
#include "output/text_table.h"
#include "output/topic_list.h"

#include <math.h>
#include <stdio.h>

enum { TOPIC_WORDS = 8 };

/* ---- what was scored ---- */

/* In percent of all tokens. */
static double share(const ezlda_scores_info *info, uint64_t tokens)
{
    return 100 * (double)tokens / (double)(info->tokens + info->unknown_tokens);
}

static void print_facts(const eval_view *view)
{
    const ezlda_scores_info *info = &view->info;
    char docs[32], tokens[32], words[32];
    cli_text line = {0};
    text_shown(&line, view->model_path);
    text_printf(&line, ": %u topics\n", info->topics);
    text_shown(&line, view->corpus_path);
    text_printf(&line, ": %s documents, %s tokens of %s words that the model knows",
                text_count(info->docs, docs), text_count(info->tokens, tokens),
                text_count(info->words, words));
    puts(line.data);
    text_free(&line);
    if (info->unseen_tokens)
        printf("of these, %s tokens (%.2f %%) are of words without a token in training: beta alone "
               "gives them a probability\n",
               text_count(info->unseen_tokens, tokens), share(info, info->unseen_tokens));
    printf("not scored: %s tokens (%.2f %%) of %s words outside the model's vocabulary\n",
           text_count(info->unknown_tokens, tokens), share(info, info->unknown_tokens),
           text_count(info->unknown_words, words));
    if (info->training_corpus)
        puts("The model was trained on this corpus: its scores here are not held-out scores.");
    putchar('\n');
}

/* ---- the measures ---- */

static const cli_column measure_columns[] = {{"measure", false, 0}, {"value", true, 0},
                                             {"±", true, 0},        {"unigram", true, 0},
                                             {"±", true, 0},        {"over", false, 0}};

/* NaN is an empty cell. */
static void number_cell(cli_table *table, const char *format, double value)
{
    char text[64] = "";
    if (!isnan(value))
        snprintf(text, sizeof text, format, value);
    table_safe(table, text);
}

static void value_row(cli_table *table, const char *name, double value)
{
    table_safe(table, name);
    if (isnan(value))
        table_safe(table, "none");
    else
        table_cell(table, "%.4f", value);
    for (int i = 0; i < 3; i++)
        table_safe(table, "");
}

static void perplexity_row(cli_table *table, const char *name, const ezlda_perplexity *p,
                           uint64_t eligible)
{
    char docs[32], all[32], tokens[32];
    table_safe(table, name);
    if (!p->tokens) {
        for (int i = 0; i < 4; i++)
            table_safe(table, i ? "" : "none");
        table_safe(table, "no document is long enough");
        return;
    }
    number_cell(table, "%.1f", p->perplexity);
    number_cell(table, "%.1f", p->error);
    number_cell(table, "%.1f", p->unigram);
    number_cell(table, "%.1f", p->unigram_error);
    if (p->docs < eligible)
        table_cell(table, "%s tokens of %s documents, a sample of %s",
                   text_count(p->tokens, tokens), text_count(p->docs, docs),
                   text_count(eligible, all));
    else
        table_cell(table, "%s tokens of %s documents", text_count(p->tokens, tokens),
                   text_count(p->docs, docs));
}

static void windows_cell(cli_table *table, uint32_t window)
{
    if (window)
        table_cell(table, "windows of %u tokens", window);
    else
        table_safe(table, "whole documents");
}

static void llpt_rows(cli_table *table, const ezlda_scores_info *info)
{
    char tokens[32];
    value_row(table, "LLPT (log2)", info->llpt);
    table_cell(table, "%s tokens", text_count(info->tokens, tokens));
    if (isnan(info->llpt_trained))
        return;
    value_row(table, "LLPT in training", info->llpt_trained);
    table_safe(table, "the same tokens, after the last iteration");
}

static void coherence_rows(cli_table *table, const ezlda_scores_info *info)
{
    value_row(table, "coherence UMass", info->u_mass);
    table_cell(table, "whole documents, %u words per topic", info->topic_words);
    value_row(table, "coherence NPMI", info->npmi);
    windows_cell(table, info->npmi_window);
    value_row(table, "coherence C_V", info->c_v);
    windows_cell(table, info->c_v_window);
    value_row(table, "topic diversity", info->diversity);
    table_safe(table, "distinct among all topics' words");
    value_row(table, "exclusivity", info->exclusivity);
    table_safe(table, "share of a word's probability that is in its topic");
}

static void print_cut(const eval_view *view)
{
    char docs[32], tokens[32];
    if (view->info.left_to_right_cut)
        printf("\nleft-to-right: in %s longer documents, only %s random tokens each were scored "
               "(--doc-tokens).\n",
               text_count(view->info.left_to_right_cut, docs),
               text_count(view->options->doc_tokens, tokens));
}

static void print_measures(const ezlda_scores_info *info)
{
    cli_table *table =
        table_open(measure_columns, sizeof measure_columns / sizeof *measure_columns);
    if (info->measures & EZLDA_MEASURE_COMPLETION)
        perplexity_row(table, "perplexity, document completion", &info->completion,
                       info->completion.docs);
    if (info->measures & EZLDA_MEASURE_LEFT_TO_RIGHT)
        perplexity_row(table, "perplexity, left-to-right", &info->left_to_right,
                       info->left_to_right_docs);
    if (info->measures & EZLDA_MEASURE_LLPT)
        llpt_rows(table, info);
    if (info->measures & EZLDA_MEASURE_COHERENCE)
        coherence_rows(table, info);
    table_close(table);
    if (info->topics_without)
        printf("\n%u topics have no coherence: fewer than two of their words are in the corpus.\n",
               info->topics_without);
}

/* ---- topics ---- */

static const cli_column topic_columns[] = {{"topic", true, 0},       {"UMass", true, 0},
                                           {"NPMI", true, 0},        {"C_V", true, 0},
                                           {"exclusivity", true, 0}, {"words", false, 0}};

static ezlda_status print_topics(const eval_view *view, ezlda_context *context)
{
    ezlda_topic_scores scores = {.size = sizeof scores};
    ezlda_status status = EZLDA_OK;
    cli_text words = {0};
    putchar('\n');
    cli_table *table = table_open(topic_columns, sizeof topic_columns / sizeof *topic_columns);
    for (uint32_t t = 0; status == EZLDA_OK && ezlda_scores_topic(view->scores, t, &scores); t++) {
        table_cell(table, "%u", t);
        number_cell(table, "%.4f", scores.u_mass);
        number_cell(table, "%.4f", scores.npmi);
        number_cell(table, "%.4f", scores.c_v);
        number_cell(table, "%.4f", scores.exclusivity);
        text_clear(&words);
        status = topic_words(view->model, context, t, EZLDA_BY_PROBABILITY, 1, TOPIC_WORDS, &words);
        table_safe(table, words.data);
    }
    table_close(table);
    text_free(&words);
    return status;
}

ezlda_status eval_table(const eval_view *view, ezlda_context *context)
{
    print_facts(view);
    print_measures(&view->info);
    print_cut(view);
    return view->topics ? print_topics(view, context) : EZLDA_OK;
}
