/* --seeds FILE: words that topics start with and lean towards. */
#ifndef CLI_SEEDS_OPTION_H
#define CLI_SEEDS_OPTION_H

#include "cli.h"

typedef struct seed_list {
    ezlda_seed *seed;
    size_t n;
    char *text; /* the file; the seeds point into it */
} seed_list;

/* Reads a file of seed words; none if path is NULL. 0, or an exit status after one line; to be
 * freed in any case. */
int seeds_option(const char *path, uint32_t topics, seed_list *out);
void seeds_free(seed_list *list);

#endif
