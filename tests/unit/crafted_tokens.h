/* Token lists with documents of given lengths and words of given frequencies, for tests of the
 * backends. They are not indexed, as when a backend receives them. */
#ifndef CRAFTED_TOKENS_H
#define CRAFTED_TOKENS_H

#include "random_tokens.h"

typedef struct corpus_shape {
    const char *docs;  /* lengths; "40x3" stands for three of 40 */
    const char *words; /* tokens of words, in the same way; NULL: none */
    uint32_t others;   /* more words, among which all other tokens are divided evenly */
    uint32_t unused;   /* more words, which do not occur */
} corpus_shape;

/* Reads the next number of a list and how often it is repeated; false at the end. */
static inline bool next_number(const char **list, uint32_t *number, uint32_t *times)
{
    char *end = NULL;
    if (!*list || !**list)
        return false;
    *number = (uint32_t)strtoul(*list, &end, 10);
    *times = *end == 'x' ? (uint32_t)strtoul(end + 1, &end, 10) : 1;
    while (*end == ' ')
        end++;
    *list = end;
    return true;
}

static inline uint32_t count_docs(const char *docs)
{
    uint32_t n = 0, length, times;
    while (next_number(&docs, &length, &times))
        n += times;
    return n;
}

static inline uint64_t *doc_starts(ezlda_context *context, const char *docs)
{
    uint64_t *start = NULL, at = 0;
    uint32_t d = 0, length, times;
    CHECK_OK(context,
             ez_array(&start, context, (size_t)count_docs(docs) + 1, sizeof *start, "starts"));
    while (next_number(&docs, &length, &times))
        for (; times > 0; times--, at += length)
            start[d++] = at;
    start[d] = at;
    return start;
}

/* The tokens in any order: words of given frequencies come first. Returns how many words there are.
 */
static inline uint32_t fill_words(const corpus_shape *shape, uint32_t *word, uint64_t tokens)
{
    const char *list = shape->words;
    uint64_t n = 0;
    uint32_t v = 0, each, times;
    while (next_number(&list, &each, &times))
        for (; times > 0; times--, v++)
            for (uint32_t j = 0; j < each && n < tokens; j++)
                word[n++] = v;
    for (uint64_t i = 0; n < tokens; i++)
        word[n++] = v + (uint32_t)(i % shape->others);
    return v + shape->others + shape->unused;
}

static inline void shuffle(uint32_t *word, uint64_t n)
{
    for (uint64_t i = n; i > 1; i--) {
        uint64_t j = ez_mulhi(ez_mix(i * 0x9e3779b97f4a7c15u), i);
        uint32_t v = word[i - 1];
        word[i - 1] = word[j];
        word[j] = v;
    }
}

static inline ez_token_list *list_tokens(ezlda_context *context, uint64_t docs, uint32_t words,
                                         uint64_t *start, uint32_t *word)
{
    for (uint64_t d = 0; d < docs; d++)
        qsort(word + start[d], start[d + 1] - start[d], sizeof *word, by_number);
    ez_token_list *list = NULL;
    CHECK_OK(context, ez_token_list_create(&list, context, docs, words, start, word));
    return list;
}

/* Assigns the words to the documents at random. */
static inline ez_token_list *crafted_tokens(ezlda_context *context, const corpus_shape *shape)
{
    uint32_t docs = count_docs(shape->docs), *word = NULL;
    uint64_t *start = doc_starts(context, shape->docs), tokens = start[docs];
    CHECK_OK(context, ez_array(&word, context, tokens, sizeof *word, "words"));
    uint32_t words = fill_words(shape, word, tokens);
    shuffle(word, tokens);
    return list_tokens(context, docs, words, start, word);
}

/* Every document has one word, which others may have too. */
static inline ez_token_list *one_word_documents(ezlda_context *context, const char *lengths,
                                                uint32_t words)
{
    uint32_t docs = count_docs(lengths), *word = NULL;
    uint64_t *start = doc_starts(context, lengths);
    CHECK_OK(context, ez_array(&word, context, start[docs], sizeof *word, "words"));
    for (uint32_t d = 0; d < docs; d++)
        for (uint64_t i = start[d]; i < start[d + 1]; i++)
            word[i] = d % words;
    return list_tokens(context, docs, words, start, word);
}

/* Every document has the same words equally often: nothing distinguishes topics. */
static inline ez_token_list *equal_documents(ezlda_context *context, const char *lengths,
                                             uint32_t words)
{
    uint32_t docs = count_docs(lengths), *word = NULL;
    uint64_t *start = doc_starts(context, lengths);
    CHECK_OK(context, ez_array(&word, context, start[docs], sizeof *word, "words"));
    for (uint32_t d = 0; d < docs; d++)
        for (uint64_t i = start[d]; i < start[d + 1]; i++)
            word[i] = (uint32_t)((i - start[d]) % words);
    return list_tokens(context, docs, words, start, word);
}

/* ---- what rows of D there were ---- */

enum { FACT_ENTRIES = 130 };

typedef struct row_facts {
    bool entries[FACT_ENTRIES]; /* there is a row of N topics (the last: or more) */
    bool count[FACT_ENTRIES];   /* a topic has N tokens of a document (the last: or more) */
    uint32_t largest;           /* count of a topic in a document */
    uint32_t full;              /* most counts of at least 63 in a row */
} row_facts;

static inline void note_rows(row_facts *facts, const ez_token_list *tokens, const uint16_t *topic,
                             uint32_t topics)
{
    uint32_t *count = calloc(topics, sizeof *count);
    for (uint64_t d = 0; d < tokens->docs; d++) {
        uint32_t entries = 0, full = 0;
        memset(count, 0, topics * sizeof *count);
        for (uint64_t i = tokens->doc_start[d]; i < tokens->doc_start[d + 1]; i++)
            count[topic[i]]++;
        for (uint32_t k = 0; k < topics; k++) {
            entries += count[k] > 0;
            full += count[k] >= 63;
            facts->count[count[k] < FACT_ENTRIES ? count[k] : FACT_ENTRIES - 1] = true;
            facts->largest = count[k] > facts->largest ? count[k] : facts->largest;
        }
        facts->entries[entries < FACT_ENTRIES ? entries : FACT_ENTRIES - 1] = true;
        facts->full = full > facts->full ? full : facts->full;
    }
    free(count);
}

#endif
