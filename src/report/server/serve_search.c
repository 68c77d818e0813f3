/* Answers the requests of the search: documents found, their fields and topics, tables, the
 * difference of two results, and exports. */
#include "report/server/serve_search.h"

#include "base/os/os_process.h"
#include "corpus/corpus.h"
#include "corpus/input/utf8.h"
#include "report/search/result_tables.h"
#include "report/server/doc_search.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    EZ_PAGE_DOCS = 20,
    EZ_DEEPEST = 100000, /* documents of a list, and of an export */
    EZ_FACET_VALUES = 12,
    EZ_FACET_FIELDS = 8,
    EZ_FACET_MOST = 20000, /* different values of a field whose values are counted */
    EZ_SNIPPET = 240,
    EZ_LONG_WORD = 40,
    EZ_TABLE_COLUMNS = 12,
    EZ_TABLE_ROWS = 400,
    EZ_COMPARED_DOCS = 4000,
    EZ_COMPARED_WORDS = 20
};

/* Whether the values of a field are counted: names are all different. */
static bool is_faceted(const ez_index_field *field)
{
    return field->values > 1 && (field->kind != EZ_FIELD_TEXT || field->values <= EZ_FACET_MOST) &&
           strcmp(field->name, "name") != 0;
}

ezlda_status ez_serve_search_open(ez_serve_search *search, ezlda_context *context,
                                  const ezlda_report *report, const char *index_path)
{
    *search = (ez_serve_search){.report = report};
    EZ_TRY(ez_doc_index_open(&search->index, context, report->model, report->corpus, index_path));
    EZ_TRY(ez_query_words_open(&search->words, context, report->model));
    const ez_doc_index *index = search->index;
    EZ_TRY(ez_array_zero(&search->groups, context, index->meta.fields, sizeof *search->groups,
                         "fields"));
    for (uint32_t f = 0; f < index->meta.fields; f++)
        if (is_faceted(&index->field[f]))
            EZ_TRY(ez_groups_make(&search->groups[f], context, index, f, NULL));
    return EZLDA_OK;
}

void ez_serve_search_close(ez_serve_search *search)
{
    for (uint32_t f = 0; search->groups && f < search->index->meta.fields; f++)
        ez_groups_free(&search->groups[f]);
    ez_free(search->groups);
    ez_query_words_close(&search->words);
    ez_doc_index_free(search->index);
}

/* ---- one request ---- */

/* A request with the query that it has, once it is run. */
typedef struct ask {
    ez_serve_search *search;
    const ez_doc_index *index;
    ez_json *json;
    const ez_http_request *request;
    ez_http_answer *answer;
    ez_query query;
    ez_found found;
} ask;

static void done(ask *a)
{
    ez_query_free(&a->query);
    ez_found_free(&a->found);
}

static bool text_value(const ask *a, const char *name, char value[EZ_HTTP_VALUE])
{
    return ez_http_value(a->request, name, value) &&
           ez_utf8_check(value, strlen(value)) == strlen(value);
}

/* Runs the query in the parameter `name`; answers with an error and returns false if it is wrong.
 */
static bool run(ask *a, const char *name)
{
    char text[EZ_HTTP_VALUE];
    bool good = false;
    ez_json *json = a->json;
    if (!text_value(a, name, text)) {
        ez_put_error(json, a->answer, 400, "expected query=TEXT of at most 1,000 bytes of UTF-8");
        return false;
    }
    json->status =
        ez_query_parse(&a->query, json->context, a->index, &a->search->words, text, &good);
    if (json->status == EZLDA_OK && !good)
        ez_put_error(json, a->answer, 400, a->query.fault);
    if (json->status == EZLDA_OK && good)
        json->status = ez_query_run(&a->found, json->context, a->index, &a->query);
    return json->status == EZLDA_OK && good;
}

/* A number of a parameter, `fallback` if there is none; false if it is not one up to `most`. */
static bool number_value(const ask *a, const char *name, uint64_t most, uint64_t fallback,
                         uint64_t *number)
{
    char value[EZ_HTTP_VALUE];
    *number = fallback;
    return !ez_http_value(a->request, name, value) || ez_take_number(value, most + 1, number);
}

/* The field that a parameter names; EZ_NO_GROUP if there is no such parameter. */
static bool field_value(const ask *a, const char *name, uint32_t *field)
{
    char value[EZ_HTTP_VALUE];
    *field = EZ_NO_GROUP;
    if (!text_value(a, name, value) || !*value)
        return true;
    for (uint32_t f = 0; f < a->index->meta.fields; f++)
        if (strcmp(a->index->field[f].name, value) == 0)
            *field = f;
    return *field != EZ_NO_GROUP;
}

/* sort=best, number, topic:K, FIELD or -FIELD. */
static bool order_value(const ask *a, ez_order *order)
{
    char value[EZ_HTTP_VALUE];
    uint64_t topic;
    *order = (ez_order){.by = EZ_SORT_BEST};
    if (!text_value(a, "sort", value) || strcmp(value, "best") == 0)
        return true;
    if (strncmp(value, "topic:", 6) == 0 &&
        ez_take_number(value + 6, a->index->meta.topics, &topic)) {
        *order = (ez_order){.by = EZ_SORT_TOPIC, .topic = (uint32_t)topic};
        return true;
    }
    order->falling = *value == '-';
    for (uint32_t f = 0; f < a->index->meta.fields; f++)
        if (strcmp(a->index->field[f].name, value + order->falling) == 0) {
            order->by = EZ_SORT_FIELD;
            order->field = f;
            return true;
        }
    order->by = EZ_SORT_NUMBER;
    return strcmp(value, "number") == 0;
}

static void put_query(const ask *a)
{
    const char *word = (const char *)a->query.ignored.data;
    ez_json_pair(a->json, "total", whole, a->found.docs);
    ez_json_key(a->json, "ignored");
    ez_json_begin(a->json, '[');
    for (size_t i = 0; i < a->query.ignored.used; i += strlen(word + i) + 1)
        ez_json_string(a->json, word + i);
    ez_json_end(a->json, ']');
}

/* ---- snippets ---- */

static bool is_wanted(const ez_query *query, uint32_t word)
{
    const uint32_t *wanted = (const uint32_t *)(const void *)query->words.data;
    for (size_t i = 0; i < query->words.used / sizeof *wanted; i++)
        if (wanted[i] == word)
            return true;
    return false;
}

static bool is_inside(const char *text, size_t at)
{
    return ((unsigned char)text[at] & 0xc0) == 0x80;
}

static bool is_space(const ezlda_doc_text *text, size_t at)
{
    return strchr(" \t\r\n", text->text[at]) != NULL;
}

/* Where a snippet begins that has a word some bytes into it: at a space, if one is near, so that no
 * word is cut. */
static size_t snippet_begin(const ezlda_doc_text *text, size_t word)
{
    if (word <= EZ_SNIPPET / 3)
        return 0;
    size_t from = word - EZ_SNIPPET / 3;
    for (size_t begin = from; begin < from + EZ_LONG_WORD; begin++)
        if (is_space(text, begin))
            return begin;
    while (is_inside(text->text, from))
        from++;
    return from;
}

/* Where a snippet ends: before a space, if one is near. */
static size_t snippet_end(const ezlda_doc_text *text, size_t from)
{
    size_t to = from + EZ_SNIPPET;
    if (to >= text->bytes)
        return text->bytes;
    for (size_t end = to; end > to - EZ_LONG_WORD; end--)
        if (is_space(text, end))
            return end;
    while (is_inside(text->text, to))
        to--;
    return to;
}

/* Pieces of the text around the first word that is looked for, by turns plain and such words. Dots
 * stand for text before and after them. */
static void put_pieces(ez_json *json, const ez_query *query, const ezlda_doc_text *text)
{
    char piece[EZ_SNIPPET + 16];
    size_t first = 0;
    while (first < text->n_places && !is_wanted(query, text->places[first].word))
        first++;
    size_t from = first < text->n_places ? snippet_begin(text, (size_t)text->places[first].at) : 0;
    size_t to = snippet_end(text, from);
    ez_json_begin(json, '[');
    for (size_t i = first, at = from;; i++) {
        while (i < text->n_places &&
               (text->places[i].at < at || !is_wanted(query, text->places[i].word)))
            i++;
        bool more = i < text->n_places && text->places[i].at + text->places[i].bytes <= to;
        size_t stop = more ? (size_t)text->places[i].at : to;
        snprintf(piece, sizeof piece, "%s%.*s%s", at == from && from ? "\xe2\x80\xa6" : "",
                 (int)(stop - at), text->text + at,
                 more || to == text->bytes ? "" : " \xe2\x80\xa6");
        ez_json_string(json, piece);
        if (!more)
            break;
        snprintf(piece, sizeof piece, "%.*s", (int)text->places[i].bytes, text->text + stop);
        ez_json_string(json, piece);
        at = stop + text->places[i].bytes;
    }
    ez_json_end(json, ']');
}

static void put_snippet(const ask *a, uint32_t doc)
{
    ezlda_doc_text *text = NULL;
    ez_json *json = a->json;
    if (json->status != EZLDA_OK || !ez_corpus_has_text(a->index->corpus))
        return;
    json->status = ezlda_corpus_doc_text(&text, json->context, a->index->corpus, doc);
    ez_json_key(json, "snippet");
    if (json->status == EZLDA_OK)
        put_pieces(json, &a->query, text);
    ezlda_doc_text_free(text);
}

/* ---- facets ---- */

/* A query of n bytes that begins with the name of a field; null if it would be too long, or the
 * name would be read as something else. */
static void put_field_query(ez_json *json, const char *query, int n)
{
    bool good = n > 0 && n <= EZ_QUERY_BYTES && !strchr("-( \"", *query);
    ez_json_string(json, good ? query : NULL);
}

static void put_quoted(ez_json *json, const char *field, const char *value)
{
    char text[EZ_HTTP_VALUE];
    int n = snprintf(text, sizeof text, "%s:=\"%s\"", field, value);
    put_field_query(json, text, strchr(value, '"') ? 0 : n);
}

/* The query that finds a group; null if there is none. */
static void put_group_query(ez_json *json, const ez_doc_index *index, const ez_groups *groups,
                            uint32_t group)
{
    char text[EZ_HTTP_VALUE];
    const char *name = groups->field->name, *label = ez_group_text(groups, index, group);
    if (!groups->text) {
        put_quoted(json, name, label);
        return;
    }
    const char *quarter = strstr(label, "-Q");
    int last = quarter ? 3 * (quarter[2] - '0') : 0;
    int n = quarter ? snprintf(text, sizeof text, "%s:%.4s-%02d..%.4s-%02d", name, label, last - 2,
                               label, last)
                    : snprintf(text, sizeof text, "%s:%s", name, label);
    put_field_query(json, text, n);
}

static void put_group(ez_json *json, const ez_doc_index *index, const ez_groups *groups,
                      uint32_t group, const ez_cell *cell)
{
    ez_json_begin(json, '{');
    ez_json_pair(json, "text", string, ez_group_text(groups, index, group));
    ez_json_key(json, "query");
    put_group_query(json, index, groups, group);
    ez_json_pair(json, "docs", whole, cell->docs);
    ez_json_end(json, '}');
}

/* Values with the most documents first, or steps of time and spans in their order. */
static void put_values(const ask *a, const ez_groups *groups, const ez_cell *cell)
{
    ez_json_begin(a->json, '[');
    if (groups->text || groups->field->kind != EZ_FIELD_TEXT) {
        for (uint32_t i = 0; i < groups->n; i++)
            if (cell[i].docs)
                put_group(a->json, a->index, groups, i, &cell[i]);
        ez_json_end(a->json, ']');
        return;
    }
    uint64_t last_docs = UINT64_MAX;
    uint32_t last = 0;
    for (int shown = 0; shown < EZ_FACET_VALUES; shown++) {
        uint32_t best = EZ_NO_GROUP;
        for (uint32_t i = 0; i < groups->n; i++)
            if (cell[i].docs &&
                (cell[i].docs < last_docs || (cell[i].docs == last_docs && i > last)) &&
                (best == EZ_NO_GROUP || cell[i].docs > cell[best].docs))
                best = i;
        if (best == EZ_NO_GROUP)
            break;
        put_group(a->json, a->index, groups, best, &cell[best]);
        last_docs = cell[best].docs;
        last = best;
    }
    ez_json_end(a->json, ']');
}

static const char *const kinds[] = {
    [EZ_FIELD_TEXT] = "text", [EZ_FIELD_NUMBER] = "number", [EZ_FIELD_DATE] = "date"};

static void put_facet(const ask *a, uint32_t field)
{
    ez_json *json = a->json;
    const ez_groups *groups = &a->search->groups[field];
    ez_cell *cell = NULL;
    json->status = ez_array_zero(&cell, json->context, groups->n, sizeof *cell, "sums");
    if (json->status == EZLDA_OK)
        json->status =
            ez_cross(json->context, a->index, &a->found, groups, NULL, EZ_NO_GROUP, cell);
    if (json->status == EZLDA_OK) {
        ez_json_begin(json, '{');
        ez_json_pair(json, "name", string, groups->field->name);
        ez_json_pair(json, "kind", string, kinds[groups->field->kind]);
        ez_json_key(json, "values");
        put_values(a, groups, cell);
        ez_json_end(json, '}');
    }
    ez_free(cell);
}

static void put_facets(const ask *a)
{
    uint32_t shown = 0;
    ez_json_key(a->json, "facets");
    ez_json_begin(a->json, '[');
    for (uint32_t f = 0; f < a->index->meta.fields && shown < EZ_FACET_FIELDS; f++)
        if (a->json->status == EZLDA_OK && is_faceted(&a->index->field[f])) {
            put_facet(a, f);
            shown++;
        }
    ez_json_end(a->json, ']');
}

/* The largest topics of what was found: [topic, share]. */
static void put_topics(const ask *a, const char *key, uint32_t most)
{
    ez_json *json = a->json;
    uint32_t topics = a->index->meta.topics;
    uint64_t *tokens = NULL, all = 0;
    if (json->status == EZLDA_OK)
        json->status = ez_array_zero(&tokens, json->context, topics, sizeof *tokens, "sums");
    if (json->status == EZLDA_OK)
        json->status = ez_found_topics(json->context, a->index, &a->found, tokens, &all);
    ez_json_key(json, key);
    ez_json_begin(json, '[');
    for (uint32_t i = 0; json->status == EZLDA_OK && i < most && i < topics; i++) {
        uint32_t best = 0;
        for (uint32_t k = 1; k < topics; k++)
            best = tokens[k] > tokens[best] ? k : best;
        if (!tokens[best])
            break;
        ez_json_begin(json, '[');
        ez_json_whole(json, best);
        ez_json_real(json, (double)tokens[best] / (double)all);
        ez_json_end(json, ']');
        tokens[best] = 0;
    }
    ez_json_end(json, ']');
    ez_free(tokens);
}

/* ---- find ---- */

static void put_found(const ask *a, const uint32_t *doc, uint32_t n, bool snippets)
{
    ez_json_key(a->json, "documents");
    ez_json_begin(a->json, '[');
    for (uint32_t i = 0; i < n; i++) {
        ez_json_begin(a->json, '{');
        ez_put_document(a->json, a->search->report, doc[i]);
        if (snippets)
            put_snippet(a, doc[i]);
        ez_json_end(a->json, '}');
    }
    ez_json_end(a->json, ']');
}

static void find(ask *a)
{
    uint32_t doc[EZ_PAGE_DOCS], n = 0;
    uint64_t from;
    ez_order order;
    int64_t begun = ez_os_clock_ns();
    if (!order_value(a, &order)) {
        ez_put_error(a->json, a->answer, 400,
                     "sort: expected best, number, topic:N, a field or -field");
        return;
    }
    if (!number_value(a, "from", EZ_DEEPEST, 0, &from)) {
        ez_put_error(a->json, a->answer, 400, "from: expected a number up to 100000");
        return;
    }
    if (!run(a, "query"))
        return;
    a->json->status = ez_found_list(&a->found, a->json->context, a->index, &a->query, &order, from,
                                    EZ_PAGE_DOCS, doc, &n);
    ez_json_begin(a->json, '{');
    put_query(a);
    put_found(a, doc, n, true);
    if (!from) { /* the same for all parts of a list */
        put_topics(a, "topics", 10);
        put_facets(a);
    }
    ez_json_pair(a->json, "milliseconds", real, (double)(ez_os_clock_ns() - begun) / 1e6);
    ez_json_end(a->json, '}');
}

/* ---- tables ---- */

/* Rows with documents, at most EZ_TABLE_ROWS; columns with the most documents first. */
static uint32_t choose_columns(const ez_groups *rows, const ez_groups *columns, const ez_cell *cell,
                               uint32_t *chosen)
{
    uint32_t n = 0;
    uint64_t last_docs = UINT64_MAX;
    uint32_t last = 0;
    while (columns && n < EZ_TABLE_COLUMNS) {
        uint32_t best = EZ_NO_GROUP;
        uint64_t best_docs = 0;
        for (uint32_t c = 0; c < columns->n; c++) {
            uint64_t docs = 0;
            for (uint32_t r = 0; r < rows->n; r++)
                docs += cell[(size_t)r * columns->n + c].docs;
            bool next = docs < last_docs || (docs == last_docs && c > last);
            if (next && docs > best_docs) {
                best = c;
                best_docs = docs;
            }
        }
        if (best == EZ_NO_GROUP)
            break;
        chosen[n++] = best;
        last = best;
        last_docs = best_docs;
    }
    return n;
}

static void put_cell(ez_json *json, const ez_cell *cell)
{
    ez_json_begin(json, '[');
    ez_json_whole(json, cell->docs);
    ez_json_whole(json, cell->tokens);
    ez_json_whole(json, cell->topic_tokens);
    ez_json_end(json, ']');
}

static void put_table(const ask *a, const ez_groups *rows, const ez_groups *columns,
                      const ez_cell *cell)
{
    uint32_t chosen[EZ_TABLE_COLUMNS] = {0}, shown = 0;
    uint32_t n = choose_columns(rows, columns, cell, chosen), width = columns ? columns->n : 1;
    ez_json *json = a->json;
    ez_json_key(json, "columns");
    ez_json_begin(json, '[');
    for (uint32_t c = 0; c < n; c++) {
        static const ez_cell none = {0};
        put_group(json, a->index, columns, chosen[c], &none);
    }
    ez_json_end(json, ']');
    ez_json_key(json, "rows");
    ez_json_begin(json, '[');
    for (uint32_t r = 0; r < rows->n && shown < EZ_TABLE_ROWS; r++) {
        const ez_cell *row = cell + (size_t)r * width;
        ez_cell sum = {0};
        for (uint32_t c = 0; c < width; c++) {
            sum.docs += row[c].docs;
            sum.tokens += row[c].tokens;
            sum.topic_tokens += row[c].topic_tokens;
        }
        if (!sum.docs)
            continue;
        shown++;
        ez_json_begin(json, '{');
        ez_json_pair(json, "text", string, ez_group_text(rows, a->index, r));
        ez_json_key(json, "query");
        put_group_query(json, a->index, rows, r);
        ez_json_key(json, "all");
        put_cell(json, &sum);
        ez_json_key(json, "cells");
        ez_json_begin(json, '[');
        for (uint32_t c = 0; c < n; c++)
            put_cell(json, &row[chosen[c]]);
        ez_json_end(json, ']');
        ez_json_end(json, '}');
    }
    ez_json_end(json, ']');
}

/* The groups of a field: those that are kept, or those of a step, which the caller frees. */
static const ez_groups *groups_of(ask *a, uint32_t field, const char *step, ez_groups *own)
{
    if (field == EZ_NO_GROUP)
        return NULL;
    if (a->search->groups[field].field && !(step && *step))
        return &a->search->groups[field];
    if (a->json->status == EZLDA_OK)
        a->json->status = ez_groups_make(own, a->json->context, a->index, field, step);
    return own;
}

static void cross_groups(ask *a, const ez_groups *rows, const ez_groups *columns, uint32_t topic)
{
    ez_json *json = a->json;
    ez_cell *cell = NULL;
    size_t cells = (size_t)rows->n * (columns ? columns->n : 1);
    if (cells > (size_t)1 << 20) {
        ez_put_error(json, a->answer, 400, "the table would have more than a million cells");
        return;
    }
    json->status = ez_array_zero(&cell, json->context, cells, sizeof *cell, "sums");
    if (json->status == EZLDA_OK)
        json->status = ez_cross(json->context, a->index, &a->found, rows, columns, topic, cell);
    if (json->status == EZLDA_OK) {
        ez_json_begin(json, '{');
        put_query(a);
        ez_json_pair(json, "kind", string, kinds[rows->field->kind]);
        put_table(a, rows, columns, cell);
        ez_json_end(json, '}');
    }
    ez_free(cell);
}

static void cross_fields(ask *a, uint32_t row, uint32_t column, uint32_t topic, const char *step)
{
    ez_groups own_rows = {0}, own_columns = {0};
    const ez_groups *rows = groups_of(a, row, step, &own_rows),
                    *columns = groups_of(a, column, NULL, &own_columns);
    if (a->json->status == EZLDA_OK)
        cross_groups(a, rows, columns, topic);
    ez_groups_free(&own_rows);
    ez_groups_free(&own_columns);
}

static void cross(ask *a)
{
    uint32_t row, column;
    uint64_t topic;
    char step[EZ_HTTP_VALUE];
    if (!field_value(a, "rows", &row) || row == EZ_NO_GROUP || !field_value(a, "columns", &column))
        ez_put_error(a->json, a->answer, 400, "rows, columns: expected names of fields");
    else if (!number_value(a, "topic", a->index->meta.topics - 1, EZ_NO_GROUP, &topic))
        ez_put_error(a->json, a->answer, 400, "topic: expected the number of a topic");
    else if (run(a, "query"))
        cross_fields(a, row, column, (uint32_t)topic, text_value(a, "step", step) ? step : NULL);
}

/* ---- two results compared ---- */

typedef struct word_difference {
    double z;
    uint32_t word;
} word_difference;

static int by_difference(const void *a, const void *b)
{
    const word_difference *x = a, *y = b;
    if (x->z < y->z || x->z > y->z)
        return x->z > y->z ? -1 : 1;
    return (x->word > y->word) - (x->word < y->word);
}

/* Log-odds of each word in two results, over its standard error: the larger, the more it belongs
 * to the first. */
static size_t differ(const uint64_t *a, const uint64_t *b, uint32_t words, word_difference *list)
{
    double all_a = 1, all_b = 1;
    size_t n = 0;
    for (uint32_t w = 0; w < words; w++) {
        all_a += (double)a[w];
        all_b += (double)b[w];
    }
    for (uint32_t w = 0; w < words; w++) {
        double x = (double)a[w] + 0.5, y = (double)b[w] + 0.5;
        if (a[w] + b[w] > 1)
            list[n++] =
                (word_difference){(log(x / all_a) - log(y / all_b)) / sqrt(1 / x + 1 / y), w};
    }
    qsort(list, n, sizeof *list, by_difference);
    return n;
}

static void put_words(const ask *a, const char *key, const word_difference *list, size_t n,
                      const uint64_t *here, bool backwards)
{
    ez_json_key(a->json, key);
    ez_json_begin(a->json, '[');
    for (size_t i = 0; i < n && i < EZ_COMPARED_WORDS; i++) {
        const word_difference *one = &list[backwards ? n - 1 - i : i];
        if (backwards ? one->z >= 0 : one->z <= 0)
            break;
        ez_json_begin(a->json, '[');
        ez_json_string(a->json, ezlda_model_word(a->index->model, one->word));
        ez_json_whole(a->json, here[one->word]);
        ez_json_end(a->json, ']');
    }
    ez_json_end(a->json, ']');
}

static void put_differences(const ask *a, const uint64_t *x, const uint64_t *y)
{
    word_difference *list = NULL;
    uint32_t words = a->index->meta.words;
    ez_json *json = a->json;
    if (json->status == EZLDA_OK)
        json->status = ez_array(&list, json->context, words, sizeof *list, "words");
    if (json->status == EZLDA_OK) {
        size_t n = differ(x, y, words, list);
        put_words(a, "words_a", list, n, x, false);
        put_words(a, "words_b", list, n, y, true);
    }
    ez_free(list);
}

static void put_side(const ask *a, const char *key, uint64_t *count)
{
    uint64_t docs = 0;
    ez_json *json = a->json;
    if (json->status == EZLDA_OK)
        json->status =
            ez_found_words(json->context, a->index, &a->found, EZ_COMPARED_DOCS, count, &docs);
    ez_json_key(json, key);
    ez_json_begin(json, '{');
    put_query(a);
    ez_json_pair(json, "counted", whole, docs);
    put_topics(a, "topics", a->index->meta.topics);
    ez_json_end(json, '}');
}

static void compare(ask *a)
{
    ez_json *json = a->json;
    uint64_t *x = NULL, *y = NULL;
    uint32_t words = a->index->meta.words;
    ask b = *a;
    bool good = run(a, "a") && run(&b, "b");
    if (good)
        json->status = ez_array_zero(&x, json->context, words, sizeof *x, "words");
    if (good && json->status == EZLDA_OK)
        json->status = ez_array_zero(&y, json->context, words, sizeof *y, "words");
    if (good && json->status == EZLDA_OK) {
        ez_json_begin(json, '{');
        put_side(a, "a", x);
        put_side(&b, "b", y);
        put_differences(a, x, y);
        ez_json_end(json, '}');
    }
    ez_free(x);
    ez_free(y);
    done(&b);
}

/* ---- export ---- */

static void put_text(const ask *a, const char *text)
{
    ez_json *json = a->json;
    if (json->status == EZLDA_OK)
        json->status = ez_buffer_append(json->text, json->context, text, strlen(text));
}

/* A cell of CSV. A value that a spreadsheet would run as a formula gets an apostrophe before it. */
static void put_csv(const ask *a, const char *text, bool last)
{
    bool formula = *text && strchr("=+-@\t\r", *text);
    char *end;
    if (formula && (strtod(text, &end), !*end))
        formula = false;
    put_text(a, "\"");
    put_text(a, formula ? "'" : "");
    for (size_t n; *text; text += n) {
        n = strcspn(text, "\"");
        if (a->json->status == EZLDA_OK)
            a->json->status = ez_buffer_append(a->json->text, a->json->context, text, n);
        if (text[n] == '"') {
            put_text(a, "\"\"");
            n++;
        }
    }
    put_text(a, last ? "\"\r\n" : "\",");
}

static void export_csv(const ask *a, const uint32_t *doc, uint32_t n)
{
    enum { TOPICS = 3 };
    const ezlda_report *report = a->search->report;
    char room[EZ_VALUE_ROOM];
    uint16_t topic[TOPICS];
    float share[TOPICS];
    put_text(a, "number,name,");
    for (uint32_t f = 0; f < a->index->meta.fields; f++)
        if (strcmp(a->index->field[f].name, "name") != 0)
            put_csv(a, a->index->field[f].name, false);
    put_text(a, "tokens,topic,share,topic 2,share 2,topic 3,share 3\r\n");
    for (uint32_t i = 0; i < n; i++) {
        snprintf(room, sizeof room, "%u,", doc[i]);
        put_text(a, room);
        put_csv(a, ez_doc_title(report, doc[i], room), false);
        for (uint32_t f = 0; f < a->index->meta.fields; f++)
            if (strcmp(a->index->field[f].name, "name") != 0)
                put_csv(a, ezlda_corpus_field_value(a->index->corpus, f, doc[i]), false);
        snprintf(room, sizeof room, "%" PRIu64, ez_report_doc_tokens(report, doc[i]));
        put_text(a, room);
        uint32_t topics = ez_doc_mix(report, doc[i], TOPICS, topic, share);
        for (uint32_t k = 0; k < TOPICS; k++) {
            if (k < topics)
                snprintf(room, sizeof room, ",%u,%.4f", topic[k], (double)share[k]);
            put_text(a, k < topics ? room : ",,");
        }
        put_text(a, "\r\n");
    }
}

static void export_all(ask *a)
{
    char format[EZ_HTTP_VALUE];
    ez_order order;
    uint32_t *doc = NULL, n = 0;
    ez_json *json = a->json;
    bool known = text_value(a, "format", format), csv = known && strcmp(format, "csv") == 0;
    if (!csv && (!known || strcmp(format, "json") != 0)) {
        ez_put_error(json, a->answer, 400, "format: expected csv or json");
        return;
    }
    if (!order_value(a, &order)) {
        ez_put_error(json, a->answer, 400,
                     "sort: expected best, number, topic:N, a field or -field");
        return;
    }
    if (!run(a, "query"))
        return;
    json->status = ez_array(&doc, json->context, EZ_DEEPEST, sizeof *doc, "documents found");
    if (json->status == EZLDA_OK)
        json->status = ez_found_list(&a->found, json->context, a->index, &a->query, &order, 0,
                                     EZ_DEEPEST, doc, &n);
    if (csv) {
        a->answer->type = "text/csv; charset=utf-8";
        export_csv(a, doc, n);
    } else {
        ez_json_begin(json, '{');
        put_query(a);
        put_found(a, doc, n, false);
        ez_json_end(json, '}');
    }
    ez_free(doc);
}

/* ---- what there is to search ---- */

static void describe(ask *a)
{
    ez_json *json = a->json;
    ez_json_begin(json, '{');
    ez_json_pair(json, "documents", whole, a->index->meta.docs);
    ez_json_pair(json, "phrases", bool, a->index->meta.positions != 0);
    ez_json_pair(json, "text", bool, ez_corpus_has_text(a->index->corpus));
    ez_json_pair(json, "most", whole, EZ_DEEPEST);
    ez_json_key(json, "fields");
    ez_json_begin(json, '[');
    for (uint32_t f = 0; f < a->index->meta.fields; f++) {
        const ez_index_field *field = &a->index->field[f];
        ez_json_begin(json, '{');
        ez_json_pair(json, "name", string, field->name);
        ez_json_pair(json, "kind", string, kinds[field->kind]);
        ez_json_pair(json, "values", whole, field->values);
        ez_json_pair(json, "faceted", bool, is_faceted(field));
        ez_json_end(json, '}');
    }
    ez_json_end(json, ']');
    ez_json_end(json, '}');
}

bool ez_serve_search_answer(ez_serve_search *search, ez_json *json, const char *what,
                            const ez_http_request *request, ez_http_answer *answer)
{
    static const struct {
        const char *name;
        void (*answer)(ask *a);
    } all[] = {{"find", find},
               {"cross", cross},
               {"compare", compare},
               {"export", export_all},
               {"fields", describe}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(what, all[i].name) == 0) {
            ask a = {.search = search,
                     .index = search->index,
                     .json = json,
                     .request = request,
                     .answer = answer};
            all[i].answer(&a);
            done(&a);
            return true;
        }
    return false;
}
