/* What `ezlda train` chooses if it is not given: the number of topics and the name of the model. */
#ifndef CLI_TRAIN_CHOICES_H
#define CLI_TRAIN_CHOICES_H

#include "options/options.h"

/* A number of topics that people can read and that the corpus can fill: it grows with the number of
 * documents that have words, and there are at least 500 tokens per topic. */
uint32_t choose_topics(const ezlda_corpus *corpus);

/* The name of the first input without its extensions, in the working folder, and "ENDING"; with a
 * number if a file of that name exists. The text is freed with free. */
char *choose_name(const cli_call *call, const char *ending);

#endif
