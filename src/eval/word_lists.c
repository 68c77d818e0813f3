/* Numbers the distinct words of the topics' lists and the distinct pairs of words, and finds the
 * topics that list them. */
#include "base/memory.h"
#include "corpus/corpus.h"
#include "eval/cooccurrence.h"

#include <string.h>

static uint32_t length_of(const ez_topic_words *topic, uint32_t most)
{
    return topic->n < most ? topic->n : most;
}

static ezlda_status make_room(ez_word_lists *lists, ezlda_context *context,
                              const ez_topic_words *words, uint32_t most, uint32_t corpus_words)
{
    size_t entries = 0;
    for (size_t t = 0; t < lists->topics; t++)
        entries += length_of(&words[t], most);
    EZ_TRY(ez_array_zero(&lists->start, context, lists->topics + 1, sizeof *lists->start,
                         "topics' words"));
    EZ_TRY(ez_array_zero(&lists->pair_start, context, lists->topics + 1, sizeof *lists->pair_start,
                         "topics' words"));
    EZ_TRY(ez_array(&lists->word, context, entries, sizeof *lists->word, "topics' words"));
    EZ_TRY(ez_array(&lists->number, context, corpus_words, sizeof *lists->number, "word numbers"));
    memset(lists->number, 0xff, corpus_words * sizeof *lists->number);
    return EZLDA_OK;
}

/* Adds the words of topic t that are in the corpus. last: for each distinct word, the last topic
 * that lists it, from 1. */
static ezlda_status add_topic(ez_word_lists *lists, ezlda_context *context,
                              const ez_topic_words *words, uint32_t n, size_t t,
                              const ezlda_corpus *corpus, ez_buffer *last)
{
    ez_corpus_sizes sizes;
    ez_corpus_sizes_of(corpus, &sizes);
    size_t at = lists->start[t], topic = t + 1, none = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t w = words->word[i];
        if (w >= sizes.words || !ez_corpus_word_tokens(corpus)[w])
            continue;
        if (lists->number[w] == UINT32_MAX) {
            lists->number[w] = lists->n_words++;
            EZ_TRY(ez_buffer_append(last, context, &none, sizeof none));
        }
        size_t *listed = (size_t *)(void *)last->data + lists->number[w];
        if (*listed == topic)
            return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                           "topic %zu: \"%s\" occurs twice among its words", t,
                           ezlda_corpus_word(corpus, w));
        *listed = topic;
        lists->word[at++] = lists->number[w];
    }
    size_t kept = at - lists->start[t], pairs = kept ? ez_pair_of(0, kept) : 0;
    lists->start[t + 1] = at;
    lists->pair_start[t + 1] = lists->pair_start[t] + pairs;
    return EZLDA_OK;
}

/* ---- distinct pairs ---- */

/* The positions at which each distinct word is listed, topics ascending, and the state of numbering
 * pairs. */
typedef struct pair_maker {
    size_t *posted;    /* n_words+2: number of positions of the words before */
    size_t *place;     /* positions in lists->word */
    uint32_t *topic;   /* topic of each position */
    uint32_t *met_by;  /* for each word: the last word that it was paired with; UINT32_MAX: none */
    size_t *pair;      /* for each word: the number of that pair */
    ez_buffer smaller; /* uint32_t: the smaller word of each pair */
} pair_maker;

static ezlda_status list_positions(pair_maker *maker, ezlda_context *context,
                                   const ez_word_lists *lists)
{
    size_t entries = lists->start[lists->topics];
    EZ_TRY(ez_array_zero(&maker->posted, context, (size_t)lists->n_words + 2, sizeof *maker->posted,
                         "topics' words"));
    EZ_TRY(ez_array(&maker->place, context, entries, sizeof *maker->place, "topics' words"));
    EZ_TRY(ez_array(&maker->topic, context, entries, sizeof *maker->topic, "topics' words"));
    size_t *fill =
        maker->posted + 1; /* start of each word's positions; once they are filled in, their end */
    for (size_t i = 0; i < entries; i++)
        fill[lists->word[i] + 1]++;
    for (size_t w = 1; w <= lists->n_words; w++)
        fill[w] += fill[w - 1];
    for (size_t t = 0; t < lists->topics; t++)
        for (size_t i = lists->start[t]; i < lists->start[t + 1]; i++) {
            maker->topic[i] = (uint32_t)t;
            maker->place[fill[lists->word[i]]++] = i;
        }
    return EZLDA_OK;
}

/* Adds the pairs of a word with the smaller words of the topic that lists it at this position. */
static ezlda_status pair_at(pair_maker *maker, ezlda_context *context, ez_word_lists *lists,
                            uint32_t word, size_t place)
{
    size_t t = maker->topic[place], first = lists->start[t], own = place - first;
    for (size_t i = first; i < lists->start[t + 1]; i++) {
        uint32_t other = lists->word[i];
        if (other >= word)
            continue;
        if (maker->met_by[other] != word) {
            maker->met_by[other] = word;
            maker->pair[other] = lists->n_pairs++;
            EZ_TRY(ez_buffer_append(&maker->smaller, context, &other, sizeof other));
        }
        size_t pair = i < place ? ez_pair_of(i - first, own) : ez_pair_of(own, i - first);
        lists->pair[lists->pair_start[t] + pair] = maker->pair[other];
    }
    return EZLDA_OK;
}

static ezlda_status make_pairs(pair_maker *maker, ezlda_context *context, ez_word_lists *lists)
{
    size_t words = lists->n_words;
    EZ_TRY(list_positions(maker, context, lists));
    EZ_TRY(ez_array(&maker->met_by, context, words, sizeof *maker->met_by, "topics' words"));
    EZ_TRY(ez_array(&maker->pair, context, words, sizeof *maker->pair, "topics' words"));
    EZ_TRY(ez_array(&lists->pair, context, lists->pair_start[lists->topics], sizeof *lists->pair,
                    "pairs of words"));
    EZ_TRY(ez_array_zero(&lists->first_pair, context, words + 1, sizeof *lists->first_pair,
                         "pairs of words"));
    memset(maker->met_by, 0xff, words * sizeof *maker->met_by);
    for (uint32_t w = 0; w < words; w++) {
        for (size_t p = maker->posted[w]; p < maker->posted[w + 1]; p++)
            EZ_TRY(pair_at(maker, context, lists, w, maker->place[p]));
        lists->first_pair[w + 1] = lists->n_pairs;
    }
    lists->pair_with = (uint32_t *)(void *)maker->smaller.data;
    maker->smaller = (ez_buffer){0};
    return EZLDA_OK;
}

static ezlda_status number_pairs(ez_word_lists *lists, ezlda_context *context)
{
    pair_maker maker = {0};
    ezlda_status status = make_pairs(&maker, context, lists);
    ez_free(maker.posted);
    ez_free(maker.place);
    ez_free(maker.topic);
    ez_free(maker.met_by);
    ez_free(maker.pair);
    ez_free(maker.smaller.data);
    return status;
}

ezlda_status ez_word_lists_build(ez_word_lists *lists, ezlda_context *context,
                                 const ez_topic_words *words, size_t n_topics, uint32_t most,
                                 const ezlda_corpus *corpus, ez_topic_quality *topics)
{
    ez_corpus_sizes sizes;
    ez_corpus_sizes_of(corpus, &sizes);
    ez_buffer last = {0};
    lists->topics = n_topics;
    ezlda_status status = make_room(lists, context, words, most, sizes.words);
    for (size_t t = 0; t < n_topics && status == EZLDA_OK; t++) {
        topics[t].words = length_of(&words[t], most);
        status = add_topic(lists, context, &words[t], topics[t].words, t, corpus, &last);
        topics[t].missing = topics[t].words - (uint32_t)(lists->start[t + 1] - lists->start[t]);
    }
    ez_free(last.data);
    return status == EZLDA_OK ? number_pairs(lists, context) : status;
}

void ez_word_lists_free(ez_word_lists *lists)
{
    ez_free(lists->start);
    ez_free(lists->pair_start);
    ez_free(lists->word);
    ez_free(lists->number);
    ez_free(lists->pair);
    ez_free(lists->first_pair);
    ez_free(lists->pair_with);
    *lists = (ez_word_lists){0};
}
