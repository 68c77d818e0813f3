/* Small text inputs for tests, and corpora as strings to compare. */
#ifndef TEXT_CASE_H
#define TEXT_CASE_H

#include "check.h"

#include <stdbool.h>

/* Options that leave words alone: no stop words, one letter is enough. */
__attribute__((unused)) static ezlda_import_options plain_options(void)
{
    ezlda_import_options options;
    ezlda_import_options_init(&options);
    options.stopwords = "none";
    options.min_length = 1;
    options.min_docs = 1;
    options.max_docs_share = 1;
    return options;
}

__attribute__((unused)) static const char *write_bytes(const char *name, const void *bytes,
                                                       size_t n)
{
    const char *path = check_tmp(name);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, n, file) != n || fclose(file))
        abort();
    return path;
}

__attribute__((unused)) static const char *write_text(const char *name, const char *text)
{
    return write_bytes(name, text, strlen(text));
}

__attribute__((unused)) static ezlda_status read_one(ezlda_corpus **corpus, const char *path,
                                                     const ezlda_import_options *options)
{
    *corpus = NULL;
    return ezlda_corpus_read(corpus, check_context(), &path, 1, options);
}

/* "word:count ..." of a document, by the words' numbers. Valid until the next call. */
__attribute__((unused)) static const char *document(const ezlda_corpus *corpus, uint64_t doc)
{
    static char text[65536];
    uint32_t word[2048], count[2048];
    size_t used = 0, n = ezlda_corpus_document(corpus, doc, word, count, 2048);
    text[0] = '\0';
    for (size_t i = 0; i < n && i < 2048 && used < sizeof text - 300; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s:%u", i ? " " : "",
                                 ezlda_corpus_word(corpus, word[i]), count[i]);
    return text;
}

__attribute__((unused)) static bool has_word(const ezlda_corpus *corpus, const char *word)
{
    ezlda_corpus_info info = {.size = sizeof info};
    ezlda_corpus_get_info(corpus, &info);
    for (uint32_t w = 0; w < info.words; w++)
        if (strcmp(ezlda_corpus_word(corpus, w), word) == 0)
            return true;
    return false;
}

/* The value of a field by its name; NULL if the corpus does not have the field. */
__attribute__((unused)) static const char *field(const ezlda_corpus *corpus, const char *name,
                                                 uint64_t doc)
{
    ezlda_corpus_info info = {.size = sizeof info};
    ezlda_corpus_get_info(corpus, &info);
    for (uint32_t i = 0; i < info.fields; i++)
        if (strcmp(ezlda_corpus_field(corpus, i), name) == 0)
            return ezlda_corpus_field_value(corpus, i, doc);
    return NULL;
}

__attribute__((unused)) static ezlda_corpus_info info_of(const ezlda_corpus *corpus)
{
    ezlda_corpus_info info = {.size = sizeof info};
    ezlda_corpus_get_info(corpus, &info);
    return info;
}

/* Notes of the context, one after another. */
static char notes[4096];

__attribute__((unused)) static void take_note(ezlda_note_level level, const char *text, void *user)
{
    (void)level;
    (void)user;
    size_t used = strlen(notes);
    snprintf(notes + used, sizeof notes - used, "%s\n", text);
}

__attribute__((unused)) static void hear_notes(void)
{
    notes[0] = '\0';
    ezlda_context_set_notes(check_context(), take_note, NULL);
}

#endif
