/* Stems words with Snowball. */
#ifndef EZ_STEMMING_H
#define EZ_STEMMING_H

#include "base/context.h"

#include <stdbool.h>

/* Whether there is a stemmer of this name ("english"; two-letter codes also work). */
bool ez_stemmer_known(const char *language);
/* Writes the names of all stemmers, comma-separated, cut to n bytes. */
void ez_stemmer_names(char *text, size_t n);

typedef struct ez_stemmer ez_stemmer;

ezlda_status ez_stemmer_create(ez_stemmer **out, ezlda_context *context, const char *language);
/* The stem of a word, valid until the next call; the word itself if its stem would be empty. */
ezlda_status ez_stem(ez_stemmer *stemmer, ezlda_context *context, const char *word, size_t n,
                     const char **stem, size_t *length);
void ez_stemmer_free(ez_stemmer *stemmer);

#endif
