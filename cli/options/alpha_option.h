/* --alpha of train: a number for each topic, sum:S, or a file of K numbers. */
#ifndef CLI_ALPHA_OPTION_H
#define CLI_ALPHA_OPTION_H

#include "options/options.h"

/* text NULL: nothing is changed. Else *alpha is set, or *vector to K numbers (freed with free). 0,
 * or an exit status after one line. */
int alpha_option(const cli_call *call, const char *text, uint32_t topics, double *alpha,
                 double **vector);

#endif
