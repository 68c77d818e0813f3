/* A small corpus with everything in it, and whole files, for the tests of the corpus file. */
#ifndef CORPUS_SAMPLE_H
#define CORPUS_SAMPLE_H

#include "check.h"
#include "corpus/corpus.h"

__attribute__((unused)) static const char *const WORDS[] = {"zéro",  "one",  "two",
                                                            "three", "four", "five"};
__attribute__((unused)) static const char *const FIELDS[] = {"name", "label"};

__attribute__((unused)) static ezlda_status build_sample(ezlda_corpus **out, ezlda_context *context,
                                                         int with_fields)
{
    ez_corpus_builder *builder;
    EZ_TRY(ez_corpus_builder_create(&builder, context, FIELDS, with_fields ? 2 : 0));
    const char *values[2] = {"first", "x"}, *partial[2] = {"third", NULL};
    EZ_TRY(ez_corpus_builder_add(builder, context, (uint32_t[]){0, 2, 5}, (uint32_t[]){1, 300, 2},
                                 3, values));
    EZ_TRY(ez_corpus_builder_add(builder, context, NULL, NULL, 0, NULL));
    EZ_TRY(ez_corpus_builder_add(builder, context, (uint32_t[]){5}, (uint32_t[]){UINT32_MAX}, 1,
                                 partial));
    return ez_corpus_builder_finish(builder, out, context, WORDS, 6);
}

__attribute__((unused)) static size_t read_file(const char *path, unsigned char *bytes,
                                                size_t capacity)
{
    FILE *file = fopen(path, "rb");
    size_t n = file ? fread(bytes, 1, capacity, file) : 0;
    if (file)
        fclose(file);
    return n;
}

__attribute__((unused)) static void write_file(const char *path, const void *bytes, size_t n)
{
    FILE *file = fopen(path, "wb");
    CHECK(file && fwrite(bytes, 1, n, file) == n);
    if (file)
        fclose(file);
}

#endif
