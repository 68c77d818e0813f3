/* Words that say nothing of a document's subject: built-in lists by language, a file of them, or a
 * language guessed. */
#ifndef EZ_STOPWORDS_H
#define EZ_STOPWORDS_H

#include "corpus/text/string_table.h"

typedef struct ez_stop_list {
    const char *code, *name; /* "en", "english" */
    const char *words;       /* blank-separated */
} ez_stop_list;

enum { EZ_STOP_LANGUAGES = 14 };
extern const ez_stop_list ez_stop_germanic[6], ez_stop_romance[4], ez_stop_eastern[4];

/* The built-in lists, in a fixed order; NULL past the end. */
const ez_stop_list *ez_stop_language(uint32_t i);

/* Adds the words of `spec` to a set: language codes or names and file names, comma-separated. Words
 * are kept as the tokeniser makes them, case folded. */
ezlda_status ez_stopwords_add(ez_strings *set, ezlda_context *context, const char *spec);

/* Of fewer words no language is told. */
enum { EZ_STOP_GUESS_WORDS = 20 };

/* Guesses the language of words fed to it (normalised, case folded). Zero-initialise; free with
 * ez_stop_guess_free. */
typedef struct ez_stop_guess {
    ez_strings words; /* of all lists */
    ez_buffer masks;  /* uint32_t each: bit i: in list i */
    uint64_t tokens, hits[EZ_STOP_LANGUAGES];
} ez_stop_guess;

ezlda_status ez_stop_guess_init(ez_stop_guess *guess, ezlda_context *context);
void ez_stop_guess_feed(ez_stop_guess *guess, const char *word, size_t n);
/* The list with the largest share of the words, NULL where none has a clear one; *share: the best
 * share. */
const ez_stop_list *ez_stop_guess_best(const ez_stop_guess *guess, double *share);
void ez_stop_guess_free(ez_stop_guess *guess);

#endif
