/* A simulation of simulated_prior.h as a corpus and as a model, whose topics are those drawn with
 * the words. */
#ifndef MODEL_OF_SIMULATION_H
#define MODEL_OF_SIMULATION_H

#include "check.h" /* first: defines _GNU_SOURCE */

#include "corpus/corpus.h"
#include "model/model.h"
#include "simulated_prior.h"

static ezlda_corpus *corpus_of(const simulation *s)
{
    ezlda_context *context = check_context();
    ez_corpus_builder *builder = NULL;
    ezlda_corpus *corpus = NULL;
    char text[SIM_WORDS][8];
    const char *words[SIM_WORDS];
    CHECK_OK(context, ez_corpus_builder_create(&builder, context, NULL, 0));
    for (uint32_t d = 0; d < s->shape.docs; d++) {
        uint32_t word[SIM_WORDS], count[SIM_WORDS];
        size_t n = 0;
        for (uint32_t i = d * s->shape.length; i < (d + 1) * s->shape.length; i++) {
            if (n && word[n - 1] == s->word[i]) {
                count[n - 1]++;
                continue;
            }
            word[n] = s->word[i];
            count[n++] = 1;
        }
        CHECK_OK(context, ez_corpus_builder_add(builder, context, word, count, n, NULL));
    }
    for (uint32_t v = 0; v < s->shape.words; v++) {
        snprintf(text[v], sizeof text[v], "w%u", v);
        words[v] = text[v];
    }
    CHECK_OK(context, ez_corpus_builder_finish(builder, &corpus, context, words, s->shape.words));
    return corpus;
}

static void rows_of(ez_count_rows *rows, uint32_t n, const uint32_t (*table)[SIM_TOPICS])
{
    ezlda_context *context = check_context();
    uint64_t at = 0;
    rows->rows = n;
    CHECK_OK(context, ez_array_zero(&rows->start, context, n + 1, sizeof *rows->start, "rows"));
    CHECK_OK(context, ez_array(&rows->topic, context, n * SIM_TOPICS, sizeof(uint16_t), "rows"));
    CHECK_OK(context, ez_array(&rows->count, context, n * SIM_TOPICS, sizeof(uint32_t), "rows"));
    for (uint32_t r = 0; r < n; r++) {
        for (uint32_t k = 0; k < SIM_TOPICS; k++) {
            if (!table[r][k])
                continue;
            rows->topic[at] = (uint16_t)k;
            rows->count[at++] = table[r][k];
        }
        rows->start[r + 1] = at;
    }
}

static ezlda_model *model_of(const simulation *s, const ezlda_corpus *corpus, bool kept)
{
    ezlda_context *context = check_context();
    ez_corpus_sizes sizes;
    ezlda_model *model = NULL;
    uint32_t topics = s->shape.topics;
    ez_corpus_sizes_of(corpus, &sizes);
    ez_model_parts parts = {.topics = topics,
                            .words = s->shape.words,
                            .docs = s->shape.docs,
                            .tokens = s->tokens,
                            .beta = s->shape.beta,
                            .corpus_hash = sizes.hash};
    CHECK_OK(context, ez_array(&parts.alpha, context, topics, sizeof(double), "alpha"));
    CHECK_OK(context, ez_array(&parts.topic_tokens, context, topics, sizeof(uint64_t), "n"));
    CHECK_OK(context, ez_array(&parts.doc_start, context, s->shape.docs + 1u, 8, "starts"));
    CHECK_OK(context, ez_array(&parts.token_topics, context, s->tokens, 2, "topics"));
    for (uint32_t k = 0; k < topics; k++) {
        parts.alpha[k] = s->shape.alpha;
        parts.topic_tokens[k] = s->n[k];
    }
    for (uint32_t d = 0; d <= s->shape.docs; d++)
        parts.doc_start[d] = (uint64_t)d * s->shape.length;
    memcpy(parts.token_topics, s->topic, s->tokens * sizeof *s->topic);
    if (!kept) {
        ez_free(parts.token_topics);
        parts.token_topics = NULL;
    }
    rows_of(&parts.word_rows, s->shape.words, s->W);
    rows_of(&parts.doc_rows, s->shape.docs, s->D);
    CHECK_OK(context, ez_model_create(&model, context, &parts, corpus));
    return model;
}

#endif
