/* The filter of words by documents: its limits, given or chosen by the corpus, and what it removed.
 * Text and bags of words use it alike. */
#ifndef EZ_WORD_FILTER_H
#define EZ_WORD_FILTER_H

#include "base/context.h"
#include "corpus/text/rules/rule_settings.h"

#include <stdbool.h>
#include <stddef.h>

/* Settings of the rules of text. They say what was removed; new text is not filtered by them. */
#define EZ_RULE_MIN_DOCS "min-docs"
#define EZ_RULE_MAX_DOCS_SHARE "max-docs-share"

typedef struct ez_removed_words {
    uint64_t words, tokens;
} ez_removed_words;

typedef struct ez_word_filter {
    uint64_t min_docs;                           /* 1: rare words stay */
    double max_docs_share;                       /* 1: common words stay */
    bool min_docs_chosen, max_docs_share_chosen; /* not given */
    uint64_t all_docs;                           /* documents of the corpus */
    uint64_t tokens;                             /* tokens of all words that were tested */
    ez_removed_words rare, common;
} ez_word_filter;

/* The limits for text of this many documents. */
uint64_t ez_min_docs_for(uint64_t docs);
double ez_max_docs_share_for(uint64_t docs);

/* Limits that are chosen if none are given. */
typedef struct ez_word_limits {
    uint64_t min_docs;
    double max_docs_share;
} ez_word_limits;

/* Those that the rules of a text have; 1 if they have none. rules may be NULL. */
ez_word_limits ez_word_limits_of(const ezlda_text_rules *rules);
/* Those for text of this many documents, or those of options->like. */
ez_word_limits ez_word_limits_for(const ezlda_import_options *options, uint64_t docs);

/* Limits as the options give them; those that are open remove nothing. */
ez_word_filter ez_word_filter_given(const ezlda_import_options *options, uint64_t all_docs);
/* Chooses the limits that the options leave open. A limit that would remove more than half of all
 * tokens is not set: such documents are not prose. docs, tokens: by word. */
void ez_word_filter_choose(ez_word_filter *filter, const ezlda_import_options *options,
                           const uint64_t *docs, const uint64_t *tokens, size_t words);

/* Whether a word stays; counts what is removed. */
bool ez_word_filter_keeps(ez_word_filter *filter, uint64_t docs, uint64_t tokens);
/* Reports what was removed, in one line. */
void ez_word_filter_note(const ez_word_filter *filter, ezlda_context *context);
/* Adds the limits that are set to the settings of the rules. */
ezlda_status ez_word_filter_store(const ez_word_filter *filter, ezlda_context *context,
                                  ez_rule_settings *settings);

#endif
