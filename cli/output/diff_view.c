/* Turns the matching of two models into sorted rows, and loads the words of a row's topics. */
#include "output/diff_view.h"

#include <stdlib.h>
#include <string.h>

const char *const diff_change_names[] = {"drifted", "kept", "vanished", "appeared"};

static int compare_numbers(const diff_row *x, const diff_row *y)
{
    uint32_t a = x->has[0] ? x->topic[0] : x->topic[1], b = y->has[0] ? y->topic[0] : y->topic[1];
    return a < b ? -1 : a > b;
}

static int by_number(const void *a, const void *b)
{
    const diff_row *x = a, *y = b;
    if (x->change != y->change)
        return x->change < y->change ? -1 : 1;
    return compare_numbers(x, y);
}

static int by_drift(const void *a, const void *b)
{
    const diff_row *x = a, *y = b;
    if (x->change == y->change && x->similarity != y->similarity)
        return x->similarity < y->similarity ? -1 : 1;
    return by_number(a, b);
}

static int by_size(const void *a, const void *b)
{
    const diff_row *x = a, *y = b;
    if (x->change == y->change && x->tokens != y->tokens)
        return x->tokens > y->tokens ? -1 : 1;
    return by_number(a, b);
}

static void add_row(diff_view *view, diff_row row)
{
    for (int m = 0; m < 2; m++) {
        uint64_t tokens = row.has[m] ? ezlda_model_topic_tokens(view->model[m])[row.topic[m]] : 0;
        row.tokens += tokens;
        view->tokens[row.change][m] += tokens;
    }
    view->count[row.change]++;
    view->rows[view->n_rows++] = row;
}

static void add_pairs(diff_view *view, const ezlda_match *match)
{
    const ezlda_topic_pair *pair = ezlda_match_pairs(match);
    for (uint32_t i = 0; i < view->info.pairs; i++, pair++)
        add_row(view, (diff_row){.change = pair->similarity < view->settings->drift ? DIFF_DRIFTED
                                                                                    : DIFF_KEPT,
                                 .has = {true, true},
                                 .topic = {pair->a, pair->b},
                                 .shared_words = pair->shared_words,
                                 .similarity = pair->similarity,
                                 .jaccard = pair->jaccard});
}

static void add_alone(diff_view *view, const ezlda_match *match, int m, uint32_t n)
{
    const ezlda_lone_topic *lone = ezlda_match_alone(match, m ? EZLDA_OF_B : EZLDA_OF_A);
    for (uint32_t i = 0; i < n; i++, lone++) {
        diff_row row = {.change = m ? DIFF_APPEARED : DIFF_VANISHED, .nearest = lone->nearest};
        row.has[m] = true;
        row.topic[m] = lone->topic;
        row.similarity = lone->similarity;
        add_row(view, row);
    }
}

diff_view diff_view_open(const diff_settings *settings, ezlda_context *context,
                         const char *const path[2], const ezlda_model *const model[2],
                         const ezlda_match *match)
{
    diff_view view = {.settings = settings, .context = context, .info = {.size = sizeof view.info}};
    ezlda_match_get_info(match, &view.info);
    view.rows = cli_zeroed((size_t)view.info.topics_a + view.info.topics_b, sizeof *view.rows);
    for (int m = 0; m < 2; m++) {
        view.path[m] = path[m];
        view.model[m] = model[m];
        view.words[m].model = model[m];
        view.words[m].word = cli_zeroed(settings->words, sizeof *view.words[m].word);
        view.words[m].shared = cli_zeroed(settings->words, sizeof *view.words[m].shared);
    }
    add_pairs(&view, match);
    add_alone(&view, match, 0, view.info.alone_a);
    add_alone(&view, match, 1, view.info.alone_b);
    qsort(view.rows, view.n_rows, sizeof *view.rows,
          settings->sort == DIFF_BY_DRIFT  ? by_drift
          : settings->sort == DIFF_BY_SIZE ? by_size
                                           : by_number);
    return view;
}

void diff_view_close(diff_view *view)
{
    for (int m = 0; m < 2; m++) {
        free(view->words[m].word);
        free(view->words[m].shared);
    }
    free(view->rows);
}

const char *diff_word(const diff_view *view, int model, size_t i)
{
    return ezlda_model_word(view->model[model], (uint32_t)view->words[model].word[i].id);
}

static void mark_shared(diff_view *view)
{
    diff_words *a = &view->words[0], *b = &view->words[1];
    memset(a->shared, 0, a->n * sizeof *a->shared);
    memset(b->shared, 0, b->n * sizeof *b->shared);
    for (size_t i = 0; i < a->n; i++)
        for (size_t j = 0; j < b->n; j++)
            if (strcmp(diff_word(view, 0, i), diff_word(view, 1, j)) == 0)
                a->shared[i] = b->shared[j] = true;
}

ezlda_status diff_load_words(diff_view *view, const diff_row *row)
{
    for (int m = 0; m < 2; m++) {
        diff_words *words = &view->words[m];
        words->n = 0;
        if (!row->has[m])
            continue;
        ezlda_status status =
            ezlda_model_top_words(words->word, view->settings->words, &words->n, view->context,
                                  words->model, row->topic[m], EZLDA_BY_PROBABILITY, 1);
        if (status != EZLDA_OK)
            return status;
    }
    mark_shared(view);
    return EZLDA_OK;
}

const diff_row *diff_rows(const diff_view *view, diff_change change, size_t *n)
{
    const diff_row *row = view->rows;
    for (int before = 0; before < (int)change; before++)
        row += view->count[before];
    uint32_t top = view->settings->top;
    *n = top && top < view->count[change] ? top : view->count[change];
    return row;
}

double diff_share(const diff_view *view, int model, uint64_t tokens)
{
    ezlda_model_info info = {.size = sizeof info};
    ezlda_model_get_info(view->model[model], &info);
    return info.tokens ? (double)tokens / (double)info.tokens : 0;
}
