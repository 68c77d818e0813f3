/* Replaces words by their stems, counts again in how many documents a stem is, and chooses the word
 * that stands for each stem. */
#include "corpus/text/rules/text_rules.h"
#include "corpus/text/vocabulary/stemming.h"
#include "corpus/text/vocabulary/text_terms.h"

#include <string.h>

/* Words in stem_below or more documents are not stemmed. With the rules of other text, the words
 * that were not stemmed there are used instead. */
static ezlda_status choose_unstemmed(const ez_terms *terms, ez_text_job *job)
{
    uint32_t limit = job->options->stem_below;
    if (!limit || ez_text_rules_stem(job->options))
        return EZLDA_OK;
    for (uint32_t i = 0; i < terms->terms.n; i++) {
        size_t n;
        uint32_t id;
        bool added;
        const char *word = ez_strings_get(&terms->terms, i, &n);
        if (terms->docs[i] >= limit)
            EZ_TRY(ez_strings_add(&job->unstemmed, job->context, word, n, &id, &added));
    }
    return EZLDA_OK;
}

/* Makes a new table with the stem of each word. */
static ezlda_status stem_words(ez_terms *terms, ez_text_job *job, ez_strings *stems,
                               uint32_t *stem_of)
{
    ez_stemmer *stemmer;
    EZ_TRY(choose_unstemmed(terms, job));
    EZ_TRY(ez_stemmer_create(&stemmer, job->context, job->options->stemmer));
    ezlda_status status = EZLDA_OK;
    if (ez_text_rules_stem(job->options))
        status = ez_shown_read(&terms->stored, job->context,
                               ez_text_rules_setting(job->options->like, EZ_SHOWN), stemmer,
                               &job->unstemmed);
    for (uint32_t i = 0; i < terms->terms.n && status == EZLDA_OK; i++) {
        size_t n;
        bool added;
        const char *word = ez_strings_get(&terms->terms, i, &n);
        status = ez_stem_unless(stemmer, job->context, &job->unstemmed, &word, &n);
        if (status == EZLDA_OK)
            status = ez_strings_add(stems, job->context, word, n, &stem_of[i], &added);
    }
    ez_stemmer_free(stemmer);
    return status;
}

/* The number of documents with a stem is not the sum over its words, so it is counted again. */
typedef struct recount_state {
    uint64_t *docs; /* shared */
    uint64_t *last; /* the last document with each term */
    uint64_t doc;
} recount_state;

static ezlda_status recount_document(void *state, const ez_token_reader *document)
{
    recount_state *self = state;
    const uint32_t *tokens = ez_tokens_of(document);
    self->doc++;
    for (size_t i = 0; i < document->n; i++) {
        if (tokens[i] == EZ_GAP || self->last[tokens[i]] == self->doc)
            continue;
        self->last[tokens[i]] = self->doc;
#pragma omp atomic
        self->docs[tokens[i]]++;
    }
    return EZLDA_OK;
}

static ezlda_status recount(ez_terms *terms, const ez_text_job *job)
{
    recount_state *states;
    size_t workers = (size_t)job->workers;
    EZ_TRY(ez_array_zero(&states, job->context, workers, sizeof *states, "counts of stems"));
    ezlda_status status = EZLDA_OK;
    for (size_t i = 0; i < workers && status == EZLDA_OK; i++) {
        states[i].docs = terms->docs;
        status = ez_array_zero(&states[i].last, job->context, terms->terms.n,
                               sizeof *states[i].last, "counts of stems");
    }
    if (status == EZLDA_OK)
        status = ez_each_document(job, terms->maps, recount_document, states, sizeof *states);
    for (size_t i = 0; i < workers; i++)
        ez_free(states[i].last);
    ez_free(states);
    return status;
}

/* Chooses the most frequent form of each stem. The stems of the rules of other text are shown as
 * they were there, and stems that are new as themselves: that is what they are in a vocabulary
 * without a stored form. So are words with spaces, which a list of words cannot keep. */
static ezlda_status choose_shown(ez_terms *terms, ez_text_job *job, const ez_strings *stems,
                                 const uint32_t *stem_of)
{
    uint32_t *best = NULL;
    EZ_TRY(ez_array_zero(&terms->shown, job->context, stems->n, sizeof *terms->shown, "stems"));
    if (ez_text_rules_stem(job->options)) {
        for (uint32_t i = 0; i < stems->n; i++) {
            size_t n;
            const char *stem = ez_strings_get(stems, i, &n);
            terms->shown[i] = ez_shown_form(&terms->stored, stem, n);
        }
        return EZLDA_OK;
    }
    EZ_TRY(ez_array(&best, job->context, stems->n, sizeof *best, "stems"));
    for (uint32_t i = 0; i < terms->terms.n; i++) {
        const char *form = ez_strings_get(&terms->terms, i, NULL),
                   **shown = &terms->shown[stem_of[i]];
        if (strchr(form, ' ') ||
            (*shown &&
             !ez_shown_before(terms->tokens[i], form, terms->tokens[best[stem_of[i]]], *shown)))
            continue;
        *shown = form;
        best[stem_of[i]] = i;
    }
    ez_free(best);
    return EZLDA_OK;
}

ezlda_status ez_terms_replace(ez_terms *terms, ez_text_job *job, ez_strings *stems,
                              const uint32_t *stem_of)
{
    uint64_t *tokens = NULL, *docs = NULL;
    EZ_TRY(ez_array_zero(&tokens, job->context, stems->n, sizeof *tokens, "counts of stems"));
    ezlda_status status =
        ez_array_zero(&docs, job->context, stems->n, sizeof *docs, "counts of stems");
    if (status != EZLDA_OK) {
        ez_free(tokens);
        return status;
    }
    for (uint32_t i = 0; i < terms->terms.n; i++)
        tokens[stem_of[i]] += terms->tokens[i];
    ez_terms_remap(terms, stem_of);
    terms->forms = terms->terms;
    ez_free(terms->tokens);
    ez_free(terms->docs);
    terms->terms = *stems;
    terms->tokens = tokens;
    terms->docs = docs;
    memset(stems, 0, sizeof *stems);
    return recount(terms, job);
}

ezlda_status ez_terms_stem(ez_terms *terms, ez_text_job *job)
{
    ez_strings stems = {0};
    uint32_t *stem_of, before = terms->terms.n;
    EZ_TRY(ez_array(&stem_of, job->context, before, sizeof *stem_of, "stems"));
    ezlda_status status = stem_words(terms, job, &stems, stem_of);
    if (status == EZLDA_OK)
        status = choose_shown(terms, job, &stems, stem_of);
    if (status == EZLDA_OK)
        status = ez_terms_replace(terms, job, &stems, stem_of);
    if (status == EZLDA_OK)
        ez_note(job->context, "stems: %u words became %u", before, terms->terms.n);
    ez_strings_free(&stems);
    ez_free(stem_of);
    return status;
}

void ez_terms_mark_used(const ez_terms *terms, unsigned char *used)
{
    for (uint32_t i = 0; i < terms->terms.n; i++)
        used[i] = terms->number[i] != UINT32_MAX;
    for (uint32_t i = 0; i < terms->phrases.n; i++) {
        size_t bytes;
        const char *key = ez_strings_get(&terms->phrases, i, &bytes);
        for (size_t at = 0; at < bytes && terms->number[terms->terms.n + i] != UINT32_MAX;
             at += sizeof(uint32_t)) {
            uint32_t term;
            memcpy(&term, key + at, sizeof term);
            used[term] = 1;
        }
    }
}

static ezlda_status write_shown(const ez_terms *terms, ez_text_job *job, const unsigned char *used,
                                const char **forms)
{
    size_t n = 0;
    ez_buffer text = {0};
    for (uint32_t i = 0; i < terms->terms.n; i++)
        if (used[i] && terms->shown[i] &&
            strcmp(terms->shown[i], ez_strings_get(&terms->terms, i, NULL)) != 0)
            forms[n++] = terms->shown[i];
    ezlda_status status = ez_shown_write(&text, job->context, forms, n);
    if (status == EZLDA_OK && n)
        status =
            ez_rule_settings_set(&job->settings, job->context, EZ_SHOWN, (const char *)text.data);
    ez_free(text.data);
    return status;
}

ezlda_status ez_terms_keep_shown(const ez_terms *terms, ez_text_job *job)
{
    unsigned char *used = NULL;
    const char **forms = NULL;
    if (!terms->shown)
        return EZLDA_OK;
    if (ez_text_rules_stem(job->options))
        return ez_rule_settings_set(&job->settings, job->context, EZ_SHOWN,
                                    ez_text_rules_setting(job->options->like, EZ_SHOWN));
    ezlda_status status;
    EZ_TRY_GOTO(ez_array(&used, job->context, terms->terms.n, 1, "stems"));
    EZ_TRY_GOTO(ez_array(&forms, job->context, terms->terms.n, sizeof *forms, "stems"));
    ez_terms_mark_used(terms, used);
    status = write_shown(terms, job, used, forms);
done:
    ez_free(used);
    ez_free(forms);
    return status;
}
