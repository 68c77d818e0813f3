/* Models whose counts a test writes down itself, or draws: one document per topic. */
#ifndef CRAFTED_MODEL_H
#define CRAFTED_MODEL_H

#include "check.h" /* first: defines _GNU_SOURCE */

#include "base/memory.h"
#include "model/model.h"

enum { WORDS_MOST = 64, TOPICS_MOST = 8 };

/* Counts by topic and word; words without a token are in the vocabulary as well. */
typedef struct crafted {
    uint32_t topics, words;
    uint32_t count[TOPICS_MOST][WORDS_MOST];
    char word[WORDS_MOST][16];
} crafted;

__attribute__((unused)) static uint64_t crafted_tokens(const crafted *c, uint32_t topic)
{
    uint64_t n = 0;
    for (uint32_t v = 0; v < c->words; v++)
        n += c->count[topic][v];
    return n;
}

/* One document per topic, all of its tokens in that topic. */
__attribute__((unused)) static ezlda_corpus *crafted_corpus(const crafted *c)
{
    static uint32_t word[TOPICS_MOST * WORDS_MOST], count[TOPICS_MOST * WORDS_MOST];
    uint64_t row_start[TOPICS_MOST + 1] = {0};
    const char *words[WORDS_MOST];
    ezlda_corpus *corpus = NULL;
    for (uint32_t k = 0; k < c->topics; k++) {
        for (uint32_t v = 0; v < c->words; v++) {
            word[k * c->words + v] = v;
            count[k * c->words + v] = c->count[k][v];
        }
        row_start[k + 1] = (uint64_t)(k + 1) * c->words;
    }
    for (uint32_t v = 0; v < c->words; v++)
        words[v] = c->word[v];
    CHECK_OK(check_context(), ezlda_corpus_from_csr(&corpus, check_context(), c->topics, c->words,
                                                    row_start, word, count, words));
    return corpus;
}

__attribute__((unused)) static void *crafted_zeroed(size_t n, size_t size)
{
    void *array = NULL;
    CHECK_OK(check_context(), ez_array_zero(&array, check_context(), n, size, "a part"));
    return array;
}

__attribute__((unused)) static void crafted_rows_room(ez_count_rows *rows, uint64_t n,
                                                      size_t entries)
{
    *rows = (ez_count_rows){n, crafted_zeroed(n + 1, 8), crafted_zeroed(entries, 2),
                            crafted_zeroed(entries, 4)};
}

__attribute__((unused)) static ezlda_model *crafted_model(const crafted *c)
{
    ez_model_parts parts = {
        .topics = c->topics, .words = c->words, .docs = c->topics, .beta = 0.01, .iterations = 1};
    ezlda_corpus *corpus = crafted_corpus(c);
    ezlda_model *model = NULL;
    uint64_t at = 0;
    crafted_rows_room(&parts.word_rows, c->words, (size_t)c->words * c->topics);
    crafted_rows_room(&parts.doc_rows, c->topics, c->topics);
    parts.alpha = crafted_zeroed(c->topics, sizeof *parts.alpha);
    parts.topic_tokens = crafted_zeroed(c->topics, sizeof *parts.topic_tokens);
    parts.doc_start = crafted_zeroed(c->topics + 1, sizeof *parts.doc_start);
    for (uint32_t v = 0; v < c->words; v++) {
        for (uint16_t k = 0; k < c->topics; k++) {
            if (!c->count[k][v])
                continue;
            parts.word_rows.topic[at] = k;
            parts.word_rows.count[at++] = c->count[k][v];
        }
        parts.word_rows.start[v + 1] = at;
    }
    at = 0;
    for (uint16_t k = 0; k < c->topics; k++) {
        parts.alpha[k] = 0.5;
        parts.topic_tokens[k] = crafted_tokens(c, k);
        parts.tokens += parts.topic_tokens[k];
        parts.doc_start[k + 1] = parts.tokens;
        if (parts.topic_tokens[k]) {
            parts.doc_rows.topic[at] = k;
            parts.doc_rows.count[at++] = (uint32_t)parts.topic_tokens[k];
        }
        parts.doc_rows.start[k + 1] = at;
    }
    CHECK_OK(check_context(), ez_model_create(&model, check_context(), &parts, corpus));
    ezlda_corpus_free(corpus);
    return model;
}

/* Words called w0, w1, ..., no tokens. */
__attribute__((unused)) static void crafted_plain(crafted *c, uint32_t topics, uint32_t words)
{
    memset(c, 0, sizeof *c);
    c->topics = topics;
    c->words = words;
    for (uint32_t v = 0; v < words; v++)
        snprintf(c->word[v], sizeof c->word[v], "w%u", v);
}

/* Words called wN from `first`; topic `empty` has no token. */
__attribute__((unused)) static void crafted_random(crafted *c, uint32_t topics, uint32_t words,
                                                   uint32_t first, uint32_t empty, uint64_t seed)
{
    crafted_plain(c, topics, words);
    for (uint32_t v = 0; v < words; v++)
        snprintf(c->word[v], sizeof c->word[v], "w%u", first + (v * 7) % words);
    for (uint32_t k = 0; k < topics; k++) {
        for (uint32_t v = 0; v < words && k != empty; v++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            uint32_t draw = (uint32_t)(seed >> 33);
            c->count[k][v] = draw % 3 ? 0 : draw % 11 ? draw % 97 : draw % 100000;
        }
    }
}

#endif
