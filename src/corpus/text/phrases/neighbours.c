/* The two passes that count neighbouring words: one into a sketch, which has a counter for many
 * pairs together, and one that counts exactly the pairs whose counter is high enough. */
#include "corpus/text/phrases/neighbours.h"

#include "corpus/text/vocabulary/text_terms.h"

#include <stdlib.h>
#include <string.h>

enum { FEWEST_COUNTERS = 1 << 16, MOST_COUNTERS = 1 << 26, TOKENS_PER_COUNTER = 2 };
enum { MOST_COUNTED = UINT16_MAX / 2 }; /* counters stay far from overflow */

/* One thread. A counter that has reached `enough` is not raised further, so what it says does not
 * depend on the order of the threads. */
typedef struct counting {
    ez_neighbours *to;
    ezlda_context *context;
    uint16_t *sketch;
    uint64_t mask; /* number of counters - 1 */
    uint16_t enough;
    bool exact;
    ez_buffer keys; /* uint64_t: the pairs of a document */
} counting;

static inline bool may_count(const ez_neighbours *to, uint32_t unit)
{
    return unit != EZ_GAP && (unit >= to->terms || to->tokens[unit] >= to->least);
}

static void raise_counter(uint16_t *counter, uint16_t enough)
{
    uint16_t seen;
#pragma omp atomic read
    seen = *counter;
    if (seen >= enough)
        return;
#pragma omp atomic
    (*counter)++;
}

static int by_number(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static ezlda_status add_pair(ez_neighbours *to, ezlda_context *context, uint64_t key,
                             uint64_t tokens)
{
    ez_stripe *stripe = &to->stripes[ez_pair_hash(key) >> 32 & (EZ_STRIPES - 1)];
    const ez_pair_count fresh = {key, 0, 0};
    uint32_t id;
    bool added;
    omp_set_lock(&stripe->lock);
    ezlda_status status = ez_pair_table_add(&stripe->pairs, context, key, &id, &added);
    if (status == EZLDA_OK && added)
        status = ez_buffer_append(&stripe->counts, context, &fresh, sizeof fresh);
    if (status == EZLDA_OK) {
        ez_pair_count *count = (ez_pair_count *)(void *)stripe->counts.data + id;
        count->tokens += tokens;
        count->docs++;
    }
    omp_unset_lock(&stripe->lock);
    return status;
}

/* Adds the pairs of a document, each once. */
static ezlda_status add_pairs(ez_neighbours *to, ezlda_context *context, uint64_t *keys, size_t n)
{
    if (n > 1)
        qsort(keys, n, sizeof *keys, by_number);
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && keys[end] == keys[i];)
            end++;
        EZ_TRY(add_pair(to, context, keys[i], end - i));
    }
    return EZLDA_OK;
}

/* A place of the document whose two tokens form a pair that may count. */
static inline bool is_pair(const ez_neighbours *to, const uint32_t *tokens)
{
    return tokens[0] != tokens[1] && may_count(to, tokens[0]) && may_count(to, tokens[1]);
}

static ezlda_status count_document(void *state, const ez_token_reader *document)
{
    counting *self = state;
    const uint32_t *tokens = ez_tokens_of(document);
    EZ_TRY(ez_buffer_reserve(&self->keys, self->context, (document->n + 1) * sizeof(uint64_t)));
    uint64_t *keys = (uint64_t *)(void *)self->keys.data;
    size_t n = 0, kept = 0;
    for (size_t i = 0; i + 1 < document->n; i++) {
        if (!is_pair(self->to, tokens + i))
            continue;
        keys[n] = ez_pair_key(tokens[i], tokens[i + 1]);
        __builtin_prefetch(&self->sketch[ez_pair_hash(keys[n++]) & self->mask], 1);
    }
    for (size_t i = 0; i < n; i++) {
        uint16_t *counter = &self->sketch[ez_pair_hash(keys[i]) & self->mask];
        if (!self->exact)
            raise_counter(counter, self->enough);
        else if (*counter >= self->enough)
            keys[kept++] = keys[i];
    }
    return add_pairs(self->to, self->context, keys, kept);
}

ezlda_status ez_neighbours_of_phrases(ez_neighbours *neighbours, ezlda_context *context,
                                      const uint32_t *units, size_t n, ez_buffer *keys)
{
    size_t found = 0;
    EZ_TRY(ez_buffer_reserve(keys, context, (n + 1) * sizeof(uint64_t)));
    uint64_t *key = (uint64_t *)(void *)keys->data;
    for (size_t i = 0; i + 1 < n; i++)
        if ((units[i] >= neighbours->terms || units[i + 1] >= neighbours->terms) &&
            is_pair(neighbours, units + i))
            key[found++] = ez_pair_key(units[i], units[i + 1]);
    return add_pairs(neighbours, context, key, found);
}

static size_t counters_for(const ez_text_job *job)
{
    size_t n = FEWEST_COUNTERS;
    /* A token takes at least one byte in the store. */
    while (n < MOST_COUNTERS && n < job->store.spool.used / TOKENS_PER_COUNTER)
        n *= 2;
    return n;
}

static ezlda_status run_pass(counting *states, const ez_text_job *job, uint32_t *const *maps,
                             bool exact)
{
    for (int i = 0; i < job->workers; i++)
        states[i].exact = exact;
    return ez_each_document(job, maps, count_document, states, sizeof *states);
}

void ez_neighbours_init(ez_neighbours *neighbours, uint32_t terms, const uint64_t *tokens,
                        uint64_t least)
{
    *neighbours = (ez_neighbours){.terms = terms, .tokens = tokens, .least = least};
    for (size_t i = 0; i < EZ_STRIPES; i++)
        omp_init_lock(&neighbours->stripes[i].lock);
}

ezlda_status ez_neighbours_count(ez_neighbours *neighbours, const ez_text_job *job,
                                 uint32_t *const *maps)
{
    size_t n = counters_for(job);
    counting *states = NULL, first = {.to = neighbours, .context = job->context, .mask = n - 1};
    ezlda_status status;
    first.enough =
        neighbours->least < MOST_COUNTED ? (uint16_t)neighbours->least : (uint16_t)MOST_COUNTED;
    EZ_TRY_GOTO(ez_array_zero(&states, job->context, (size_t)job->workers, sizeof *states,
                              "counts of neighbours"));
    EZ_TRY_GOTO(ez_array_zero(&first.sketch, job->context, n, sizeof *first.sketch,
                              "counts of neighbours"));
    for (int i = 0; i < job->workers; i++)
        states[i] = first;
    EZ_TRY_GOTO(run_pass(states, job, maps, false));
    status = run_pass(states, job, maps, true);
done:
    for (int i = 0; states && i < job->workers; i++)
        ez_free(states[i].keys.data);
    ez_free(states);
    ez_free(first.sketch);
    return status;
}

ezlda_status ez_neighbours_each(const ez_neighbours *neighbours, ez_pair_fn fn, void *state)
{
    for (size_t i = 0; i < EZ_STRIPES; i++) {
        const ez_buffer *counts = &neighbours->stripes[i].counts;
        const ez_pair_count *count = (const ez_pair_count *)(const void *)counts->data;
        for (size_t j = 0; j < counts->used / sizeof *count; j++)
            EZ_TRY(fn(state, &count[j]));
    }
    return EZLDA_OK;
}

void ez_neighbours_free(ez_neighbours *neighbours)
{
    for (size_t i = 0; i < EZ_STRIPES; i++) {
        omp_destroy_lock(&neighbours->stripes[i].lock);
        ez_pair_table_free(&neighbours->stripes[i].pairs);
        ez_free(neighbours->stripes[i].counts.data);
    }
}
