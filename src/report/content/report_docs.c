/* Chooses the documents of the report: the first ones of each topic, with their topics and, if
 * there is room, words. If the corpus is small, all other documents too, without words. */
#include "report/content/slice_docs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of the page for all documents, for the numbers of one document and for one of its topics;
 * the latter two in base64. */
enum { EZ_DOCS_ROOM = 800000, EZ_DOC_BYTES = 25, EZ_MIX_BYTES = 8 };
enum { EZ_MIX_TOPICS = 8, EZ_BAG_ROOM = 180000 };
/* Bytes of the page for texts, for a word in one, and of the longest text. */
enum { EZ_TEXT_ROOM = 3000000, EZ_WORD_BYTES_SHOWN = 8, EZ_TEXT_MOST = 20000 };

void ez_report_docs_free(ez_report_docs *docs)
{
    ez_free(docs->number);
    ez_free(docs->of_topic);
    ez_free(docs->of_topic_share);
    ez_free(docs->mix_start);
    ez_free(docs->mix_topic);
    ez_free(docs->mix_share);
    ez_free(docs->bag_start);
    ez_free(docs->bag);
    for (uint32_t i = 0; docs->text && i < docs->n; i++)
        ez_shown_text_free(&docs->text[i]);
    ez_free(docs->text);
}

/* ---- one document ---- */

const char *ez_doc_title(const ezlda_report *report, uint64_t doc, char room[32])
{
    const char *name = ezlda_model_doc_name(report->model, doc);
    if (name && *name)
        return name;
    snprintf(room, 32, "document %llu", (unsigned long long)doc);
    return room;
}

const char *ez_doc_label(const ezlda_report *report, uint64_t doc)
{
    for (uint32_t f = 0; ezlda_corpus_field(report->corpus, f); f++)
        if (strcmp(ezlda_corpus_field(report->corpus, f), "label") == 0)
            return ezlda_corpus_field_value(report->corpus, f, doc);
    return NULL;
}

/* The number of the i-th field besides name and label; UINT32_MAX: there is none. */
static uint32_t kept_field(const ezlda_report *report, uint32_t i)
{
    const char *name;
    for (uint32_t f = 0; (name = ezlda_corpus_field(report->corpus, f)); f++)
        if (strcmp(name, "name") != 0 && strcmp(name, "label") != 0 && !i--)
            return f;
    return UINT32_MAX;
}

const char *ez_doc_field(const ezlda_report *report, uint32_t i)
{
    return ezlda_corpus_field(report->corpus, kept_field(report, i));
}

const char *ez_doc_field_value(const ezlda_report *report, uint32_t i, uint64_t doc,
                               char room[EZ_VALUE_ROOM])
{
    const char *value = ezlda_corpus_field_value(report->corpus, kept_field(report, i), doc);
    size_t n = value ? strlen(value) : 0, most = EZ_VALUE_ROOM - 4;
    if (n <= most)
        return value ? value : "";
    for (n = most; (value[n] & 0xc0) == 0x80; n--) /* do not cut a character */
        ;
    snprintf(room, EZ_VALUE_ROOM, "%.*s\xe2\x80\xa6", (int)n, value);
    return room;
}

uint32_t ez_doc_mix(const ezlda_report *report, uint64_t doc, uint32_t most, uint16_t *topic,
                    float *share)
{
    const ezlda_model *model = report->model;
    const ez_rows *rows = &model->doc_rows;
    ez_best_item item[EZ_MIX_TOPICS];
    ez_best_list best = {item, 0, most < EZ_MIX_TOPICS ? most : EZ_MIX_TOPICS};
    double total = (double)ez_report_doc_tokens(report, doc) + model->alpha_sum;
    for (uint64_t e = rows->start[doc]; e < rows->start[doc + 1]; e++)
        if (!ezlda_model_topic_hidden(model, rows->topic[e]))
            ez_best_offer(&best, (ez_rows_count(rows, e) + model->alpha[rows->topic[e]]) / total,
                          rows->topic[e], 0);
    ez_best_sort(&best);
    for (uint32_t i = 0; i < best.n; i++) {
        topic[i] = (uint16_t)item[i].id;
        share[i] = (float)item[i].score;
    }
    return best.n;
}

/* ---- the first documents of topics ---- */

static void first_docs(ezlda_report *report, const ez_topic_index *index, uint32_t topic,
                       ez_best_item *item)
{
    const ezlda_model *model = report->model;
    uint32_t each = report->docs.each;
    size_t first = (size_t)topic * each;
    ez_best_list best = {item, 0, each};
    for (uint64_t i = index->start[topic]; i < index->start[topic + 1]; i++) {
        uint32_t doc = index->row[i];
        double count = ez_index_count(index, i, &model->doc_rows, topic) + model->alpha[topic];
        ez_best_offer(&best, count / ((double)ez_report_doc_tokens(report, doc) + model->alpha_sum),
                      doc, 0);
    }
    ez_best_sort(&best);
    for (uint32_t i = 0; i < each; i++) {
        report->docs.of_topic[first + i] = i < best.n ? item[i].id : EZ_NO_ITEM;
        report->docs.of_topic_share[first + i] = i < best.n ? (float)item[i].score : 0;
    }
}

static ezlda_status choose_docs(ezlda_report *report, ezlda_context *context)
{
    ez_report_docs *docs = &report->docs;
    uint32_t topics = report->model->meta->topics, each = docs->each;
    const ez_topic_index *index;
    ezlda_status status = EZLDA_OK;
    EZ_TRY(ez_model_index(report->model, context, EZ_INDEX_DOCS, &index));
    size_t n = ez_product(topics, each);
    EZ_TRY(ez_array(&docs->of_topic, context, n, sizeof *docs->of_topic, "documents of topics"));
    EZ_TRY(ez_array(&docs->of_topic_share, context, n, sizeof *docs->of_topic_share,
                    "documents of topics"));
#pragma omp parallel num_threads(ez_threads(context))
    {
        ez_best_item *item = NULL;
        ezlda_status mine = ez_array(&item, context, each, sizeof *item, "documents of topics");
#pragma omp for schedule(dynamic, 4)
        for (uint32_t k = 0; k < topics; k++)
            if (mine == EZLDA_OK)
                first_docs(report, index, k, item);
        ez_free(item);
        if (mine != EZLDA_OK) {
#pragma omp critical(ez_report_docs_status)
            status = mine;
        }
    }
    return status;
}

static int compare_numbers(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static uint32_t position_of(const ez_report_docs *docs, uint32_t number)
{
    const uint32_t *found = bsearch(&number, docs->number, docs->n, sizeof number, compare_numbers);
    return found ? (uint32_t)(found - docs->number) : EZ_NO_ITEM;
}

/* Whether names, labels and topics of all documents fit in the page, which can then search them. */
static bool all_fit(const ezlda_report *report)
{
    const uint64_t *start = report->model->doc_rows.start;
    size_t used = 0;
    char room[32], value[EZ_VALUE_ROOM];
    for (uint64_t doc = 0; doc < report->model->meta->docs && used <= EZ_DOCS_ROOM; doc++) {
        const char *label = ez_doc_label(report, doc);
        uint64_t topics = start[doc + 1] - start[doc];
        used +=
            EZ_DOC_BYTES + EZ_MIX_BYTES * (size_t)(topics < EZ_MIX_TOPICS ? topics : EZ_MIX_TOPICS);
        used += strlen(ez_doc_title(report, doc, room)) + (label ? strlen(label) : 0);
        for (uint32_t f = 0; ez_doc_field(report, f); f++)
            used += strlen(ez_doc_field_value(report, f, doc, value)) + 3;
    }
    return used <= EZ_DOCS_ROOM;
}

static ezlda_status number_all(ezlda_report *report, ezlda_context *context)
{
    ez_report_docs *docs = &report->docs;
    docs->n = (uint32_t)report->model->meta->docs;
    EZ_TRY(ez_array(&docs->number, context, docs->n, sizeof *docs->number, "documents"));
    for (uint32_t i = 0; i < docs->n; i++)
        docs->number[i] = i;
    return EZLDA_OK;
}

/* The first documents of topics, and those over time. */
static ezlda_status number_first(ezlda_report *report, ezlda_context *context, size_t n)
{
    ez_report_docs *docs = &report->docs;
    uint32_t *more = NULL;
    size_t n_more;
    EZ_TRY(ez_docs_over_time(report, context, &more, &n_more));
    ezlda_status status =
        ez_array(&docs->number, context, n + n_more, sizeof *docs->number, "documents");
    if (status == EZLDA_OK) {
        memcpy(docs->number, docs->of_topic, n * sizeof *docs->number);
        if (n_more)
            memcpy(docs->number + n, more, n_more * sizeof *more);
        n += n_more;
        qsort(docs->number, n, sizeof *docs->number, compare_numbers);
        for (size_t i = 0; i < n && docs->number[i] != EZ_NO_ITEM; i++)
            if (!docs->n || docs->number[docs->n - 1] != docs->number[i])
                docs->number[docs->n++] = docs->number[i];
    }
    ez_free(more);
    return status;
}

/* Lists documents by number, each once; the topics' lists become positions in that list. */
static ezlda_status number_docs(ezlda_report *report, ezlda_context *context)
{
    ez_report_docs *docs = &report->docs;
    size_t n = (size_t)report->model->meta->topics * docs->each;
    EZ_TRY(all_fit(report) ? number_all(report, context) : number_first(report, context, n));
    for (size_t i = 0; i < n; i++)
        docs->of_topic[i] = position_of(docs, docs->of_topic[i]);
    return EZLDA_OK;
}

/* ---- their topics and words ---- */

static ezlda_status fill_mixes(ezlda_report *report, ezlda_context *context)
{
    ez_report_docs *docs = &report->docs;
    size_t room = (size_t)docs->n * EZ_MIX_TOPICS;
    EZ_TRY(ez_array(&docs->mix_start, context, (size_t)docs->n + 1, sizeof *docs->mix_start,
                    "documents"));
    EZ_TRY(ez_array(&docs->mix_topic, context, room, sizeof *docs->mix_topic, "documents"));
    EZ_TRY(ez_array(&docs->mix_share, context, room, sizeof *docs->mix_share, "documents"));
    docs->mix_start[0] = 0;
    for (uint32_t i = 0; i < docs->n; i++) {
        uint32_t at = docs->mix_start[i];
        uint32_t n = ez_doc_mix(report, docs->number[i], EZ_MIX_TOPICS, docs->mix_topic + at,
                                docs->mix_share + at);
        docs->mix_start[i + 1] = at + n;
    }
    return EZLDA_OK;
}

/* Every topic's first document gets its words before any second one; documents that no longer fit
 * get none. bag[i]: the words of document i, if it has them. */
static ezlda_status make_bags(const ezlda_report *report, ezlda_context *context, ez_buffer *bag)
{
    const ez_report_docs *docs = &report->docs;
    size_t left = EZ_BAG_ROOM;
    for (uint32_t rank = 0; rank < docs->each; rank++)
        for (uint32_t k = 0; k < report->model->meta->topics && left; k++) {
            uint32_t doc = docs->of_topic[(size_t)k * docs->each + rank];
            if (doc == EZ_NO_ITEM || bag[doc].data)
                continue;
            EZ_TRY(ez_doc_bag(report, context, docs->number[doc], &bag[doc]));
            size_t n = bag[doc].used / sizeof(ez_bag_entry);
            if (n > left)
                bag[doc].used = 0;
            else
                left -= n;
        }
    return EZLDA_OK;
}

static ezlda_status join_bags(ez_report_docs *docs, ezlda_context *context, const ez_buffer *bag)
{
    EZ_TRY(ez_array_zero(&docs->bag_start, context, (size_t)docs->n + 1, sizeof *docs->bag_start,
                         "documents"));
    for (uint32_t i = 0; i < docs->n; i++)
        docs->bag_start[i + 1] =
            docs->bag_start[i] + (uint32_t)(bag[i].used / sizeof(ez_bag_entry));
    EZ_TRY(ez_array(&docs->bag, context, docs->bag_start[docs->n], sizeof *docs->bag,
                    "words of documents"));
    for (uint32_t i = 0; i < docs->n; i++)
        if (bag[i].used)
            memcpy(docs->bag + docs->bag_start[i], bag[i].data, bag[i].used);
    return EZLDA_OK;
}

static ezlda_status fill_bags(ezlda_report *report, ezlda_context *context)
{
    ez_report_docs *docs = &report->docs;
    ez_buffer *bag = NULL;
    EZ_TRY(ez_array_zero(&bag, context, docs->n, sizeof *bag, "words of documents"));
    docs->bag_kind = ez_doc_bag_kind(report);
    ezlda_status status =
        docs->bag_kind == EZ_BAG_NONE ? EZLDA_OK : make_bags(report, context, bag);
    if (status == EZLDA_OK)
        status = join_bags(docs, context, bag);
    for (uint32_t i = 0; i < docs->n; i++)
        ez_free(bag[i].data);
    ez_free(bag);
    return status;
}

/* Texts are given out as bags are. */
static ezlda_status fill_texts(ezlda_report *report, ezlda_context *context)
{
    ez_report_docs *docs = &report->docs;
    size_t left = EZ_TEXT_ROOM;
    if (!ez_report_has_text(report))
        return EZLDA_OK;
    EZ_TRY(ez_array_zero(&docs->text, context, docs->n, sizeof *docs->text, "texts"));
    for (uint32_t rank = 0; rank < docs->each; rank++)
        for (uint32_t k = 0; k < report->model->meta->topics && left; k++) {
            uint32_t doc = docs->of_topic[(size_t)k * docs->each + rank];
            if (doc == EZ_NO_ITEM || docs->text[doc].text.used)
                continue;
            ez_shown_text *text = &docs->text[doc];
            EZ_TRY(ez_doc_shown(report, context, docs->number[doc], EZ_TEXT_MOST, text));
            size_t n =
                text->text.used + text->words.used / sizeof(ez_shown_word) * EZ_WORD_BYTES_SHOWN;
            if (n > left)
                ez_shown_text_free(text);
            else
                left -= n;
        }
    return EZLDA_OK;
}

ezlda_status ez_report_documents(ezlda_report *report, ezlda_context *context, uint32_t each)
{
    report->docs.each = each;
    EZ_TRY(choose_docs(report, context));
    EZ_TRY(number_docs(report, context));
    EZ_TRY(fill_mixes(report, context));
    EZ_TRY(fill_bags(report, context));
    return fill_texts(report, context);
}
