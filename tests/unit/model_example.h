/* Small models for the tests: tokens drawn by a plain generator, counted the obvious way into dense
 * tables that the model's answers are compared with. */
#ifndef MODEL_EXAMPLE_H
#define MODEL_EXAMPLE_H

#include "check.h" /* first: defines _GNU_SOURCE */

#include "base/memory.h"
#include "corpus/corpus.h"
#include "model/model.h"

enum { EXAMPLE_TOPICS = 7, EXAMPLE_WORDS = 37, EXAMPLE_DOCS = 21, EXAMPLE_TOKENS_MAX = 4000 };
enum {
    EXAMPLE_EMPTY_TOPIC = 4,
    EXAMPLE_EMPTY_WORD = 11,
    EXAMPLE_EMPTY_DOC = 3,
    EXAMPLE_LONG_DOC = 5
};

typedef struct example {
    size_t tokens;
    uint64_t doc_start[EXAMPLE_DOCS + 1];
    uint32_t word[EXAMPLE_TOKENS_MAX]; /* ascending inside a document */
    uint16_t topic[EXAMPLE_TOKENS_MAX];
    uint32_t w[EXAMPLE_WORDS][EXAMPLE_TOPICS], d[EXAMPLE_DOCS][EXAMPLE_TOPICS];
    uint64_t n[EXAMPLE_TOPICS], word_tokens[EXAMPLE_WORDS];
} example;

static const char *const example_names[] = {
    "p", "a\tb", "<b>&amp;\"html\"</b>", "", "grün \xe2\x80\x94 日本語", " "};

__attribute__((unused)) static const char *example_name(uint64_t doc)
{
    return example_names[doc % (sizeof example_names / sizeof *example_names)];
}

static uint32_t example_draw(uint64_t *state, uint32_t below)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 33) % below;
}

/* Documents of 0 to 29 tokens, one without any, one with exactly 255 tokens of topic 0, 256 of
 * topic 1 and 1,000 of topic 2 (these of one word), and topics and words that never appear. */
__attribute__((unused)) static void example_make(example *e, uint64_t seed)
{
    memset(e, 0, sizeof *e);
    for (uint64_t d = 0; d < EXAMPLE_DOCS; d++) {
        size_t length = d == EXAMPLE_EMPTY_DOC  ? 0
                        : d == EXAMPLE_LONG_DOC ? 1511
                                                : example_draw(&seed, 30);
        for (size_t i = 0; i < length; i++) {
            uint32_t word = (uint32_t)(i * EXAMPLE_WORDS / length),
                     topic = example_draw(&seed, EXAMPLE_TOPICS);
            if (d == EXAMPLE_LONG_DOC) {
                topic = i < 255 ? 0 : i < 511 ? 1 : 2;
                word = i < 511 ? word : EXAMPLE_WORDS - 1;
            }
            e->word[e->tokens] = word == EXAMPLE_EMPTY_WORD ? word + 1 : word;
            e->topic[e->tokens++] = (uint16_t)(topic == EXAMPLE_EMPTY_TOPIC ? topic + 1 : topic);
        }
        e->doc_start[d + 1] = e->tokens;
        for (uint64_t t = e->doc_start[d]; t < e->tokens; t++) {
            e->w[e->word[t]][e->topic[t]]++;
            e->d[d][e->topic[t]]++;
            e->n[e->topic[t]]++;
            e->word_tokens[e->word[t]]++;
        }
    }
}

/* With names: the field "label" comes first, "name" second. */
__attribute__((unused)) static ezlda_corpus *example_corpus(const example *e, int with_names)
{
    static const char *const fields[] = {"label", "name"};
    ezlda_context *context = check_context();
    ez_corpus_builder *builder = NULL;
    ezlda_corpus *corpus = NULL;
    char text[EXAMPLE_WORDS][32];
    const char *words[EXAMPLE_WORDS];
    CHECK_OK(context, ez_corpus_builder_create(&builder, context, fields, with_names ? 2 : 1));
    for (uint64_t d = 0; d < EXAMPLE_DOCS; d++) {
        uint32_t word[EXAMPLE_WORDS], count[EXAMPLE_WORDS];
        size_t n = 0;
        for (uint64_t t = e->doc_start[d]; t < e->doc_start[d + 1]; t++) {
            if (n && word[n - 1] == e->word[t]) {
                count[n - 1]++;
                continue;
            }
            word[n] = e->word[t];
            count[n++] = 1;
        }
        const char *values[] = {"some label", example_name(d)};
        CHECK_OK(context, ez_corpus_builder_add(builder, context, word, count, n, values));
    }
    for (uint32_t v = 0; v < EXAMPLE_WORDS; v++) {
        snprintf(text[v], sizeof text[v], "wörd<%u>", v);
        words[v] = text[v];
    }
    CHECK_OK(context, ez_corpus_builder_finish(builder, &corpus, context, words, EXAMPLE_WORDS));
    return corpus;
}

static void example_rows(ez_count_rows *rows, uint64_t n, const uint32_t *table)
{
    ezlda_context *context = check_context();
    rows->rows = n;
    CHECK_OK(context, ez_array_zero(&rows->start, context, n + 1, sizeof *rows->start, "rows"));
    CHECK_OK(context,
             ez_array(&rows->topic, context, n * EXAMPLE_TOPICS, sizeof *rows->topic, "rows"));
    CHECK_OK(context,
             ez_array(&rows->count, context, n * EXAMPLE_TOPICS, sizeof *rows->count, "rows"));
    uint64_t at = 0;
    for (uint64_t r = 0; r < n; r++) {
        for (uint16_t k = 0; k < EXAMPLE_TOPICS; k++) {
            if (!table[r * EXAMPLE_TOPICS + k])
                continue;
            rows->topic[at] = k;
            rows->count[at++] = table[r * EXAMPLE_TOPICS + k];
        }
        rows->start[r + 1] = at;
    }
}

static void *example_copy(const void *from, size_t n, size_t size)
{
    void *to = NULL;
    CHECK_OK(check_context(), ez_array(&to, check_context(), n, size, "a copy"));
    memcpy(to, from, n * size);
    return to;
}

/* What the trainer would hand over. */
__attribute__((unused)) static void example_parts(ez_model_parts *parts, const example *e,
                                                  int keep_topics)
{
    static const ez_llpt_entry llpt[] = {
        {10, 0, 0.5, -9.5}, {20, 0, 1.25, -9.25}, {25, 0, 1.5, -9.125}};
    double alpha[EXAMPLE_TOPICS], training[EXAMPLE_TOPICS + 1] = {0.5};
    for (int k = 0; k < EXAMPLE_TOPICS; k++)
        alpha[k] = training[k + 1] = 0.125 * (k + 1);
    *parts = (ez_model_parts){
        .topics = EXAMPLE_TOPICS,
        .words = EXAMPLE_WORDS,
        .docs = EXAMPLE_DOCS,
        .tokens = e->tokens,
        .iterations = 25,
        .seed = 42,
        .beta = 0.01,
        .estimator = EZLDA_ESCA,
        .seconds_sampling = 1.5,
        .skipped = 0.25,
        .moved = 0.125,
        .topics_hash = 0x123456789abcdef0,
        .corpus_hash = 0xfedcba9876543210,
        .device = "cpu (avx2)",
        .threads = 2,
        .llpt_count = 3,
    };
    parts->alpha = example_copy(alpha, EXAMPLE_TOPICS, sizeof *alpha);
    parts->training = example_copy(training, EXAMPLE_TOPICS + 1, sizeof *training);
    parts->topic_tokens = example_copy(e->n, EXAMPLE_TOPICS, sizeof *e->n);
    parts->doc_start = example_copy(e->doc_start, EXAMPLE_DOCS + 1, sizeof *e->doc_start);
    parts->llpt = example_copy(llpt, 3, sizeof *llpt);
    if (keep_topics)
        parts->token_topics = example_copy(e->topic, e->tokens, sizeof *e->topic);
    example_rows(&parts->word_rows, EXAMPLE_WORDS, &e->w[0][0]);
    example_rows(&parts->doc_rows, EXAMPLE_DOCS, &e->d[0][0]);
}

/* A model of the example, with names and the topics of the tokens. */
__attribute__((unused)) static ezlda_model *example_model(const example *e)
{
    ez_model_parts parts;
    ezlda_model *model = NULL;
    ezlda_corpus *corpus = example_corpus(e, 1);
    example_parts(&parts, e, 1);
    CHECK_OK(check_context(), ez_model_create(&model, check_context(), &parts, corpus));
    ezlda_corpus_free(corpus);
    return model;
}

#endif
