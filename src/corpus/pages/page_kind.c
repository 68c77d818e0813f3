/* Recognises HTML, XML, TEI and Markdown by the names of files and their root elements. */
#include "corpus/pages/page_kind.h"

#include "base/os/os_text.h"
#include "corpus/input/input.h"
#include "corpus/input/utf8.h"
#include "corpus/markup/markup_parts.h"

#include <string.h>

/* What the name of a file says. */
typedef enum name_says { SAYS_NOTHING, SAYS_TEXT, SAYS_HTML, SAYS_XML, SAYS_MARKDOWN } name_says;

static name_says by_name(const char *path)
{
    static const struct {
        const char *ending;
        name_says says;
    } endings[] = {{".txt", SAYS_TEXT},          {".text", SAYS_TEXT},    {".html", SAYS_HTML},
                   {".htm", SAYS_HTML},          {".xhtml", SAYS_HTML},   {".xht", SAYS_HTML},
                   {".shtml", SAYS_HTML},        {".xml", SAYS_XML},      {".tei", SAYS_XML},
                   {".markdown", SAYS_MARKDOWN}, {".md", SAYS_MARKDOWN},  {".mdown", SAYS_MARKDOWN},
                   {".mkd", SAYS_MARKDOWN},      {".mdwn", SAYS_MARKDOWN}};
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    size_t n = ez_unpacked_length(name, strlen(name));
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        size_t length = strlen(endings[i].ending);
        if (n > length && ez_os_compare_n(name + n - length, endings[i].ending, length) == 0)
            return endings[i].says;
    }
    return SAYS_NOTHING;
}

/* The beginning of a file while it is looked at. */
typedef struct opening {
    const char *at, *end;
    bool xml;     /* it opens with <?xml */
    bool doctype; /* there is a <!DOCTYPE html> */
} opening;

static bool begins(const opening *self, const char *text)
{
    size_t n = strlen(text);
    return (size_t)(self->end - self->at) >= n && ez_os_compare_n(self->at, text, n) == 0;
}

static void skip_to(opening *self, const char *mark)
{
    size_t n = strlen(mark);
    while (self->at < self->end && !begins(self, mark))
        self->at++;
    self->at += self->at < self->end ? n : 0;
}

/* A document type may contain declarations in brackets. */
static void skip_doctype(opening *self)
{
    bool inside = false;
    for (; self->at < self->end && (inside || *self->at != '>'); self->at++)
        inside = *self->at == '[' || (inside && *self->at != ']');
    self->at += self->at < self->end;
}

/* Moves to the name of the root element; false if there is none. */
static bool find_root(opening *self)
{
    while (self->at < self->end) {
        while (self->at < self->end && ez_is_space(*self->at))
            self->at++;
        self->xml = self->xml || begins(self, "<?xml");
        self->doctype = self->doctype || begins(self, "<!doctype html");
        if (begins(self, "<?"))
            skip_to(self, "?>");
        else if (begins(self, "<!--"))
            skip_to(self, "-->");
        else if (begins(self, "<!doctype"))
            skip_doctype(self);
        else
            break;
    }
    if (self->end - self->at < 2 || *self->at != '<')
        return false;
    self->at++;
    return ez_is_ascii_letter(*self->at) || *self->at == '_' || (*self->at & 0x80);
}

/* Whether the root has this name, with or without a prefix. */
static bool is_root(const opening *self, const char *name)
{
    size_t n = 0, left = (size_t)(self->end - self->at), length = strlen(name);
    while (n < left && !ez_is_space(self->at[n]) && self->at[n] != '>' && self->at[n] != '/')
        n++;
    const char *colon = memchr(self->at, ':', n), *local = colon ? colon + 1 : self->at;
    return (size_t)(self->at + n - local) == length && ez_os_compare_n(local, name, length) == 0;
}

static ez_page_kind by_root(const opening *self, bool found)
{
    if (self->doctype || (found && is_root(self, "html")))
        return EZ_PAGE_HTML;
    if (found && (is_root(self, "TEI") || is_root(self, "TEI.2") || is_root(self, "teiCorpus") ||
                  is_root(self, "teiCorpus.2")))
        return EZ_PAGE_TEI;
    return found ? EZ_PAGE_XML : EZ_PAGE_TEXT;
}

ez_page_kind ez_page_kind_of(const char *path, const char *head, size_t n)
{
    name_says says = by_name(path);
    if (says == SAYS_TEXT || !n)
        return EZ_PAGE_TEXT;
    opening self = {.at = head + ez_byte_order_mark(head, n), .end = head + n};
    bool found = find_root(&self);
    ez_page_kind root = by_root(&self, found);
    if (says == SAYS_XML || says == SAYS_NOTHING) /* other roots may open any text */
        return root == EZ_PAGE_XML && says == SAYS_NOTHING && !self.xml ? EZ_PAGE_TEXT : root;
    if (says == SAYS_MARKDOWN)
        return root == EZ_PAGE_HTML ? EZ_PAGE_HTML : EZ_PAGE_MARKDOWN;
    if (root == EZ_PAGE_TEI || (root == EZ_PAGE_XML && self.xml))
        return root;
    return memchr(head, '<', n) ? EZ_PAGE_HTML : EZ_PAGE_TEXT;
}
