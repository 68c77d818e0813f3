/* Finds title, author, date, place, publisher and language in the header of a TEI document. */
#ifdef EZLDA_LIBXML2
#include "corpus/input/utf8.h"
#include "corpus/pages/page_tei.h"

#include <string.h>

/* The elements of a header that show whose title or date this is. */
enum tei_part { IN_TITLE, IN_PUBLICATION, IN_SOURCE, IN_CREATION, IN_SERIES, IN_RESP };

static const char *const part_names[TEI_PARTS] = {"titleStmt", "publicationStmt", "sourceDesc",
                                                  "creation",  "seriesStmt",      "respStmt"};
static const char *const field_names[TEI_FIELDS] = {"title", "author",    "date",
                                                    "place", "publisher", "language"};

void ez_tei_header_begin(tei_state *tei)
{
    memset(tei->fields, 0, sizeof tei->fields);
}

void ez_tei_offer(tei_state *tei, tei_field field, int rank, const char *value, size_t n)
{
    tei_candidate *candidate = &tei->fields[field];
    if (rank <= candidate->rank || !n)
        return;
    candidate->rank = rank;
    candidate->n = n < TEI_VALUE ? n : TEI_VALUE;
    memcpy(candidate->text, value, candidate->n);
    candidate->n = ez_utf8_check(candidate->text, candidate->n);
}

static void capture(ez_xml_reader *reader, tei_state *tei, tei_field field, int rank)
{
    if (reader->capture_level)
        return;
    tei->wanted = field;
    tei->rank = rank;
    ez_xml_capture(reader, field_names[field]);
}

/* A date in the form of ISO 8601, if the element has one. */
static ez_span_of_text iso_date(const ez_xml_attributes *attributes)
{
    static const char *const names[] = {"when", "when-iso", "from", "notBefore", "value", NULL};
    ez_span_of_text date = {0};
    for (size_t i = 0; names[i] && !date.at; i++)
        date = ez_xml_attribute(attributes, "", names[i]);
    return date;
}

/* The rank of what an element says by the part that it is in: the time of writing, the source, the
 * electronic edition. */
static int rank_here(const tei_state *tei)
{
    if (tei->parts[IN_SERIES] || tei->parts[IN_RESP])
        return 0;
    if (tei->parts[IN_CREATION])
        return 3;
    return tei->parts[IN_SOURCE] ? 2 : tei->parts[IN_PUBLICATION] ? 1 : 0;
}

/* The title of the file is the better one; often the source has the same. */
static int title_rank(const tei_state *tei)
{
    if (tei->parts[IN_SERIES] || tei->parts[IN_RESP])
        return 0;
    return tei->parts[IN_SOURCE] ? 1 : tei->parts[IN_TITLE] ? 2 : 0;
}

static void start_field(ez_xml_reader *reader, tei_state *tei, const char *name,
                        const ez_xml_attributes *attributes)
{
    ez_span_of_text date = iso_date(attributes), ident = ez_xml_attribute(attributes, "", "ident");
    int rank = rank_here(tei), titles = title_rank(tei);
    if (strcmp(name, "title") == 0 && titles)
        capture(reader, tei, TEI_TITLE, titles);
    else if (strcmp(name, "author") == 0 && titles)
        capture(reader, tei, TEI_AUTHOR, titles);
    else if (strcmp(name, "date") == 0 && rank && date.at)
        ez_tei_offer(tei, TEI_DATE, rank, date.at, date.n);
    else if (strcmp(name, "date") == 0 && rank)
        capture(reader, tei, TEI_DATE, rank);
    else if (strcmp(name, "pubPlace") == 0 && rank)
        capture(reader, tei, TEI_PLACE, rank);
    else if (strcmp(name, "publisher") == 0 && rank)
        capture(reader, tei, TEI_PUBLISHER, rank);
    else if (strcmp(name, "language") == 0 && ident.at)
        ez_tei_offer(tei, TEI_LANGUAGE, 2, ident.at, ident.n);
}

void ez_tei_header_start(ez_xml_reader *reader, tei_state *tei, const char *name,
                         const ez_xml_attributes *attributes)
{
    ez_xml_part(reader, EZ_GAP_SPACE);
    for (size_t i = 0; i < TEI_PARTS; i++)
        tei->parts[i] += strcmp(name, part_names[i]) == 0;
    if (tei->open)
        start_field(reader, tei, name, attributes);
}

void ez_tei_header_leave(ez_xml_reader *reader, tei_state *tei, const char *name)
{
    ez_xml_part(reader, EZ_GAP_SPACE);
    for (size_t i = 0; i < TEI_PARTS; i++)
        tei->parts[i] -= tei->parts[i] && strcmp(name, part_names[i]) == 0;
}

/* A text may have several authors. */
void ez_tei_captured(ez_xml_reader *reader, const char *field, const char *text, size_t n)
{
    tei_state *tei = reader->own;
    if (tei->wanted == TEI_AUTHOR && tei->rank == 2)
        ez_xml_field(reader, field, text ? text : "", n, true);
    else
        ez_tei_offer(tei, tei->wanted, tei->rank, text ? text : "", n);
}

void ez_tei_header_end(ez_xml_reader *reader, tei_state *tei)
{
    for (int i = 0; i < TEI_FIELDS; i++)
        ez_xml_field(reader, field_names[i], tei->fields[i].text, tei->fields[i].n, false);
    ez_tei_header_begin(tei);
}
#endif
