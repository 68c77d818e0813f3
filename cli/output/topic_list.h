/* Topics by size, their shares and their top words, for several commands. */
#ifndef CLI_TOPIC_LIST_H
#define CLI_TOPIC_LIST_H

#include "ezlda.h"
#include "output/text_out.h"

#include <stdbool.h>

/* Topic numbers, those with the most tokens first (ties: the smaller number); freed with free. */
uint32_t *topics_by_size(const ezlda_model *model);

/* Removes topics that edits hide from a list of n; returns how many stay. */
size_t topics_shown(const ezlda_model *model, uint32_t *topics, size_t n);

/* Sets line to the name that an edit gave to a topic, escaped, and the group in brackets; "" if it
 * has neither. */
void topic_name(const ezlda_model *model, uint32_t topic, cli_text *line);
/* Whether any topic has a name or a group. */
bool topics_have_names(const ezlda_model *model);

/* The share of all tokens that are in a topic. */
double topic_share(const ezlda_model *model, uint32_t topic);

/* Sets line to the top words of a topic, escaped and separated by spaces. */
ezlda_status topic_words(const ezlda_model *model, ezlda_context *context, uint32_t topic,
                         ezlda_word_order order, double lambda, size_t n, cli_text *line);

/* A table of the n largest topics. */
void topic_list_largest(const ezlda_model *model, ezlda_context *context, uint32_t n, size_t words);

#endif
