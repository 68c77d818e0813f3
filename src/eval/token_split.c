/* Splits a document's tokens into halves by the order of their hash keys. */
#include "eval/token_split.h"

#include "eval/select_key.h"
#include "sampler/arithmetic.h"

static ezlda_status make_keys(ez_buffer *keys, ezlda_context *context, uint64_t doc_key,
                              const uint64_t *key, const uint32_t *word, const uint32_t *count,
                              size_t n)
{
    uint64_t tokens = 0;
    size_t bytes;
    for (size_t i = 0; i < n; i++)
        tokens += count[i];
    if (!ez_mul_size(tokens, sizeof *key, &bytes))
        return ez_fail(context, EZLDA_ERROR_MEMORY,
                       "not enough memory for a document of %llu tokens",
                       (unsigned long long)tokens);
    keys->used = 0;
    EZ_TRY(ez_buffer_reserve(keys, context, bytes));
    uint64_t *out = (uint64_t *)(void *)keys->data;
    for (size_t i = 0; i < n; i++)
        for (uint32_t c = 0; c < count[i]; c++)
            *out++ = ez_draw(doc_key, key[word[i]], c);
    keys->used = bytes;
    return EZLDA_OK;
}

/* Counts how many of each pair's tokens have one of the smallest `half` keys, of which `last` is
 * the largest. */
static void count_observed(uint32_t *observed, const uint64_t *token, size_t half, uint64_t last,
                           const uint32_t *count, size_t n)
{
    size_t ties = half; /* keys may be equal: this many tokens with the key `last` are observed */
    const uint64_t *t = token;
    for (size_t i = 0; i < n; i++)
        for (uint32_t c = 0; c < count[i]; c++)
            ties -= *t++ < last;
    for (size_t i = 0; i < n; i++) {
        observed[i] = 0;
        for (uint32_t c = 0; c < count[i]; c++, token++) {
            if (*token > last || (*token == last && ties == 0))
                continue;
            ties -= *token == last;
            observed[i]++;
        }
    }
}

ezlda_status ez_split_tokens(ez_token_split *split, ezlda_context *context, uint64_t seed,
                             uint64_t content, const uint64_t *key, const uint32_t *word,
                             const uint32_t *count, size_t n, const uint32_t **observed)
{
    *observed = NULL;
    if (n == 0)
        return EZLDA_OK;
    EZ_TRY(make_keys(&split->keys, context, ez_mix(ez_mix(seed) + content), key, word, count, n));
    split->sorted.used = split->observed.used = 0;
    EZ_TRY(ez_buffer_append(&split->sorted, context, split->keys.data, split->keys.used));
    EZ_TRY(ez_buffer_reserve(&split->observed, context, n * sizeof **observed));
    size_t tokens = split->keys.used / sizeof(uint64_t), half = tokens - tokens / 2;
    uint64_t last = ez_select_key((uint64_t *)(void *)split->sorted.data, tokens, half - 1);
    uint32_t *counts = (uint32_t *)(void *)split->observed.data;
    count_observed(counts, (const uint64_t *)(const void *)split->keys.data, half, last, count, n);
    *observed = counts;
    return EZLDA_OK;
}

void ez_token_split_free(ez_token_split *split)
{
    ez_free(split->keys.data);
    ez_free(split->sorted.data);
    ez_free(split->observed.data);
    *split = (ez_token_split){0};
}
