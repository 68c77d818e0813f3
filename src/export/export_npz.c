/* Exports one .npz file for numpy.load: priors, counts as the arrays of sparse (CSR) matrices,
 * words and names. */
#include "corpus/input/utf8.h"
#include "export/export.h"
#include "export/zip_file.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

/* Strings have a fixed width in NumPy; an array that padding makes larger than this is not
 * exported. */
#define EZ_NPZ_MOST_TEXT ((uint64_t)4 << 30)

typedef struct npz_writer {
    const ezlda_model *model;
    ezlda_context *context;
    const ez_topic_index *by_topic; /* the words of each topic */
    ez_zip zip;
    int wide_counts; /* some count does not fit 31 bits */
} npz_writer;

/* ---- counts ---- */

static void put_count(const npz_writer *writer, uint64_t i, uint32_t count, void *out)
{
    if (writer->wide_counts)
        ((int64_t *)out)[i] = count;
    else
        ((int32_t *)out)[i] = (int32_t)count;
}

/* The topic that entry e belongs to. */
static uint32_t topic_of(const ez_topic_index *index, uint32_t topics, uint64_t e)
{
    uint32_t low = 0, high = topics - 1;
    while (low < high) {
        uint32_t middle = low + (high - low + 1) / 2;
        if (index->start[middle] <= e)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

static void fill_topic_word_counts(const void *user, uint64_t first, uint64_t n, void *out)
{
    const npz_writer *writer = user;
    const ez_topic_index *index = writer->by_topic;
    uint32_t topic = n ? topic_of(index, writer->model->meta->topics, first) : 0;
    for (uint64_t i = 0; i < n; i++) {
        while (first + i >= index->start[topic + 1])
            topic++;
        put_count(writer, i, ez_index_count(index, first + i, &writer->model->phi.rows, topic),
                  out);
    }
}

static void fill_samples(const void *user, uint64_t first, uint64_t n, void *out)
{
    const npz_writer *writer = user;
    int32_t samples = (int32_t)writer->model->phi.samples;
    (void)first;
    if (n > 0)
        memcpy(out, &samples, sizeof samples);
}

static void fill_topic_words(const void *user, uint64_t first, uint64_t n, void *out)
{
    const npz_writer *writer = user;
    memcpy(out, writer->by_topic->row + first, n * sizeof(int32_t));
}

static void fill_doc_topic_counts(const void *user, uint64_t first, uint64_t n, void *out)
{
    const npz_writer *writer = user;
    for (uint64_t i = 0; i < n; i++)
        put_count(writer, i, ez_rows_count(&writer->model->doc_rows, first + i), out);
}

static void fill_doc_topics(const void *user, uint64_t first, uint64_t n, void *out)
{
    const npz_writer *writer = user;
    int32_t *topic = out;
    for (uint64_t i = 0; i < n; i++)
        topic[i] = writer->model->doc_rows.topic[first + i];
}

static void fill_doc_lengths(const void *user, uint64_t first, uint64_t n, void *out)
{
    const npz_writer *writer = user;
    const uint64_t *start = writer->model->doc_start + first;
    int64_t *length = out;
    for (uint64_t i = 0; i < n; i++)
        length[i] = (int64_t)(start[i + 1] - start[i]);
}

static int any_wide(const ez_rows *rows)
{
    int wide = 0;
    for (size_t i = 0; i < rows->n_large; i++)
        wide |= rows->large[i].count > INT32_MAX;
    return wide;
}

/* ---- strings ---- */

typedef struct text_array {
    const ez_column *column;
    size_t width; /* characters */
} text_array;

static size_t characters(const char *text)
{
    size_t n = 0;
    for (; *text; text++)
        n += ((unsigned char)*text & 0xc0) != 0x80;
    return n;
}

static size_t widest(const ez_column *column, int threads)
{
    size_t width = 1;
#pragma omp parallel for schedule(static) num_threads(threads) reduction(max : width)
    for (uint64_t i = 0; i < column->n; i++) {
        size_t n = characters(ez_column_at(column, i));
        width = n > width ? n : width;
    }
    return width;
}

/* Writes UTF-32, padded with zeros. */
static void fill_text(const void *user, uint64_t first, uint64_t n, void *out)
{
    const text_array *array = user;
    uint32_t *to = out;
    memset(out, 0, n * array->width * sizeof *to);
    for (uint64_t i = 0; i < n; i++, to += array->width) {
        const char *text = ez_column_at(array->column, first + i);
        for (size_t at = 0, length; *text; text += length)
            to[at++] = ez_utf8_decode(text, &length);
    }
}

static ezlda_status add_strings(npz_writer *writer, const char *name, const ez_column *column)
{
    char type[32];
    text_array array = {column, widest(column, ez_threads(writer->context))};
    size_t item = array.width * sizeof(uint32_t), bytes;
    if (!ez_mul_size(item, (size_t)column->n, &bytes) || bytes > EZ_NPZ_MOST_TEXT) {
        ez_note_failure(
            writer->context,
            "%s are not exported: %llu strings, the longest of %zu characters, would need over "
            "4 GiB as a NumPy array",
            name, (unsigned long long)column->n, array.width);
        return EZLDA_OK;
    }
    snprintf(type, sizeof type, "<U%zu", array.width);
    const ez_npy npy = {name, type, item, 1, {column->n, 0}, fill_text, &array};
    return ez_zip_add(&writer->zip, writer->context, &npy);
}

/* ---- all of it ---- */

static ezlda_status add_arrays(npz_writer *writer, const ez_npy *arrays, size_t n)
{
    for (size_t i = 0; i < n; i++)
        EZ_TRY(ez_zip_add(&writer->zip, writer->context, &arrays[i]));
    return EZLDA_OK;
}

static ezlda_status add_all(npz_writer *writer)
{
    const ezlda_model *model = writer->model;
    uint64_t topics = model->meta->topics, words = model->meta->words, docs = model->meta->docs;
    const uint64_t w_shape[2] = {topics, words}, d_shape[2] = {docs, topics};
    const char *counts = writer->wide_counts ? "<i8" : "<i4";
    size_t count = writer->wide_counts ? 8 : 4;
    const ez_npy arrays[] = {
        {"alpha", "<f8", 8, 1, {topics, 0}, ez_fill_f8, model->alpha},
        {"beta", "<f8", 8, 0, {0, 0}, ez_fill_f8, &model->phi.beta},
        {"samples", "<i4", 4, 0, {0, 0}, fill_samples, writer},
        {"topic_word_data",
         counts,
         count,
         1,
         {model->phi.rows.entries, 0},
         fill_topic_word_counts,
         writer},
        {"topic_word_indices", "<i4", 4, 1, {model->phi.rows.entries, 0}, fill_topic_words, writer},
        {"topic_word_indptr", "<i8", 8, 1, {topics + 1, 0}, ez_fill_u8, writer->by_topic->start},
        {"topic_word_shape", "<i8", 8, 1, {2, 0}, ez_fill_u8, w_shape},
        {"doc_topic_data",
         counts,
         count,
         1,
         {model->doc_rows.entries, 0},
         fill_doc_topic_counts,
         writer},
        {"doc_topic_indices", "<i4", 4, 1, {model->doc_rows.entries, 0}, fill_doc_topics, writer},
        {"doc_topic_indptr", "<i8", 8, 1, {docs + 1, 0}, ez_fill_u8, model->doc_rows.start},
        {"doc_topic_shape", "<i8", 8, 1, {2, 0}, ez_fill_u8, d_shape},
        {"doc_lengths", "<i8", 8, 1, {docs, 0}, fill_doc_lengths, writer},
        {"word_counts", "<i8", 8, 1, {words, 0}, ez_fill_u8, model->word_tokens},
    };
    EZ_TRY(add_arrays(writer, arrays, sizeof arrays / sizeof *arrays));
    EZ_TRY(add_strings(writer, "vocab", &model->words));
    if (model->names.index)
        EZ_TRY(add_strings(writer, "doc_names", &model->names));
    if (!model->token_topics)
        return EZLDA_OK;
    const ez_npy topics_of_tokens = {
        "token_topics",     "<u2", 2, 1, {ez_model_own_tokens(model), 0}, ez_fill_u2,
        model->token_topics};
    return add_arrays(writer, &topics_of_tokens, 1);
}

ezlda_status ez_export_npz(const ez_export *what)
{
    npz_writer writer = {.model = what->model, .context = what->context};
    writer.wide_counts = any_wide(&what->model->phi.rows) || any_wide(&what->model->doc_rows);
    EZ_TRY(ez_model_index(what->model, what->context, EZ_INDEX_WORDS, &writer.by_topic));
    EZ_TRY(ez_output_open(&writer.zip.output, what->context, what->path));
    ezlda_status status = add_all(&writer);
    if (status == EZLDA_OK)
        status = ez_zip_finish(&writer.zip, what->context);
    if (status == EZLDA_OK)
        return ez_output_commit(writer.zip.output, what->context);
    ez_output_abandon(writer.zip.output);
    return status;
}
