/* Replaces words by their lemmas, and keeps the lemmas of the vocabulary with the rules of text. */
#include "corpus/text/rules/text_rules.h"
#include "corpus/text/vocabulary/lemmas.h"
#include "corpus/text/vocabulary/text_terms.h"

ezlda_status ez_terms_lemmatise(ez_terms *terms, ez_text_job *job)
{
    ez_strings lemmas = {0};
    uint32_t *lemma_of, before = terms->terms.n;
    EZ_TRY(ez_array(&lemma_of, job->context, before, sizeof *lemma_of, "lemmas"));
    ezlda_status status = EZLDA_OK;
    for (uint32_t i = 0; i < before && status == EZLDA_OK; i++) {
        size_t n;
        bool added;
        const char *word = ez_strings_get(&terms->terms, i, &n);
        ez_lemma_of(&job->lemmas, &word, &n);
        status = ez_strings_add(&lemmas, job->context, word, n, &lemma_of[i], &added);
    }
    if (status == EZLDA_OK)
        status = ez_terms_replace(terms, job, &lemmas, lemma_of);
    if (status == EZLDA_OK)
        ez_note(job->context, "lemmas: %u words became %u", before, terms->terms.n);
    ez_strings_free(&lemmas);
    ez_free(lemma_of);
    return status;
}

/* Keeps the forms of the lemmas that are in the vocabulary or in its phrases. */
static ezlda_status write_used(const ez_terms *terms, ez_text_job *job, const unsigned char *used,
                               unsigned char *marked)
{
    ez_buffer text = {0};
    for (uint32_t i = 0; i < terms->terms.n; i++) {
        size_t n;
        const char *term = ez_strings_get(&terms->terms, i, &n);
        uint32_t word = used[i] ? ez_strings_find(&job->lemmas.words, term, n) : EZ_NO_STRING;
        if (word != EZ_NO_STRING)
            marked[word] = 1;
    }
    ezlda_status status = ez_lemmas_write(&job->lemmas, job->context, marked, &text);
    if (status == EZLDA_OK)
        status =
            ez_rule_settings_set(&job->settings, job->context, EZ_LEMMAS, (const char *)text.data);
    ez_free(text.data);
    return status;
}

ezlda_status ez_terms_keep_lemmas(const ez_terms *terms, ez_text_job *job)
{
    unsigned char *used = NULL, *marked = NULL;
    const char *stored = ez_text_rules_lemmas(job->options);
    if (!job->lemmas.forms.n)
        return EZLDA_OK;
    if (stored) /* the same, so that the rules stay those of the other text */
        return ez_rule_settings_set(&job->settings, job->context, EZ_LEMMAS, stored);
    ezlda_status status;
    EZ_TRY_GOTO(ez_array(&used, job->context, terms->terms.n, 1, "lemmas"));
    EZ_TRY_GOTO(ez_array_zero(&marked, job->context, job->lemmas.words.n, 1, "lemmas"));
    ez_terms_mark_used(terms, used);
    status = write_used(terms, job, used, marked);
done:
    ez_free(used);
    ez_free(marked);
    return status;
}
