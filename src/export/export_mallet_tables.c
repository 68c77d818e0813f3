/* Exports MALLET's topic keys and dense document topics. */
#include "base/files/block_writer.h"
#include "base/number_text.h"
#include "export/export.h"

#include <string.h>

enum { EZ_KEYS_WORDS = 20, EZ_KEYS_TOPICS = 64 };

/* Fields are separated by tabs and line ends; inside a field, these become spaces. */
static ezlda_status append_field(ez_buffer *text, ezlda_context *context, const char *field)
{
    size_t from = text->used;
    EZ_TRY(ez_append_text(text, context, field));
    for (size_t i = from; i < text->used; i++)
        if (text->data[i] < ' ')
            text->data[i] = ' ';
    return EZLDA_OK;
}

/* ---- topic keys ---- */

/* `TOPIC <tab> ALPHA <tab> WORD WORD ... `, with MALLET's space at the end. */
static ezlda_status append_keys(const ez_export *what, ezlda_context *context, uint32_t topic,
                                ezlda_scored *top, ez_buffer *text)
{
    size_t n, words = ez_export_words(what, EZ_KEYS_WORDS);
    EZ_TRY(ezlda_model_top_words(top, words, &n, context, what->model, topic, EZLDA_BY_PROBABILITY,
                                 1));
    EZ_TRY(ez_append_whole(text, context, topic));
    EZ_TRY(ez_append_text(text, context, "\t"));
    EZ_TRY(ez_append_real(text, context, what->model->alpha[topic], EZ_ALL_DIGITS));
    EZ_TRY(ez_append_text(text, context, "\t"));
    for (size_t i = 0; i < n; i++) {
        EZ_TRY(append_field(text, context, ez_column_at(&what->model->words, top[i].id)));
        EZ_TRY(ez_append_text(text, context, " "));
    }
    return ez_append_text(text, context, "\n");
}

static ezlda_status make_keys(void *user, ezlda_context *context, uint64_t block, ez_buffer *text)
{
    const ez_export *what = user;
    uint32_t topics = what->model->meta->topics, first = (uint32_t)block * EZ_KEYS_TOPICS;
    uint32_t end = topics - first < EZ_KEYS_TOPICS ? topics : first + EZ_KEYS_TOPICS;
    ezlda_scored *top;
    EZ_TRY(ez_array(&top, context, ez_export_words(what, EZ_KEYS_WORDS), sizeof *top,
                    "words of a topic"));
    ezlda_status status = EZLDA_OK;
    for (uint32_t k = first; k < end && status == EZLDA_OK; k++)
        if (!ezlda_model_topic_hidden(what->model, k))
            status = append_keys(what, context, k, top, text);
    ez_free(top);
    return status;
}

ezlda_status ez_export_mallet_keys(const ez_export *what)
{
    ez_export copy = *what;
    const ez_block_source source = {
        (what->model->meta->topics + EZ_KEYS_TOPICS - 1) / EZ_KEYS_TOPICS, make_keys, &copy};
    return ez_write_block_file(what->context, what->path, &source, ez_wants_gzip(what->path));
}

/* ---- document topics ---- */

/* The share that was written last. Most topics of a document have no token and, if alpha is the
 * same for all topics, the same share. */
typedef struct last_share {
    double value;
    char text[EZ_NUMBER_ROOM + 1];
    size_t n;
} last_share;

static ezlda_status append_share(ez_buffer *text, ezlda_context *context, double share,
                                 last_share *last)
{
    if (!last->n || share != last->value) {
        last->text[0] = '\t';
        last->n = 1 + ez_put_real(last->text + 1, share, EZ_TABLE_DIGITS);
        last->value = share;
    }
    return ez_buffer_append(text, context, last->text, last->n);
}

/* `DOC <tab> NAME <tab> SHARE of topic 0 <tab> ...`. */
static ezlda_status append_document(const ezlda_model *model, ezlda_context *context, uint64_t doc,
                                    ez_buffer *text)
{
    const ez_rows *rows = &model->doc_rows;
    const char *name = ezlda_model_doc_name(model, doc);
    double total = ez_doc_total(model, doc);
    last_share zero = {0}, other = {0};
    EZ_TRY(ez_append_whole(text, context, doc));
    EZ_TRY(ez_append_text(text, context, "\t"));
    EZ_TRY(append_field(text, context, *name ? name : "no-name"));
    uint64_t entry = rows->start[doc], end = rows->start[doc + 1];
    for (uint32_t k = 0; k < model->meta->topics; k++) {
        bool there = entry < end && rows->topic[entry] == k;
        uint32_t count = there ? ez_rows_count(rows, entry++) : 0;
        EZ_TRY(
            append_share(text, context, (count + model->alpha[k]) / total, there ? &other : &zero));
    }
    return ez_append_text(text, context, "\n");
}

static ezlda_status make_documents(void *user, ezlda_context *context, uint64_t block,
                                   ez_buffer *text)
{
    const ezlda_model *model = ((const ez_export *)user)->model;
    for (uint64_t d = block * EZ_EXPORT_DOCS; d < ez_export_block_end(model, block); d++)
        EZ_TRY(append_document(model, context, d, text));
    return EZLDA_OK;
}

ezlda_status ez_export_mallet_doc_topics(const ez_export *what)
{
    ez_export copy = *what;
    const ez_block_source source = {ez_export_doc_blocks(what->model), make_documents, &copy};
    return ez_write_block_file(what->context, what->path, &source, ez_wants_gzip(what->path));
}
