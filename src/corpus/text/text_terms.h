/* Step two: the vocabulary. Words of all workers are merged, stemmed, joined to phrases, counted,
 * filtered and numbered: by falling number of tokens, ties by their bytes, so that no number
 * depends on threads. */
#ifndef EZ_TEXT_TERMS_H
#define EZ_TEXT_TERMS_H

#include "corpus/text/text_pipeline.h"

typedef struct ez_terms {
    int workers;
    uint32_t **maps; /* of each worker: word -> term */
    size_t *map_sizes;
    ez_strings terms;        /* words, or stems where there is a stemmer */
    uint64_t *tokens, *docs; /* of each term */
    ez_strings phrases;      /* keys: the numbers of 2 to 5 terms */
    ez_buffer phrase_counts; /* ez_word_count, of each phrase */
    uint32_t *number;   /* of each term, then of each phrase, in the corpus; UINT32_MAX: left out */
    const char **words; /* the vocabulary by those numbers */
    uint32_t n_words;
    ez_buffer phrase_text; /* phrases as words */
} ez_terms;

/* All of step two. Takes the words out of the job. */
ezlda_status ez_terms_settle(ez_terms *terms, ez_text_job *job);
void ez_terms_free(ez_terms *terms);

/* Counts phrases of up to options->ngrams terms. A phrase with a term in fewer than min_docs
 * documents is in fewer itself and is not counted. */
ezlda_status ez_terms_count_phrases(ez_terms *terms, ez_text_job *job);
/* The phrase of n terms; EZ_NO_STRING where it was not counted. */
static inline uint32_t ez_terms_phrase(const ez_terms *terms, const uint32_t *term, size_t n)
{
    return ez_strings_find(&terms->phrases, term, n * sizeof *term);
}
static inline const ez_word_count *ez_phrase_counts(const ez_terms *terms)
{
    return (const ez_word_count *)(const void *)terms->phrase_counts.data;
}

/* Filters and numbers terms and phrases. */
ezlda_status ez_terms_choose(ez_terms *terms, ez_text_job *job);

/* Which words stay: by documents, by rank. */
typedef struct ez_candidate {
    uint64_t tokens;
    const char *word;
    uint32_t id; /* the caller's */
} ez_candidate;

/* Whether min_docs and max_docs_share let a word of so many documents stay. */
static inline bool ez_docs_pass(const ezlda_import_options *options, uint64_t docs,
                                uint64_t all_docs)
{
    return docs >= options->min_docs && (double)docs <= options->max_docs_share * (double)all_docs;
}

/* Sorts by falling tokens, ties by bytes; returns how many stay under max_vocab (0: all). */
uint32_t ez_rank_candidates(ez_candidate *candidates, uint32_t n, uint32_t max_vocab);

/* Calls fn for every document, on several threads; the state is the thread's own of job->workers
 * ones. */
typedef ezlda_status (*ez_document_fn)(void *state, const ez_token_reader *document);
ezlda_status ez_each_document(const ez_text_job *job, uint32_t *const *maps, ez_document_fn fn,
                              void *states, size_t state_size);

/* Step three. */
ezlda_status ez_text_encode(ezlda_corpus **out, ez_text_job *job, const ez_terms *terms);

#endif
