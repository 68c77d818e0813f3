/* Merges the words of all workers into one table of terms and runs the rest of step two. */
#include "corpus/text/text_terms.h"

#include "corpus/text/phrase_list.h"
#include "corpus/text/text_rules.h"

#include <omp.h>
#include <string.h>

void ez_terms_free(ez_terms *terms)
{
    for (int i = 0; terms->maps && i < terms->workers; i++)
        ez_free(terms->maps[i]);
    ez_free(terms->maps);
    ez_free(terms->map_sizes);
    ez_strings_free(&terms->terms);
    ez_free(terms->tokens);
    ez_free(terms->docs);
    ez_free(terms->shown);
    ez_strings_free(&terms->forms);
    ez_shown_free(&terms->stored);
    ez_phrase_set_free(&terms->joined);
    ez_strings_free(&terms->phrases);
    ez_free(terms->phrase_counts.data);
    ez_free(terms->number);
    ez_free(terms->words);
    ez_free(terms->phrase_text.data);
    memset(terms, 0, sizeof *terms);
}

ezlda_status ez_each_document(const ez_text_job *job, uint32_t *const *maps, ez_document_fn fn,
                              void *states, size_t state_size)
{
    ezlda_status failed = EZLDA_OK;
#pragma omp parallel num_threads(job->workers)
    {
        ez_token_reader reader;
        void *state = (char *)states + (size_t)omp_get_thread_num() * state_size;
        ezlda_status status = ez_token_reader_init(&reader, job->context, &job->store);
#pragma omp for schedule(dynamic, 1)
        for (uint64_t i = 0; i < job->store.n_blocks; i++) {
            if (status == EZLDA_OK)
                status = ez_token_reader_open(&reader, job->context, &job->store, i, maps);
            while (status == EZLDA_OK && ez_token_reader_next(&reader, &job->store))
                status = fn(state, &reader);
        }
        if (status != EZLDA_OK)
#pragma omp critical(ez_each_document)
            failed = status;
        ez_token_reader_free(&reader);
    }
    return failed;
}

/* Makes one table of the words of all workers and frees theirs. */
static ezlda_status merge_words(ez_terms *terms, ez_text_job *job)
{
    EZ_TRY(ez_array_zero(&terms->maps, job->context, (size_t)job->workers, sizeof *terms->maps,
                         "word numbers"));
    EZ_TRY(ez_array_zero(&terms->map_sizes, job->context, (size_t)job->workers, sizeof(size_t),
                         "word numbers"));
    terms->workers = job->workers;
    for (int w = 0; w < job->workers; w++) {
        const ez_strings *words = &job->words[w].words;
        ez_text_words_forget_forms(&job->words[w]);
        EZ_TRY(ez_array(&terms->maps[w], job->context, words->n, sizeof **terms->maps,
                        "word numbers"));
        terms->map_sizes[w] = words->n;
        if (w == 0) {
            for (uint32_t i = 0; i < words->n; i++)
                terms->maps[0][i] = i;
            terms->terms = *words;
            memset(&job->words[0].words, 0, sizeof *words);
            continue;
        }
        for (uint32_t i = 0; i < words->n; i++) {
            size_t n;
            bool added;
            const char *word = ez_strings_get(words, i, &n);
            EZ_TRY(
                ez_strings_add(&terms->terms, job->context, word, n, &terms->maps[w][i], &added));
        }
        ez_strings_free(&job->words[w].words);
    }
    return EZLDA_OK;
}

/* A document belongs to one worker, so numbers of documents add up over workers. */
static ezlda_status merge_counts(ez_terms *terms, ez_text_job *job)
{
    EZ_TRY(ez_array_zero(&terms->tokens, job->context, terms->terms.n, sizeof *terms->tokens,
                         "word counts"));
    EZ_TRY(ez_array_zero(&terms->docs, job->context, terms->terms.n, sizeof *terms->docs,
                         "word counts"));
    for (int w = 0; w < job->workers; w++) {
        const ez_word_count *counts = ez_word_counts(&job->words[w]);
        size_t n = job->words[w].counts.used / sizeof *counts;
        for (size_t i = 0; i < n; i++) {
            terms->tokens[terms->maps[w][i]] += counts[i].tokens;
            terms->docs[terms->maps[w][i]] += counts[i].docs;
        }
        ez_text_words_free(&job->words[w]);
    }
    return EZLDA_OK;
}

/* Phrases of the rules of other text are used as they are; else they are found here. */
static ezlda_status join_terms(ez_terms *terms, ez_text_job *job)
{
    const char *list = ez_text_rules_phrases(job->options);
    ez_buffer text = {0};
    terms->joined.terms = terms->terms.n;
    terms->joined.phrases = &terms->phrases;
    if (list) {
        EZ_TRY(ez_phrase_list_read(&terms->joined, job->context, &terms->terms, list));
        EZ_TRY(ez_terms_recount_phrases(terms, job, NULL));
        return ez_rule_settings_set(&job->settings, job->context, EZ_PHRASES, list);
    }
    EZ_TRY(ez_terms_find_phrases(terms, job));
    ezlda_status status = ez_phrase_list_write(&terms->joined, job->context, &terms->terms, &text);
    if (status == EZLDA_OK)
        status =
            ez_rule_settings_set(&job->settings, job->context, EZ_PHRASES, (const char *)text.data);
    ez_free(text.data);
    return status;
}

ezlda_status ez_terms_settle(ez_terms *terms, ez_text_job *job)
{
    EZ_TRY(merge_words(terms, job));
    EZ_TRY(merge_counts(terms, job));
    if (job->options->stemmer)
        EZ_TRY(ez_terms_stem(terms, job));
    if (job->join)
        EZ_TRY(join_terms(terms, job));
    else if (job->options->ngrams > 1)
        EZ_TRY(ez_terms_count_phrases(terms, job));
    EZ_TRY(ez_terms_choose(terms, job));
    return ez_terms_keep_shown(terms, job);
}
