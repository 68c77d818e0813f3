/* Merges the words of all workers into one table of terms and runs the rest of step two. */
#include "corpus/text/vocabulary/text_terms.h"

#include "corpus/text/phrases/phrase_list.h"
#include "corpus/text/rules/text_rules.h"

#include <omp.h>
#include <string.h>

void ez_terms_free(ez_terms *terms)
{
    for (int i = 0; terms->maps && i < terms->workers; i++)
        ez_free(terms->maps[i]);
    for (int i = 0; terms->open_maps && i < terms->workers; i++)
        ez_free(terms->open_maps[i]);
    ez_free(terms->maps);
    ez_free(terms->map_sizes);
    ez_free(terms->open_maps);
    ez_free(terms->open_sizes);
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

static void remap(uint32_t *map, size_t n, const uint32_t *to)
{
    for (size_t i = 0; i < n; i++)
        if (map[i] != UINT32_MAX)
            map[i] = to[map[i]];
}

void ez_terms_remap(const ez_terms *terms, const uint32_t *to)
{
    for (int w = 0; w < terms->workers; w++) {
        remap(terms->maps[w], terms->map_sizes[w], to);
        remap(terms->open_maps[w], terms->open_sizes[w], to);
    }
}

/* Finds the terms of one worker's listed words in documents that show no language: these documents
 * are read in the main language of the corpus. */
static ezlda_status merge_listed(ez_terms *terms, ez_text_job *job, int w)
{
    const ez_text_words *words = &job->words[w];
    const ez_listed_word *listed = ez_listed_words(words);
    uint32_t n = words->listed_words.n, main = job->table.main;
    uint64_t removed = main == EZ_NO_LANGUAGE ? 0 : UINT64_C(1) << main;
    EZ_TRY(
        ez_array(&terms->open_maps[w], job->context, n, sizeof **terms->open_maps, "word numbers"));
    terms->open_sizes[w] = n;
    for (uint32_t i = 0; i < n; i++) {
        size_t length;
        bool added;
        const char *word = ez_strings_get(&words->listed_words, i, &length);
        terms->open_maps[w][i] = UINT32_MAX;
        if (listed[i].open.tokens && !(listed[i].mask & removed))
            EZ_TRY(ez_strings_add(&terms->terms, job->context, word, length,
                                  &terms->open_maps[w][i], &added));
    }
    return EZLDA_OK;
}

static ezlda_status merge_all_listed(ez_terms *terms, ez_text_job *job)
{
    size_t workers = (size_t)job->workers;
    EZ_TRY(ez_array_zero(&terms->open_maps, job->context, workers, sizeof *terms->open_maps,
                         "word numbers"));
    EZ_TRY(
        ez_array_zero(&terms->open_sizes, job->context, workers, sizeof(size_t), "word numbers"));
    for (int w = 0; w < job->workers; w++)
        EZ_TRY(merge_listed(terms, job, w));
    job->store.open_maps = terms->open_maps;
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
        for (size_t i = 0; i < terms->open_sizes[w]; i++) {
            uint32_t term = terms->open_maps[w][i];
            if (term == UINT32_MAX)
                continue;
            terms->tokens[term] += ez_listed_words(&job->words[w])[i].open.tokens;
            terms->docs[term] += ez_listed_words(&job->words[w])[i].open.docs;
        }
        ez_doc_lengths_join(&job->lengths, &job->words[w].lengths);
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

/* Called before phrases change the counts of their words. */
static void settle_filter(const ez_terms *terms, ez_text_job *job)
{
    job->filter = ez_word_filter_given(job->options, job->store.docs);
    ez_word_filter_choose(&job->filter, job->options, terms->docs, terms->tokens, terms->terms.n);
}

ezlda_status ez_terms_settle(ez_terms *terms, ez_text_job *job)
{
    EZ_TRY(merge_words(terms, job));
    EZ_TRY(merge_all_listed(terms, job));
    EZ_TRY(merge_counts(terms, job));
    EZ_TRY(ez_terms_remove_common(terms, job));
    if (job->options->stemmer)
        EZ_TRY(ez_terms_stem(terms, job));
    else if (job->lemmas.forms.n)
        EZ_TRY(ez_terms_lemmatise(terms, job));
    settle_filter(terms, job);
    if (job->join)
        EZ_TRY(join_terms(terms, job));
    else if (job->options->ngrams > 1)
        EZ_TRY(ez_terms_count_phrases(terms, job));
    EZ_TRY(ez_terms_choose(terms, job));
    EZ_TRY(ez_terms_keep_lemmas(terms, job));
    return ez_terms_keep_shown(terms, job);
}
