/* --alpha of training: one number for every topic, sum:S, or a file with K numbers. */
#ifndef CLI_ALPHA_OPTION_H
#define CLI_ALPHA_OPTION_H

#include "options/options.h"

/* Sets *alpha, or *vector to K numbers (freed with free); changes nothing if text is NULL. 0, or an
 * exit status after one line. */
int alpha_option(const cli_call *call, const char *text, uint32_t topics, double *alpha,
                 double **vector);

#endif
