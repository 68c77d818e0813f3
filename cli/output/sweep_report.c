/* Prints the scores of `ezlda sweep` as a table, and recommends a number of topics. */
#include "output/sweep_report.h"

#include "output/text_out.h"
#include "output/text_table.h"

#include <math.h>
#include <stdio.h>

static const cli_column row_columns[] = {
    {"k", true, 0},         {"seeds", true, 0}, {"perplexity", true, 0}, {"±", true, 0},
    {"to best", true, 0},   {"±", true, 0},     {"spread", true, 0},     {"NPMI", true, 0},
    {"C_V", true, 0},       {"UMass", true, 0}, {"diversity", true, 0},  {"exclusivity", true, 0},
    {"stability", true, 0}, {"LLPT", true, 0},  {"seconds", true, 0}};

static void number_cell(cli_table *table, const char *format, double value)
{
    char text[64] = "-";
    if (!isnan(value))
        snprintf(text, sizeof text, format, value);
    table_safe(table, text);
}

static void put_row(cli_table *table, const ezlda_sweep_row *row)
{
    const double fine[] = {row->npmi,        row->c_v,       row->u_mass, row->diversity,
                           row->exclusivity, row->stability, row->llpt};
    table_cell(table, "%u", row->topics);
    table_cell(table, "%u", row->runs);
    number_cell(table, "%.1f", row->perplexity);
    number_cell(table, "%.1f", row->error);
    number_cell(table, "%.1f", row->to_best);
    number_cell(table, "%.1f", row->to_best_error);
    number_cell(table, "%.1f", row->spread);
    for (size_t i = 0; i < sizeof fine / sizeof *fine; i++)
        number_cell(table, "%.4f", fine[i]);
    number_cell(table, "%.1f", row->seconds);
}

static ezlda_sweep_row row_at(const ezlda_sweep_scores *scores, size_t i)
{
    ezlda_sweep_row row = {.size = sizeof row};
    ezlda_sweep_get_row(scores, i, &row);
    return row;
}

static void print_facts(const ezlda_sweep_info *info, const ezlda_sweep_row *first)
{
    char docs[32], tokens[32], held[32], held_tokens[32];
    printf("trained on %s documents (%s tokens); held out: %s documents (%s tokens)\n",
           text_count(info->docs, docs), text_count(info->tokens, tokens),
           text_count(info->held_docs, held), text_count(info->held_tokens, held_tokens));
    if (info->held_unseen)
        printf("all of these are scored; %s tokens (%.2f %%) are of words without a token in "
               "training\n",
               text_count(info->held_unseen, tokens),
               100 * (double)info->held_unseen / (double)info->held_tokens);
    if (!isnan(first->unigram))
        printf("perplexity of word frequencies alone: %.1f ± %.1f\n", first->unigram,
               first->unigram_error);
    if (info->npmi_window || info->c_v_window)
        printf("NPMI in windows of %u tokens, C_V of %u (0: whole documents)\n", info->npmi_window,
               info->c_v_window);
    putchar('\n');
}

/* ---- advice ---- */

static ezlda_sweep_row row_of(const ezlda_sweep_scores *scores, uint32_t topics)
{
    size_t i = 0;
    while (row_at(scores, i).topics != topics)
        i++;
    return row_at(scores, i);
}

/* Warns if the recommendation is among models that predict nothing. */
static void warn_of_unigram(const ezlda_sweep_row *best, const ezlda_sweep_row *chosen)
{
    double error = isnan(chosen->to_unigram_error) ? 0 : chosen->to_unigram_error;
    if (best->perplexity >= best->unigram)
        puts("But no number of topics predicts better than word frequencies alone: check the "
             "corpus and the priors.");
    else if (chosen->to_unigram + error >= 0)
        printf("But %u topics do not predict better than word frequencies alone (%.1f and %.1f) by "
               "more than one standard error of the difference: check the corpus and the priors, "
               "or hold out more documents.\n",
               chosen->topics, chosen->perplexity, chosen->unigram);
}

static void print_recommended(const ezlda_sweep_scores *scores, const ezlda_sweep_info *info)
{
    ezlda_sweep_row best = row_of(scores, info->best_perplexity),
                    chosen = row_of(scores, info->recommended);
    if (info->recommended == info->best_perplexity)
        printf("Recommended: %u topics, the lowest perplexity (%.1f ± %.1f); no smaller number is "
               "within one standard error of the difference.\n",
               info->recommended, best.perplexity, best.error);
    else
        printf("Recommended: %u topics, the smallest number whose perplexity (%.1f) differs from "
               "the best (%.1f with %u) by no more than one standard error of the difference (%.1f "
               "± %.1f).\n",
               info->recommended, chosen.perplexity, best.perplexity, info->best_perplexity,
               chosen.to_best, chosen.to_best_error);
    warn_of_unigram(&best, &chosen);
}

static void print_warnings(const ezlda_sweep_scores *scores, const ezlda_sweep_info *info)
{
    uint32_t least = row_at(scores, 0).topics, most = row_at(scores, info->rows - 1).topics;
    if (info->best_perplexity == most && most < 65536)
        printf("The best perplexity is that of the largest number tried: also try larger ones, "
               "such as -k %u; the folder keeps the models that are done.\n",
               most > 32768 ? 65536 : 2 * most);
    if (info->recommended == least && least > 2)
        printf("The recommended number is the smallest tried: also try smaller ones, such as -k "
               "%u; the folder keeps the models that are done.\n",
               least / 2 < 2 ? 2 : least / 2);
}

static void print_advice(const ezlda_sweep_scores *scores, const ezlda_sweep_info *info)
{
    if (!info->recommended)
        return;
    putchar('\n');
    print_recommended(scores, info);
    if (info->best_npmi)
        printf("Topics are most coherent (NPMI) with %u", info->best_npmi);
    if (info->best_npmi && info->best_stability)
        printf(", and most alike from seed to seed with %u", info->best_stability);
    if (info->best_npmi)
        puts(".");
    print_warnings(scores, info);
}

void sweep_table(const ezlda_sweep_scores *scores)
{
    ezlda_sweep_info info = {.size = sizeof info};
    ezlda_sweep_row row = {.size = sizeof row}, first = row_at(scores, 0);
    ezlda_sweep_get_info(scores, &info);
    print_facts(&info, &first);
    cli_table *table = table_open(row_columns, sizeof row_columns / sizeof *row_columns);
    for (size_t i = 0; ezlda_sweep_get_row(scores, i, &row); i++)
        put_row(table, &row);
    table_close(table);
    print_advice(scores, &info);
}
