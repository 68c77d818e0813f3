/* Chooses the reader of a page, and removes input that parsers cannot handle. */
#include "corpus/pages/page_reader.h"

#include "corpus/input/utf8.h"
#include "corpus/markup/markup_parts.h"

#include <string.h>

/* A parser compares each attribute of a tag with all others. */
enum { MOST_ATTRIBUTES = 1000 };

/* Control characters are allowed neither in HTML nor in XML; files have them all the same. */
static void blank_controls(char *text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if ((unsigned char)text[i] < ' ' && text[i] != '\n' && text[i] != '\r')
            text[i] = ' ';
}

/* Whether a tag has more attributes than any that a person wrote. */
static bool has_crowded_tag(const char *text, size_t n)
{
    bool inside = false;
    size_t words = 0;
    for (size_t i = 0; i + 1 < n; i++) {
        if (text[i] == '<') {
            inside = ez_is_ascii_letter(text[i + 1]);
            words = 0;
        }
        inside = inside && text[i] != '>';
        words += inside && ez_is_space(text[i]) && !ez_is_space(text[i + 1]);
        if (words > MOST_ATTRIBUTES)
            return true;
    }
    return false;
}

ezlda_status ez_page_read(ez_page_set *set, ezlda_context *context, ez_page_kind kind, char *text,
                          size_t n, bool *read, ez_page_fault *fault)
{
    *read = true;
    *fault = (ez_page_fault){0};
    size_t mark = ez_byte_order_mark(text, n);
    text += mark;
    n -= mark;
    if (kind == EZ_PAGE_MARKDOWN)
        return ez_page_read_markdown(set, context, text, n);
    *read = kind != EZ_PAGE_TEXT && !has_crowded_tag(text, n);
    if (!*read)
        return EZLDA_OK;
#ifdef EZLDA_LIBXML2
    blank_controls(text, n);
    if (kind == EZ_PAGE_HTML)
        return ez_page_read_html(set, context, text, n, read);
    return ez_page_read_xml(set, context, kind == EZ_PAGE_TEI, text, n, fault);
#else
    (void)blank_controls;
    *read = false;
    return EZLDA_OK;
#endif
}
