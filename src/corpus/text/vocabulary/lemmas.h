/* Tables of lemmas: the dictionary form of each form, "house" for "houses". They come from files
 * with lines form<TAB>lemma. The rules of text keep the part that a vocabulary needs (setting
 * "lemmas"), so that new text finds the same words. */
#ifndef EZ_LEMMAS_H
#define EZ_LEMMAS_H

#include "corpus/text/string_table.h"
#include "corpus/text/tokeniser/tokeniser.h"

/* The setting: one line per lemma, the lemma and its forms, separated by spaces, ascending. */
#define EZ_LEMMAS "lemmas"

/* Zero-initialise; free with ez_lemmas_free. */
typedef struct ez_lemmas {
    ez_strings forms, words;
    ez_buffer word_of; /* uint32_t, by form: its lemma, a number in `words` */
} ez_lemmas;

/* The file that an option asks for: a file, or a language whose table is in a data folder
 * (EZLDA_DATA, else that of the user, else that of the system). Free with ez_free. */
ezlda_status ez_lemmas_find(char **path, ezlda_context *context, const char *spec);
/* Adds a file's entries, normalised by the tokeniser. The first entry of a form counts; entries of
 * several words are ignored. */
ezlda_status ez_lemmas_read(ez_lemmas *lemmas, ezlda_context *context, const char *path,
                            const ez_tokeniser *tokeniser);
/* Adds the entries of a setting; NULL: none. */
ezlda_status ez_lemmas_read_list(ez_lemmas *lemmas, ezlda_context *context, const char *list);
/* The lemma of a word, or the word itself if it has none. */
void ez_lemma_of(const ez_lemmas *lemmas, const char **word, size_t *n);
/* Writes the setting, ended by NUL: the entries whose lemma is marked, by number; NULL: all. */
ezlda_status ez_lemmas_write(const ez_lemmas *lemmas, ezlda_context *context,
                             const unsigned char *marked, ez_buffer *to);
void ez_lemmas_free(ez_lemmas *lemmas);

#endif
