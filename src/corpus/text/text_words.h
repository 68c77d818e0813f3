/* The words that one worker thread has found. A table leads from each form to its word, so that
 * folding, normalising and the check for stop words are done once per form, not once per token. */
#ifndef EZ_TEXT_WORDS_H
#define EZ_TEXT_WORDS_H

#include "corpus/text/stopwords/common_words.h"
#include "corpus/text/stopwords/stop_table.h"
#include "corpus/text/string_table.h"
#include "corpus/text/token_store.h"
#include "corpus/text/tokeniser/segmentation.h"

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

static inline void ez_count_word(ez_word_count *count, uint64_t doc)
{
    count->tokens++;
    count->docs += count->last != doc;
    count->last = doc;
}

/* A word that is in the list of some language. Whether it is removed depends on the document. */
typedef struct ez_listed_word {
    uint64_t mask;      /* languages (stop_table.h); EZ_ALWAYS_STOPPED: too short for a word */
    uint32_t word;      /* its number among the words; EZ_NO_STRING: it was never kept so far */
    ez_word_count open; /* in documents whose language is settled after the last one */
} ez_listed_word;
#define EZ_ALWAYS_STOPPED (UINT64_C(1) << 63)

/* What documents say about languages. */
typedef struct ez_language_counts {
    uint64_t docs[EZ_TABLE_LANGUAGES];          /* documents by language */
    uint64_t open_docs, open_tokens;            /* documents that show no language, their tokens */
    uint64_t open_hits[EZ_TABLE_LANGUAGES + 1]; /* their tokens in the list of each language */
} ez_language_counts;

typedef struct ez_text_words {
    ez_forms short_forms;   /* EZ_NO_STRING: the form is not a word that is kept */
    ez_strings long_forms;  /* forms of more than 15 bytes */
    ez_buffer word_of_form; /* uint32_t: the word of each long form */
    ez_strings words;
    ez_buffer counts; /* ez_word_count of each word */
    uint64_t docs;    /* added so far */
    ez_segmenter segmenter;
    ez_strings listed_words;
    ez_buffer listed; /* ez_listed_word of each of these */
    ez_buffer
        document; /* uint32_t: the tokens of the document at hand; with gaps, listed words too */
    ez_buffer places; /* ez_token_place of each of these, if places are kept */
    ez_buffer heard;  /* without gaps, the listed words in it (text_words.c) */
    ez_language_counts languages;
    ez_doc_lengths lengths;
} ez_text_words;

typedef struct ez_word_rules {
    const ez_tokeniser *tokeniser;
    const ez_strings *stopwords; /* removed from all documents; may be empty */
    const ez_stop_table *table;  /* removed by the document's language; NULL: none */
    bool gaps;   /* mark places where words are not neighbours: a word between them was removed, or
                  * there is something other than a space, a hyphen or an apostrophe */
    bool places; /* write the place of each token in the text */
} ez_word_rules;

/* Appends the tokens of a text to a document: only words that are kept, in order. If the document
 * does not show its language, all listed words are kept as EZ_OPEN_TOKEN and their index. */
ezlda_status ez_text_words_add(ez_text_words *words, ezlda_context *context,
                               const ez_word_rules *rules, const char *text, size_t n,
                               ez_buffer *to);
static inline ez_word_count *ez_word_counts(const ez_text_words *words)
{
    return (ez_word_count *)(void *)words->counts.data;
}
static inline ez_listed_word *ez_listed_words(const ez_text_words *words)
{
    return (ez_listed_word *)(void *)words->listed.data;
}
/* Whether a normalised word is a stop word. Stop words are folded, so a word that kept its case is
 * folded for the look-up. */
bool ez_is_stopword(const ez_tokeniser *tokeniser, const ez_strings *stopwords, const char *word,
                    size_t n);
/* Frees the tables of forms, which are needed only to add text. */
void ez_text_words_forget_forms(ez_text_words *words);
void ez_text_words_free(ez_text_words *words);

#endif
