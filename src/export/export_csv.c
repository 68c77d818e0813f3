/* Exports a folder of CSV files: topics, their words, the topics of documents and, if the corpus is
 * given, the documents' fields. Tables are long: one line per entry that has tokens. Quoting
 * follows RFC 4180. */
#include "base/files/block_writer.h"
#include "base/files/output_folder.h"
#include "base/number_text.h"
#include "export/export.h"

#include <string.h>

enum { EZ_CSV_WORDS = 20 };

/* A field is quoted if it holds a separator, a quote or a line end, or starts or ends with a space,
 * which some readers remove. */
static bool needs_quotes(const char *field)
{
    size_t n = strlen(field);
    return strpbrk(field, ",\"\r\n") || (n && (field[0] == ' ' || field[n - 1] == ' '));
}

static ezlda_status append_quoted(ez_buffer *text, ezlda_context *context, const char *field)
{
    EZ_TRY(ez_append_text(text, context, "\""));
    for (const char *quote; (quote = strchr(field, '"')); field = quote + 1) {
        EZ_TRY(ez_buffer_append(text, context, field, (size_t)(quote - field)));
        EZ_TRY(ez_append_text(text, context, "\"\""));
    }
    EZ_TRY(ez_append_text(text, context, field));
    return ez_append_text(text, context, "\"");
}

static ezlda_status append_field(ez_buffer *text, ezlda_context *context, const char *field)
{
    return needs_quotes(field) ? append_quoted(text, context, field)
                               : ez_append_text(text, context, field);
}

/* Appends a number and the text after it. */
static ezlda_status append_whole(ez_buffer *text, ezlda_context *context, uint64_t value,
                                 const char *then)
{
    EZ_TRY(ez_append_whole(text, context, value));
    return ez_append_text(text, context, then);
}

static ezlda_status append_real(ez_buffer *text, ezlda_context *context, double value,
                                const char *then)
{
    EZ_TRY(ez_append_real(text, context, value, EZ_TABLE_DIGITS));
    return ez_append_text(text, context, then);
}

/* ---- topics.csv ---- */

/* The first words of a topic as one field. */
static ezlda_status append_words(const ez_export *what, ezlda_context *context, uint32_t topic,
                                 ezlda_scored *top, size_t most, ez_buffer *field)
{
    size_t n;
    EZ_TRY(
        ezlda_model_top_words(top, most, &n, context, what->model, topic, EZLDA_BY_PROBABILITY, 1));
    field->used = 0;
    for (size_t i = 0; i < n; i++) {
        EZ_TRY(ez_append_text(field, context, i ? " " : ""));
        EZ_TRY(ez_append_text(field, context, ez_column_at(&what->model->words, top[i].id)));
    }
    return ez_buffer_append(field, context, "", 1);
}

static bool any_name(const ezlda_model *model)
{
    for (uint32_t k = 0; k < model->meta->topics; k++)
        if (*ezlda_model_topic_name(model, k) || *ezlda_model_topic_group(model, k))
            return true;
    return false;
}

/* What edits call the topic, and its group. */
static ezlda_status append_names(const ezlda_model *model, ezlda_context *context, uint32_t topic,
                                 ez_buffer *text)
{
    EZ_TRY(ez_append_text(text, context, ","));
    EZ_TRY(append_field(text, context, ezlda_model_topic_name(model, topic)));
    EZ_TRY(ez_append_text(text, context, ","));
    return append_field(text, context, ezlda_model_topic_group(model, topic));
}

static ezlda_status append_topics(const ez_export *what, ezlda_context *context, ez_buffer *text,
                                  ez_buffer *field, ezlda_scored *top, size_t most)
{
    const ezlda_model *model = what->model;
    double tokens = (double)model->meta->tokens;
    bool named = any_name(model);
    EZ_TRY(ez_append_text(text, context,
                          named ? "topic,alpha,tokens,share,words,name,group\n"
                                : "topic,alpha,tokens,share,words\n"));
    for (uint32_t k = 0; k < model->meta->topics; k++) {
        if (ezlda_model_topic_hidden(model, k))
            continue;
        EZ_TRY(append_whole(text, context, k, ","));
        EZ_TRY(append_real(text, context, model->alpha[k], ","));
        EZ_TRY(append_whole(text, context, model->topic_tokens[k], ","));
        EZ_TRY(append_real(text, context, tokens > 0 ? (double)model->topic_tokens[k] / tokens : 0,
                           ","));
        EZ_TRY(append_words(what, context, k, top, most, field));
        EZ_TRY(append_field(text, context, (const char *)field->data));
        if (named)
            EZ_TRY(append_names(model, context, k, text));
        EZ_TRY(ez_append_text(text, context, "\n"));
    }
    return EZLDA_OK;
}

static ezlda_status make_topics(void *user, ezlda_context *context, uint64_t block, ez_buffer *text)
{
    (void)block;
    const ez_export *what = user;
    size_t most = ez_export_words(what, EZ_CSV_WORDS);
    ezlda_scored *top;
    ez_buffer field = {0};
    EZ_TRY(ez_array(&top, context, most, sizeof *top, "words of a topic"));
    ezlda_status status = append_topics(what, context, text, &field, top, most);
    ez_free(field.data);
    ez_free(top);
    return status;
}

/* ---- topic_words.csv ---- */

/* Block 0 is the header, then comes one block per topic; words by number. */
static ezlda_status make_topic_words(void *user, ezlda_context *context, uint64_t block,
                                     ez_buffer *text)
{
    const ezlda_model *model = ((const ez_export *)user)->model;
    const ez_topic_index *index;
    if (block == 0)
        return ez_append_text(text, context, "topic,word,count,probability\n");
    EZ_TRY(ez_model_index(model, context, EZ_INDEX_WORDS, &index));
    uint32_t topic = (uint32_t)(block - 1);
    const ez_phi *phi = &model->phi;
    double total = ez_phi_total(phi, topic);
    for (uint64_t i = index->start[topic]; i < index->start[topic + 1]; i++) {
        uint32_t sampled = ez_index_count(index, i, &phi->rows, topic);
        uint32_t count = ez_rows_find(&model->word_rows, index->row[i], topic);
        EZ_TRY(append_whole(text, context, topic, ","));
        EZ_TRY(append_field(text, context, ez_column_at(&model->words, index->row[i])));
        EZ_TRY(ez_append_text(text, context, ","));
        EZ_TRY(append_whole(text, context, count, ","));
        EZ_TRY(append_real(text, context, (sampled + phi->beta) / total, "\n"));
    }
    return EZLDA_OK;
}

/* ---- doc_topics.csv ---- */

static ezlda_status append_doc(const ezlda_model *model, ezlda_context *context, uint64_t doc,
                               ez_buffer *text)
{
    const ez_rows *rows = &model->doc_rows;
    double total = ez_doc_total(model, doc);
    for (uint64_t e = rows->start[doc]; e < rows->start[doc + 1]; e++) {
        uint32_t count = ez_rows_count(rows, e);
        EZ_TRY(append_whole(text, context, doc, ","));
        EZ_TRY(append_field(text, context, ezlda_model_doc_name(model, doc)));
        EZ_TRY(ez_append_text(text, context, ","));
        EZ_TRY(append_whole(text, context, rows->topic[e], ","));
        EZ_TRY(append_whole(text, context, count, ","));
        EZ_TRY(append_real(text, context, (count + model->alpha[rows->topic[e]]) / total, "\n"));
    }
    return EZLDA_OK;
}

/* Block 0 is the header. */
static ezlda_status make_doc_topics(void *user, ezlda_context *context, uint64_t block,
                                    ez_buffer *text)
{
    const ezlda_model *model = ((const ez_export *)user)->model;
    if (block == 0)
        return ez_append_text(text, context, "doc,name,topic,count,share\n");
    for (uint64_t d = (block - 1) * EZ_EXPORT_DOCS; d < ez_export_block_end(model, block - 1); d++)
        EZ_TRY(append_doc(model, context, d, text));
    return EZLDA_OK;
}

/* ---- doc_fields.csv ---- */

/* Appends the fields of the corpus except the name, which comes before them. A field named like an
 * earlier column gets the prefix "field_". */
static ezlda_status append_fields(const ez_export *what, ezlda_context *context, bool header,
                                  uint64_t doc, ez_buffer *text)
{
    const char *field;
    for (uint32_t f = 0; (field = ezlda_corpus_field(what->corpus, f)); f++) {
        if (strcmp(field, "name") == 0)
            continue;
        bool reserved = strcmp(field, "doc") == 0 || strcmp(field, "tokens") == 0;
        EZ_TRY(ez_append_text(text, context, header && reserved ? ",field_" : ","));
        EZ_TRY(append_field(text, context,
                            header ? field : ezlda_corpus_field_value(what->corpus, f, doc)));
    }
    return ez_append_text(text, context, "\n");
}

/* Block 0 is the header. */
static ezlda_status make_doc_fields(void *user, ezlda_context *context, uint64_t block,
                                    ez_buffer *text)
{
    const ez_export *what = user;
    if (block == 0) {
        EZ_TRY(ez_append_text(text, context, "doc,name,tokens"));
        return append_fields(what, context, true, 0, text);
    }
    for (uint64_t d = (block - 1) * EZ_EXPORT_DOCS; d < ez_export_block_end(what->model, block - 1);
         d++) {
        EZ_TRY(append_whole(text, context, d, ","));
        EZ_TRY(append_field(text, context, ezlda_model_doc_name(what->model, d)));
        EZ_TRY(ez_append_text(text, context, ","));
        EZ_TRY(append_whole(text, context, ezlda_model_doc_tokens(what->model, d), ""));
        EZ_TRY(append_fields(what, context, false, d, text));
    }
    return EZLDA_OK;
}

/* ---- all of it ---- */

static ezlda_status write_files(const ez_export *what, ez_folder *folder)
{
    ez_export copy = *what;
    const struct {
        const char *name;
        ez_block_source source;
    } files[] = {
        {"topics.csv", {1, make_topics, &copy}},
        {"topic_words.csv", {1 + (uint64_t)what->model->meta->topics, make_topic_words, &copy}},
        {"doc_topics.csv", {1 + ez_export_doc_blocks(what->model), make_doc_topics, &copy}},
        {"doc_fields.csv", {1 + ez_export_doc_blocks(what->model), make_doc_fields, &copy}},
    };
    size_t n = sizeof files / sizeof *files - (what->corpus ? 0 : 1);
    for (size_t i = 0; i < n; i++) {
        const char *path;
        EZ_TRY(ez_folder_file(folder, what->context, files[i].name, &path));
        EZ_TRY(ez_write_block_file(what->context, path, &files[i].source, false));
    }
    return EZLDA_OK;
}

ezlda_status ez_export_csv(const ez_export *what)
{
    static const char *const names[] = {"topics.csv", "topic_words.csv", "doc_topics.csv",
                                        "doc_fields.csv", NULL};
    ez_folder *folder;
    EZ_TRY(ez_folder_open(&folder, what->context, what->path, names));
    ezlda_status status = write_files(what, folder);
    if (status == EZLDA_OK)
        return ez_folder_commit(folder, what->context);
    ez_folder_abandon(folder);
    return status;
}
