/* Counts again what joining changes: how often and in how many documents the phrases are, and what
 * is left of the terms in them. */
#include "corpus/text/phrases/neighbours.h"
#include "corpus/text/vocabulary/text_terms.h"

#include <string.h>

/* Terms in phrases and phrases are few among all units, so each thread has counts for these only.
 */
typedef struct use_state {
    const ez_phrase_set *set;
    const uint32_t *counter_of; /* by unit; UINT32_MAX: its counts do not change */
    ez_word_count *counts;
    uint64_t doc;
    ez_neighbours *pairs; /* gets the neighbours of phrases; NULL: they are not counted */
    ezlda_context *context;
    ez_buffer keys;
} use_state;

static ezlda_status count_document(void *state, const ez_token_reader *document)
{
    use_state *self = state;
    uint32_t *tokens = ez_tokens_of(document);
    size_t n = ez_phrases_join(self->set, tokens, document->n);
    self->doc++;
    for (size_t i = 0; i < n; i++) {
        uint32_t counter = tokens[i] == EZ_GAP ? UINT32_MAX : self->counter_of[tokens[i]];
        if (counter != UINT32_MAX)
            ez_count_word(&self->counts[counter], self->doc);
    }
    if (!self->pairs)
        return EZLDA_OK;
    return ez_neighbours_of_phrases(self->pairs, self->context, tokens, n, &self->keys);
}

/* Numbers the units whose counts may change: all phrases, also those that were removed since, and
 * the terms in them. Returns how many there are. */
static uint32_t number_counters(const ez_phrase_set *set, uint32_t *counter_of)
{
    uint32_t n = 0;
    memset(counter_of, 0xff, set->units * sizeof *counter_of);
    for (uint32_t unit = set->terms; unit < set->units; unit++) {
        uint32_t terms[EZ_PHRASE_WORDS];
        size_t parts = ez_unit_terms(set, unit, terms);
        counter_of[unit] = n++;
        for (size_t i = 0; i < parts; i++)
            if (counter_of[terms[i]] == UINT32_MAX)
                counter_of[terms[i]] = n++;
    }
    return n;
}

/* Writes the sums over all threads to the terms and phrases. */
static ezlda_status use_counts(ez_terms *terms, ez_text_job *job, const use_state *states)
{
    const ez_phrase_set *set = &terms->joined;
    static const ez_word_count none = {0};
    terms->phrase_counts.used = 0;
    for (uint32_t unit = 0; unit < set->units; unit++) {
        uint32_t counter = states->counter_of[unit];
        ez_word_count sum = none;
        for (int w = 0; counter != UINT32_MAX && w < job->workers; w++) {
            sum.tokens += states[w].counts[counter].tokens;
            sum.docs += states[w].counts[counter].docs;
        }
        if (unit >= set->terms) {
            EZ_TRY(ez_buffer_append(&terms->phrase_counts, job->context, &sum, sizeof sum));
        } else if (counter != UINT32_MAX) {
            terms->tokens[unit] = sum.tokens;
            terms->docs[unit] = sum.docs;
        }
    }
    return EZLDA_OK;
}

ezlda_status ez_terms_recount_phrases(ez_terms *terms, ez_text_job *job, ez_neighbours *pairs)
{
    use_state *states = NULL;
    uint32_t *counter_of = NULL, n;
    size_t workers = (size_t)job->workers;
    ezlda_status status;
    EZ_TRY_GOTO(ez_phrase_set_ready(&terms->joined, job->context));
    EZ_TRY_GOTO(ez_array(&counter_of, job->context, terms->joined.units, sizeof *counter_of,
                         "counts of phrases"));
    EZ_TRY_GOTO(ez_array_zero(&states, job->context, workers, sizeof *states, "counts of phrases"));
    n = number_counters(&terms->joined, counter_of);
    for (size_t i = 0; i < workers; i++) {
        states[i].set = &terms->joined;
        states[i].counter_of = counter_of;
        states[i].pairs = pairs;
        states[i].context = job->context;
        EZ_TRY_GOTO(ez_array_zero(&states[i].counts, job->context, n, sizeof *states[i].counts,
                                  "counts of phrases"));
    }
    EZ_TRY_GOTO(ez_each_document(job, terms->maps, count_document, states, sizeof *states));
    status = use_counts(terms, job, states);
done:
    for (size_t i = 0; states && i < workers; i++) {
        ez_free(states[i].counts);
        ez_free(states[i].keys.data);
    }
    ez_free(states);
    ez_free(counter_of);
    return status;
}
