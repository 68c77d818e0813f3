/* The words one worker thread has met: written forms lead to words, so that folding, normalising
 * and the check for stop words are done once a form and not once a token. */
#ifndef EZ_TEXT_WORDS_H
#define EZ_TEXT_WORDS_H

#include "corpus/text/string_table.h"
#include "corpus/text/token_store.h"
#include "corpus/text/tokeniser.h"

/* Short byte strings (1 to 15 bytes) to numbers, each in one slot of its own: the look-up of almost
 * every token of a text is one cache line. */
/* The bytes, zeros after them, the length in the last byte: never all zero. */
typedef struct ez_form_key {
    uint64_t low, high;
} ez_form_key;

typedef struct ez_form_slot {
    ez_form_key key; /* all zero: free */
    uint32_t value;
} ez_form_slot;

/* Zero-initialise; ez_free(slots) at the end. */
typedef struct ez_forms {
    ez_form_slot *slots;
    size_t mask, n;
} ez_forms;

typedef struct ez_word_count {
    uint64_t tokens, docs;
    uint64_t last; /* the last document it was seen in, from 1 */
} ez_word_count;

typedef struct ez_text_words {
    ez_forms short_forms;   /* to words; EZ_NO_STRING: not a word that is kept */
    ez_strings long_forms;  /* forms of more than EZ_SHORT_FORM bytes */
    ez_buffer word_of_form; /* uint32_t: of the long ones */
    ez_strings words;
    ez_buffer counts; /* ez_word_count, of each word */
    uint64_t docs;    /* seen so far */
} ez_text_words;

typedef struct ez_word_rules {
    const ez_tokeniser *tokeniser;
    const ez_strings *stopwords; /* may be empty */
} ez_word_rules;

/* Tokens of a text appended to a document: kept words only, in order. */
ezlda_status ez_text_words_add(ez_text_words *words, ezlda_context *context,
                               const ez_word_rules *rules, const char *text, size_t n,
                               ez_buffer *to);
static inline ez_word_count *ez_word_counts(const ez_text_words *words)
{
    return (ez_word_count *)(void *)words->counts.data;
}
/* Whether a normalised word is a stop word. Those are folded: a word that kept its case is folded
 * to be looked up. */
bool ez_is_stopword(const ez_tokeniser *tokeniser, const ez_strings *stopwords, const char *word,
                    size_t n);
/* Lets go of what is needed only to add text. */
void ez_text_words_forget_forms(ez_text_words *words);
void ez_text_words_free(ez_text_words *words);

#endif
