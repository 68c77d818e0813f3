/* Counts phrases: words of a document that are neighbours after stop words and short words are
 * removed. */
#include "corpus/text/vocabulary/text_terms.h"

#include <string.h>

typedef struct phrase_state {
    const ez_terms *terms;
    const ez_text_job *job;
    ez_strings phrases;
    ez_buffer counts;
    uint64_t doc;
} phrase_state;

static ezlda_status count_phrase(phrase_state *self, const uint32_t *terms, size_t n)
{
    static const ez_word_count none = {0};
    uint32_t id;
    bool added;
    EZ_TRY(
        ez_strings_add(&self->phrases, self->job->context, terms, n * sizeof *terms, &id, &added));
    if (added)
        EZ_TRY(ez_buffer_append(&self->counts, self->job->context, &none, sizeof none));
    ez_count_word((ez_word_count *)(void *)self->counts.data + id, self->doc);
    return EZLDA_OK;
}

static ezlda_status count_document(void *state, const ez_token_reader *document)
{
    phrase_state *self = state;
    const uint32_t *tokens = ez_tokens_of(document);
    const uint64_t *docs = self->terms->docs;
    uint64_t least = self->job->filter.min_docs;
    size_t longest = self->job->options->ngrams;
    self->doc++;
    for (size_t i = 0; i < document->n; i++) {
        if (docs[tokens[i]] < least)
            continue;
        for (size_t n = 2; n <= longest && i + n <= document->n && docs[tokens[i + n - 1]] >= least;
             n++)
            EZ_TRY(count_phrase(self, tokens + i, n));
    }
    return EZLDA_OK;
}

/* Adds the phrases of a thread to the common table. */
static ezlda_status merge_phrases(ez_terms *terms, phrase_state *from)
{
    ezlda_context *context = from->job->context;
    const ez_word_count *counts = (const ez_word_count *)(const void *)from->counts.data;
    for (uint32_t i = 0; i < from->phrases.n; i++) {
        size_t n;
        uint32_t id;
        bool added;
        const char *key = ez_strings_get(&from->phrases, i, &n);
        EZ_TRY(ez_strings_add(&terms->phrases, context, key, n, &id, &added));
        if (added) {
            EZ_TRY(ez_buffer_append(&terms->phrase_counts, context, &counts[i], sizeof *counts));
            continue;
        }
        ez_word_count *count = (ez_word_count *)(void *)terms->phrase_counts.data + id;
        count->tokens += counts[i].tokens;
        count->docs += counts[i].docs;
    }
    return EZLDA_OK;
}

static void state_free(phrase_state *state)
{
    ez_strings_free(&state->phrases);
    ez_free(state->counts.data);
    memset(&state->counts, 0, sizeof state->counts);
}

ezlda_status ez_terms_count_phrases(ez_terms *terms, ez_text_job *job)
{
    phrase_state *states;
    size_t workers = (size_t)job->workers;
    EZ_TRY(ez_array_zero(&states, job->context, workers, sizeof *states, "counts of phrases"));
    for (size_t i = 0; i < workers; i++) {
        states[i].terms = terms;
        states[i].job = job;
    }
    ezlda_status status =
        ez_each_document(job, terms->maps, count_document, states, sizeof *states);
    for (size_t i = 0; i < workers; i++) {
        if (status == EZLDA_OK)
            status = merge_phrases(terms, &states[i]);
        state_free(&states[i]);
    }
    ez_free(states);
    return status;
}
