/* The fields of a table or of JSON records, found in the first bytes of an input: for the guess
 * which of them is the text, and for messages that list them. */
#ifndef EZ_FIELD_SAMPLE_H
#define EZ_FIELD_SAMPLE_H

#include "corpus/formats/recognise.h"
#include "corpus/text/text_source.h"

/* Zero-initialise; free with ez_field_sample_free. */
typedef struct ez_field_sample {
    ez_strings names; /* in the order of the input; nested ones as a.b */
    ez_buffer fields; /* what is known of each; see field_sample.c */
    uint64_t records;
} ez_field_sample;

/* Reads the fields of the first n bytes of an input (csv, tsv, jsonl, json). `whole`: the input has
 * no more. Records that are not valid are ignored: the reader reports them. */
ezlda_status ez_field_sample_read(ez_field_sample *sample, ezlda_context *context, ez_format format,
                                  const char *head, size_t n, bool whole);
/* Adds a value of a field; at = NULL: only its name. */
ezlda_status ez_field_sample_add(ez_field_sample *sample, ezlda_context *context, ez_span name,
                                 ez_span value);
/* Whether there is a field of this name, or each of a list of names. */
bool ez_field_sample_has(const ez_field_sample *sample, const char *names);
/* The field with the longest natural language; NULL if there is none. *rival: another field that
 * may be meant as well, or NULL. */
const char *ez_field_sample_text(const ez_field_sample *sample, const char **rival);
/* Writes the names, separated by commas. */
void ez_field_sample_list(const ez_field_sample *sample, char *text, size_t size);
void ez_field_sample_free(ez_field_sample *sample);

#endif
