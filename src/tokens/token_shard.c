/* Cuts a token list between documents and copies the tokens of a shard. */
#include "tokens/token_shard.h"

#include "base/memory.h"

#include <string.h>

/* The document whose first token is nearest to token `want`. */
static uint64_t nearest_cut(const ez_token_list *t, uint64_t want)
{
    uint64_t lo = 0, hi = t->docs;
    while (lo < hi) {
        uint64_t middle = lo + (hi - lo) / 2;
        if (t->doc_start[middle] < want)
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo > 0 && want - t->doc_start[lo - 1] < t->doc_start[lo] - want ? lo - 1 : lo;
}

void ez_token_list_cut(const ez_token_list *tokens, int shards, uint64_t *first)
{
    first[0] = 0;
    for (int i = 1; i < shards; i++) {
        uint64_t want =
            (uint64_t)((unsigned __int128)tokens->tokens * (unsigned)i / (unsigned)shards);
        uint64_t cut = nearest_cut(tokens, want);
        first[i] = cut > first[i - 1] ? cut : first[i - 1];
    }
    first[shards] = tokens->docs;
}

/* Documents [first, last); those whose length is outside [least, most] are empty. */
typedef struct chosen_docs {
    uint64_t first, last, least, most;
} chosen_docs;

static uint64_t chosen_length(const ez_token_list *t, const chosen_docs *docs, uint64_t d)
{
    uint64_t length = t->doc_start[d + 1] - t->doc_start[d];
    return length >= docs->least && length <= docs->most ? length : 0;
}

static ezlda_status copy_tokens(const ez_token_list *t, ezlda_context *context,
                                const chosen_docs *docs, uint64_t **doc_start, uint32_t **word)
{
    uint64_t n = docs->last - docs->first, at = 0;
    EZ_TRY(ez_array(doc_start, context, n + 1, sizeof **doc_start, "document starts"));
    for (uint64_t d = 0; d < n; d++) {
        (*doc_start)[d] = at;
        at += chosen_length(t, docs, docs->first + d);
    }
    (*doc_start)[n] = at;
    EZ_TRY(ez_array(word, context, at, sizeof **word, "the words of all tokens"));
    for (uint64_t d = 0; d < n; d++)
        memcpy(*word + (*doc_start)[d], t->word + t->doc_start[docs->first + d],
               ((*doc_start)[d + 1] - (*doc_start)[d]) * sizeof **word);
    return EZLDA_OK;
}

static ezlda_status copy_list(ez_token_list **out, ezlda_context *context,
                              const ez_token_list *tokens, const chosen_docs *docs,
                              uint64_t longest)
{
    uint64_t *doc_start = NULL, *frequency = NULL;
    uint32_t *word = NULL;
    ezlda_status status;
    *out = NULL;
    EZ_TRY_GOTO(copy_tokens(tokens, context, docs, &doc_start, &word));
    EZ_TRY_GOTO(
        ez_array(&frequency, context, tokens->words, sizeof *frequency, "word frequencies"));
    for (uint32_t v = 0; v < tokens->words; v++)
        frequency[v] = ez_word_frequency(tokens, v);
    ez_token_subset subset = {.frequency = frequency,
                              .doc_frequency = tokens->doc_frequency,
                              .doc_key = tokens->doc_key ? tokens->doc_key + docs->first : NULL,
                              .first_doc = tokens->first_doc + docs->first,
                              .all_docs = tokens->all_docs,
                              .longest = longest};
    status = ez_token_list_create_subset(out, context, docs->last - docs->first, tokens->words,
                                         doc_start, word, &subset);
    doc_start = NULL;
    word = NULL;
done:
    ez_free(doc_start);
    ez_free(word);
    ez_free(frequency);
    return status;
}

ezlda_status ez_token_list_shard(ez_token_list **out, ezlda_context *context,
                                 const ez_token_list *tokens, uint64_t first, uint64_t last)
{
    chosen_docs docs = {first, last, 0, UINT64_MAX};
    return copy_list(out, context, tokens, &docs, tokens->longest);
}

ezlda_status ez_token_list_of_lengths(ez_token_list **out, ezlda_context *context,
                                      const ez_token_list *tokens, uint64_t least, uint64_t most)
{
    chosen_docs docs = {0, tokens->docs, least, most};
    return copy_list(out, context, tokens, &docs, 0);
}
