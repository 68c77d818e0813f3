/* Writes the documents' shares of topics to files: tables of text or a NumPy array. */
#include "base/files/output_file.h"
#include "base/memory.h"
#include "corpus/corpus.h"
#include "model/model_layout.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct topic_share {
    double share;
    uint32_t topic;
} topic_share;

typedef struct writer {
    ezlda_context *context;
    const ezlda_model *model;
    const ezlda_corpus *corpus;
    ez_output *output;
    ezlda_doc_format format;
    uint32_t top;
    uint32_t name_field; /* the number of the corpus' fields: no name */
    double *theta;       /* topics */
    float *row;          /* topics */
    topic_share *order;  /* topics */
    ez_buffer line;
    ezlda_status status; /* the error of the callback */
} writer;

static ezlda_status put(writer *w, const char *text, size_t n)
{
    return ez_buffer_append(&w->line, w->context, text, n);
}

/* Tabs and line ends in a name would break the table. */
static ezlda_status put_name(writer *w, uint64_t doc)
{
    const char *name = ezlda_corpus_field_value(w->corpus, w->name_field, doc);
    char number[32];
    if (!name || !*name) {
        snprintf(number, sizeof number, "%llu", (unsigned long long)doc);
        name = number;
    }
    size_t n = strlen(name), at = w->line.used;
    EZ_TRY(put(w, name, n));
    for (size_t i = at; i < at + n; i++)
        if (w->line.data[i] == '\t' || w->line.data[i] == '\n' || w->line.data[i] == '\r')
            w->line.data[i] = ' ';
    return EZLDA_OK;
}

static ezlda_status put_head(writer *w, uint64_t doc)
{
    char text[32];
    int n = snprintf(text, sizeof text, "%llu\t", (unsigned long long)doc);
    EZ_TRY(put(w, text, (size_t)n));
    return put_name(w, doc);
}

/* Topics without a token mostly share one value, which is formatted once. */
static ezlda_status put_shares(writer *w)
{
    char text[32];
    int n = 0;
    double last = -1;
    for (uint32_t k = 0; k < w->model->meta->topics; k++) {
        if (w->theta[k] != last)
            n = snprintf(text, sizeof text, "\t%.7g", w->theta[k]);
        last = w->theta[k];
        EZ_TRY(put(w, text, (size_t)n));
    }
    return EZLDA_OK;
}

static int by_falling_share(const void *a, const void *b)
{
    const topic_share *x = a, *y = b;
    if (x->share != y->share)
        return x->share > y->share ? -1 : 1;
    return x->topic < y->topic ? -1 : x->topic > y->topic;
}

static ezlda_status put_largest(writer *w, const ezlda_doc_row *row)
{
    char text[64];
    size_t n = row->n < w->top ? row->n : w->top;
    for (size_t i = 0; i < row->n; i++)
        w->order[i] = (topic_share){w->theta[row->topic[i]], row->topic[i]};
    qsort(w->order, row->n, sizeof *w->order, by_falling_share);
    for (size_t i = 0; i < n; i++) {
        int length = snprintf(text, sizeof text, "\t%u:%.7g", w->order[i].topic, w->order[i].share);
        EZ_TRY(put(w, text, (size_t)length));
    }
    return EZLDA_OK;
}

static ezlda_status put_row(writer *w, const ezlda_doc_row *row)
{
    ezlda_doc_row_shares(w->model, row, w->theta);
    w->line.used = 0;
    if (w->format == EZLDA_DOCS_NPY) {
        for (uint32_t k = 0; k < w->model->meta->topics; k++)
            w->row[k] = (float)w->theta[k];
        return ez_output_write(w->output, w->context, w->row,
                               w->model->meta->topics * sizeof *w->row);
    }
    EZ_TRY(put_head(w, row->doc));
    EZ_TRY(w->format == EZLDA_DOCS_SPARSE ? put_largest(w, row) : put_shares(w));
    EZ_TRY(put(w, "\n", 1));
    return ez_output_write(w->output, w->context, w->line.data, w->line.used);
}

static int receive_row(const ezlda_doc_row *row, void *user)
{
    writer *w = user;
    w->status = put_row(w, row);
    return w->status != EZLDA_OK;
}

/* NumPy's header, version 1.0: a Python literal, padded so that the data begin at a multiple of 64
 * bytes. */
static ezlda_status write_npy_header(writer *w, uint64_t docs)
{
    char header[192];
    memset(header, ' ', sizeof header);
    int n = snprintf(header + 10, sizeof header - 10,
                     "{'descr': '<f4', 'fortran_order': False, 'shape': (%llu, %u), }",
                     (unsigned long long)docs, w->model->meta->topics);
    size_t size = ((size_t)n + 10 + 1 + 63) / 64 * 64;
    header[10 + n] = ' ';
    /* NOLINTNEXTLINE(bugprone-not-null-terminated-result): the last byte is part of the version */
    memcpy(header, "\x93NUMPY\x01\x00", 8);
    header[8] = (char)((size - 10) & 0xff);
    header[9] = (char)((size - 10) >> 8);
    header[size - 1] = '\n';
    return ez_output_write(w->output, w->context, header, size);
}

static ezlda_status write_header(writer *w)
{
    ez_corpus_sizes sizes;
    char text[32];
    ez_corpus_sizes_of(w->corpus, &sizes);
    if (w->format == EZLDA_DOCS_NPY)
        return write_npy_header(w, sizes.docs);
    if (w->format != EZLDA_DOCS_TSV)
        return EZLDA_OK;
    EZ_TRY(put(w, "doc\tname", 8));
    for (uint32_t k = 0; k < w->model->meta->topics; k++)
        EZ_TRY(put(w, text, (size_t)snprintf(text, sizeof text, "\ttopic%u", k)));
    EZ_TRY(put(w, "\n", 1));
    return ez_output_write(w->output, w->context, w->line.data, w->line.used);
}

static ezlda_status prepare(writer *w, const char *path)
{
    uint32_t topics = w->model->meta->topics;
    ezlda_corpus_info info = {.size = sizeof info};
    ezlda_corpus_get_info(w->corpus, &info);
    while (w->name_field < info.fields &&
           strcmp(ezlda_corpus_field(w->corpus, w->name_field), "name") != 0)
        w->name_field++;
    EZ_TRY(ez_array(&w->theta, w->context, topics, sizeof *w->theta, "shares of topics"));
    EZ_TRY(ez_array(&w->row, w->context, topics, sizeof *w->row, "shares of topics"));
    EZ_TRY(ez_array(&w->order, w->context, topics, sizeof *w->order, "shares of topics"));
    EZ_TRY(ez_output_open(&w->output, w->context, path));
    return write_header(w);
}

ezlda_status ezlda_infer_to_file(ezlda_infer_info *info, ezlda_context *context,
                                 const ezlda_model *model, const ezlda_corpus *corpus,
                                 const ezlda_infer_options *options, const char *path,
                                 ezlda_doc_format format, uint32_t top)
{
    writer w = {.context = context, .model = model, .corpus = corpus, .format = format, .top = top};
    ezlda_status status;
    ez_clear(context);
    EZ_TRY(ez_needs(context, model, "a model"));
    EZ_TRY(ez_needs(context, corpus, "a corpus"));
    EZ_TRY(ez_needs(context, path, "a path"));
    if ((int)format < 0 || format > EZLDA_DOCS_MALLET)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT, "format is %d; expected 0 to %d", (int)format,
                       EZLDA_DOCS_MALLET);
    EZ_TRY_GOTO(prepare(&w, path));
    status = ezlda_infer(info, context, model, corpus, options, receive_row, &w);
    if (w.status != EZLDA_OK)
        status = w.status;
    if (status == EZLDA_OK) {
        status = ez_output_commit(w.output, context);
        w.output = NULL;
    }
done:
    ez_output_abandon(w.output);
    ez_free(w.theta);
    ez_free(w.row);
    ez_free(w.order);
    ez_free(w.line.data);
    return status;
}
