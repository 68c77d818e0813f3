/* The names of HTML elements, which distinguish tags from text in angle brackets. */
#include "corpus/markup/markup_parts.h"

#include <stdlib.h>
#include <string.h>

enum { LONGEST = 10 };

/* Both lists are sorted. */
static const char *const html_names[] = {
    "a",          "abbr",     "acronym",  "address",    "applet",   "area",     "article",
    "aside",      "audio",    "b",        "base",       "basefont", "bdi",      "bdo",
    "bgsound",    "big",      "blink",    "blockquote", "body",     "br",       "button",
    "canvas",     "caption",  "center",   "cite",       "code",     "col",      "colgroup",
    "data",       "datalist", "dd",       "del",        "details",  "dfn",      "dialog",
    "dir",        "div",      "dl",       "dt",         "em",       "embed",    "fieldset",
    "figcaption", "figure",   "font",     "footer",     "form",     "frame",    "frameset",
    "h1",         "h2",       "h3",       "h4",         "h5",       "h6",       "head",
    "header",     "hgroup",   "hr",       "html",       "i",        "iframe",   "img",
    "input",      "ins",      "isindex",  "kbd",        "label",    "legend",   "li",
    "link",       "listing",  "main",     "map",        "mark",     "marquee",  "menu",
    "meta",       "meter",    "nav",      "nobr",       "noframes", "noscript", "object",
    "ol",         "optgroup", "option",   "output",     "p",        "param",    "picture",
    "plaintext",  "pre",      "progress", "q",          "rp",       "rt",       "ruby",
    "s",          "samp",     "script",   "section",    "select",   "small",    "source",
    "span",       "strike",   "strong",   "style",      "sub",      "summary",  "sup",
    "svg",        "table",    "tbody",    "td",         "template", "textarea", "tfoot",
    "th",         "thead",    "time",     "title",      "tr",       "track",    "tt",
    "u",          "ul",       "var",      "video",      "wbr",      "xmp"};
static const char *const inline_names[] = {
    "a",      "abbr", "acronym", "b",    "bdi", "bdo",  "big",   "blink", "cite",
    "code",   "data", "del",     "dfn",  "em",  "font", "i",     "ins",   "kbd",
    "mark",   "nobr", "q",       "ruby", "s",   "samp", "small", "span",  "strike",
    "strong", "sub",  "sup",     "time", "tt",  "u",    "var",   "wbr"};

static int compare(const void *key, const void *entry)
{
    return strcmp(key, *(const char *const *)entry);
}

static bool is_listed(const char *const *list, size_t entries, const char *name, size_t n)
{
    char low[LONGEST + 1];
    if (!n || n > LONGEST)
        return false;
    for (size_t i = 0; i < n; i++)
        low[i] = ez_is_ascii_letter(name[i]) ? (char)(name[i] | 0x20) : name[i];
    low[n] = '\0';
    return bsearch(low, list, entries, sizeof *list, compare) != NULL;
}

bool ez_is_html_name(const char *name, size_t n)
{
    return is_listed(html_names, sizeof html_names / sizeof *html_names, name, n);
}

bool ez_is_inline_name(const char *name, size_t n)
{
    return is_listed(inline_names, sizeof inline_names / sizeof *inline_names, name, n);
}
