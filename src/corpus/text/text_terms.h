/* Step two of the import of text: the vocabulary. The words of all workers are merged, stemmed,
 * joined to phrases, counted, filtered and numbered: by falling number of tokens, ties by their
 * bytes, so that no number depends on the number of threads. */
#ifndef EZ_TEXT_TERMS_H
#define EZ_TEXT_TERMS_H

#include "corpus/text/text_pipeline.h"

typedef struct ez_terms {
    int workers;
    uint32_t **maps; /* for each worker: word -> term */
    size_t *map_sizes;
    uint32_t *
        *open_maps; /* for each worker: listed word of documents that show no language -> term */
    size_t *open_sizes;
    ez_strings terms;        /* words, or stems if there is a stemmer */
    uint64_t *tokens, *docs; /* by term */
    ez_strings phrases;      /* keys: the numbers of 2 to 5 terms */
    ez_buffer phrase_counts; /* ez_word_count of each phrase */
    /* The number in the corpus of each term, then of each phrase; UINT32_MAX: removed. */
    uint32_t *number;
    const char **words; /* the vocabulary, by number */
    uint32_t n_words;
    ez_buffer phrase_text; /* the text of phrases that are words */
} ez_terms;

/* Does all of step two. Moves the words out of the job. */
ezlda_status ez_terms_settle(ez_terms *terms, ez_text_job *job);
void ez_terms_free(ez_terms *terms);

/* Counts phrases of up to options->ngrams terms. A phrase with a term in fewer than min_docs
 * documents is in fewer documents itself, so it is not counted. */
ezlda_status ez_terms_count_phrases(ez_terms *terms, ez_text_job *job);
/* The phrase of n terms; EZ_NO_STRING if it was not counted. */
static inline uint32_t ez_terms_phrase(const ez_terms *terms, const uint32_t *term, size_t n)
{
    return ez_strings_find(&terms->phrases, term, n * sizeof *term);
}
static inline const ez_word_count *ez_phrase_counts(const ez_terms *terms)
{
    return (const ez_word_count *)(const void *)terms->phrase_counts.data;
}

/* Replaces the terms in the maps of the workers by to[term]; UINT32_MAX stays. */
void ez_terms_remap(const ez_terms *terms, const uint32_t *to);
/* Removes the words that the corpus shows to be stop words, if the job asks for that. */
ezlda_status ez_terms_remove_common(ez_terms *terms, ez_text_job *job);

/* Filters and numbers terms and phrases. */
ezlda_status ez_terms_choose(ez_terms *terms, ez_text_job *job);

/* A word that may stay in the vocabulary; bags of words are filtered by the same rules
 * (bags/bag_filter.c). */
typedef struct ez_candidate {
    uint64_t tokens;
    const char *word;
    uint32_t id; /* for the caller */
} ez_candidate;

/* Whether a word that is in `docs` documents passes min_docs and max_docs_share. */
static inline bool ez_docs_pass(const ezlda_import_options *options, uint64_t docs,
                                uint64_t all_docs)
{
    return docs >= options->min_docs && (double)docs <= options->max_docs_share * (double)all_docs;
}

/* Sorts by falling number of tokens, ties by bytes; returns how many max_vocab keeps (0: all). */
uint32_t ez_rank_candidates(ez_candidate *candidates, uint32_t n, uint32_t max_vocab);

/* Calls fn for every document, on several threads; each thread has its own one of job->workers
 * states. */
typedef ezlda_status (*ez_document_fn)(void *state, const ez_token_reader *document);
ezlda_status ez_each_document(const ez_text_job *job, uint32_t *const *maps, ez_document_fn fn,
                              void *states, size_t state_size);

/* Step three (text_encode.c). */
ezlda_status ez_text_encode(ezlda_corpus **out, ez_text_job *job, const ez_terms *terms);

#endif
