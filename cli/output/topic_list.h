/* Lists of topics with their words, for `ezlda topics` and the end of `ezlda train`. */
#ifndef CLI_TOPIC_LIST_H
#define CLI_TOPIC_LIST_H

#include "ezlda.h"
#include "output/text_out.h"

/* Topic numbers by falling number of tokens (ties: the smaller number); freed with free. */
uint32_t *topics_by_size(const ezlda_model *model);

/* Share of the tokens. */
double topic_share(const ezlda_model *model, uint32_t topic);

/* The first words of a topic with blanks between, escaped, appended to line. */
ezlda_status topic_words(const ezlda_model *model, ezlda_context *context, uint32_t topic,
                         ezlda_word_order order, double lambda, size_t n, cli_text *line);

/* A table of the n largest topics. */
void topic_list_largest(const ezlda_model *model, ezlda_context *context, uint32_t n, size_t words);

#endif
