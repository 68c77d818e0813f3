/* The rules by which text became words. They are stored with a corpus and with models trained on
 * it, so that new text can be read in the same way. */
#ifndef EZ_TEXT_RULES_H
#define EZ_TEXT_RULES_H

#include "base/memory.h"
#include "corpus/string_column.h"
#include "corpus/text/rules/rule_settings.h"
#include "corpus/text/stopwords/stop_table.h"

enum { EZ_MAX_NGRAMS = 5 };

/* Settings for stop words by language: the codes, separated by spaces, first that of documents that
 * show no language ("-": such documents keep all words); and, with a code after it, the key of the
 * words of a language. */
#define EZ_RULE_LANGUAGES "languages"
#define EZ_RULE_LIST "stop-"

/* The layout of the section RULE of corpus and model files (docs/formats.md). */
struct ezlda_text_rules {
    uint32_t min_length, ngrams, stem_below;
    uint32_t kept;                     /* EZ_CASE_KEPT, EZ_NUMBERS_KEPT */
    uint32_t n_stopwords, n_unstemmed; /* number of strings in `text`, in this order */
    uint64_t text_bytes;
    char stemmer[32]; /* "": words are not stemmed */
    /* Stop words, then words that were not stemmed because of stem_below, then the named settings
     * (rule_settings.h) up to text_bytes; each ended by NUL. */
    char text[];
};

/* Bits of `kept`. EZ_GUESSED is never written to a file. */
enum { EZ_CASE_KEPT = 1, EZ_NUMBERS_KEPT = 2, EZ_GUESSED = 4 };

_Static_assert(sizeof(struct ezlda_text_rules) == 64, "layout of RULE");

/* Appends the rules of an import to a buffer. */
ezlda_status ez_text_rules_write(ez_buffer *to, ezlda_context *context,
                                 const ezlda_import_options *options, const ez_strings *stopwords,
                                 const ez_strings *unstemmed, const ez_rule_settings *settings);

/* The setting that markup was removed from the text. Rules from before it existed kept it. */
#define EZ_PAGES_SETTING "pages" /* HTML, XML and Markdown are read as such */
#define EZ_MARKUP_SETTING "markup"
#define EZ_MARKUP_REMOVED "removed"

/* The value of a named setting; NULL if there is none or `rules` is NULL. Rules written before a
 * setting existed do not have it. */
const char *ez_text_rules_setting(const ezlda_text_rules *rules, const char *key);

/* Appends rules with a setting added or replaced to a buffer. */
ezlda_status ez_text_rules_with(ez_buffer *to, ezlda_context *context,
                                const ezlda_text_rules *rules, const char *key, const char *value);

/* Makes rules by which text gives words like these, which did not come from text: no stop words;
 * case, digits and single letters are kept if a word has them. Free with ez_free. */
ezlda_status ez_text_rules_guess(ezlda_text_rules **out, ezlda_context *context,
                                 const ez_column *words);

/* Whether the bytes of a section are valid rules. */
bool ez_text_rules_good(const void *section, uint64_t bytes);
uint64_t ez_text_rules_bytes(const ezlda_text_rules *rules);
bool ez_text_rules_same(const ezlda_text_rules *a, const ezlda_text_rules *b); /* NULL: no rules */
/* Whether both make the same words of a text, from whatever fields or files it was read. Of a table
 * of lemmas each has the part that its corpus needed. */
bool ez_text_rules_words_same(const ezlda_text_rules *a, const ezlda_text_rules *b);

/* Sets the options that are at their defaults to those of options->like, except stop words. Writes
 * a description of the resulting rules to `text`. */
void ez_text_rules_fill(ezlda_import_options *options, char *text, size_t size);

/* The stemmer that the options name; NULL: none. */
const char *ez_named_stemmer(const ezlda_import_options *options);

/* The table of lemmas that the options name; NULL: none. */
const char *ez_named_lemmas(const ezlda_import_options *options);
/* The lemmas of options->like (lemmas.h), unless the options ask for others or for stems; NULL:
 * none. */
const char *ez_text_rules_lemmas(const ezlda_import_options *options);

/* Adds the strings of options->like to a set, unless the options replace them. */
ezlda_status ez_text_rules_stopwords(const ezlda_import_options *options, ezlda_context *context,
                                     ez_strings *set);
ezlda_status ez_text_rules_unstemmed(const ezlda_import_options *options, ezlda_context *context,
                                     ez_strings *set);
/* The phrases of options->like (phrase_list.h), unless the options ask for others or
 * words are cut already; NULL: none. */
const char *ez_text_rules_phrases(const ezlda_import_options *options);
/* Adds the languages of rules to a table of stop words, and the settings that hold them to those of
 * an import; `rules` may be NULL. */
ezlda_status ez_text_rules_languages(const ezlda_text_rules *rules, ezlda_context *context,
                                     ez_stop_table *table, ez_rule_settings *settings);
/* Whether the stemmer is that of options->like. */
bool ez_text_rules_stem(const ezlda_import_options *options);

#endif
