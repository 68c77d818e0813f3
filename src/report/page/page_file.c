/* Makes the page: the skeleton from report/page.html with title, policy, style, data and script in
 * the place of their marks ({{TITLE}}). Skeleton, style and script are embedded here.
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
static ezlda_status put_policy(ez_buffer *page, ezlda_context *context, ez_page_kind kind)
{
    EZ_TRY(put(page, context, "default-src 'none'; "));
    EZ_TRY(put_source(page, context, "style-src", EZ_STYLE_HASH));
    EZ_TRY(put_source(page, context, "script-src", EZ_SCRIPT_HASH));
    EZ_TRY(put(page, context, "img-src data:; connect-src "));
    EZ_TRY(put(page, context, kind != EZ_PAGE_FILE ? "'self'" : "'none'"));
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

static ezlda_status put_mark(ez_buffer *page, ezlda_context *context, const ezlda_report *report,
                             ez_page_kind kind, const char *name, size_t n)
{
    if (is_mark(name, n, "CSP"))
        return put_policy(page, context, kind);
    if (is_mark(name, n, "TITLE"))
        return put_escaped(page, context, report->title);
    if (is_mark(name, n, "STYLE"))
        return ez_buffer_append(page, context, ez_embedded_style, EZ_STYLE_BYTES);
    if (is_mark(name, n, "DATA"))
        return put_data(page, context, report, kind);
    if (is_mark(name, n, "SCRIPT"))
        return ez_buffer_append(page, context, ez_embedded_script, EZ_SCRIPT_BYTES);
    return ez_fail(context, EZLDA_ERROR_INTERNAL, "the page has an unknown mark '%.*s'", (int)n,
                   name);
}

ezlda_status ez_page_make(const ezlda_report *report, ezlda_context *context, ez_page_kind kind,
                          ez_buffer *page)
{
    const char *at = ez_embedded_skeleton, *mark;
    while ((mark = strstr(at, "{{"))) {
        const char *end = strstr(mark, "}}");
        if (!end)
            return ez_fail(context, EZLDA_ERROR_INTERNAL, "the page has a mark without an end");
        EZ_TRY(ez_buffer_append(page, context, at, (size_t)(mark - at)));
        EZ_TRY(put_mark(page, context, report, kind, mark + 2, (size_t)(end - mark - 2)));
        at = end + 2;
    }
    return put(page, context, at);
}
