/* The words that one worker thread has found. A table leads from each form to its word, so that
 * folding, normalising and the check for stop words are done once per form, not once per token. */
#ifndef EZ_TEXT_WORDS_H
#define EZ_TEXT_WORDS_H

#include "corpus/text/string_table.h"
#include "corpus/text/token_store.h"
#include "corpus/text/tokeniser.h"

/* A short form (1 to 15 bytes): its bytes, zeros after them, its length in the last byte. Never all
 * zero. */
typedef struct ez_form_key {
    uint64_t low, high;
} ez_form_key;

typedef struct ez_form_slot {
    ez_form_key key; /* all zero: the slot is free */
    uint32_t word;
} ez_form_slot;

/* Short forms to words, each in one slot: the look-up of almost every token reads one cache line.
 * Zero-initialise; ez_free(slots) at the end. */
typedef struct ez_forms {
    ez_form_slot *slots;
    size_t mask, n;
} ez_forms;

typedef struct ez_word_count {
    uint64_t tokens, docs;
    uint64_t last; /* the last document with the word, from 1 */
} ez_word_count;

typedef struct ez_text_words {
    ez_forms short_forms;   /* EZ_NO_STRING: the form is not a word that is kept */
    ez_strings long_forms;  /* forms of more than 15 bytes */
    ez_buffer word_of_form; /* uint32_t: the word of each long form */
    ez_strings words;
    ez_buffer counts; /* ez_word_count of each word */
    uint64_t docs;    /* added so far */
} ez_text_words;

typedef struct ez_word_rules {
    const ez_tokeniser *tokeniser;
    const ez_strings *stopwords; /* may be empty */
    bool gaps; /* mark places where words are not neighbours: a word between them was removed, or
                * there is something other than a space, a hyphen or an apostrophe */
} ez_word_rules;

/* Appends the tokens of a text to a document: only words that are kept, in order. */
ezlda_status ez_text_words_add(ez_text_words *words, ezlda_context *context,
                               const ez_word_rules *rules, const char *text, size_t n,
                               ez_buffer *to);
static inline ez_word_count *ez_word_counts(const ez_text_words *words)
{
    return (ez_word_count *)(void *)words->counts.data;
}
/* Whether a normalised word is a stop word. Stop words are folded, so a word that kept its case is
 * folded for the look-up. */
bool ez_is_stopword(const ez_tokeniser *tokeniser, const ez_strings *stopwords, const char *word,
                    size_t n);
/* Frees the tables of forms, which are needed only to add text. */
void ez_text_words_forget_forms(ez_text_words *words);
void ez_text_words_free(ez_text_words *words);

#endif
