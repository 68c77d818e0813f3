/* The state of a TEI document while it is read, and what its header says. */
#ifndef EZ_PAGE_TEI_H
#define EZ_PAGE_TEI_H

#include "corpus/pages/page_xml.h"

/* The fields of which a header may have several candidates: those of the source are better than
 * those of its electronic edition. */
typedef enum tei_field {
    TEI_TITLE,
    TEI_AUTHOR,
    TEI_DATE,
    TEI_PLACE,
    TEI_PUBLISHER,
    TEI_LANGUAGE,
    TEI_FIELDS
} tei_field;

enum { TEI_VALUE = 256, TEI_PARTS = 6 };

typedef struct tei_candidate {
    int rank; /* 0: there is none */
    size_t n;
    char text[TEI_VALUE];
} tei_candidate;

/* An element whose children are alternatives, before and after one was used. */
enum { TEI_PLAIN, TEI_CHOICE, TEI_TAKEN };

typedef struct tei_state {
    size_t open;             /* TEI elements */
    size_t header, text;     /* levels of the open teiHeader and text; 0: none */
    size_t parts[TEI_PARTS]; /* open parts of the header, see tei_part */
    tei_candidate fields[TEI_FIELDS];
    int rank; /* rank of the candidate that is captured */
    tei_field wanted;
    uint8_t alternatives[EZ_XML_LEVELS];
} tei_state;

void ez_tei_header_begin(tei_state *tei);
void ez_tei_header_start(ez_xml_reader *reader, tei_state *tei, const char *name,
                         const ez_xml_attributes *attributes);
void ez_tei_header_leave(ez_xml_reader *reader, tei_state *tei, const char *name);
/* Gives the document the best candidates. */
void ez_tei_header_end(ez_xml_reader *reader, tei_state *tei);
void ez_tei_captured(ez_xml_reader *reader, const char *field, const char *text, size_t n);
/* Offers a value of a field; the first of the highest rank is used. */
void ez_tei_offer(tei_state *tei, tei_field field, int rank, const char *value, size_t n);

#endif
