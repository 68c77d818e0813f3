/* Encodes, reads, checks and merges the samples of documents' topics. */
#include "model/doc_samples.h"

#include "base/options_struct.h"
#include "corpus/bags/doc_code.h"

#include <string.h>

ezlda_status ez_sample_row_put(ez_buffer *rows, ezlda_context *context, const uint32_t *count,
                               uint32_t topics)
{
    uint32_t n = 0, next = 0;
    for (uint32_t k = 0; k < topics; k++)
        n += count[k] > 0;
    EZ_TRY(ez_buffer_reserve(rows, context, (2 * (size_t)n + 1) * EZ_VARINT_BYTES));
    unsigned char *at = ez_put_varint(rows->data + rows->used, n);
    for (uint32_t k = 0; k < topics; k++) {
        if (!count[k])
            continue;
        at = ez_put_varint(ez_put_varint(at, k - next), count[k] - 1);
        next = k + 1;
    }
    rows->used = (size_t)(at - rows->data);
    return EZLDA_OK;
}

size_t ez_sample_row_get(const ezlda_samples *samples, uint32_t sample, uint64_t doc,
                         uint32_t *topic, uint32_t *count, size_t capacity)
{
    uint64_t groups = ez_sample_groups(samples->docs), n = 0, gap, value;
    const unsigned char *at =
        samples->rows + samples->start[sample * groups + doc / EZ_SAMPLE_GROUP];
    for (uint64_t d = doc / EZ_SAMPLE_GROUP * EZ_SAMPLE_GROUP;; d++) {
        uint64_t next = 0;
        at = ez_get_varint(at, &n);
        for (uint64_t i = 0; i < n; i++) {
            at = ez_get_varint(ez_get_varint(at, &gap), &value);
            if (d == doc && i < capacity) {
                topic[i] = (uint32_t)(next + gap);
                count[i] = (uint32_t)value + 1;
            }
            next += gap + 1;
        }
        if (d == doc)
            return (size_t)n;
    }
}

bool ez_sample_group_good(const ezlda_samples *samples, uint64_t group, const uint64_t *doc_start)
{
    uint64_t groups = ez_sample_groups(samples->docs);
    const unsigned char *at = samples->rows + samples->start[group],
                        *end = samples->rows + samples->start[group + 1];
    uint64_t first = group % groups * EZ_SAMPLE_GROUP;
    uint64_t last =
        samples->docs - first < EZ_SAMPLE_GROUP ? samples->docs : first + EZ_SAMPLE_GROUP;
    for (uint64_t d = first; d < last; d++) {
        uint64_t n, gap, value, next = 0, sum = 0;
        if (!(at = ez_check_varint(at, end, &n)) || n > samples->topics)
            return false;
        for (uint64_t i = 0; i < n; i++) {
            if (!(at = ez_check_varint(at, end, &gap)) || gap >= samples->topics - next ||
                !(at = ez_check_varint(at, end, &value)) || value >= UINT32_MAX)
                return false;
            next += gap + 1;
            sum += value + 1;
        }
        if (sum != doc_start[d + 1] - doc_start[d])
            return false;
    }
    return at == end;
}

/* ---- making ---- */

ezlda_status ez_samples_create(ezlda_samples **out, ezlda_context *context, uint64_t docs,
                               uint32_t topics, uint32_t samples)
{
    static const uint64_t zero = 0;
    EZ_TRY(ez_array_zero(out, context, 1, sizeof **out, "samples"));
    (*out)->docs = docs;
    (*out)->topics = topics;
    (*out)->samples = samples;
    ezlda_status status = ez_buffer_append(&(*out)->start_owned, context, &zero, sizeof zero);
    if (status == EZLDA_OK)
        status = ez_buffer_reserve(&(*out)->rows_owned, context, 1);
    if (status != EZLDA_OK) {
        ezlda_samples_free(*out);
        *out = NULL;
    }
    return status;
}

ezlda_status ez_samples_end_group(ezlda_samples *samples, ezlda_context *context)
{
    uint64_t used = samples->rows_owned.used;
    return ez_buffer_append(&samples->start_owned, context, &used, sizeof used);
}

void ez_samples_seal(ezlda_samples *samples)
{
    samples->alpha = (const double *)(const void *)samples->alpha_owned.data;
    samples->start = (const uint64_t *)(const void *)samples->start_owned.data;
    samples->rows = samples->rows_owned.data;
}

static ezlda_status merge_rows(ezlda_samples *merged, ezlda_context *context,
                               const ezlda_samples *samples, const uint32_t *into, uint32_t *room)
{
    uint32_t topics = samples->topics, *topic = room, *count = room + topics, *sum = count + topics;
    for (uint32_t s = 0; s < samples->samples; s++)
        for (uint64_t d = 0; d < samples->docs; d++) {
            size_t n = ez_sample_row_get(samples, s, d, topic, count, topics);
            memset(sum, 0, topics * sizeof *sum);
            for (size_t i = 0; i < n; i++)
                sum[into[topic[i]]] += count[i];
            EZ_TRY(ez_sample_row_put(&merged->rows_owned, context, sum, merged->topics));
            if ((d + 1) % EZ_SAMPLE_GROUP == 0 || d + 1 == samples->docs)
                EZ_TRY(ez_samples_end_group(merged, context));
        }
    for (uint32_t k = 0; k < merged->topics; k++) {
        double alpha = 0;
        for (uint32_t j = 0; j < topics; j++)
            alpha += into[j] == k ? samples->alpha[j] : 0;
        EZ_TRY(ez_buffer_append(&merged->alpha_owned, context, &alpha, sizeof alpha));
    }
    ez_samples_seal(merged);
    return EZLDA_OK;
}

ezlda_status ez_samples_merge(ezlda_samples **out, ezlda_context *context,
                              const ezlda_samples *samples, const uint32_t *into, uint32_t topics)
{
    uint32_t *room = NULL;
    EZ_TRY(ez_array(&room, context, ez_product(3, samples->topics), sizeof *room, "a row"));
    ezlda_status status = ez_samples_create(out, context, samples->docs, topics, samples->samples);
    if (status == EZLDA_OK)
        status = merge_rows(*out, context, samples, into, room);
    ez_free(room);
    if (status != EZLDA_OK) {
        ezlda_samples_free(*out);
        *out = NULL;
    }
    return status;
}

/* ---- the public calls ---- */

void ezlda_samples_free(ezlda_samples *samples)
{
    if (!samples)
        return;
    ez_free(samples->alpha_owned.data);
    ez_free(samples->start_owned.data);
    ez_free(samples->rows_owned.data);
    ez_free(samples);
}

void ezlda_samples_get_info(const ezlda_samples *samples, ezlda_samples_info *info)
{
    uint64_t groups = ez_sample_groups(samples->docs) * samples->samples;
    ezlda_samples_info all = {.docs = samples->docs,
                              .topics = samples->topics,
                              .samples = samples->samples,
                              .training_corpus = samples->own,
                              .bytes = samples->start[groups] + (groups + 1) * sizeof(uint64_t)};
    ez_struct_write(info, &all, sizeof all);
}

size_t ezlda_samples_doc_topics(const ezlda_samples *samples, uint32_t sample, uint64_t doc,
                                uint32_t *topic, uint32_t *count, size_t capacity)
{
    return sample < samples->samples && doc < samples->docs
               ? ez_sample_row_get(samples, sample, doc, topic, count, capacity)
               : 0;
}
