/* Collects the errors of libxml2 while a page is parsed. */
#ifdef EZLDA_LIBXML2
#include "corpus/pages/page_libxml.h"

#include "corpus/input/utf8.h"

#include <libxml/globals.h>
#include <libxml/xmlerror.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#if LIBXML_VERSION >= 21200
typedef const xmlError *reported_error;
#else
typedef xmlErrorPtr reported_error;
#endif

/* Without memory old versions of the library may parse for ever. xmlStopParser would free what they
 * still use where they report this. */
static void stop_here(xmlParserCtxtPtr parser)
{
#if LIBXML_VERSION < 21100
    if (parser) {
        parser->disableSAX = 1;
        parser->instate = XML_PARSER_EOF;
    }
    if (parser && parser->input)
        parser->input->cur = parser->input->end;
#else
    (void)parser;
#endif
}

/* Keeps the first error that makes a document ill-formed. */
static void take_error(void *user, reported_error error)
{
    ez_libxml_errors *errors = user;
    if (error && error->code == XML_ERR_NO_MEMORY) {
        errors->no_memory = true;
        stop_here(errors->parser);
        return;
    }
    if (errors->first.text[0] || !error || error->level != XML_ERR_FATAL || !error->message)
        return;
    ez_page_fault *first = &errors->first;
    first->line = error->line > 0 ? (uint64_t)error->line : 1;
    snprintf(first->text, sizeof first->text, "%s", error->message);
    first->text[strcspn(first->text, "\n")] = '\0';
    first->text[ez_utf8_check(first->text, strlen(first->text))] = '\0';
}

EZ_PRINTF(2, 3) static void drop_message(void *user, const char *format, ...)
{
    (void)user;
    (void)format;
}

/* The pointers to handlers belong to the thread. */
void ez_libxml_begin(ez_libxml_errors *errors)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    *errors = (ez_libxml_errors){.print = xmlGenericError,
                                 .print_to = xmlGenericErrorContext,
                                 .report = xmlStructuredError,
                                 .report_to = xmlStructuredErrorContext};
    xmlSetGenericErrorFunc(NULL, drop_message);
    xmlSetStructuredErrorFunc(errors, take_error);
    pthread_once(&once, xmlInitParser);
}

void ez_libxml_end(ez_libxml_errors *errors)
{
    xmlSetGenericErrorFunc(errors->print_to, errors->print);
    xmlSetStructuredErrorFunc(errors->report_to, errors->report);
    xmlResetLastError();
}

ezlda_status ez_libxml_status(const ez_libxml_errors *errors, ezlda_context *context)
{
    bool lacking = errors->no_memory || !errors->parser;
    if (!lacking && errors->parser->errNo != XML_ERR_NO_MEMORY)
        return EZLDA_OK;
    return ez_fail(context, EZLDA_ERROR_MEMORY, "not enough memory for libxml2");
}
#endif
