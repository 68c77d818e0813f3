/* Prints the topics of documents and the top documents of a topic, as tables, TSV and JSON. */
#include "output/doc_views.h"

#include "output/json_out.h"
#include "output/text_out.h"
#include "output/text_table.h"
#include "output/topic_list.h"

#include <stdio.h>
#include <stdlib.h>

enum { NAME_COLUMNS = 40, TOP_DOCUMENTS = 10, WORDS_OF_TOPIC = 8 };

docs_view docs_view_open(const ezlda_model *model, ezlda_context *context,
                         const docs_settings *settings)
{
    ezlda_model_info info = {.size = sizeof info};
    ezlda_model_get_info(model, &info);
    docs_view view = {.model = model, .context = context, .settings = settings};
    view.samples = settings->interval > 0 ? ezlda_model_samples(model) : NULL;
    view.alpha_sum = info.alpha_sum;
    view.topics = info.topics;
    view.topic = cli_zeroed(info.topics, sizeof *view.topic);
    view.count = cli_zeroed(info.topics, sizeof *view.count);
    view.sorted = cli_zeroed(info.topics, sizeof *view.sorted);
    return view;
}

void docs_view_close(docs_view *view)
{
    free(view->topic);
    free(view->count);
    free(view->sorted);
}

static int larger_share_first(const void *a, const void *b)
{
    const doc_topic *x = a, *y = b;
    if (x->share != y->share)
        return x->share < y->share ? 1 : -1;
    return x->topic < y->topic ? -1 : 1;
}

/* The same from the samples, with intervals, for all topics. */
static size_t load_intervals(const docs_view *view, uint64_t doc)
{
    ezlda_samples_info info = {.size = sizeof info};
    double length = (double)ezlda_model_doc_tokens(view->model, doc) + view->alpha_sum;
    const double *alpha = ezlda_model_alpha(view->model);
    size_t shown = 0;
    ezlda_samples_get_info(view->samples, &info);
    double *sum = cli_zeroed(view->topics, sizeof *sum);
    for (uint32_t s = 0; s < info.samples; s++) {
        size_t n =
            ezlda_samples_doc_topics(view->samples, s, doc, view->topic, view->count, view->topics);
        for (size_t i = 0; i < n; i++)
            sum[view->topic[i]] += view->count[i];
    }
    for (uint32_t k = 0; k < view->topics; k++)
        if (!ezlda_model_topic_hidden(view->model, k))
            view->sorted[shown++] =
                (doc_topic){.topic = k,
                            .count = (uint32_t)(sum[k] / info.samples + 0.5),
                            .share = (sum[k] / info.samples + alpha[k]) / length};
    free(sum);
    qsort(view->sorted, shown, sizeof *view->sorted, larger_share_first);
    shown = shown < view->settings->top ? shown : view->settings->top;
    for (size_t i = 0; i < shown; i++)
        (void)ezlda_samples_share(&view->sorted[i].share, &view->sorted[i].low,
                                  &view->sorted[i].high, view->context, view->model, view->samples,
                                  doc, view->sorted[i].topic, view->settings->interval / 100);
    return shown;
}

/* Sorts the document's topics into view->sorted; returns how many to show, at most --top. */
static size_t load_topics(const docs_view *view, uint64_t doc)
{
    if (view->samples)
        return load_intervals(view, doc);
    size_t n = ezlda_model_doc_topics(view->model, doc, view->topic, view->count, view->topics);
    double length = (double)ezlda_model_doc_tokens(view->model, doc) + view->alpha_sum;
    const double *alpha = ezlda_model_alpha(view->model);
    size_t shown = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t topic = view->topic[i];
        if (!ezlda_model_topic_hidden(view->model, topic))
            view->sorted[shown++] = (doc_topic){.topic = topic,
                                                .count = view->count[i],
                                                .share = (view->count[i] + alpha[topic]) / length};
    }
    n = shown;
    qsort(view->sorted, n, sizeof *view->sorted, larger_share_first);
    return n < view->settings->top ? n : view->settings->top;
}

/* The name of a topic, or its number if it has none. */
static const char *short_name(const ezlda_model *model, uint32_t topic, cli_text *line)
{
    text_clear(line);
    if (*ezlda_model_topic_name(model, topic))
        text_shown(line, ezlda_model_topic_name(model, topic));
    else
        text_printf(line, "%u", topic);
    return line->data;
}

void docs_table(const docs_view *view, uint64_t first, uint64_t end)
{
    static const cli_column columns[] = {
        {"doc", true, 0}, {"name", false, NAME_COLUMNS}, {"tokens", true, 0}, {"topics", false, 0}};
    cli_table *table = table_open(columns, 4);
    cli_text line = {0}, name = {0};
    char count[32];
    for (uint64_t d = first; d < end && !ferror(stdout); d++) {
        size_t n = load_topics(view, d);
        text_clear(&line);
        for (size_t i = 0; i < n; i++) {
            text_printf(&line, "%s%s (%.0f %%", i ? ", " : "",
                        short_name(view->model, view->sorted[i].topic, &name),
                        100 * view->sorted[i].share);
            if (view->samples)
                text_printf(&line, ", %.0f to %.0f", 100 * view->sorted[i].low,
                            100 * view->sorted[i].high);
            text_put(&line, ")", 1);
        }
        table_cell(table, "%llu", (unsigned long long)d);
        table_string(table, ezlda_model_doc_name(view->model, d));
        table_cell(table, "%s", text_count(ezlda_model_doc_tokens(view->model, d), count));
        table_safe(table, line.data);
    }
    table_close(table);
    text_free(&name);
    text_free(&line);
}

void docs_tsv(const docs_view *view, uint64_t first, uint64_t end)
{
    cli_text line = {0};
    puts(view->samples ? "doc\tname\ttokens\ttopic\tshare\tlow\thigh"
                       : "doc\tname\ttokens\ttopics");
    for (uint64_t d = first; d < end && !ferror(stdout); d++) {
        size_t n = load_topics(view, d);
        text_clear(&line);
        text_printf(&line, "%llu\t", (unsigned long long)d);
        text_tsv(&line, ezlda_model_doc_name(view->model, d));
        text_printf(&line, "\t%llu\t", (unsigned long long)ezlda_model_doc_tokens(view->model, d));
        for (size_t i = 0; view->samples && i < n; i++) /* one line per topic */
            printf("%s%u\t%.9g\t%.9g\t%.9g\n", line.data, view->sorted[i].topic,
                   view->sorted[i].share, view->sorted[i].low, view->sorted[i].high);
        if (view->samples)
            continue;
        for (size_t i = 0; i < n; i++)
            text_printf(&line, "%s%u:%.9g", i ? " " : "", view->sorted[i].topic,
                        view->sorted[i].share);
        puts(line.data);
    }
    text_free(&line);
}

static void json_document(json_out *json, const docs_view *view, uint64_t doc)
{
    json_put_u64(json, "doc", doc);
    json_put_string(json, "name", ezlda_model_doc_name(view->model, doc));
    json_put_u64(json, "tokens", ezlda_model_doc_tokens(view->model, doc));
}

void docs_json(const docs_view *view, uint64_t first, uint64_t end)
{
    json_out json = {.file = stdout};
    json_open(&json, '{', true);
    json_key(&json, "documents");
    json_open(&json, '[', true);
    for (uint64_t d = first; d < end && !ferror(stdout); d++) {
        size_t n = load_topics(view, d);
        json_open(&json, '{', false);
        json_document(&json, view, d);
        json_key(&json, "topics");
        json_open(&json, '[', false);
        for (size_t i = 0; i < n; i++) {
            json_open(&json, '{', false);
            json_put_u64(&json, "topic", view->sorted[i].topic);
            if (*ezlda_model_topic_name(view->model, view->sorted[i].topic))
                json_put_string(&json, "name",
                                ezlda_model_topic_name(view->model, view->sorted[i].topic));
            json_put_u64(&json, "tokens", view->sorted[i].count);
            json_put_real(&json, "share", view->sorted[i].share);
            if (view->samples) {
                json_put_real(&json, "low", view->sorted[i].low);
                json_put_real(&json, "high", view->sorted[i].high);
            }
            json_close(&json, '}');
        }
        json_close(&json, ']');
        json_close(&json, '}');
    }
    json_close(&json, ']');
    json_close(&json, '}');
}

ezlda_status doc_table(const docs_view *view, uint64_t doc)
{
    static const cli_column columns[] = {
        {"topic", true, 0}, {"share", true, 0}, {"tokens", true, 0}, {"words", false, 0}};
    static const cli_column with_names[] = {{"topic", true, 0},
                                            {"share", true, 0},
                                            {"tokens", true, 0},
                                            {"name", false, 0},
                                            {"words", false, 0}};
    cli_text line = {0}, topic_line = {0};
    bool named = topics_have_names(view->model);
    char count[32];
    const char *name = ezlda_model_doc_name(view->model, doc);
    text_shown(&line, name);
    printf("document %llu%s%s: %s tokens\n", (unsigned long long)doc, *name ? ", " : "", line.data,
           text_count(ezlda_model_doc_tokens(view->model, doc), count));
    size_t n = load_topics(view, doc);
    cli_table *table = table_open(named ? with_names : columns, named ? 5 : 4);
    ezlda_status status = EZLDA_OK;
    for (size_t i = 0; i < n && status == EZLDA_OK; i++) {
        const doc_topic *topic = &view->sorted[i];
        status = topic_words(view->model, view->context, topic->topic, EZLDA_BY_PROBABILITY, 1,
                             WORDS_OF_TOPIC, &line);
        table_cell(table, "%u", topic->topic);
        if (view->samples)
            table_cell(table, "%.2f %% (%.2f to %.2f)", 100 * topic->share, 100 * topic->low,
                       100 * topic->high);
        else
            table_cell(table, "%.2f %%", 100 * topic->share);
        table_cell(table, "%s", text_count(topic->count, count));
        topic_name(view->model, topic->topic, &topic_line);
        if (named)
            table_safe(table, topic_line.data ? topic_line.data : "");
        table_safe(table, line.data);
    }
    table_close(table);
    text_free(&topic_line);
    text_free(&line);
    return status;
}

/* ---- documents of a topic ---- */

static ezlda_status top_docs_table(const docs_view *view, uint32_t topic, const ezlda_scored *docs,
                                   size_t n)
{
    static const cli_column columns[] = {{"doc", true, 0},
                                         {"share", true, 0},
                                         {"tokens", true, 0},
                                         {"length", true, 0},
                                         {"name", false, 0}};
    cli_text line = {0}, name = {0};
    char count[32], length[32];
    uint32_t into = ezlda_model_topic_into(view->model, topic);
    if (into != topic) {
        printf("topic %u: merged into %u\n", topic, into);
        return EZLDA_OK;
    }
    ezlda_status status = topic_words(view->model, view->context, topic, EZLDA_BY_PROBABILITY, 1,
                                      WORDS_OF_TOPIC, &line);
    topic_name(view->model, topic, &name);
    if (status == EZLDA_OK)
        printf("topic %u%s%s%s: %s\n", topic, name.n ? ", " : "", name.n ? name.data : "",
               ezlda_model_topic_hidden(view->model, topic) ? ", hidden" : "", line.data);
    text_free(&name);
    text_free(&line);
    cli_table *table = table_open(columns, 5);
    for (size_t i = 0; i < n; i++) {
        table_cell(table, "%llu", (unsigned long long)docs[i].id);
        table_cell(table, "%.2f %%", 100 * docs[i].probability);
        table_cell(table, "%s", text_count(docs[i].count, count));
        table_cell(table, "%s",
                   text_count(ezlda_model_doc_tokens(view->model, docs[i].id), length));
        table_string(table, ezlda_model_doc_name(view->model, docs[i].id));
    }
    table_close(table);
    return status;
}

static void top_docs_tsv(const docs_view *view, const ezlda_scored *docs, size_t n)
{
    cli_text name = {0};
    puts("rank\tdoc\tname\ttokens\tlength\tshare");
    for (size_t i = 0; i < n; i++) {
        text_clear(&name);
        text_tsv(&name, ezlda_model_doc_name(view->model, docs[i].id));
        printf("%zu\t%llu\t%s\t%llu\t%llu\t%.9g\n", i + 1, (unsigned long long)docs[i].id,
               name.data, (unsigned long long)docs[i].count,
               (unsigned long long)ezlda_model_doc_tokens(view->model, docs[i].id),
               docs[i].probability);
    }
    text_free(&name);
}

static void top_docs_json(const docs_view *view, uint32_t topic, const ezlda_scored *docs, size_t n)
{
    json_out json = {.file = stdout};
    json_open(&json, '{', true);
    json_put_u64(&json, "topic", topic);
    json_key(&json, "documents");
    json_open(&json, '[', true);
    for (size_t i = 0; i < n; i++) {
        json_open(&json, '{', false);
        json_put_u64(&json, "doc", docs[i].id);
        json_put_string(&json, "name", ezlda_model_doc_name(view->model, docs[i].id));
        json_put_u64(&json, "tokens", docs[i].count);
        json_put_u64(&json, "length", ezlda_model_doc_tokens(view->model, docs[i].id));
        json_put_real(&json, "share", docs[i].probability);
        json_close(&json, '}');
    }
    json_close(&json, ']');
    json_close(&json, '}');
}

ezlda_status top_docs(const docs_view *view, uint32_t topic)
{
    ezlda_model_info info = {.size = sizeof info};
    ezlda_model_get_info(view->model, &info);
    uint64_t wanted = view->settings->count ? view->settings->count : TOP_DOCUMENTS;
    size_t n = (size_t)(wanted < info.docs ? wanted : info.docs), written = 0;
    ezlda_scored *docs = cli_zeroed(n, sizeof *docs);
    ezlda_status status =
        ezlda_model_top_docs(docs, n, &written, view->context, view->model, topic);
    if (status == EZLDA_OK && view->settings->list.json)
        top_docs_json(view, topic, docs, written);
    else if (status == EZLDA_OK && view->settings->list.tsv)
        top_docs_tsv(view, docs, written);
    else if (status == EZLDA_OK)
        status = top_docs_table(view, topic, docs, written);
    free(docs);
    return status;
}
