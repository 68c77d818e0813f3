/* Corpora that are bags of words already: several made one, words filtered, split. */
#ifndef EZ_BAGS_H
#define EZ_BAGS_H

#include "base/context.h"

#include <stdbool.h>

/* One corpus of n, documents in order; frees nothing. The order of the words is kept where all have
 * one; where only some do, that is noted. Words are shared by their numbers where each vocabulary
 * is the beginning of the longest one. Else by_word tells whether words are matched by their text,
 * or the call fails. */
ezlda_status ez_bags_join(ezlda_corpus **out, ezlda_context *context, ezlda_corpus *const *corpora,
                          size_t n, const char *const *paths, bool by_word);

/* Whether options take anything out of a bag of words: named stop words, min_docs, max_docs_share,
 * max_vocab. */
bool ez_bag_filtered(const ezlda_import_options *options);
/* A corpus of the words that stay, in their order; documents keep their rows. */
ezlda_status ez_bag_filter(ezlda_corpus **out, ezlda_context *context, const ezlda_corpus *corpus,
                           const ezlda_import_options *options);

/* Parts the two share: documents handed to a builder with words mapped (UINT32_MAX: dropped). */
typedef struct ez_bag_copy {
    const ezlda_corpus *corpus;
    const uint32_t *word_map;
    const uint32_t *field_of; /* for each field of the new corpus, this one's; UINT32_MAX: none */
    uint32_t fields;          /* of the new corpus */
    bool order;               /* whether the order is kept: the corpus must have one */
    const bool *skip;         /* documents that are left out; NULL: none */
    /* Of the fields, in place of the corpus' own: documents of the first field, then of the second;
     * NULL: its own */
    const char *const *values;
} ez_bag_copy;

struct ez_corpus_builder;
ezlda_status ez_bag_copy_documents(const ez_bag_copy *copy, ezlda_context *context,
                                   struct ez_corpus_builder *builder);
/* A map and a vocabulary in which all words stay: an entry each for every word of the corpus. */
void ez_bag_keep_words(const ezlda_corpus *corpus, uint32_t *word_map, const char **words);
/* The whole corpus again, with its fields and order, words mapped and documents left out; n_words:
 * of the new one. */
ezlda_status ez_bag_rebuild(ezlda_corpus **out, ezlda_context *context, const ezlda_corpus *corpus,
                            const uint32_t *word_map, const bool *skip, const char *const *words,
                            uint32_t n_words);

#endif
