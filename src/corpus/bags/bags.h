/* Operations on corpora as bags of words: joining several, filtering words, copying documents. */
#ifndef EZ_BAGS_H
#define EZ_BAGS_H

#include "base/context.h"

#include <stdbool.h>

/* Joins n corpora into one, documents in order; frees nothing. The order of words is kept if all
 * corpora have it; if only some have it, a note says so. If each vocabulary is the beginning of the
 * longest one, words are shared by number. Otherwise words are matched by their text if by_word is
 * set, else the call fails. */
ezlda_status ez_bags_join(ezlda_corpus **out, ezlda_context *context, ezlda_corpus *const *corpora,
                          size_t n, const char *const *paths, bool by_word);

/* Whether the options remove words from a bag of words: named stop words, min_docs, max_docs_share,
 * max_vocab. */
bool ez_bag_filtered(const ezlda_import_options *options);
/* Makes a corpus of the words that stay, in the same order; all documents stay. */
ezlda_status ez_bag_filter(ezlda_corpus **out, ezlda_context *context, const ezlda_corpus *corpus,
                           const ezlda_import_options *options);

/* How documents are copied to a builder. */
typedef struct ez_bag_copy {
    const ezlda_corpus *corpus;
    const uint32_t *word_map; /* new number of each word; UINT32_MAX: removed */
    const uint32_t *field_of; /* for each new field, the old one; UINT32_MAX: none */
    uint32_t fields;          /* number of fields of the new corpus */
    bool order;               /* keep the order of words, which the corpus must have */
    const bool *skip;         /* documents that are not copied; NULL: none */
    /* Values of the new fields, instead of those of the corpus: first the values of all
     * documents for the first field, then for the second, and so on. NULL: those of the corpus. */
    const char *const *values;
    bool text; /* keep the texts, which the corpus must have */
} ez_bag_copy;

struct ez_corpus_builder;
ezlda_status ez_bag_copy_documents(const ez_bag_copy *copy, ezlda_context *context,
                                   struct ez_corpus_builder *builder);
/* Fills a map and a vocabulary in which all words stay; both have an entry for every word. */
void ez_bag_keep_words(const ezlda_corpus *corpus, uint32_t *word_map, const char **words);
/* Copies a corpus with its fields, order and text; words are mapped and documents of `skip`
 * omitted. n_words: words of the new corpus. */
ezlda_status ez_bag_rebuild(ezlda_corpus **out, ezlda_context *context, const ezlda_corpus *corpus,
                            const uint32_t *word_map, const bool *skip, const char *const *words,
                            uint32_t n_words);

#endif
