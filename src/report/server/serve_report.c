/* Serves a report on a local port: the page, single documents, and the search for documents. */
#include "base/options_struct.h"
#include "base/os/os_process.h"
#include "corpus/input/utf8.h"
#include "report/content/slice_docs.h"
#include "report/page/page_data.h"
#include "report/server/doc_search.h"
#include "report/server/http_server.h"
#include "report/server/serve_search.h"

#include <stdio.h>
#include <string.h>

enum { EZ_FOUND_MOST = 50, EZ_MIX_MOST = 8, EZ_TEXT_SERVED = 200000 };

typedef struct service_state {
    const ezlda_report *report;
    ezlda_context *context;
    ez_buffer page;
    const char *token;       /* the first part of every path; NULL: none */
    ez_serve_search *search; /* NULL: there is none */
} service_state;

void ezlda_serve_options_init_sized(ezlda_serve_options *options, size_t size)
{
    ezlda_serve_options defaults = {.size = sizeof defaults};
    ez_options_init(options, size, &defaults, sizeof defaults);
}

/* ---- documents ---- */

static void put_kept(ez_json *json, const ezlda_report *report, uint64_t doc)
{
    const char *name;
    char room[EZ_VALUE_ROOM];
    ez_json_key(json, "fields");
    ez_json_begin(json, '[');
    for (uint32_t f = 0; (name = ez_doc_field(report, f)); f++) {
        ez_json_begin(json, '[');
        ez_json_string(json, name);
        ez_json_string(json, ez_doc_field_value(report, f, doc, room));
        ez_json_end(json, ']');
    }
    ez_json_end(json, ']');
}

void ez_put_document(ez_json *json, const ezlda_report *report, uint64_t doc)
{
    uint16_t topic[EZ_MIX_MOST];
    float share[EZ_MIX_MOST];
    char room[32];
    uint32_t n = ez_doc_mix(report, doc, EZ_MIX_MOST, topic, share);
    ez_json_pair(json, "number", whole, doc);
    ez_json_pair(json, "name", string, ez_doc_title(report, doc, room));
    ez_json_pair(json, "label", string, ez_doc_label(report, doc));
    put_kept(json, report, doc);
    ez_json_pair(json, "tokens", whole, ez_report_doc_tokens(report, doc));
    ez_json_key(json, "mix");
    ez_json_begin(json, '[');
    for (uint32_t i = 0; i < n; i++) {
        ez_json_begin(json, '[');
        ez_json_whole(json, topic[i]);
        ez_json_real(json, (double)share[i]);
        ez_json_end(json, ']');
    }
    ez_json_end(json, ']');
}

static void put_bag(ez_json *json, const ezlda_report *report, uint64_t doc)
{
    ez_buffer entries = {0};
    if (json->status == EZLDA_OK && ez_doc_bag_kind(report) != EZ_BAG_NONE)
        json->status = ez_doc_bag(report, json->context, doc, &entries);
    const ez_bag_entry *entry = (const ez_bag_entry *)(const void *)entries.data;
    ez_json_key(json, "bag");
    ez_json_begin(json, '[');
    for (size_t i = 0; i < entries.used / sizeof *entry; i++) {
        ez_json_begin(json, '[');
        ez_json_string(json, ezlda_model_word(report->model, entry[i].word));
        ez_json_whole(json, entry[i].topic);
        ez_json_whole(json, entry[i].count);
        ez_json_end(json, ']');
    }
    ez_json_end(json, ']');
    ez_free(entries.data);
}

/* words: the gap, the length and the topic of each. */
static void put_text(ez_json *json, const ezlda_report *report, uint64_t doc)
{
    ez_shown_text shown = {0};
    if (json->status != EZLDA_OK || !ez_report_has_text(report))
        return;
    json->status = ez_doc_shown(report, json->context, doc, EZ_TEXT_SERVED, &shown);
    const ez_shown_word *word = (const ez_shown_word *)(const void *)shown.words.data;
    ez_json_key(json, "text");
    ez_json_begin(json, '{');
    ez_json_pair(json, "text", string, (const char *)shown.text.data);
    ez_json_pair(json, "cut", bool, shown.cut);
    ez_json_key(json, "words");
    ez_json_begin(json, '[');
    for (size_t i = 0; i < shown.words.used / sizeof *word; i++) {
        ez_json_whole(json, word[i].gap);
        ez_json_whole(json, word[i].units);
        ez_json_whole(json, word[i].topic);
    }
    ez_json_end(json, ']');
    ez_json_end(json, '}');
    ez_shown_text_free(&shown);
}

void ez_put_error(ez_json *json, ez_http_answer *answer, int status, const char *text)
{
    answer->status = status;
    ez_json_begin(json, '{');
    ez_json_pair(json, "error", string, text);
    ez_json_end(json, '}');
}

static void answer_document(const service_state *s, ez_json *json, const ez_http_request *request,
                            ez_http_answer *answer)
{
    char value[EZ_HTTP_VALUE];
    uint64_t doc;
    if (!ez_http_value(request, "number", value)) {
        ez_put_error(json, answer, 400, "expected number=N");
    } else if (!ez_take_number(value, s->report->model->meta->docs, &doc)) {
        ez_put_error(json, answer, 404, "there is no such document");
    } else {
        ez_json_begin(json, '{');
        ez_put_document(json, s->report, doc);
        put_bag(json, s->report, doc);
        put_text(json, s->report, doc);
        ez_json_end(json, '}');
    }
}

/* ---- documents of a topic in a slice ---- */

static bool take(const ez_http_request *request, const char *name, uint64_t below, uint32_t *out)
{
    char value[EZ_HTTP_VALUE];
    uint64_t number;
    if (!ez_http_value(request, name, value) || !ez_take_number(value, below, &number))
        return false;
    *out = (uint32_t)number;
    return true;
}

static void answer_slice(const service_state *s, ez_json *json, const ez_http_request *request,
                         ez_http_answer *answer)
{
    const ezlda_report *report = s->report;
    ez_best_item item[EZ_FOUND_MOST];
    ez_best_list best = {item, 0, EZ_FOUND_MOST};
    ez_slice slice;
    if (!take(request, "field", report->fields, &slice.field) ||
        !take(request, "topic", report->model->meta->topics, &slice.topic) ||
        !take(request, "first", report->field[slice.field].values, &slice.first) ||
        !take(request, "last", report->field[slice.field].values, &slice.last)) {
        ez_put_error(json, answer, 400, "expected field=F&topic=K&first=B&last=B");
        return;
    }
    json->status = ez_slice_docs(report, json->context, &slice, &best);
    ez_json_begin(json, '{');
    ez_json_key(json, "documents");
    ez_json_begin(json, '[');
    for (uint32_t i = 0; i < best.n; i++) {
        ez_json_begin(json, '{');
        ez_put_document(json, report, item[i].id);
        ez_json_pair(json, "share", real, item[i].score);
        ez_json_end(json, '}');
    }
    ez_json_end(json, ']');
    ez_json_end(json, '}');
}

/* ---- searching ---- */

static void put_found(ez_json *json, const ezlda_report *report, const ez_doc_search *found)
{
    ez_json_begin(json, '{');
    ez_json_key(json, "documents");
    ez_json_begin(json, '[');
    for (uint32_t i = 0; i < found->n; i++) {
        ez_json_begin(json, '{');
        ez_put_document(json, report, found->doc[i]);
        ez_json_end(json, '}');
    }
    ez_json_end(json, ']');
    ez_json_pair(json, "total", whole, found->total);
    ez_json_end(json, '}');
}

static void answer_search(const service_state *s, ez_json *json, const ez_http_request *request,
                          ez_http_answer *answer)
{
    char value[EZ_HTTP_VALUE];
    uint64_t doc[EZ_FOUND_MOST];
    ez_doc_search found = {.doc = doc, .most = EZ_FOUND_MOST};
    if (!ez_http_value(request, "query", value) ||
        ez_utf8_check(value, strlen(value)) != strlen(value)) {
        ez_put_error(json, answer, 400, "expected query=TEXT");
        return;
    }
    json->status = ez_find_documents(s->report, json->context, value, &found);
    put_found(json, s->report, &found);
}

/* ---- requests ---- */

/* The path of a request without its token; NULL: it has another one. */
static const char *path_of(const service_state *s, const char *path)
{
    size_t n = s->token ? strlen(s->token) : 0;
    if (!s->token)
        return path;
    return path[0] == '/' && strncmp(path + 1, s->token, n) == 0 && path[n + 1] == '/'
               ? path + n + 1
               : NULL;
}

static ezlda_status answer_request(void *user, const ez_http_request *request,
                                   ez_http_answer *answer)
{
    const service_state *s = user;
    ez_json json = {.context = s->context, .text = &answer->body};
    const char *path = path_of(s, request->path);
    if (path && strcmp(path, "/") == 0) {
        answer->type = "text/html; charset=utf-8";
        answer->page = s->page.data;
        answer->page_bytes = s->page.used;
    } else if (path && strcmp(path, "/api/document") == 0) {
        answer_document(s, &json, request, answer);
    } else if (path && strcmp(path, "/api/slice") == 0) {
        answer_slice(s, &json, request, answer);
    } else if (path && strcmp(path, "/api/search") == 0) {
        answer_search(s, &json, request, answer);
    } else if (!path || !s->search || strncmp(path, "/api/", 5) != 0 ||
               !ez_serve_search_answer(s->search, &json, path + 5, request, answer)) {
        ez_put_error(&json, answer, 404, "there is nothing here");
    }
    return json.status;
}

/* ---- the service ---- */

/* What a token may have, so that it is one part of a path. */
static bool good_token(const char *token)
{
    size_t n = strspn(token, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_");
    return n && !token[n] && n <= 64;
}

static ezlda_status check_options(ezlda_serve_options *checked, ezlda_context *context,
                                  const ezlda_report *report, const ezlda_serve_options *options)
{
    ezlda_serve_options_init(checked);
    EZ_TRY(ez_needs(context, report, "a report"));
    EZ_TRY(ez_options_read(checked, sizeof *checked, context, options, "serve"));
    if (!checked->running)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                       "serve options without `running`, which says when to end");
    if (checked->token && !good_token(checked->token))
        return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                       "token: expected 1 to 64 letters, digits, '-' and '_', found \"%s\"",
                       checked->token);
    if (checked->search && !report->corpus)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                       "a search needs the corpus that the model was trained on");
    return EZLDA_OK;
}

ezlda_status ezlda_report_serve(ezlda_context *context, const ezlda_report *report,
                                const ezlda_serve_options *options)
{
    service_state state = {.report = report, .context = context};
    ez_serve_search search = {0};
    ezlda_serve_options checked;
    ezlda_status status;
    ez_clear(context);
    EZ_TRY(check_options(&checked, context, report, options));
    const ez_http_service service = {.port = checked.port,
                                     .answer = answer_request,
                                     .user = &state,
                                     .running = checked.running,
                                     .running_user = checked.user};
    state.token = checked.token;
    if (checked.search) {
        EZ_TRY_GOTO(ez_serve_search_open(&search, context, report, checked.index));
        state.search = &search;
    }
    EZ_TRY_GOTO(ez_page_make(report, context, checked.search ? EZ_PAGE_SEARCHED : EZ_PAGE_SERVED,
                             &state.page));
    status = ez_http_serve(context, &service);
done:
    ez_serve_search_close(&search);
    ez_free(state.page.data);
    return status;
}

ezlda_status ezlda_serve_token(ezlda_context *context, char token[33])
{
    unsigned char bytes[16];
    ez_clear(context);
    EZ_TRY(ez_needs(context, token, "room for a token"));
    if (!ez_os_random(bytes, sizeof bytes))
        return ez_fail_errno(context, "random bytes", "read");
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(token + 2 * i, 3, "%02x", bytes[i]);
    return EZLDA_OK;
}
