/* A word or phrase that somebody has written, read as the text of a corpus was. */
#ifndef EZ_TERM_READER_H
#define EZ_TERM_READER_H

#include "corpus/text/stemming.h"
#include "corpus/text/text_rules.h"
#include "corpus/text/tokeniser.h"

typedef struct ez_term_reader {
    ez_tokeniser tokeniser;
    ez_strings stopwords, unstemmed;
    ez_stemmer *stemmer; /* NULL: words stay whole */
    ez_buffer term;
} ez_term_reader;

/* Zero-initialise before; free also on failure. A stemmer that this library does not have is left
 * out. */
ezlda_status ez_term_reader_init(ez_term_reader *reader, ezlda_context *context,
                                 const ezlda_text_rules *rules);
/* What the rules make of a text: its words without those that they leave out, or with `stem` the
 * words' stems, joined by underscores as in phrases. Valid until the next call; *n is 0 where no
 * word is left or the text is not UTF-8. */
ezlda_status ez_term_read(ez_term_reader *reader, ezlda_context *context, const char *text,
                          bool stem, const char **term, size_t *n);
void ez_term_reader_free(ez_term_reader *reader);

#endif
