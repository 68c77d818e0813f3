/* Stop words, which say nothing about the subject of a document: built-in lists by language, lists
 * in files, and a guess at the language. */
#ifndef EZ_STOPWORDS_H
#define EZ_STOPWORDS_H

#include "corpus/text/string_table.h"

typedef struct ez_stop_list {
    const char *code, *name; /* "en", "english" */
    const char *words;       /* separated by spaces */
} ez_stop_list;

enum { EZ_STOP_LANGUAGES = 14 };
extern const ez_stop_list ez_stop_germanic[6], ez_stop_romance[4], ez_stop_eastern[4];

/* The built-in lists, in a fixed order; NULL past the end. */
const ez_stop_list *ez_stop_language(uint32_t i);

/* Adds the stop words of `spec` to a set: a comma-separated list of language codes, language names
 * and file names. The words are tokenised and folded. */
ezlda_status ez_stopwords_add(ez_strings *set, ezlda_context *context, const char *spec);

/* The language of fewer words is not guessed. */
enum { EZ_STOP_GUESS_WORDS = 20 };

/* Guesses a language from words that are fed to it, normalised and folded. Zero-initialise; free
 * with ez_stop_guess_free. */
typedef struct ez_stop_guess {
    ez_strings words; /* the words of all lists */
    ez_buffer masks;  /* uint32_t for each word: bit i says that it is in list i */
    uint64_t tokens, hits[EZ_STOP_LANGUAGES];
} ez_stop_guess;

ezlda_status ez_stop_guess_init(ez_stop_guess *guess, ezlda_context *context);
void ez_stop_guess_feed(ez_stop_guess *guess, const char *word, size_t n);
/* The list that has the largest share of the words; NULL if no share is large enough. *share: the
 * largest share. */
const ez_stop_list *ez_stop_guess_best(const ez_stop_guess *guess, double *share);
void ez_stop_guess_free(ez_stop_guess *guess);

#endif
