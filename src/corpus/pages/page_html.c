/* Reads HTML and XHTML: the text of the body in reading order, and the head's contents as
 * fields. */
#ifdef EZLDA_LIBXML2
#include "corpus/markup/markup_parts.h"
#include "corpus/pages/page_libxml.h"
#include "corpus/pages/page_names.h"
#include "corpus/pages/page_writer.h"

#include <libxml/HTMLparser.h>
#include <string.h>

/* The parser searches its open elements at each end tag. */
enum { MOST_LEVELS = 1000, META_NAME = 48 };

typedef struct html_reader {
    htmlParserCtxtPtr parser;
    ezlda_context *context;
    ez_page_set *set;
    ez_page_writer text, title, heading;
    ez_buffer titles, headings;
    size_t level, preformatted;
    size_t removed; /* levels of elements that are removed */
    size_t in_title, in_heading;
    bool too_deep;
    ezlda_status status;
} html_reader;

/* What is not the text of a page. */
static bool is_removed(const char *name)
{
    static const char *const names[] = {"script", "style",    "nav",    "template", "noscript",
                                        "svg",    "iframe",   "object", "select",   "datalist",
                                        "canvas", "textarea", "audio",  "video",    NULL};
    return ez_name_is_in(names, name);
}

static ez_page_gap gap_of(const char *name)
{
    static const char *const lines[] = {"br", "li", "tr", "dt", "dd", "option", "caption", NULL};
    static const char *const cells[] = {"td",    "th", "img", "input", "button",
                                        "label", "rt", "rp",  NULL};
    if (ez_is_inline_name(name, strlen(name)))
        return EZ_GAP_NONE;
    return ez_name_is_in(cells, name)   ? EZ_GAP_SPACE
           : ez_name_is_in(lines, name) ? EZ_GAP_LINE
                                        : EZ_GAP_BLOCK;
}

static void stop(html_reader *self, ezlda_status status)
{
    if (self->status == EZLDA_OK)
        self->status = status;
    xmlStopParser(self->parser);
}

/* ---- fields ---- */

static void put_field(html_reader *self, const char *name, const char *value, size_t n, bool more)
{
    ezlda_status status = ez_page_set_field(self->set, self->context, name, value, n, more);
    if (status != EZLDA_OK)
        stop(self, status);
}

static const char *attribute(const xmlChar **attributes, const char *name)
{
    for (; attributes && attributes[0]; attributes += 2)
        if (strcmp((const char *)attributes[0], name) == 0)
            return (const char *)attributes[1];
    return NULL;
}

/* The usual names of the fields that pages call differently. */
static const char *usual_name(const char *name)
{
    static const struct {
        const char *name, *usual;
    } names[] = {{"dc.creator", "author"},
                 {"dcterms.creator", "author"},
                 {"article:author", "author"},
                 {"citation_author", "author"},
                 {"dc.date", "date"},
                 {"dcterms.date", "date"},
                 {"dcterms.created", "date"},
                 {"dc.date.issued", "date"},
                 {"article:published_time", "date"},
                 {"citation_publication_date", "date"},
                 {"citation_date", "date"},
                 {"datepublished", "date"},
                 {"dc.description", "description"},
                 {"og:description", "description"},
                 {"dc.subject", "keywords"},
                 {"news_keywords", "keywords"},
                 {"dc.language", "language"},
                 {"content-language", "language"},
                 {NULL, NULL}};
    size_t i = 0;
    while (names[i].name && strcmp(names[i].name, name) != 0)
        i++;
    return names[i].usual;
}

static void read_meta(html_reader *self, const xmlChar **attributes)
{
    static const char *const keys[] = {"name", "property", "itemprop", "http-equiv", NULL};
    const char *content = attribute(attributes, "content"), *key = NULL;
    char name[META_NAME];
    for (size_t i = 0; keys[i] && !key; i++)
        key = attribute(attributes, keys[i]);
    if (!content || !key || strlen(key) >= sizeof name)
        return;
    for (size_t i = 0; i <= strlen(key); i++)
        name[i] = ez_is_ascii_letter(key[i]) ? (char)(key[i] | 0x20) : key[i];
    const char *usual = usual_name(name);
    put_field(self, name, content, strlen(content), true);
    if (usual && ez_page_set_lacks(self->set, usual))
        put_field(self, usual, content, strlen(content), false);
    else if (usual && strstr(name, "creator"))
        put_field(self, usual, content, strlen(content), true);
}

static void read_language(html_reader *self, const xmlChar **attributes)
{
    const char *language = attribute(attributes, "lang");
    if (!language)
        language = attribute(attributes, "xml:lang");
    if (language)
        put_field(self, "language", language, strlen(language), false);
}

/* ---- elements ---- */

static void part(html_reader *self, ez_page_gap gap)
{
    ez_page_part(&self->text, gap);
    if (self->in_heading)
        ez_page_part(&self->heading, gap);
}

/* The beginning of elements that mean something beyond a gap. */
static void begin_element(html_reader *self, const char *name, const xmlChar **attributes)
{
    if (strcmp(name, "html") == 0 || strcmp(name, "body") == 0)
        read_language(self, attributes);
    else if (strcmp(name, "meta") == 0)
        read_meta(self, attributes);
    else if (strcmp(name, "title") == 0 && !self->titles.used)
        self->in_title = self->level;
    else if (strcmp(name, "h1") == 0 && !self->headings.used)
        self->in_heading = self->level;
    else if (strcmp(name, "pre") == 0)
        self->text.keeps_lines = self->preformatted++ == 0 || self->text.keeps_lines;
}

static void start_element(void *user, const xmlChar *xml_name, const xmlChar **attributes)
{
    html_reader *self = user;
    const char *name = (const char *)xml_name;
    if (++self->level > MOST_LEVELS) {
        self->too_deep = true;
        stop(self, EZLDA_OK);
        return;
    }
    if (self->removed)
        return;
    if (is_removed(name)) {
        self->removed = self->level;
        part(self, EZ_GAP_SPACE);
        return;
    }
    part(self, gap_of(name));
    begin_element(self, name, attributes);
}

static void end_element(void *user, const xmlChar *xml_name)
{
    html_reader *self = user;
    const char *name = (const char *)xml_name;
    if (self->removed == self->level)
        self->removed = 0;
    else if (!self->removed)
        part(self, gap_of(name));
    if (self->in_title == self->level)
        self->in_title = 0;
    if (self->in_heading == self->level)
        self->in_heading = 0;
    if (strcmp(name, "pre") == 0 && self->preformatted && --self->preformatted == 0)
        self->text.keeps_lines = false;
    self->level -= self->level > 0;
}

static void take_text(void *user, const xmlChar *text, int n)
{
    html_reader *self = user;
    size_t bytes = n > 0 ? (size_t)n : 0;
    if (self->removed)
        return;
    ez_page_writer *writer = self->in_title ? &self->title : &self->text;
    ez_page_put(writer, (const char *)text, bytes);
    if (self->in_heading)
        ez_page_put(&self->heading, (const char *)text, bytes);
    if (writer->status != EZLDA_OK || self->heading.status != EZLDA_OK)
        stop(self, EZLDA_ERROR_MEMORY);
}

/* ---- the page ---- */

/* Without memory, old versions of the library crash if an encoding is passed. */
static htmlParserCtxtPtr open_parser(const char *text, size_t n)
{
    htmlParserCtxtPtr parser = n ? htmlCreateMemoryParserCtxt(text, (int)n) : htmlNewParserCtxt();
#if LIBXML_VERSION < 21100
    if (parser)
        parser->charset = XML_CHAR_ENCODING_UTF8;
#endif
    return parser;
}

static void parse(html_reader *self, const char *text, size_t n)
{
    static const htmlSAXHandler handlers = {.startElement = start_element,
                                            .endElement = end_element,
                                            .characters = take_text,
                                            .ignorableWhitespace = take_text,
                                            .cdataBlock = take_text,
                                            .initialized = XML_SAX2_MAGIC};
    *self->parser->sax = handlers;
    self->parser->userData = self;
#if LIBXML_VERSION < 21100
    (void)text, (void)n;
    htmlCtxtUseOptions(self->parser, HTML_PARSE_NONET | HTML_PARSE_IGNORE_ENC);
    htmlParseDocument(self->parser);
    xmlFreeDoc(self->parser->myDoc);
    self->parser->myDoc = NULL;
#else
    xmlFreeDoc(htmlCtxtReadMemory(self->parser, text, (int)n, NULL, "UTF-8",
                                  HTML_PARSE_NONET | HTML_PARSE_IGNORE_ENC));
#endif
}

static ezlda_status finish(html_reader *self, const ez_libxml_errors *errors)
{
    const ez_buffer *title = self->titles.used ? &self->titles : &self->headings;
    if (self->status == EZLDA_OK)
        self->status = ez_libxml_status(errors, self->context);
    if (self->status == EZLDA_OK)
        put_field(self, "title", (const char *)title->data, title->used, false);
    return self->status;
}

ezlda_status ez_page_read_html(ez_page_set *set, ezlda_context *context, const char *text, size_t n,
                               bool *read)
{
    html_reader self = {.context = context, .set = set};
    ez_libxml_errors errors;
    EZ_TRY(ez_page_set_add(set, context));
    ez_page_writer_begin(&self.text, context, &set->text);
    ez_page_writer_begin(&self.title, context, &self.titles);
    ez_page_writer_begin(&self.heading, context, &self.headings);
    ez_libxml_begin(&errors);
    self.parser = errors.parser = open_parser(text, n);
    ezlda_status status = ez_libxml_status(&errors, context);
    if (status == EZLDA_OK && n) {
        parse(&self, text, n);
        status = finish(&self, &errors);
    }
    if (self.parser)
        htmlFreeParserCtxt(self.parser);
    ez_libxml_end(&errors);
    ez_free(self.titles.data);
    ez_free(self.headings.data);
    *read = !self.too_deep;
    return status;
}
#endif
