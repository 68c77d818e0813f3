/* Counts frequencies of words and documents over a range of a corpus, in parallel. */
#include "tokens/corpus_totals.h"

#include "base/memory.h"
#include "tokens/corpus_tokens.h"

static ezlda_status totals_init(ez_totals *t, ezlda_context *context, uint32_t words)
{
    *t = (ez_totals){.words = words};
    EZ_TRY(ez_array_zero(&t->frequency, context, words, sizeof *t->frequency, "word frequencies"));
    return ez_array_zero(&t->doc_frequency, context, words, sizeof *t->doc_frequency,
                         "document frequencies");
}

void ez_totals_free(ez_totals *t)
{
    ez_free(t->frequency);
    ez_free(t->doc_frequency);
}

/* Adds the documents of a block that lie in [first, last). */
static void count_block(ez_totals *t, const ezlda_corpus *corpus, uint64_t b, ez_block_room *room,
                        uint64_t first, uint64_t last)
{
    uint64_t doc = b * EZ_CORPUS_BLOCK;
    uint32_t docs = ez_corpus_decode(corpus, b, room->row_start, room->word, room->count);
    for (uint32_t i = 0; i < docs; i++, doc++) {
        uint64_t length = 0;
        if (doc < first || doc >= last)
            continue;
        for (uint32_t j = room->row_start[i]; j < room->row_start[i + 1]; j++) {
            t->frequency[room->word[j]] += room->count[j];
            t->doc_frequency[room->word[j]]++;
            length += room->count[j];
        }
        t->docs++;
        t->tokens += length;
        t->longest = length > t->longest ? length : t->longest;
    }
}

static void add(ez_totals *t, const ez_totals *more)
{
    t->docs += more->docs;
    t->tokens += more->tokens;
    t->longest = more->longest > t->longest ? more->longest : t->longest;
    for (uint32_t v = 0; v < t->words; v++) {
        t->frequency[v] += more->frequency[v];
        t->doc_frequency[v] += more->doc_frequency[v];
    }
}

ezlda_status ez_corpus_totals(ez_totals *out, ezlda_context *context, const ezlda_corpus *corpus,
                              uint64_t first, uint64_t last)
{
    ez_corpus_sizes sizes;
    ez_corpus_sizes_of(corpus, &sizes);
    ezlda_status status = totals_init(out, context, sizes.words);
    uint64_t end = ez_blocks_through(last);
#pragma omp parallel num_threads(ez_threads(context))
    {
        ez_block_room room = {.word = NULL};
        ez_totals own;
        ezlda_status mine = totals_init(&own, context, sizes.words);
        if (mine == EZLDA_OK)
            mine = ez_block_room_init(&room, context, corpus);
#pragma omp for schedule(dynamic, 4)
        for (uint64_t b = first / EZ_CORPUS_BLOCK; b < end; b++)
            if (mine == EZLDA_OK)
                count_block(&own, corpus, b, &room, first, last);
        ez_block_room_free(&room);
#pragma omp critical(ez_corpus_totals)
        {
            status = mine != EZLDA_OK ? mine : status;
            if (status == EZLDA_OK)
                add(out, &own);
        }
        ez_totals_free(&own);
    }
    return status;
}
