/* How text became words. The rules are kept with a corpus and with models trained on it, so that
 * new texts can be read alike. */
#ifndef EZ_TEXT_RULES_H
#define EZ_TEXT_RULES_H

#include "base/memory.h"
#include "corpus/string_column.h"
#include "corpus/text/string_table.h"

enum { EZ_MAX_NGRAMS = 5 };

/* As in the section RULE of corpus and model files (docs/formats.md). */
struct ezlda_text_rules {
    uint32_t min_length, ngrams, stem_below;
    uint32_t kept;                     /* EZ_CASE_KEPT, EZ_NUMBERS_KEPT */
    uint32_t n_stopwords, n_unstemmed; /* of the strings in `text`, in this order */
    uint64_t text_bytes;
    char stemmer[32]; /* "": words stay whole */
    char text[];      /* stop words; words that stayed whole beside a stemmer, with stem_below; each
                         ended by NUL */
};

/* EZ_GUESSED is in no file. */
enum { EZ_CASE_KEPT = 1, EZ_NUMBERS_KEPT = 2, EZ_GUESSED = 4 };

_Static_assert(sizeof(struct ezlda_text_rules) == 64, "layout of RULE");

/* The rules of an import, appended to a buffer. */
ezlda_status ez_text_rules_write(ez_buffer *to, ezlda_context *context,
                                 const ezlda_import_options *options, const ez_strings *stopwords,
                                 const ez_strings *unstemmed);

/* Rules by which text gives words like these, which did not come from text: nothing is left out,
 * and case, digits and single letters are kept where a word has them. Freed by ez_free. */
ezlda_status ez_text_rules_guess(ezlda_text_rules **out, ezlda_context *context,
                                 const ez_column *words);

/* Whether a section's bytes are rules. */
bool ez_text_rules_good(const void *section, uint64_t bytes);
uint64_t ez_text_rules_bytes(const ezlda_text_rules *rules);
bool ez_text_rules_same(const ezlda_text_rules *a, const ezlda_text_rules *b); /* NULL: none */

/* Takes from options->like what is left at its default in the other fields; stop words stay with
 * the rules. What holds then is told in `text`. */
void ez_text_rules_fill(ezlda_import_options *options, char *text, size_t size);

/* The stemmer that is named; NULL: none is. */
const char *ez_named_stemmer(const ezlda_import_options *options);

/* The strings of the rules, where the options leave them to the rules. */
ezlda_status ez_text_rules_stopwords(const ezlda_import_options *options, ezlda_context *context,
                                     ez_strings *set);
ezlda_status ez_text_rules_unstemmed(const ezlda_import_options *options, ezlda_context *context,
                                     ez_strings *set);
bool ez_text_rules_stem(
    const ezlda_import_options *options); /* whether the stemmer is that of the rules */

#endif
