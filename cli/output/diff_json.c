/* `ezlda diff --json`. */
#include "output/diff_views.h"
#include "output/json_out.h"

static void put_model(json_out *json, const diff_view *view, int m)
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

static void put_counts(json_out *json, const diff_view *view)
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

static void put_topic(json_out *json, const diff_view *view, const diff_row *row, int m)
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

/* The first words of one topic that are not among those of the other. */
static void put_own_words(json_out *json, const diff_view *view, const char *key, int m)
{
    json_key(json, key);
    json_open(json, '[', false);
    for (size_t i = 0; i < view->words[m].n; i++)
        if (!view->words[m].shared[i])
            json_string(json, diff_word(view, m, i));
    json_close(json, ']');
}

static void put_row(json_out *json, const diff_view *view, const diff_row *row)
{
    json_open(json, '{', true);
    json_put_real(json, "similarity", row->similarity);
    for (int m = 0; m < 2; m++) {
        if (!row->has[m])
            continue;
        json_key(json, m ? "b" : "a");
        put_topic(json, view, row, m);
    }
    if (row->has[0] && row->has[1]) {
        json_put_u64(json, "shared_words", row->shared_words);
        json_put_real(json, "jaccard", row->jaccard);
        put_own_words(json, view, "came_in", 1);
        put_own_words(json, view, "fell_out", 0);
    } else {
        json_put_u64(json, "nearest", row->nearest);
    }
    json_close(json, '}');
}

static ezlda_status put_rows(json_out *json, diff_view *view, diff_change change)
{
    size_t n;
    const diff_row *row = diff_rows(view, change, &n);
    ezlda_status status = EZLDA_OK;
    json_key(json, diff_change_names[change]);
    json_open(json, '[', true);
    for (size_t i = 0; i < n && status == EZLDA_OK && !ferror(stdout); i++, row++) {
        status = diff_load_words(view, row);
        if (status == EZLDA_OK)
            put_row(json, view, row);
    }
    json_close(json, ']');
    return status;
}

ezlda_status diff_json(diff_view *view)
{
    json_out json = {.file = stdout};
    ezlda_status status = EZLDA_OK;
    json_open(&json, '{', true);
    put_model(&json, view, 0);
    put_model(&json, view, 1);
    put_counts(&json, view);
    for (diff_change change = 0; change < DIFF_CHANGES && status == EZLDA_OK; change++)
        status = put_rows(&json, view, change);
    json_close(&json, '}');
    return status;
}
