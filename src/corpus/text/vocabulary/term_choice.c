/* Chooses the terms and phrases that become the vocabulary of the corpus, and numbers them. */
#include "corpus/text/vocabulary/text_terms.h"

#include <stdlib.h>
#include <string.h>

enum { MANY_WORDS = 1000 };

static int by_rank(const void *a, const void *b)
{
    const ez_candidate *x = a, *y = b;
    if (x->tokens != y->tokens)
        return x->tokens > y->tokens ? -1 : 1;
    return strcmp(x->word, y->word);
}

uint32_t ez_rank_candidates(ez_candidate *candidates, uint32_t n, uint32_t max_vocab)
{
    qsort(candidates, n, sizeof *candidates, by_rank);
    return max_vocab && n > max_vocab ? max_vocab : n;
}

/* Appends the words of a phrase, joined by underscores, to phrase_text; *at: its offset. */
static ezlda_status write_phrase(ez_terms *terms, ezlda_context *context, uint32_t phrase,
                                 size_t *at)
{
    size_t size;
    const char *key = ez_strings_get(&terms->phrases, phrase, &size);
    *at = terms->phrase_text.used;
    for (size_t i = 0; i < size; i += sizeof(uint32_t)) {
        uint32_t term;
        size_t n;
        memcpy(&term, key + i, sizeof term);
        const char *word = ez_term_text(terms, term, &n);
        if (i)
            EZ_TRY(ez_buffer_append(&terms->phrase_text, context, "_", 1));
        EZ_TRY(ez_buffer_append(&terms->phrase_text, context, word, n));
    }
    return ez_buffer_append(&terms->phrase_text, context, "", 1);
}

static uint32_t collect_terms(const ez_terms *terms, ez_text_job *job, ez_candidate *to)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < terms->terms.n; i++)
        if (terms->docs[i] && ez_word_filter_keeps(&job->filter, terms->docs[i], terms->tokens[i]))
            to[n++] = (ez_candidate){terms->tokens[i], ez_term_text(terms, i, NULL), i};
    return n;
}

/* phrase_text moves while it grows, so candidates get offsets first and pointers at the end. */
static ezlda_status collect_phrases(ez_terms *terms, ez_text_job *job, ez_candidate *to,
                                    uint32_t *n)
{
    const ez_word_count *counts = ez_phrase_counts(terms);
    size_t *offsets;
    uint32_t first = *n;
    EZ_TRY(ez_array(&offsets, job->context, terms->phrases.n, sizeof *offsets, "phrases"));
    ezlda_status status = EZLDA_OK;
    for (uint32_t i = 0; i < terms->phrases.n && status == EZLDA_OK; i++) {
        if (!counts[i].docs ||
            !ez_word_filter_keeps(&job->filter, counts[i].docs, counts[i].tokens))
            continue;
        status = write_phrase(terms, job->context, i, &offsets[*n - first]);
        to[(*n)++] = (ez_candidate){counts[i].tokens, NULL, terms->terms.n + i};
    }
    for (uint32_t i = first; i < *n && status == EZLDA_OK; i++)
        to[i].word = (const char *)terms->phrase_text.data + offsets[i - first];
    ez_free(offsets);
    return status;
}

/* Warns if there are more phrases than words: most of them are accidents. */
static void warn_of_phrases(const ez_text_job *job, uint32_t words, uint32_t all)
{
    if (job->options->ngrams > 1 && !job->options->like && all >= MANY_WORDS && all - words > words)
        ez_warn(
            job->context,
            "phrases of up to %u words: %u words became %u; --phrases auto joins only those that "
            "belong together, --min-docs removes rare ones",
            job->options->ngrams, words, all);
}

static ezlda_status number_terms(ez_terms *terms, ez_text_job *job, ez_candidate *candidates,
                                 uint32_t n, uint32_t all)
{
    terms->n_words = ez_rank_candidates(candidates, n, job->options->max_vocab);
    EZ_TRY(ez_array(&terms->number, job->context, all, sizeof *terms->number, "word numbers"));
    EZ_TRY(ez_array(&terms->words, job->context, terms->n_words, sizeof *terms->words,
                    "the vocabulary"));
    memset(terms->number, 0xff, all * sizeof *terms->number);
    for (uint32_t i = 0; i < terms->n_words; i++) {
        terms->number[candidates[i].id] = i;
        terms->words[i] = candidates[i].word;
    }
    return EZLDA_OK;
}

ezlda_status ez_terms_choose(ez_terms *terms, ez_text_job *job)
{
    ez_candidate *candidates;
    if (terms->terms.n > UINT32_MAX - 1 - terms->phrases.n)
        return ez_fail(job->context, EZLDA_ERROR_UNSUPPORTED, "more than %u words and phrases",
                       UINT32_MAX - 1);
    uint32_t all = terms->terms.n + terms->phrases.n;
    EZ_TRY(ez_array(&candidates, job->context, all, sizeof *candidates, "the vocabulary"));
    uint32_t n = collect_terms(terms, job, candidates);
    uint32_t words = n;
    ezlda_status status = collect_phrases(terms, job, candidates, &n);
    if (status == EZLDA_OK) {
        ez_word_filter_note(&job->filter, job->context);
        warn_of_phrases(job, words, n);
        status = ez_word_filter_store(&job->filter, job->context, &job->settings);
    }
    if (status == EZLDA_OK)
        status = number_terms(terms, job, candidates, n, all);
    ez_free(candidates);
    return status;
}
