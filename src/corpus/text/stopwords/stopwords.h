/* Stop words, which say nothing about the subject of a document: built-in lists by language, and
 * lists in files. The built-in lists are made by scripts/stopword_lists.py from those of spaCy
 * (MIT, copyright ExplosionAI GmbH), stopwords-iso (MIT, Gene Diaz), stop-words (BSD, Alireza
 * Savand) and Snowball (BSD, Martin Porter and Richard Boulton). */
#ifndef EZ_STOPWORDS_H
#define EZ_STOPWORDS_H

#include "corpus/text/string_table.h"

typedef struct ez_stop_list {
    const char *code, *name; /* "en", "english" */
    const char *aliases;     /* other codes and names, separated by spaces */
    const char *words;       /* normalised, separated by spaces */
} ez_stop_list;

enum {
    EZ_STOP_GERMANIC = 7,
    EZ_STOP_ROMANCE = 7,
    EZ_STOP_SLAVIC = 8,
    EZ_STOP_EUROPE = 10,
    EZ_STOP_ASIA = 8,
    EZ_STOP_PACIFIC = 8,
    EZ_STOP_LANGUAGES = EZ_STOP_GERMANIC + EZ_STOP_ROMANCE + EZ_STOP_SLAVIC + EZ_STOP_EUROPE +
                        EZ_STOP_ASIA + EZ_STOP_PACIFIC
};
extern const ez_stop_list ez_stop_germanic[EZ_STOP_GERMANIC], ez_stop_romance[EZ_STOP_ROMANCE],
    ez_stop_slavic[EZ_STOP_SLAVIC], ez_stop_europe[EZ_STOP_EUROPE], ez_stop_asia[EZ_STOP_ASIA],
    ez_stop_pacific[EZ_STOP_PACIFIC];

/* The built-in lists, in a fixed order; NULL past the end. */
const ez_stop_list *ez_stop_language(uint32_t i);
/* The list with a code, a name or another name, in lower case; NULL if there is none. */
const ez_stop_list *ez_stop_named(const char *name);

/* What the option for stop words may ask for besides lists: "auto", the stop words of each
 * document's language; "corpus", the words that the corpus itself shows to be stop words. `spec` is
 * the comma-separated option; NULL asks for nothing. */
bool ez_stopwords_ask(const char *spec, const char *what);

/* Adds the stop words of `spec` to a set: language codes, language names and file names; "auto",
 * "corpus" and "none" add nothing. The words are tokenised and folded. */
ezlda_status ez_stopwords_add(ez_strings *set, ezlda_context *context, const char *spec);

/* Adds words that are separated by spaces, normalised and folded. */
ezlda_status ez_stopwords_add_list(ez_strings *set, ezlda_context *context, const char *words);

#endif
