/* What becomes of XML without rules of its own: the text of all elements. A field is the first
 * element of its name. */
#ifdef EZLDA_LIBXML2
#include "corpus/markup/markup_parts.h"
#include "corpus/pages/page_names.h"
#include "corpus/pages/page_xml.h"

#include <string.h>

/* Elements of HTML inside a line do not separate words; paragraphs are separated by empty lines. */
static ez_page_gap gap_of(const char *name)
{
    static const char *const blocks[] = {"p",   "para",  "div",      "sec",  "section",
                                         "doc", "title", "abstract", "body", NULL};
    if (ez_is_inline_name(name, strlen(name)))
        return EZ_GAP_NONE;
    return ez_name_is_in(blocks, name) ? EZ_GAP_BLOCK : EZ_GAP_LINE;
}

static void start(ez_xml_reader *reader, const char *name, const ez_xml_attributes *attributes)
{
    ez_xml_part(reader, gap_of(name));
    if (reader->level == 1) {
        ez_span_of_text language = ez_xml_attribute(attributes, "xml", "lang");
        ez_xml_field(reader, "language", language.at ? language.at : "", language.n, false);
    }
    if (reader->set->tally)
        ez_page_tally_name(reader->set->tally, name, strlen(name));
    if (strcmp(name, "text") != 0 && ez_page_set_lacks(reader->set, name))
        ez_xml_capture(reader, name);
}

static void end(ez_xml_reader *reader, const char *name)
{
    ez_xml_part(reader, gap_of(name));
}

static void captured(ez_xml_reader *reader, const char *field, const char *text, size_t n)
{
    ez_xml_field(reader, field, text ? text : "", n, false);
}

const ez_xml_rules ez_xml_any_rules = {start, end, captured};
#endif
