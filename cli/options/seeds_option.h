/* --seeds FILE */
#ifndef CLI_SEEDS_OPTION_H
#define CLI_SEEDS_OPTION_H

#include "cli.h"

typedef struct seed_list {
    ezlda_seed *seed;
    size_t n;
    char *text; /* the words */
} seed_list;

/* Reads a file of seeds. 0, or an exit status after one line; free in any case. path NULL: none. */
int seeds_option(const char *path, uint32_t topics, seed_list *out);
void seeds_free(seed_list *list);

#endif
