/* Helpers for the tests of the readers: write text to a file, read it as a corpus, print the corpus
 * as text. */
#ifndef READER_HELP_H
#define READER_HELP_H

#include "check.h"
#include "corpus/formats/readers.h"

typedef ezlda_status (*reader_fn)(ezlda_corpus **, ezlda_context *, ez_input *,
                                  const ezlda_import_options *);

__attribute__((unused)) static const char *put_file(const char *name, const char *text)
{
    const char *path = check_tmp(name);
    FILE *file = fopen(path, "wb");
    CHECK(file && fputs(text, file) >= 0);
    if (file)
        fclose(file);
    return path;
}

__attribute__((unused)) static ezlda_status read_path(reader_fn reader, ezlda_corpus **out,
                                                      const char *path, const char *vocab)
{
    ezlda_context *context = check_context();
    ezlda_import_options options = {.size = sizeof options, .vocab = vocab};
    ez_input *input = NULL;
    *out = NULL;
    ez_clear(context);
    EZ_TRY(ez_input_open(&input, context, path));
    ezlda_status status = reader(out, context, input, &options);
    ez_input_close(input);
    return status;
}

__attribute__((unused)) static ezlda_status read_text(reader_fn reader, ezlda_corpus **out,
                                                      const char *text)
{
    return read_path(reader, out, put_file("input", text), NULL);
}

/* "0:1 2:3|1:1||" : word:count, documents ended by '|'. */
__attribute__((unused)) static const char *show(const ezlda_corpus *corpus)
{
    static char text[4096];
    ezlda_corpus_info info = {.size = sizeof info};
    ezlda_corpus_get_info(corpus, &info);
    size_t at = 0;
    text[0] = '\0';
    for (uint64_t doc = 0; doc < info.docs && at < sizeof text - 100; doc++) {
        uint32_t word[64], count[64];
        size_t n = ezlda_corpus_document(corpus, doc, word, count, 64);
        for (size_t i = 0; i < n && i < 64 && at < sizeof text - 100; i++)
            at += (size_t)snprintf(text + at, sizeof text - at, "%s%u:%u", i ? " " : "", word[i],
                                   count[i]);
        at += (size_t)snprintf(text + at, sizeof text - at, "|");
    }
    return text;
}

__attribute__((unused)) static uint32_t words_of(const ezlda_corpus *corpus)
{
    ezlda_corpus_info info = {.size = sizeof info};
    ezlda_corpus_get_info(corpus, &info);
    return info.words;
}

__attribute__((unused)) static uint64_t hash_of(const ezlda_corpus *corpus)
{
    ezlda_corpus_info info = {.size = sizeof info};
    ezlda_corpus_get_info(corpus, &info);
    return info.hash;
}

#define CHECK_READS(reader, text, expected)                                 \
    do {                                                                    \
        ezlda_corpus *check_corpus_ = NULL;                                 \
        CHECK_OK(check_context(), read_text(reader, &check_corpus_, text)); \
        if (check_corpus_)                                                  \
            CHECK_STR(show(check_corpus_), expected);                       \
        ezlda_corpus_free(check_corpus_);                                   \
    } while (0)

#define CHECK_REFUSES(reader, text, message)                                            \
    do {                                                                                \
        ezlda_corpus *check_corpus_ = NULL;                                             \
        CHECK_FAILS(check_context(), read_text(reader, &check_corpus_, text), message); \
        CHECK(check_corpus_ == NULL);                                                   \
    } while (0)

#endif
