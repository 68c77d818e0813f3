/* Fuzzes the file of --seeds or, with FUZZ_ALPHA, the file of --alpha. */
#include "fuzz_file.h"

#include "options/alpha_option.h"
#include "options/seeds_option.h"

#include <stdlib.h>
#include <string.h>

enum { TOPICS = 5 };

#ifdef FUZZ_ALPHA
static void read_file(const char *path)
{
    cli_call call = {.command = cli_commands[0]};
    double alpha = 0, *vector = NULL;
    int status = alpha_option(&call, path, TOPICS, &alpha, &vector);
    fuzz_claim((status == 0) == (vector != NULL), "there are numbers if and only if the file is valid");
    for (int k = 0; vector && k < TOPICS; k++)
        fuzz_claim(vector[k] > 0, "priors are above 0");
    free(vector);
}
#else
static void read_file(const char *path)
{
    seed_list list;
    int status = seeds_option(path, TOPICS, &list);
    fuzz_claim(status != 0 || list.n > 0, "there are seeds if the file is valid");
    for (size_t i = 0; i < list.n; i++)
        fuzz_claim(list.seed[i].topic < TOPICS && strlen(list.seed[i].word) > 0, "a seed has a topic and a word");
    seeds_free(&list);
}
#endif

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    read_file(fuzz_file(data, size));
    return 0;
}
