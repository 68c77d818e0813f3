/* Writes the parts of the page's data about documents and about a second model. */
#include "report/page/page_data.h"

#include <string.h>

enum { EZ_OTHER_WORDS = 10 };

#define PACK(key, array, n) \
    (ez_json_key(json, key), ez_json_packed(json, array, n, sizeof *(array)))

/* ---- documents ---- */

static void put_names(ez_json *json, const ezlda_report *report)
{
    const ez_report_docs *docs = &report->docs;
    char room[32];
    ez_json_key(json, "name");
    ez_json_begin(json, '[');
    for (uint32_t i = 0; i < docs->n; i++)
        ez_json_string(json, ez_doc_title(report, docs->number[i], room));
    ez_json_end(json, ']');
    ez_json_key(json, "label");
    if (!docs->n || !ez_doc_label(report, docs->number[0])) {
        ez_json_null(json);
        return;
    }
    ez_json_begin(json, '[');
    for (uint32_t i = 0; i < docs->n; i++)
        ez_json_string(json, ez_doc_label(report, docs->number[i]));
    ez_json_end(json, ']');
}

/* The fields that were kept, each with the values of the documents. */
static void put_kept(ez_json *json, const ezlda_report *report)
{
    const ez_report_docs *docs = &report->docs;
    const char *name;
    char room[EZ_VALUE_ROOM];
    ez_json_key(json, "fields");
    ez_json_begin(json, '[');
    for (uint32_t f = 0; (name = ez_doc_field(report, f)); f++) {
        ez_json_begin(json, '{');
        ez_json_pair(json, "name", string, name);
        ez_json_key(json, "values");
        ez_json_begin(json, '[');
        for (uint32_t i = 0; i < docs->n; i++)
            ez_json_string(json, ez_doc_field_value(report, f, docs->number[i], room));
        ez_json_end(json, ']');
        ez_json_end(json, '}');
    }
    ez_json_end(json, ']');
}

static uint32_t at_most(uint64_t value, uint32_t most)
{
    return value < most ? (uint32_t)value : most;
}

/* room: 4 bytes for each entry of the longest table. */
static void put_tables(ez_json *json, const ezlda_report *report, void *room)
{
    const ez_report_docs *docs = &report->docs;
    uint32_t n = docs->bag_start[docs->n], *wide = room;
    uint16_t *narrow = room;
    for (uint32_t i = 0; i < docs->n; i++)
        wide[i] = at_most(ez_report_doc_tokens(report, docs->number[i]), UINT32_MAX);
    PACK("tokens", wide, docs->n);
    PACK("number", docs->number, docs->n);
    PACK("mix_start", docs->mix_start, (size_t)docs->n + 1);
    PACK("mix_topic", docs->mix_topic, docs->mix_start[docs->n]);
    PACK("mix_share", docs->mix_share, docs->mix_start[docs->n]);
    PACK("bag_start", docs->bag_start, (size_t)docs->n + 1);
    for (uint32_t i = 0; i < n; i++)
        wide[i] = report->vocabulary.report_word[docs->bag[i].word];
    PACK("bag_word", wide, n);
    for (uint32_t i = 0; i < n; i++)
        narrow[i] = docs->bag[i].topic;
    PACK("bag_topic", narrow, n);
    for (uint32_t i = 0; i < n; i++)
        narrow[i] = (uint16_t)at_most(docs->bag[i].count, UINT16_MAX);
    PACK("bag_count", narrow, n);
}

/* The tables of the words of texts, each of `n` numbers. */
static void put_text_words(ez_json *json, const ez_report_docs *docs, size_t n)
{
    static const char *const keys[] = {"text_gap", "text_units", "text_topic"};
    uint16_t *table = NULL;
    if (json->status == EZLDA_OK)
        json->status = ez_array(&table, json->context, n, sizeof *table, "words of texts");
    for (size_t key = 0; table && key < sizeof keys / sizeof *keys; key++) {
        size_t used = 0;
        for (uint32_t i = 0; i < docs->n; i++) {
            const ez_shown_word *word =
                (const ez_shown_word *)(const void *)docs->text[i].words.data;
            for (size_t j = 0; j < docs->text[i].words.used / sizeof *word; j++)
                table[used++] = (uint16_t)(key == 0   ? word[j].gap
                                           : key == 1 ? word[j].units
                                                      : word[j].topic);
        }
        PACK(keys[key], table, n);
    }
    ez_free(table);
}

/* The texts of the documents that have one: their positions in the list, and their words. */
static void put_texts(ez_json *json, const ez_report_docs *docs, uint32_t *room)
{
    size_t n = 0, words = 0;
    if (!docs->text)
        return;
    ez_json_key(json, "text");
    ez_json_begin(json, '[');
    for (uint32_t i = 0; i < docs->n; i++)
        if (docs->text[i].text.used) {
            ez_json_string(json, (const char *)docs->text[i].text.data);
            room[n++] = i;
        }
    ez_json_end(json, ']');
    PACK("text_doc", room, n);
    for (size_t i = 0; i < n; i++) {
        size_t here = docs->text[room[i]].words.used / sizeof(ez_shown_word);
        words += here;
        room[i] = (uint32_t)here << 1 | docs->text[room[i]].cut;
    }
    PACK("text_words", room, n); /* twice their number, plus 1 if the text is cut */
    put_text_words(json, docs, words);
}

/* For each field that is drawn, the bins of the documents. */
static void put_doc_bins(ez_json *json, const ezlda_report *report, uint16_t *room)
{
    const ez_report_docs *docs = &report->docs;
    ez_json_key(json, "bins");
    ez_json_begin(json, '[');
    for (uint32_t f = 0; f < report->fields; f++) {
        for (uint32_t i = 0; i < docs->n; i++)
            room[i] = report->field[f].bin[docs->number[i]];
        ez_json_packed(json, room, docs->n, sizeof *room);
    }
    ez_json_end(json, ']');
}

void ez_page_documents(ez_json *json, const ezlda_report *report)
{
    static const char *const kinds[] = {
        [EZ_BAG_NONE] = "none", [EZ_BAG_LIKELY] = "likely", [EZ_BAG_KEPT] = "kept"};
    const ez_report_docs *docs = &report->docs;
    uint32_t *room = NULL;
    size_t n = docs->n > docs->bag_start[docs->n] ? docs->n : docs->bag_start[docs->n];
    if (json->status == EZLDA_OK)
        json->status = ez_array(&room, json->context, n, sizeof *room, "documents of the page");
    if (json->status != EZLDA_OK)
        return;
    ez_json_key(json, "documents");
    ez_json_begin(json, '{');
    put_names(json, report);
    put_kept(json, report);
    ez_json_pair(json, "bag_kind", string, kinds[docs->bag_kind]);
    put_tables(json, report, room);
    put_texts(json, docs, room);
    put_doc_bins(json, report, (uint16_t *)(void *)room);
    ez_json_end(json, '}');
    PACK("topic_docs", docs->of_topic, (size_t)report->model->meta->topics * docs->each);
    PACK("topic_docs_share", docs->of_topic_share,
         (size_t)report->model->meta->topics * docs->each);
    ez_free(room);
}

/* ---- a second model ---- */

static void put_pairs(ez_json *json, const ezlda_report *report, const ezlda_match_info *info)
{
    const ezlda_topic_pair *pair = ezlda_match_pairs(report->match);
    ez_json_key(json, "pairs");
    ez_json_begin(json, '[');
    for (uint32_t i = 0; i < info->pairs; i++) {
        ez_json_begin(json, '[');
        ez_json_whole(json, pair[i].a);
        ez_json_whole(json, pair[i].b);
        ez_json_real(json, pair[i].similarity);
        ez_json_end(json, ']');
    }
    ez_json_end(json, ']');
}

static void put_alone(ez_json *json, const ezlda_lone_topic *alone, uint32_t n, const char *key,
                      const char *nearest_key)
{
    ez_json_key(json, key);
    ez_json_begin(json, '[');
    for (uint32_t i = 0; i < n; i++)
        ez_json_whole(json, alone[i].topic);
    ez_json_end(json, ']');
    ez_json_key(json, nearest_key);
    ez_json_begin(json, '[');
    for (uint32_t i = 0; i < n; i++) {
        ez_json_begin(json, '[');
        ez_json_whole(json, alone[i].nearest);
        ez_json_real(json, alone[i].similarity);
        ez_json_end(json, ']');
    }
    ez_json_end(json, ']');
}

static void put_other_words(ez_json *json, const ezlda_model *other)
{
    ezlda_scored word[EZ_OTHER_WORDS];
    size_t n = 0;
    ez_json_key(json, "words_b");
    ez_json_begin(json, '[');
    for (uint32_t k = 0; k < other->meta->topics && json->status == EZLDA_OK; k++) {
        json->status = ezlda_model_top_words(word, EZ_OTHER_WORDS, &n, json->context, other, k,
                                             EZLDA_BY_PROBABILITY, 1);
        ez_json_begin(json, '[');
        for (size_t i = 0; i < n; i++)
            ez_json_string(json, ezlda_model_word(other, (uint32_t)word[i].id));
        ez_json_end(json, ']');
    }
    ez_json_end(json, ']');
}

static void put_other_tokens(ez_json *json, const ezlda_model *other)
{
    double *tokens = NULL;
    size_t topics = other->meta->topics;
    if (json->status == EZLDA_OK)
        json->status = ez_array(&tokens, json->context, topics, sizeof *tokens, "tokens of topics");
    if (json->status != EZLDA_OK)
        return;
    for (size_t k = 0; k < topics; k++)
        tokens[k] = (double)other->topic_tokens[k];
    PACK("tokens_b", tokens, topics);
    ez_free(tokens);
}

void ez_page_compare(ez_json *json, const ezlda_report *report)
{
    ezlda_match_info info = {.size = sizeof info};
    ez_json_key(json, "compare");
    if (!report->match) {
        ez_json_null(json);
        return;
    }
    ezlda_match_get_info(report->match, &info);
    ez_json_begin(json, '{');
    ez_json_pair(json, "title", string, report->other_title);
    ez_json_pair(json, "topics", whole, info.topics_b);
    ez_json_pair(json, "mean_similarity", real, info.mean_similarity);
    put_pairs(json, report, &info);
    put_alone(json, ezlda_match_alone(report->match, EZLDA_OF_A), info.alone_a, "alone_a",
              "nearest_a");
    put_alone(json, ezlda_match_alone(report->match, EZLDA_OF_B), info.alone_b, "alone_b",
              "nearest_b");
    put_other_words(json, report->other);
    put_other_tokens(json, report->other);
    ez_json_end(json, '}');
}
