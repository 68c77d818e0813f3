/* The words of topics, numbered, and where each of them is listed. */
#include "base/memory.h"
#include "corpus/corpus.h"
#include "eval/cooccurrence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint32_t length_of(const ez_topic_words *topic, uint32_t most)
{
    return topic->n < most ? topic->n : most;
}

static ezlda_status make_room(ez_word_lists *lists, ezlda_context *context, const ez_topic_words *words, uint32_t most,
                              uint32_t corpus_words)
{
    size_t entries = 0;
    for (size_t t = 0; t < lists->topics; t++)
        entries += length_of(&words[t], most);
    EZ_TRY(ez_array_zero(&lists->start, context, lists->topics + 1, sizeof *lists->start, "topics' words"));
    EZ_TRY(ez_array_zero(&lists->pair_start, context, lists->topics + 1, sizeof *lists->pair_start, "topics' words"));
    EZ_TRY(ez_array(&lists->word, context, entries, sizeof *lists->word, "topics' words"));
    EZ_TRY(ez_array(&lists->posting, context, entries, sizeof *lists->posting, "topics' words"));
    EZ_TRY(ez_array(&lists->number, context, corpus_words, sizeof *lists->number, "word numbers"));
    memset(lists->number, 0xff, corpus_words * sizeof *lists->number);
    return EZLDA_OK;
}

/* Takes the words of topic t that the corpus has. last: of each distinct word, the last topic that listed it, from 1.*/
static ezlda_status take_topic(ez_word_lists *lists, ezlda_context *context, const ez_topic_words *words, uint32_t n,
                               size_t t, const ezlda_corpus *corpus, ez_buffer *last)
{
    ez_corpus_sizes sizes;
    ez_corpus_sizes_of(corpus, &sizes);
    size_t at = lists->start[t], topic = t + 1, none = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t w = words->word[i];
        if (w >= sizes.words || !ez_corpus_word_tokens(corpus)[w])
            continue;
        if (lists->number[w] == UINT32_MAX) {
            lists->number[w] = lists->distinct++;
            EZ_TRY(ez_buffer_append(last, context, &none, sizeof none));
        }
        size_t *listed = (size_t *)(void *)last->data + lists->number[w];
        if (*listed == topic)
            return ez_fail(context, EZLDA_ERROR_ARGUMENT, "topic %zu: \"%s\" comes twice among its words", t,
                           ezlda_corpus_word(corpus, w));
        *listed = topic;
        lists->word[at++] = lists->number[w];
    }
    size_t kept = at - lists->start[t], pairs = kept ? ez_pair_of(0, kept) : 0;
    lists->start[t + 1] = at;
    lists->pair_start[t + 1] = lists->pair_start[t] + pairs;
    return EZLDA_OK;
}

/* From words by topic to topics by word. */
static ezlda_status post(ez_word_lists *lists, ezlda_context *context)
{
    EZ_TRY(ez_array_zero(&lists->posted, context, (size_t)lists->distinct + 2, sizeof *lists->posted, "topics' words"));
    size_t *fill = lists->posted + 1; /* becomes the starts as words are placed */
    for (size_t i = 0; i < lists->start[lists->topics]; i++)
        if (lists->word[i] + 1 < lists->distinct)
            fill[lists->word[i] + 1]++;
    for (size_t w = 1; w < lists->distinct; w++)
        fill[w] += fill[w - 1];
    for (size_t t = 0; t < lists->topics; t++)
        for (size_t i = lists->start[t]; i < lists->start[t + 1]; i++)
            lists->posting[fill[lists->word[i]]++] = (ez_posting){(uint32_t)t, (uint32_t)(i - lists->start[t])};
    return EZLDA_OK;
}

ezlda_status ez_word_lists_build(ez_word_lists *lists, ezlda_context *context, const ez_topic_words *words,
                                 size_t n_topics, uint32_t most, const ezlda_corpus *corpus, ez_topic_quality *topics)
{
    ez_corpus_sizes sizes;
    ez_corpus_sizes_of(corpus, &sizes);
    ez_buffer last = {0};
    lists->topics = n_topics;
    ezlda_status status = make_room(lists, context, words, most, sizes.words);
    for (size_t t = 0; t < n_topics && status == EZLDA_OK; t++) {
        topics[t].words = length_of(&words[t], most);
        status = take_topic(lists, context, &words[t], topics[t].words, t, corpus, &last);
        topics[t].left_out = topics[t].words - (uint32_t)(lists->start[t + 1] - lists->start[t]);
    }
    ez_free(last.data);
    return status == EZLDA_OK ? post(lists, context) : status;
}

void ez_word_lists_free(ez_word_lists *lists)
{
    ez_free(lists->start);
    ez_free(lists->pair_start);
    ez_free(lists->word);
    ez_free(lists->number);
    ez_free(lists->posted);
    ez_free(lists->posting);
    *lists = (ez_word_lists){0};
}

/* ---- diversity ------------------------------------------------------------------------------------------------- */

static int ascending(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

ezlda_status ez_topic_diversity(double *out, ezlda_context *context, const ez_topic_words *topics, size_t n_topics,
                                uint32_t most)
{
    size_t n = 0, distinct = 0;
    uint32_t *all;
    for (size_t t = 0; t < n_topics; t++)
        n += length_of(&topics[t], most);
    EZ_TRY(ez_array(&all, context, n, sizeof *all, "topics' words"));
    n = 0;
    for (size_t t = 0; t < n_topics; t++)
        for (uint32_t i = 0; i < length_of(&topics[t], most); i++)
            if (topics[t].word[i] != UINT32_MAX)
                all[n++] = topics[t].word[i];
    qsort(all, n, sizeof *all, ascending);
    for (size_t i = 0; i < n; i++)
        distinct += i == 0 || all[i] != all[i - 1];
    ez_free(all);
    *out = n ? (double)distinct / (double)n : NAN;
    return EZLDA_OK;
}
