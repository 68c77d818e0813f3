/* The outputs of `ezlda diff`: a report for people, TSV and JSON. */
#include "output/diff_view.h"
#include "output/json_out.h"
#include "output/text_out.h"
#include "output/text_table.h"

#include <stdio.h>

/* ---- the report ---- */

static void print_hidden(const diff_view *view, int m)
{
    uint32_t topics = m ? view->info.topics_b : view->info.topics_a, n = 0;
    for (uint32_t k = 0; k < topics; k++)
        n += ezlda_model_topic_hidden(view->model[m], k) != 0;
    if (n)
        printf(" (%u hidden)", n);
}

static void print_summary(const diff_view *view)
{
    const ezlda_match_info *info = &view->info;
    printf("%u topics in A", info->topics_a);
    print_hidden(view, 0);
    printf(", %u in B", info->topics_b);
    print_hidden(view, 1);
    printf(": %u matched", info->pairs);
    if (info->pairs)
        printf(" (%zu kept, %zu drifted) with a mean similarity of %.2f", view->count[DIFF_KEPT],
               view->count[DIFF_DRIFTED], info->mean_similarity);
    printf("; %zu vanished, %zu appeared\n", view->count[DIFF_VANISHED],
           view->count[DIFF_APPEARED]);
}

static void print_model(const diff_view *view, int m)
{
    uint32_t only = m ? view->info.words_only_b : view->info.words_only_a;
    uint64_t tokens = m ? view->info.tokens_only_b : view->info.tokens_only_a;
    char words[32], alone[32];
    cli_text line = {0};
    text_shown(&line, view->path[m]);
    printf("%c: %s, %s words", "AB"[m], line.data,
           text_count(view->info.words_common + only, words));
    if (only)
        printf(", %s of them in %c only (%.2f %% of its tokens)", text_count(only, alone), "AB"[m],
               100 * diff_share(view, m, tokens));
    putchar('\n');
    text_free(&line);
}

/* B's top words, with + on those that came in; then those of A that fell out, with -. */
static void words_of_pair(const diff_view *view, cli_text *line)
{
    text_clear(line);
    for (int m = 1; m >= 0; m--) {
        for (size_t i = 0; i < view->words[m].n; i++) {
            bool shared = view->words[m].shared[i];
            if (m == 0 && shared)
                continue;
            text_put(line, " ", line->n ? 1 : 0);
            text_put(line, m ? "+" : "-", shared ? 0 : 1);
            text_shown(line, diff_word(view, m, i));
        }
    }
}

static void words_of_topic(const diff_view *view, int m, cli_text *line)
{
    text_clear(line);
    for (size_t i = 0; i < view->words[m].n; i++) {
        text_put(line, " ", i ? 1 : 0);
        text_shown(line, diff_word(view, m, i));
    }
}

static double topic_share_of(const diff_view *view, const diff_row *row, int m)
{
    return diff_share(view, m, ezlda_model_topic_tokens(view->model[m])[row->topic[m]]);
}

/* `shown` rows follow; their number is printed only if --top cuts the list. */
static void print_heading(const diff_view *view, diff_change change, size_t shown)
{
    static const char *const titles[] = {"Drifted", "Kept", "Vanished", "Appeared"};
    size_t n = view->count[change];
    double share_a = 100 * diff_share(view, 0, view->tokens[change][0]);
    double share_b = 100 * diff_share(view, 1, view->tokens[change][1]);
    printf("\n%s: %zu", titles[change], n);
    if (change == DIFF_DRIFTED)
        printf(" below %g, %.1f %% of A's tokens, %.1f %% of B's", view->settings->drift, share_a,
               share_b);
    else if (change == DIFF_KEPT)
        printf(", %.1f %% of A's tokens, %.1f %% of B's", share_a, share_b);
    else
        printf(" without a partner, %.1f %% of %c's tokens",
               change == DIFF_VANISHED ? share_a : share_b, change == DIFF_VANISHED ? 'A' : 'B');
    if (shown < n)
        printf(" (%zu shown)", shown);
    putchar('\n');
}

static ezlda_status print_pairs(diff_view *view, diff_change change)
{
    static const cli_column columns[] = {{"A", true, 0},
                                         {"B", true, 0},
                                         {"similarity", true, 0},
                                         {"share A", true, 0},
                                         {"share B", true, 0},
                                         {"shared", true, 0},
                                         {"words (+ came in, - fell out)", false, 0}};
    size_t n;
    const diff_row *row = diff_rows(view, change, &n);
    if (!n)
        return EZLDA_OK;
    print_heading(view, change, n);
    cli_table *table = table_open(columns, 7);
    cli_text line = {0};
    ezlda_status status = EZLDA_OK;
    for (size_t i = 0; i < n && !ferror(stdout); i++, row++) {
        status = diff_load_words(view, row);
        if (status != EZLDA_OK)
            break;
        words_of_pair(view, &line);
        table_cell(table, "%u", row->topic[0]);
        table_cell(table, "%u", row->topic[1]);
        table_cell(table, "%.3f", row->similarity);
        table_cell(table, "%.2f %%", 100 * topic_share_of(view, row, 0));
        table_cell(table, "%.2f %%", 100 * topic_share_of(view, row, 1));
        table_cell(table, "%u", row->shared_words);
        table_safe(table, line.data);
    }
    table_close(table);
    text_free(&line);
    return status;
}

static ezlda_status print_alone(diff_view *view, int m)
{
    const cli_column columns[] = {{m ? "B" : "A", true, 0},
                                  {m ? "share B" : "share A", true, 0},
                                  {m ? "nearest in A" : "nearest in B", true, 0},
                                  {"similarity", true, 0},
                                  {"words", false, 0}};
    size_t n;
    const diff_row *row = diff_rows(view, m ? DIFF_APPEARED : DIFF_VANISHED, &n);
    if (!n)
        return EZLDA_OK;
    print_heading(view, m ? DIFF_APPEARED : DIFF_VANISHED, n);
    cli_table *table = table_open(columns, 5);
    cli_text line = {0};
    ezlda_status status = EZLDA_OK;
    for (size_t i = 0; i < n && !ferror(stdout); i++, row++) {
        status = diff_load_words(view, row);
        if (status != EZLDA_OK)
            break;
        words_of_topic(view, m, &line);
        table_cell(table, "%u", row->topic[m]);
        table_cell(table, "%.2f %%", 100 * topic_share_of(view, row, m));
        table_cell(table, "%u", row->nearest);
        table_cell(table, "%.3f", row->similarity);
        table_safe(table, line.data);
    }
    table_close(table);
    text_free(&line);
    return status;
}

ezlda_status diff_report(diff_view *view)
{
    print_summary(view);
    print_model(view, 0);
    print_model(view, 1);
    ezlda_status status = print_pairs(view, DIFF_DRIFTED);
    if (status == EZLDA_OK)
        status = print_alone(view, 0);
    if (status == EZLDA_OK)
        status = print_alone(view, 1);
    return status == EZLDA_OK ? print_pairs(view, DIFF_KEPT) : status;
}

/* ---- TSV ---- */

static void tsv_topic(const diff_view *view, const diff_row *row, int m)
{
    if (row->has[m])
        printf("\t%u\t%llu\t%.9g", row->topic[m],
               (unsigned long long)ezlda_model_topic_tokens(view->model[m])[row->topic[m]],
               topic_share_of(view, row, m));
    else
        fputs("\t\t\t", stdout);
}

static void tsv_words(const diff_view *view, int m, cli_text *line)
{
    text_clear(line);
    for (size_t i = 0; i < view->words[m].n; i++) {
        text_put(line, " ", i ? 1 : 0);
        text_tsv(line, diff_word(view, m, i));
    }
    printf("\t%s", line->data);
}

static void tsv_row(const diff_view *view, const diff_row *row, cli_text *line)
{
    fputs(diff_change_names[row->change], stdout);
    tsv_topic(view, row, 0);
    tsv_topic(view, row, 1);
    printf("\t%.9g", row->similarity);
    if (row->has[0] && row->has[1])
        printf("\t\t%u\t%.9g", row->shared_words, row->jaccard);
    else
        printf("\t%u\t\t", row->nearest);
    tsv_words(view, 0, line);
    tsv_words(view, 1, line);
    putchar('\n');
}

ezlda_status diff_tsv(diff_view *view)
{
    cli_text line = {0};
    ezlda_status status = EZLDA_OK;
    puts("change\ta\ttokens_a\tshare_a\tb\ttokens_b\tshare_b\tsimilarity\tnearest\tshared_"
         "words\tjaccard\twords_a\twords_b");
    for (diff_change change = 0; change < DIFF_CHANGES && status == EZLDA_OK; change++) {
        size_t n;
        const diff_row *row = diff_rows(view, change, &n);
        for (size_t i = 0; i < n && status == EZLDA_OK && !ferror(stdout); i++, row++) {
            status = diff_load_words(view, row);
            if (status == EZLDA_OK)
                tsv_row(view, row, &line);
        }
    }
    text_free(&line);
    return status;
}

/* ---- JSON ---- */

static void json_model(json_out *json, const diff_view *view, int m)
{
    const ezlda_match_info *info = &view->info;
    uint32_t only = m ? info->words_only_b : info->words_only_a;
    json_key(json, m ? "b" : "a");
    json_open(json, '{', false);
    json_put_string(json, "model", view->path[m]);
    json_put_u64(json, "topics", m ? info->topics_b : info->topics_a);
    json_put_u64(json, "words", info->words_common + only);
    json_put_u64(json, "words_only", only);
    json_put_u64(json, "tokens_only", m ? info->tokens_only_b : info->tokens_only_a);
    json_close(json, '}');
}

static void json_counts(json_out *json, const diff_view *view)
{
    json_put_u64(json, "words_common", view->info.words_common);
    json_put_real(json, "threshold", view->settings->threshold);
    json_put_real(json, "drift", view->settings->drift);
    json_put_u64(json, "matched", view->info.pairs);
    json_put_real(json, "mean_similarity", view->info.mean_similarity);
    json_key(json, "counts");
    json_open(json, '{', false);
    for (int change = 0; change < DIFF_CHANGES; change++)
        json_put_u64(json, diff_change_names[change], view->count[change]);
    json_close(json, '}');
}

static void json_topic(json_out *json, const diff_view *view, const diff_row *row, int m)
{
    uint64_t tokens = ezlda_model_topic_tokens(view->model[m])[row->topic[m]];
    json_open(json, '{', false);
    json_put_u64(json, "topic", row->topic[m]);
    json_put_u64(json, "tokens", tokens);
    json_put_real(json, "share", diff_share(view, m, tokens));
    json_key(json, "words");
    json_open(json, '[', false);
    for (size_t i = 0; i < view->words[m].n; i++)
        json_string(json, diff_word(view, m, i));
    json_close(json, ']');
    json_close(json, '}');
}

/* The top words of one topic that are not among those of the other. */
static void json_own_words(json_out *json, const diff_view *view, const char *key, int m)
{
    json_key(json, key);
    json_open(json, '[', false);
    for (size_t i = 0; i < view->words[m].n; i++)
        if (!view->words[m].shared[i])
            json_string(json, diff_word(view, m, i));
    json_close(json, ']');
}

static void json_row(json_out *json, const diff_view *view, const diff_row *row)
{
    json_open(json, '{', true);
    json_put_real(json, "similarity", row->similarity);
    for (int m = 0; m < 2; m++) {
        if (!row->has[m])
            continue;
        json_key(json, m ? "b" : "a");
        json_topic(json, view, row, m);
    }
    if (row->has[0] && row->has[1]) {
        json_put_u64(json, "shared_words", row->shared_words);
        json_put_real(json, "jaccard", row->jaccard);
        json_own_words(json, view, "came_in", 1);
        json_own_words(json, view, "fell_out", 0);
    } else {
        json_put_u64(json, "nearest", row->nearest);
    }
    json_close(json, '}');
}

static ezlda_status json_rows(json_out *json, diff_view *view, diff_change change)
{
    size_t n;
    const diff_row *row = diff_rows(view, change, &n);
    ezlda_status status = EZLDA_OK;
    json_key(json, diff_change_names[change]);
    json_open(json, '[', true);
    for (size_t i = 0; i < n && status == EZLDA_OK && !ferror(stdout); i++, row++) {
        status = diff_load_words(view, row);
        if (status == EZLDA_OK)
            json_row(json, view, row);
    }
    json_close(json, ']');
    return status;
}

ezlda_status diff_json(diff_view *view)
{
    json_out json = {.file = stdout};
    ezlda_status status = EZLDA_OK;
    json_open(&json, '{', true);
    json_model(&json, view, 0);
    json_model(&json, view, 1);
    json_counts(&json, view);
    for (diff_change change = 0; change < DIFF_CHANGES && status == EZLDA_OK; change++)
        status = json_rows(&json, view, change);
    json_close(&json, '}');
    return status;
}
