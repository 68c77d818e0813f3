/* Reads XML element by element; rules for TEI or for any other XML decide what becomes of each. */
#ifndef EZ_PAGE_XML_H
#define EZ_PAGE_XML_H

#include "corpus/pages/page_libxml.h"
#include "corpus/pages/page_writer.h"

enum { EZ_XML_LEVELS = 320 }; /* libxml2 allows 256 levels */

/* Attributes as libxml2 passes them: local name, prefix, URI, value, end of the value. */
typedef struct ez_xml_attributes {
    const unsigned char **at;
    int n;
} ez_xml_attributes;

typedef struct ez_span_of_text {
    const char *at; /* NULL: there is none */
    size_t n;
} ez_span_of_text;

ez_span_of_text ez_xml_attribute(const ez_xml_attributes *attributes, const char *prefix,
                                 const char *name);

typedef struct ez_xml_reader ez_xml_reader;

typedef struct ez_xml_rules {
    void (*start)(ez_xml_reader *reader, const char *name, const ez_xml_attributes *attributes);
    void (*end)(ez_xml_reader *reader, const char *name);
    /* The text of an element that was captured. */
    void (*captured)(ez_xml_reader *reader, const char *field, const char *text, size_t n);
} ez_xml_rules;

struct ez_xml_reader {
    const ez_xml_rules *rules;
    void *own; /* the state of the rules */
    ezlda_context *context;
    ez_page_set *set;
    xmlParserCtxtPtr parser;
    ez_page_writer text;
    bool in_text;   /* what is read now is text of the document */
    size_t level;   /* open elements */
    size_t removed; /* the level of an element that is removed with all in it; 0: none */
    ez_page_writer capture;
    ez_buffer captured;
    size_t capture_level; /* 0: no capture */
    char field[EZ_PAGE_NAME];
    ez_buffer entities; /* declared in the document: name, NUL, value, NUL */
    uint32_t declarations;
    xmlEntity entity; /* the one that was looked up last */
    char entity_text[8];
    ezlda_status status;
};

/* Remembers the text of the current element for a field, unless another is being captured. */
void ez_xml_capture(ez_xml_reader *reader, const char *field);
/* Removes the current element. */
void ez_xml_remove(ez_xml_reader *reader);
/* Separates words of the text and of a captured field. */
void ez_xml_part(ez_xml_reader *reader, ez_page_gap gap);
void ez_xml_field(ez_xml_reader *reader, const char *name, const char *value, size_t n, bool more);
void ez_xml_check(ez_xml_reader *reader, ezlda_status status);

extern const ez_xml_rules ez_xml_any_rules, ez_xml_tei_rules;
enum { EZ_TEI_STATE_BYTES = 4096 };

#endif
