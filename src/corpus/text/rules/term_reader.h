/* Reads a word or phrase that a user has written (a seed of a topic) by the same rules as the text
 * of the corpus. */
#ifndef EZ_TERM_READER_H
#define EZ_TERM_READER_H

#include "corpus/text/rules/text_rules.h"
#include "corpus/text/tokeniser/segmentation.h"
#include "corpus/text/vocabulary/lemmas.h"
#include "corpus/text/vocabulary/shown_forms.h"

typedef struct ez_term_reader {
    ez_tokeniser tokeniser;
    ez_segmenter segmenter;
    ez_strings stopwords, unstemmed;
    ez_stemmer *stemmer; /* NULL: words are not stemmed */
    ez_shown shown;      /* words that stand for stems */
    ez_lemmas lemmas;
    ez_buffer term;
} ez_term_reader;

/* Zero-initialise before; free also on failure. A stemmer that this library does not have is
 * ignored. */
ezlda_status ez_term_reader_init(ez_term_reader *reader, ezlda_context *context,
                                 const ezlda_text_rules *rules);
/* Applies the rules to a text: *term is its words without stop words, or with `stem` their
 * lemmas or the words that stand for their stems, joined by underscores as in phrases. Valid until
 * the next call. *n is 0 if no word remains or the text is not UTF-8. */
ezlda_status ez_term_read(ez_term_reader *reader, ezlda_context *context, const char *text,
                          bool stem, const char **term, size_t *n);
void ez_term_reader_free(ez_term_reader *reader);

#endif
