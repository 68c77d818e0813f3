/* Gives a fuzz program's bytes to the library as a file in memory. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memfd_create */
#endif
#include "fuzz_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void fuzz_claim(int holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "does not hold: %s\n", what);
    abort();
}

/* A few bytes may stand for millions of empty documents or words; walking all of them teaches
 * nothing. */
enum { MOST_WALKED = 1 << 17 };

static volatile size_t looked_at;

/* Reads every byte of a string. */
static void read_text(const char *text)
{
    if (text)
        looked_at += strlen(text);
}

static void drop_note(ezlda_note_level level, const char *text, void *user)
{
    (void)level;
    (void)user;
    read_text(text);
}

ezlda_context *fuzz_context(void)
{
    static ezlda_context *context;
    if (!context) {
        fuzz_claim(ezlda_context_create(&context) == EZLDA_OK, "there is memory for a context");
        ezlda_context_set_threads(context, 1);
        ezlda_context_set_notes(context, drop_note, NULL);
    }
    return context;
}

const char *fuzz_file(const void *bytes, size_t n)
{
    static int fd = -1;
    static char path[64];
    if (fd < 0) {
        fd = memfd_create("fuzz", 0);
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    }
    fuzz_claim(fd >= 0 && ftruncate(fd, 0) == 0 && pwrite(fd, bytes, n, 0) == (ssize_t)n,
               "there is a file in memory");
    return path;
}

void fuzz_claim_status(ezlda_status status, const void *result)
{
    const char *message = ezlda_error_message(fuzz_context());
    read_text(message);
    fuzz_claim((status == EZLDA_OK) == (result != NULL),
               "there is a result if and only if the call succeeded");
    fuzz_claim((status == EZLDA_OK) == (message[0] == '\0'),
               "there is a message if and only if the call failed");
    fuzz_claim(status != EZLDA_ERROR_INTERNAL, "no internal error");
}

static uint64_t walk_document(const ezlda_corpus *corpus, uint64_t doc, uint32_t words)
{
    uint64_t tokens = 0;
    size_t n = ezlda_corpus_document(corpus, doc, NULL, NULL, 0);
    uint32_t *word = malloc((n + 1) * sizeof *word), *count = malloc((n + 1) * sizeof *count);
    fuzz_claim(word && count && ezlda_corpus_document(corpus, doc, word, count, n) == n,
               "a document has its size");
    for (size_t i = 0; i < n; i++) {
        fuzz_claim(word[i] < words && (i == 0 || word[i] > word[i - 1]) && count[i] > 0,
                   "a document's words ascend");
        tokens += count[i];
    }
    free(word);
    free(count);
    return tokens;
}

/* Texts are checked when they are read. */
static void walk_texts(const ezlda_corpus *corpus, uint64_t docs)
{
    for (uint64_t d = 0; d < docs && d < MOST_WALKED; d++) {
        ezlda_doc_text *text = NULL;
        fuzz_claim_status(ezlda_corpus_doc_text(&text, fuzz_context(), corpus, d), text);
        for (size_t i = 0; text && i < text->n_places; i++)
            fuzz_claim(text->places[i].at + text->places[i].bytes <= text->bytes,
                       "a token stands in its text");
        read_text(text ? text->text : NULL);
        ezlda_doc_text_free(text);
    }
}

void fuzz_walk_corpus(const ezlda_corpus *corpus)
{
    if (!corpus)
        return;
    ezlda_corpus_info info = {.size = sizeof info};
    ezlda_corpus_get_info(corpus, &info);
    uint64_t tokens = 0;
    for (uint64_t d = 0; d < info.docs && d < MOST_WALKED; d++) {
        tokens += walk_document(corpus, d, info.words);
        for (uint32_t f = 0; f < info.fields; f++)
            read_text(ezlda_corpus_field_value(corpus, f, d));
    }
    if (info.has_text)
        walk_texts(corpus, info.docs);
    for (uint32_t w = 0; w < info.words && w < MOST_WALKED; w++)
        read_text(ezlda_corpus_word(corpus, w));
    for (uint32_t f = 0; f < info.fields; f++)
        read_text(ezlda_corpus_field(corpus, f));
    fuzz_claim(tokens == info.tokens || info.docs > MOST_WALKED, "the documents' tokens add up");
}

static void walk_topic(const ezlda_model *model, uint32_t topic)
{
    enum { TOP = 5 };
    ezlda_context *context = fuzz_context();
    ezlda_scored top[TOP];
    size_t n = 0;
    for (int order = EZLDA_BY_PROBABILITY; order <= EZLDA_BY_LIFT; order++) {
        ezlda_status status = ezlda_model_top_words(top, TOP, &n, context, model, topic,
                                                    (ezlda_word_order)order, 0.6);
        fuzz_claim(status == EZLDA_OK && n <= TOP, "a topic has words");
        for (size_t i = 0; i < n; i++)
            read_text(ezlda_model_word(model, (uint32_t)top[i].id));
    }
    fuzz_claim(ezlda_model_top_docs(top, TOP, &n, context, model, topic) == EZLDA_OK && n <= TOP,
               "a topic has documents");
    for (size_t i = 0; i < n; i++)
        read_text(ezlda_model_doc_name(model, top[i].id));
}

static uint64_t walk_model_doc(const ezlda_model *model, uint64_t doc, uint32_t topics)
{
    uint64_t tokens = 0, length = ezlda_model_doc_tokens(model, doc);
    size_t n = ezlda_model_doc_topics(model, doc, NULL, NULL, 0);
    uint32_t *topic = malloc((n + 1) * sizeof *topic), *count = malloc((n + 1) * sizeof *count);
    fuzz_claim(topic && count && ezlda_model_doc_topics(model, doc, topic, count, n) == n,
               "a row has its size");
    for (size_t i = 0; i < n; i++, tokens += count[i - 1])
        fuzz_claim(topic[i] < topics, "a row has topics of the model");
    free(topic);
    free(count);
    const uint16_t *token = ezlda_model_token_topics(model, doc);
    for (uint64_t i = 0; token && i < length; i++)
        fuzz_claim(token[i] < topics, "a token has a topic of the model");
    fuzz_claim(tokens == length, "a row adds up to its document");
    return tokens;
}

void fuzz_walk_model(const ezlda_model *model)
{
    if (!model)
        return;
    ezlda_model_info info = {.size = sizeof info};
    ezlda_model_get_info(model, &info);
    uint64_t tokens = 0;
    for (uint64_t d = 0; d < info.docs; d++) {
        tokens += walk_model_doc(model, d, info.topics);
        read_text(ezlda_model_doc_name(model, d));
    }
    fuzz_claim(tokens == info.tokens, "the documents' tokens add up");
    for (uint32_t w = 0; w < info.words; w++) {
        read_text(ezlda_model_word(model, w));
        looked_at +=
            ezlda_model_word_tokens(model, w) + ezlda_model_word_topics(model, w, NULL, NULL, 0);
    }
    for (uint32_t k = 0; k < info.topics; k++) {
        fuzz_claim(ezlda_model_alpha(model)[k] > 0 && isfinite(ezlda_model_alpha(model)[k]),
                   "alpha is above 0");
        if (k < 8)
            walk_topic(model, k);
    }
    uint32_t iteration;
    double seconds, llpt;
    for (size_t i = 0; ezlda_model_llpt(model, i, &iteration, &seconds, &llpt); i++)
        looked_at += iteration;
}
