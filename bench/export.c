/* export uci CORPUS OUT.uci: a corpus of any format that ezlda reads, as UCI text.
 * export counts MODEL V OUT: the topics of a model as heldout.c reads them. The model's words must
 * be named w1 to wV, as split.c names them; they are written in that order, and a word that the
 * model lacks has no tokens.
 * export alpha MODEL OUT: a model's alpha, one line per topic. */
#include <string.h>

#include "ezlda.h"
#include "uci.h"

static void check(ezlda_context *context, ezlda_status status, const char *path)
{
    if (status)
        bench_die(ezlda_error_message(context), path);
}

static void export_uci(ezlda_context *context, const char *path, FILE *out)
{
    ezlda_corpus *corpus;
    ezlda_import_options options;
    ezlda_corpus_info info = {.size = sizeof info};
    ezlda_import_options_init(&options);
    check(context, ezlda_corpus_read(&corpus, context, &path, 1, &options), path);
    ezlda_corpus_get_info(corpus, &info);
    uint32_t *word = bench_alloc(info.words, sizeof *word),
             *count = bench_alloc(info.words, sizeof *count);
    fprintf(out, "%llu\n%u\n%llu\n", (unsigned long long)info.docs, info.words,
            (unsigned long long)info.pairs);
    for (uint64_t d = 0; d < info.docs; d++) {
        size_t n = ezlda_corpus_document(corpus, d, word, count, info.words);
        for (size_t i = 0; i < n; i++)
            fprintf(out, "%llu %u %u\n", (unsigned long long)d + 1, word[i] + 1, count[i]);
    }
    free(word), free(count);
    ezlda_corpus_free(corpus);
}

/* The model's number of each word by the benchmark's number; UINT32_MAX if the model lacks it.
 */
static uint32_t *numbers(const ezlda_model *model, uint32_t model_words, uint32_t words,
                         const char *path)
{
    uint32_t *at = bench_alloc(words, sizeof *at);
    memset(at, 0xFF, words * sizeof *at);
    for (uint32_t v = 0; v < model_words; v++) {
        const char *name = ezlda_model_word(model, v);
        unsigned long id = name[0] == 'w' ? strtoul(name + 1, NULL, 10) : 0;
        if (id < 1 || id > words)
            bench_die("its words are not named w1, w2, ...", path);
        at[id - 1] = v;
    }
    return at;
}

static void export_counts(ezlda_context *context, const char *path, uint32_t words, FILE *out)
{
    ezlda_model *model;
    ezlda_model_info info = {.size = sizeof info};
    check(context, ezlda_model_load(&model, context, path), path);
    ezlda_model_get_info(model, &info);
    uint32_t *topic = bench_alloc(info.topics, sizeof *topic),
             *count = bench_alloc(info.topics, sizeof *count);
    uint32_t *at = numbers(model, info.words, words, path);
    fprintf(out, "%u %u %.9g\n", words, info.topics, info.beta);
    for (uint32_t v = 0; v < words; v++) {
        size_t n = at[v] == UINT32_MAX
                       ? 0
                       : ezlda_model_word_topics(model, at[v], topic, count, info.topics);
        for (size_t i = 0; i < n; i++)
            fprintf(out, "%u:%u ", topic[i], count[i]);
        putc('\n', out);
    }
    free(topic), free(count), free(at);
    ezlda_model_free(model);
}

static void export_alpha(ezlda_context *context, const char *path, FILE *out)
{
    ezlda_model *model;
    ezlda_model_info info = {.size = sizeof info};
    check(context, ezlda_model_load(&model, context, path), path);
    ezlda_model_get_info(model, &info);
    for (uint32_t k = 0; k < info.topics; k++)
        fprintf(out, "%.9g\n", ezlda_model_alpha(model)[k]);
    ezlda_model_free(model);
}

int main(int argc, char **argv)
{
    int counts = argc == 5 && !strcmp(argv[1], "counts");
    int alpha = argc == 4 && !strcmp(argv[1], "alpha");
    if (!counts && !alpha && (argc != 4 || strcmp(argv[1], "uci"))) {
        fprintf(stderr, "usage: export uci CORPUS OUT.uci | export counts MODEL V OUT | export "
                        "alpha MODEL OUT\n");
        return 2;
    }
    FILE *out = fopen(argv[argc - 1], "w");
    ezlda_context *context;
    if (!out)
        bench_die("cannot be written", argv[argc - 1]);
    if (ezlda_context_create(&context))
        bench_die("out of memory", argv[0]);
    if (counts)
        export_counts(context, argv[2], (uint32_t)strtoul(argv[3], NULL, 10), out);
    else if (alpha)
        export_alpha(context, argv[2], out);
    else
        export_uci(context, argv[2], out);
    ezlda_context_free(context);
    if (fclose(out))
        bench_die("cannot be written", argv[argc - 1]);
    return 0;
}
