/* Makes the page, and the live page: a skeleton from report/ with title, policy, style, data and
 * script in the place of their marks ({{TITLE}}). Skeletons, style and scripts are embedded here.
 * cmake/EzldaReport.cmake puts them together and defines their folder (EZ_PAGE_FOLDER), their sizes
 * and their SHA-256 in hexadecimal. */
#include "base/embed.h"
#include "base/json_writer.h"
#include "report/page/page_data.h"

#include <string.h>

#define EZ_EMBED(name, file) EZ_EMBED_FILE(ez_embedded_##name, EZ_PAGE_FOLDER "/" file)

EZ_EMBED(skeleton, "page.html");
EZ_EMBED(style, "style.css");
EZ_EMBED(script, "script.js");
EZ_EMBED(live, "live.html");
EZ_EMBED(live_script, "live.js");

/* What the marks stand for. */
typedef struct page_parts {
    const char *title, *script, *script_hash;
    size_t script_bytes;
    ez_page_kind kind;          /* the page may ask its server */
    const ezlda_report *report; /* its data; NULL: none */
} page_parts;

static ezlda_status put(ez_buffer *page, ezlda_context *context, const char *text)
{
    return ez_buffer_append(page, context, text, strlen(text));
}

static ezlda_status put_escaped(ez_buffer *page, ezlda_context *context, const char *text)
{
    for (; *text; text++) {
        const char *name = *text == '&'   ? "&amp;"
                           : *text == '<' ? "&lt;"
                           : *text == '>' ? "&gt;"
                           : *text == '"' ? "&quot;"
                                          : NULL;
        EZ_TRY(name ? put(page, context, name) : ez_buffer_append(page, context, text, 1));
    }
    return EZLDA_OK;
}

static unsigned char hex_digit(char c)
{
    return (unsigned char)(c <= '9' ? c - '0' : c - 'a' + 10);
}

/* 'sha256-...' of a hash in hexadecimal. */
static ezlda_status put_source(ez_buffer *page, ezlda_context *context, const char *name,
                               const char *hash)
{
    unsigned char bytes[32];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)(hex_digit(hash[2 * i]) << 4 | hex_digit(hash[2 * i + 1]));
    EZ_TRY(put(page, context, name));
    EZ_TRY(put(page, context, " 'sha256-"));
    EZ_TRY(ez_append_base64(page, context, bytes, sizeof bytes));
    return put(page, context, "'; ");
}

/* The policy allows only the page's own style and script, and loads nothing. */
static ezlda_status put_policy(ez_buffer *page, ezlda_context *context, const page_parts *parts)
{
    EZ_TRY(put(page, context, "default-src 'none'; "));
    EZ_TRY(put_source(page, context, "style-src", EZ_STYLE_HASH));
    EZ_TRY(put_source(page, context, "script-src", parts->script_hash));
    EZ_TRY(put(page, context, "img-src data:; connect-src "));
    EZ_TRY(put(page, context, parts->kind != EZ_PAGE_FILE ? "'self'" : "'none'"));
    return put(page, context, "; base-uri 'none'; form-action 'none'");
}

static ezlda_status put_data(ez_buffer *page, ezlda_context *context, const ezlda_report *report,
                             ez_page_kind kind)
{
    ez_json json = {.context = context, .text = page};
    ez_page_data(&json, report, kind);
    return json.status;
}

static bool is_mark(const char *name, size_t n, const char *mark)
{
    return n == strlen(mark) && memcmp(name, mark, n) == 0;
}

static ezlda_status put_mark(ez_buffer *page, ezlda_context *context, const page_parts *parts,
                             const char *name, size_t n)
{
    if (is_mark(name, n, "CSP"))
        return put_policy(page, context, parts);
    if (is_mark(name, n, "TITLE"))
        return put_escaped(page, context, parts->title);
    if (is_mark(name, n, "STYLE"))
        return ez_buffer_append(page, context, ez_embedded_style, EZ_STYLE_BYTES);
    if (is_mark(name, n, "DATA") && parts->report)
        return put_data(page, context, parts->report, parts->kind);
    if (is_mark(name, n, "SCRIPT"))
        return ez_buffer_append(page, context, parts->script, parts->script_bytes);
    return ez_fail(context, EZLDA_ERROR_INTERNAL, "the page has an unknown mark '%.*s'", (int)n,
                   name);
}

static ezlda_status make(const char *skeleton, ezlda_context *context, const page_parts *parts,
                         ez_buffer *page)
{
    const char *at = skeleton, *mark;
    while ((mark = strstr(at, "{{"))) {
        const char *end = strstr(mark, "}}");
        if (!end)
            return ez_fail(context, EZLDA_ERROR_INTERNAL, "the page has a mark without an end");
        EZ_TRY(ez_buffer_append(page, context, at, (size_t)(mark - at)));
        EZ_TRY(put_mark(page, context, parts, mark + 2, (size_t)(end - mark - 2)));
        at = end + 2;
    }
    return put(page, context, at);
}

ezlda_status ez_page_make(const ezlda_report *report, ezlda_context *context, ez_page_kind kind,
                          ez_buffer *page)
{
    const page_parts parts = {.title = report->title,
                              .script = ez_embedded_script,
                              .script_hash = EZ_SCRIPT_HASH,
                              .script_bytes = EZ_SCRIPT_BYTES,
                              .kind = kind,
                              .report = report};
    return make(ez_embedded_skeleton, context, &parts, page);
}

ezlda_status ez_live_page_make(const char *title, ezlda_context *context, ez_buffer *page)
{
    const page_parts parts = {.title = title,
                              .script = ez_embedded_live_script,
                              .script_hash = EZ_LIVE_SCRIPT_HASH,
                              .script_bytes = EZ_LIVE_SCRIPT_BYTES,
                              .kind = EZ_PAGE_SERVED};
    return make(ez_embedded_live, context, &parts, page);
}
