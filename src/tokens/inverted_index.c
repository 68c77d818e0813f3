/* The inverted index of T: for each block of documents and each word, the place in T of the word's
 * first token there. Walking a block with these cursors leads from a document's tokens to their
 * places in T (paper: inverted index). */
#include "tokens/token_list.h"

#include "base/memory.h"

#include <string.h>

/* Orders the tallies of a block by relabelled words. tally: scratch of `words` entries. */
static void relabel_tallies(ez_token_list *t, uint32_t b, uint32_t *tally)
{
    uint32_t *cursor = t->cursor + (size_t)b * t->words;
    memcpy(tally, cursor, t->words * sizeof *tally);
    for (uint32_t v = 0; v < t->words; v++)
        cursor[v] = tally[t->original[v]];
}

/* Turns the tallies of words [first, last) into places in T. */
static void sum_tallies(ez_token_list *t, uint32_t first, uint32_t last)
{
    uint32_t next[EZ_WORDS_AT_ONCE];
    for (uint32_t v = first; v < last; v++)
        next[v - first] = (uint32_t)t->word_start[v];
    for (uint32_t b = 0; b < t->blocks; b++) {
        uint32_t *cursor = t->cursor + (size_t)b * t->words;
        for (uint32_t v = first; v < last; v++) {
            uint32_t n = cursor[v];
            cursor[v] = next[v - first];
            next[v - first] += n;
        }
    }
}

/* Writes a block's documents into T. place: scratch of `words` entries. */
static void place_block(ez_token_list *t, uint32_t b, uint32_t *place)
{
    memcpy(place, ez_block_cursor(t, b), t->words * sizeof *place);
    for (uint64_t d = t->block_doc[b]; d < t->block_doc[b + 1]; d++)
        for (uint64_t i = t->doc_start[d]; i < t->doc_start[d + 1]; i++)
            t->doc[place[t->word[i]]++] = (uint32_t)d;
}

static ezlda_status count_doc_frequencies(ez_token_list *t, ezlda_context *context)
{
    if (t->doc_frequency)
        return EZLDA_OK;
    EZ_TRY(ez_array_zero(&t->doc_frequency, context, t->words, sizeof *t->doc_frequency,
                         "document frequencies"));
#pragma omp parallel for schedule(dynamic, 256) num_threads(ez_threads(context))
    for (uint32_t v = 0; v < t->words; v++)
        for (uint64_t i = t->word_start[v]; i < t->word_start[v + 1]; i++)
            t->doc_frequency[v] += i == t->word_start[v] || t->doc[i] != t->doc[i - 1];
    return EZLDA_OK;
}

static ezlda_status place_tokens(ez_token_list *t, ezlda_context *context)
{
    ezlda_status status = EZLDA_OK;
#pragma omp parallel num_threads(ez_threads(context))
    {
        uint32_t *place = NULL;
        ezlda_status mine = ez_array(&place, context, t->words, sizeof *place, "word cursors");
#pragma omp for schedule(dynamic, 1)
        for (uint32_t b = 0; b < t->blocks; b++)
            if (mine == EZLDA_OK)
                place_block(t, b, place);
        ez_free(place);
        if (mine != EZLDA_OK) {
#pragma omp critical(ez_token_list_status)
            status = mine;
        }
    }
    return status;
}

ezlda_status ez_token_list_cursors(ez_token_list *t, ezlda_context *context)
{
    ezlda_status status = EZLDA_OK;
    if (t->has_cursors)
        return EZLDA_OK;
#pragma omp parallel num_threads(ez_threads(context))
    {
        uint32_t *tally = NULL;
        ezlda_status mine = ez_array(&tally, context, t->words, sizeof *tally, "word numbers");
#pragma omp for schedule(dynamic, 1)
        for (uint32_t b = 0; b < t->blocks; b++)
            if (mine == EZLDA_OK)
                relabel_tallies(t, b, tally);
#pragma omp for schedule(static)
        for (uint32_t first = 0; first < t->words; first += EZ_WORDS_AT_ONCE)
            sum_tallies(t, first, ez_words_end(t, first));
        ez_free(tally);
        if (mine != EZLDA_OK) {
#pragma omp critical(ez_token_list_status)
            status = mine;
        }
    }
    t->has_cursors = status == EZLDA_OK;
    return status;
}

ezlda_status ez_token_list_index(ez_token_list *t, ezlda_context *context)
{
    if (t->doc)
        return EZLDA_OK;
    EZ_TRY(ez_token_list_cursors(t, context));
    EZ_TRY(ez_array(&t->doc, context, t->tokens, sizeof *t->doc, "the documents of all tokens"));
    EZ_TRY(place_tokens(t, context));
    return count_doc_frequencies(t, context);
}
