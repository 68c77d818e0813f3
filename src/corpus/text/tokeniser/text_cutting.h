/* How an import cuts text into words and removes case: from its options, from stored rules, or
 * found in a sample; kept as the settings "tokens" and "case" of the rules, and reported. */
#ifndef EZ_TEXT_CUTTING_H
#define EZ_TEXT_CUTTING_H

#include "corpus/text/rules/text_rules.h"
#include "corpus/text/text_pipeline.h"

typedef struct ez_text_cutting {
    ez_cutting cutting;
    ez_casing casing;
} ez_text_cutting;

/* The way in which stored rules cut. Rules written before there was a choice took runs of unspaced
 * scripts as words and folded case; guessed rules cut like new text. */
ez_text_cutting ez_cutting_of_rules(const ezlda_text_rules *rules);
/* The name for the option `tokens` that reads text as the rules say. */
const char *ez_tokens_like(const ezlda_text_rules *rules);
void ez_tokeniser_cut(ez_tokeniser *tokeniser, ez_text_cutting way);

/* Whether the words of the text are separated already. */
bool ez_words_are_cut(const ezlda_import_options *options);
/* Whether the casing is to be found in a sample of the text. */
bool ez_casing_is_guessed(const ezlda_import_options *options);

/* Sets up the tokeniser and the segmenters of a job by its options. */
void ez_cutting_init(ez_text_job *job);
/* Finds the casing in the first block. */
ezlda_status ez_cutting_guess(ez_text_job *job, const ez_block *block);
/* Reports how runs were cut, and adds the settings to the rules of the job. */
ezlda_status ez_cutting_finish(ez_text_job *job);

/* Appends to a description of rules what is special about the cutting; "" if nothing is. */
const char *ez_cutting_remark(ez_cutting cutting);

#endif
