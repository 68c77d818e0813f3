/* Lists of numbers on the command line: "3", "3,7-9". */
#ifndef CLI_NUMBER_LIST_H
#define CLI_NUMBER_LIST_H

#include "options/options.h"

/* One flag per number below `limit`, true if the list has it; freed with free. NULL after one line
 * on standard error that names the option. */
bool *number_list(const cli_call *call, const char *option, const char *text, uint32_t limit);

/* The same as n numbers in ascending order. */
uint32_t *number_list_values(const cli_call *call, const char *option, const char *text,
                             uint32_t limit, size_t *n);

#endif
