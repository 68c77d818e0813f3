/* Makes the entries of all words once per batch: the topics at which a row of What differs from its
 * zero row, and the top topics. */
#include "backend/cpu/inference/infer_sampling.h"

#include <string.h>

_Static_assert((int)EZ_INFER_ZEROS == (int)EZ_EXPONENTS, "a zero row for every exponent");

static uint32_t zero_of(const ez_infer_words *words, uint32_t v, uint32_t topic)
{
    return words->zero_weight[(size_t)topic * words->zeros + words->zero[v]];
}

typedef struct word_entry {
    uint32_t topic, count;
} word_entry;

/* The word's next topic with a count, from the cursor on; returns false if there is none. */
static bool next_entry(const ez_cpu *cpu, uint32_t v, uint32_t *cursor, word_entry *out)
{
    const uint32_t *dense = ez_w_dense(&cpu->w, v);
    if (dense) {
        while (*cursor < cpu->settings->topics && dense[*cursor] == 0)
            ++*cursor;
        if (*cursor == cpu->settings->topics)
            return false;
        *out = (word_entry){*cursor, dense[*cursor]};
        ++*cursor;
        return true;
    }
    uint32_t entries = cpu->w.entries[v - cpu->w.dense_words];
    if (*cursor == entries)
        return false;
    const uint32_t *row = ez_w_sparse(&cpu->w, v) + *cursor;
    out->topic = ez_entry_topic(*row);
    *cursor += ez_entry_run(row, entries - *cursor, &out->count);
    return true;
}

/* The weight of an entry that is not a top topic less that of its zero row. */
static int32_t more_of(const ez_infer_words *words, const ez_cpu *cpu, uint32_t v,
                       const word_entry *entry)
{
    float f = ez_float_weight(entry->count, cpu->priors.beta, cpu->rate[entry->topic]);
    return (int32_t)(ez_weight(f, cpu->record[v].scale) - zero_of(words, v, entry->topic));
}

/* Merges counts and top topics in topic order; if topic is NULL, only counts the entries. */
static uint32_t merge(const ez_infer_words *words, const ez_cpu *cpu, uint32_t v, uint16_t *topic,
                      int32_t *differs)
{
    const ez_word_record *record = &cpu->record[v];
    uint8_t branch[EZ_TOP];
    uint32_t tops = ez_branches_by_topic(record, cpu->settings->topics, branch), cursor = 0, n = 0,
             t = 0;
    word_entry entry;
    bool more = next_entry(cpu, v, &cursor, &entry);
    for (; more || t < tops; n++) {
        uint32_t top = t < tops ? record->topic[branch[t]] : UINT32_MAX;
        bool is_top = !more || top <= entry.topic,
             counted = more && (!is_top || top == entry.topic);
        if (topic) {
            topic[n] = (uint16_t)(is_top ? top : entry.topic);
            differs[n] = is_top ? -(int32_t)zero_of(words, v, top) : more_of(words, cpu, v, &entry);
        }
        t += is_top;
        if (counted)
            more = next_entry(cpu, v, &cursor, &entry);
    }
    return n;
}

/* Numbers the zero rows that words use; slot_of gets their slots. */
static uint32_t number_zeros(ez_infer_words *words, const ez_cpu *cpu, int *slot_of)
{
    int16_t number[EZ_EXPONENTS];
    memset(number, -1, sizeof number);
    uint32_t n = 0;
    for (uint32_t v = 0; v < cpu->tokens->words; v++) {
        if (!ez_word_occurs(cpu, v))
            continue;
        int slot = ez_exponent_slot(cpu->record[v].scale, cpu->weight_bits);
        if (number[slot] < 0) {
            slot_of[n] = slot;
            number[slot] = (int16_t)n++;
        }
        words->zero[v] = (uint8_t)number[slot];
    }
    return n;
}

static ezlda_status gather_zeros(ez_infer_words *words, ez_cpu *cpu, ezlda_context *context)
{
    int slot_of[EZ_EXPONENTS];
    uint32_t n = number_zeros(words, cpu, slot_of), topics = cpu->settings->topics;
    words->zeros = (n + EZ_INFER_PAD - 1) / EZ_INFER_PAD * EZ_INFER_PAD;
    EZ_TRY(ez_array_zero(&words->zero_weight, context, ez_product(topics, words->zeros),
                         sizeof *words->zero_weight, "weights of count 0"));
    for (uint32_t z = 0; z < n; z++) {
        const ez_zero_row *row = ez_zero_row_get(cpu, context, slot_of[z]);
        if (!row)
            return EZLDA_ERROR_MEMORY;
        words->zero_q[z] = row->q_through;
        for (uint32_t k = 0; k < topics; k++)
            words->zero_weight[(size_t)k * words->zeros + z] = row->weight[k];
    }
    return EZLDA_OK;
}

ezlda_status ez_infer_words_make(ez_infer_words *words, ez_cpu *cpu, ezlda_context *context)
{
    uint32_t n = cpu->tokens->words;
    EZ_TRY(ez_array(&words->zero, context, n, sizeof *words->zero, "words"));
    EZ_TRY(ez_array(&words->start, context, (size_t)n + 1, sizeof *words->start, "words"));
    EZ_TRY(gather_zeros(words, cpu, context));
    words->start[0] = 0;
#pragma omp parallel for schedule(dynamic, 64) num_threads(cpu->threads)
    for (uint32_t v = 0; v < n; v++)
        words->start[v + 1] = ez_word_occurs(cpu, v) ? merge(words, cpu, v, NULL, NULL) : 0;
    for (uint32_t v = 0; v < n; v++)
        words->start[v + 1] += words->start[v];
    EZ_TRY(ez_array(&words->topic, context, words->start[n], sizeof *words->topic,
                    "weights of words"));
    EZ_TRY(
        ez_array(&words->more, context, words->start[n], sizeof *words->more, "weights of words"));
#pragma omp parallel for schedule(dynamic, 64) num_threads(cpu->threads)
    for (uint32_t v = 0; v < n; v++)
        if (ez_word_occurs(cpu, v))
            merge(words, cpu, v, words->topic + words->start[v], words->more + words->start[v]);
    return EZLDA_OK;
}

void ez_infer_words_free(ez_infer_words *words)
{
    ez_free(words->start);
    ez_free(words->topic);
    ez_free(words->more);
    ez_free(words->zero_weight);
    ez_free(words->zero);
}
