/* The tables of a synthetic corpus: the Zipf frequencies of words and the words of each topic, as
 * alias tables. */
#include "corpus/synth/synth.h"

#include "corpus/bags/doc_run.h"
#include "numeric/portable_math.h"

#include <stdlib.h>

enum { EZ_STREAM_TOPICS = 3 };

/* ---- alias tables ---- */

/* Builds an alias table with Vose's method, in integers. The weights (at most 2^32 each, at most
 * 2^28 of them) are overwritten; `own` has the numbers of the outcomes, NULL: 0, 1, ... */
static ezlda_status alias_build(ez_alias *alias, ezlda_context *context, uint64_t *weight,
                                const uint32_t *own, uint32_t n)
{
    uint32_t *list; /* buckets with too little weight from the front, with too much from the back */
    uint64_t total = 0;
    EZ_TRY(ez_array(&list, context, n, sizeof *list, "a table of draws"));
    for (uint32_t i = 0; i < n; i++)
        total += weight[i];
    uint32_t few = 0, many = n;
    for (uint32_t i = 0; i < n; i++) {
        weight[i] *= n;
        alias[i] = (ez_alias){UINT32_MAX, own ? own[i] : i, own ? own[i] : i};
        if (weight[i] < total)
            list[few++] = i;
        else
            list[--many] = i;
    }
    while (few && many < n) {
        uint32_t little = list[--few], much = list[many];
        alias[little].limit = (uint32_t)(((unsigned __int128)weight[little] << 32) / total);
        alias[little].other = alias[much].own;
        weight[much] -= total - weight[little];
        if (weight[much] < total) {
            many++;
            list[few++] = much;
        }
    }
    ez_free(list);
    return EZLDA_OK;
}

static ezlda_status zipf_build(ez_synth_tables *tables, ezlda_context *context, double exponent)
{
    uint32_t n = tables->n_words;
    uint64_t *weight;
    EZ_TRY(ez_array(&tables->zipf, context, n, sizeof *tables->zipf, "word frequencies"));
    EZ_TRY(ez_array(&weight, context, n, sizeof *weight, "word frequencies"));
    for (uint32_t i = 0; i < n; i++) {
        double power = -exponent * ez_portable_log(i + 1.0);
        weight[i] = power > -600 ? (uint64_t)(ez_portable_exp(power) * 0x1p32) : 0;
    }
    ezlda_status status = alias_build(tables->zipf, context, weight, NULL, n);
    ez_free(weight);
    return status;
}

/* ---- topics ---- */

typedef struct ez_urn {
    uint32_t kind[EZ_URN]; /* kind of each draw */
    uint32_t word[EZ_URN], count[EZ_URN];
    uint64_t weight[EZ_URN];
    size_t n; /* number of kinds; after ez_pairs_tidy, of words */
    ez_buffer scratch;
} ez_urn;

static ezlda_status urn_fill(ez_urn *urn, ezlda_context *context, const ez_synth_tables *tables,
                             uint32_t topic)
{
    uint64_t key = ez_stream_key(tables->seed, EZ_STREAM_TOPICS, topic);
    urn->n = 0;
    for (uint64_t i = 0; i < EZ_URN; i++) {
        uint64_t at = ez_mulhi64(ez_stream_draw(key, 2 * i), (i << 16) + tables->beta);
        if (at < i << 16) {
            urn->kind[i] = urn->kind[at >> 16];
        } else {
            urn->kind[i] = (uint32_t)urn->n;
            urn->count[urn->n] = 0;
            urn->word[urn->n++] =
                ez_alias_draw(tables->zipf, tables->n_words, ez_stream_draw(key, 2 * i + 1));
        }
        urn->count[urn->kind[i]]++;
    }
    return ez_pairs_tidy(context, urn->word, urn->count, &urn->n, &urn->scratch, "urn", "topic",
                         topic);
}

static ezlda_status topic_build(ez_synth_topic *topic, ezlda_context *context,
                                const ez_synth_tables *tables, uint32_t number, ez_urn *urn)
{
    EZ_TRY(urn_fill(urn, context, tables, number));
    topic->n = (uint32_t)urn->n;
    EZ_TRY(ez_array(&topic->words, context, topic->n, sizeof *topic->words, "a topic's words"));
    for (size_t i = 0; i < urn->n; i++)
        urn->weight[i] = urn->count[i];
    return alias_build(topic->words, context, urn->weight, urn->word, topic->n);
}

static ezlda_status topics_build(ez_synth_tables *tables, ezlda_context *context)
{
    ezlda_status result = EZLDA_OK;
    int64_t n = tables->n_topics;
    EZ_TRY(ez_array_zero(&tables->topics, context, tables->n_topics, sizeof *tables->topics,
                         "topics"));
#pragma omp parallel num_threads(ez_threads(context))
    {
        ez_urn *urn = NULL;
        ezlda_status status = ez_array_zero(&urn, context, 1, sizeof *urn, "an urn");
#pragma omp for schedule(dynamic, 8)
        for (int64_t topic = 0; topic < n; topic++)
            if (status == EZLDA_OK)
                status = topic_build(&tables->topics[topic], context, tables, (uint32_t)topic, urn);
        if (urn)
            ez_free(urn->scratch.data);
        ez_free(urn);
        if (status != EZLDA_OK) {
#pragma omp atomic write
            result = status;
        }
    }
    return result;
}

static ezlda_status tables_start(ez_synth_tables *tables, ezlda_context *context,
                                 const ezlda_synth_options *options)
{
    *tables = (ez_synth_tables){
        .seed = options->seed, .n_words = options->words, .n_topics = options->topics};
    tables->beta = (uint64_t)(options->beta * 0x1p16);
    uint64_t all = ((uint64_t)EZ_URN << 16) + tables->beta;
    tables->new_chance = (uint64_t)(((unsigned __int128)tables->beta << 64) / all);
    return zipf_build(tables, context, options->zipf);
}

ezlda_status ez_synth_tables_create(ez_synth_tables *tables, ezlda_context *context,
                                    const ezlda_synth_options *options)
{
    EZ_TRY(tables_start(tables, context, options));
    return topics_build(tables, context);
}

void ez_synth_tables_free(ez_synth_tables *tables)
{
    for (uint32_t i = 0; tables->topics && i < tables->n_topics; i++)
        ez_free(tables->topics[i].words);
    ez_free(tables->topics);
    ez_free(tables->zipf);
    *tables = (ez_synth_tables){0};
}

/* ---- planted topics ---- */

static int by_falling_count(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? 1 : x > y ? -1 : 0;
}

ezlda_status ez_synth_topic_words(ezlda_context *context, const ezlda_synth_options *options,
                                  uint32_t topic, uint32_t *word, uint32_t *count, size_t n,
                                  size_t *written)
{
    ezlda_synth_options settled;
    ez_synth_tables tables = {0};
    ez_urn *urn = NULL;
    ezlda_status status;
    *written = 0;
    EZ_TRY_GOTO(ez_synth_options_read(context, options, &settled));
    EZ_TRY_GOTO(tables_start(&tables, context, &settled));
    EZ_TRY_GOTO(ez_array_zero(&urn, context, 1, sizeof *urn, "an urn"));
    EZ_TRY_GOTO(urn_fill(urn, context, &tables, topic));
    for (size_t i = 0; i < urn->n; i++)
        urn->weight[i] = (uint64_t)urn->count[i] << 32 | (UINT32_MAX - urn->word[i]);
    qsort(urn->weight, urn->n, sizeof *urn->weight, by_falling_count);
    for (; *written < n && *written < urn->n; ++*written) {
        word[*written] = UINT32_MAX - (uint32_t)urn->weight[*written];
        count[*written] = (uint32_t)(urn->weight[*written] >> 32);
    }
done:
    if (urn)
        ez_free(urn->scratch.data);
    ez_free(urn);
    ez_synth_tables_free(&tables);
    return status;
}
