/* The quality of a model's topics: finds their top words in a corpus, and measures how exclusive
 * these words are to their topics. */
#include "base/memory.h"
#include "corpus/corpus.h"
#include "eval/coherence.h"
#include "model/word_map.h"

#include <math.h>
#include <string.h>

/* Top words of all topics, and each distinct one of them. */
typedef struct top_words {
    const ezlda_model *model;
    ezlda_model_info info;
    uint32_t per_topic;
    ezlda_scored *scored; /* topic t's words start at t*per_topic */
    ez_topic_words *topics;
    uint32_t *word;     /* the same words, as numbers in the model, later in the corpus */
    uint32_t *distinct; /* for each word of the model, its number among the distinct words;
                           UINT32_MAX: none */
    uint32_t *list;     /* the distinct words, as numbers in the model */
    uint32_t n_distinct;
    double *in_all;      /* for each distinct word: the sum of its probabilities in all topics */
    uint32_t *in_corpus; /* for each distinct word: its number in the corpus; UINT32_MAX: none */
} top_words;

static void top_words_free(top_words *top)
{
    ez_free(top->scored);
    ez_free(top->topics);
    ez_free(top->word);
    ez_free(top->distinct);
    ez_free(top->list);
    ez_free(top->in_all);
    ez_free(top->in_corpus);
}

static ezlda_status make_room(top_words *top, ezlda_context *context)
{
    size_t entries;
    if (!ez_mul_size(top->info.topics, top->per_topic, &entries))
        return ez_fail(context, EZLDA_ERROR_MEMORY, "not enough memory for the topics' words");
    size_t most = entries < top->info.words ? entries : top->info.words;
    EZ_TRY(ez_array(&top->scored, context, entries, sizeof *top->scored, "the topics' words"));
    EZ_TRY(ez_array(&top->topics, context, top->info.topics, sizeof *top->topics,
                    "the topics' words"));
    EZ_TRY(ez_array(&top->word, context, entries, sizeof *top->word, "the topics' words"));
    EZ_TRY(
        ez_array(&top->distinct, context, top->info.words, sizeof *top->distinct, "word numbers"));
    EZ_TRY(ez_array(&top->list, context, most, sizeof *top->list, "the topics' words"));
    EZ_TRY(ez_array(&top->in_all, context, most, sizeof *top->in_all, "the topics' words"));
    EZ_TRY(ez_array(&top->in_corpus, context, most, sizeof *top->in_corpus, "the topics' words"));
    memset(top->distinct, 0xff, top->info.words * sizeof *top->distinct);
    return EZLDA_OK;
}

/* Fills `word` with numbers in the model. */
static ezlda_status choose_words(top_words *top, ezlda_context *context)
{
    for (uint32_t t = 0; t < top->info.topics; t++) {
        size_t at = (size_t)t * top->per_topic, n;
        EZ_TRY(ezlda_model_top_words(top->scored + at, top->per_topic, &n, context, top->model, t,
                                     EZLDA_BY_PROBABILITY, 1));
        top->topics[t] = (ez_topic_words){top->word + at, (uint32_t)n};
        for (size_t i = at; i < at + n; i++) {
            uint32_t word = top->word[i] = (uint32_t)top->scored[i].id;
            if (top->distinct[word] != UINT32_MAX)
                continue;
            top->distinct[word] = top->n_distinct;
            top->list[top->n_distinct++] = word;
        }
    }
    return EZLDA_OK;
}

/* ---- exclusivity ---- */

static double sum_over_topics(const top_words *top, uint32_t word, uint32_t *topic, uint32_t *count,
                              double smooth)
{
    const uint64_t *tokens = ezlda_model_topic_tokens(top->model);
    double sum = 0;
    size_t n = ezlda_model_word_topics(top->model, word, topic, count, top->info.topics);
    for (size_t i = 0; i < n; i++)
        sum += count[i] / ((double)tokens[topic[i]] + top->info.words * top->info.beta);
    return sum + smooth;
}

static ezlda_status add_up_topics(top_words *top, ezlda_context *context)
{
    const uint64_t *tokens = ezlda_model_topic_tokens(top->model);
    double smooth = 0; /* the part of beta in a word's sum over all topics */
    for (uint32_t t = 0; t < top->info.topics; t++)
        smooth += top->info.beta / ((double)tokens[t] + top->info.words * top->info.beta);
    ezlda_status failed = EZLDA_OK;
#pragma omp parallel num_threads(ez_threads(context))
    {
        uint32_t *topic;
        ezlda_status status = ez_array(&topic, context, ez_product(2, top->info.topics),
                                       sizeof *topic, "a word's topics");
#pragma omp for schedule(static)
        for (uint32_t i = 0; i < top->n_distinct; i++)
            if (status == EZLDA_OK)
                top->in_all[i] =
                    sum_over_topics(top, top->list[i], topic, topic + top->info.topics, smooth);
        if (status == EZLDA_OK) {
            ez_free(topic);
        } else {
#pragma omp atomic write
            failed = status;
        }
    }
    return failed;
}

static void score_exclusivity(const top_words *top, ez_quality *out)
{
    double sum = 0;
    size_t scored = 0;
    for (uint32_t t = 0; t < top->info.topics; t++) {
        const ezlda_scored *word = top->scored + (size_t)t * top->per_topic;
        double own = 0;
        uint32_t n = top->topics[t].n;
        for (uint32_t i = 0; i < n; i++)
            own += word[i].probability / top->in_all[top->distinct[word[i].id]];
        out->topics[t].exclusivity = n ? own / n : NAN;
        sum += n ? own / n : 0;
        scored += n > 0;
    }
    out->exclusivity = scored ? sum / (double)scored : NAN;
}

/* ---- matching ---- */

/* Turns `word` into numbers in the corpus. If words of the corpus have the same text, the first
 * counts. */
static ezlda_status map_words(top_words *top, ezlda_context *context, const ezlda_corpus *corpus)
{
    ez_corpus_sizes sizes;
    uint32_t *model_word, unknown;
    ez_corpus_sizes_of(corpus, &sizes);
    EZ_TRY(ez_word_map(&model_word, context, corpus, top->model, &unknown));
    memset(top->in_corpus, 0xff, top->n_distinct * sizeof *top->in_corpus);
    for (uint32_t w = 0; w < sizes.words; w++) {
        uint32_t distinct = model_word[w] == EZ_NO_WORD ? UINT32_MAX : top->distinct[model_word[w]];
        if (distinct != UINT32_MAX && top->in_corpus[distinct] == UINT32_MAX)
            top->in_corpus[distinct] = w;
    }
    ez_free(model_word);
    for (uint32_t t = 0; t < top->info.topics; t++)
        for (size_t i = 0, at = (size_t)t * top->per_topic; i < top->topics[t].n; i++)
            top->word[at + i] = top->in_corpus[top->distinct[top->word[at + i]]];
    return EZLDA_OK;
}

ezlda_status ez_quality_of_model(ez_quality *out, ezlda_context *context, const ezlda_model *model,
                                 const ezlda_corpus *corpus, const ez_quality_options *options)
{
    top_words top = {
        .model = model, .info = {.size = sizeof top.info}, .per_topic = options->words};
    double diversity;
    ezlda_status status;
    *out = (ez_quality){0};
    if (options->words > EZ_QUALITY_MAX_WORDS)
        return ez_quality_measure(out, context, NULL, 0, corpus, options); /* returns the error */
    ezlda_model_get_info(model, &top.info);
    EZ_TRY_GOTO(make_room(&top, context));
    EZ_TRY_GOTO(choose_words(&top, context));
    EZ_TRY_GOTO(add_up_topics(&top, context));
    EZ_TRY_GOTO(
        ez_topic_diversity(&diversity, context, top.topics, top.info.topics, options->words));
    EZ_TRY_GOTO(map_words(&top, context, corpus));
    EZ_TRY_GOTO(ez_quality_measure(out, context, top.topics, top.info.topics, corpus, options));
    out->diversity = diversity;
    score_exclusivity(&top, out);
done:
    top_words_free(&top);
    return status;
}
