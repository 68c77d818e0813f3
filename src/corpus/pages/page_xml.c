/* Drives libxml2 through an XML document. Entities that the document declares are replaced only if
 * their values are a few characters, so nothing grows; external ones are never read. */
#ifdef EZLDA_LIBXML2
#include "corpus/pages/page_xml.h"

#include "corpus/input/utf8.h"
#include "corpus/markup/markup_parts.h"

#include <libxml/parserInternals.h>
#include <stdio.h>
#include <string.h>

/* Limits of the document type, above what people write. */
enum { MOST_ENTITIES = 256, LONGEST_ENTITY = 64, MOST_DECLARATIONS = 4096 };

void ez_xml_check(ez_xml_reader *reader, ezlda_status status)
{
    if (status == EZLDA_OK)
        return;
    if (reader->status == EZLDA_OK)
        reader->status = status;
    xmlStopParser(reader->parser);
}

ez_span_of_text ez_xml_attribute(const ez_xml_attributes *attributes, const char *prefix,
                                 const char *name)
{
    for (int i = 0; i < attributes->n; i++) {
        const xmlChar **at = attributes->at + 5 * (ptrdiff_t)i;
        const char *own = at[1] ? (const char *)at[1] : "";
        if (strcmp((const char *)at[0], name) == 0 && strcmp(own, prefix) == 0)
            return (ez_span_of_text){(const char *)at[3], (size_t)(at[4] - at[3])};
    }
    return (ez_span_of_text){0};
}

void ez_xml_capture(ez_xml_reader *reader, const char *field)
{
    size_t n = strlen(field);
    if (reader->capture_level || n >= sizeof reader->field)
        return;
    memcpy(reader->field, field, n + 1);
    reader->captured.used = 0;
    reader->capture_level = reader->level;
    ez_page_writer_begin(&reader->capture, reader->context, &reader->captured);
}

void ez_xml_remove(ez_xml_reader *reader)
{
    reader->removed = reader->level;
}

void ez_xml_part(ez_xml_reader *reader, ez_page_gap gap)
{
    if (reader->in_text)
        ez_page_part(&reader->text, gap);
    if (reader->capture_level)
        ez_page_part(&reader->capture, gap > EZ_GAP_SPACE ? EZ_GAP_SPACE : gap);
}

void ez_xml_field(ez_xml_reader *reader, const char *name, const char *value, size_t n, bool more)
{
    ez_xml_check(reader, ez_page_set_field(reader->set, reader->context, name, value, n, more));
}

/* ---- elements ---- */

static void start_element(void *user, const xmlChar *name, const xmlChar *prefix,
                          const xmlChar *uri, int n_spaces, const xmlChar **spaces,
                          int n_attributes, int n_defaulted, const xmlChar **attributes)
{
    ez_xml_reader *self = user;
    (void)prefix, (void)uri, (void)n_spaces, (void)spaces, (void)n_defaulted;
    self->level++;
    if (self->removed || self->level >= EZ_XML_LEVELS)
        return;
    ez_xml_attributes all = {attributes, n_attributes};
    self->rules->start(self, (const char *)name, &all);
}

static void end_element(void *user, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri)
{
    ez_xml_reader *self = user;
    (void)prefix, (void)uri;
    if (self->capture_level && self->capture_level == self->level) {
        self->capture_level = 0;
        self->rules->captured(self, self->field, (const char *)self->captured.data,
                              self->captured.used);
    }
    if (!self->removed && self->level < EZ_XML_LEVELS)
        self->rules->end(self, (const char *)name);
    if (self->removed == self->level)
        self->removed = 0;
    self->level -= self->level > 0;
}

static void take_text(void *user, const xmlChar *text, int n)
{
    ez_xml_reader *self = user;
    size_t bytes = n > 0 ? (size_t)n : 0;
    if (self->removed)
        return;
    if (self->in_text)
        ez_page_put(&self->text, (const char *)text, bytes);
    if (self->capture_level)
        ez_page_put(&self->capture, (const char *)text, bytes);
    ez_xml_check(self, self->text.status);
    ez_xml_check(self, self->capture_level ? self->capture.status : EZLDA_OK);
}

/* ---- entities ---- */

/* Each attribute that is declared has to be compared with those of every element. */
static void count_declaration(ez_xml_reader *self)
{
    if (++self->declarations > MOST_DECLARATIONS)
        xmlStopParser(self->parser);
}

static void take_attribute(void *user, const xmlChar *element, const xmlChar *name, int type,
                           int kind, const xmlChar *value, xmlEnumerationPtr tree)
{
    (void)element, (void)name, (void)type, (void)kind, (void)value;
    xmlFreeEnumeration(tree);
    count_declaration(user);
}

/* Keeps an entity that stands for a few characters. */
static void take_entity(void *user, const xmlChar *xml_name, int type, const xmlChar *public_id,
                        const xmlChar *system_id, xmlChar *xml_value)
{
    ez_xml_reader *self = user;
    const char *name = (const char *)xml_name, *value = (const char *)xml_value;
    (void)public_id, (void)system_id;
    count_declaration(self);
    if (type != XML_INTERNAL_GENERAL_ENTITY || !value || self->declarations > MOST_ENTITIES ||
        strlen(name) > LONGEST_ENTITY || strlen(value) > LONGEST_ENTITY || strpbrk(value, "&<"))
        return;
    ez_xml_check(self, ez_buffer_append(&self->entities, self->context, name, strlen(name) + 1));
    ez_xml_check(self, ez_buffer_append(&self->entities, self->context, value, strlen(value) + 1));
}

static const char *declared(const ez_xml_reader *self, const char *name)
{
    const char *at = (const char *)self->entities.data, *end;
    if (!at)
        return NULL;
    for (end = at + self->entities.used; at < end;) {
        const char *value = at + strlen(at) + 1;
        if (strcmp(at, name) == 0)
            return value;
        at = value + strlen(value) + 1;
    }
    return NULL;
}

/* Every entity is found: one that is not known is a space. Old versions of the library use only
 * the first byte of values in attributes. */
static xmlEntityPtr find_entity(void *user, const xmlChar *xml_name)
{
    ez_xml_reader *self = user;
    const char *name = (const char *)xml_name, *value = declared(self, name);
    uint32_t code = value ? 0 : ez_entity_code(name, strlen(name));
    memset(self->entity_text, 0, sizeof self->entity_text);
    self->entity_text[0] = ' ';
    if (code)
        ez_utf8_encode(code, self->entity_text);
    if (!value)
        value = self->entity_text;
    if (self->parser->instate == XML_PARSER_ATTRIBUTE_VALUE && (value[0] & 0x80))
        value = " ";
    self->entity = (xmlEntity){
        .type = XML_ENTITY_DECL, .name = xml_name, .etype = XML_INTERNAL_PREDEFINED_ENTITY};
    self->entity.content = self->entity.orig = (xmlChar *)(uintptr_t)value;
    self->entity.length = (int)strlen(value);
    return &self->entity;
}

/* ---- the document ---- */

static void parse(ez_xml_reader *self, const char *text, size_t n)
{
    static const xmlSAXHandler handlers = {.startElementNs = start_element,
                                           .endElementNs = end_element,
                                           .characters = take_text,
                                           .ignorableWhitespace = take_text,
                                           .cdataBlock = take_text,
                                           .getEntity = find_entity,
                                           .entityDecl = take_entity,
                                           .attributeDecl = take_attribute,
                                           .initialized = XML_SAX2_MAGIC};
    *self->parser->sax = handlers;
    self->parser->userData = self;
    xmlDocPtr doc = xmlCtxtReadMemory(self->parser, text, (int)n, NULL, NULL, /* it is UTF-8 */
                                      XML_PARSE_NONET | XML_PARSE_IGNORE_ENC);
    xmlFreeDoc(doc);
}

static ezlda_status finish(ez_xml_reader *self, const ez_libxml_errors *errors,
                           ez_page_fault *fault)
{
    EZ_TRY(self->status);
    EZ_TRY(ez_libxml_status(errors, self->context));
    bool silent = !self->parser->wellFormed && !errors->first.text[0]; /* memory again */
    bool many = self->declarations > MOST_DECLARATIONS;
    if (self->parser->wellFormed && !errors->first.text[0] && !many)
        return EZLDA_OK;
    if (silent && !many)
        return ez_fail(self->context, EZLDA_ERROR_MEMORY, "not enough memory for libxml2");
    fault->line += many ? 1 : errors->first.line;
    if (many) {
        snprintf(fault->text, sizeof fault->text,
                 "expected an XML document, found a document type with more than %d declarations",
                 MOST_DECLARATIONS);
        return EZLDA_ERROR_FORMAT;
    }
    snprintf(fault->text, sizeof fault->text, "expected well-formed XML, found an error: %.200s",
             errors->first.text);
    fault->text[ez_utf8_check(fault->text, strlen(fault->text))] = '\0';
    return EZLDA_ERROR_FORMAT;
}

static ezlda_status read_document(ez_xml_reader *self, const char *text, size_t n,
                                  ez_page_fault *fault)
{
    ez_libxml_errors errors;
    ez_libxml_begin(&errors);
    self->parser = errors.parser = xmlNewParserCtxt();
    ezlda_status status = ez_libxml_status(&errors, self->context);
    if (status == EZLDA_OK) {
        parse(self, text, n);
        status = finish(self, &errors, fault);
    }
    if (self->parser) {
        xmlFreeDoc(self->parser->myDoc);
        self->parser->myDoc = NULL;
        xmlFreeParserCtxt(self->parser);
    }
    ez_libxml_end(&errors);
    return status;
}

ezlda_status ez_page_read_xml(ez_page_set *set, ezlda_context *context, bool tei, const char *text,
                              size_t n, ez_page_fault *fault)
{
    ez_xml_reader self = {.context = context, .set = set};
    _Alignas(max_align_t) unsigned char own[EZ_TEI_STATE_BYTES] = {0};
    self.own = own;
    self.rules = tei ? &ez_xml_tei_rules : &ez_xml_any_rules;
    while (n && ez_is_space(*text)) { /* XML allows none before its declaration */
        fault->line += *text == '\n';
        text++, n--;
    }
    ezlda_status status = tei ? EZLDA_OK : ez_page_set_add(set, context);
    ez_page_writer_begin(&self.text, context, &set->text);
    self.in_text = self.text.keeps_lines = !tei;
    if (status == EZLDA_OK)
        status = read_document(&self, text, n, fault);
    if (status == EZLDA_OK && !ez_page_set_docs(set))
        status = ez_page_set_add(set, context);
    ez_free(self.captured.data);
    ez_free(self.entities.data);
    return status;
}
#endif
