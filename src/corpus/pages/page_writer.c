/* Collapses white space and joins words that line breaks have cut. */
#include "corpus/pages/page_writer.h"

#include "corpus/input/utf8.h"
#include "corpus/markup/markup_parts.h"

#include <string.h>
#include <utf8proc.h>

void ez_page_writer_begin(ez_page_writer *writer, ezlda_context *context, ez_buffer *out)
{
    *writer = (ez_page_writer){.context = context, .out = out, .start = out->used};
}

size_t ez_page_written(const ez_page_writer *writer)
{
    return writer->out->used - writer->start;
}

static void append(ez_page_writer *writer, const char *text, size_t n)
{
    if (writer->status == EZLDA_OK)
        writer->status = ez_buffer_append(writer->out, writer->context, text, n);
}

static bool is_category(const char *at, bool small)
{
    size_t length;
    utf8proc_category_t category = utf8proc_category((utf8proc_int32_t)ez_utf8_decode(at, &length));
    return small ? category == UTF8PROC_CATEGORY_LL
                 : category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO;
}

/* The bytes of the hyphen that ends the text after a letter; 0: it ends in something else. */
static size_t last_hyphen(const ez_page_writer *writer)
{
    static const char *const hyphens[] = {"-", "\xc2\xac", "\xc2\xad", "\xe2\x80\x90",
                                          "\xe2\xb8\x97"};
    size_t used = ez_page_written(writer);
    if (!used)
        return 0;
    const char *text = (const char *)writer->out->data + writer->start;
    for (size_t i = 0; i < sizeof hyphens / sizeof *hyphens; i++) {
        size_t n = strlen(hyphens[i]), before = used - n;
        if (used <= n || memcmp(text + before, hyphens[i], n) != 0)
            continue;
        do
            before--;
        while (before && (text[before] & 0xc0) == 0x80);
        return is_category(text + before, false) ? n : 0;
    }
    return 0;
}

/* Writes the gap before a character. */
static void close_gap(ez_page_writer *writer, const char *next)
{
    static const char *const gaps[] = {"", " ", "\n", "\n\n"};
    if (writer->hyphen && is_category(next, true)) {
        writer->out->used -= writer->hyphen;
        writer->glued = true;
    }
    if (!writer->glued && ez_page_written(writer))
        append(writer, gaps[writer->gap], strlen(gaps[writer->gap]));
    writer->gap = EZ_GAP_NONE;
    writer->glued = false;
    writer->hyphen = 0;
}

/* The gap that white space makes; two line ends are an empty line. */
static ez_page_gap gap_of(const ez_page_writer *writer, const char *text, size_t n)
{
    size_t lines = 0;
    for (size_t i = 0; writer->keeps_lines && i < n; i++)
        lines += text[i] == '\n' || (text[i] == '\r' && (i + 1 == n || text[i + 1] != '\n'));
    return lines > 1 ? EZ_GAP_BLOCK : lines ? EZ_GAP_LINE : EZ_GAP_SPACE;
}

void ez_page_put(ez_page_writer *writer, const char *text, size_t n)
{
    for (size_t at = 0, end; at < n; at = end) {
        end = at;
        while (end < n && ez_is_space(text[end]))
            end++;
        ez_page_gap gap = end > at ? gap_of(writer, text + at, end - at) : EZ_GAP_NONE;
        writer->gap = gap > writer->gap ? gap : writer->gap;
        at = end;
        while (end < n && !ez_is_space(text[end]))
            end++;
        if (end == at)
            return;
        close_gap(writer, text + at);
        append(writer, text + at, end - at);
    }
}

void ez_page_part(ez_page_writer *writer, ez_page_gap gap)
{
    writer->gap = gap > writer->gap ? gap : writer->gap;
    writer->glued = false;
    writer->hyphen = 0;
}

void ez_page_line_end(ez_page_writer *writer)
{
    bool glued = writer->glued;
    size_t hyphen = last_hyphen(writer);
    ez_page_part(writer, EZ_GAP_LINE);
    writer->glued = glued;
    writer->hyphen = hyphen;
}

void ez_page_join(ez_page_writer *writer)
{
    size_t hyphen = last_hyphen(writer);
    writer->out->used -= hyphen;
    writer->hyphen = 0;
    writer->glued = true;
}
