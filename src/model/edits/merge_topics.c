/* Adds up the counts of merged topics, section by section. */
#include "model/edits/merge_topics.h"

#include "base/files/content_hash.h"
#include "base/memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The alpha of a topic that has gone: the smallest that training accepts. */
static const double EZ_GONE_ALPHA = 1e-6;

typedef struct entry {
    uint32_t topic, count;
} entry;

typedef struct merging {
    ezlda_context *context;
    const ezlda_model *model;
    const uint32_t *into;
    uint32_t topics; /* of the result */
    bool coarser;    /* the result has fewer topics, and no edits */
    ez_container_writer *writer;
} merging;

static int by_topic(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    return (x->topic > y->topic) - (x->topic < y->topic);
}

/* Merges a row; returns its entries. */
static uint64_t merge_row(const merging *m, const ez_rows *rows, uint64_t row, entry *room,
                          uint16_t *topic, uint32_t *count)
{
    uint64_t n = 0, merged = 0;
    for (uint64_t e = rows->start[row]; e < rows->start[row + 1]; e++)
        room[n++] = (entry){m->into[rows->topic[e]], ez_rows_count(rows, e)};
    qsort(room, n, sizeof *room, by_topic);
    for (uint64_t i = 0; i < n; i++) {
        if (merged > 0 && topic[merged - 1] == room[i].topic) {
            count[merged - 1] += room[i].count;
            continue;
        }
        topic[merged] = (uint16_t)room[i].topic;
        count[merged++] = room[i].count;
    }
    return merged;
}

static ezlda_status merge_rows(const merging *m, const uint32_t tags[4], const ez_rows *rows)
{
    ez_count_rows out = {.rows = rows->rows};
    entry *room = NULL;
    ezlda_status status;
    EZ_TRY_GOTO(ez_array(&out.start, m->context, rows->rows + 1, sizeof *out.start, "rows"));
    EZ_TRY_GOTO(ez_array(&out.topic, m->context, rows->entries, sizeof *out.topic, "rows"));
    EZ_TRY_GOTO(ez_array(&out.count, m->context, rows->entries, sizeof *out.count, "rows"));
    EZ_TRY_GOTO(ez_array(&room, m->context, m->model->meta->topics, sizeof *room, "a row"));
    out.start[0] = 0;
    for (uint64_t r = 0; r < rows->rows; r++)
        out.start[r + 1] = out.start[r] + merge_row(m, rows, r, room, out.topic + out.start[r],
                                                    out.count + out.start[r]);
    status = ez_model_move_rows(m->writer, m->context, tags, &out, rows->rows);
done:
    ez_free(out.start);
    ez_free(out.topic);
    ez_free(out.count);
    ez_free(room);
    return status;
}

static ezlda_status merge_tokens(const merging *m, uint32_t tag, const uint64_t *tokens)
{
    uint32_t topics = m->topics;
    uint64_t *sum = NULL;
    EZ_TRY(ez_array_zero(&sum, m->context, topics, sizeof *sum, "topics"));
    for (uint32_t k = 0; k < m->model->meta->topics; k++)
        sum[m->into[k]] += tokens[k];
    ezlda_status status = ez_container_begin(m->writer, m->context, tag);
    if (status == EZLDA_OK)
        status = ez_container_write(m->writer, m->context, sum, topics * sizeof *sum);
    ez_free(sum);
    return status;
}

/* before: numbers in front of those of the topics, which stay. In a model of as many topics those
 * that have gone keep a place. */
static ezlda_status merge_alpha(const merging *m, uint32_t tag, const double *from, size_t before)
{
    double *all = NULL;
    EZ_TRY(ez_array_zero(&all, m->context, before + m->topics, sizeof *all, "alpha"));
    memcpy(all, from, before * sizeof *all);
    for (uint32_t k = 0; k < m->model->meta->topics; k++)
        all[before + m->into[k]] += from[before + k];
    for (uint32_t k = 0; k < m->topics; k++)
        if (!(all[before + k] > 0))
            all[before + k] = EZ_GONE_ALPHA;
    ezlda_status status = ez_container_begin(m->writer, m->context, tag);
    if (status == EZLDA_OK)
        status = ez_container_write(m->writer, m->context, all, (before + m->topics) * sizeof *all);
    ez_free(all);
    return status;
}

static ezlda_status merge_token_topics(const merging *m)
{
    enum { ROOM = 4096 };
    uint16_t topic[ROOM];
    uint64_t tokens = ez_model_own_tokens(m->model);
    EZ_TRY(ez_container_begin(m->writer, m->context, EZ_MODEL_TOKEN_TOPICS));
    for (uint64_t at = 0; at < tokens;) {
        uint64_t n = tokens - at < ROOM ? tokens - at : ROOM;
        for (uint64_t i = 0; i < n; i++)
            topic[i] = (uint16_t)m->into[m->model->token_topics[at + i]];
        EZ_TRY(ez_container_write(m->writer, m->context, topic, n * sizeof *topic));
        at += n;
    }
    return EZLDA_OK;
}

static ezlda_status merge_samples(const merging *m)
{
    ezlda_samples *merged = NULL;
    EZ_TRY(ez_samples_merge(&merged, m->context, &m->model->samples, m->into, m->topics));
    ezlda_status status = ez_model_write_samples(m->writer, m->context, merged);
    ezlda_samples_free(merged);
    return status;
}

static ezlda_status copy(const merging *m, const uint32_t *tags, size_t n)
{
    for (size_t i = 0; i < n; i++)
        EZ_TRY(ez_model_copy_section(m->writer, m->context, m->model->container, tags[i]));
    return EZLDA_OK;
}

/* The hash of the merged topics of all tokens, if they are there. */
static ezlda_status hash_topics(const merging *m, uint64_t *hash)
{
    enum { ROOM = 4096 };
    uint16_t topic[ROOM];
    uint64_t tokens = ez_model_own_tokens(m->model);
    ez_hasher *hasher = NULL;
    *hash = 0;
    if (!m->model->token_topics)
        return EZLDA_OK;
    EZ_TRY(ez_hasher_create(&hasher, m->context));
    ezlda_status status = EZLDA_OK;
    for (uint64_t at = 0; at < tokens && status == EZLDA_OK;) {
        uint64_t n = tokens - at < ROOM ? tokens - at : ROOM;
        for (uint64_t i = 0; i < n; i++)
            topic[i] = (uint16_t)m->into[m->model->token_topics[at + i]];
        status = ez_hasher_add(hasher, m->context, topic, n * sizeof *topic);
        at += n;
    }
    if (status == EZLDA_OK)
        status = ez_hasher_finish(hasher, m->context, hash);
    ez_hasher_free(hasher);
    return status;
}

static ezlda_status write_meta(const merging *m)
{
    ez_model_meta meta = *m->model->meta;
    if (!m->coarser)
        return copy(m, (const uint32_t[]){EZ_MODEL_META}, 1);
    meta.topics = m->topics;
    EZ_TRY(hash_topics(m, &meta.topics_hash));
    EZ_TRY(ez_container_begin(m->writer, m->context, EZ_MODEL_META));
    return ez_container_write(m->writer, m->context, &meta, sizeof meta);
}

/* A coarser model has no scores, so its section RUN has no seconds of any. */
static ezlda_status write_tail(const merging *m)
{
    static const uint32_t tail[] = {EZ_MODEL_EDITS, EZ_MODEL_FOUND, EZ_MODEL_RUN};
    if (!m->coarser)
        return copy(m, tail, 3);
    EZ_TRY(ez_container_begin(m->writer, m->context, EZ_MODEL_RUN));
    return ez_container_write(m->writer, m->context, m->model->run, sizeof *m->model->run);
}

/* In the order of a model file. */
static ezlda_status write_merged(const merging *m)
{
    static const uint32_t w_tags[4] = EZ_MODEL_W_TAGS, d_tags[4] = EZ_MODEL_D_TAGS,
                          phi_tags[4] = EZ_MODEL_PHI_TAGS;
    static const uint32_t past[] = {EZ_MODEL_PAST}, sampled[] = {EZ_MODEL_PHI_META},
                          texts[] = {EZ_MODEL_DOC_START, EZ_MODEL_WORDS,       EZ_MODEL_WORDS_INDEX,
                                     EZ_MODEL_NAMES,     EZ_MODEL_NAMES_INDEX, EZ_MODEL_RULES},
                          scores[] = {EZ_MODEL_LLPT};
    const ezlda_model *model = m->model;
    EZ_TRY(write_meta(m));
    EZ_TRY(copy(m, past, 1));
    EZ_TRY(merge_alpha(m, EZ_MODEL_ALPHA, model->alpha, 0));
    EZ_TRY(merge_tokens(m, EZ_MODEL_TOPIC_TOKENS, model->topic_tokens));
    EZ_TRY(merge_rows(m, w_tags, &model->word_rows));
    EZ_TRY(merge_rows(m, d_tags, &model->doc_rows));
    if (model->phi.samples > 1) {
        EZ_TRY(copy(m, sampled, 1));
        EZ_TRY(merge_tokens(m, EZ_MODEL_PHI_TOKENS, model->phi.topic_tokens));
        EZ_TRY(merge_rows(m, phi_tags, &model->phi.rows));
    }
    EZ_TRY(copy(m, texts, sizeof texts / sizeof *texts));
    if (!m->coarser)
        EZ_TRY(copy(m, scores, 1));
    if (model->training)
        EZ_TRY(merge_alpha(m, EZ_MODEL_TRAINING, model->training, 1));
    if (model->token_topics)
        EZ_TRY(merge_token_topics(m));
    if (model->samples.samples)
        EZ_TRY(merge_samples(m));
    return write_tail(m);
}

static ezlda_status make_image(merging *m, ez_container **out)
{
    EZ_TRY(ez_container_writer_open(&m->writer, m->context, NULL, EZ_MODEL_MAGIC,
                                    ez_model_version(m->model)));
    ezlda_status status = write_merged(m);
    if (status == EZLDA_OK)
        return ez_container_finish(m->writer, m->context, out);
    ez_container_writer_abandon(m->writer);
    return status;
}

ezlda_status ez_merge_topics(ez_container **out, ezlda_context *context, const ezlda_model *model,
                             const uint32_t *into)
{
    merging m = {.context = context, .model = model, .into = into, .topics = model->meta->topics};
    return make_image(&m, out);
}

ezlda_status ez_model_coarser(ezlda_model **out, ezlda_context *context, const ezlda_model *model,
                              const uint32_t *into, uint32_t topics)
{
    merging m = {
        .context = context, .model = model, .into = into, .topics = topics, .coarser = true};
    ez_container *image = NULL;
    EZ_TRY(make_image(&m, &image));
    return ez_model_open(out, context, image, "merged topics", EZLDA_ERROR_INTERNAL);
}
