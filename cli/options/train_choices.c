/* Chooses a number of topics by the size of the corpus, and a model's name by that of the input. */
#include "options/train_choices.h"

#include "cli.h"
#include "platform.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TOKENS_PER_TOPIC = 500, LEAST_TOPICS = 2, MOST_NAME = 200 };

uint32_t choose_topics(const ezlda_corpus *corpus)
{
    static const struct {
        uint64_t below; /* documents */
        uint32_t topics;
    } sizes[] = {{100, 5}, {1000, 10}, {10000, 20}, {100000, 50}, {1000000, 100}};
    ezlda_corpus_info info = {.size = sizeof info};
    ezlda_corpus_get_info(corpus, &info);
    uint64_t docs = info.docs - info.empty_docs, most = info.tokens / TOKENS_PER_TOPIC;
    uint32_t topics = 200;
    for (size_t i = sizeof sizes / sizeof *sizes; i-- > 0;)
        if (docs < sizes[i].below)
            topics = sizes[i].topics;
    topics = topics > most ? (uint32_t)most : topics;
    return topics < LEAST_TOPICS ? LEAST_TOPICS : topics;
}

/* The length of a name without the extensions of formats and of compression. */
static size_t without_extensions(const char *name, size_t n)
{
    static const char *const known[] = {
        ".gz",   ".zst",   ".xz",     ".zip",  ".txt",      ".text",     ".csv",  ".tsv",   ".tab",
        ".json", ".jsonl", ".ndjson", ".md",   ".markdown", ".html",     ".htm",  ".xhtml", ".xml",
        ".ezc",  ".mtx",   ".mm",     ".ldac", ".svm",      ".svmlight", ".h5ad", ".h5"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        size_t length = strlen(known[i]);
        if (n > length && memcmp(name + n - length, known[i], length) == 0) {
            n -= length;
            i = (size_t)-1; /* another may be before it: texts.csv.gz */
        }
    }
    return n;
}

char *choose_name(const cli_call *call, const char *ending)
{
    const char *path = call->operands[0];
    size_t n = strlen(path);
    while (n > 1 && platform_is_separator(path[n - 1]))
        n--;
    size_t start = n;
    while (start && !platform_is_separator(path[start - 1]))
        start--;
    const char *name = path + start;
    n = without_extensions(name, n - start);
    bool usable = n > 0 && n < MOST_NAME && name[0] != '-' && name[0] != '.' &&
                  !platform_is_separator(name[0]);
    char *chosen = cli_zeroed(MOST_NAME + 32, 1);
    platform_info info;
    for (int i = 1; i == 1 || platform_look(chosen, &info) == 0; i++) {
        int length =
            snprintf(chosen, MOST_NAME + 16, "%.*s", usable ? (int)n : 5, usable ? name : "model");
        snprintf(chosen + length, 32, i > 1 ? "-%d%s" : "%.0d%s", i > 1 ? i : 0, ending);
    }
    return chosen;
}
