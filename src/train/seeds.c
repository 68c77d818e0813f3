/* Finds seed words in the vocabulary and makes base counts and starting topics of them. */
#include "train/seeds.h"

#include "backend/start.h"
#include "base/memory.h"
#include "corpus/corpus.h"
#include "corpus/text/rules/term_reader.h"
#include "corpus/text/string_table.h"
#include "sampler/arithmetic.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct pair {
    uint32_t word, topic;
} pair;

static int by_word_and_topic(const void *a, const void *b)
{
    const pair *x = a, *y = b;
    if (x->word != y->word)
        return x->word < y->word ? -1 : 1;
    return x->topic < y->topic ? -1 : x->topic > y->topic;
}

/* A table from the text of the corpus' words to their relabelled numbers. */
static ezlda_status index_words(ez_strings *table, uint32_t *label, ezlda_context *context,
                                const ezlda_corpus *corpus, const ez_token_list *tokens)
{
    uint32_t id;
    bool added;
    for (uint32_t v = 0; v < tokens->words; v++) {
        const char *word = ezlda_corpus_word(corpus, tokens->original[v]);
        EZ_TRY(ez_strings_add(table, context, word, strlen(word), &id, &added));
        if (added)
            label[id] = v;
    }
    return EZLDA_OK;
}

/* The words of a vocabulary, and the rules that made them from text. */
typedef struct lookup {
    ez_strings table;
    uint32_t *label; /* relabelled numbers of the table's strings */
    bool from_text;
    ez_term_reader reader; /* if the words were made from text */
} lookup;

/* Finds a seed as it is written; else as the corpus' rules read it, first whole, then stemmed. */
static ezlda_status find_word(lookup *words, ezlda_context *context, const char *seed, uint32_t *id)
{
    *id = ez_strings_find(&words->table, seed, strlen(seed));
    for (int stem = 0; stem < 2 && words->from_text && *id == EZ_NO_STRING; stem++) {
        const char *term;
        size_t n;
        EZ_TRY(ez_term_read(&words->reader, context, seed, stem, &term, &n));
        if (n)
            *id = ez_strings_find(&words->table, term, n);
    }
    return EZLDA_OK;
}

/* The seeds that the corpus does not have, for a message: 'a', 'b', ... */
typedef struct lost_words {
    size_t words, length;
    bool cut;
    char names[256];
} lost_words;

static void add_lost(lost_words *lost, const char *word)
{
    const char *separator = lost->length ? ", " : "";
    char *end = lost->names + lost->length;
    lost->words++;
    if (lost->cut)
        return;
    size_t room = sizeof lost->names - lost->length - sizeof ", ...";
    int n = snprintf(end, room, "%s'%s'", separator, word);
    lost->cut = n < 0 || (size_t)n >= room;
    if (lost->cut)
        snprintf(end, room + sizeof ", ...", "%s...", separator);
    else
        lost->length += (size_t)n;
}

/* Lists the seeds that the corpus has, sorted, without duplicates. */
static ezlda_status find_seeds(pair *found, size_t *n_found, ezlda_context *context, lookup *words,
                               const ezlda_train_options *options)
{
    size_t n = 0, kept = 0;
    lost_words lost = {0};
    for (size_t i = 0; i < options->n_seeds; i++) {
        const ezlda_seed *seed = &options->seeds[i];
        if (seed->topic >= options->topics)
            return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                           "seed '%s' is for topic %u; expected 0 to %u", seed->word, seed->topic,
                           options->topics - 1);
        uint32_t id;
        EZ_TRY(find_word(words, context, seed->word, &id));
        if (id != EZ_NO_STRING)
            found[n++] = (pair){words->label[id], seed->topic};
        else
            add_lost(&lost, seed->word);
    }
    if (n == 0)
        return ez_fail(
            context, EZLDA_ERROR_ARGUMENT,
            "the corpus has none of the %zu seed words (%s): seeds are words of its vocabulary",
            options->n_seeds, lost.names);
    if (lost.words)
        ez_warn(context,
                "seeds: the corpus does not have %zu of %zu words (%s): seeds are words of its "
                "vocabulary",
                lost.words, options->n_seeds, lost.names);
    qsort(found, n, sizeof *found, by_word_and_topic);
    for (size_t i = 0; i < n; i++)
        if (i == 0 || by_word_and_topic(&found[i], &found[i - 1]) != 0)
            found[kept++] = found[i];
    *n_found = kept;
    return EZLDA_OK;
}

static ezlda_status make_rows(ez_seeds *seeds, ezlda_context *context, const ez_token_list *tokens,
                              const pair *found, size_t n, double weight)
{
    EZ_TRY(ez_array_zero(&seeds->start, context, (size_t)tokens->words + 1, sizeof *seeds->start,
                         "seeds"));
    EZ_TRY(ez_array(&seeds->topic, context, n, sizeof *seeds->topic, "seeds"));
    EZ_TRY(ez_array(&seeds->count, context, n, sizeof *seeds->count, "seeds"));
    for (size_t i = 0; i < n; i++) {
        double count = weight * (double)ez_word_frequency(tokens, found[i].word) + 0.5;
        seeds->start[found[i].word + 1]++;
        seeds->topic[i] = (uint16_t)found[i].topic;
        seeds->count[i] = count < 1 ? 1 : count > INT32_MAX ? INT32_MAX : (uint32_t)count;
    }
    for (uint32_t v = 0; v < tokens->words; v++)
        seeds->start[v + 1] += seeds->start[v];
    seeds->counts = (ez_base_counts){seeds->start, seeds->topic, seeds->count, NULL};
    return EZLDA_OK;
}

ezlda_status ez_seeds_make(ez_seeds *seeds, ezlda_context *context, const ezlda_corpus *corpus,
                           const ez_token_list *tokens, const ezlda_train_options *options)
{
    const ezlda_text_rules *rules = ezlda_corpus_text_rules(corpus);
    lookup words = {.from_text = rules != NULL};
    pair *found = NULL;
    size_t n = 0;
    ezlda_status status;
    EZ_TRY_GOTO(
        ez_array(&words.label, context, tokens->words, sizeof *words.label, "word numbers"));
    EZ_TRY_GOTO(index_words(&words.table, words.label, context, corpus, tokens));
    if (rules)
        EZ_TRY_GOTO(ez_term_reader_init(&words.reader, context, rules));
    EZ_TRY_GOTO(ez_array(&found, context, options->n_seeds, sizeof *found, "seeds"));
    EZ_TRY_GOTO(find_seeds(found, &n, context, &words, options));
    EZ_TRY_GOTO(make_rows(seeds, context, tokens, found, n, options->seed_weight));
done:
    ez_strings_free(&words.table);
    ez_free(words.label);
    ez_term_reader_free(&words.reader);
    ez_free(found);
    return status;
}

void ez_seeds_free(ez_seeds *seeds)
{
    ez_free(seeds->start);
    ez_free(seeds->topic);
    ez_free(seeds->count);
}

/* Sets the topics of tokens of seeds; if a word has several topics, each token gets one of them at
 * random. */
static void place_seeds(const ez_seeds *seeds, const ez_token_list *t, uint64_t key, uint64_t d,
                        uint16_t *topic)
{
    uint32_t occurrence = 0;
    uint64_t first = t->doc_start[d];
    for (uint64_t i = first; i < t->doc_start[d + 1]; i++) {
        uint32_t v = t->word[i];
        uint64_t n = seeds->start[v + 1] - seeds->start[v];
        occurrence = i > first && t->word[i - 1] == v ? occurrence + 1 : 0;
        if (n > 0)
            topic[i - first] =
                seeds->topic[seeds->start[v] +
                             ez_mulhi(ez_draw(ez_word_key(key, v), t->first_doc + d, occurrence),
                                      n)];
    }
}

ezlda_status ez_seeds_start(const ez_seeds *seeds, ezlda_context *context,
                            const ez_token_list *tokens, const ez_settings *settings,
                            uint16_t *topic)
{
    uint64_t key = ez_iteration_key(settings->seed, 0);
    ezlda_status status = EZLDA_OK;
#pragma omp parallel num_threads(ez_threads(context))
    {
        ez_start_scratch scratch;
        ezlda_status mine = ez_start_scratch_init(&scratch, context, tokens);
#pragma omp for schedule(dynamic, 256)
        for (uint64_t d = 0; d < tokens->docs; d++) {
            if (mine != EZLDA_OK)
                continue;
            ez_start_document(tokens, settings, d, topic + tokens->doc_start[d], &scratch);
            place_seeds(seeds, tokens, key, d, topic + tokens->doc_start[d]);
        }
        ez_start_scratch_free(&scratch);
        if (mine != EZLDA_OK) {
#pragma omp critical(ez_seeds_status)
            status = mine;
        }
    }
    return status;
}
