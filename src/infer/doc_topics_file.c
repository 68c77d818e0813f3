/* Writes the documents' shares of topics to files: tables of text or a NumPy array. All threads
 * make the rows' bytes, in blocks of documents. */
#include "base/files/block_writer.h"
#include "base/number_text.h"
#include "corpus/corpus.h"
#include "infer/infer_batch.h"
#include "model/model_layout.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A block of a dense table has about a mebibyte. Its rows have at least EZ_DENSE_BYTES bytes per
 * topic. */
enum { EZ_TABLE_BLOCK = 1 << 20, EZ_DENSE_BYTES = 8, EZ_BLOCK_DOCS = 128 };

typedef struct topic_share {
    double share;
    uint32_t topic;
} topic_share;

typedef struct doc_table {
    ezlda_context *context;
    const ezlda_model *model;
    const ezlda_corpus *corpus;
    ez_output *output;
    ez_block_writer *writer;
    ezlda_doc_format format;
    uint32_t top;
    uint32_t name_field; /* the number of the corpus' fields: no name */
    bool named;          /* topics have names */
    uint64_t block_docs;
    const ezlda_doc_row *rows; /* n that are being written */
    uint64_t n;
} doc_table;

/* ---- number and name ---- */

/* Tabs and line ends in a name would break the table. */
static ezlda_status put_name(const doc_table *t, ezlda_context *context, uint64_t doc,
                             ez_buffer *text)
{
    const char *name = ezlda_corpus_field_value(t->corpus, t->name_field, doc);
    if (!name || !*name)
        return ez_append_whole(text, context, doc);
    size_t at = text->used;
    EZ_TRY(ez_append_text(text, context, name));
    for (size_t i = at; i < text->used; i++)
        if (text->data[i] == '\t' || text->data[i] == '\n' || text->data[i] == '\r')
            text->data[i] = ' ';
    return EZLDA_OK;
}

static ezlda_status put_head(const doc_table *t, ezlda_context *context, uint64_t doc,
                             ez_buffer *text)
{
    EZ_TRY(ez_append_whole(text, context, doc));
    EZ_TRY(ez_append_text(text, context, "\t"));
    return put_name(t, context, doc, text);
}

/* ---- dense rows ---- */

/* Neighbours with the same share, as topics without a token have it under an equal alpha, are
 * formatted once. */
static ezlda_status put_shares(const double *theta, uint32_t topics, ezlda_context *context,
                               ez_buffer *text)
{
    enum { STEP = 256, ROOM = EZ_NUMBER_ROOM + 1 };
    char shown[ROOM] = "\t";
    size_t n = 0;
    double last = -1;
    for (uint32_t first = 0; first < topics; first += STEP) {
        uint32_t end = topics - first < STEP ? topics : first + STEP;
        EZ_TRY(ez_buffer_reserve(text, context, (size_t)STEP * ROOM));
        for (uint32_t k = first; k < end; k++) {
            if (theta[k] != last)
                n = 1 + ez_put_share(shown + 1, theta[k]);
            last = theta[k];
            memcpy(text->data + text->used, shown, ROOM); /* a fixed size is copied faster */
            text->used += n;
        }
    }
    return EZLDA_OK;
}

static ezlda_status put_floats(const double *theta, uint32_t topics, ezlda_context *context,
                               ez_buffer *bytes)
{
    EZ_TRY(ez_buffer_reserve(bytes, context, ez_product(topics, sizeof(float))));
    for (uint32_t k = 0; k < topics; k++) {
        float share = (float)theta[k];
        memcpy(bytes->data + bytes->used, &share, sizeof share);
        bytes->used += sizeof share;
    }
    return EZLDA_OK;
}

static ezlda_status put_dense(const doc_table *t, ezlda_context *context, const ezlda_doc_row *row,
                              double *theta, ez_buffer *text)
{
    uint32_t topics = t->model->meta->topics;
    ezlda_doc_row_shares(t->model, row, theta);
    if (t->format == EZLDA_DOCS_NPY)
        return put_floats(theta, topics, context, text);
    EZ_TRY(put_head(t, context, row->doc, text));
    EZ_TRY(put_shares(theta, topics, context, text));
    return ez_append_text(text, context, "\n");
}

static ezlda_status make_dense(void *user, ezlda_context *context, uint64_t block, ez_buffer *text)
{
    const doc_table *t = user;
    uint64_t first = block * t->block_docs;
    uint64_t end = t->n - first < t->block_docs ? t->n : first + t->block_docs;
    ezlda_status status = EZLDA_OK;
    double *theta;
    EZ_TRY(ez_array(&theta, context, t->model->meta->topics, sizeof *theta, "shares of topics"));
    for (uint64_t i = first; i < end && status == EZLDA_OK; i++)
        status = put_dense(t, context, &t->rows[i], theta, text);
    ez_free(theta);
    return status;
}

/* ---- the topics that matter ---- */

static int by_falling_share(const void *a, const void *b)
{
    const topic_share *x = a, *y = b;
    if (x->share != y->share)
        return x->share > y->share ? -1 : 1;
    return x->topic < y->topic ? -1 : x->topic > y->topic;
}

/* A name has no control characters. */
static ezlda_status put_topic_name(const doc_table *t, ezlda_context *context, uint32_t topic,
                                   ez_buffer *text)
{
    EZ_TRY(ez_append_text(text, context, "\t"));
    return ez_append_text(text, context, ezlda_model_topic_name(t->model, topic));
}

/* One line per topic: number and name of the document, topic, share; and the topic's name, if any
 * topic has one. */
static ezlda_status put_largest(const doc_table *t, ezlda_context *context,
                                const ezlda_doc_row *row, topic_share *order, ez_buffer *text)
{
    size_t n = 0, head = text->used, size = 0;
    for (size_t i = 0; i < row->n; i++)
        if (!ezlda_model_topic_hidden(t->model, row->topic[i]))
            order[n++] = (topic_share){ez_row_share(t->model, row, i), row->topic[i]};
    qsort(order, n, sizeof *order, by_falling_share);
    n = n < t->top ? n : t->top;
    for (size_t i = 0; i < n; i++) {
        EZ_TRY(ez_buffer_reserve(text, context, size + (size_t)2 * EZ_NUMBER_ROOM));
        if (i == 0) {
            EZ_TRY(put_head(t, context, row->doc, text));
            size = text->used - head;
            EZ_TRY(ez_buffer_reserve(text, context, (size_t)2 * EZ_NUMBER_ROOM));
        } else {
            memcpy(text->data + text->used, text->data + head, size);
            text->used += size;
        }
        char *begin = (char *)text->data + text->used, *at = begin;
        *at++ = '\t';
        at += ez_put_whole(at, order[i].topic);
        *at++ = '\t';
        at += ez_put_share(at, order[i].share);
        text->used += (size_t)(at - begin);
        if (t->named)
            EZ_TRY(put_topic_name(t, context, order[i].topic, text));
        EZ_TRY(ez_append_text(text, context, "\n"));
    }
    return EZLDA_OK;
}

static ezlda_status make_sparse(void *user, ezlda_context *context, uint64_t block, ez_buffer *text)
{
    const doc_table *t = user;
    uint64_t first = block * t->block_docs;
    uint64_t end = t->n - first < t->block_docs ? t->n : first + t->block_docs;
    ezlda_status status = EZLDA_OK;
    topic_share *order;
    size_t most = 0;
    for (uint64_t i = first; i < end; i++)
        most = t->rows[i].n > most ? t->rows[i].n : most;
    EZ_TRY(ez_array(&order, context, most, sizeof *order, "shares of topics"));
    for (uint64_t i = first; i < end && status == EZLDA_OK; i++)
        status = put_largest(t, context, &t->rows[i], order, text);
    ez_free(order);
    return status;
}

/* ---- the file ---- */

static ezlda_status write_rows(const ezlda_doc_row *rows, uint64_t n, void *user)
{
    doc_table *t = user;
    const ez_block_source source = {(n + t->block_docs - 1) / t->block_docs,
                                    t->format == EZLDA_DOCS_SPARSE ? make_sparse : make_dense, t};
    t->rows = rows;
    t->n = n;
    return ez_block_writer_add(t->writer, t->context, &source);
}

/* NumPy's header, version 1.0: a Python literal, padded so that the data begin at a multiple of 64
 * bytes. */
static ezlda_status write_npy_header(const doc_table *t, uint64_t docs)
{
    char header[192];
    memset(header, ' ', sizeof header);
    int n = snprintf(header + 10, sizeof header - 10,
                     "{'descr': '<f4', 'fortran_order': False, 'shape': (%llu, %u), }",
                     (unsigned long long)docs, t->model->meta->topics);
    size_t size = ((size_t)n + 10 + 1 + 63) / 64 * 64;
    header[10 + n] = ' ';
    /* NOLINTNEXTLINE(bugprone-not-null-terminated-result): the last byte is part of the version */
    memcpy(header, "\x93NUMPY\x01\x00", 8);
    header[8] = (char)((size - 10) & 0xff);
    header[9] = (char)((size - 10) >> 8);
    header[size - 1] = '\n';
    return ez_output_write(t->output, t->context, header, size);
}

static ezlda_status put_topics(const doc_table *t, ez_buffer *text)
{
    EZ_TRY(ez_append_text(text, t->context, "doc\tname"));
    for (uint32_t k = 0; k < t->model->meta->topics; k++) {
        EZ_TRY(ez_append_text(text, t->context, "\ttopic"));
        EZ_TRY(ez_append_whole(text, t->context, k));
    }
    return ez_append_text(text, t->context, "\n");
}

static ezlda_status write_header(const doc_table *t)
{
    const char *columns =
        t->named ? "doc\tname\ttopic\tshare\ttopic_name\n" : "doc\tname\ttopic\tshare\n";
    ez_corpus_sizes sizes;
    ez_buffer text = {0};
    ez_corpus_sizes_of(t->corpus, &sizes);
    if (t->format == EZLDA_DOCS_NPY)
        return write_npy_header(t, sizes.docs);
    if (t->format == EZLDA_DOCS_SPARSE)
        return ez_output_write(t->output, t->context, columns, strlen(columns));
    if (t->format == EZLDA_DOCS_MALLET)
        return EZLDA_OK;
    ezlda_status status = put_topics(t, &text);
    if (status == EZLDA_OK)
        status = ez_output_write(t->output, t->context, text.data, text.used);
    ez_free(text.data);
    return status;
}

static ezlda_status prepare(doc_table *t, const char *path)
{
    uint64_t fit = EZ_TABLE_BLOCK / ((uint64_t)t->model->meta->topics * EZ_DENSE_BYTES);
    ezlda_corpus_info info = {.size = sizeof info};
    ezlda_corpus_get_info(t->corpus, &info);
    while (t->name_field < info.fields &&
           strcmp(ezlda_corpus_field(t->corpus, t->name_field), "name") != 0)
        t->name_field++;
    for (uint32_t k = 0; k < t->model->meta->topics; k++)
        t->named = t->named || *ezlda_model_topic_name(t->model, k);
    t->block_docs = fit < 1 ? 1 : fit > EZ_BLOCK_DOCS ? EZ_BLOCK_DOCS : fit;
    if (t->format == EZLDA_DOCS_SPARSE)
        t->block_docs = EZ_BLOCK_DOCS;
    EZ_TRY(ez_output_open(&t->output, t->context, path));
    EZ_TRY(ez_block_writer_create(&t->writer, t->context, t->output, false));
    return write_header(t);
}

static ezlda_status finish(doc_table *t)
{
    ez_block_sums sums;
    EZ_TRY(ez_block_writer_finish(t->writer, t->context, &sums));
    ez_output *output = t->output;
    t->output = NULL;
    return ez_output_commit(output, t->context);
}

ezlda_status ezlda_infer_to_file(ezlda_infer_info *info, ezlda_context *context,
                                 const ezlda_model *model, const ezlda_corpus *corpus,
                                 const ezlda_infer_options *options, const char *path,
                                 ezlda_doc_format format, uint32_t top)
{
    doc_table t = {.context = context, .model = model, .corpus = corpus};
    const ez_row_receiver to = {.rows = write_rows, .user = &t};
    ezlda_status status;
    ez_clear(context);
    EZ_TRY(ez_needs(context, model, "a model"));
    EZ_TRY(ez_needs(context, corpus, "a corpus"));
    EZ_TRY(ez_needs(context, path, "a path"));
    if ((int)format < 0 || format > EZLDA_DOCS_MALLET)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT, "format is %d; expected 0 to %d", (int)format,
                       EZLDA_DOCS_MALLET);
    t.format = format;
    t.top = top;
    EZ_TRY_GOTO(prepare(&t, path));
    EZ_TRY_GOTO(ez_infer_all(info, context, model, corpus, options, &to));
    status = finish(&t);
done:
    ez_block_writer_free(t.writer);
    ez_output_abandon(t.output);
    return status;
}
