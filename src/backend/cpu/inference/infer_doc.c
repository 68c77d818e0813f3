/* Gathers the words and entries of one document before its first iteration. */
#include "backend/cpu/inference/infer_doc.h"

#include "backend/cpu/inference/infer_sampling.h"
#include "sampler/log2_fixed.h"

#include <string.h>

ezlda_status ez_infer_doc_init(ez_infer_doc *doc, const ez_cpu *cpu, ezlda_context *context,
                               const ez_infer_words *words, const ez_infer_size *size)
{
    static const char what[] = "a document";
    uint32_t topics = cpu->settings->topics;
    *doc = (ez_infer_doc){
        .topics = topics,
        .zeros = words->zeros,
        .alpha_scaled = cpu->alpha_scaled,
        .zero_weight = words->zero_weight,
    };
    EZ_TRY(ez_topic_counter_init(&doc->counter, context, topics));
    EZ_TRY(ez_array(&doc->word, context, size->words, sizeof *doc->word, what));
    EZ_TRY(ez_array(&doc->ends, context, size->words, sizeof *doc->ends, what));
    EZ_TRY(ez_array(&doc->entries, context, size->words, sizeof *doc->entries, what));
    EZ_TRY(ez_array(&doc->tally, context, size->words, sizeof *doc->tally, what));
    EZ_TRY(ez_array(&doc->cell_start, context, (size_t)topics + 2, sizeof *doc->cell_start, what));
    EZ_TRY(ez_array(&doc->cell, context, size->cells, sizeof *doc->cell, what));
    EZ_TRY(ez_array(&doc->item_through, context, size->cells + EZ_INFER_PAD,
                    sizeof *doc->item_through, what));
    EZ_TRY(ez_array(&doc->item_place, context, size->cells + EZ_INFER_PAD, sizeof *doc->item_place,
                    what));
    EZ_TRY(ez_array(&doc->q_through, context, size->cells, sizeof *doc->q_through, what));
    size_t before = ez_product(words->zeros, size->row + 1);
    EZ_TRY(ez_array_zero(&doc->zero_before, context, before, sizeof *doc->zero_before, what));
    size_t tokens = size->tokens + EZ_INFER_PAD;
    EZ_TRY(ez_array(&doc->token, context, tokens, sizeof *doc->token, what));
    EZ_TRY(ez_array(&doc->next, context, tokens, sizeof *doc->next, what));
    EZ_TRY(ez_array(&doc->word_of, context, tokens, sizeof *doc->word_of, what));
    EZ_TRY(ez_array(&doc->word_part, context, tokens, sizeof *doc->word_part, what));
    EZ_TRY(ez_array(&doc->token_part, context, tokens, sizeof *doc->token_part, what));
    EZ_TRY(ez_array(&doc->u, context, tokens, sizeof *doc->u, what));
    EZ_TRY(ez_array(&doc->y, context, tokens, sizeof *doc->y, what));
    EZ_TRY(ez_array(&doc->row, context, size->row, sizeof *doc->row, what));
    EZ_TRY(ez_array(&doc->line, context, size->row, sizeof *doc->line, what));
    EZ_TRY(ez_array(&doc->place, context, topics, sizeof *doc->place, what));
    EZ_TRY(ez_array(&doc->in_s, context, tokens, sizeof *doc->in_s, what));
    return ez_array(&doc->in_q, context, tokens, sizeof *doc->in_q, what);
}

void ez_infer_doc_free(ez_infer_doc *doc)
{
    ez_topic_counter_free(&doc->counter);
    ez_free(doc->word);
    ez_free(doc->tally);
    ez_free(doc->cell_start);
    ez_free(doc->cell);
    ez_free(doc->item_through);
    ez_free(doc->item_place);
    ez_free(doc->q_through);
    ez_free(doc->entries);
    ez_free(doc->ends);
    ez_free(doc->zero_before);
    ez_free(doc->token);
    ez_free(doc->next);
    ez_free(doc->word_of);
    ez_free(doc->word_part);
    ez_free(doc->token_part);
    ez_free(doc->u);
    ez_free(doc->y);
    ez_free(doc->row);
    ez_free(doc->line);
    ez_free(doc->place);
    ez_free(doc->in_s);
    ez_free(doc->in_q);
}

/* Adds a word whose tokens begin at `begin` and whose entries follow `entries` others. */
static void add_word(ez_infer_doc *doc, const ez_cpu *cpu, const ez_infer_words *words, uint32_t v,
                     uint32_t begin, uint32_t entries)
{
    const ez_word_record *record = &cpu->record[v];
    ez_infer_word *word = &doc->word[doc->words];
    doc->entries[doc->words] = (ez_infer_entries){
        .topic = words->topic + words->start[v],
        .more = words->more + words->start[v],
        .zero_q = words->zero_q[words->zero[v]],
        .q_through = doc->q_through + entries,
        .score_scale = (int64_t)(ez_exponent(record->scale) - 1 + EZ_ALPHA_BITS) << EZ_LOG2_BITS,
        .n = (uint32_t)(words->start[v + 1] - words->start[v]),
    };
    word->q_rest = record->q_rest;
    word->begin = begin;
    word->item = entries;
    word->zero = doc->tally[doc->words].zero = words->zero[v];
    for (int i = 0; i < EZ_TOP; i++) {
        word->top[i] = (ez_infer_token){record->weight[i], record->topic[i], (uint16_t)i};
        word->top_alpha[i] =
            ez_alpha_weight(record->weight[i], cpu->alpha_scaled[record->topic[i]]);
    }
    doc->words++;
}

static void add_words(ez_infer_doc *doc, const ez_cpu *cpu, const ez_infer_words *words,
                      const uint32_t *token_word)
{
    uint32_t entries = 0;
    doc->words = 0;
    for (uint32_t i = 0; i < doc->tokens; i++) {
        if (i == 0 || token_word[i] != token_word[i - 1]) {
            add_word(doc, cpu, words, token_word[i], i, entries);
            entries += doc->entries[doc->words - 1].n;
        }
        doc->word[doc->words - 1].end = i + 1;
        doc->word_of[i] = doc->words - 1;
        doc->word_part[i] = ez_word_share(token_word[i]);
        doc->token_part[i] = ez_token_share(doc->doc, i - doc->word[doc->words - 1].begin);
    }
}

/* Orders the entries of all words by topic. */
static void place_cells(ez_infer_doc *doc)
{
    uint32_t *start = doc->cell_start;
    memset(start, 0, ((size_t)doc->topics + 2) * sizeof *start);
    for (uint32_t w = 0; w < doc->words; w++)
        for (uint32_t i = 0; i < doc->entries[w].n; i++)
            start[doc->entries[w].topic[i] + 2]++;
    for (uint32_t k = 0; k < doc->topics; k++)
        start[k + 2] += start[k + 1];
    for (uint32_t w = 0; w < doc->words; w++) {
        const ez_infer_entries *e = &doc->entries[w];
        for (uint32_t i = 0; i < e->n; i++)
            doc->cell[start[e->topic[i] + 1]++] = (ez_infer_cell){w, e->more[i]};
    }
}

/* Makes the token of a word in a topic. */
static ez_infer_token token_in(const ez_infer_doc *doc, uint32_t w, uint16_t topic)
{
    const ez_infer_entries *e = &doc->entries[w];
    uint32_t lo = 0, hi = e->n,
             zero = doc->zero_weight[(size_t)topic * doc->zeros + doc->word[w].zero];
    for (int i = 0; i < EZ_TOP; i++)
        if (doc->word[w].top[i].topic == topic)
            return doc->word[w].top[i];
    while (lo < hi) {
        uint32_t middle = (lo + hi) / 2;
        if (e->topic[middle] < topic)
            lo = middle + 1;
        else
            hi = middle;
    }
    bool found = lo < e->n && e->topic[lo] == topic;
    return (ez_infer_token){zero + (found ? (uint32_t)e->more[lo] : 0), topic, EZ_TOP};
}

void ez_infer_doc_begin(ez_infer_doc *doc, const ez_cpu *cpu, const ez_infer_words *words,
                        const ez_doc_tokens *tokens)
{
    doc->doc = tokens->key;
    doc->tokens = tokens->n;
    add_words(doc, cpu, words, tokens->word);
    place_cells(doc);
    for (uint32_t i = 0; i < doc->tokens; i++)
        doc->token[i] = token_in(doc, doc->word_of[i], tokens->start[i]);
}
