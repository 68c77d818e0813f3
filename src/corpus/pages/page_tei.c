/* Reads TEI: one document per TEI element, its text from the body. One of several readings is used;
 * editors' notes, running heads, deletions, front and back matter are removed. */
#ifdef EZLDA_LIBXML2
#include "corpus/pages/page_tei.h"
#include "corpus/pages/page_names.h"

#include <string.h>

/* ---- elements of the text ---- */

static bool is_inline(const char *name)
{
    static const char *const names[] = {
        "abbr",    "add",      "am",       "anchor",    "app",       "c",     "choice",
        "corr",    "damage",   "date",     "emph",      "ex",        "expan", "foreign",
        "g",       "gloss",    "hi",       "lem",       "mentioned", "name",  "num",
        "orgName", "orig",     "persName", "placeName", "ptr",       "q",     "rdg",
        "ref",     "reg",      "rs",       "said",      "seg",       "sic",   "soCalled",
        "subst",   "supplied", "term",     "time",      "unclear",   NULL};
    return ez_name_is_in(names, name);
}

static ez_page_gap gap_of(const char *name)
{
    static const char *const spaces[] = {"w",       "pc",       "cell",     "gap",   "space",
                                         "surname", "forename", "roleName", "quote", "cit",
                                         "note",    "s",        "title",    NULL};
    static const char *const lines[] = {"l", "item", "row", "label", "speaker", NULL};
    if (is_inline(name))
        return EZ_GAP_NONE;
    if (ez_name_is_in(spaces, name))
        return EZ_GAP_SPACE;
    return ez_name_is_in(lines, name) ? EZ_GAP_LINE : EZ_GAP_BLOCK;
}

static bool is_line_end(const char *name)
{
    static const char *const names[] = {"lb", "pb", "cb", "gb", "milestone", NULL};
    return ez_name_is_in(names, name);
}

static bool has_value(const ez_xml_attributes *attributes, const char *name,
                      const char *const *values)
{
    ez_span_of_text value = ez_xml_attribute(attributes, "", name);
    for (; value.at && *values; values++)
        if (strlen(*values) == value.n && memcmp(value.at, *values, value.n) == 0)
            return true;
    return false;
}

/* What is not the author's text. */
static bool is_removed(const char *name, const ez_xml_attributes *attributes)
{
    static const char *const names[] = {"front",   "back",     "fw",        "figDesc",   "del",
                                        "surplus", "standOff", "facsimile", "sourceDoc", NULL};
    static const char *const editors[] = {"editorial", "editor",  "ed",         "apparatus", "app",
                                          "critical",  "textual", "commentary", NULL};
    return ez_name_is_in(names, name) ||
           (strcmp(name, "note") == 0 &&
            (has_value(attributes, "type", editors) || has_value(attributes, "resp", editors)));
}

/* Whether an element is the alternative to a better one beside it. */
static bool is_other_reading(tei_state *tei, size_t level, const char *name)
{
    static const char *const originals[] = {"sic", "orig", "abbr", NULL};
    uint8_t parent = level > 1 ? tei->alternatives[level - 1] : TEI_PLAIN;
    if (parent == TEI_PLAIN)
        return false;
    if (parent == TEI_CHOICE && ez_name_is_in(originals, name))
        return true;
    bool taken = parent == TEI_TAKEN;
    tei->alternatives[level - 1] = TEI_TAKEN;
    return taken;
}

static void start_in_text(ez_xml_reader *reader, tei_state *tei, const char *name,
                          const ez_xml_attributes *attributes)
{
    static const char *const no[] = {"no", NULL};
    size_t level = reader->level;
    bool choice = strcmp(name, "choice") == 0 || strcmp(name, "app") == 0;
    tei->alternatives[level] = choice ? TEI_CHOICE : TEI_PLAIN;
    if (is_removed(name, attributes) || is_other_reading(tei, level, name))
        ez_xml_remove(reader);
    else if (is_line_end(name) && has_value(attributes, "break", no))
        ez_page_join(&reader->text);
    else if (is_line_end(name))
        ez_page_line_end(&reader->text);
    else if (!is_inline(name))
        ez_xml_part(reader, gap_of(name));
}

/* ---- documents ---- */

/* A TEI element inside another one replaces it, unless that has text. */
static void begin_document(ez_xml_reader *reader, tei_state *tei,
                           const ez_xml_attributes *attributes)
{
    ez_span_of_text id = ez_xml_attribute(attributes, "xml", "id"),
                    language = ez_xml_attribute(attributes, "xml", "lang");
    if (tei->open++ && !ez_page_written(&reader->text))
        ez_page_set_undo(reader->set);
    ez_xml_check(reader, ez_page_set_add(reader->set, reader->context));
    ez_page_writer_begin(&reader->text, reader->context, &reader->set->text);
    ez_tei_header_begin(tei);
    ez_xml_field(reader, "id", id.at ? id.at : "", id.n, false);
    if (language.at)
        ez_tei_offer(tei, TEI_LANGUAGE, 1, language.at, language.n);
}

static bool is_document(const char *name)
{
    return strcmp(name, "TEI") == 0 || strcmp(name, "TEI.2") == 0;
}

static void start(ez_xml_reader *reader, const char *name, const ez_xml_attributes *attributes)
{
    tei_state *tei = reader->own;
    tei->alternatives[reader->level] = TEI_PLAIN;
    if (is_document(name)) {
        begin_document(reader, tei, attributes);
    } else if (strcmp(name, "teiHeader") == 0) {
        tei->header = tei->header ? tei->header : reader->level;
    } else if (tei->header) {
        ez_tei_header_start(reader, tei, name, attributes);
    } else if (strcmp(name, "text") == 0 && tei->open) {
        reader->in_text = true;
        tei->text = tei->text ? tei->text : reader->level;
        ez_xml_part(reader, EZ_GAP_BLOCK);
    } else if (tei->text) {
        start_in_text(reader, tei, name, attributes);
    }
}

static void end(ez_xml_reader *reader, const char *name)
{
    tei_state *tei = reader->own;
    if (is_document(name) && tei->open) {
        ez_tei_header_end(reader, tei);
        tei->open--;
    }
    if (tei->header == reader->level)
        tei->header = 0;
    else if (tei->header)
        ez_tei_header_leave(reader, tei, name);
    else if (tei->text && !is_line_end(name) && !is_inline(name))
        ez_xml_part(reader, gap_of(name));
    if (tei->text == reader->level) {
        tei->text = 0;
        reader->in_text = false;
    }
}

_Static_assert(sizeof(tei_state) <= EZ_TEI_STATE_BYTES, "the state of TEI has room");

const ez_xml_rules ez_xml_tei_rules = {start, end, ez_tei_captured};
#endif
