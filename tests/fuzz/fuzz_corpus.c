/* Fuzzes the reader of a corpus format. FUZZ_FORMAT names the format; NULL: it is recognised.
 * FUZZ_VOCAB and FUZZ_STOPWORDS: the input is the vocabulary or the list of stop words of a fixed
 * corpus. The input's last byte chooses options of texts. */
#include "fuzz_file.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef FUZZ_TEXT
#define FUZZ_TEXT 0
#endif

/* A file for as long as the program runs. */
static const char *fixed_file(const char *text)
{
    static char path[] = "/dev/shm/ezlda-fuzz-XXXXXX";
    static int fd = -1;
    if (fd < 0) {
        fd = mkstemp(path);
        fuzz_claim(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text),
                   "there is a file");
        unlink(path);
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    }
    return path;
}

static void choose(ezlda_import_options *options, unsigned choice)
{
    options->keep_order = choice & 1;
    options->ngrams = choice & 2 ? 3 : 1;
    options->stemmer = choice & 4 ? "english" : NULL;
    options->keep_numbers = choice & 8;
    options->keep_case = choice & 16;
    options->stopwords = !(choice & 32) ? "none" : choice & 128 ? "auto" : "en";
    options->max_vocab = choice & 64 ? 3 : 0;
    options->keep_text = choice & 4 || choice & 32;
}

/* The byte before the last one says how texts are cut and where they are. */
static void choose_unit(ezlda_import_options *options, unsigned choice)
{
    bool lines = FUZZ_FORMAT && strcmp(FUZZ_FORMAT, "text") == 0;
    bool fields = FUZZ_FORMAT && (strstr(FUZZ_FORMAT, "sv") || strstr(FUZZ_FORMAT, "json"));
    options->split = choice & 1 ? "2" : choice & 2 ? "blank" : NULL;
    options->unit = lines && choice & 4 ? "files" : NULL;
    options->text_field = fields && choice & 8 ? "a.b,text[1],text" : NULL;
    options->keep_fields = fields && choice & 16 ? "x.y[0]" : NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ezlda_context *context = fuzz_context();
    ezlda_import_options options;
    ezlda_import_options_init(&options);
    options.format = FUZZ_FORMAT;
    const char *path = fuzz_file(data, size);
    if (FUZZ_TEXT && size)
        choose(&options, data[size - 1]);
    if (FUZZ_TEXT && size > 1)
        choose_unit(&options, data[size - 2]);
#if defined FUZZ_VOCAB
    options.vocab = path;
    path = fixed_file("2\n4\n5\n1 1 2\n1 3 1\n2 1 1\n2 2 7\n2 4 1\n");
#elif defined FUZZ_STOPWORDS
    options.stopwords = path;
    path = fixed_file("the river and the boat\nthe choir sang an aria\n");
#else
    (void)fixed_file;
#endif
    ezlda_corpus *corpus = NULL;
    ezlda_status status = ezlda_corpus_read(&corpus, context, &path, 1, &options);
    fuzz_claim_status(status, corpus);
    fuzz_walk_corpus(corpus);
    ezlda_corpus_free(corpus);
    return 0;
}
