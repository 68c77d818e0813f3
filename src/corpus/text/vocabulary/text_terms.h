/* Step two of the import of text: the vocabulary. The words of all workers are merged, stemmed,
 * joined to phrases, counted, filtered and numbered: by falling number of tokens, ties by their
 * bytes, so that no number depends on the number of threads. */
#ifndef EZ_TEXT_TERMS_H
#define EZ_TEXT_TERMS_H

#include "corpus/text/phrases/phrase_join.h"
#include "corpus/text/text_pipeline.h"
#include "corpus/text/vocabulary/shown_forms.h"

#include <string.h>

struct ez_neighbours; /* neighbours.h */

typedef struct ez_terms {
    int workers;
    uint32_t **maps; /* for each worker: word -> term */
    size_t *map_sizes;
    uint32_t *
        *open_maps; /* for each worker: listed word of documents that show no language -> term */
    size_t *open_sizes;
    ez_strings terms;        /* words, or what they were replaced by: stems, lemmas */
    uint64_t *tokens, *docs; /* by term */
    const char **shown;      /* by term: the word that stands for a stem; NULL: the term itself */
    ez_strings forms;        /* the words before they were replaced */
    ez_shown stored;         /* the words that stand for stems by the rules of other text */
    ez_strings phrases;      /* keys: the numbers of 2 to 5 terms */
    ez_buffer phrase_counts; /* ez_word_count of each phrase */
    /* The number in the corpus of each term, then of each phrase; UINT32_MAX: removed. */
    uint32_t *number;
    const char **words; /* the vocabulary, by number */
    uint32_t n_words;
    ez_buffer phrase_text; /* the text of phrases that are words */
    ez_phrase_set joined;  /* phrases that replace their words; none if phrases are added to them */
} ez_terms;

/* The text that a term has in the vocabulary. */
static inline const char *ez_term_text(const ez_terms *terms, uint32_t term, size_t *n)
{
    const char *text = terms->shown ? terms->shown[term] : NULL;
    if (!text)
        return ez_strings_get(&terms->terms, term, n);
    if (n)
        *n = strlen(text);
    return text;
}

/* Does all of step two. Moves the words out of the job. */
ezlda_status ez_terms_settle(ez_terms *terms, ez_text_job *job);
void ez_terms_free(ez_terms *terms);

/* Replaces the terms by their stems and chooses the words that stand for them (stem_terms.c). */
ezlda_status ez_terms_stem(ez_terms *terms, ez_text_job *job);
/* The same by lemmas (lemma_terms.c): job->lemmas has entries. */
ezlda_status ez_terms_lemmatise(ez_terms *terms, ez_text_job *job);
/* Replaces terms by stems or lemmas, in the table, in the maps of the workers and in the counts. */
ezlda_status ez_terms_replace(ez_terms *terms, ez_text_job *job, ez_strings *stems,
                              const uint32_t *stem_of);
/* Marks the terms that are words of the vocabulary or in its phrases. */
void ez_terms_mark_used(const ez_terms *terms, unsigned char *used);
/* Adds the settings by which new text gets the same words. */
ezlda_status ez_terms_keep_lemmas(const ez_terms *terms, ez_text_job *job);
ezlda_status ez_terms_keep_shown(const ez_terms *terms, ez_text_job *job);

/* Counts phrases of up to options->ngrams terms. A phrase with a term in too few documents for the
 * filter is in too few itself, so it is not counted. */
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

/* Finds the phrases that belong together (collocations.c), so that documents are joined by them. */
ezlda_status ez_terms_find_phrases(ez_terms *terms, ez_text_job *job);
/* Counts the phrases of terms->joined and what they leave of the terms (phrase_use.c), and the
 * neighbours of phrases if `pairs` is not NULL. */
ezlda_status ez_terms_recount_phrases(ez_terms *terms, ez_text_job *job,
                                      struct ez_neighbours *pairs);
/* Dunning's G2 of a pair with `both` tokens, of words with `left` and `right` tokens of `all`; 0 if
 * the words are not neighbours more often than by accident. */
double ez_phrase_strength(double both, double left, double right, double all);
double ez_phrase_npmi(double both, double left, double right, double all);

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
