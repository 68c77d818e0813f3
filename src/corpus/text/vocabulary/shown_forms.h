/* Words that stand for stems: the vocabulary has "story", not "stori". A stem is shown as its most
 * frequent form. The rules of text keep these forms (setting "shown"), so that new text finds the
 * same words. A form has one stem, so no two stems are shown alike. */
#ifndef EZ_SHOWN_FORMS_H
#define EZ_SHOWN_FORMS_H

#include "corpus/text/string_table.h"
#include "corpus/text/vocabulary/stemming.h"

/* The setting: the forms that differ from their stems, ascending, separated by spaces. Their stems
 * need not be stored, because the stemmer finds them. */
#define EZ_SHOWN "shown"

/* Zero-initialise; free with ez_shown_free. stems and forms have the same numbers. */
typedef struct ez_shown {
    ez_strings stems, forms;
} ez_shown;

/* The stem of a word, or the word itself if it is one of those that are not stemmed. */
ezlda_status ez_stem_unless(ez_stemmer *stemmer, ezlda_context *context,
                            const ez_strings *unstemmed, const char **word, size_t *n);
/* Reads the setting. list may be NULL. */
ezlda_status ez_shown_read(ez_shown *shown, ezlda_context *context, const char *list,
                           ez_stemmer *stemmer, const ez_strings *unstemmed);
/* The form that stands for a stem; NULL: the stem itself. */
const char *ez_shown_form(const ez_shown *shown, const char *stem, size_t n);
void ez_shown_free(ez_shown *shown);

/* Appends the setting for some forms, ended by NUL. Sorts the array. */
ezlda_status ez_shown_write(ez_buffer *to, ezlda_context *context, const char **forms, size_t n);

/* Whether a form is to be shown rather than another one of the same stem: it is more frequent, or
 * as frequent and shorter, or as short and before it in the order of bytes. */
bool ez_shown_before(uint64_t tokens, const char *form, uint64_t other_tokens, const char *other);

#endif
